"""Reading the ratings: order, ranks, pages, neighbours, histories, opponents."""

import pytest
from sqlalchemy import insert

from ratings.board import PROVISIONAL_DEVIATION, PROVISIONAL_GAMES, is_provisional, trend
from ratings.follow import fold_ladder
from storage import identity, ledger, ratings
from storage.database import Database, Transaction
from storage.errors import NotFound
from storage.ledger import NewEntry
from storage.ratings import Cursor
from storage.schema import Rating
from tests.fixtures.records import World, make_world, result_content, result_entry


def show(tx: Transaction, world: World, *figures: float) -> None:
    """Gives the world's players these shown figures."""
    for (player, _), shown in zip(world.players, figures, strict=True):
        values = {"mean": shown + 3, "deviation": 1.0, "shown": shown, "games": 20, "last_place": 0}
        tx.execute(insert(Rating).values(ladder_id=world.ladder_id, player_id=player, **values))


def brief(rows: list[ratings.StandingRow]) -> list[tuple[int, str]]:
    return [(row.rank, row.player) for row in rows]


def test_equal_figures_share_a_rank(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 6)
        show(tx, world, 5.0, 7.0, 7.0, 1.0, 7.0, 1.0)
        found = ratings.page(tx, world.ladder_id, None, 10)
        assert [row.rank for row in found] == [1, 1, 1, 4, 5, 5]
        assert [row.shown for row in found] == [7.0, 7.0, 7.0, 5.0, 1.0, 1.0]
        assert ratings.count(tx, world.ladder_id) == 6


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_pages_are_the_whole_in_parts(database: Database, size: int) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 7)
        show(tx, world, 5.0, 7.0, 7.0, 1.0, 7.0, 1.0, -2.5)
        whole = ratings.page(tx, world.ladder_id, None, 10)
        parts: list[ratings.StandingRow] = []
        while page := ratings.page(tx, world.ladder_id, _after(parts), size):
            parts += page
        assert parts == whole
        for offset in range(7):
            cursor = ratings.cursor_before(tx, world.ladder_id, offset)
            assert ratings.page(tx, world.ladder_id, cursor, 1) == [whole[offset]]


def test_a_cursor_outlives_the_player_it_stood_at(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 4)
        show(tx, world, 4.0, 3.0, 2.0, 1.0)
        assert brief(ratings.page(tx, world.ladder_id, Cursor(2.5, 10**9), 5)) == [
            (3, "house/bot2"),
            (4, "house/bot3"),
        ]
        assert ratings.page(tx, world.ladder_id, Cursor(0.5, 1), 5) == []


def test_neighbours_on_either_side(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 6)
        show(tx, world, 6.0, 5.0, 4.0, 4.0, 2.0, 1.0)
        find = {f"house/bot{n}": player for n, (player, _) in enumerate(world.players)}
        around = ratings.around(tx, world.ladder_id, find["house/bot3"], 1)
        assert brief(around) == [(2, "house/bot1"), (3, "house/bot3"), (3, "house/bot2")]
        top = ratings.around(tx, world.ladder_id, find["house/bot0"], 2)
        assert [row.rank for row in top] == [1, 2, 3]
        bottom = ratings.around(tx, world.ladder_id, find["house/bot5"], 2)
        assert [row.rank for row in bottom] == [3, 5, 6]
        assert ratings.standing(tx, world.ladder_id, find["house/bot2"]).rank == 3


def test_who_has_not_played_has_no_line(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        assert ratings.page(tx, world.ladder_id, None, 10) == []
        with pytest.raises(NotFound, match="no rated game"):
            ratings.standing(tx, world.ladder_id, world.players[0][0])


def test_the_search(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 4)
        show(tx, world, 1.0, 4.0, 3.0, 4.0)
        assert [row.rank for row in ratings.search(tx, world.ladder_id, "HOUSE/b", 3)] == [1, 1, 3]
        assert brief(ratings.search(tx, world.ladder_id, "bot0", 9)) == [(4, "house/bot0")]
        assert ratings.search(tx, world.ladder_id, "b%t", 9) == []


def test_the_trend_is_over_ten_games(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 2)
        ledger.append(tx, world.ladder_id, [result_entry(world, f"t{n}", (0, 1), (0, 1)) for n in range(25)])
    shown: dict[int, float] = {}
    for games in (4, 10, 15, 25):
        fold_ladder(database, world.ladder_id, limit=games - max([0, *shown]))
        with database.reading() as tx:
            row = ratings.standing(tx, world.ladder_id, world.players[0][0])
        shown[games] = row.shown
        before = 0.0 if games <= 10 else shown.get(games - 10)
        if before is not None:
            assert trend(row) == pytest.approx(row.shown - before, abs=1e-6)
        assert row.games == games


def test_a_figure_is_provisional_until_it_is_settled(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 1)
        show(tx, world, 5.0)
        row = ratings.standing(tx, world.ladder_id, world.players[0][0])
    assert not is_provisional(row)
    for games, deviation in ((PROVISIONAL_GAMES - 1, 1.0), (20, PROVISIONAL_DEVIATION + 0.1)):
        young = ratings.StandingRow(1, 1, "a/b", "house", 1, 25.0, deviation, 20.0, games, 20.0)
        assert is_provisional(young)


def test_a_history_has_what_happened_at_the_table(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 3)
        entries = [
            result_entry(world, "t0", (0, 1), (0, 1)),
            result_entry(world, "t1", (1, 2), (0, 1)),
            result_entry(world, "t2", (2, 0, 1), (0, 1, 1)),
            NewEntry(ledger.SEASON_RESET, {"keep_permille": 500}),
        ]
        ledger.append(tx, world.ladder_id, entries)
    fold_ladder(database, world.ladder_id)
    with database.reading() as tx:
        me = world.players[0][0]
        reset, last, first = ratings.history(tx, world.ladder_id, me, None, 10)
        assert (reset.kind, reset.place, reset.others) == ("season_reset", 3, ())
        assert (last.kind, last.place, last.mine.placement) == ("result", 2, 1)
        assert [(seat.player, seat.placement) for seat in last.others] == [
            ("house/bot1", 1),
            ("house/bot2", 0),
        ]
        assert first.mine.change.mean_after == last.mine.change.mean_before
        assert ratings.history(tx, world.ladder_id, me, 2, 10) == [first]
        assert ratings.history(tx, world.ladder_id, me, None, 1) == [reset]


def test_a_history_tells_of_corrections(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 2)
        ledger.append(tx, world.ladder_id, [result_entry(world, "t0", (0, 1), (0, 1))])
    fold_ladder(database, world.ladder_id)
    with database.transaction() as tx:
        content = result_content(world, "t0", (0, 1), (1, 0))
        ledger.append(tx, world.ladder_id, [NewEntry(ledger.CORRECTION, content, supersedes=0)])
        (row,) = ratings.history(tx, world.ladder_id, world.players[0][0], None, 10)
        assert (row.kind, row.mine.placement) == ("result", 0)  # not folded yet: the figures are the old ones
    fold_ladder(database, world.ladder_id)
    with database.reading() as tx:
        (row,) = ratings.history(tx, world.ladder_id, world.players[0][0], None, 10)
        assert (row.kind, row.mine.placement) == ("correction", 1)
        (opponent,) = ratings.head_to_head(tx, world.ladder_id, world.players[0][0])
        assert (opponent.ahead, opponent.level, opponent.behind) == (0, 0, 1)


def test_head_to_head_counts_every_opponent(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 3)
        tables = [((0, 1), (0, 1)), ((1, 0), (0, 1)), ((0, 1, 2), (0, 1, 0)), ((2, 1), (0, 1))]
        ledger.append(tx, world.ladder_id, [result_entry(world, "t", *table) for table in tables])
    fold_ladder(database, world.ladder_id)
    with database.reading() as tx:
        found = ratings.head_to_head(tx, world.ladder_id, world.players[0][0])
        assert [(row.opponent, row.ahead, row.level, row.behind) for row in found] == [
            ("house/bot1", 2, 0, 1),
            ("house/bot2", 0, 1, 0),
        ]
        assert identity.find_player(tx, "house/bot0").id == world.players[0][0]


def _after(rows: list[ratings.StandingRow]) -> Cursor | None:
    return Cursor(rows[-1].shown, rows[-1].player_id) if rows else None
