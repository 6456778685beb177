"""The machine itself: Python, compiler, disk, open files, clock, ports."""

import ctypes
import errno
import os
import resource
import shutil
import socket
import sys
from pathlib import Path

from engine_service.games import GAMES
from mamenoki.operate.checks import Check, fail, ok, warn
from service.settings import Settings, split_address

OLDEST = (3, 11)
LITTLE_DISK, FAR_TOO_LITTLE = 2 << 30, 200 << 20
FILES = 16_384
"""A connected bot holds one descriptor; ten thousand of them, and room beside."""
UNSYNCHRONISED = 5  # adjtimex's TIME_ERROR


def python() -> Check:
    """The interpreter that runs this."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST:
        return fail("python", f"Python {version}", "install Python 3.11 or newer")
    return ok("python", f"Python {version} at {sys.executable}")


def compiled_rules() -> Check:
    """Whether the rules run compiled, and whether this machine could compile them."""
    module = sys.modules[type(GAMES["mushi"]).__module__]
    if not str(module.__file__).endswith(".py"):
        return ok("rules", "compiled")
    if shutil.which("cc") is None:
        remedy = (
            "install a C compiler (Debian: gcc and python3-dev), then ./dev compile; the image has it done"
        )
        return warn("rules", "not compiled, and no C compiler (cc) is on PATH", remedy)
    return warn("rules", "not compiled: they run, several times slower", "./dev compile says how to use them")


def disk(name: str, folder: Path) -> Check:
    """The space where something will be written; a folder that is not there yet counts as its parent."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not os.access(folder, os.W_OK):
        return fail(name, f"{folder} cannot be written to", f"give {folder} to the service's user")
    free = shutil.disk_usage(folder).free
    said = f"{free / (1 << 30):.1f} GiB free at {folder}"
    if free < FAR_TOO_LITTLE:
        return fail(name, said, "free some space, or name another folder")
    return warn(name, said, "free some space soon") if free < LITTLE_DISK else ok(name, said)


def open_files() -> Check:
    """The bound on descriptors of a process that is started from here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= FILES or soft == resource.RLIM_INFINITY:
        return ok("files", f"{soft} open files a process")
    remedy = f"LimitNOFILE={FILES * 4} in the systemd unit, or `ulimit -n {FILES}` (at most {hard} here)"
    return warn("files", f"{soft} open files a process: an engine takes as many connections", remedy)


def clock() -> Check:
    """Whether the kernel says that something keeps the clock right."""
    if not sys.platform.startswith("linux"):
        return ok("clock", "not looked at on this system")
    state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(512))
    if state < 0:
        return warn("clock", f"cannot be asked ({os.strerror(ctypes.get_errno())})", "check NTP on the host")
    if state == UNSYNCHRONISED:
        remedy = "leases go by the database's clock and turns by the engine's stopwatch, but logs and tokens want NTP"
        return warn("clock", "nothing keeps it in step", f"install chrony or systemd-timesyncd: {remedy}")
    return ok("clock", "kept in step")


def port(name: str, setting: str, settings: Settings) -> Check:
    """Whether a server could listen where ``setting`` says."""
    address: str = getattr(settings, setting)
    variable = f"MAMENOKI_{setting.upper()}"
    if not address:
        return ok(name, "not served")
    try:
        host, number = split_address(address)
    except ValueError as error:
        return fail(name, str(error), f"correct {variable}")
    try:
        with socket.create_server((host, number), family=_family(host)):
            return ok(name, f"{address} is free")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return warn(
                name, f"something listens at {address}", f"fine if it is this service; else set {variable}"
            )
        return fail(name, f"{address}: {error.strerror}", f"set {variable} to an address of this machine")


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
