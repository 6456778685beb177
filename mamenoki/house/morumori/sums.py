"""Ways to meet a target with cards that are known."""

from collections.abc import Sequence
from dataclasses import dataclass

from mamenoki.house.morumori.cards import EQUALS, NUMBERS, TIMES_TWO, ZERO

NEVER = float("-inf")
NOTHING = -1


@dataclass(frozen=True, slots=True)
class Worths:
    """What it is worth that a card leaves, by face: as a duplicate, by choice (best first in
    ``order``); that an ``=`` leaves; that a scatter follows."""

    twice: Sequence[float]
    chosen: Sequence[float]
    order: Sequence[int]
    equals: float
    scatter: float


Way = tuple[float, int]
"""What a way is worth, and a face to turn up next (NOTHING: none is needed)."""

NO_WAY: Way = (NEVER, NOTHING)


class Sums:
    """Sums of known number cards, beside the cards that are up."""

    def __init__(self, up: Sequence[int], known: Sequence[int], worths: Worths) -> None:
        self._up, self._known, self._worths = up, known, worths
        self._found: dict[int, Way] = {}

    def best(self, need: int) -> Way:
        """The best way to add exactly ``need``."""
        return self._best(0, need, False)

    def _best(self, place: int, need: int, chosen: bool) -> Way:
        """With the faces from that place of the order on; ``chosen``: the card to choose is settled."""
        if place == NUMBERS:
            return (0.0, NOTHING) if need == 0 else NO_WAY
        key = (need * 16 + place) * 2 + chosen
        way = self._found.get(key)
        if way is None:
            way = self._found[key] = self._try(place, need, chosen)
        return way

    def _try(self, place: int, need: int, chosen: bool) -> Way:
        face = self._worths.order[place]
        value, there = face + 1, self._up[face]
        best = NO_WAY
        for more in range(min(self._known[face], need // value) + 1):
            count = there + more
            rest, first = self._best(place + 1, need - more * value, chosen or count > 0)
            if rest == NEVER:
                continue
            worth = rest + (self._worths.twice[face] if count > 1 else 0.0)
            if count and not chosen:
                worth += self._worths.chosen[face]
            if worth > best[0]:
                best = (worth, face if more else first)
        return best


def finish(total: int, target: int, up: Sequence[int], known: Sequence[int], worths: Worths) -> Way:
    """The best sure way from ``total`` to ``target``; NO_WAY if there is none.

    ``up`` and ``known`` count the turned-up and the known face-down cards by face.
    """
    sums = Sums(up, known, worths)
    best = sums.best(target - total)
    if known[EQUALS]:
        for need in range(target - total):
            worth, first = sums.best(need)
            best = max(best, (worth + worths.equals, EQUALS if first == NOTHING else first))
    return best if best[0] > NEVER else _by_special(total, target, up, known, worths)


def _by_special(total: int, target: int, up: Sequence[int], known: Sequence[int], worths: Worths) -> Way:
    """Ways that turn up an ``x2``, after one more number or none, or a ``0``."""
    best = NO_WAY
    if known[ZERO]:
        best = max(best, (Sums(up, known, worths).best(target)[0] + worths.scatter, ZERO))
    if known[TIMES_TWO]:
        for face in (NOTHING, *(face for face in range(NUMBERS) if known[face])):
            doubled = 2 * (total + face + 1)
            if doubled <= target:
                sums = Sums(*_turned(up, known, face), worths)
                worth = sums.best(target - doubled)[0] + worths.scatter
                best = max(best, (worth, TIMES_TWO if face == NOTHING else face))
    return best


def _turned(up: Sequence[int], known: Sequence[int], face: int) -> tuple[list[int], list[int]]:
    """The counts after a known card of that face is turned up."""
    ups, knowns = list(up), list(known)
    if face != NOTHING:
        ups[face] += 1
        knowns[face] -= 1
    return ups, knowns


def reach(target: int, known: Sequence[int]) -> list[bool]:
    """For each total below ``target``, whether known cards lead from it to the target for sure."""
    if known[EQUALS]:
        return [True] * target
    sums = reachable(known)
    reached = [bool(sums >> (target - total) & 1) for total in range(target)]
    if known[TIMES_TWO]:
        for face in (NOTHING, *(face for face in range(NUMBERS) if known[face])):
            left = reachable(_turned(known, known, face)[1])
            for total in range(target):
                rest = target - 2 * (total + face + 1)
                reached[total] |= rest >= 0 and bool(left >> rest & 1)
    if known[ZERO] and sums >> target & 1:
        return [True] * target
    return reached


def reachable(known: Sequence[int]) -> int:
    """The sums of some of the known number cards, as bits."""
    sums = 1
    for face in range(NUMBERS):
        for _ in range(known[face]):
            sums |= sums << (face + 1)
    return sums
