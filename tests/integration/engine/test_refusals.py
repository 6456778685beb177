"""Every answer to what does not count: a Refused for an item, a status for what breaks the protocol."""

from asyncio import gather
from typing import Any

import grpc
import pytest

from engine_service.v1 import play_pb2
from engine_service.v1.play_pb2 import Move, PlayerHello, PlayRequest, Refused, Seat
from storage.database import Database
from tests.fixtures.engine import SERVICE_TOKEN, MakeEngine, RunningEngine, bearer, writing
from tests.integration.engine.clients import (
    Client,
    move_of,
    open_bridge,
    open_player,
    open_stream,
    sensible,
    sit_down,
)


class Table:
    """Alice at seat 0 and Bob at seat 1; Alice or Bob owes the first decision."""

    def __init__(self, engine: RunningEngine, id: str, alice: Client, bob: Client) -> None:
        self.engine, self.id, self.alice, self.bob = engine, id, alice, bob

    async def mover(self) -> tuple[Client, int, play_pb2.Update]:
        """Who owes the open decision, its seat, and the question."""
        match = self.engine.server.hall.matches[self.id]
        seat = 0 if match.referee.decision(0) is not None else 1
        client = (self.alice, self.bob)[seat]
        return client, seat, await client.question((self.id, seat))

    async def finish(self) -> None:
        """The match goes on to its end, undisturbed by what was tried."""
        await gather(self.alice.play_on(done=1), self.bob.play_on(done=1))
        assert not self.alice.ended[self.id, 0].forfeit
        assert not self.bob.ended[self.id, 1].forfeit


@pytest.fixture
async def table(engine: RunningEngine) -> Table:
    alice = await open_player(engine, engine.token("alice"))
    bob = await open_player(engine, engine.token("bob"))
    id = engine.plan(engine.remote("alice", "bot"), engine.remote("bob", "bot"))
    await gather(engine.start(id), sit_down(alice, (id, 0)), sit_down(bob, (id, 1)))
    return Table(engine, id, alice, bob)


async def refusal(client: Client) -> Refused:
    await client.until(lambda c: c.refused)
    return client.refused.pop(0)


async def test_notation_and_illegal_moves_say_what_may_be_played(table: Table) -> None:
    client, _, update = await table.mover()
    await client.send(moves=[move_of(update, "castle")])
    notation = await refusal(client)
    assert notation.reason == Refused.REASON_NOTATION
    assert notation.tries_left == 2
    await client.send(moves=[move_of(update, "stop" if "stop" not in update.decision.legal else "hub")])
    illegal = await refusal(client)
    assert illegal.reason == Refused.REASON_ILLEGAL
    assert illegal.tries_left == 1
    assert illegal.decision == update.decision.id
    assert update.decision.legal[0] in illegal.message
    await table.finish()


async def test_out_of_turn_is_refused(table: Table) -> None:
    _, seat, _ = await table.mover()
    other = (table.bob, table.alice)[seat]
    await other.send(moves=[Move(match=table.id, seat=1 - seat, decision=1, move="hub")])
    refused = await refusal(other)
    assert refused.reason == Refused.REASON_NOT_YOUR_TURN
    assert refused.message
    await table.finish()


async def test_an_answer_twice_is_harmless_and_a_second_answer_is_refused(table: Table) -> None:
    client, seat, update = await table.mover()
    move = move_of(update, sensible(update))
    await client.send(moves=[move, move])
    await client.send(moves=[Move(match=table.id, seat=seat, decision=update.decision.id, move="keep RRRR")])
    refused = await refusal(client)
    assert refused.reason == Refused.REASON_ANSWERED
    assert repr(move.move) in refused.message
    client.latest.clear()
    await client.send(recall=[Seat(match=table.id, seat=seat)])
    await table.finish()


async def test_another_decision_than_the_open_one_is_stale(table: Table) -> None:
    client, seat, update = await table.mover()
    await client.send(moves=[Move(match=table.id, seat=seat, decision=99, move="hub")])
    refused = await refusal(client)
    assert refused.reason == Refused.REASON_STALE
    assert f"decision {update.decision.id}" in refused.message
    await table.finish()


@pytest.mark.parametrize("field", ["moves", "accepted", "recall", "resigned"])
async def test_a_seat_of_somebody_else_or_of_nobody_is_unknown(table: Table, field: str) -> None:
    kind: Any = Move if field == "moves" else Seat
    for match, seat in ((table.id, 1), (table.id, 9), ("nowhere", 0), ("", 0)):
        await table.alice.send(**{field: [kind(match=match, seat=seat)]})
        refused = await refusal(table.alice)
        assert refused.reason == Refused.REASON_UNKNOWN_SEAT
    await table.finish()


async def test_players_have_no_tickets_and_report_no_dead_bots(table: Table) -> None:
    await table.alice.send(tickets=[play_pb2.Ticket(match=table.id, seat=1, ticket="x")])
    assert (await refusal(table.alice)).reason == Refused.REASON_BAD_TICKET
    await table.alice.send(bots_ended=[play_pb2.BotEnded(match=table.id, seat=1)])
    assert (await refusal(table.alice)).reason == Refused.REASON_UNKNOWN_SEAT
    await table.finish()


async def test_a_move_before_the_match_begins_waits_for_its_question(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token("alice"))
    bob = await open_player(engine, engine.token("bob"))
    id = engine.plan(engine.remote("alice", "bot"), engine.remote("bob", "bot"))

    async def rush() -> None:
        await alice.until(lambda c: (id, 0) in c.started)
        await alice.send(moves=[Move(match=id, seat=0, decision=1, move="hub")])
        refused = await refusal(alice)
        assert refused.reason == Refused.REASON_NOT_YOUR_TURN
        assert "not begun" in refused.message
        await sit_down(alice, (id, 0))
        await sit_down(bob, (id, 1))

    await gather(engine.start(id), rush())
    await gather(alice.play_on(done=1), bob.play_on(done=1))


async def test_a_move_after_the_end_is_over(make_engine: MakeEngine) -> None:
    engine = await make_engine()
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    (update,) = bridge.latest.values()
    late = move_of(update, "hub")
    dead = [play_pb2.BotEnded(match=id, seat=seat) for seat in (0, 1)]
    await bridge.send(bots_ended=dead)
    await bridge.send(moves=[late])  # the commit takes longer than the way here, or not: both are answered
    refused = await refusal(bridge)
    assert refused.reason in (Refused.REASON_OVER, Refused.REASON_UNKNOWN_SEAT)


async def test_a_match_whose_result_is_not_yet_committed_is_over(engine: RunningEngine) -> None:
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    (update,) = bridge.latest.values()
    with writing(engine.database):  # nobody else can write: the result waits
        await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=seat) for seat in (0, 1)])
        await bridge.send(moves=[move_of(update, "hub")])
        refused = await refusal(bridge)
        assert refused.reason == Refused.REASON_OVER
        assert not bridge.ended, "nobody is told before the database knows"
    await bridge.until(lambda c: len(c.ended) == 2)


# What ends the stream


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        (PlayRequest(), "hello"),
        (PlayRequest(moves=[Move(match="m")]), "hello"),
        (PlayRequest(player=PlayerHello(bot="b", version="1", places=1), pong=1), "hello"),
        (PlayRequest(player=PlayerHello(bot="b", version="1", places=0)), "places"),
        (PlayRequest(player=PlayerHello(bot="b", version="1", places=65)), "places"),
        (PlayRequest(player=PlayerHello(bot="", version="1", places=1)), "name"),
        (PlayRequest(player=PlayerHello(bot="../../etc", version="1", places=1)), "name"),
        (PlayRequest(player=PlayerHello(bot="<b>", version="1", places=1)), "name"),
        (PlayRequest(player=PlayerHello(bot="b", version="", places=1)), "label"),
        (PlayRequest(player=PlayerHello(bot="b", version="1\x1b[2J", places=1)), "label"),
        (PlayRequest(player=PlayerHello(bot="b", version="   ", places=1)), "label"),
        (PlayRequest(player=PlayerHello(bot="b", version="1 ", places=1)), "label"),
        (PlayRequest(player=PlayerHello(bot="b", version="1", places=1, ladders=["chess"])), "chess"),
        (PlayRequest(player=PlayerHello(bot="b", version="1", places=1, ladders=["mushi"] * 17)), "ladders"),
    ],
)
async def test_a_bad_hello_is_an_invalid_argument(
    engine: RunningEngine, request_: PlayRequest, word: str
) -> None:
    client = open_stream(engine, engine.public, engine.token())
    await client.call.write(request_)
    code, details = await client.status()
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert word in details


async def test_an_owner_who_has_made_all_it_may_is_told_what_is_left(
    make_engine: MakeEngine, database: Database
) -> None:
    engine = await make_engine(database, bots_per_owner=2, versions_per_owner=3)
    token = engine.token("mallory")

    async def hello(bot: str, version: str) -> tuple[grpc.StatusCode, str]:
        client = open_stream(engine, engine.public, token)
        await client.send(player=PlayerHello(bot=bot, version=version, places=1))
        await client.close()
        return await client.status()

    full = grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await hello("one", "1"))[0] == (await hello("two", "1"))[0] == grpc.StatusCode.OK
    code, details = await hello("three", "1")
    assert (code, "1 of 3 versions are left" in details) == (full, True)
    assert (await hello("one", "2"))[0] == grpc.StatusCode.OK
    code, details = await hello("two", "2")
    assert (code, "none is left" in details) == (full, True)
    assert (await hello("two", "1"))[0] == grpc.StatusCode.OK
    assert (await open_player(engine, engine.token("alice"))).welcome, "the others go on"


async def test_a_stream_that_says_nothing_is_closed(make_engine: MakeEngine) -> None:
    engine = await make_engine(hello_ms=80)
    client = open_stream(engine, engine.public, engine.token())
    code, details = await client.status()
    assert code == grpc.StatusCode.DEADLINE_EXCEEDED
    assert "hello" in details


async def test_a_stream_that_ends_without_a_hello_is_told_so(engine: RunningEngine) -> None:
    client = open_stream(engine, engine.public, engine.token())
    await client.close()
    code, _ = await client.status()
    assert code == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_second_hello_ends_the_stream(table: Table) -> None:
    await table.alice.send(player=play_pb2.PlayerHello(bot="bot", version="1", places=1))
    code, details = await table.alice.status()
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert "second hello" in details
    assert table.engine.server.hall.matches[table.id].playing


@pytest.mark.parametrize("field", ["moves", "accepted", "recall", "resigned", "tickets", "bots_ended"])
async def test_too_many_items_in_a_message_end_the_stream(make_engine: MakeEngine, field: str) -> None:
    engine = await make_engine(moves_per_message=10)
    client = await open_player(engine, engine.token())
    await client.send(**{field: [{}] * 11})
    code, details = await client.status()
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert field in details
    assert "11" in details


@pytest.mark.parametrize("data", [b"\xff\xff\xff", b"\x0a\x05hell", b"\x1a\xff\xff\xff\xff\x0f"])
async def test_bytes_that_do_not_parse_end_the_stream_and_leak_nothing(table: Table, data: bytes) -> None:
    channel = table.engine.channel(table.engine.public)
    path = "/engine_service.v1.PlayService/Play"
    call: Any = channel.stream_stream(path)(metadata=bearer(table.engine.token("mallory")))
    await call.write(PlayRequest(player=PlayerHello(bot="m", version="1", places=1)).SerializeToString())
    await call.read()
    await call.write(data)
    code, details = await Client(call).status()
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert "DecodeError" not in details
    assert "proto" in details
    await table.finish()


async def test_an_oversized_message_is_resource_exhausted(make_engine: MakeEngine) -> None:
    engine = await make_engine(public_message_bytes=4096)
    client = await open_player(engine, engine.token())
    await client.send(moves=[Move(match="m", move="x" * 5000)])
    code, _ = await client.status()
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await open_player(engine, engine.token())).welcome, "the others go on"


async def test_malformed_bytes_in_a_plain_call_are_an_invalid_argument(engine: RunningEngine) -> None:
    call: Any = engine.channel(engine.internal).unary_unary("/engine_service.v1.MatchService/Start")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"\xff\xff", metadata=bearer(SERVICE_TOKEN), timeout=10)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_method_that_is_not_there_is_unimplemented(engine: RunningEngine) -> None:
    call: Any = engine.channel(engine.public).unary_unary("/engine_service.v1.PlayService/Cheat")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", metadata=bearer(engine.token()), timeout=10)
    assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED
