"""A finished match told step by step: plain sentences, and what a spectator saw."""

from collections.abc import Callable
from dataclasses import dataclass

from engine_service.core.record import Decided
from engine_service.core.replay import Header, walk
from engine_service.core.replay import Step as Walked
from engine_service.games import GAMES
from mamenoki.sdk.bot import Json


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a replay, ``n`` counting from 0 as there.

    ``sentences`` tell it in plain English, at least one, hidden things included: the match
    is over. ``view`` is the public view after it, ``clock`` the seats for which the clock
    moved, with the reason.
    """

    n: int
    sentences: list[str]
    view: dict[str, Json]
    clock: dict[int, str]


WHY = {
    "timeout": "out of time",
    "crash": "the bot died",
    "illegal": "three answers refused",
    "disconnect": "no connection",
    "forfeited": "seat given up",
}


def story(lines: bytes) -> list[Step]:
    """Every event of a finished replay, in order.

    Re-runs the replay, so it raises :class:`engine_service.core.replay.Lie` where
    ``verify`` would.
    """
    walked = walk(lines, GAMES)
    name = short_names(walked.header.players).__getitem__
    return [_step(walked.header, step, name) for step in walked.steps()]


def short_names(players: list[str]) -> list[str]:
    """What to call the players in a sentence: the bot alone where that is clear, else its full name."""
    shorts = [player.rpartition("/")[2].partition("@")[0] for player in players]
    return [
        short if shorts.count(short) == 1 else _with_seat(players, seat) for seat, short in enumerate(shorts)
    ]


def _with_seat(players: list[str], seat: int) -> str:
    full = players[seat]
    return full if players.count(full) == 1 else f"{full} (seat {seat})"


def _step(header: Header, step: Walked, name: Callable[[int], str]) -> Step:
    clock = dict(step.event.why) if isinstance(step.event, Decided) else {}
    sentences = [header.game.tell(sighting.event, name) for sighting in step.sightings]
    sentences += [f"(The clock moved for {name(seat)}: {WHY.get(why, why)}.)" for seat, why in clock.items()]
    return Step(step.n, sentences, step.state.view(None), clock)
