"""Matches in this process, under the same referee as the server's.

Nothing here reads a clock unless it is given one, so the same table and the same
bots give the same replay, byte for byte.
"""

import asyncio
import hashlib
import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Self

from engine_service.core.clock import UNLIMITED, Limits
from engine_service.core.game import NotYourTurn, check_seats, configure
from engine_service.core.referee import Decision as Owed
from engine_service.core.referee import Outcome, Referee
from engine_service.core.refusals import Misread, NotAllowed
from engine_service.games import find
from mamenoki.sdk.bot import Bot, Decision, Json, Result, Seat
from mamenoki.sdk.traces import trace_of

Clock = Callable[[], int]
"""Monotonic milliseconds."""


def still() -> int:
    """A clock that stands: every answer takes 0 ms."""
    return 0


def running() -> int:
    """The machine's monotonic clock, to try a bot against the server's limits."""
    return time.monotonic_ns() // 1_000_000


class Resigned(Exception):
    """Raised by a player of a local match who gives its seat up on purpose; it is no fault."""


@dataclass(frozen=True, slots=True)
class Table:
    """One match to play. ``game`` is ``mushi`` or ``mushi/standard``; ``seed`` the match's 32 bytes."""

    match: str
    game: str
    players: Sequence[str]
    seed: bytes
    config: Mapping[str, Json] = field(default_factory=dict)
    limits: Limits = UNLIMITED


@dataclass(frozen=True, slots=True)
class Fault:
    """Something a bot did that its author should see.

    ``raised`` (the message is a traceback; the seat is forfeited), ``refused`` (an answer
    that does not count) or ``late`` (the clock had moved already).
    """

    kind: Literal["raised", "refused", "late"]
    match: str
    seat: int
    message: str


@dataclass(slots=True)
class Thinking:
    """What one seat's bot used: decisions asked and nanoseconds in ``choose``."""

    decisions: int = 0
    ns: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match: ``replay`` is its record, JSON Lines as docs/replay.md says."""

    table: Table
    outcome: Outcome
    replay: bytes
    thinking: list[Thinking]
    faults: list[Fault]


def play_match(table: Table, bots: Sequence[Bot], clock: Clock = still) -> Played:
    """Play a match with one bot a seat, seat 0 first.

    Raises ConfigError for a game, setting or seat count that there is not. A bot's
    exception forfeits its seat and is reported in ``faults``; it does not come out.
    """
    with _Match(table, bots, clock) as match:
        return match.run()


def match_seed(seed: int, index: int) -> bytes:
    """The 32-byte seed of the ``index``-th match of a series that one number names."""
    return hashlib.sha256(f"mamenoki/series/{seed}/{index}".encode()).digest()


def bot_seed(seed: bytes, seat: int) -> int:
    """A seat's own dice: 63 bits that tell nothing of the match's seed they come from."""
    return int.from_bytes(hashlib.sha256(seed + f"/bot/{seat}".encode()).digest()[:8], "big") >> 1


class _Match:
    def __init__(self, table: Table, bots: Sequence[Bot], clock: Clock) -> None:
        self._table, self._bots, self._clock = table, bots, clock
        self._game, self._variant = find(table.game)
        check_seats(self._variant, len(bots))
        self._config = configure(self._variant, table.config)
        self._thinking = [Thinking() for _ in bots]
        self._faults: list[Fault] = []
        self._seen = [0] * len(bots)
        self._gone: set[int] = set()
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.close()

    def run(self) -> Played:
        self._referee = self._open()
        for seat, bot in enumerate(self._bots):
            self._call(seat, lambda bot=bot, seat=seat: bot.start(self._seat(seat)))  # type: ignore[misc]
        while not self._referee.over:
            for seat in self._referee.fresh():
                self._settle(seat)
        self._finish()
        outcome = self._referee.result
        return Played(self._table, outcome, self._referee.replay(), self._thinking, self._faults)

    def _open(self) -> Referee:
        return Referee(
            match=self._table.match,
            game=self._game,
            variant=self._variant.name,
            config=self._config,
            seats=len(self._bots),
            players=self._table.players,
            seed=self._table.seed,
            limits=[self._table.limits] * len(self._bots),
            now=self._clock(),
        )

    def _seat(self, seat: int) -> Seat:
        limits = self._table.limits
        return Seat(
            match=self._table.match,
            seat=seat,
            game=self._game.card.id,
            variant=self._variant.name,
            config=dict(self._config),
            players=list(self._table.players),
            first_ms=limits.first_ms,
            move_ms=limits.move_ms,
            bank_ms=limits.bank_ms,
            seed=bot_seed(self._table.seed, seat),
        )

    def _settle(self, seat: int) -> None:
        """Ask until the decision that is open for the seat is closed, by the bot or by the clock."""
        owed = self._referee.decision(seat)
        while owed is not None and self._answer(seat, owed) > 0:
            owed = self._referee.decision(seat)

    def _answer(self, seat: int, owed: Owed) -> int:
        """Ask once. How many tries are left for the same decision; 0: it is closed."""
        asked = self._decision(seat, owed)
        text = self._call(seat, lambda: self._choose(seat, asked))
        if seat in self._gone:
            return 0
        try:
            self._referee.submit(seat, owed.id, text if isinstance(text, str) else repr(text), self._clock())
        except (Misread, NotAllowed) as error:
            self._note("refused", seat, f"decision {owed.id}: {error}")
            return error.tries_left
        except NotYourTurn as error:
            self._note("late", seat, str(error))
        return 0

    def _decision(self, seat: int, owed: Owed) -> Decision:
        shown = self._referee.sightings(seat, self._seen[seat])
        self._seen[seat] = self._referee.sighting_count
        left = None if owed.deadline_ms is None else owed.deadline_ms - owed.bank_ms - self._clock()
        return Decision(
            id=owed.id,
            legal=list(owed.legal),
            view=self._referee.view(seat),
            sightings=[event for _, event in shown],
            left_ms=None if left is None else max(0, left),
            bank_ms=owed.bank_ms,
        )

    def _choose(self, seat: int, asked: Decision) -> object:
        thinking = self._thinking[seat]
        began = time.perf_counter_ns()
        try:
            answer = self._bots[seat].choose(asked)
            return self._runner.run(_await(answer)) if inspect.isawaitable(answer) else answer
        finally:
            thinking.decisions += 1
            thinking.ns += time.perf_counter_ns() - began

    def _call(self, seat: int, call: Callable[[], object]) -> object:
        try:
            return call()
        except Resigned:
            self._give_up(seat, "resigned")
            return None
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a bot raises is the end of its seat alone
            self._note("raised", seat, trace_of(error))
            self._give_up(seat, "crash")
            return None

    def _give_up(self, seat: int, why: str) -> None:
        self._gone.add(seat)
        self._referee.forfeit(seat, why, self._clock())

    def _finish(self) -> None:
        outcome = self._referee.result
        for seat, bot in enumerate(self._bots):
            if seat in self._gone:
                continue
            try:
                bot.finish(result_of(outcome, seat))
            except Exception as error:  # noqa: BLE001  as above; there is nothing left to forfeit
                self._note("raised", seat, trace_of(error))

    def _note(self, kind: Literal["raised", "refused", "late"], seat: int, message: str) -> None:
        self._faults.append(Fault(kind, self._table.match, seat, message))


async def _await(answer: object) -> object:
    return await answer  # type: ignore[misc]  # checked by the caller


def result_of(outcome: Outcome, seat: int) -> Result:
    """A referee's outcome as one seat's bot is told it."""
    return Result(
        end=outcome.end,
        scores=list(outcome.scores),
        ranks=list(outcome.ranks),
        placements=list(outcome.placements),
        forfeit=outcome.forfeits.get(seat),
    )
