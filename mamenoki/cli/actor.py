"""Who types: as the audit log names an operator."""

import os
import pwd
import socket


def actor() -> str:
    """``account@machine``, the account that called sudo before that of the process."""
    account = os.environ.get("SUDO_USER") or _account()
    return f"{account}@{socket.gethostname()}"


def _account() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container's user need not have a name
        return f"uid {os.getuid()}"
