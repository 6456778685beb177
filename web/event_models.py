"""What the pages of events show, ready to be written out."""

from collections.abc import Sequence
from dataclasses import dataclass

from web.models import Column, StandingLine


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event in short. ``stages``: their formats in words."""

    id: int
    name: str
    ladder: str
    state: str
    entrants: int
    stages: Sequence[str]


@dataclass(frozen=True, slots=True)
class EventHall:
    """A page of events, newest first. ``older``: the id after which the next page goes on; ``is_later``: this is
    not the first."""

    events: Sequence[EventCard]
    older: int | None
    is_later: bool


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """``seed``: from 1, the best; None: not seeded yet. ``gone``: it has withdrawn."""

    seed: int | None
    owner: str
    name: str
    version: str
    gone: bool


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """One of a match's company. ``place``: 0 best, None while it is open; ``fate``: what becomes of it, in
    words, empty where that is open or goes without saying."""

    owner: str
    name: str
    place: int | None
    fate: str
    stays: bool


@dataclass(frozen=True, slots=True)
class GameLink:
    """A table of a match: its number in it, from 1, and its state (planned, running, done, void)."""

    number: int
    id: str
    state: str


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match. ``is_bye``: one that has nobody to meet, and goes on."""

    slot: str
    is_bye: bool
    is_settled: bool
    seats: Sequence[MatchSeat]
    games: Sequence[GameLink]


@dataclass(frozen=True, slots=True)
class RoundColumn:
    title: str
    matches: Sequence[MatchCard]


@dataclass(frozen=True, slots=True)
class Bracket:
    """Rounds that stand side by side; ``title`` is empty where a stage has only one such row of them."""

    title: str
    rounds: Sequence[RoundColumn]


@dataclass(frozen=True, slots=True)
class GroupTable:
    """Standings. ``number`` 0: the stage has no groups."""

    number: int
    lines: Sequence[StandingLine]


@dataclass(frozen=True, slots=True)
class StageSheet:
    """A stage. ``rules``: how it is played, in sentences; ``state``: to come, being played, over.
    ``has_report``: it can be had as a tournament report."""

    number: int
    title: str
    rules: Sequence[str]
    state: str
    brackets: Sequence[Bracket]
    columns: Sequence[Column]
    groups: Sequence[GroupTable]
    has_report: bool


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """What was put right: which table's game, by whom, why."""

    slot: str
    actor: str
    reason: str


@dataclass(frozen=True, slots=True)
class EventPage:
    """``lots``: the published seed, by which lots and seedings at random were drawn. ``winner``: None until
    the event is over."""

    event: EventCard
    lots: str
    winner: EntrantLine | None
    entrants: Sequence[EntrantLine]
    stages: Sequence[StageSheet]
    corrections: Sequence[CorrectionLine]
