"""Zip archives written by hand, so that every field can lie."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

MANIFEST = b"""name = "climber"
language = "python"
entry = "bot.py"
games = ["mushi/standard"]
"""
DEFLATED = 8


@dataclass
class Entry:
    """One entry; what is None is told truly."""

    name: str | bytes
    content: bytes = b""
    mode: int = 0o100644
    method: int = DEFLATED
    flags: int | None = None
    size: int | None = None
    crc: int | None = None
    extra: bytes = b""
    local_name: bytes | None = None
    local_flags: int | None = None
    packed: bytes | None = None
    at: int | None = None
    trailer: bytes = b""

    @property
    def raw_name(self) -> bytes:
        return self.name.encode() if isinstance(self.name, str) else self.name

    @property
    def all_flags(self) -> int:
        return (0 if self.raw_name.isascii() else 0x800) if self.flags is None else self.flags


@dataclass
class Zip:
    """An archive; ``bytes`` writes it out."""

    entries: Sequence[Entry]
    comment: bytes = b""
    count: int | None = None
    prefix: bytes = b""
    before_end: bytes = b""
    suffix: bytes = b""
    parts: list[bytes] = field(default_factory=list)
    length: int = 0

    def __bytes__(self) -> bytes:
        self.parts, self.length = [self.prefix], len(self.prefix)
        directory = b"".join([self._entry(entry) for entry in self.entries])
        at = self.length
        count = len(self.entries) if self.count is None else self.count
        end = struct.pack(
            "<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), at, len(self.comment)
        )
        return b"".join([*self.parts, directory, self.before_end, end, self.comment, self.suffix])

    def _entry(self, entry: Entry) -> bytes:
        """Appends the content; gives the directory's record."""
        packed = _pack(entry)
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        size = len(entry.content) if entry.size is None else entry.size
        common = struct.pack("<HHHLLL", entry.method, 0, 0x21, crc, len(packed), size)
        at = self.length if entry.at is None else entry.at
        name = entry.raw_name if entry.local_name is None else entry.local_name
        flags = entry.all_flags if entry.local_flags is None else entry.local_flags
        if entry.at is None:
            head = struct.pack("<4s2H", b"PK\x03\x04", 20, flags) + common
            self.parts.append(head + struct.pack("<2H", len(name), 0) + name + packed + entry.trailer)
            self.length += len(self.parts[-1])
        start = struct.pack("<4s3H", b"PK\x01\x02", 0x0314, 20, entry.all_flags) + common
        rest = struct.pack("<5H2L", len(entry.raw_name), len(entry.extra), 0, 0, 0, entry.mode << 16, at)
        return start + rest + entry.raw_name + entry.extra


def _pack(entry: Entry) -> bytes:
    if entry.packed is not None:
        return entry.packed
    if entry.method != DEFLATED:
        return entry.content
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(entry.content) + packer.flush()


BOT = Entry("bot.py", b"print('hello')\n")


def bundle(*entries: Entry, manifest: bytes = MANIFEST, **fields: object) -> bytes:
    """A bundle that is sound but for ``entries``, which are added to it."""
    return bytes(Zip([Entry("mamenoki.toml", manifest), BOT, *entries], **fields))  # type: ignore[arg-type]
