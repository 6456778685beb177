"""Writes a judged bundle to disk, read-only, without following anything that stands there."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bot_runner.bundles.bundle import Bundle
from bot_runner.languages import LANGUAGES

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def unpack(bundle: Bundle, folder: Path) -> None:
    """Make ``folder``, which must not exist, hold the bundle: files 0444 (a binary entry 0555), folders 0555.

    Raises OSError, and then leaves nothing behind.
    """
    folder.mkdir(0o700)
    try:
        programs = {bundle.manifest.entry} if not LANGUAGES[bundle.manifest.language].suffixes else set()
        for path, content in bundle.files.items():
            _write(folder, path, content, 0o555 if path in programs else 0o444)
        _close(folder)
    except BaseException:
        remove(folder)
        raise


def remove(folder: Path) -> None:
    """Take an unpacked bundle away; none is no error."""
    if not folder.exists():
        return
    for place, _, _ in os.walk(folder):  # an ordinary user may not empty what it may not write
        Path(place).chmod(0o700)
    shutil.rmtree(folder)


def _write(folder: Path, path: str, content: bytes, mode: int) -> None:
    *above, name = path.split("/")
    with _opened(folder, above) as place:
        file = os.open(name, _NEW_FILE, 0o600, dir_fd=place)
        with os.fdopen(file, "wb") as stream:
            stream.write(content)
            os.fchmod(file, mode)


@contextmanager
def _opened(folder: Path, parts: list[str]) -> Iterator[int]:
    """The folder below ``folder``, made where it is missing, as a descriptor."""
    with ExitStack() as open_ones:
        place = _open(open_ones, str(folder), None)
        for part in parts:
            with suppress(FileExistsError):  # an earlier file of the same folder made it
                os.mkdir(part, 0o700, dir_fd=place)
            place = _open(open_ones, part, place)
        yield place


def _open(open_ones: ExitStack, name: str, place: int | None) -> int:
    folder = os.open(name, _FOLDER, dir_fd=place)
    open_ones.callback(os.close, folder)
    return folder


def _close(folder: Path) -> None:
    for place, _, _ in os.walk(folder, topdown=False):
        Path(place).chmod(0o555)
