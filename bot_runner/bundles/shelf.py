"""Unpacked bundles for the bots that run on this machine: made when first asked for, and bounded.

Every process has a shelf of its own, a folder that it holds a lock on. A shelf whose
process has died is taken away by the next one that opens there.
"""

import fcntl
import os
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot_runner.bundles.bundle import digest_of, read
from bot_runner.bundles.manifest import Manifest
from bot_runner.bundles.unpacking import remove, unpack
from bot_runner.errors import BundleCorrupt, BundleRefused

PREFIX = "shelf-"
LOCK = "lock"
_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_BYTES = 512 << 20

Load = Callable[[str], bytes]
"""A bundle's archive by its digest, from wherever bundles are stored."""


@dataclass(slots=True)
class Unpacked:
    """A bundle on disk. ``users``: how many bots run from it now."""

    digest: str
    manifest: Manifest
    folder: Path
    size: int
    users: int = 0


class Shelf:
    """Open until :meth:`close`; for one thread."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """``folder`` is made if it is missing; many processes may share it. It must be owned by us alone."""
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        with _locked(folder / LOCK):
            _sweep(folder)
            self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
            self.folder.chmod(0o755)  # seats have users of their own, who must be able to read
            self._lock = os.open(self.folder / LOCK, _LOCK_FLAGS, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._most_bytes = most_bytes
        self._held: OrderedDict[str, Unpacked] = OrderedDict()

    @contextmanager
    def take(self, digest: str, load: Load) -> Iterator[Unpacked]:
        """The unpacked bundle, which stays while the block runs.

        Raises BundleCorrupt if what ``load`` gives is not that bundle, or is none.
        """
        held = self._held.get(digest) or self._add(digest, load(digest))
        self._held.move_to_end(digest)
        held.users += 1
        try:
            yield held
        finally:
            held.users -= 1
            self._shrink()

    @property
    def size(self) -> int:
        """Bytes of all the bundles held."""
        return sum(one.size for one in self._held.values())

    def close(self) -> None:
        """Take everything away."""
        for held in self._held.values():
            remove(held.folder)
        self._held.clear()
        remove(self.folder)
        os.close(self._lock)

    def _add(self, digest: str, data: bytes) -> Unpacked:
        if digest_of(data) != digest:
            raise BundleCorrupt(f"the stored bundle {digest} has the content of {digest_of(data)}")
        try:
            bundle = read(data)
        except BundleRefused as error:
            raise BundleCorrupt(f"the stored bundle {digest} breaks a rule: {error}") from error
        folder = self.folder / digest
        unpack(bundle, folder)
        held = self._held[digest] = Unpacked(digest, bundle.manifest, folder, bundle.size)
        return held

    def _shrink(self) -> None:
        """Those not used for longest go first; one that is in use stays."""
        size = self.size
        for digest, held in list(self._held.items()):
            if size > self._most_bytes and not held.users:
                remove(self._held.pop(digest).folder)
                size -= held.size


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = os.open(path, _LOCK_FLAGS, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _sweep(folder: Path) -> None:
    """Take away the shelves of processes that have died."""
    for old in folder.glob(PREFIX + "*"):
        if old.is_symlink() or not old.is_dir():
            continue
        lock = os.open(old / LOCK, _LOCK_FLAGS, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(old)
        except BlockingIOError:
            pass  # its process lives
        finally:
            os.close(lock)
