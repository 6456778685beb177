"""A sound bundle: what is read from it, and what comes to stand on disk."""

import io
import os
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot_runner.bundles import elf
from bot_runner.bundles.bundle import digest_of, read
from bot_runner.bundles.manifest import Manifest, parse
from bot_runner.bundles.shelf import Shelf
from bot_runner.bundles.unpacking import remove, unpack
from bot_runner.errors import BundleCorrupt, BundleRefused
from tests.unit.bot_runner.zips import BOT, MANIFEST, Entry, Zip, bundle


def program(kind: int = 2, machine: int = 62, headers: tuple[int, ...] = (1,)) -> bytes:
    """The headers of an ELF program."""
    head = struct.pack(
        "<4s5B7x2HL3QL6H", b"\x7fELF", 2, 1, 1, 0, 0, kind, machine, 1, 0, 64, 0, 0, 64, 56, len(headers), 0, 0, 0
    )  # fmt: skip
    return head + b"".join(struct.pack("<L52x", one) for one in headers)


def test_read() -> None:
    data = bundle(Entry("lib/", mode=0o040755), Entry("lib/book.txt", "春".encode()))
    found = read(data, games=["mushi/standard"])
    assert found.manifest == Manifest("climber", "python", "bot.py", None, ("mushi/standard",))
    assert found.files == {"mamenoki.toml": MANIFEST, "bot.py": BOT.content, "lib/book.txt": "春".encode()}
    assert found.digest == digest_of(data)
    assert found.size == sum(map(len, found.files.values()))


@given(st.dictionaries(st.from_regex(r"data/[a-z]{1,9}\.txt", fullmatch=True), st.binary(max_size=4000)))
def test_what_the_library_packs_is_read_back(files: dict[str, bytes]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in {"mamenoki.toml": MANIFEST, "bot.py": b"x", **files}.items():
            archive.writestr(path, content)
    assert read(buffer.getvalue()).files == {"mamenoki.toml": MANIFEST, "bot.py": b"x", **files}


def test_a_streamed_archive_is_read() -> None:
    """Written to where nothing can be gone back to, the sizes follow each content."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, part: bytes) -> int:  # type: ignore[override]  # bytes is all that zipfile gives
            self.data += part
            return len(part)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mamenoki.toml", MANIFEST)
        archive.writestr("bot.py", b"x")
    assert set(read(bytes(pipe.data)).files) == {"mamenoki.toml", "bot.py"}


def test_a_comment_is_allowed() -> None:
    assert read(bundle(comment=b"3f786850e387550fdab836ed7e6dc881de23001b")).manifest.name == "climber"


def test_names_beyond_ascii() -> None:
    assert "手/春.txt" in read(bundle(Entry("手/春.txt", b"x"))).files


def test_a_packed_folder_is_named() -> None:
    with pytest.raises(BundleRefused, match="not the folder"):
        read(bytes(Zip([Entry("climber/mamenoki.toml", MANIFEST)])))


def test_manifest_with_a_class() -> None:
    assert parse(MANIFEST.replace(b"bot.py", b"bot.py:Climber")).kind == "Climber"


def test_a_class_is_for_python() -> None:
    with pytest.raises(BundleRefused, match="only Python"):
        parse(MANIFEST.replace(b"bot.py", b"bot.js:Climber").replace(b'"python"', b'"javascript"'))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (program(), None),
        (program(kind=3, headers=(6, 1, 2)), None),
        (program(headers=(1, 3)), "statically"),
        (program(machine=183), "x86_64"),
        (program(kind=1), "x86_64"),
        (program(headers=()), "headers"),
        (program()[:-20], "headers"),
        (b"\x7fELF\x02\x01", "ELF"),
        (b"#!/bin/sh\n" + b" " * 80, "ELF"),
    ],
)
def test_programs(data: bytes, message: str | None) -> None:
    if message is None:
        elf.check_static(data, "bot", "x86_64")
        return
    with pytest.raises(BundleRefused, match=message):
        elf.check_static(data, "bot", "x86_64")


def modes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mode & 0o7777 for path in folder.rglob("*")}


def test_unpack(tmp_path: Path) -> None:
    unpack(read(bundle(Entry("lib/deep/book.txt", b"x", mode=0o100777))), tmp_path / "out")
    assert modes(tmp_path / "out") == {
        "mamenoki.toml": 0o444, "bot.py": 0o444, "lib": 0o555, "lib/deep": 0o555, "lib/deep/book.txt": 0o444,
    }  # fmt: skip
    remove(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_unpack_into_what_stands_there(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path)
    with pytest.raises(FileExistsError):
        unpack(read(bundle()), tmp_path / "out")


def test_unpack_that_fails_leaves_nothing(tmp_path: Path) -> None:
    whole = read(bundle(Entry("lib/x", b"x")))
    whole.files["lib/x/y"] = b"a file below a file"
    with pytest.raises(NotADirectoryError):
        unpack(whole, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


class TestShelf:
    def bundles(self, count: int) -> dict[str, bytes]:
        every = [bundle(Entry("data", os.urandom(10_000))) for _ in range(count)]
        return {digest_of(one): one for one in every}

    def test_holds(self, tmp_path: Path) -> None:
        stored = self.bundles(1)
        (digest,) = stored
        asked: list[str] = []
        shelf = Shelf(tmp_path)
        for _ in range(3):
            with shelf.take(digest, lambda one: asked.append(one) or stored[one]) as held:  # type: ignore[func-returns-value]  # append gives None
                assert (held.folder / "data").read_bytes() == read(stored[digest]).files["data"]
        assert asked == [digest]
        shelf.close()
        assert [one.name for one in tmp_path.iterdir()] == ["lock"]

    def test_is_bounded(self, tmp_path: Path) -> None:
        stored = self.bundles(5)
        shelf = Shelf(tmp_path, most_bytes=25_000)
        for digest in stored:
            with shelf.take(digest, stored.__getitem__):
                pass
            assert shelf.size <= 25_000
        left = [path.name for path in shelf.folder.iterdir() if path.is_dir()]
        assert sorted(left) == sorted(list(stored)[-2:])
        shelf.close()

    def test_what_is_in_use_stays(self, tmp_path: Path) -> None:
        first, second = stored = self.bundles(2)
        shelf = Shelf(tmp_path, most_bytes=0)
        with shelf.take(first, stored.__getitem__) as held:
            with shelf.take(second, stored.__getitem__):
                pass
            assert (held.folder / "bot.py").exists()
        assert shelf.size == 0
        shelf.close()

    def test_a_wrong_bundle_is_our_fault(self, tmp_path: Path) -> None:
        (digest,) = self.bundles(1)
        shelf = Shelf(tmp_path)
        with pytest.raises(BundleCorrupt), shelf.take(digest, lambda _: bundle()):
            raise AssertionError("a wrong bundle was unpacked")
        with pytest.raises(BundleCorrupt), shelf.take(digest_of(b"no zip"), lambda _: b"no zip"):
            raise AssertionError("no bundle was unpacked")
        shelf.close()

    def test_the_shelf_of_a_dead_process_is_taken_away(self, tmp_path: Path) -> None:
        stored = self.bundles(1)
        (digest,) = stored
        child = os.fork()
        if child == 0:
            with Shelf(tmp_path).take(digest, stored.__getitem__):
                os._exit(0)  # as kill -9 would: nothing is put away
        os.waitpid(child, 0)
        assert len(list(tmp_path.glob("shelf-*/*/bot.py"))) == 1
        shelf = Shelf(tmp_path)
        other = Shelf(tmp_path)
        assert list(tmp_path.glob("shelf-*/*/bot.py")) == []
        assert shelf.folder.exists()
        assert other.folder.exists()
        shelf.close()
        other.close()
