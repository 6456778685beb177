"""Fills seats for the server's own workers: many matches on one stream, batches both ways.

Bots that answer at once are called in place, one after another, because house bots
think for microseconds to milliseconds and a task or a thread a move would cost more
than the move. All the answers to one incoming message leave in one outgoing message,
unless thinking takes longer than :data:`FLUSH_S`: then what is ready goes ahead. A bot
whose ``choose`` is async is thought to take its time, and holds up no other.
"""

import random
import secrets
import time
from asyncio import CancelledError, Lock, sleep
from collections.abc import Sequence

from grpc import aio

from engine_service.v1 import play_pb2 as pb
from engine_service.v1.play_pb2_grpc import PlayServiceStub
from mamenoki.sdk.bot import Bot
from mamenoki.sdk.errors import BotEnded, HostFault, Resigned
from mamenoki.sdk.sitting import Key, Sitting, result_of, seat_of
from mamenoki.sdk.thoughts import Thoughts
from mamenoki.sdk.tickets import FillReport, HearsRefusals, MakeBot, SeatTicket
from mamenoki.sdk.traces import trace_of
from mamenoki.sdk.wire import PlayCall, Silence, bearer, pauses, refusal, send

FLUSH_S = 0.02
PATIENCE_S = 5.0
STDERR_LIMIT = 4096
MOST = 512
"""Items of one kind in a message; the server takes no more than 1024."""
NO_SEAT = (pb.Refused.REASON_BAD_TICKET, pb.Refused.REASON_UNKNOWN_SEAT, pb.Refused.REASON_OVER)


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
    bridge at all, whatever ``make_bot`` raises, and HostFault from a bot: what this worker
    cannot make or run is the worker's fault, never a bot's.
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
        self._thoughts = Thoughts()
        self._deaths: dict[Key, pb.BotEnded] = {}
        self._resigned: set[Key] = set()
        self._fault: HostFault | None = None
        self._call: PlayCall | None = None
        self._sending = Lock()  # a call takes one write at a time
        self.report = FillReport()

    async def run(self, patience_s: float) -> None:
        """All seats to their ends; nothing of ours thinks on after it."""
        try:
            await self._play_all(patience_s)
        finally:
            await self._thoughts.close()

    async def _play_all(self, patience_s: float) -> None:
        wait = pauses(random.Random())
        until = time.monotonic() + patience_s
        while self._open:
            heard = await self._session()
            if self._fault is not None:
                raise self._fault
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
            self._thoughts.end(key)
            self._at.pop(key, None)

    async def _session(self) -> bool:
        """One connection, to its end. Whether the server said anything."""
        call = self._stub.Play(metadata=self._metadata)
        silence = Silence(call.cancel)
        try:
            await send(call, pb.PlayRequest(bridge=pb.BridgeHello(name=self._name)))
            self._call = call
            while self._open and isinstance(response := await call.read(), pb.PlayResponse):
                silence.heard(response)
                await self._respond(response)
        except aio.AioRpcError as error:
            if (refused := refusal(error)) is not None:
                raise refused from error
        except CancelledError:
            if not silence.expired and self._fault is None:
                raise
        finally:
            self._call = None
            silence.stop()
            call.cancel()
        return silence.spoken

    async def _send(self, request: pb.PlayRequest) -> None:
        """On whatever connection there is; the server asks again what it did not get."""
        async with self._sending:
            if self._call is not None:
                await send(self._call, request)

    async def _show_tickets(self) -> None:
        tickets = [
            pb.Ticket(match=one.match, seat=one.seat, ticket=one.ticket) for one in self._open.values()
        ]
        for first in range(0, len(tickets), MOST):
            await self._send(pb.PlayRequest(tickets=tickets[first : first + MOST]))

    async def _respond(self, response: pb.PlayResponse) -> None:
        if response.HasField("welcome"):
            await self._show_tickets()
        request = pb.PlayRequest(pong=response.ping)
        began = time.monotonic()
        for started in response.started:
            self._sit(started)
        for refused in response.refused:
            self._refused(refused)
        self._ask_again(request)
        for update in response.updates:
            self._update(update, request)
            if len(request.moves) == MOST or time.monotonic() - began > FLUSH_S:
                await self._send(request)
                request, began = pb.PlayRequest(), time.monotonic()
        for ended in response.ended:
            self._end(ended)
        if request.ByteSize():
            await self._send(request)

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
            self._died(key, error)

    def _update(self, update: pb.Update, request: pb.PlayRequest) -> None:
        key = (update.match, update.seat)
        if key not in self._at:
            return
        sitting, bot = self._at[key]
        if not sitting.take(update):
            request.recall.add(match=update.match, seat=update.seat)
            return
        owed = 0 if sitting.open is None else sitting.open.id
        if self._thoughts.about(key) not in (0, owed):
            self._thoughts.end(key)  # the clock has played, or the seat was forfeited
        if owed:
            self._answer(key, sitting, bot, request)

    def _answer(self, key: Key, sitting: Sitting, bot: Bot, request: pb.PlayRequest) -> None:
        if not sitting.said and key not in self._deaths and key not in self._resigned:
            self._ask(key, sitting, bot)
        self._add_answer(key, sitting, request)

    def _add_answer(self, key: Key, sitting: Sitting, request: pb.PlayRequest) -> None:
        if key in self._deaths:
            request.bots_ended.append(self._deaths[key])
        elif key in self._resigned:
            request.resigned.add(match=key[0], seat=key[1])
        elif sitting.said:
            self.report.moves += 1
            request.moves.add(match=key[0], seat=key[1], decision=sitting.answered, move=sitting.answer)

    def _ask(self, key: Key, sitting: Sitting, bot: Bot) -> None:
        """Lets the bot choose: at once, or in a thought of its own."""
        if sitting.open is None or self._thoughts.about(key):
            return
        decision = sitting.open.id
        try:
            answer = bot.choose(sitting.ask())
        except Exception as error:  # noqa: BLE001  a bot may raise anything; the server is told and the seat forfeited
            self._died(key, error)
            return
        if isinstance(answer, str):
            sitting.say(answer)
            return

        async def said(text: str) -> None:
            sitting.say(text)
            await self._send_answer(key, sitting)

        async def failed(error: Exception) -> None:
            if isinstance(error, HostFault):
                self._stop(error)
            else:
                self._died(key, error)
                await self._send_answer(key, sitting)

        self._thoughts.begin(key, decision, answer, said, failed)

    async def _send_answer(self, key: Key, sitting: Sitting) -> None:
        request = pb.PlayRequest()
        self._add_answer(key, sitting, request)
        await self._send(request)

    def _stop(self, fault: HostFault) -> None:
        """Ends the session; what is open is another attempt's."""
        self._fault = self._fault or fault
        if self._call is not None:
            self._call.cancel()

    def _died(self, key: Key, error: Exception) -> None:
        """Notes how the bot ended; the server is told in answer to what it asks."""
        if isinstance(error, HostFault):
            raise error
        if isinstance(error, Resigned):
            self._resigned.add(key)
            return
        ended = pb.BotEnded(match=key[0], seat=key[1], exit_code=1)
        if isinstance(error, BotEnded):
            ended.exit_code, ended.signal = error.code or 0, error.signal or 0
            told = f"{error}\n{error.stderr}"
        else:
            told = trace_of(error)
        ended.stderr = told.encode()[-STDERR_LIMIT:].decode(errors="replace")
        self.report.crashed[key] = told
        self._deaths[key] = ended

    def _refused(self, refused: pb.Refused) -> None:
        key = (refused.match, refused.seat)
        if refused.reason in NO_SEAT and not refused.decision:
            self._lose(key, refused.message)
        elif key in self._at and self._at[key][0].refused(refused):
            bot = self._at[key][1]
            if isinstance(bot, HearsRefusals):
                reason = pb.Refused.Reason.Name(refused.reason)
                bot.refused(refused.decision, reason, refused.message, refused.tries_left)
            self._again.append(key)

    def _ask_again(self, request: pb.PlayRequest) -> None:
        again, self._again = self._again, []
        for key in again:
            self._answer(key, *self._at[key], request)

    def _end(self, ended: pb.Ended) -> None:
        key = (ended.match, ended.seat)
        if self._open.pop(key, None) is None:
            return
        self.report.ended[key] = result = result_of(ended)
        self._thoughts.end(key)
        _, bot = self._at.pop(key, (None, None))
        try:
            if bot is not None and key not in self._deaths:
                bot.finish(result)
        except Exception as error:  # noqa: BLE001  the match is over; the worker logs what the report says
            self.report.crashed[key] = trace_of(error)
