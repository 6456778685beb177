"""What a hostile client may try on its stream: it gets a typed answer, and the others play on.

Bounded and on loopback. The table beside the attacker is a real match that has to end well.
"""

import asyncio
import socket
import struct
from asyncio import create_task, gather
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from engine_service.v1 import play_pb2
from engine_service.v1.play_pb2 import Move, PlayRequest, Refused, Seat
from service.settings import split_address
from tests.fixtures.engine import MakeEngine, RunningEngine, bearer, until
from tests.integration.engine.clients import Client, open_player, open_stream, sit_down

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


class Peaceful:
    """A match between Alice and Bob that goes on while Mallory does what he does."""

    def __init__(self, engine: RunningEngine, id: str, alice: Client, bob: Client) -> None:
        self.engine, self.id, self.alice, self.bob = engine, id, alice, bob

    async def must_end_well(self) -> None:
        await gather(self.alice.play_on(done=1), self.bob.play_on(done=1))
        for client, seat in ((self.alice, 0), (self.bob, 1)):
            ended = client.ended[self.id, seat]
            assert (ended.end, ended.forfeit) == ("turn_limit", "")
            assert not client.refused


@pytest.fixture
async def peaceful(engine: RunningEngine) -> AsyncIterator[Peaceful]:
    alice = await open_player(engine, engine.token("alice"))
    bob = await open_player(engine, engine.token("bob"))
    id = engine.plan(engine.remote("alice", "bot"), engine.remote("bob", "bot"))
    await gather(engine.start(id), sit_down(alice, (id, 0)), sit_down(bob, (id, 1)))
    match = Peaceful(engine, id, alice, bob)
    yield match
    await match.must_end_well()


async def mallory(peaceful: Peaceful) -> Client:
    return await open_player(peaceful.engine, peaceful.engine.token("mallory"), "bot")


async def flood(client: Client, request: PlayRequest | bytes, times: int) -> int:
    """Writes as often as the server lets it."""
    for sent in range(times):
        try:
            await client.call.write(request)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return sent
    return times


async def drained(call: Any) -> None:
    """Reads to the end, and raises it if it is none in order."""
    while await call.read() is not grpc.aio.EOF:
        pass


async def test_moves_at_somebody_elses_table_do_nothing(peaceful: Peaceful) -> None:
    client = await mallory(peaceful)
    tries = [Move(match=peaceful.id, seat=seat, decision=d, move="hub") for seat in (0, 1) for d in range(5)]
    await client.send(moves=tries)
    await client.send(resigned=[Seat(match=peaceful.id, seat=0)], accepted=[Seat(match=peaceful.id, seat=1)])
    await client.send(recall=[Seat(match=peaceful.id, seat=0)])
    await client.send(bots_ended=[play_pb2.BotEnded(match=peaceful.id, seat=0)])
    await client.send(tickets=[play_pb2.Ticket(match=peaceful.id, seat=0, ticket="0" * 32)])
    await client.until(lambda c: len(c.refused) == 15)
    assert {refused.reason for refused in client.refused} <= {
        Refused.REASON_UNKNOWN_SEAT,
        Refused.REASON_BAD_TICKET,
    }
    assert not client.updates, "not even a view of it"


async def test_a_stolen_name_is_another_bot(peaceful: Peaceful) -> None:
    client = await mallory(peaceful)
    assert client.welcome is not None
    assert client.welcome.player == "mallory/bot@1"
    assert not client.started


async def test_an_old_session_cannot_go_on_beside_a_new_one(peaceful: Peaceful) -> None:
    token = peaceful.engine.token("mallory")
    old = await open_player(peaceful.engine, token)
    await open_player(peaceful.engine, token)
    code, _ = await old.status()
    assert code == grpc.StatusCode.ABORTED
    with pytest.raises((grpc.aio.AioRpcError, asyncio.InvalidStateError)):
        await old.send(pong=1)


async def cut_off(peaceful: Peaceful) -> None:
    """The server ended one stream for asking too much. (A client that writes while it is told so
    may see an error of its own library instead.)"""
    key = ("/engine_service.v1.PlayService/Play", "RESOURCE_EXHAUSTED")
    await until(lambda: peaceful.engine.server.calls.count.get(key) == 1)
    assert len(peaceful.engine.server.hall.streams) == 2


@pytest.mark.parametrize(
    "request_",
    [PlayRequest(), PlayRequest(pong=10**9), PlayRequest(moves=[Move(match="m", seat=1)])],
    ids=["empty", "pongs", "foreign"],
)
async def test_a_flood_of_tiny_messages_is_cut_off(peaceful: Peaceful, request_: PlayRequest) -> None:
    client = await mallory(peaceful)
    flooding = create_task(flood(client, request_, 100_000))
    await client.status()
    assert await flooding < 100_000
    await cut_off(peaceful)


async def test_an_answer_that_counted_may_not_be_repeated_for_ever(make_engine: MakeEngine) -> None:
    engine = await make_engine(idle_messages_burst=20, idle_messages_per_second=0.001)
    alice = await open_player(engine, engine.token("alice"))
    bob = await open_player(engine, engine.token("bob"))
    id = engine.plan(engine.remote("alice", "bot"), engine.remote("bob", "bot"))
    await gather(engine.start(id), sit_down(alice, (id, 0)), sit_down(bob, (id, 1)))
    seat = 0 if engine.server.hall.matches[id].referee.decision(0) is not None else 1
    client = (alice, bob)[seat]
    update = await client.question((id, seat))
    move = Move(match=id, seat=seat, decision=update.decision.id, move=update.decision.legal[0])
    await flood(client, PlayRequest(moves=[move]), 30)
    await client.status()
    await until(lambda: len(engine.server.hall.streams) == 1)


async def test_whoever_reads_is_told_why_he_was_cut_off(make_engine: MakeEngine) -> None:
    engine = await make_engine(idle_messages_burst=5, idle_messages_per_second=0.001)
    client = await open_player(engine, engine.token("mallory"))
    assert await flood(client, PlayRequest(), 6) == 6
    code, details = await client.status()
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "too many messages" in details
    assert int(dict(await client.call.trailing_metadata())["retry-after-ms"]) > 0


async def test_a_message_full_of_foreign_moves_is_answered_and_bounded(make_engine: MakeEngine) -> None:
    engine = await make_engine(refused_backlog=100)
    client = await open_player(engine, engine.token("mallory"))
    foreign: dict[str, Any] = {"match": "m", "seat": 1}
    await client.send(moves=[foreign] * 1000, accepted=[foreign] * 1000, resigned=[foreign] * 1000)
    await client.until(lambda c: len(c.refused) > 100)
    *told, rest = client.refused
    assert [refused.reason for refused in told] == [Refused.REASON_UNKNOWN_SEAT] * 100
    assert (rest.match, rest.message[:23]) == ("", "2900 more did not count")
    client.refused.clear()
    await client.send(moves=[foreign])
    await client.until(lambda c: c.refused)
    assert len(client.refused) == 1, "what was told has been told"


async def test_frames_of_four_megabytes_are_refused(peaceful: Peaceful) -> None:
    client = await mallory(peaceful)
    await client.send(moves=[Move(match="m", move="x" * (4 << 20))])
    code, _ = await client.status()
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_recalls_without_end_are_bounded(peaceful: Peaceful) -> None:
    client = await mallory(peaceful)
    flooding = create_task(flood(client, PlayRequest(recall=[Seat(match=peaceful.id, seat=0)] * 100), 5_000))
    await client.status()
    assert await flooding < 5_000
    await cut_off(peaceful)


@pytest.mark.parametrize("asked", [0, 2_000], ids=["little to read", "more than the way holds"])
async def test_a_client_that_never_reads_is_cut_off(make_engine: MakeEngine, asked: int) -> None:
    engine = await make_engine(heartbeat_ms=50, refused_backlog=1_000_000, moves_per_message=2_000)
    token = engine.token("mallory")
    channel = engine.channel(engine.public)
    call: Any = channel.stream_stream("/engine_service.v1.PlayService/Play")(metadata=bearer(token))
    hello = PlayRequest(player=play_pb2.PlayerHello(bot="b", version="1", places=1))
    await call.write(hello.SerializeToString())
    foreign = PlayRequest(moves=[Move(match="m" * 64, seat=1)] * asked).SerializeToString()
    await flood(Client(call), foreign, 4 if asked else 0)
    await until(lambda: engine.server.hall.streams)
    await until(lambda: not engine.server.hall.streams)
    with pytest.raises(grpc.aio.AioRpcError) as told:
        await drained(call)
    assert told.value.code() == grpc.StatusCode.UNAVAILABLE, "and told so when it reads"


async def test_a_thousand_streams_of_one_user_are_eight(peaceful: Peaceful) -> None:
    engine = peaceful.engine
    token = engine.token("mallory")
    channel = engine.channel(engine.public)
    play: Any = channel.stream_stream("/engine_service.v1.PlayService/Play")
    calls = [play(metadata=bearer(token)) for _ in range(1000)]
    for call in calls[-20:]:  # a connection has 16 streams; the others wait in the client
        call.cancel()
    asked = [create_task(_refused(call)) for call in calls[:30]]
    await until(lambda: sum(one.done() and one.result() for one in asked) >= 8)
    assert len(engine.server.hall.streams) <= 2 + 8
    for call in calls:
        call.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


async def _refused(call: Any) -> bool:
    """Waits for what the server says to a stream that says nothing itself."""
    try:
        await call.read()
    except grpc.aio.AioRpcError as error:
        return error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    return False


async def test_bad_tokens_by_the_hundred_are_slowed_down(peaceful: Peaceful) -> None:
    codes = []
    for number in range(80):
        client = open_stream(peaceful.engine, peaceful.engine.public, f"mk_{number}")
        codes.append((await client.status())[0])
    assert set(codes) == {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.RESOURCE_EXHAUSTED}


# Below gRPC: bytes on a socket


def dial(engine: RunningEngine) -> socket.socket:
    sock = socket.create_connection(split_address(engine.public), timeout=10)
    sock.sendall(PREFACE + SETTINGS)
    return sock


def _hung_up(sock: socket.socket) -> bool:
    """Reads what has come until the other side hangs up."""
    try:
        while sock.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


async def test_a_flood_of_pings_ends_the_connection(peaceful: Peaceful) -> None:
    def attack() -> bool:
        with dial(peaceful.engine) as sock:
            ping = b"\x00\x00\x08\x06\x00\x00\x00\x00\x00" + b"12345678"
            try:
                for _ in range(2000):
                    sock.sendall(ping)
            except OSError:
                return True
            return _hung_up(sock)

    assert await asyncio.to_thread(attack)


async def test_streams_that_are_reset_at_once_do_no_harm(peaceful: Peaceful) -> None:
    """CVE-2023-44487: open, reset, open, reset."""

    def attack() -> None:
        headers = b"\x83\x86\x44\x02/x"  # POST, http, :path /x
        with dial(peaceful.engine) as sock:
            for number in range(1, 4001, 2):
                id = struct.pack(">I", number)
                frame = struct.pack(">I", len(headers))[1:] + b"\x01\x04" + id + headers
                reset = b"\x00\x00\x04\x03\x00" + id + struct.pack(">I", 8)
                try:
                    sock.sendall(frame + reset)
                except OSError:
                    return

    await asyncio.to_thread(attack)


@pytest.mark.parametrize(
    "data",
    [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x00" * 1000, b"\xff" * 1000, PREFACE + b"\xff\xff\xff\x00" * 9],
    ids=["http1", "zeros", "ones", "frames"],
)
async def test_what_is_not_http2_is_hung_up_on(peaceful: Peaceful, data: bytes) -> None:
    def attack() -> bool:
        with socket.create_connection(split_address(peaceful.engine.public), timeout=10) as sock:
            sock.sendall(data)
            return _hung_up(sock)

    assert await asyncio.to_thread(attack)


async def test_headers_that_come_byte_by_byte_hold_up_nobody(peaceful: Peaceful) -> None:
    socks = [dial(peaceful.engine) for _ in range(50)]
    try:
        for sock in socks:
            sock.sendall(b"\x00\x40\x00\x01\x00")  # a frame of 16 KiB, of which this is all
        await peaceful.must_end_well()
    finally:
        for sock in socks:
            sock.close()
