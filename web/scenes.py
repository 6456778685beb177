"""What the pages of tables show. Times are whole milliseconds since 1970, UTC."""

from collections.abc import Sequence
from dataclasses import dataclass

from web.boards.board import Piece, View
from web.models import Named, RatingMove, SeatLine, TableLine
from web.viewing.drawing import LiveScene


@dataclass(frozen=True, slots=True)
class FailedTry:
    """A try at a table that came to nothing, and whose fault it was."""

    number: int
    why: str


@dataclass(frozen=True, slots=True)
class Hall:
    """The list of tables. ``older``: what to ask for the next page; None: this is the last.

    ``more_run``: more are in play than those in ``running``.
    """

    now: int
    running: Sequence[TableLine]
    ended: Sequence[TableLine]
    older: str | None
    is_later: bool
    more_run: bool


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A sentence, the replay's step it belongs to, and whether it is the first of that step."""

    step: int
    anchor: bool
    sentence: str
    tone: str
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class StoryTurn:
    """A turn's sentences; number 0 is the set-up. ``after``: where things stand at its end."""

    number: int
    player: Named | None
    lines: Sequence[StoryLine]
    after: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Story:
    """A match told. ``end``: the last public view; None: it is not told."""

    turns: Sequence[StoryTurn] = ()
    end: View | None = None


@dataclass(frozen=True, slots=True)
class TableHead:
    id: str
    ladder: str | None
    game: str
    variant: str
    rated: bool
    state: str
    attempt: int
    commitment: str
    planned_at: int
    claimed_at: int | None
    ended_at: int | None
    void_reason: str | None


@dataclass(frozen=True, slots=True)
class SetLine:
    """A table of a set: whose it is, how it stands, what it scored, and its place among the others' so far."""

    id: str
    state: str
    entrant: Named
    score: int | None
    placement: int | None
    rating: RatingMove | None
    is_this: bool


@dataclass(frozen=True, slots=True)
class SetScene:
    """The tables on one deal, side by side; those with a result first. ``deal``: times it was dealt.

    ``replaced_by``: a table of the set that it was dealt anew as.
    """

    state: str
    deal: int
    void_reason: str | None
    replaced_by: str | None
    lines: Sequence[SetLine]


@dataclass(frozen=True, slots=True)
class Scene:
    """One table's page.

    ``live``: how a table in play stands now, as far as everybody may know. ``withheld`` says why a finished table has no story, if it has none. ``ties``: what broke each tie in score.
    ``shared``: the set of a table whose seats are all one entrant's.
    """

    now: int
    title: str
    table: TableHead
    seats: Sequence[SeatLine]
    moving: bool
    any_rating: bool
    end_sentence: str
    ties: Sequence[str]
    moves: int | None
    seed: str | None
    story: Sequence[StoryTurn]
    live: LiveScene | None
    sprite: str
    withheld: str
    tries: Sequence[FailedTry]
    shared: SetScene | None = None
