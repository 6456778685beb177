"""A league round played by the real parts: planned once, played, rated once."""

from collections import Counter

from scheduler import seasons
from storage import figures, folding, ledger
from storage import leagues as league_rows
from storage.database import Database
from tests.fixtures.stack import MakeStack, Stack


def assert_all_once(stack: Stack, season: int, each: int, planned: int) -> None:
    """Every table has ended with one result, one ledger entry, and one game each in the ratings."""
    played = stack.played()
    assert len(played) == len({row.table_id for row in played}) == planned
    assert set(Counter(player for row in played for player in row.player_ids).values()) == {each}
    with stack.database.reading() as tx:
        entries = [one for one in ledger.entries(tx, stack.ladder.id, 0, 10_000) if one.kind == "result"]
        assert sorted(one.table_id or "" for one in entries) == sorted(row.table_id for row in played)
        ratings = folding.standings(tx, stack.ladder.id)
        assert {one.games for one in ratings} == {each}
        assert figures.jobs_waiting(tx) == {}
        (lines,) = seasons.standings(tx, season)
        assert [line.tables for line in lines] == [each] * len(lines)


async def follow(stack: Stack, season: int, seconds: float = 90.0) -> None:
    """Until the season is over and nothing is left to follow up."""

    def is_over() -> bool:
        with stack.database.reading() as tx:
            closed = league_rows.get_season(tx, season).state == league_rows.CLOSED
            return closed and not figures.jobs_waiting(tx)

    await stack.until(is_over, seconds)


async def test_sixty_tables_are_played_and_rated_once(
    make_stack: MakeStack, database: Database, database_url: str, valkey: str
) -> None:
    stack = await make_stack(database_url, database, valkey)
    season = stack.league(tables_each=20)
    stack.worker()
    stack.beat()
    await follow(stack, season)
    assert [one.number for one in stack.rounds(season)] == [1]
    assert_all_once(stack, season, each=20, planned=60)
