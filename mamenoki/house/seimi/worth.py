"""What cards are worth: the numbers that they will let a player declare, at the monsters to come.

A kind is looked at by itself: which ability its row should have from now on, and whether and
when another should take its place. The Parents are given to the kinds that gain most.
"""

from collections.abc import Sequence

from mamenoki.house.seimi.scene import PARENTS, Row

Kind = tuple[int, int, int, int]
"""How many cards of a kind are held of each ability."""

SPREAD = 5.0
"""By how many cards the numbers of a fight lie apart, about: so many make the difference of a token."""

FADE = 0.9
"""What a fight more to wait takes off."""

MOST_PARENTS = 2

PARENTS_KEPT = 1.0
"""For how many cards at each of the next two fights Parents in hand stand."""


class Worth:
    """The worth of hands and rows in one match, in points.

    ``masks`` are the abilities that count, ``line`` the tokens, by monster. Everything is
    remembered: the same kinds of hands are asked for again and again.
    """

    def __init__(self, masks: Sequence[int], line: Sequence[Sequence[int]], patience: int) -> None:
        fade = FADE * patience / 100
        self._masks = list(masks)
        self._stakes = [sum(values) / (len(values) * SPREAD) if values else 0.0 for values in line]
        self._fades = [fade**wait for wait in range(len(line) + 1)]
        self._kinds: dict[tuple[Kind, Row, int], tuple[float, ...]] = {}
        self._rows: dict[tuple[int, int, int], list[float]] = {}

    def total(self, hand: Sequence[int], rows: Sequence[Row], monster: int) -> float:
        """All that is held and laid down, before the fight with ``monster`` (from 0)."""
        kinds = [self.kind(kind_of(hand, place), rows[place], monster) for place in range(4)]
        gains = sorted(
            [worth[n + 1] - worth[n] for worth in kinds for n in range(MOST_PARENTS)], reverse=True
        )
        return sum([worth[0] for worth in kinds]) + sum(gains[: hand[PARENTS]])

    def parents_left(self, monster: int) -> float:
        """The worth of Parents that are kept beyond the fight before ``monster``."""
        return PARENTS_KEPT * sum(self._stakes[monster : monster + 2])

    def kind(self, held: Kind, row: Row, monster: int) -> tuple[float, ...]:
        """A kind's worth without Parents, with one, with two."""
        key = (held, row, monster)
        known = self._kinds.get(key)
        if known is None:
            known = self._kinds[key] = self._reckon(held, row, monster)
        return known

    def _reckon(self, held: Kind, row: Row, monster: int) -> tuple[float, ...]:
        if monster >= len(self._masks):
            return (0.0,) * (MOST_PARENTS + 1)
        return tuple([self._best(held, row, monster, parents) for parents in range(MOST_PARENTS + 1)])

    def _best(self, held: Kind, row: Row, monster: int, parents: int) -> float:
        """The best of all first abilities, and of all that may follow them."""
        best = 0.0
        for ability in range(4):
            grows = ability == row[0]
            if not grows and not held[ability]:
                continue
            led = not grows and parents > 0
            size = held[ability] + (row[1] if grows else led)
            best = max(best, self._with_next(held, monster, ability, size, parents - led))
        if row[0] < 0 or not held[row[0]]:
            best = max(best, self._later(held, monster, parents))
        return best

    def _later(self, held: Kind, monster: int, parents: int) -> float:
        """No row yet: the best that is opened at some later monster."""
        return max(
            [self._next_row(held, -1, wait, monster, parents) for wait in range(monster, len(self._masks))]
        )

    def _with_next(self, held: Kind, monster: int, ability: int, size: int, parents: int) -> float:
        """A row from now on; at some monster another ability may take its place."""
        sums = self.row(ability, size, monster)
        best = sums[-1]
        for change in range(monster + 1, len(self._masks)):
            best = max(best, sums[change - monster] + self._next_row(held, ability, change, monster, parents))
        return best

    def _next_row(self, held: Kind, before: int, change: int, monster: int, parents: int) -> float:
        best = 0.0
        for ability in range(4):
            if ability != before and held[ability]:
                sums = self.row(ability, held[ability] + (parents > 0), change)
                best = max(best, sums[-1])
        return best * self._fades[change - monster]

    def row(self, ability: int, size: int, monster: int) -> list[float]:
        """What a row brings at the next 0, 1, 2 ... monsters, losing a card wherever it counts."""
        key = (ability, size, monster)
        known = self._rows.get(key)
        if known is None:
            known = self._rows[key] = self._sum_up(ability, size, monster)
        return known

    def _sum_up(self, ability: int, size: int, monster: int) -> list[float]:
        sums = [0.0]
        for wait, place in enumerate(range(monster, len(self._masks))):
            counts = self._masks[place] >> ability & 1
            sums.append(sums[-1] + counts * max(0, size) * self._stakes[place] * self._fades[wait])
            size -= counts
        return sums


def kind_of(hand: Sequence[int], kind: int) -> Kind:
    """What a hand holds of a kind."""
    at = 4 * kind
    return (hand[at], hand[at + 1], hand[at + 2], hand[at + 3])
