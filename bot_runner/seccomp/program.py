"""Writes classic BPF for seccomp, as seccomp(2) and the kernel's seccomp_filter.rst describe it.

A filter is a list of rules, each about one system call; what no rule names is allowed.
Each rule becomes a block of its own that falls through to the next if it is not about
this call, so no jump is longer than its block.
"""

import errno
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot_runner.seccomp import numbers

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_X32 = 0x40000000

Line = tuple[int, int, int, int]
"""An instruction: code, how many to skip if true, if false, operand."""


@dataclass(frozen=True, slots=True)
class Machine:
    """``arch`` is the kernel's AUDIT_ARCH_ number."""

    arch: int
    calls: Mapping[str, int]
    has_x32: bool = False


MACHINES = {
    "x86_64": Machine(0xC000003E, numbers.X86_64, has_x32=True),
    "aarch64": Machine(0xC00000B7, numbers.AARCH64),
}
"""By ``platform.machine()``."""


@dataclass(frozen=True, slots=True)
class Deny:
    """The calls fail with ``error``; ``argument`` says when, None: always.

    Only an argument's low 32 bits are looked at, which is what the kernel itself uses of
    flags, ids and ioctl commands; what stands above them changes nothing.
    """

    calls: tuple[str, ...]
    error: int = errno.EPERM
    argument: "Among | Unless | None" = None


@dataclass(frozen=True, slots=True)
class Among:
    """Denied if argument ``index`` is one of ``values``."""

    index: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unless:
    """Denied unless argument ``index``, masked, is ``value``."""

    index: int
    mask: int
    value: int


def assemble(rules: Sequence[Deny], machine: Machine) -> bytes:
    """The program as the kernel takes it: 8 bytes an instruction. A foreign calling convention is killed."""
    lines: list[Line] = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_EQUAL, 1, 0, machine.arch),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine.has_x32:
        lines += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, KILL)]
    for rule in rules:
        for call in rule.calls:
            if call in machine.calls:
                lines += _about(machine.calls[call], _verdict(rule))
    lines.append((_RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)


def _about(number: int, block: list[Line]) -> list[Line]:
    """The block runs for this call alone, and ends in a verdict."""
    return [(_EQUAL, 0, len(block), number), *block]


def _verdict(rule: Deny) -> list[Line]:
    refuse: Line = (_RETURN, 0, 0, ERRNO | rule.error)
    allow: Line = (_RETURN, 0, 0, ALLOW)
    match rule.argument:
        case None:
            return [refuse]
        case Unless(index, mask, value):
            load: list[Line] = [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index), (_AND, 0, 0, mask)]
            return [*load, (_EQUAL, 1, 0, value), refuse, allow]
        case Among(index, values):
            count = len(values)
            tests = [(_EQUAL, count - at, 0, value) for at, value in enumerate(values)]
            return [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index), *tests, allow, refuse]
