"""The filters, run by an interpreter of the byte code: what they let through, on each machine."""

import errno
import platform
import re
import struct
from pathlib import Path

import pytest

from bot_runner.errors import SandboxMissing
from bot_runner.seccomp.filters import INNER, NAMESPACES, program
from bot_runner.seccomp.program import ALLOW, ERRNO, KILL, MACHINES

EPERM, ENOSYS, NO_FAMILY = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS, ERRNO | errno.EAFNOSUPPORT
THREAD = 0x003D0F00
"""What a C library gives clone for a thread."""


def verdict(code: bytes, arch: int, number: int, *arguments: int) -> int:
    """What the kernel would do, by seccomp(2)."""
    padded = [one & (1 << 64) - 1 for one in (*arguments, *[0] * 6)][:6]
    data = struct.pack("<IIQ6Q", number, arch, 0, *padded)
    lines = list(struct.iter_unpack("<HBBI", code))
    at = value = 0
    while True:
        what, if_true, if_false, operand = lines[at]
        at += 1
        match what:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, operand)
            case 0x54:
                value &= operand
            case 0x15:
                at += if_true if value == operand else if_false
            case 0x35:
                at += if_true if value >= operand else if_false
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"no instruction of ours: {what:#x}")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("clone", (THREAD,), ALLOW),
        ("clone", (17,), EPERM),
        ("clone", (0x4111,), EPERM),
        ("clone", (THREAD | 0x10000000,), EPERM),
        ("clone", (THREAD | 0x00020000,), EPERM),
        ("clone", (THREAD | 0x40000000,), EPERM),
        ("clone3", (0, 0), ENOSYS),
        ("unshare", (0x10000000,), EPERM),
        ("ptrace", (0,), EPERM),
        ("bpf", (), EPERM),
        ("memfd_create", (), EPERM),
        ("socket", (2, 1), NO_FAMILY),
        ("socket", (1, 1), NO_FAMILY),
        ("socketpair", (1, 1 | 0o2000000 | 0o4000), ALLOW),
        ("socketpair", (1, 2), EPERM),
        ("socketpair", (1, 5), EPERM),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), EPERM),
        ("ioctl", (0, 0x5412 + (1 << 32)), EPERM),
        ("ioctl", (0, 0x541C), EPERM),
        ("prctl", (1, 0), EPERM),
        ("prctl", (1 + (1 << 32), 0), EPERM),
        ("prctl", (15, 0), ALLOW),
        ("prlimit64", (0, 7), ALLOW),
        ("prlimit64", (1234, 7), EPERM),
        ("sched_setaffinity", (0,), ALLOW),
        ("sched_setaffinity", (1234,), EPERM),
        ("setpriority", (0, 0, 19), EPERM),
        ("mount_setattr", (), EPERM),
    ],
)
def test_verdicts(machine: str, call: str, arguments: tuple[int, ...], expected: int) -> None:
    target = MACHINES[machine]
    for rules in (NAMESPACES, INNER):
        code = program(rules, machine)
        assert verdict(code, target.arch, target.calls[call], *arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_what_bots_need(machine: str) -> None:
    """read, write, mmap, futex, exit_group, execve, openat, epoll_wait: by their numbers."""
    numbers = {"x86_64": (0, 1, 9, 202, 231, 59, 257, 232), "aarch64": (63, 64, 222, 98, 94, 221, 56, 22)}
    for number in numbers[machine]:
        assert verdict(program(INNER, machine), MACHINES[machine].arch, number) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_foreign_conventions_are_killed(machine: str) -> None:
    code, target = program(NAMESPACES, machine), MACHINES[machine]
    for arch in (0x40000003, 0x40000028, 0, *(one.arch for one in MACHINES.values() if one is not target)):
        assert verdict(code, arch, 39) == KILL
    if target.has_x32:
        assert verdict(code, target.arch, 0x40000000 + 39) == KILL
        assert verdict(code, target.arch, 0xFFFFFFFF) == KILL


def test_metadata_is_closed_where_the_file_system_is_shared() -> None:
    for machine, target in MACHINES.items():
        for call in ("fchmodat", "fchownat", "utimensat", "setxattr", "inotify_add_watch"):
            assert verdict(program(INNER, machine), target.arch, target.calls[call]) == EPERM
            assert verdict(program(NAMESPACES, machine), target.arch, target.calls[call]) == ALLOW


def test_the_kernel_takes_no_longer_program() -> None:
    for machine in MACHINES:
        assert len(program(INNER, machine)) % 8 == 0
        assert len(program(INNER, machine)) // 8 < 4096


def test_another_machine() -> None:
    with pytest.raises(SandboxMissing, match="riscv64"):
        program(NAMESPACES, "riscv64")


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_the_kernels(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"there is no {header} on this {platform.machine()} machine")
    told = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())
    }
    ours = MACHINES[machine].calls
    known = {name: number for name, number in ours.items() if name in told}
    assert len(known) > 80
    assert known == {name: told[name] for name in known}
    assert len(set(ours.values())) == len(ours)
