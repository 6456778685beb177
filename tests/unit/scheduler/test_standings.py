"""A season's table: shares, tie-breaks, ranks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.standings import TIE_BREAKS, Played, standings


def ranks(entrants: list[int], played: list[Played]) -> list[tuple[int, int]]:
    return [(line.rank, line.player) for line in standings(entrants, played)]


CASES = [
    ("nobody has played: all are level", [3, 1, 2], [], [(1, 1), (1, 2), (1, 3)]),
    ("the higher share", [1, 2, 3], [Played([1, 2, 3], [2, 0, 1])], [(1, 2), (2, 3), (3, 1)]),
    ("a tie at the table shares the rank", [1, 2], [Played([1, 2], [0, 0])], [(1, 1), (1, 2)]),
    ("tables of different sizes compare by share", [1, 2, 3, 4, 5],
     [Played([1, 2], [0, 1]), Played([3, 4, 5], [0, 1, 2])],
     [(1, 3), (2, 1), (3, 4), (4, 2), (5, 5)]),
    ("level shares: tables won alone", [1, 2, 3],
     [Played([1, 2, 3], [0, 1, 2]), Played([1, 2, 3], [2, 1, 0]), Played([2, 1, 3], [0, 0, 0])],
     [(1, 1), (1, 3), (3, 2)]),
    ("level wins: who met the stronger", [1, 2, 3, 4],
     [Played([1, 3], [0, 1]), Played([2, 4], [0, 1]), Played([3, 4], [0, 1])],
     [(1, 1), (2, 2), (3, 3), (4, 4)]),
]  # fmt: skip  # one case an entry reads as a table


@pytest.mark.parametrize(("why", "entrants", "played", "expected"), CASES, ids=[case[0] for case in CASES])
def test_ranks(why: str, entrants: list[int], played: list[Played], expected: list[tuple[int, int]]) -> None:
    assert ranks(entrants, played) == expected


def test_level_in_all_else_is_decided_by_their_own_table() -> None:
    played = [
        Played([1, 2], [0, 1]),
        Played([1, 3], [1, 0]),
        Played([2, 4], [0, 1]),
        Played([3, 4], [1, 0]),
    ]
    lines = {line.player: line for line in standings([], played)}
    assert {line.share for line in lines.values()} == {Fraction(1, 2)}
    assert {line.opponents for line in lines.values()} == {Fraction(1, 2)}
    assert [line.rank for line in lines.values()] == [1, 1, 1, 1]


def test_the_breaks_are_named() -> None:
    assert list(TIE_BREAKS) == ["share", "wins", "opponents", "mutual"]


TABLES = st.lists(
    st.lists(st.integers(0, 9), min_size=2, max_size=6, unique=True).flatmap(
        lambda players: st.builds(
            Played,
            st.just(players),
            st.lists(st.integers(0, 5), min_size=len(players), max_size=len(players)),
        )
    ),
    max_size=12,
)


@given(played=TABLES, order=st.randoms(use_true_random=False))
def test_the_order_of_the_tables_makes_no_difference(played: list[Played], order: object) -> None:
    shuffled = list(played)
    order.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis types randoms as objects
    assert standings(range(10), shuffled) == standings(range(9, -1, -1), played)


@given(played=TABLES)
def test_every_point_is_given_once(played: list[Played]) -> None:
    lines = standings(range(10), played)
    assert sum(line.points for line in lines) * 2 == sum(line.possible for line in lines)
    assert sum(line.tables for line in lines) == sum(len(table.players) for table in played)
