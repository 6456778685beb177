"""A bundle that has been judged: its manifest, its files and its address."""

import hashlib
import sys
from collections.abc import Collection
from dataclasses import dataclass, field

from bot_runner.bundles import archive, elf
from bot_runner.bundles.manifest import FILE, Manifest, parse
from bot_runner.errors import BundleRefused, printable
from bot_runner.languages import LANGUAGES

OURS = frozenset({"mamenoki"})
"""Packages that the runner itself puts on a Python bot's path."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """``digest``: SHA-256 of the archive, hex. ``files``: contents by path."""

    digest: str
    manifest: Manifest
    files: dict[str, bytes] = field(repr=False)

    @property
    def size(self) -> int:
        """Bytes, unpacked."""
        return sum(map(len, self.files.values()))


def digest_of(data: bytes) -> str:
    """The content address of an archive."""
    return hashlib.sha256(data).hexdigest()


def read(data: bytes, games: Collection[str] | None = None) -> Bundle:
    """Judge an uploaded archive, in memory alone.

    ``games``: the ladders that a manifest may name; None: any. Raises BundleRefused with
    the file and the rule.
    """
    files = archive.read(data)
    if FILE not in files:
        raise BundleRefused("manifest", f"there is no {FILE} at its top{_hint(files)}")
    manifest = parse(files[FILE], games)
    _check_entry(manifest, files)
    if manifest.language == "python":
        _check_modules(files)
    return Bundle(digest_of(data), manifest, files)


def _hint(files: Collection[str]) -> str:
    inner = [path for path in files if path.endswith("/" + FILE)]
    return f"; pack what is in the folder, not the folder: there is {printable(inner[0])}" if inner else ""


def _check_entry(manifest: Manifest, files: dict[str, bytes]) -> None:
    if manifest.entry not in files:
        raise BundleRefused(
            "entry", f"entry names {printable(manifest.entry)}, which is not in the bundle", FILE
        )
    suffixes = LANGUAGES[manifest.language].suffixes
    if not suffixes:
        elf.check_static(files[manifest.entry], manifest.entry)
    elif not manifest.entry.endswith(suffixes):
        raise BundleRefused(
            "entry", f"a {manifest.language} entry ends in {', '.join(suffixes)}", manifest.entry
        )


def _check_modules(files: Collection[str]) -> None:
    """A module of Python's own wins over a bundle's; to refuse it tells the author in time."""
    for path in files:
        module = path.split("/")[0].removesuffix(".py")
        if path.endswith(".py") and (module in sys.stdlib_module_names or module in OURS):
            raise BundleRefused("module", f"Python has a module {module!r}, which wins: rename it", path)
