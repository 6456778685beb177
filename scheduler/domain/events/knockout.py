"""Knock-outs, single and double, for tables of n with k going on.

*Two seats.* The usual bracket, filled up to a power of two: the best seeds have the byes, all of
them in the first round, and neighbouring winners meet.

*More seats.* Nobody has a bye: each round's tables are as even as can be, one seat shorter where
it does not divide. From each table the best k go on, but never all; the next round deals the winners first, then the
seconds and so on, to and fro over its tables, and apart from those that they have just met. Who is
left when all fit one table plays the final.

*Double.* Whoever has been left behind once plays on in the lower bracket; whoever is left behind
there is out. After each round of the upper bracket the lower one is played down to as many as
the next will drop into it. The last table is the grand final: those whom the upper bracket's last
table lets through and as many of the lower as there is room for. If one of the lower wins it, all
who have now been left behind once meet again (the *reset*), and that decides.

Places: who stays in longer is before; who goes out together is told apart by the place at its last
table, then by the share of all games so far, then by the seed.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .facts import Match, Record
from .laying import bracket_order, cut_of, dealt, table_sizes
from .series import Settled
from .settings import DOUBLE, Stage
from .situation import Line, Situation, Walk


def look(entrants: Sequence[int], stage: Stage, record: Record) -> Situation:
    """The stage as it stands. ``entrants``: best seed first."""
    cup = _Cup(list(entrants), stage, Walk(stage, record))
    is_over = cup.play_double() if stage.format == DOUBLE else cup.play_single()
    return cup.walk.situation(cup.lines(), is_over)


@dataclass(slots=True)
class _Cup:
    seeds: list[int]
    stage: Stage
    walk: Walk
    out: list[list[int]] = field(default_factory=list)  # who went out together, the first ones first
    met: Counter[frozenset[int]] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    last_places: dict[int, int] = field(default_factory=dict)
    lower_rounds: int = 0

    def play_single(self) -> bool:
        bracket = _Upper(self, self.seeds)
        while not bracket.is_final:
            gone = bracket.next_round()
            if gone is None:
                return False
            self.out.append(gone)
        return self._play_final(bracket.alive, "F1.1")

    def play_double(self) -> bool:
        if len(self.seeds) < self.stage.least:  # who was to come has withdrawn
            return self._play_final(self.seeds, "F1.1")
        upper, lower = _Upper(self, self.seeds), list[int]()
        if (
            len(self.seeds) <= 2 and self.stage.seats == 2
        ):  # a bracket of two has no lower one before its final
            return self._play_grand(self.seeds[:1], self.seeds[1:])
        while len(upper.alive) > self._through:
            dropped = upper.next_round()
            if dropped is None:
                return False
            left = self._play_lower(lower, dropped, self._room(upper))
            if left is None:
                return False
            lower = left
        return self._play_grand(upper.alive, lower)

    @property
    def _through(self) -> int:
        """How many the upper bracket sends to the grand final."""
        return min(self.stage.advance, len(self.seeds) - 1)

    def _room(self, upper: "_Upper") -> int:
        """How many the lower bracket may hold when the upper one plays on."""
        if len(upper.alive) <= self._through:
            return max(1, self.stage.seats - len(upper.alive))
        return upper.will_drop()

    def _play_lower(self, pool: Sequence[int], dropped: Sequence[int], room: int) -> list[int] | None:
        alive = [*dropped, *pool]
        while len(alive) > room and len(alive) >= self.stage.least:
            self.lower_rounds += 1
            outcome = self._lower_round(alive)
            if outcome is None:
                return None
            alive = outcome
        return alive

    def _lower_round(self, alive: Sequence[int]) -> list[int] | None:
        cut, tables = self._lower_tables(alive)
        slots = [Match(f"L{self.lower_rounds}.{i + 1}", tuple(table)) for i, table in enumerate(tables)]
        settled = self.play(slots, cut)
        if settled is None:
            return None
        stay, gone = parted(settled, cut)
        self.out.append(gone)
        return stay

    def _lower_tables(self, alive: Sequence[int]) -> tuple[int, list[list[int]]]:
        free: list[list[int]] = []
        order = list(alive)
        if self.stage.seats == 2 and len(order) % 2:
            lucky = min(order, key=lambda one: (self.byes[one], order.index(one)))
            order.remove(lucky)
            free = [[lucky]]
        sizes = table_sizes(len(order), self.stage)
        return min(self.stage.advance, sizes[-1] - 1), [*self.deal(order, sizes), *free]

    def _play_grand(self, upper: Sequence[int], lower: Sequence[int]) -> bool:
        settled = self.play([Match("F1.1", (*upper, *lower))], 1)
        if settled is None:
            return False
        order = settled[0].order
        if order[0] in upper:
            self.out += [[one] for one in reversed(order)]
            return True
        self.out += [[one] for one in reversed(order) if one not in upper and one != order[0]]
        return self._play_final([order[0], *(one for one in order if one in upper)], "F2.1")

    def _play_final(self, alive: Sequence[int], slot: str) -> bool:
        settled = self.play([Match(slot, tuple(alive))], 1)
        if settled is None:
            return False
        self.out += [[one] for one in reversed(settled[0].order)]
        return True

    def play(self, matches: Sequence[Match], cut: int) -> list[Settled] | None:
        """Plays a round, and remembers who met whom, who had a bye and who came where."""
        settled = self.walk.round(matches, cut)
        for match in matches:
            self.byes[match.company[0]] += len(match.company) == 1
            self.met.update(frozenset((a, b)) for a in match.company for b in match.company if a < b)
        for one in settled or []:
            self.last_places |= {entrant: place for place, entrant in enumerate(one.order)}
        return settled

    def deal(self, order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
        return dealt(order, sizes, lambda one, other: self.met[frozenset((one, other))])

    def lines(self) -> list[Line]:
        placed = {one for group in self.out for one in group}
        still = [one for one in self.seeds if one not in placed]
        stages = [*self.out, still] if still else self.out
        keys = {one: self._values(one, at) for at, group in enumerate(stages) for one in group}
        best = sorted(keys, key=lambda one: tuple(keys[one].values()), reverse=True)
        return [Line(rank, one, 0, keys[one]) for rank, one in enumerate(best, 1)]

    def _values(self, one: int, at: int) -> dict[str, Fraction]:
        shares = [settled.shares[one] for settled in self.walk.settled.values() if one in settled.shares]
        games = [
            game
            for match in self.walk.settled
            if one in match.company
            for game in self.walk.record.of(match).values()
            if game.placements is not None
        ]
        return {
            "stayed in": Fraction(at),
            "last place": Fraction(-self.last_places.get(one, 0)),
            "share": sum(shares, Fraction()) / len(games) if games else Fraction(),
            "seed": Fraction(-self.seeds.index(one) - 1),
        }


class _Upper:
    """The bracket of those who have not been left behind."""

    def __init__(self, cup: _Cup, seeds: Sequence[int]) -> None:
        self._cup, self._stage = cup, cup.stage
        self.alive = list(seeds)
        self._rounds = 0

    @property
    def is_final(self) -> bool:
        if self._stage.seats == 2:
            return len(self.alive) <= 2
        return len(self.alive) < self._stage.least or len(table_sizes(len(self.alive), self._stage)) == 1

    def next_round(self) -> list[int] | None:
        """Plays a round; who has been left behind, best seed first. None while it is open."""
        self._rounds += 1
        tables, cut = self._pairs() if self._stage.seats == 2 else self._tables()
        slots = [Match(f"W{self._rounds}.{i + 1}", tuple(table)) for i, table in enumerate(tables)]
        settled = self._cup.play(slots, cut)
        if settled is None:
            return None
        self.alive, gone = parted(settled, cut)
        if self._stage.seats == 2:  # in the bracket's order, so that neighbours meet
            self.alive = [one.order[0] for one in settled]
        return gone

    def will_drop(self) -> int:
        """How many the next round leaves behind."""
        if self._stage.seats == 2:
            return len(self.alive) // 2
        sizes = table_sizes(len(self.alive), self._stage)
        return len(self.alive) - len(sizes) * cut_of(sizes, self._stage)

    def _pairs(self) -> tuple[list[list[int]], int]:
        if self._rounds > 1:
            return [self.alive[i : i + 2] for i in range(0, len(self.alive), 2)], 1
        size = 1 << (len(self.alive) - 1).bit_length()
        order = [self.alive[seed] if seed < len(self.alive) else None for seed in bracket_order(size)]
        pairs = [order[i : i + 2] for i in range(0, size, 2)]
        return [[one for one in pair if one is not None] for pair in pairs], 1

    def _tables(self) -> tuple[list[list[int]], int]:
        sizes = table_sizes(len(self.alive), self._stage)
        return self._cup.deal(self.alive, sizes), cut_of(sizes, self._stage)


def parted(settled: Sequence[Settled], cut: int) -> tuple[list[int], list[int]]:
    """(who goes on, who is left behind), each the winners of all tables first, then the seconds, and so on.

    A table of one is a bye: it goes on."""
    longest = max(len(one.order) for one in settled)
    ranks = [[one.order[place] for one in settled if place < len(one.order)] for place in range(longest)]
    stay = [one for rank in ranks[:cut] for one in rank]
    return stay, [one for rank in ranks[cut:] for one in rank]
