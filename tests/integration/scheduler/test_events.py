"""An event played by the real parts, to a winner and through a correction."""

from typing import Any

import pytest

from scheduler import event_corrections, events, ladders
from scheduler.event_corrections import Right
from scheduler.no_shows import NO_SHOW
from storage import events as event_rows
from storage import figures, identity, tables
from storage import ladders as ladder_rows
from storage.database import Database
from storage.events import FINISHED, EventRow, EventTableRow
from tests.fixtures.stack import HouseBot, MakeStack, Stack

KNOCKOUT = {"format": "single-elimination", "seats": 4, "advance": 2}
LADDER = "test"


def make_event(stack: Stack, bots: int, *stages: dict[str, Any]) -> EventRow:
    """An event of so many house bots, begun."""
    roster = [HouseBot(f"climber-{number}", "random", {}) for number in range(bots)]
    with stack.database.transaction() as tx:
        players = ladders.enter_house(tx, stack.ladder, roster)
        event = events.create_event(tx, "Cup", LADDER, stages)
        versions = {one.player_id: one.version_id for one in ladder_rows.entrants(tx, stack.ladder.id)}
        for player in players:
            event_rows.enter(tx, event.id, player, versions[player])
        events.start(tx, event)
    return event


def rows(stack: Stack, event: EventRow) -> list[EventTableRow]:
    with stack.database.reading() as tx:
        return event_rows.tables(tx, event.id)


def is_over(stack: Stack, event: EventRow) -> bool:
    with stack.database.reading() as tx:
        return event_rows.get_event(tx, event.id).state == FINISHED and not figures.jobs_waiting(tx)


def final_order(stack: Stack, event: EventRow) -> list[int]:
    with stack.database.reading() as tx:
        return [line.entrant for line in events.standings(tx, event)[-1].situation.lines]


async def test_sixteen_bots_play_to_a_winner_and_a_correction_replays_what_depends_on_it(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    event = make_event(stack, 16, KNOCKOUT)
    stack.worker()
    stack.beat()
    await stack.until(lambda: is_over(stack, event))
    played = rows(stack, event)
    slots = [row.content["slot"] for row in played]  # one more than once, where a tie left open who goes on
    assert list(dict.fromkeys(slots)) == ["W1.1", "W1.2", "W1.3", "W1.4", "W2.1", "W2.2", "F1.1"]
    assert {row.state for row in played} == {tables.DONE}
    order = final_order(stack, event)
    assert len(order) == len(set(order)) == 16
    assert order[0] in (played[-1].placements or {})

    first = next(row for row in played if slots.count(row.content["slot"]) == 1)
    assert first.content["slot"].startswith("W1")
    assert first.placements is not None
    best = sorted(first.placements, key=first.placements.__getitem__)
    right = Right(first.table_id, {one: place for place, one in enumerate(reversed(best))})
    with stack.database.transaction() as tx:
        told = event_corrections.preview(tx, event, right)
        done = event_corrections.correct(tx, event, right, "organiser", "the wrong way round")
    assert told.stages == done.stages
    assert told.rated == done.rated is True
    assert set(first.placements) <= {one.player_id for one in told.ratings or ()}
    assert told.stages[0].reopens
    assert {match.slot[:2] for match in told.stages[0].lost} >= {"W2"}
    await stack.until(lambda: is_over(stack, event))
    again = rows(stack, event)
    assert again[: len(played)] == played, "nothing of what was played is touched"
    fresh = [row.content["slot"] for row in again[len(played) :]]
    assert fresh
    assert not [slot for slot in fresh if slot.startswith("W1")], "the first round does not depend on it"
    with stack.database.reading() as tx:
        assert [entry[:2] for entry in event_rows.audit(tx, event.id)] == [
            ("organiser", "the wrong way round")
        ]


@pytest.mark.slow
async def test_sixty_four_bots_in_groups_then_a_double_knockout(
    make_stack: MakeStack, database: Database, database_url: str, valkey: str
) -> None:
    stack = await make_stack(database_url, database, valkey)
    groups = {"format": "round-robin", "seats": 4, "rounds": 2, "groups": 8, "through": 4}
    event = make_event(stack, 64, groups, {**KNOCKOUT, "format": "double-elimination"})
    stack.worker()
    stack.beat()
    await stack.until(lambda: is_over(stack, event), 300)
    with stack.database.reading() as tx:
        stages = events.standings(tx, event)
    assert [len(one.entrants) for one in stages] == [64, 32]
    assert sorted(final_order(stack, event)) == sorted(stages[1].entrants)


async def test_a_bot_that_never_comes_idles_nobody(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    with stack.database.transaction() as tx:
        (house,) = ladders.enter_house(tx, stack.ladder, [HouseBot("climber", "random", {})])
        away = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "away", "remote")
        version = identity.ensure_version(tx, away.id, "1")
        ladder_rows.enter(tx, stack.ladder.id, away.id, version.id)
        stage = {"format": "single-elimination", "seats": 2, "no_show_ms": 1_000}
        event = events.create_event(tx, "Cup", LADDER, [stage])
        assert all(events.enter(tx, event, player) for player in (house, away.id))
        events.start(tx, event)
    stack.worker()
    stack.beat()
    await stack.until(lambda: is_over(stack, event))
    assert final_order(stack, event) == [house, away.id]
    assert [row.state for row in rows(stack, event)] == [tables.VOID]
    with stack.database.reading() as tx:
        assert tables.find(tx, rows(stack, event)[0].table_id).void_reason == NO_SHOW
