"""What a bot is: a class with one method.

::

    from mamenoki.sdk import Bot, Decision

    class MyBot(Bot):
        def choose(self, decision: Decision) -> str:
            return decision.legal[0]

One object sits at one seat of one match, so attributes of ``self`` are that
seat's memory. ``choose`` may be ``async def``. The same class plays in
``mamenoki play`` on a laptop and in ``mamenoki connect`` on a server.
"""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

Json = Any
"""Plain data: None, bool, int, str, and lists and str-keyed dicts of them. No floats."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The place that a bot takes, told once before the first decision.

    ``players`` names everybody, seat 0 first. ``config`` has every key of the game's
    variant. The limits are milliseconds, None for no limit: ``first_ms`` for the first
    answer, ``move_ms`` for each later one; what is used beyond a limit is taken from
    ``bank_ms``. ``seed`` is for the bot's own dice and has nothing to do with the
    match's chance.
    """

    match: str
    seat: int
    game: str
    variant: str
    config: dict[str, Json]
    players: list[str]
    first_ms: int | None
    move_ms: int | None
    bank_ms: int
    seed: int


@dataclass(slots=True)
class Decision:
    """What a seat owes: one of ``legal``, exactly as it is written there.

    ``legal`` is never empty and in the game's canonical order. ``view`` is what this
    seat may see now. ``sightings`` are the events shown to it since the last decision
    that the bot was asked for, oldest first; each has the key ``"event"``.
    ``left_ms`` is the time until the bank is touched (None: no limit), ``bank_ms`` what
    the bank holds.
    """

    id: int
    legal: list[str]
    view: dict[str, Json]
    sightings: list[dict[str, Json]]
    left_ms: int | None
    bank_ms: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, told once.

    ``end`` is ``normal``, ``turn_limit``, ``void``, ``aborted``, or ``lost`` when the
    match ended while this client was away and nobody said how; the lists are empty for
    the last three. ``ranks`` are by the rules alone (0 best, equal is a tie),
    ``placements`` with forfeited seats last. ``forfeit`` is why this seat was forfeited.
    """

    end: str
    scores: list[int]
    ranks: list[int]
    placements: list[int]
    forfeit: str | None


class Bot:
    """A bot at one seat of one match. Override :meth:`choose`; the rest is optional.

    The calls come one after another, never two at once: ``__init__``, ``start``, any
    number of ``choose``, ``finish``. An exception out of any of them but ``finish``
    gives the seat up (``crash`` or ``resigned``), its traceback goes to the author, and
    the bot is not called again.
    """

    def __init__(self, **settings: Json) -> None:
        """``settings`` are the named ones of ``program:key=value``; none by default."""
        self.settings = settings

    def start(self, seat: Seat) -> None:
        """The seat is taken; nothing has to be answered yet."""

    def choose(self, decision: Decision) -> str | Awaitable[str]:
        """One of ``decision.legal``.

        Anything else is refused; the bot is asked again, and at the third refusal the
        clock plays the game's default move. Three such moves forfeit the seat.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how to choose")

    def finish(self, result: Result) -> None:
        """The match is over; nothing is asked any more."""
