"""The continuous ladder's promises, held over simulated seasons of 2 to 300 entrants."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.matchmaking import Entrant, Rules, plan

ROUND_MS = 1_000
NEVER = 10**9
HOUSE: frozenset[str] = frozenset()
ALICE = frozenset({"alice"})


@dataclass
class Season:
    """A ladder played in rounds: what is planned in one has ended before the next."""

    entrants: dict[int, Entrant]
    rules: Rules
    tables: int  # planned a round, at most
    places: int  # tables at once, each
    random: Random
    history: list[list[tuple[int, ...]]] = field(default_factory=list)
    longest_wait: int = 0  # rounds

    def play(self, rounds: int) -> "Season":
        for _ in range(rounds):
            planned = plan(self.entrants.values(), self.rules, self.tables, self.random.getrandbits(32))
            self.history.append(planned)
            self._end(planned)
        return self

    def _end(self, planned: list[tuple[int, ...]]) -> None:
        seated = {player for table in planned for player in table}
        for player, entrant in self.entrants.items():
            if player not in seated:
                waited = entrant.waited_ms + ROUND_MS
                self.entrants[player] = replace(entrant, waited_ms=waited)
                self.longest_wait = max(self.longest_wait, waited // ROUND_MS)
        for table in planned:
            for place, player in enumerate(table):
                self._count(player, table, place)

    def _count(self, player: int, table: Sequence[int], place: int) -> None:
        entrant = self.entrants[player]
        sat = Counter(entrant.sat)
        sat[len(table), place] += 1
        self.entrants[player] = replace(
            entrant, games=entrant.games + 1, waited_ms=0, sat=sat, last=frozenset(table) - {player}
        )

    @property
    def games(self) -> list[int]:
        return [entrant.games for entrant in self.entrants.values()]

    @property
    def spread(self) -> int:
        return max(self.games) - min(self.games)


def field_of(
    count: int,
    owners: int | None,
    random: Random,
    places: int = 1,
    skill: Callable[[int], float] | None = None,
) -> dict[int, Entrant]:
    """``owners`` None: house bots; else as many owners, their bots dealt round."""
    return {
        player: Entrant(
            player,
            HOUSE if owners is None else frozenset({f"owner-{player % owners}"}),
            0,
            0,
            skill(player) if skill else random.gauss(25, 8),
            places,
        )
        for player in range(count)
    }


SEATS = st.sampled_from([(2, 2), (2, 5), (3, 4), (2, 6), (4, 4)])


@st.composite
def seasons(draw: st.DrawFn, longest_wait_ms: int = NEVER, fair_owners: bool = True) -> Season:
    """``fair_owners``: nobody owns more than one bot in ``most`` of the field."""
    least, most = draw(SEATS)
    count = draw(st.integers(least, 300) if draw(st.booleans()) else st.integers(least, 20))
    random = Random(draw(st.integers(0, 2**32)))
    enough = -(-count // max(1, count // most)) if fair_owners else 1
    owners = draw(st.none() | st.integers(enough, max(enough, count)))
    places = draw(st.integers(1, 3))
    rules = Rules(least, most, window=draw(st.sampled_from([2, 8, 20])), longest_wait_ms=longest_wait_ms)
    tables = draw(st.integers(1, max(1, count // least)))
    return Season(field_of(count, owners, random, places), rules, tables, places, random)


@given(season=seasons(fair_owners=False))
@settings(max_examples=12, deadline=None)
def test_every_table_keeps_the_rules(season: Season) -> None:
    rules, owner = season.rules, {player: one.owners for player, one in season.entrants.items()}
    for planned in season.play(6).history:
        assert len(planned) <= season.tables
        taken = Counter(player for table in planned for player in table)
        assert max(taken.values(), default=0) <= season.places
        for table in planned:
            assert rules.least <= len(table) <= rules.most
            assert len(set(table)) == len(table)
            owned = [name for player in table for name in owner[player]]
            assert len(set(owned)) == len(owned), "two bots of one owner"


@given(season=seasons())
@settings(max_examples=15, deadline=None)
def test_games_stay_equal(season: Season) -> None:
    rounds = min(60, 6 + 8 * len(season.entrants) // (season.tables * season.rules.least))
    for _ in range(rounds):
        season.play(1)
        assert season.spread <= 3


@given(season=seasons(longest_wait_ms=5 * ROUND_MS, fair_owners=False))
@settings(max_examples=15, deadline=None)
def test_nobody_starves(season: Season) -> None:
    season.play(2 * (5 + len(season.entrants) // season.tables))
    fewest_tables = min(len(planned) for planned in season.history)
    if fewest_tables:
        assert season.longest_wait <= 5 + -(-len(season.entrants) // fewest_tables)


@given(season=seasons())
@settings(max_examples=12, deadline=None)
def test_seats_and_table_sizes_are_shared_evenly(season: Season) -> None:
    season.play(max(6, min(40, 400 // season.tables)))
    rules = season.rules
    for entrant in season.entrants.values():
        sizes = Counter[int]()
        for size in range(rules.least, min(rules.most, len(season.entrants)) + 1):
            sat = [entrant.sat.get((size, place), 0) for place in range(size)]
            assert max(sat) - min(sat) <= 4, (size, sat)
            sizes[size] = sum(sat)
        if entrant.games >= 20 and rules.window >= 8:
            assert max(sizes.values()) - min(sizes.values()) <= entrant.games / 4


def ladder(count: int, rules: Rules, tables: int, **options: Any) -> Season:
    random = Random(7)
    return Season(field_of(count, None, random, **options), rules, tables, 1, random)


def test_those_who_have_just_met_do_not_meet_again() -> None:
    met: dict[int, set[int]] = {}
    pairs = repeats = 0
    for planned in ladder(40, Rules(2, 5), 6).play(60).history:
        for table in planned:
            pairs += len(table) * (len(table) - 1)
            repeats += sum(other in met.get(one, ()) for one in table for other in table if one != other)
            met |= {one: set(table) - {one} for one in table}
    assert repeats <= pairs / 100


def test_two_alone_play_each_other_again_and_again() -> None:
    history = ladder(2, Rules(2, 5), 3).play(10).history
    assert [len(planned) for planned in history] == [1] * 10
    assert sum(table == (0, 1) for planned in history for table in planned) == 5, "in turn on each seat"


def test_a_newcomer_plays_at_once_and_catches_up() -> None:
    season = ladder(30, Rules(2, 4), 3).play(40)
    veterans = min(season.games)
    season.entrants[99] = Entrant(99, ALICE, 0, 0, 25.0, 1)
    for games in range(1, veterans):
        season.play(1)
        assert season.entrants[99].games == games
    season.play(60)
    assert season.spread <= 3


def test_while_a_newcomer_catches_up_nobody_starves() -> None:
    season = ladder(30, Rules(2, 2, longest_wait_ms=10 * ROUND_MS), 2)
    season.play(200)
    season.entrants[99] = Entrant(99, ALICE, 0, 0, 25.0, 1)
    season.longest_wait = 0
    season.play(200)
    assert season.longest_wait <= 10 + 31 / 2


def test_a_runaway_leader_is_met_and_the_leaders_meet_each_other() -> None:
    season = ladder(100, Rules(2, 2), 20, skill=lambda player: 1000.0 if player == 99 else float(player))
    season.play(120)
    met = Counter[tuple[int, int]]()
    for table in (table for planned in season.history for table in planned):
        met[min(table), max(table)] += 1
    assert season.entrants[99].games >= min(season.games)
    top = sum(met[one, other] for one in range(92, 100) for other in range(one + 1, 100))
    across = sum(met[one, other] for one in range(8) for other in range(92, 100))
    assert top > 20
    assert across < top / 4
    assert sum(met[one, 99] > 0 for one in range(99)) >= 4, "not always the same two"


def test_whoever_has_no_place_is_left_alone() -> None:
    entrants = [Entrant(player, HOUSE, 5, 0, 25.0, 1) for player in range(4)]
    absent = Entrant(9, HOUSE, 0, 10**6, 25.0, 0)
    tables = plan([*entrants, absent], Rules(2, 2), 10, seed=1)
    assert {player for table in tables for player in table} == {0, 1, 2, 3}


def test_one_owner_alone_gets_no_table() -> None:
    assert plan([Entrant(player, ALICE, 0, 0, 25.0, 1) for player in range(9)], Rules(2, 4), 10, seed=1) == []


@given(season=seasons(fair_owners=False), seed=st.integers(0, 2**64))
@settings(max_examples=20, deadline=None)
def test_the_same_call_gives_the_same_tables(season: Season, seed: int) -> None:
    entrants = list(season.play(2).entrants.values())
    once = plan(entrants, season.rules, season.tables, seed)
    season.random.shuffle(entrants)
    assert plan(entrants, season.rules, season.tables, seed) == once
