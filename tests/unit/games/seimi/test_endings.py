"""The end after the boss, its three criteria, and that there always is one."""

import random

import pytest

from engine_service.core.game import Chance, State, Turn
from tests.unit.games.seimi.script import fight, new, over, shows

# name, start player, tokens before, declared at the boss, tokens at the boss, scores, ranks
ENDINGS: list[tuple[str, int, list[list[int]], list[int], list[int], list[int], list[int]]] = [
    ("most tokens", 0, [[5, 5], [2], [4]], [0, 2, 1], [5, 3], [10, 7, 7], [0, 1, 2]),
    (
        "a tie goes to the larger number at the boss",
        0,
        [[5], [], [3]],
        [1, 3, 2],
        [5, 2],
        [5, 5, 5],
        [2, 0, 1],
    ),
    ("even if that won no token", 0, [[5], [4], [3]], [1, 3, 2], [5, 2], [5, 9, 5], [2, 0, 1]),
    (
        "then to the nearest to the boss's start player",
        2,
        [[4], [4], [4]],
        [0, 0, 0],
        [5, 2],
        [4, 4, 4],
        [1, 2, 0],
    ),
    ("who does not change in that fight", 1, [[2], [], [5]], [2, 2, 2], [5, 2], [2, 5, 7], [2, 1, 0]),
    ("nobody has anything", 1, [[], [], []], [0, 0, 0], [5, 2], [0, 0, 0], [2, 0, 1]),
]


@pytest.mark.parametrize(
    ("start", "tokens", "declared", "line", "scores", "ranks"),
    [r[1:] for r in ENDINGS],
    ids=[r[0] for r in ENDINGS],
)
def test_ending(
    start: int,
    tokens: list[list[int]],
    declared: list[int],
    line: list[int],
    scores: list[int],
    ranks: list[int],
) -> None:
    rows = [[f"fly-gun {size}"] if size else [] for size in declared]
    state, told = fight(rows, start=start, tokens=tokens, monster=6, line=[[], [], [], [], [], line])
    end = over(state)
    assert (end.end, end.scores, end.ranks) == ("normal", scores, ranks)
    assert told[-1] == {
        "event": "end",
        "end": "normal",
        "scores": scores,
        "declared": declared,
        "ranks": ranks,
    }
    shows(state, state="over", scores=scores, ranks=ranks, decides=None, start=start)


def test_winners_at_the_boss_discard_too() -> None:
    state, _ = fight([["fly-gun 2"], ["dog-blade 1"], ["fly-psychic 1"]], monster=6)
    shows(state, rows=[["fly-gun 1"], [], ["fly-psychic 1"]], discards=2)


def play(state: State, last: bool, dice: random.Random) -> int:
    """Take from the deck and lay nothing (or the last move of all, or any); the number of decisions."""
    decisions = 0
    while not hasattr(pending := state.pending(), "ranks"):
        if isinstance(pending, Turn):
            (seat,) = pending.seats
            legal = state.legal(seat)
            state.play({seat: legal[-1] if last else dice.choice(legal)})
            decisions += 1
        elif isinstance(pending, Chance):
            state.resolve([dice.randrange(size) for size in pending.sizes])
    return decisions


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("last", [True, False])
def test_it_ends(seats: int, last: bool) -> None:
    dice = random.Random(seats)
    for _ in range(10):
        state = new(seats)
        assert 18 * seats <= play(state, last, dice) <= 1_000
        assert sorted(over(state).ranks) == list(range(seats))


def test_five_hoarders_run_the_pack_dry_and_are_passed_over() -> None:
    state, decisions = new(5, copies=4), 0
    while not hasattr(pending := state.pending(), "ranks"):
        if isinstance(pending, Turn):
            (seat,) = pending.seats
            state.play({seat: state.default(seat)})
            decisions += 1
        elif isinstance(pending, Chance):
            state.resolve([size - 1 for size in pending.sizes])
    assert sum(state.view(None)["hands"]) == 80
    assert decisions == 80 - 30 + 6 * 5
    assert over(state).scores == [0] * 5
