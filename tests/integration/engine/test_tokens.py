"""Who may call what, on which port."""

from asyncio import gather
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # ships no stubs
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]  # ships no stubs
    reflection_pb2,
    reflection_pb2_grpc,
)

from engine_service.server.main import Extra
from engine_service.v1 import game_pb2, game_pb2_grpc, match_pb2, match_pb2_grpc, play_pb2
from storage import identity
from tests.fixtures.engine import SERVICE_TOKEN, MakeEngine, RunningEngine, bearer, until
from tests.integration.engine.clients import open_player, open_stream


async def status_of(call: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details() or ""


def list_games(engine: RunningEngine, token: str | None, address: str | None = None) -> Any:
    stub: Any = game_pb2_grpc.GameServiceStub(engine.channel(address or engine.public))
    metadata = bearer(token) if token is not None else None
    return stub.List(game_pb2.ListGamesRequest(), metadata=metadata, timeout=10)


def start(engine: RunningEngine, token: str, address: str) -> Any:
    stub: Any = match_pb2_grpc.MatchServiceStub(engine.channel(address))
    return stub.Start(match_pb2.StartRequest(tables=["t"], caller="c"), metadata=bearer(token), timeout=10)


async def test_a_call_without_a_token_is_told_what_to_send(engine: RunningEngine) -> None:
    code, details = await status_of(list_games(engine, None))
    assert code == grpc.StatusCode.UNAUTHENTICATED
    assert "authorization: Bearer" in details


@pytest.mark.parametrize("token", ["", "nonsense", "mk_" + "A" * 43, "mk_" + "A" * 500])
async def test_a_wrong_token_is_unauthenticated(engine: RunningEngine, token: str) -> None:
    code, _ = await status_of(list_games(engine, token))
    assert code == grpc.StatusCode.UNAUTHENTICATED


async def test_an_expired_token_is_unauthenticated(engine: RunningEngine) -> None:
    code, details = await status_of(list_games(engine, engine.token(ttl_ms=-1)))
    assert code == grpc.StatusCode.UNAUTHENTICATED
    assert "expired" in details


async def test_any_good_token_may_read_and_lists_the_games(engine: RunningEngine) -> None:
    games = await list_games(engine, engine.token(scopes=("submit",)))
    (mushi,) = (game for game in games.games if game.id == "mushi")
    assert (mushi.id, mushi.variants[0].name) == ("mushi", "standard")
    assert (mushi.variants[0].min_seats, mushi.variants[0].max_seats) == (2, 5)
    assert '"turn_limit":500' in mushi.variants[0].config


async def test_playing_needs_the_scope_play(engine: RunningEngine) -> None:
    client = open_stream(engine, engine.public, engine.token(scopes=("submit", "organise")))
    await client.send(player=play_pb2.PlayerHello(bot="b", version="1", places=1))
    code, details = await client.status()
    assert code == grpc.StatusCode.PERMISSION_DENIED
    assert "play" in details


async def test_start_is_refused_to_players_everywhere(engine: RunningEngine) -> None:
    token = engine.token(scopes=("play", "submit", "organise"))
    for address in (engine.public, engine.internal):
        code, _ = await status_of(start(engine, token, address))
        assert code == grpc.StatusCode.PERMISSION_DENIED


async def test_an_operator_may_start_on_the_internal_port_only(engine: RunningEngine) -> None:
    token = engine.token(scopes=("operate",))
    assert (await start(engine, token, engine.internal)).tables
    code, _ = await status_of(start(engine, token, engine.public))
    assert code == grpc.StatusCode.PERMISSION_DENIED


async def test_the_service_token_is_nothing_on_the_public_port(engine: RunningEngine) -> None:
    code, _ = await status_of(list_games(engine, SERVICE_TOKEN))
    assert code == grpc.StatusCode.UNAUTHENTICATED


async def test_without_a_service_token_an_empty_one_opens_nothing(make_engine: MakeEngine) -> None:
    engine = await make_engine(service_token="")
    code, _ = await status_of(list_games(engine, "", engine.internal))
    assert code == grpc.StatusCode.UNAUTHENTICATED


async def test_bridges_are_refused_to_players_and_players_to_bridges(engine: RunningEngine) -> None:
    bridge = open_stream(engine, engine.public, engine.token())
    await bridge.send(bridge=play_pb2.BridgeHello(name="mine"))
    assert (await bridge.status())[0] == grpc.StatusCode.PERMISSION_DENIED
    player = open_stream(engine, engine.internal, SERVICE_TOKEN)
    await player.send(player=play_pb2.PlayerHello(bot="b", version="1", places=1))
    assert (await player.status())[0] == grpc.StatusCode.PERMISSION_DENIED


async def test_two_owners_may_use_one_name_for_a_bot(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token("alice"), "bot")
    mallory = await open_player(engine, engine.token("mallory"), "bot")
    assert alice.welcome is not None
    assert mallory.welcome is not None
    assert alice.welcome.player == "alice/bot@1"
    assert mallory.welcome.player == "mallory/bot@1"


async def test_a_name_of_another_kind_of_bot_is_not_to_be_had(engine: RunningEngine) -> None:
    engine.player("alice", "greedy", "uploaded")
    client = open_stream(engine, engine.public, engine.token("alice"))
    await client.send(player=play_pb2.PlayerHello(bot="greedy", version="1", places=1))
    code, details = await client.status()
    assert code == grpc.StatusCode.FAILED_PRECONDITION
    assert "another name" in details


async def test_a_revoked_token_closes_its_open_stream(
    make_engine: MakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = await make_engine(heartbeat_ms=100)
    for authenticator in engine.server.authenticators:
        monkeypatch.setattr(authenticator, "cache_ms", 50)
    token = engine.token()
    client = await open_player(engine, token)
    with engine.database.transaction() as tx:
        row = identity.check_token(tx, token)
        assert row is not None
        identity.revoke_token(tx, row.id)
    code, details = await client.status()
    assert code == grpc.StatusCode.UNAUTHENTICATED
    assert "revoked" in details
    await until(lambda: not engine.server.hall.streams)


async def test_health_and_reflection_need_no_token(engine: RunningEngine) -> None:
    for address in (engine.public, engine.internal):
        stub = health_pb2_grpc.HealthStub(engine.channel(address))
        for service in ("", "engine_service.v1.PlayService"):
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=10)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
    stub = reflection_pb2_grpc.ServerReflectionStub(engine.channel(engine.public))
    call = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    answers = [answer async for answer in call]
    names = {service.name for service in answers[0].list_services_response.service}
    assert "engine_service.v1.PlayService" in names


async def test_a_method_without_a_policy_is_closed_to_everybody(make_engine: MakeEngine) -> None:
    def add(server: grpc.aio.Server) -> None:
        async def answer(request: bytes, context: Any) -> bytes:
            return request

        handler: Any = grpc.unary_unary_rpc_method_handler(answer)
        service = grpc.method_handlers_generic_handler(
            "extra.Service", {"Open": handler, "Forgotten": handler}
        )
        server.add_generic_rpc_handlers((service,))

    extra = Extra("extra.Service", add, {"/extra.Service/Open": frozenset()})
    engine = await make_engine(extras=(extra,))
    channel, metadata = engine.channel(engine.public), bearer(engine.token())
    opened: Any = channel.unary_unary("/extra.Service/Open")
    assert await opened(b"hello", metadata=metadata, timeout=10) == b"hello"
    forgotten: Any = channel.unary_unary("/extra.Service/Forgotten")
    code, _ = await status_of(forgotten(b"hello", metadata=metadata, timeout=10))
    assert code == grpc.StatusCode.PERMISSION_DENIED


async def test_calls_of_one_token_are_bounded_and_told_when_to_come_back(make_engine: MakeEngine) -> None:
    engine = await make_engine(calls_per_second=0.01, calls_burst=5)
    stub: Any = game_pb2_grpc.GameServiceStub(engine.channel(engine.public))
    greedy, modest = bearer(engine.token("alice")), bearer(engine.token("bob"))

    async def call(metadata: Any) -> grpc.aio.AioRpcError | None:
        try:
            await stub.List(game_pb2.ListGamesRequest(), metadata=metadata, timeout=10)
        except grpc.aio.AioRpcError as error:
            return error
        return None

    errors = [error for error in await gather(*(call(greedy) for _ in range(12))) if error]
    assert len(errors) == 7, "nothing to speak of comes back while the test lasts"
    assert {error.code() for error in errors} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert 0 < int(dict(errors[0].trailing_metadata())["retry-after-ms"]) <= 100_001
    assert await call(modest) is None


async def test_streams_of_one_user_are_bounded(make_engine: MakeEngine) -> None:
    engine = await make_engine(streams_per_user=2)
    first, _ = [await open_player(engine, engine.token(), f"bot{n}") for n in range(2)]
    third = open_stream(engine, engine.public, engine.token())
    code, details = await third.status()
    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "close one" in details
    await open_player(engine, engine.token("bob"))
    first.cut()
    await until(lambda: len(engine.server.hall.streams) == 2)
    await open_player(engine, engine.token(), "bot3")
