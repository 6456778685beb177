"""Where outcomes come from: a match's seed, or a fast generator for simulation.

A game names a stream and the sizes it needs; a :class:`Source` gives an int below
each size. :class:`Seeded` is what matches are played with and what anybody can check
afterwards; :class:`Fast` is for searching, learning and measuring.
"""

import hashlib
import struct
from collections.abc import Sequence

from mypy_extensions import mypyc_attr

SEED_BYTES = 32

_BLOCK = 64  # bytes of SHA-256's block, and of HMAC's pads
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_RANGE = 1 << 64
_POOL = 1024
_SMALL = 256  # outcomes below so many come from one byte


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed's raw bytes, in hex: what is published before the match."""
    return hashlib.sha256(seed).hexdigest()


@mypyc_attr(allow_interpreted_subclasses=True)
class Source:
    """Gives outcomes."""

    def draw(self, stream: str, sizes: Sequence[int]) -> list[int]:
        """One int from 0 below each of ``sizes`` (all at least 1), in order, from ``stream``."""
        raise NotImplementedError


class Seeded(Source):
    """The outcomes that a 32-byte seed gives, as the replay format derives them.

    The k-th outcome of a stream below m comes from HMAC-SHA-256(seed, ``stream/k/r``):
    its first 8 bytes, big-endian, are the number x; the first x (r = 0, 1, ...) below the
    greatest multiple of m that is at most 2^64 gives x mod m. Every stream counts k for itself.
    """

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        # An HMAC of one key and many messages: hashing the padded key once for all of them
        # costs a third of hmac.digest, which sets up its key anew each time.
        key = seed.ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER))
        self._outer = hashlib.sha256(key.translate(_OUTER))
        self._drawn: dict[str, int] = {}

    def draw(self, stream: str, sizes: Sequence[int]) -> list[int]:
        k = self._drawn.get(stream, 0)
        self._drawn[stream] = k + len(sizes)
        outcomes = []
        for size in sizes:
            x = self._number(f"{stream}/{k}/0")
            # Fair is below the greatest multiple, which lies above 2^64 - size: so is nearly any x.
            outcomes.append(x % size if x <= _RANGE - size else self._outcome(f"{stream}/{k}/", size))
            k += 1
        return outcomes

    def drawn(self, stream: str) -> int:
        """How many outcomes the stream has given so far."""
        return self._drawn.get(stream, 0)

    def _outcome(self, label: str, size: int) -> int:
        fair = _RANGE - _RANGE % size
        retry = 0
        x = self._number(f"{label}{retry}")
        while x >= fair:
            retry += 1
            x = self._number(f"{label}{retry}")
        return x % size

    def _number(self, message: str) -> int:
        inner = self._inner.copy()
        inner.update(message.encode())
        outer = self._outer.copy()
        outer.update(inner.digest())
        return int.from_bytes(outer.digest()[:8], "big")


class _Row:
    """The outcomes below a size that were made ahead, and how many of them have been given."""

    def __init__(self) -> None:
        self.pool: list[int] = []
        self.at = 0


class Fast(Source):
    """A quick, repeatable generator that takes no notice of streams; not for matches.

    It stretches an integer seed with SHAKE-128. There is an endless row of outcomes for
    every size, so that several dice alike are but a slice of one, taken without a loop here.
    Such an outcome below m is exactly even for m up to 256; above that, and where one draw has
    several sizes, it is biased by less than m / 2^32.
    """

    def __init__(self, seed: int) -> None:
        self._key = hashlib.sha256(str(seed).encode()).digest()
        self._block = 0
        self._rows: dict[int, _Row] = {}
        self._ahead: list[int] = []

    def draw(self, stream: str, sizes: Sequence[int]) -> list[int]:
        if not sizes:
            return []
        size = sizes[0]
        count = len(sizes)
        if sizes.count(size) != count:
            return [word % size for word, size in zip(self._words(count), sizes, strict=True)]
        row = self._rows.get(size)
        if row is None or row.at + count > len(row.pool):
            row = self._longer(size, count)
        at = row.at
        row.at = at + count
        return row.pool[at : at + count]

    def below(self, size: int) -> int:
        """An int from 0 below ``size``."""
        row = self._rows.get(size)
        if row is None or row.at == len(row.pool):
            row = self._longer(size, 1)
        at = row.at
        row.at = at + 1
        return row.pool[at]

    def _words(self, count: int) -> list[int]:
        """So many ints below 2^32."""
        while len(self._ahead) < count:
            self._ahead += struct.unpack(f"<{_POOL}I", self._stretch(4 * _POOL))
        words = self._ahead[-count:]
        del self._ahead[-count:]
        return words

    def _longer(self, size: int, count: int) -> "_Row":
        """The row of a size with ``count`` outcomes to give: those that it still held, then new ones."""
        row = self._rows.setdefault(size, _Row())
        pool = row.pool[row.at :]
        while len(pool) < count:
            pool += self._small(size) if size <= _SMALL else self._large(size)
        row.pool = pool
        row.at = 0
        return row

    def _small(self, size: int) -> list[int]:
        """A byte an outcome; those that would make the low ones likelier are left out."""
        fair = _SMALL - _SMALL % size
        remainders = (bytes(range(size)) * (_SMALL // size + 1))[:_SMALL]
        unfair = bytes(range(fair, _SMALL))
        return [*self._stretch(_POOL).translate(remainders, unfair)]

    def _large(self, size: int) -> list[int]:
        return [x * size >> 32 for x in self._words(_POOL)]

    def _stretch(self, length: int) -> bytes:
        stretched = hashlib.shake_128(self._key + self._block.to_bytes(8, "big"))
        self._block += 1
        return stretched.digest(length)
