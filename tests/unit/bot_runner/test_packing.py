"""A folder is packed the same way every time, without what tools leave behind, into what the rules take."""

import os
from pathlib import Path

import pytest

from bot_runner.bundles.bundle import read
from bot_runner.bundles.packing import pack
from bot_runner.errors import BundleRefused
from tests.unit.bot_runner.zips import MANIFEST


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mamenoki.toml").write_bytes(MANIFEST)
    (tmp_path / "bot.py").write_text("print('春')\n", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "book.txt").write_text("x" * 50_000)
    return tmp_path


def test_what_is_packed_is_read_back(folder: Path) -> None:
    assert read(pack(folder)).files == {
        "bot.py": (folder / "bot.py").read_bytes(),
        "data/book.txt": b"x" * 50_000,
        "mamenoki.toml": MANIFEST,
    }


def test_the_same_files_are_the_same_bytes(folder: Path) -> None:
    before = pack(folder)
    for file in (folder / "bot.py", folder / "data" / "book.txt"):
        file.chmod(0o755)
        os.utime(file, (1, 1))
    for name in ("__pycache__", ".git", "node_modules", "target", "venv"):
        (folder / name).mkdir()
        (folder / name / "left.txt").write_text("over")
    (folder / "bot.pyc").write_bytes(b"compiled")
    (folder / ".env").write_text("SECRET=1")
    assert pack(folder) == before


def test_no_manifest_and_links_are_named(folder: Path) -> None:
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(BundleRefused, match="link': a symbolic link"):
        pack(folder)
    (folder / "mamenoki.toml").unlink()
    with pytest.raises(BundleRefused, match=r"there is no mamenoki\.toml"):
        pack(folder)
