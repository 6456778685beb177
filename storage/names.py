"""What a name and a label may be. Names stand in addresses and commands, labels are words for people."""

import re

from .errors import Invalid

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
LABEL = 80


def check_name(what: str, name: str) -> None:
    """Invalid unless it may name an owner or a player."""
    if not _NAME.fullmatch(name):
        raise Invalid(
            f"{name!r} is no {what}'s name: 1 to 40 letters, digits, dots, dashes and underscores, "
            "the first a letter or digit"
        )


def check_label(what: str, text: str, most: int = LABEL) -> None:
    """Invalid unless it is 1 to ``most`` printable characters without a blank at either end."""
    if not 0 < len(text) <= most or not text.isprintable() or text != text.strip():
        raise Invalid(
            f"{what} is 1 to {most} printable characters without a blank at either end, not {text!r}"
        )
