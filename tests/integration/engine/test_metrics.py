"""What Prometheus is told."""

import urllib.request
from asyncio import to_thread

from prometheus_client.parser import text_string_to_metric_families

from engine_service.v1 import play_pb2
from tests.fixtures.engine import MakeEngine
from tests.integration.engine.clients import open_bridge, open_player

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def scrape(address: str) -> Samples:
    def fetch() -> str:
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:  # loopback
            return answer.read().decode()  # type: ignore[no-any-return]

    families = text_string_to_metric_families(await to_thread(fetch))
    return {
        (sample.name.removeprefix("mamenoki_"), tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


async def test_a_match_leaves_its_numbers_and_no_names(make_engine: MakeEngine) -> None:
    engine = await make_engine(engine_metrics_address="127.0.0.1:0")
    await open_player(engine, engine.token("somebody"), "secretive", places=3)
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    during = await scrape(engine.server.metrics)
    assert during["open_matches", ()] == 1
    assert during["open_streams", (("kind", "bridge"),)] == 1
    assert during["open_streams", (("kind", "player"),)] == 1
    assert during["places", (("state", "free"),)] == 3
    await bridge.send(moves=[play_pb2.Move(match="nowhere")])
    await bridge.play_on(done=2)

    game = (("game", "mushi"),)
    after = await scrape(engine.server.metrics)
    assert after["matches_started_total", (*game, ("variant", "standard"))] == 1
    ended = (("end", "turn_limit"), *game, ("variant", "standard"))
    assert after["matches_finished_total", ended] == 1
    moves = after["moves_total", game]
    assert moves > 10
    assert after["move_seconds_count", game] == moves
    assert after["result_lag_seconds_count", ()] == 1
    assert after["answers_refused_total", (("reason", "unknown_seat"),)] == 1
    assert after["open_matches", ()] == 0
    started = (("code", "OK"), ("method", "/engine_service.v1.MatchService/Start"))
    assert after["grpc_calls_total", started] == 1
    text = repr(after)
    for name in ("somebody", "secretive", "house/one", id):
        assert name not in text


async def test_attempts_and_voids_are_counted_by_cause(make_engine: MakeEngine) -> None:
    engine = await make_engine(engine_metrics_address="127.0.0.1:0")
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    bridge.cut()
    absent = engine.plan(engine.house("one"), engine.remote("nobody", "here"))
    await engine.start(absent)
    samples = await scrape(engine.server.metrics)
    assert samples["attempts_ended_total", (("cause", "bridge"),)] == 1
    assert samples["attempts_ended_total", (("cause", "seats"),)] == 1
