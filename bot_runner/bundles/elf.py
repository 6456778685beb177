"""Whether a file is a program that runs on this machine without any library of it."""

import platform
import struct

from bot_runner.errors import BundleRefused

MACHINES = {"x86_64": 62, "aarch64": 183}
"""By ``platform.machine()``: e_machine, from the ELF specification's register."""
_HEADER = struct.Struct("<4s5B7x2HL3QL6H")
_PT_INTERP = 3


def check_static(data: bytes, file: str, machine: str | None = None) -> None:
    """BundleRefused unless ``data`` is a static 64-bit Linux program for ``machine`` (None: this one)."""
    machine = machine or platform.machine()
    if len(data) < _HEADER.size or not data.startswith(b"\x7fELF\x02\x01"):
        raise BundleRefused("entry", "not a 64-bit little-endian Linux program (ELF)", file)
    header = _HEADER.unpack_from(data)
    kind, target = header[6], header[7]
    if kind not in (2, 3) or target != MACHINES.get(machine):
        raise BundleRefused("entry", f"not a program for {machine}", file)
    table, size, count = header[10], header[14], header[15]
    if count == 0 or size < 4 or table + size * count > len(data):
        raise BundleRefused("entry", "its program headers lie outside the file", file)
    kinds = {struct.unpack_from("<L", data, table + size * index)[0] for index in range(count)}
    if _PT_INTERP in kinds:
        raise BundleRefused(
            "entry", "linked dynamically; a bot's sandbox has no libraries: link it statically", file
        )
