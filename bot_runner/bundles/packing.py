"""Packs an author's folder into a bundle: the same files are always the same bytes."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from bot_runner.bundles import names
from bot_runner.bundles.archive import MOST_ENTRIES, MOST_UNPACKED
from bot_runner.bundles.manifest import FILE
from bot_runner.errors import BundleRefused

LEFT_OUT = frozenset({names.COMPILED, "node_modules", "target", "venv"})
"""Folders that tools make; so are those, and files, whose name begins with a dot."""
_TIME = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16


def pack(folder: Path) -> bytes:
    """The archive of a folder that holds a manifest, without what is left out.

    BundleRefused where there is no manifest, or too much; its rules are ``bundle.read``'s to judge.
    """
    if not (folder / FILE).is_file():
        raise BundleRefused("manifest", f"there is no {FILE} in {folder}")
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path, content in _contents(folder):
            entry = zipfile.ZipInfo(path, _TIME)
            entry.create_system, entry.external_attr = 3, _MODE
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)
    return archive.getvalue()


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    left = MOST_UNPACKED
    for count, file in enumerate(_files(folder)):
        path = file.relative_to(folder).as_posix()
        size = file.stat().st_size
        if count >= MOST_ENTRIES:
            raise BundleRefused("entries", f"more than {MOST_ENTRIES} files in {folder}")
        if size > left:
            raise BundleRefused("unpacked", f"more than {MOST_UNPACKED} bytes in {folder}", path)
        left -= size
        yield path, file.read_bytes()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in LEFT_OUT or path.suffix in (".pyc", ".pyo"):
            continue
        if path.is_symlink():
            raise BundleRefused("kind", "a symbolic link; put the file itself there", path.name)
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path
