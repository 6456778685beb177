"""What pages show, ready to be written out. Times are whole milliseconds since 1970, UTC."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from web.drawing import Bar, Curve
from web.paging import Page


class Named(Protocol):
    """Anybody with a full name ``owner/name``."""

    @property
    def owner(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Player:
    owner: str
    name: str
    kind: str
    version: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A place on a leaderboard. ``trend``: change of ``shown`` over the last ten games; None: too few."""

    rank: int
    owner: str
    name: str
    kind: str
    mean: float
    deviation: float
    shown: float
    games: int
    provisional: bool
    trend: float | None


@dataclass(frozen=True, slots=True)
class LadderCard:
    """A ladder in short. ``entered``: its players; ``rated``: those with a game that counted, and so a rank.

    ``tables`` counts its rated, finished ones. ``together``: what it rates are sets of tables on one
    deal, each of them an entrant's own.
    """

    name: str
    title: str
    game: str
    variant: str
    open: bool
    entered: int
    rated: int
    tables: int
    top: Sequence[Standing]
    together: bool

    @property
    def unit(self) -> str:
        """What a rating moves by."""
        return "set" if self.together else "table"


@dataclass(frozen=True, slots=True)
class RatingMove:
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat of a table; ``placement`` (0 best) and ``score`` are None until the end."""

    seat: int
    owner: str
    name: str
    version: int
    placement: int | None = None
    score: int | None = None
    forfeit: str | None = None
    strikes: int = 0
    rating: RatingMove | None = None


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in a list; ``at`` is when it last changed its state, ``ties`` what broke each tie in score.

    ``together``: it has so many seats, all of them those of the one entrant in ``seats``; 0: it has not.
    """

    id: str
    ladder: str | None
    game: str
    variant: str
    rated: bool
    state: str
    at: int
    seats: Sequence[SeatLine]
    ties: Sequence[str] = ()
    together: int = 0

    @property
    def seats_by_place(self) -> list[SeatLine]:
        return by_place(self.seats)


def by_place(seats: Sequence[SeatLine]) -> list[SeatLine]:
    """Winners first; seat order among equals and while nothing is decided."""
    return sorted(seats, key=lambda seat: (seat.placement or 0, seat.seat))


@dataclass(frozen=True, slots=True)
class LeagueCard:
    """A league in short. ``season`` and ``round`` are 0 before there is one."""

    id: int
    name: str
    ladder: str
    seats: int
    season: int
    round: int
    rounds: int
    next_round: int | None


@dataclass(frozen=True, slots=True)
class Home:
    """``players``: entered on any ladder."""

    now: int
    address: str
    players: int
    tables: int
    running: int
    ladders: Sequence[LadderCard]
    recent: Sequence[TableLine]
    leagues: Sequence[LeagueCard]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """``score``: its mean where tables are played together; None: they are not, or it has none."""

    standing: Standing
    bar: Bar
    score: float | None = None


@dataclass(frozen=True, slots=True)
class LeaderBoard:
    """``newcomer``: about how long a bot that joins now waits for its first table; empty: there is no telling."""

    now: int
    ladder: LadderCard
    search: str
    page: Page
    rows: Sequence[BoardRow]
    recent: Sequence[TableLine]
    newcomer: str


@dataclass(frozen=True, slots=True)
class FairnessLine:
    """A figure in words; ``promised`` is empty where nothing is, ``kept`` says whether it is."""

    text: str
    value: str
    promised: str
    kept: bool


@dataclass(frozen=True, slots=True)
class FairnessSheet:
    """How even a ladder's tables were. ``cut``: only the latest tables were looked at."""

    ladder: LadderCard
    players: int
    tables: int
    cut: bool
    lines: Sequence[FairnessLine]


@dataclass(frozen=True, slots=True)
class Move:
    """Why a rating moved: one sentence, how its table ended, and which table it was, if any."""

    change: float
    sentence: str
    order: str
    at: int
    table: str | None


@dataclass(frozen=True, slots=True)
class Opponent:
    """How often a player came in ahead of, level with and behind an opponent."""

    owner: str
    name: str
    ahead: int
    level: int
    behind: int


@dataclass(frozen=True, slots=True)
class SeatStrength:
    """How a player fared on one seat. ``share``: of its opponents left behind, half for each that was level."""

    games: int
    share: float


@dataclass(frozen=True, slots=True)
class SizeStrength:
    """How a player fared at tables of ``size``; by seat, None where it has not sat there yet."""

    size: int
    seats: Sequence[SeatStrength | None]
    together: SeatStrength


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """``turn``: when it plays next, a clause; empty: nobody can say. ``page``: that of the leaderboard on which
    the player stands. ``sittings``: tables that its strengths
    are taken from. ``bots``: those of a team."""

    now: int
    ladder: LadderCard
    player: Player
    standing: Standing | None
    turn: str
    page: int
    curve: Curve | None
    points: int
    curve_is_partial: bool
    moves: Sequence[Move]
    opponents: Sequence[Opponent]
    strengths: Sequence[SizeStrength]
    sittings: int
    recent: Sequence[TableLine]
    bots: Sequence[Named]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a league's standings; ``meaning`` says how it breaks ties, empty if it does not."""

    label: str
    meaning: str


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line of a league's standings; ``values`` as its columns. ``move``: 1 goes up, -1 down, when all is over."""

    rank: int
    owner: str
    name: str
    values: Sequence[str]
    move: int = 0
    left: bool = False


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """``number`` 0: the league has no divisions."""

    number: int
    lines: Sequence[StandingLine]


@dataclass(frozen=True, slots=True)
class RoundLine:
    number: int
    opened_at: int
    state: str
    tables: int
    done: int


@dataclass(frozen=True, slots=True)
class LeagueHead:
    id: int
    name: str
    ladder: str
    cron: str
    zone: str
    seats: int
    tables_each: int
    rounds: int
    division_size: int
    movers: int
    join_rounds: int | None
    repeats: bool
    together: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """The next round and what is left of a season: ``tables`` and when they have been played. ``ends_at``,
    ``season_ends_at``: None while no table was played by which to tell."""

    tables: int
    ends_at: int | None
    season_tables: int
    season_ends_at: int | None


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """One season of a league; ``season`` None: there has been none yet. ``entered``: players in it.
    ``outlook``: what is to come of it, if that can be told."""

    now: int
    league: LeagueHead
    season: int | None
    state: str
    entered: int
    registration_until: int | None
    seasons: Sequence[int]
    next_round: int | None
    rounds: Sequence[RoundLine]
    columns: Sequence[Column]
    standings: Sequence[DivisionTable]
    outlook: Outlook | None
    recent: Sequence[TableLine]
