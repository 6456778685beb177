"""``PlayService``: streams in. A message that breaks the protocol ends its stream; an item that does
not count is answered by ``Refused``, and the rest of its message stands."""

import asyncio
from functools import partial
from typing import Any

import grpc

from engine_service.core.game import MoveError
from engine_service.server.alarms import monotonic_ms
from engine_service.server.chair import Chair
from engine_service.server.hall import Hall
from engine_service.server.refusing import NAMES, move_refusal, refusal
from engine_service.server.seating import Seating
from engine_service.server.stream import Stream
from engine_service.server.tallies import count
from engine_service.v1 import play_pb2, play_pb2_grpc
from engine_service.v1.play_pb2 import PlayRequest, Refused
from service.auth import caller
from service.errors import BadRequest, Exhausted, Late, ServiceError
from service.guard import well_formed
from service.limits import Bucket
from service.logging import get

_log = get("play")

COUNTED_AGAINST = (Refused.REASON_NOTATION, Refused.REASON_ILLEGAL)
LAST_WORDS_S = 0.5
"""A stream that ends may still be sent what was ready."""


class PlayServicer(play_pb2_grpc.PlayServiceServicer):
    """One of the two faces: players on the public server, bridges on the internal one."""

    def __init__(self, hall: Hall, *, bridges: bool) -> None:
        self._hall = hall
        self._bridges = bridges
        self._seating = Seating(hall)

    # The name is the proto's; the stubs know handlers that yield, not those that write.
    async def Play(self, request_iterator: Any, context: Any) -> None:  # type: ignore[override]  # noqa: N802
        """One stream, from its hello to its end. See the proto's comments."""
        hello = await self._read_hello(context)
        stream = await self._seating.open(hello, caller(), self._bridges)
        try:
            # Not with the first message: a write that is given up leaves it open whether they have gone
            # out, gRPC sends them again with the status, and then neither: the call stays open for ever.
            await context.send_initial_metadata(())
            await self._serve(stream, context)
        finally:
            self._seating.close(stream)

    async def _read_hello(self, context: Any) -> PlayRequest:
        try:
            async with asyncio.timeout(self._hall.settings.hello_ms / 1000):
                request = await context.read()
        except TimeoutError:
            raise Late("no hello has come; the first message must be one") from None
        if request is grpc.aio.EOF:
            raise BadRequest("the stream ended without a hello; the first message must be one")
        return well_formed(request)  # type: ignore[no-any-return]

    async def _serve(self, stream: Stream, context: Any) -> None:
        """Reads and writes until either ends or somebody closes the stream."""
        reader = asyncio.create_task(self._read(stream, context))
        pump = asyncio.create_task(stream.pump(context.write))
        ends: list[asyncio.Future[Any]] = [reader, pump, stream.closed]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            stream.close(None)
            await asyncio.wait([pump], timeout=LAST_WORDS_S)
            for ended in ends:
                if ended.done():
                    ended.result()
            if (error := stream.closed.result()) is not None:
                raise error
        finally:
            reader.cancel()
            pump.cancel()
            await asyncio.gather(reader, pump, return_exceptions=True)

    async def _read(self, stream: Stream, context: Any) -> None:
        settings = self._hall.settings
        patience = Bucket(
            settings.idle_messages_per_second, settings.idle_messages_burst, self._hall.loop.time()
        )
        read = context.read
        while True:
            request = await read()
            if request is grpc.aio.EOF:
                return
            well_formed(request)
            if (
                not await stream.answer(partial(self._take, stream, request), context.write)
                and not stream.bridge
                and not patience.take(self._hall.loop.time())
            ):
                raise Exhausted(
                    "too many messages that ask for nothing or are refused; read what is sent",
                    retry_ms=patience.wait_ms(),
                )

    def _take(self, stream: Stream, request: PlayRequest) -> bool:
        """Does all that a message asks for. False if none of it counted."""
        now = monotonic_ms()
        self._hall.pulse.check(now)
        counted = self._take_moves(stream, request, now) if request.moves else False
        if request.pong:
            counted = self._pong(stream, request.pong) or counted
        if len(request.ListFields()) > (1 if request.moves else 0):
            counted = self._take_rest(stream, request, now) or counted
        return counted

    def _take_moves(self, stream: Stream, request: PlayRequest, now: int) -> bool:
        moves = request.moves
        if len(moves) > self._hall.settings.moves_per_message:
            raise self._too_many("moves", len(moves))
        chairs = stream.chairs
        counted = False
        for move in moves:
            chair = chairs.get((move.match, move.seat))
            if chair is None:
                self._unknown(stream, move.match, move.seat)
                continue
            match = chair.match
            if not match.playing:
                self._not_playing(stream, chair, move.decision)
                continue
            try:
                if match.answer(chair, move.decision, move.move, now):
                    counted = True
            except MoveError as error:
                self._refuse_move(stream, chair, move, error)
        return counted

    def _take_rest(self, stream: Stream, request: PlayRequest, now: int) -> bool:
        if request.WhichOneof("hello"):
            raise BadRequest("a second hello; only the first message holds one")
        for name in ("accepted", "tickets", "recall", "resigned", "bots_ended"):
            if len(getattr(request, name)) > self._hall.settings.moves_per_message:
                raise self._too_many(name, len(getattr(request, name)))
        counted = [self._accept(stream, seat) for seat in request.accepted]
        counted += [self._take_ticket(stream, ticket) for ticket in request.tickets]
        counted += [self._recall(stream, seat) for seat in request.recall]
        counted += [self._resign(stream, seat, now) for seat in request.resigned]
        counted += [self._bot_ended(stream, ended, now) for ended in request.bots_ended]
        return any(counted)

    def _too_many(self, what: str, number: int) -> ServiceError:
        most = self._hall.settings.moves_per_message
        return BadRequest(f"{what}: {number} in one message; send at most {most}")

    # Items

    def _pong(self, stream: Stream, number: int) -> bool:
        if not stream.pongs < number <= stream.pings:
            return False
        stream.pongs = number
        return True

    def _accept(self, stream: Stream, seat: play_pb2.Seat) -> bool:
        chair = self._chair(stream, seat.match, seat.seat)
        if chair is None or chair.accepted:
            return False
        chair.match.accept(chair)
        return True

    def _take_ticket(self, stream: Stream, ticket: play_pb2.Ticket) -> bool:
        if not stream.bridge:
            self._refuse(
                stream, _bad_ticket(ticket, "players have no tickets; their seats come with 'started'")
            )
            return False
        match = self._hall.matches.get(ticket.match)
        chair = match.chairs[ticket.seat] if match is not None and ticket.seat < len(match.chairs) else None
        if chair is None or not chair.opens_with(ticket.ticket):
            self._refuse(
                stream, _bad_ticket(ticket, "no running match has this ticket; start the table again")
            )
            return False
        if chair.stream is not stream:
            self._hall.seat(chair, stream)
        return True

    def _recall(self, stream: Stream, seat: play_pb2.Seat) -> bool:
        chair = self._chair(stream, seat.match, seat.seat)
        if chair is None or not chair.match.playing:
            return False
        chair.recall()
        return False  # may cost as much as it likes to ask, so it is bounded like what does not count

    def _resign(self, stream: Stream, seat: play_pb2.Seat, now: int) -> bool:
        chair = self._chair(stream, seat.match, seat.seat)
        if chair is None or not chair.match.playing:
            return False
        chair.match.forfeit(chair, "resigned", now)
        return False  # once is enough

    def _bot_ended(self, stream: Stream, ended: play_pb2.BotEnded, now: int) -> bool:
        if not stream.bridge:
            message = "only a bridge says that a bot is dead; a player resigns or leaves"
            self._refuse(stream, refusal(ended.match, ended.seat, Refused.REASON_UNKNOWN_SEAT, message))
            return False
        chair = self._chair(stream, ended.match, ended.seat)
        if chair is None or not chair.match.playing:
            return False
        self._seating.log_crash(chair, ended)
        chair.match.forfeit(chair, "crash", now)
        return True

    def _chair(self, stream: Stream, match: str, seat: int) -> Chair | None:
        chair = stream.chairs.get((match, seat))
        if chair is None:
            self._unknown(stream, match, seat)
        return chair

    # Refusals

    def _unknown(self, stream: Stream, match: str, seat: int) -> None:
        message = (
            f"this stream does not sit at seat {seat} of match {match[:64]!r}; its seats came with 'started'"
        )
        self._refuse(stream, refusal(match, seat, Refused.REASON_UNKNOWN_SEAT, message))

    def _not_playing(self, stream: Stream, chair: Chair, decision: int) -> None:
        over = chair.match.ended
        reason = Refused.REASON_OVER if over else Refused.REASON_NOT_YOUR_TURN
        message = (
            f"match {chair.match.id} is over"
            if over
            else f"match {chair.match.id} has not begun; wait to be asked"
        )
        refused = refusal(chair.match.id, chair.seat, reason, message)
        refused.decision = decision
        self._refuse(stream, refused)

    def _refuse_move(self, stream: Stream, chair: Chair, move: play_pb2.Move, error: MoveError) -> None:
        refused = move_refusal(chair.match.id, chair.seat, move.decision, error)
        if refused.reason in COUNTED_AGAINST:  # of these there are three a decision at most
            text = move.move[:200]
            _log.info("answer_refused", table=chair.match.id, seat=chair.seat, move=text, why=refused.message)
        self._refuse(stream, refused)

    def _refuse(self, stream: Stream, refused: Refused) -> None:
        count(self._hall.tallies.refused, NAMES[refused.reason])
        stream.refuse(refused)


def _bad_ticket(ticket: play_pb2.Ticket, message: str) -> Refused:
    return refusal(ticket.match, ticket.seat, Refused.REASON_BAD_TICKET, message)
