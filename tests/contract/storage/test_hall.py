"""What the pages read, on both databases."""

import pytest

from storage import hall, leagues, ratings
from storage.database import Database
from storage.errors import NotFound
from tests.fixtures.garden import Garden, Planted


@pytest.fixture
def garden(database: Database) -> Garden:
    garden = Garden(database)
    for name in ("one", "two", "three", "Four_x", "four-x"):
        garden.plant("alpha", name, "remote", 2)
    return garden


def test_traffic_and_tables_in_play(garden: Garden) -> None:
    garden.play(garden.players[:2])
    garden.play(garden.players[:2], rated=False)
    garden.plan(garden.players[:2])
    first, second = (garden.plan(garden.players[1:4]) for _ in range(2))
    for table in (first, second):
        garden.start(table)
    with garden.database.reading() as tx:
        assert hall.traffic(tx) == hall.Traffic(players=5, tables=2, running=2)
        assert hall.rated_tables(tx, garden.ladder.id) == 1
        rows = hall.in_play(tx, 10)
        assert {row.table_id for row in rows} == {first, second}
        assert [seat.full_name for seat in rows[0].seats] == [
            "alpha/two@1",
            "alpha/three@1",
            "alpha/Four_x@1",
        ]
        assert rows[0].ladder == "mushi/standard"
        assert len(hall.in_play(tx, 1)) == 1


def test_what_a_table_did_and_how_a_player_climbed(garden: Garden) -> None:
    one, two = garden.players[:2]
    table = garden.play([one, two])
    with garden.database.reading() as tx:
        assert hall.rating_changes(tx, garden.ladder.id, table) == {}
    garden.plant("alpha", "one", "remote", 3, label="2")
    garden.rate()
    with garden.database.reading() as tx:
        changes = hall.rating_changes(tx, garden.ladder.id, table)
        steps = hall.climb(tx, garden.ladder.id, one.player_id, 10)
        assert len(hall.climb(tx, garden.ladder.id, one.player_id, 1)) == 1
    assert set(changes) == {one.player_id, two.player_id}
    assert [step.version for step in steps] == [2, None]
    before, after = changes[one.player_id]
    assert before == pytest.approx(steps[1].mean_before - 3 * steps[1].deviation_before)
    assert after == pytest.approx(steps[0].mean_before - 3 * steps[0].deviation_before)


def test_a_season_with_its_tables(garden: Garden) -> None:
    league = garden.found_league()
    garden.play_round(league, 1000, tables=2)
    with garden.database.reading() as tx:
        season = leagues.seasons(tx, league.id)[0]
        tables = hall.season_tables(tx, season.id)
    assert [(table.round, table.state, len(table.seats)) for table in tables] == [(1, "done", 3)] * 2
    assert all(table.placements is not None and 0 in table.placements for table in tables)


def rated(garden: Garden) -> list[Planted]:
    players = garden.players
    garden.play(players)
    garden.rate()
    return players


def test_cursors_reach_every_line(garden: Garden) -> None:
    rated(garden)
    with garden.database.reading() as tx:
        everybody = ratings.page(tx, garden.ladder.id, None, 10)
        for offset, row in enumerate(everybody):
            cursor = ratings.cursor_before(tx, garden.ladder.id, offset)
            assert ratings.page(tx, garden.ladder.id, cursor, 1) == [row]
        with pytest.raises(NotFound, match="no line 7"):
            ratings.cursor_before(tx, garden.ladder.id, 6)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("TWO", {"two"}),
        ("alpha/t", {"two", "three"}),
        ("four_", {"Four_x"}),
        ("%", set()),
        ("alpha", {"one", "two", "three", "Four_x", "four-x"}),
        ("\\", set()),
    ],
)
def test_search_finds_text_as_it_stands(garden: Garden, text: str, names: set[str]) -> None:
    rated(garden)
    with garden.database.reading() as tx:
        found = ratings.search(tx, garden.ladder.id, text, 10)
        whole = {row.player_id: row for row in ratings.page(tx, garden.ladder.id, None, 10)}
    assert {row.player.partition("/")[2] for row in found} == names
    assert all(whole[row.player_id] == row for row in found)
