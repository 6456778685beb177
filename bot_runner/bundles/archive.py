"""The zip container: judged byte by byte before its library reads it, and read in memory.

Zip archives can be read in more than one way: names in two places, sizes in three, an end
that may stand anywhere. Whatever two programs might read differently is refused, so that
what was judged is what will run. Headers are never believed: the bytes are counted.
"""

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO

from bot_runner.bundles import names
from bot_runner.errors import BundleRefused

MOST_PACKED = 8 << 20
MOST_UNPACKED = 64 << 20
MOST_ENTRIES = 2000
MOST_RATIO = 200
"""Unpacked bytes for each packed one, where a file has more than :data:`SMALL` bytes."""
SMALL = 64 << 10
CHUNK = 64 << 10
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

_END = struct.Struct("<4s4H2LH")
_LOCAL = struct.Struct("<4s5H3L2H")
_SECRET_FLAGS = 0x1 | 0x20 | 0x40 | 0x2000
"""Encrypted, patched, strongly encrypted, masked headers."""
_UTF8_FLAG, _DESCRIPTOR_FLAG = 0x800, 0x8
_MODE_BITS = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX
_ZIP64, _UNIX_LINKS, _UNICODE_PATH = 0x0001, 0x000D, 0x7075
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OverflowError, RuntimeError, struct.error,
    UnicodeError, ValueError,
)  # fmt: skip


def read(data: bytes) -> dict[str, bytes]:
    """The files of an archive by their paths, in the archive's order; folders are left out.

    Raises BundleRefused. Takes memory for the unpacked files, at most 64 MiB.
    """
    if len(data) > MOST_PACKED:
        raise BundleRefused("size", f"{len(data)} bytes; {MOST_PACKED} are allowed")
    _check_end(data)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return _read(archive, data)
    except _BROKEN as error:
        raise BundleRefused("archive", f"it cannot be read as zip: {error}") from error


def _check_end(data: bytes) -> None:
    """The one end record stands at the end, and the directory right before it."""
    at = data.rfind(b"PK\x05\x06")
    if at < 0 or len(data) - at < _END.size:
        raise BundleRefused("archive", "not a zip archive, or cut off: it has no end record")
    _, disk, first_disk, here, total, size, offset, comment = _END.unpack_from(data, at)
    if at + _END.size + comment != len(data):
        raise BundleRefused("archive", "bytes follow the end record")
    if data[max(0, at - 20) : at].startswith(b"PK\x06\x07") or 0xFFFF in (here, total):
        raise BundleRefused("zip64", "no bundle is large enough for zip64; pack it without")
    if (disk, first_disk) != (0, 0) or here != total:
        raise BundleRefused("archive", "split over several files")
    if total > MOST_ENTRIES:
        raise BundleRefused("entries", f"{total} entries; {MOST_ENTRIES} are allowed")
    if offset + size != at:
        raise BundleRefused("archive", "bytes before the first entry, or after the directory")
    if size > MOST_ENTRIES * 1024:
        raise BundleRefused("entries", "the directory is too large")


def _read(archive: zipfile.ZipFile, data: bytes) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise BundleRefused("entries", f"{len(entries)} entries; {MOST_ENTRIES} are allowed")
    if len(entries) != struct.unpack_from("<H", data, data.rfind(b"PK\x05\x06") + 10)[0]:
        raise BundleRefused("archive", "the end record counts other entries than there are")
    for entry in entries:
        _check_entry(entry, data)
    names.check_apart(entry.filename for entry in entries)
    _check_tiling(entries, archive.start_dir, data)
    return _unpack(archive, entries)


def _check_entry(entry: zipfile.ZipInfo, data: bytes) -> None:
    name = entry.orig_filename
    if not name.isascii() and not entry.flag_bits & _UTF8_FLAG:
        raise BundleRefused("name", "a name beyond ASCII is written in UTF-8, and flagged so", name)
    names.check_path(name)
    if entry.flag_bits & _SECRET_FLAGS:
        raise BundleRefused("encrypted", "encrypted entries cannot be judged", name)
    if entry.compress_type not in METHODS:
        raise BundleRefused("method", "only stored and deflated entries are read", name)
    _check_kind(entry)
    for kind, content in _extra_fields(entry):
        _check_extra(entry, kind, content)
    _check_local_header(entry, data)


def _check_kind(entry: zipfile.ZipInfo) -> None:
    mode = entry.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "a symbolic link" if stat.S_ISLNK(mode) else "a device, socket or pipe"
        raise BundleRefused("kind", f"{what}; a bundle holds plain files", entry.filename)
    if mode & _MODE_BITS:
        raise BundleRefused("mode", "set-user, set-group and sticky bits are not taken", entry.filename)
    if entry.is_dir() != (kind == stat.S_IFDIR) and kind:
        raise BundleRefused(
            "kind", "its name and its mode disagree on whether it is a folder", entry.filename
        )
    if entry.is_dir() and (entry.file_size or entry.compress_size > 2):
        raise BundleRefused("kind", "a folder with content", entry.filename)


def _extra_fields(entry: zipfile.ZipInfo) -> Iterator[tuple[int, bytes]]:
    rest = entry.extra
    while len(rest) >= 4:
        kind, size = struct.unpack_from("<HH", rest)
        yield kind, rest[4 : 4 + size]
        rest = rest[4 + size :]


def _check_extra(entry: zipfile.ZipInfo, kind: int, content: bytes) -> None:
    if kind == _ZIP64:
        raise BundleRefused("zip64", "no bundle is large enough for zip64; pack it without", entry.filename)
    if kind == _UNIX_LINKS:
        raise BundleRefused("kind", "a link or device; a bundle holds plain files", entry.filename)
    if kind == _UNICODE_PATH and content[5:] != entry.filename.encode():
        raise BundleRefused("name", "it has another name in its extra field", entry.filename)


def _check_local_header(entry: zipfile.ZipInfo, data: bytes) -> None:
    """The header before the content says the same as the directory."""
    if entry.header_offset + _LOCAL.size > len(data):
        raise BundleRefused("archive", "its header lies beyond the archive's end", entry.filename)
    fields = _LOCAL.unpack_from(data, entry.header_offset)
    at = entry.header_offset + _LOCAL.size
    encoding = "utf-8" if entry.flag_bits & _UTF8_FLAG else "cp437"
    if data[at : at + fields[9]] != entry.orig_filename.encode(encoding):
        raise BundleRefused("name", "it has another name in its own header", entry.filename)
    if (fields[2], fields[3]) != (entry.flag_bits, entry.compress_type):
        raise BundleRefused("archive", "its own header and the directory disagree", entry.filename)


def _check_tiling(entries: list[zipfile.ZipInfo], directory: int, data: bytes) -> None:
    """The entries fill the archive without sharing bytes, and nothing stands between them."""
    until, owner = 0, "the archive's start"
    for entry in sorted(entries, key=lambda one: one.header_offset):
        _check_follows(entry.header_offset - until, owner, entry.filename)
        name, extra = struct.unpack_from("<HH", data, entry.header_offset + 26)
        until = entry.header_offset + _LOCAL.size + name + extra + entry.compress_size
        until, owner = until + _descriptor(entry, data, until), entry.filename
    _check_follows(directory - until, owner, None)


def _check_follows(gap: int, owner: str, file: str | None) -> None:
    if gap < 0:
        raise BundleRefused("overlap", f"it shares bytes with {owner!r}", file)
    if gap > 0:
        raise BundleRefused("archive", f"bytes that belong to no entry follow {owner!r}", file)


def _descriptor(entry: zipfile.ZipInfo, data: bytes, at: int) -> int:
    """Bytes of the data descriptor after a content, whose signature may be left out."""
    if not entry.flag_bits & _DESCRIPTOR_FLAG:
        return 0
    return 16 if data[at : at + 4] == b"PK\x07\x08" else 12


def _unpack(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = MOST_UNPACKED
    for entry in entries:
        if not entry.is_dir():
            files[entry.filename] = content = _content(archive, entry, left)
            left -= len(content)
    return files


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    parts: list[bytes] = []
    count, most = 0, max(SMALL, entry.compress_size * MOST_RATIO)
    try:
        with archive.open(entry) as stream:
            while part := stream.read(CHUNK):
                count += len(part)
                if count > left:
                    raise BundleRefused(
                        "unpacked", f"more than {MOST_UNPACKED} bytes unpacked", entry.filename
                    )
                if count > most:
                    raise BundleRefused("ratio", f"packed more than {MOST_RATIO} to 1", entry.filename)
                parts.append(part)
    except _BROKEN as error:
        raise BundleRefused(
            "content", f"it does not unpack to what it declares: {error}", entry.filename
        ) from error
    if count != entry.file_size:
        raise BundleRefused("content", f"{count} bytes, not the {entry.file_size} declared", entry.filename)
    return b"".join(parts)
