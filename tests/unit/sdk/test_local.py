"""Local matches: the server's referee, no server, the same bytes every time."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from engine_service.core.clock import UNLIMITED, Limits
from engine_service.core.game import ConfigError
from engine_service.core.replay import verify
from engine_service.games import GAMES
from mamenoki.house import make
from mamenoki.sdk import Bot
from mamenoki.sdk.local import Played, Table, bot_seed, match_seed, play_match
from tests.unit.sdk.bots import Careful, First, Later, Raises, Stubborn

ROOT = Path(__file__).resolve().parents[3]


def table(seats: int, seed: int = 1, limits: Limits = UNLIMITED) -> Table:
    players = [f"local/bot-{seat}@1" for seat in range(seats)]
    return Table(f"m-{seed}", "mushi/standard", players, match_seed(seed, 0), limits=limits)


def randoms(seats: int) -> list[Bot]:
    return [make("mushi", "random", {}) for _ in range(seats)]


def decisions(played: Played) -> list[dict[str, object]]:
    return [line for line in map(json.loads, played.replay.splitlines()) if "moves" in line]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_match_verifies_and_says_what_its_replay_says(seats: int) -> None:
    played = play_match(table(seats), randoms(seats))
    verified = verify(played.replay, GAMES)
    assert verified.players == [f"local/bot-{seat}@1" for seat in range(seats)]
    assert (verified.scores, verified.ranks) == (played.outcome.scores, played.outcome.ranks)
    assert sum(one.decisions for one in played.thinking) == verified.moves == played.outcome.moves
    assert played.faults == []


def test_the_same_seed_gives_the_same_bytes_and_another_one_others() -> None:
    first, again, other = (play_match(table(3, seed), randoms(3)).replay for seed in (7, 7, 8))
    assert first == again
    assert first != other


PROGRAM = """
from mamenoki.sdk.local import Table, match_seed, play_match
from mamenoki.house import make
import hashlib
replays = b"".join(
    play_match(
        Table("m", "mushi", ["a"] * seats, match_seed(seats, 0)),
        [make("mushi", "random", {}) for _ in range(seats)],
    ).replay
    for seats in (2, 5)
)
print(hashlib.sha256(replays).hexdigest())
"""


def test_hash_seeds_make_no_difference() -> None:
    def digest(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        return subprocess.check_output([sys.executable, "-c", PROGRAM], env=environment, text=True)

    assert digest("1") == digest("2")


def test_a_bot_is_told_its_seat_every_sighting_and_the_result() -> None:
    bots = [Careful(), Careful(), First()]
    played = play_match(table(3), bots)
    careful = bots[1]
    assert isinstance(careful, Careful)
    assert careful.seat is not None
    assert careful.result is not None
    assert (careful.seat.seat, careful.seat.game, careful.seat.variant) == (1, "mushi", "standard")
    assert careful.seat.config["hub_start"] == 10
    assert careful.seat.first_ms is None
    assert careful.result.placements == played.outcome.placements
    kinds = [event["event"] for asked in careful.asked for event in asked.sightings]
    assert kinds[:2] == ["first", "deal"]
    assert kinds.count("deal") == 1
    assert [asked.id for asked in careful.asked] == list(range(1, len(careful.asked) + 1))
    assert all(asked.view and asked.left_ms is None for asked in careful.asked)


def test_every_seat_has_dice_of_its_own_which_tell_nothing_of_the_seed() -> None:
    seed = match_seed(1, 0)
    dice = {bot_seed(seed, seat) for seat in range(5)}
    assert len(dice) == 5
    assert all(0 <= die < 1 << 63 for die in dice)
    assert seed.hex() not in {f"{die:x}" for die in dice}


def test_an_asynchronous_bot_plays_as_its_synchronous_twin() -> None:
    assert play_match(table(2), [Later(), Later()]).replay == play_match(table(2), [First(), First()]).replay


@pytest.mark.parametrize("at", [1, 4])
def test_a_bot_that_raises_forfeits_and_its_author_sees_why(at: int) -> None:
    bot = Raises(at)
    played = play_match(table(3), [First(), bot, First()])
    (fault,) = played.faults
    assert not bot.finished
    assert (fault.kind, fault.seat) == ("raised", 1)
    assert "out of ideas" in fault.message
    assert "bots.py" in fault.message
    assert "local.py" not in fault.message
    assert played.outcome.forfeits == {1: "crash"}
    assert played.outcome.placements[1] == 2
    assert verify(played.replay, GAMES).forfeited == [1]


def test_a_bot_that_cannot_even_start_forfeits() -> None:
    class Lame(First):
        def start(self, seat: object) -> None:
            raise OSError("no model file")

    played = play_match(table(2), [Lame(), First()])
    assert played.outcome.forfeits == {0: "crash"}
    assert "no model file" in played.faults[0].message


def test_an_exception_in_finish_is_told_and_costs_nothing() -> None:
    class Clumsy(First):
        def finish(self, result: object) -> None:
            raise OSError("disk full")

    played = play_match(table(2), [Clumsy(), First()])
    assert played.outcome.forfeits == {}
    assert "disk full" in played.faults[0].message


@pytest.mark.parametrize("times", [1, 2])
def test_a_refused_answer_may_be_mended(times: int) -> None:
    bot = Stubborn(times)
    played = play_match(table(2), [bot, First()])
    assert bot.calls[: times + 1] == [1] * (times + 1)
    assert all(fault.kind == "refused" and "castle" in fault.message for fault in played.faults)
    assert all("by" not in line for line in decisions(played))


def test_the_third_refusal_is_the_clocks_and_the_third_of_those_forfeits() -> None:
    bot = Stubborn(99)
    played = play_match(table(2), [bot, First()])
    assert bot.calls == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert played.outcome.forfeits == {0: "illegal"}
    whys = [line["why"] for line in decisions(played) if "why" in line]
    assert whys[:3] == [{"0": "illegal"}] * 3


@pytest.mark.parametrize("answer", [None, 7, ["hub"], "", "x" * 10_000])
def test_an_answer_that_is_no_move_is_refused_whatever_it_is(answer: object) -> None:
    played = play_match(table(2), [Stubborn(1, answer), First()])
    assert {fault.kind for fault in played.faults} == {"refused"}
    assert played.outcome.forfeits == {}


def ticking(step: int) -> Callable[[], int]:
    """A clock that moves on by ``step`` whenever it is read."""
    beats = count(0, step)
    return lambda: next(beats)


def test_with_a_clock_a_slow_bot_is_late_and_told_so() -> None:
    limits = Limits(first_ms=100, move_ms=100, bank_ms=0)
    played = play_match(table(2, limits=limits), [First(), First()], clock=ticking(150))
    assert {fault.kind for fault in played.faults} == {"late"}
    assert set(played.outcome.forfeits.values()) == {"timeout"}
    assert verify(played.replay, GAMES)


def test_with_a_clock_a_quick_bot_sees_what_is_left() -> None:
    limits = Limits(first_ms=10_000, move_ms=2_000, bank_ms=500)
    bot = Careful()
    played = play_match(table(2, limits=limits), [bot, First()], clock=ticking(1))
    assert played.faults == []
    assert bot.asked[0].bank_ms == 500
    first, later = bot.asked[0].left_ms, bot.asked[1].left_ms
    assert first is not None
    assert later is not None
    assert 9_900 < first <= 10_000
    assert 1_900 < later <= 2_000


@pytest.mark.parametrize(
    ("game", "seats", "wanted"),
    [("chess", 2, "there is no game 'chess'"), ("mushi/odd", 2, "no variant 'odd'"), ("mushi", 6, "2 to 5")],
)
def test_what_cannot_be_played_is_said(game: str, seats: int, wanted: str) -> None:
    with pytest.raises(ConfigError, match=wanted):
        play_match(Table("m", game, ["a"] * seats, bytes(32)), [First() for _ in range(seats)])


def test_a_bot_that_ends_the_program_ends_its_own_match_only() -> None:
    class Quits(First):
        def choose(self, decision: object) -> str:
            sys.exit(3)

    played = play_match(table(2), [Quits(), First()])
    assert played.outcome.forfeits == {0: "crash"}
