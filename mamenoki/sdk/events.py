"""What a client tells whoever runs it."""

from dataclasses import dataclass

from mamenoki.sdk.bot import Result, Seat


@dataclass(frozen=True, slots=True)
class Connected:
    """The server has welcomed the bot under its full name, for so many matches at once."""

    player: str
    places: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """There is no connection; the next try is in ``retry_s`` seconds. ``before``: there has been one."""

    why: str
    retry_s: float
    before: bool


@dataclass(frozen=True, slots=True)
class Draining:
    """The server is going down and asks to come back after ``retry_s`` seconds."""

    retry_s: float


@dataclass(frozen=True, slots=True)
class Benched:
    """The server begins no match with this bot for so long, because it let others wait."""

    left_s: float
    why: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """This client takes no new match and ends when the ``matches`` in play have."""

    matches: int


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The bot sits down. ``resumed``: it was in this match before the connection was lost."""

    seat: Seat
    resumed: bool


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match is over."""

    seat: Seat
    result: Result


@dataclass(frozen=True, slots=True)
class AnswerRefused:
    """An answer did not count, and why; ``tries_left`` before the clock plays."""

    seat: Seat
    message: str
    tries_left: int


@dataclass(frozen=True, slots=True)
class BotRaised:
    """The bot raised; its seat is resigned. ``trace`` is the traceback."""

    seat: Seat
    trace: str


Event = (
    Connected
    | Disconnected
    | Draining
    | Benched
    | Leaving
    | MatchStarted
    | MatchEnded
    | AnswerRefused
    | BotRaised
)
