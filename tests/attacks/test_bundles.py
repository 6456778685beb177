"""Hostile uploads: each is refused by the rule it breaks, and leaves nothing behind.

What a program that unpacks would have to be careful about is refused before anything is unpacked.
"""

import io
import os
import struct
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bot_runner.bundles.archive import MOST_ENTRIES, MOST_PACKED
from bot_runner.bundles.bundle import read
from bot_runner.errors import BundleRefused
from tests.unit.bot_runner.zips import BOT, MANIFEST, Entry, Zip, bundle

MIB = 1 << 20
LINK, DEVICE, SOCKET, PIPE = 0o120777, 0o020666, 0o140666, 0o010666


def noise(count: int) -> bytes:
    return os.urandom(count)


def nested_bomb() -> bytes:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(64 * MIB))
    return inner.getvalue()


def quoted_bomb() -> bytes:
    """An entry whose bytes are, headers and all, the content of another."""
    inner = Entry("inner", b"content", method=0)
    archive = Zip([inner])
    bytes(archive)
    outer = Entry("outer", archive.parts[1], method=0)
    return bytes(Zip([outer, Entry("inner", b"content", method=0, at=30 + len("outer"))]))


def named_again() -> bytes:
    return bytes(
        Zip([Entry("first", BOT.content), *(Entry(f"again{i}", BOT.content, at=0) for i in range(50))])
    )


def library_zip64() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("bot.py", "w", force_zip64=True) as stream:
        stream.write(b"x")
    return buffer.getvalue()


CASES: dict[str, tuple[Callable[[], bytes], str]] = {
    "climbs out": (lambda: bundle(Entry("../evil.py")), "path"),
    "climbs out from below": (lambda: bundle(Entry("a/../../evil.py")), "path"),
    "is absolute": (lambda: bundle(Entry("/etc/cron.d/evil")), "path"),
    "is absolute on another system": (lambda: bundle(Entry("C:evil.py")), "path"),
    "has backslashes": (lambda: bundle(Entry("..\\evil.py")), "path"),
    "has an empty part": (lambda: bundle(Entry("a//evil.py")), "path"),
    "has a dot part": (lambda: bundle(Entry("./evil.py")), "path"),
    "is nothing but a slash": (lambda: bundle(Entry("/", mode=0o040755)), "path"),
    "has no name": (lambda: bundle(Entry("")), "path"),
    "is deep": (lambda: bundle(Entry("d/" * 16 + "evil.py")), "depth"),
    "is long": (lambda: bundle(Entry("x" * 201)), "name"),
    "is long in bytes": (lambda: bundle(Entry("あ" * 67)), "name"),
    "has a NUL": (lambda: bundle(Entry("bot2.py\0.txt")), "name"),
    "has a newline": (lambda: bundle(Entry("a\nb")), "name"),
    "has a terminal escape": (lambda: bundle(Entry("\x1b[2Jx")), "name"),
    "turns its reading around": (lambda: bundle(Entry("\u202eyp.tob")), "name"),
    "is not UTF-8": (lambda: bundle(Entry(b"\xff\xfe.py", flags=0x800)), "archive"),
    "is of an old code page": (lambda: bundle(Entry("é.py".encode("cp437"), flags=0)), "name"),
    "is not composed": (lambda: bundle(Entry("e\u0301.py")), "name"),
    "comes twice": (lambda: bundle(BOT), "duplicate"),
    "is a twin by case": (lambda: bundle(Entry("BOT.PY", b"x")), "twin"),
    "is a twin by sharp s": (lambda: bundle(Entry("straße"), Entry("STRASSE")), "twin"),
    "is a twin by its folder": (lambda: bundle(Entry("lib/a"), Entry("LIB/b")), "twin"),
    "is a file and a folder": (lambda: bundle(Entry("lib"), Entry("lib/b")), "twin"),
    "is a folder and a file": (lambda: bundle(Entry("lib/b"), Entry("lib")), "twin"),
    "is a symbolic link": (lambda: bundle(Entry("link", b"/etc/shadow", mode=LINK)), "kind"),
    "is a device": (lambda: bundle(Entry("null", mode=DEVICE)), "kind"),
    "is a socket": (lambda: bundle(Entry("sock", mode=SOCKET)), "kind"),
    "is a pipe": (lambda: bundle(Entry("pipe", mode=PIPE)), "kind"),
    "is a hard link": (lambda: bundle(Entry("l", extra=struct.pack("<HH", 0x0D, 14) + b"x" * 14)), "kind"),
    "is a folder with content": (lambda: bundle(Entry("f/", b"content", mode=0o040755)), "kind"),
    "calls a file a folder": (lambda: bundle(Entry("f", mode=0o040755)), "kind"),
    "calls a folder a file": (lambda: bundle(Entry("f/", mode=0o100644)), "kind"),
    "is set-user-id": (lambda: bundle(Entry("su", mode=0o104755)), "mode"),
    "is set-group-id": (lambda: bundle(Entry("sg", mode=0o102755)), "mode"),
    "is sticky": (lambda: bundle(Entry("st", mode=0o101644)), "mode"),
    "is encrypted": (lambda: bundle(Entry("secret", b"x" * 20, flags=1)), "encrypted"),
    "is strongly encrypted": (lambda: bundle(Entry("secret", b"x" * 20, flags=0x41)), "encrypted"),
    "hides its headers": (lambda: bundle(Entry("secret", flags=0x2000)), "encrypted"),
    "is packed by bzip2": (lambda: bundle(Entry("x", b"BZh9", method=12)), "method"),
    "is packed by nothing known": (lambda: bundle(Entry("x", b"x", method=99)), "method"),
    "has another name in its header": (lambda: bundle(Entry("x", local_name=b"../y")), "name"),
    "has another name in its extra": (
        lambda: bundle(Entry("x", extra=struct.pack("<HHBL", 0x7075, 7, 1, 0) + b"yy")),
        "name",
    ),
    "has other flags in its header": (lambda: bundle(Entry("x", local_flags=1)), "archive"),
    "is a bomb": (lambda: bundle(Entry("zeros", bytes(8 * MIB))), "ratio"),
    "is a bomb that lies": (lambda: bundle(Entry("zeros", bytes(8 * MIB), size=10)), "content"),
    "is a bomb of many parts": (
        lambda: bundle(*(Entry(f"z{index}", noise(20_000) + bytes(3 * MIB)) for index in range(25))),
        "unpacked",
    ),
    "declares less": (lambda: bundle(Entry("x", b"content", size=3)), "content"),
    "declares more": (lambda: bundle(Entry("x", b"content", size=3000)), "content"),
    "declares more, stored": (lambda: bundle(Entry("x", b"content", method=0, size=3000)), "content"),
    "has a wrong checksum": (lambda: bundle(Entry("x", b"content", crc=1)), "content"),
    "is junk": (lambda: bundle(Entry("x", b"content", packed=b"\xff" * 40)), "content"),
    "is cut inside": (lambda: bundle(Entry("x", noise(5000), packed=b"\x00\x10")), "content"),
    "declares zip64 sizes": (
        lambda: bundle(Entry("x", extra=struct.pack("<HHQQ", 1, 16, 1 << 40, 1 << 40), size=0xFFFFFFFF)),
        "zip64",
    ),
    "is compiled": (lambda: bundle(Entry("__pycache__/bot.cpython-311.pyc", b"x")), "compiled"),
    "is compiled, beside": (lambda: bundle(Entry("lib/helper.pyc", b"x")), "compiled"),
    "is a path hook": (lambda: bundle(Entry("evil.pth", b"import os")), "hook"),
    "is a site hook": (lambda: bundle(Entry("sitecustomize.py", b"import os")), "hook"),
    "is a user's site hook": (lambda: bundle(Entry("lib/UserCustomize.py", b"import os")), "hook"),
    "stands in for a module": (lambda: bundle(Entry("json.py", b"x = 1")), "module"),
    "stands in for a package": (lambda: bundle(Entry("asyncio/__init__.py", b"x = 1")), "module"),
    "stands in for the client": (lambda: bundle(Entry("mamenoki/sdk/__init__.py", b"x = 1")), "module"),
    "has too many entries": (
        lambda: bundle(*(Entry(f"f{index}") for index in range(MOST_ENTRIES))),
        "entries",
    ),
    "has entries that are not counted": (
        lambda: bundle(*(Entry(f"f{index}") for index in range(MOST_ENTRIES)), count=3),
        "entries",
    ),
    "has entries without number": (
        lambda: bytes(Zip([Entry(f"{index:x}", method=0) for index in range(60_000)], count=3)),
        "entries",
    ),
    "counts entries that are not there": (lambda: bundle(count=7), "archive"),
    "has an entry in an entry": (quoted_bomb, "overlap"),
    "has names for one entry's bytes": (named_again, "name"),
    "has bytes before": (lambda: bundle(prefix=b"#!/bin/sh\n"), "archive"),
    "has bytes between": (lambda: bundle(Entry("x", b"x", trailer=b"PK\x03\x04hidden")), "archive"),
    "has bytes before its end": (lambda: bundle(before_end=b"hidden"), "archive"),
    "has bytes after": (lambda: bundle(suffix=b"hidden"), "archive"),
    "has two ends": (lambda: bundle() + bundle(), "archive"),
    "has an end in its comment": (
        lambda: bundle(comment=struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0, 0, 0, 0, 0)),
        "archive",
    ),
    "has a zip64 end": (lambda: bundle(before_end=b"PK\x06\x07" + bytes(16)), "zip64"),
    "is written as zip64": (library_zip64, "manifest"),
    "is cut off": (lambda: bundle()[:-9], "archive"),
    "is cut in half": (lambda: bundle()[: len(bundle()) // 2], "archive"),
    "is empty": (lambda: b"", "archive"),
    "is an empty zip": (lambda: bytes(Zip([])), "manifest"),
    "is no zip": (lambda: b"\x1f\x8b\x08" + noise(5000), "archive"),
    "is too large": (lambda: bundle(Entry("noise", noise(MOST_PACKED), method=0)), "size"),
}


@pytest.mark.parametrize("name", CASES)
def test_refused(name: str) -> None:
    make, rule = CASES[name]
    with pytest.raises(BundleRefused) as refused:
        read(make())
    assert refused.value.rule == rule, str(refused.value)
    assert str(refused.value).isprintable()


def test_nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for make, _ in CASES.values():
        with pytest.raises(BundleRefused):
            read(make())
    assert list(tmp_path.iterdir()) == []


def test_bomb_in_a_bundle_stays_packed() -> None:
    """What we do not unpack cannot burst: an archive inside is a file like any other."""
    inner = nested_bomb()
    assert read(bundle(Entry("inner.zip", inner))).files["inner.zip"] == inner


def test_bombs_take_little() -> None:
    """Judged while streaming: a bomb is refused long before it is unpacked."""
    bomb = bundle(Entry("zeros", bytes(256 * MIB)))
    tracemalloc.start()
    try:
        with pytest.raises(BundleRefused):
            read(bomb)
        assert tracemalloc.get_traced_memory()[1] < 64 * MIB
    finally:
        tracemalloc.stop()


def test_every_cut_is_refused() -> None:
    whole = bundle()
    for end in range(len(whole)):
        with pytest.raises(BundleRefused):
            read(whole[:end])


def test_every_changed_byte_is_refused_or_harmless() -> None:
    """No byte turned over may crash the reader or smuggle in a path of another shape."""
    whole = bundle(Entry("lib/data.txt", b"content"))
    for at in range(len(whole)):
        for value in (0x00, 0xFF, whole[at] ^ 0x01, whole[at] ^ 0x80):
            changed = whole[:at] + bytes([value]) + whole[at + 1 :]
            try:
                bundle_ = read(changed)
            except BundleRefused:
                continue
            assert not any(".." in path or path.startswith("/") for path in bundle_.files)


MANIFESTS = {
    "not TOML": b"name = ",
    "not UTF-8": b'name = "\xff"',
    "deep": b"x = " + b"[" * 10_000,
    "long": MANIFEST + b"#" * 20_000,
    "no name": MANIFEST.replace(b"name = ", b"#"),
    "a key too many": MANIFEST + b"sudo = true\n",
    "a command in its name": MANIFEST.replace(b"climber", b"$(reboot)"),
    "a flag for a name": MANIFEST.replace(b"climber", b"--seccomp"),
    "a page in its name": MANIFEST.replace(b"climber", b"<script>"),
    "a path for a name": MANIFEST.replace(b"climber", b"../climber"),
    "an unknown language": MANIFEST.replace(b'"python"', b'"perl"'),
    "a list for a language": MANIFEST.replace(b'"python"', b'["python"]'),
    "an entry elsewhere": MANIFEST.replace(b"bot.py", b"/usr/bin/python3"),
    "an entry above": MANIFEST.replace(b"bot.py", b"../bot.py"),
    "an entry of flags": MANIFEST.replace(b"bot.py", b"-c"),
    "an entry that is data": MANIFEST.replace(b"bot.py", b"mamenoki.toml"),
    "a class of code": MANIFEST.replace(b"bot.py", b"bot.py:__import__('os')"),
    "no games": MANIFEST.replace(b'"mushi/standard"', b""),
    "an unknown game": MANIFEST.replace(b"mushi/standard", b"chess/blitz"),
    "a game twice": MANIFEST.replace(b'"mushi/standard"', b'"mushi/standard", "mushi/standard"'),
    "a number for a game": MANIFEST.replace(b'"mushi/standard"', b"7"),
    "a binary that is a script": MANIFEST.replace(b'"python"', b'"c"'),
    "a script of another language": MANIFEST.replace(b'"python"', b'"javascript"'),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest_refused(name: str) -> None:
    with pytest.raises(BundleRefused) as refused:
        read(bundle(manifest=MANIFESTS[name]), games=["mushi/standard"])
    assert refused.value.rule in ("manifest", "entry")
    assert str(refused.value).isprintable()
