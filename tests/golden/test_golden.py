"""Replays that are kept: each must verify, for ever, and be written again to the byte."""

import json
import re
from pathlib import Path

import pytest

import engine_service.games
from engine_service.core.clock import UNLIMITED, Limits
from engine_service.core.game import View
from engine_service.core.notation import notation_of
from engine_service.core.record import Decided, Drawn, Event, write
from engine_service.core.referee import Referee
from engine_service.core.replay import Lie, Walk, verify
from engine_service.games import GAMES
from tests.golden.make import ANNOTATED, HERE, path_of, plan
from tests.laws.cases import ALL_GAMES, Case

GAMES_FOLDER = Path(engine_service.games.__file__).parent
SHARED = sorted((HERE / "shared").glob("*.jsonl"))
LIES = sorted((HERE / "lies").glob("*.jsonl"))
KEPT = sorted(path for path in HERE.glob("*/*/*.jsonl")) + SHARED


def title(path: Path) -> str:
    return path.relative_to(HERE).with_suffix("").as_posix()


every_kept = pytest.mark.parametrize("path", KEPT, ids=title)


def lines_of(path: Path) -> list[View]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_every_game_has_golden_replays_of_its_rules_version() -> None:
    missing = [title(path_of(case)) for case in plan() if not path_of(case).exists()]
    assert not missing, "make them with python -m tests.golden.make, and read them"


def test_every_game_has_replays_made_by_another_program() -> None:
    assert {path.name.partition("-")[0] for path in SHARED} == set(GAMES)


@every_kept
def test_it_verifies(path: Path) -> None:
    verified = verify(path.read_bytes(), ALL_GAMES)
    end = lines_of(path)[-1]
    assert (verified.scores, verified.ranks, verified.end) == (end["scores"], end["ranks"], end["end"])


@every_kept
def test_it_is_written_again_to_the_byte(path: Path) -> None:
    data = path.read_bytes()
    walk = Walk(data, ALL_GAMES)
    events = [event for step in walk.steps() if not is_empty(event := step.event)]
    over = walk.state.pending()
    seed = walk.end.seed
    assert write(lines_of(path)[0], events, over, seed, notation_of(walk.header.game)) == data  # type: ignore[arg-type]  # a finished walk is over


def is_empty(event: Event) -> bool:
    """A step of chance that draws nothing has no line."""
    return isinstance(event, Drawn) and not event.outcome


@pytest.mark.parametrize("path", SHARED, ids=title)
def test_a_referee_plays_it_again_to_the_byte(path: Path) -> None:
    """Its moves and times, with its time-outs as time-outs, through a referee of our own."""
    data = path.read_bytes()
    walk = Walk(data, ALL_GAMES)
    referee = referee_like(walk, Limits(3_000, 3_000, 0))
    for step in walk.steps():
        if isinstance(step.event, Decided):
            repeat(referee, step.event)
    assert referee.replay() == data


def referee_like(walk: Walk, limits: Limits = UNLIMITED) -> Referee:
    header = walk.header
    return Referee(
        match=header.match,
        game=header.game,
        variant=header.variant,
        config=header.config,
        seats=header.seats,
        players=header.players,
        seed=walk.end.seed,
        limits=[limits] * header.seats,
        now=0,
    )


def repeat(referee: Referee, decided: Decided) -> None:
    for seat, code in decided.moves.items():
        decision = referee.decision(seat)
        assert decision is not None
        now = decision.opened_ms + decided.ms[seat]
        if decided.why.get(seat) == "timeout":
            referee.expire(now)
        else:
            referee.submit(seat, decision.id, decision.legal[decision.codes.index(code)], now)


@pytest.mark.parametrize("path", LIES, ids=title)
def test_a_recorded_lie_is_refused_on_its_line(path: Path) -> None:
    with pytest.raises(Lie) as lie:
        verify(path.read_bytes(), ALL_GAMES)
    assert str(lie.value.line) == path.stem.rpartition("-")[2]


def test_the_lies_are_told() -> None:
    assert len(LIES) == 3
    told = {}
    for path in LIES:
        with pytest.raises(Lie) as lie:
            verify(path.read_bytes(), ALL_GAMES)
        told[path.stem] = str(lie.value)
    assert re.search(
        r"line 17: outcome 2 of dice/2 is \[0, 6\]; the seed .* give \[1, 6\]", told["mushi-outcome-line-17"]
    )
    assert re.search(r"line 45: seat 1 plays 'boost RY', which is illegal", told["mushi-move-line-45"])
    assert re.search(r"line 60: ranks is \[0, 0\]; it should be \[1, 0\]", told["mushi-rank-line-60"])


def test_the_golden_replays_show_every_way_a_move_comes_about() -> None:
    """Else they would not protect how it is written down."""
    why = {reason for path in KEPT for line in lines_of(path) for reason in line.get("why", {}).values()}
    assert why == {"timeout", "crash", "illegal", "disconnect", "forfeited"}


@pytest.mark.parametrize("case", ANNOTATED, ids=lambda case: case.name)
def test_what_the_readme_tells_is_what_the_match_was(case: Case) -> None:
    readme = (GAMES_FOLDER / case.game.card.id / "MATCH.md").read_text(encoding="utf-8")
    lines = lines_of(path_of(case))
    rows = re.findall(r"^\| (\d+)(?:-(\d+))? \|", readme, re.MULTILINE)
    told = [n for first, last in rows for n in range(int(first), int(last or first) + 1)]
    assert told == [line["n"] for line in lines[1:-1]]
    assert f"scores {' and '.join(str(score) for score in lines[-1]['scores'])}" in readme


def test_every_game_has_a_match_that_is_told() -> None:
    assert {case.game.card.id for case in ANNOTATED} == set(GAMES)
