"""Fills seats for the server's own workers: many matches on one stream, batches both ways.

Bots are called in place, one after another, because house bots think for
microseconds to milliseconds and a task or a thread a move would cost more than
the move. All the answers to one incoming message leave in one outgoing message,
unless thinking takes longer than :data:`FLUSH_S`: then what is ready goes ahead.
"""

import random
import secrets
import time
from asyncio import CancelledError, sleep
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grpc import aio

from engine_service.v1 import play_pb2 as pb
from engine_service.v1.play_pb2_grpc import PlayServiceStub
from mamenoki.sdk.bot import Bot, Json, Result, Seat
from mamenoki.sdk.sitting import Key, Sitting, result_of, seat_of
from mamenoki.sdk.traces import trace_of
from mamenoki.sdk.wire import PlayCall, Silence, bearer, pauses, refusal, send

FLUSH_S = 0.02
PATIENCE_S = 5.0
STDERR_LIMIT = 4096
MOST = 512
"""Items of one kind in a message; the server takes no more than 1024."""
NO_SEAT = (pb.Refused.REASON_BAD_TICKET, pb.Refused.REASON_UNKNOWN_SEAT, pb.Refused.REASON_OVER)


@dataclass(frozen=True, slots=True)
class SeatTicket:
    """A seat to fill, as ``MatchService.Start`` gave it."""

    match: str
    seat: int
    ticket: str
    program: str
    settings: dict[str, Json]


MakeBot = Callable[[SeatTicket, Seat], Bot]


@dataclass(slots=True)
class FillReport:
    """What came of the seats: every ticket ends up in ``ended`` or in ``lost`` (with the reason).

    ``crashed`` holds the tracebacks of bots that raised; the server was told.
    """

    ended: dict[Key, Result] = field(default_factory=dict)
    lost: dict[Key, str] = field(default_factory=dict)
    crashed: dict[Key, str] = field(default_factory=dict)
    moves: int = 0
    reconnects: int = 0


async def fill(
    channel: aio.Channel,
    token: str,
    seats_to_fill: Sequence[SeatTicket],
    make_bot: MakeBot,
    *,
    name: str = "bridge",
    patience_s: float = PATIENCE_S,
) -> FillReport:
    """Play all the seats to their ends on one stream.

    A lost connection is tried again for ``patience_s`` seconds with the same bots; then
    the seats that are left are ``lost``. Raises Refused if the server will not have the
    bridge at all, and whatever ``make_bot`` raises: a program that this worker cannot
    make is the worker's fault, never a bot's.
    """
    bridge = _Bridge(channel, token, seats_to_fill, make_bot, name)
    await bridge.run(patience_s)
    return bridge.report


class _Bridge:
    def __init__(
        self,
        channel: aio.Channel,
        token: str,
        seats: Sequence[SeatTicket],
        make_bot: MakeBot,
        name: str,
    ) -> None:
        self._stub = PlayServiceStub(channel)
        self._metadata = bearer(token)
        self._open = {(one.match, one.seat): one for one in seats}
        self._make_bot, self._name = make_bot, name
        self._at: dict[Key, tuple[Sitting, Bot]] = {}
        self._again: list[Key] = []
        self.report = FillReport()

    async def run(self, patience_s: float) -> None:
        wait = pauses(random.Random())
        until = time.monotonic() + patience_s
        while self._open:
            heard = await self._session()
            if heard:
                wait, until = pauses(random.Random()), time.monotonic() + patience_s
            if self._open and not await self._pause(next(wait), until):
                self._lose_all("the connection was lost and did not come back")

    async def _pause(self, seconds: float, until: float) -> bool:
        if time.monotonic() + seconds > until:
            return False
        self.report.reconnects += 1
        await sleep(seconds)
        return True

    def _lose_all(self, why: str) -> None:
        for key in list(self._open):
            self._lose(key, why)

    def _lose(self, key: Key, why: str) -> None:
        if self._open.pop(key, None) is not None:
            self.report.lost[key] = why
            self._at.pop(key, None)

    async def _session(self) -> bool:
        """One connection, to its end. Whether the server said anything."""
        call = self._stub.Play(metadata=self._metadata)
        silence = Silence(call.cancel)
        try:
            await send(call, pb.PlayRequest(bridge=pb.BridgeHello(name=self._name)))
            while self._open and isinstance(response := await call.read(), pb.PlayResponse):
                silence.heard(response)
                await self._respond(call, response)
        except aio.AioRpcError as error:
            if (refused := refusal(error)) is not None:
                raise refused from error
        except CancelledError:
            if not silence.expired:
                raise
        finally:
            silence.stop()
            call.cancel()
        return silence.spoken

    async def _show_tickets(self, call: PlayCall) -> None:
        tickets = [
            pb.Ticket(match=one.match, seat=one.seat, ticket=one.ticket) for one in self._open.values()
        ]
        for first in range(0, len(tickets), MOST):
            await send(call, pb.PlayRequest(tickets=tickets[first : first + MOST]))

    async def _respond(self, call: PlayCall, response: pb.PlayResponse) -> None:
        if response.HasField("welcome"):
            await self._show_tickets(call)
        request = pb.PlayRequest(pong=response.ping)
        began = time.monotonic()
        for started in response.started:
            self._sit(started)
        for refused in response.refused:
            self._refused(refused)
        await self._ask_again(request)
        for update in response.updates:
            await self._update(update, request)
            if len(request.moves) == MOST or time.monotonic() - began > FLUSH_S:
                await send(call, request)
                request, began = pb.PlayRequest(), time.monotonic()
        for ended in response.ended:
            self._end(ended)
        if request.ByteSize():
            await send(call, request)

    def _sit(self, started: pb.Started) -> None:
        key = (started.match, started.seat)
        ticket = self._open.get(key)
        if ticket is None or key in self._at:
            return
        seat = seat_of(started, secrets.randbits(63))
        bot = self._make_bot(ticket, seat)
        self._at[key] = Sitting(seat), bot
        try:
            bot.start(seat)
        except Exception as error:  # noqa: BLE001  told to the server at the seat's first decision
            self.report.crashed[key] = trace_of(error)

    async def _update(self, update: pb.Update, request: pb.PlayRequest) -> None:
        key = (update.match, update.seat)
        if key not in self._at:
            return
        sitting, bot = self._at[key]
        if not sitting.take(update):
            request.recall.add(match=update.match, seat=update.seat)
        elif sitting.open is not None:
            await self._answer(key, sitting, bot, request)

    async def _answer(self, key: Key, sitting: Sitting, bot: Bot, request: pb.PlayRequest) -> None:
        if not sitting.said and key not in self.report.crashed:
            await self._choose(key, sitting, bot)
        if key in self.report.crashed:
            self._crashed(key, request)
        else:
            self.report.moves += 1
            request.moves.add(match=key[0], seat=key[1], decision=sitting.answered, move=sitting.answer)

    async def _choose(self, key: Key, sitting: Sitting, bot: Bot) -> None:
        try:
            answer = bot.choose(sitting.ask())
            sitting.say(answer if isinstance(answer, str) else str(await answer))
        except Exception as error:  # noqa: BLE001  a bot may raise anything; the server is told and the seat forfeited
            self.report.crashed[key] = trace_of(error)

    def _crashed(self, key: Key, request: pb.PlayRequest) -> None:
        tail = self.report.crashed[key].encode()[-STDERR_LIMIT:].decode(errors="replace")
        request.bots_ended.add(match=key[0], seat=key[1], exit_code=1, stderr=tail)

    def _refused(self, refused: pb.Refused) -> None:
        key = (refused.match, refused.seat)
        if refused.reason in NO_SEAT and not refused.decision:
            self._lose(key, refused.message)
        elif key in self._at and self._at[key][0].refused(refused):
            self._again.append(key)

    async def _ask_again(self, request: pb.PlayRequest) -> None:
        again, self._again = self._again, []
        for key in again:
            await self._answer(key, *self._at[key], request)

    def _end(self, ended: pb.Ended) -> None:
        key = (ended.match, ended.seat)
        if self._open.pop(key, None) is None:
            return
        self.report.ended[key] = result = result_of(ended)
        _, bot = self._at.pop(key, (None, None))
        try:
            if bot is not None and key not in self.report.crashed:
                bot.finish(result)
        except Exception as error:  # noqa: BLE001  the match is over; the worker logs what the report says
            self.report.crashed[key] = trace_of(error)
