"""One match with a person at the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import engine_service.games
from engine_service.core.replay import walk
from engine_service.games import GAMES, find
from mamenoki.sdk.bot import Bot
from mamenoki.sdk.local import Played, Table, play_match
from mamenoki.terminal.person import Person, Screen

YOUR_NAME = "local/guest@1"
HOW_TO_PLAY = "## How it is played"


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table with the person's seat among the bots': these in the order of the other seats."""

    table: Table
    seat: int
    bots: Sequence[Bot]


def sit_down(sitting: Sitting, screen: Screen) -> Played:
    """Play to the end; a person who resigns is told no more than how it ended."""
    person = Person(screen, rules_of(sitting.table.game))
    seats: list[Bot] = [*sitting.bots[: sitting.seat], person, *sitting.bots[sitting.seat :]]
    played = play_match(sitting.table, seats)
    unheard = _unheard(played, sitting.seat, person.heard)
    person.hear(unheard[-1:] if sitting.seat in played.outcome.forfeits else unheard)
    return played


def rules_of(game: str) -> str:
    """How the game is played, from its README; a word of apology where that has no such section."""
    folder = Path(engine_service.games.__file__).parent / find(game)[0].card.id
    try:
        text = (folder / "README.md").read_text(encoding="utf-8")
    except OSError:
        return f"{game} has no rules to read here."
    _, heading, rest = text.partition(HOW_TO_PLAY)
    return rest.partition("\n## ")[0].strip() if heading else text


def _unheard(played: Played, seat: int, heard: int) -> list[dict[str, object]]:
    """What the seat was shown after it had been asked for the last time."""
    shown = [sighting for step in walk(played.replay, GAMES).steps() for sighting in step.sightings]
    own = [one.event for one in shown if one.audience is None or seat in one.audience]
    return own[heard:]
