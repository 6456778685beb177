"""What follows from all that was shown, and nothing more.

A card that was seen and not moved since is known. The others lie in *pools* of slots that
look alike: those never seen, and those that went through one scatter together. Of a pool
only the expected number of each face is kept. Both totals of these numbers are certain, by pool how
many cards it has and by face how many are somewhere unknown, and they are kept to.
"""

from collections.abc import Sequence
from typing import Any

from mamenoki.house.morumori.cards import FACE, FACES, KINDS

ROUNDS = 4
NEARLY = 1e-6

Event = dict[str, Any]


class Pool:
    """Slots alike, and how many of each face are expected among them."""

    def __init__(self, slots: set[int], counts: list[float]) -> None:
        self.slots = slots
        self.counts = counts

    def share(self) -> list[float]:
        """The chance of each face for one of the slots."""
        size = len(self.slots)
        return [count / size for count in self.counts]


class Knowledge:
    """``known`` has the face of every slot whose card is certain, ``pools`` the other slots."""

    def __init__(self, mix: dict[str, int]) -> None:
        self.known: dict[int, int] = {}
        self.left = [mix[text] for text in FACES]  # by face, the cards that are not known and not gone
        self.pools = [Pool(set(range(sum(self.left))), [float(count) for count in self.left])]

    def watch(self, events: Sequence[Event]) -> None:
        """Take in some events, in their order."""
        for event in events:
            kind = event["event"]
            if kind == "scatter":
                self._scatter(event["slots"])
            elif kind == "flip":
                self._see(event["slot"], FACE[event["face"]])
            elif kind == "peek":
                for slot, text in zip(event["slots"], event["faces"], strict=True):
                    self._see(slot, FACE[text])
            elif kind == "success":
                for slot in event["slots"]:
                    del self.known[slot]
            elif kind == "take":
                del self.known[event["slot"]]

    def _see(self, slot: int, face: int) -> None:
        if slot in self.known:
            return
        pool = next(pool for pool in self.pools if slot in pool.slots)
        self._leave(pool, slot, face)
        self.known[slot] = face
        self.left[face] -= 1
        self._settle()

    def _leave(self, pool: Pool, slot: int, face: int) -> None:
        pool.slots.discard(slot)
        pool.counts[face] = max(0.0, pool.counts[face] - 1.0)

    def _scatter(self, slots: list[int]) -> None:
        counts = [0.0] * KINDS
        for slot in slots:
            if slot in self.known:
                face = self.known.pop(slot)
                counts[face] += 1.0
                self.left[face] += 1
            else:
                self._move(slot, counts)
        self.pools.append(Pool(set(slots), counts))
        self._settle()

    def _move(self, slot: int, counts: list[float]) -> None:
        """A card of a pool goes into a mix: an even share of all that may lie there."""
        pool = next(pool for pool in self.pools if slot in pool.slots)
        for face, share in enumerate(pool.share()):
            counts[face] += share
            pool.counts[face] -= share
        pool.slots.discard(slot)

    def _settle(self) -> None:
        """Fit the expected numbers to both totals, by turns; what is certain then is known."""
        self.pools = [pool for pool in self.pools if pool.slots]
        if len(self.pools) == 1:
            self.pools[0].counts = [float(count) for count in self.left]
        else:
            for _ in range(ROUNDS):
                self._fit()
        for pool in self.pools:
            self._learn(pool)
        self.pools = [pool for pool in self.pools if pool.slots]

    def _fit(self) -> None:
        for face, count in enumerate(self.left):
            expected = sum([pool.counts[face] for pool in self.pools])
            factor = count / expected if expected > NEARLY else 0.0
            for pool in self.pools:
                pool.counts[face] *= factor
        for pool in self.pools:
            total = sum(pool.counts)
            factor = len(pool.slots) / total if total > NEARLY else 0.0
            pool.counts = [count * factor for count in pool.counts]

    def _learn(self, pool: Pool) -> None:
        """A pool of one face alone holds no secret."""
        size = len(pool.slots)
        for face, count in enumerate(pool.counts):
            if count > size - NEARLY:
                self.known |= dict.fromkeys(pool.slots, face)
                self.left[face] -= size
                pool.slots = set()
                return
