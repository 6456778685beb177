"""The languages that bots are written in: how each is started, and what it may take."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot may take; the kernel holds it to that.

    ``address_space`` and ``data`` in bytes (see setrlimit(2); None: not limited),
    ``tasks`` threads, ``files`` open files, ``cpu_s`` processor seconds a match.
    ``silence_ms``: how long one answer may take before the bot is ended by the worker,
    whatever the match's own clock says; a match with no clock ends so.
    """

    address_space: int | None
    data: int | None
    tasks: int = 32
    files: int = 64
    cpu_s: int = 600
    silence_ms: int = 60_000


@dataclass(frozen=True, slots=True)
class Language:
    """``interpreter`` is looked for below /usr and given ``flags``; None: the entry is a static Linux binary.

    ``suffixes``: what an entry's name ends in; empty for binaries.
    """

    interpreter: str | None
    flags: tuple[str, ...]
    suffixes: tuple[str, ...]
    limits: Limits


# Python, C and Rust take the memory that they use. V8 and Go first reserve address space,
# a multiple of it: for them what counts is the writable part, and the space is a second bound.
_PLAIN = Limits(address_space=512 * MIB, data=None)
_RESERVING = Limits(address_space=2048 * MIB, data=384 * MIB, tasks=48)

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "python": Language("python3", ("-I", "-B"), (".py",), _PLAIN),
        "javascript": Language("node", ("--max-old-space-size=256",), (".js", ".mjs", ".cjs"), _RESERVING),
        "c": Language(None, (), (), _PLAIN),
        "rust": Language(None, (), (), _PLAIN),
        "go": Language(None, (), (), _RESERVING),
    }
)
