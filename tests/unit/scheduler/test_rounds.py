"""League rounds: everybody equally often, at tables of the wanted size."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.rounds import Past, RoundError, Wish, plan_round, table_sizes


@pytest.mark.parametrize(
    ("players", "wish", "each", "sizes"),
    [
        (8, Wish(1, 4, 2, 5), 1, [4, 4]),
        (9, Wish(1, 4, 2, 5), 1, [3, 3, 3]),
        (10, Wish(1, 4, 2, 5), 1, [4, 3, 3]),
        (10, Wish(2, 4, 2, 5), 2, [4] * 5),
        (5, Wish(1, 4, 2, 5), 1, [3, 2]),
        (3, Wish(2, 4, 2, 5), 2, [3, 3]),
        (5, Wish(1, 4, 4, 5), 1, [5]),  # shorter tables are against the rules, a longer one is not
        (6, Wish(1, 4, 4, 5), 2, [4, 4, 4]),  # 6 and 6 do not go into tables of 4 and 5; 12 do
        (3, Wish(1, 2, 2, 2), 2, [2, 2, 2]),
        (7, Wish(3, 2, 2, 2), 4, [2] * 14),
        (2, Wish(5, 4, 2, 5), 5, [2] * 5),
    ],
)
def test_table_sizes(players: int, wish: Wish, each: int, sizes: list[int]) -> None:
    assert table_sizes(players, wish) == (each, sizes)


def test_too_few_players_are_told_so() -> None:
    with pytest.raises(RoundError, match="needs 3 players and there are 2"):
        table_sizes(2, Wish(1, 4, 3, 5))


WISHES = st.sampled_from([(2, 5), (2, 2), (3, 4), (2, 6), (4, 4)]).flatmap(
    lambda seats: st.builds(
        Wish, st.integers(1, 8), st.integers(*seats), st.just(seats[0]), st.just(seats[1])
    )
)


@given(count=st.integers(2, 120), wish=WISHES, seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_everybody_plays_equally_often_and_never_twice_at_a_table(count: int, wish: Wish, seed: int) -> None:
    players = [7 * player + 3 for player in range(count)]
    try:
        each, sizes = table_sizes(count, wish)
    except RoundError:
        assert count < wish.least or wish.least == wish.most or count < 2 * wish.least + wish.most
        return
    tables = plan_round(players, wish, Past(), seed)
    assert Counter(player for table in tables for player in table) == dict.fromkeys(players, each)
    assert all(len(set(table)) == len(table) for table in tables)
    assert sorted(map(len, tables)) == sorted(sizes)
    assert wish.least <= min(sizes)
    assert max(sizes) <= wish.most
    assert max(sizes) - min(sizes) <= 1
    assert each <= wish.tables_each + wish.least


def test_opponents_are_spread() -> None:
    tables = plan_round(range(40), Wish(4, 4, 2, 5), Past(), seed=3)
    meetings = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert max(meetings.values()) <= 2
    assert sum(times == 2 for times in meetings.values()) <= len(meetings) / 20


def test_who_met_before_meets_last() -> None:
    met: Counter[tuple[int, int]] = Counter()
    for number in range(7):  # eight players, tables of two: seven rounds hold every pair once
        for table in plan_round(range(8), Wish(1, 2, 2, 2), Past(met=met), seed=number):
            met[min(table), max(table)] += 1
    assert max(met.values()) <= 2
    assert len(met) >= 24, "of 28 pairs"


def test_bots_of_one_owner_keep_apart_and_house_bots_need_not() -> None:
    owners = {player: frozenset({f"owner-{player % 6}"}) for player in range(24)}
    tables = plan_round(range(30), Wish(3, 3, 2, 5), Past(owners=owners), seed=5)
    for table in tables:
        owned = [owners[player] for player in table if player in owners]
        assert len(set(owned)) == len(owned)


@given(seed=st.integers(0, 2**32), count=st.integers(4, 40), size=st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_seats_are_shared_evenly(seed: int, count: int, size: int) -> None:
    sat: dict[int, Counter[tuple[int, int]]] = {player: Counter() for player in range(count)}
    for number in range(4):
        for table in plan_round(range(count), Wish(4, size, 2, 5), Past(sat=sat), seed + number):
            for place, player in enumerate(table):
                sat[player][len(table), place] += 1
    for counts in sat.values():
        for length in {length for length, _ in counts}:
            seats = [counts[length, place] for place in range(length)]
            assert max(seats) - min(seats) <= 4


@given(seed=st.integers(0, 2**64), shuffle=st.permutations(range(17)))
@settings(max_examples=20, deadline=None)
def test_the_same_call_gives_the_same_round(seed: int, shuffle: list[int]) -> None:
    wish = Wish(3, 4, 2, 5)
    assert plan_round(shuffle, wish, Past(), seed) == plan_round(range(17), wish, Past(), seed)
