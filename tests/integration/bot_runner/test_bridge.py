"""Uploaded bots in a worker's bridge, on a real engine: where house bots stand otherwise."""

import pytest

from bot_runner.bundles.bundle import digest_of
from mamenoki.sdk import Bot, Seat
from mamenoki.sdk.bridge import fill
from mamenoki.sdk.tickets import FillReport, SeatTicket
from tests.fixtures.bots import Arena, pack
from tests.fixtures.engine import SERVICE_TOKEN, RunningEngine
from tests.integration.bot_runner.test_playing import CLIMBER
from tests.integration.sdk.conftest import house_bot, tickets

NONSENSE = (
    CLIMBER.replace('return "stop"', 'return "nonsense" if decision.id == 3 and self.once() else "stop"')
    + """
    def once(self):
        first, self.asked = not hasattr(self, "asked"), True
        return first
"""
)


async def filled(engine: RunningEngine, arena: Arena, source: str) -> FillReport:
    """A match of an uploaded bot at seat 0 against a house bot."""
    bundle = pack({"bot.py": source})
    arena.stored[digest_of(bundle)] = bundle
    (started,) = await engine.start(engine.plan(engine.house("climber"), engine.house("rival")))
    uploaded: list[Bot] = []

    def make(ticket: SeatTicket, seat: Seat) -> Bot:
        if ticket.seat:
            return house_bot(ticket, seat)
        uploaded.append(arena.runner.bot(digest_of(bundle), seat))
        return uploaded[0]

    report = await fill(engine.channel(engine.internal), SERVICE_TOKEN, tickets(started), make)
    await arena.runner.settle()
    return report


@pytest.mark.parametrize("source", [CLIMBER, NONSENSE])
async def test_plays(engine: RunningEngine, arena: Arena, source: str) -> None:
    report = await filled(engine, arena, source)
    assert report.lost == report.crashed == {}
    assert len(report.ended) == 2
    assert {result.forfeit for result in report.ended.values()} == {None}


async def test_its_death_is_told(engine: RunningEngine, arena: Arena) -> None:
    report = await filled(engine, arena, CLIMBER.replace('print("a word', 'raise OSError("my disk") #'))
    (key,) = report.crashed
    assert key[1] == 0
    assert "crash: exit with 1" in report.crashed[key]
    assert report.ended[key].forfeit == "crash"
    assert report.ended[key[0], 1].placements == [1, 0]
