"""Where outcomes come from: a match's seed, or a fast generator for simulation.

A game names a stream and the sizes it needs; a :class:`Source` gives an int below
each size. :class:`Seeded` is what matches are played with and what anybody can check
afterwards; :class:`Fast` is for searching, learning and measuring.
"""

import hashlib
import struct
from collections.abc import Sequence

SEED_BYTES = 32

_BLOCK = 64  # bytes of SHA-256's block, and of HMAC's pads
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_RANGE = 1 << 64
_POOL = 256


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed's raw bytes, in hex: what is published before the match."""
    return hashlib.sha256(seed).hexdigest()


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
        return [self._outcome(f"{stream}/{k + i}/", size) for i, size in enumerate(sizes)]

    def drawn(self, stream: str) -> int:
        """How many outcomes the stream has given so far."""
        return self._drawn.get(stream, 0)

    def _outcome(self, label: str, size: int) -> int:
        fair = _RANGE - _RANGE % size
        retry = 0
        while True:
            inner = self._inner.copy()
            inner.update(f"{label}{retry}".encode())
            outer = self._outer.copy()
            outer.update(inner.digest())
            x = int.from_bytes(outer.digest()[:8], "big")
            if x < fair:
                return x % size
            retry += 1


class Fast(Source):
    """A quick, repeatable generator that takes no notice of streams; not for matches.

    It stretches an integer seed with SHAKE-128 into 32-bit numbers. An outcome below m is
    biased by less than m / 2^32.
    """

    def __init__(self, seed: int) -> None:
        self._key = hashlib.sha256(str(seed).encode()).digest()
        self._block = 0
        self._pool: list[int] = []

    def draw(self, stream: str, sizes: Sequence[int]) -> list[int]:
        return [self.below(size) for size in sizes]

    def below(self, size: int) -> int:
        """An int from 0 below ``size``."""
        if not self._pool:
            self._refill()
        return (self._pool.pop() * size) >> 32

    def _refill(self) -> None:
        stretched = hashlib.shake_128(self._key + self._block.to_bytes(8, "big"))
        self._block += 1
        self._pool = list(struct.unpack(f"<{_POOL}I", stretched.digest(4 * _POOL)))
