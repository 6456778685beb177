"""Where outcomes come from: a match's seed, or a fast generator for simulation.

A game names a stream and the sizes it needs; a :class:`Source` gives an int below
each size. :class:`Seeded` is what matches are played with and what anybody can check
afterwards; :class:`Fast` is for searching, learning and measuring.
"""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from itertools import chain, islice

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


class Fast(Source):
    """A quick, repeatable generator that takes no notice of streams; not for matches.

    It stretches an integer seed with SHAKE-128. There is an endless row of outcomes for
    every size, so that several dice alike are but a slice of one, taken without a loop here.
    An outcome below m is exactly even for m up to 256, above that biased by less than m / 2^32.
    """

    def __init__(self, seed: int) -> None:
        self._key = hashlib.sha256(str(seed).encode()).digest()
        self._block = 0
        self._rows: dict[int, Iterator[int]] = {}

    def draw(self, stream: str, sizes: Sequence[int]) -> list[int]:
        if not sizes:
            return []
        size, count = sizes[0], len(sizes)
        if sizes.count(size) != count:
            return self._mixed(sizes)
        try:
            return list(islice(self._rows[size], count))
        except KeyError:
            return list(islice(self._row(size), count))

    def below(self, size: int) -> int:
        """An int from 0 below ``size``."""
        try:
            return next(self._rows[size])
        except KeyError:
            return next(self._row(size))

    def _mixed(self, sizes: Sequence[int]) -> list[int]:
        rows, outcomes = self._rows, []
        for size in sizes:
            row = rows.get(size)
            outcomes.append(next(self._row(size) if row is None else row))
        return outcomes

    def _row(self, size: int) -> Iterator[int]:
        blocks = self._small(size) if size <= _SMALL else self._large(size)
        row = self._rows[size] = chain.from_iterable(blocks)
        return row

    def _small(self, size: int) -> Iterator[bytes]:
        """A byte an outcome; those that would make the low ones likelier are left out."""
        fair = _SMALL - _SMALL % size
        remainders = (bytes(range(size)) * (_SMALL // size + 1))[:_SMALL]
        unfair = bytes(range(fair, _SMALL))
        while True:
            yield self._stretch(_POOL).translate(remainders, unfair)

    def _large(self, size: int) -> Iterator[list[int]]:
        while True:
            yield [x * size >> 32 for x in struct.unpack(f"<{_POOL}I", self._stretch(4 * _POOL))]

    def _stretch(self, length: int) -> bytes:
        stretched = hashlib.shake_128(self._key + self._block.to_bytes(8, "big"))
        self._block += 1
        return stretched.digest(length)
