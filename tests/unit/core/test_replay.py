"""What a re-run takes: true replays, however their draws are grouped; and how it tells them."""

from typing import Any

import pytest

from engine_service.core.chance import commitment
from engine_service.core.game import View
from engine_service.core.record import Decided, Drawn, encode
from engine_service.core.replay import Lie, verify, walk
from tests.games import TINY_GAMES
from tests.games.coin import COIN
from tests.unit.core.forging import forge, lines_of, renumber, seal
from tests.unit.core.matches import SEED
from tests.unit.core.replays import COIN_REPLAY, TINY_REPLAY, refusal


def first(lines: list[View], key: str) -> View:
    return next(line for line in lines if key in line)


def test_true_replays_verify() -> None:
    verified = verify(TINY_REPLAY, TINY_GAMES)
    assert (verified.match, verified.game, verified.variant, verified.seats) == ("m1", "tiny", "standard", 3)
    assert verified.players == ["owner/bot0@1", "owner/bot1@1", "owner/bot2@1"]
    assert verified.forfeited == [1]
    end = lines_of(TINY_REPLAY)[-1]
    assert (verified.end, verified.scores, verified.ranks) == (end["end"], end["scores"], end["ranks"])
    assert verified.seed == SEED
    assert verify(COIN_REPLAY, TINY_GAMES).game == "coin"


def test_the_bytes_are_those_of_the_format() -> None:
    lines = COIN_REPLAY.decode().split("\n")
    assert lines[0] == (
        '{"replay":1,"match":"m1","game":"coin","variant":"standard","rules":3,"seats":2,"config":{},'
        f'"players":["owner/bot0@1","owner/bot1@1"],"commitment":"{commitment(SEED)}"}}'
    )
    assert lines[1] == '{"n":0,"chance":"mint","faces":["表"],"draw":[[0,1]]}'
    assert lines[3] == '{"n":2,"moves":{"0":"say \\"go\\"","1":"say \\"go\\""},"ms":{"0":0,"1":0}}'
    assert lines[4] == '{"n":3,"moves":{"0":"表","1":"裏"},"ms":{"0":0,"1":0}}'
    assert lines[-1] == ""
    assert [key for line in lines_of(TINY_REPLAY) for key in line if "chance" in line][:5] == [
        "n",
        "chance",
        "slots",
        "faces",
        "draw",
    ]
    by = first(lines_of(TINY_REPLAY), "by")
    assert encode(by) == (
        '{"n":1,"moves":{"0":"hold","1":"hold","2":"hold"},"ms":{"0":150,"1":150,"2":150},'
        '"by":{"0":"clock","1":"clock","2":"clock"},"why":{"0":"timeout","1":"timeout","2":"timeout"}}'
    )


def test_a_missing_end_of_the_last_line_is_forgiven() -> None:
    assert verify(TINY_REPLAY[:-1], TINY_GAMES).moves == verify(TINY_REPLAY, TINY_GAMES).moves


# Freedom of the format: grouping and spelling of outcomes


def test_faces_may_stand_as_one_string() -> None:
    def as_string(lines: list[View]) -> None:
        for line in lines:
            if "faces" in line:
                line["faces"] = "".join(line["faces"])

    assert verify(forge(TINY_REPLAY, as_string), TINY_GAMES).forfeited == [1]
    assert verify(forge(COIN_REPLAY, as_string), TINY_GAMES).game == "coin"


def split_draws(lines: list[View]) -> None:
    """A line for every single outcome."""
    apart: list[View] = []
    for line in lines:
        count = len(line["draw"]) if "draw" in line else 0
        if not count:
            apart.append(line)
        for i in range(count):
            apart.append(
                {key: [value[i]] if isinstance(value, list) else value for key, value in line.items()}
            )
    lines[:] = apart
    renumber(lines)


def join_draws(lines: list[View]) -> None:
    """Neighbouring lines of one stream as one."""
    together: list[View] = []
    for line in lines:
        before = together[-1] if together else {}
        if "chance" in line and before.get("chance") == line["chance"]:
            for key in ("slots", "faces", "from", "draw"):
                if key in line:
                    before[key] = before[key] + line[key]
        else:
            together.append(line)
    lines[:] = together
    renumber(lines)


def test_draws_may_be_grouped_otherwise() -> None:
    apart = forge(TINY_REPLAY, split_draws)
    assert len(apart.splitlines()) > len(TINY_REPLAY.splitlines())
    verify(apart, TINY_GAMES)
    joined = forge(COIN_REPLAY, join_draws)
    assert len(joined.splitlines()) == len(COIN_REPLAY.splitlines()) - 1
    verify(joined, TINY_GAMES)
    assert forge(apart, join_draws) == TINY_REPLAY


def test_a_joined_line_is_still_held_to_the_seed() -> None:
    joined = forge(COIN_REPLAY, join_draws)
    lie = refusal(forge(joined, lambda lines: lines[1]["draw"][1].__setitem__(0, 1 - lines[1]["draw"][1][0])))
    assert lie.line == 2
    assert "the seed and the rules give" in lie.message


# Telling a replay


def test_a_walk_gives_every_step_with_its_sightings_and_position() -> None:
    steps = walk(TINY_REPLAY, TINY_GAMES)
    assert steps.header.seats == 3
    assert steps.state.view(None)["turns"] == 0
    told = [
        (step.n, type(step.event), len(step.sightings), step.state.view(None)["turns"])
        for step in steps.steps()
    ]
    assert told[:3] == [(0, Drawn, 3, 0), (1, Decided, 1, 1), (2, Decided, 1, 2)]
    assert [n for n, *_ in told] == list(range(len(lines_of(TINY_REPLAY)) - 2))


def test_a_walk_stops_at_the_lie() -> None:
    forged = forge(TINY_REPLAY, lambda lines: lines[4].update(n=99))
    steps = walk(forged, TINY_GAMES).steps()
    assert [next(steps).n for _ in range(3)] == [0, 1, 2]
    with pytest.raises(Lie, match="line 5: n is 99"):
        next(steps)


def test_a_replay_of_a_game_that_is_not_here_is_refused() -> None:
    games: dict[str, Any] = {"coin": COIN}
    with pytest.raises(Lie, match="game is 'tiny'; it should be one of: coin"):
        verify(TINY_REPLAY, games)


def test_sealing_what_was_taken_apart_gives_the_same_bytes() -> None:
    assert seal(lines_of(TINY_REPLAY)) == TINY_REPLAY
    assert seal(lines_of(COIN_REPLAY)) == COIN_REPLAY
