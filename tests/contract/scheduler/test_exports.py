"""Exports over both databases: whole, in order, in pages."""

import pytest

from scheduler import exports
from scheduler.domain.exports.sheets import records_of
from storage import ladders, leagues, results
from storage.database import Database
from storage.errors import NotFound
from tests.fixtures.garden import Garden


@pytest.fixture
def garden(database: Database) -> Garden:
    garden = Garden(database)
    for name in ("a", "b", "c", "d"):
        garden.plant("house", name, "house", 2)
    for _ in range(5):
        garden.play(garden.draw(3))
    garden.play(garden.draw(2), dies=0)
    league = garden.found_league(seats=2)
    for window in (1_000, 2_000):
        garden.play_round(league, window, tables=2)
    garden.rate()
    return garden


def test_everybody_stands_in_the_standings(garden: Garden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "PAGE", 3)  # so that four players take two pages
    with garden.database.reading() as tx:
        rows = records_of(exports.ladder_standings(tx, garden.ladder))
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert {row["player"] for row in rows} == {f"house/{name}" for name in "abcd"}
    assert all(row["rating"] == pytest.approx(row["mean"] - 3 * row["deviation"]) for row in rows)  # type: ignore[operator]


def test_results_come_in_pages_a_row_a_seat(garden: Garden) -> None:
    with garden.database.reading() as tx:
        whole, nothing = exports.ladder_results(tx, garden.ladder, None, 100)
        before, pages = None, []
        while True:
            page, before = exports.ladder_results(tx, garden.ladder, before, 4)
            pages += page.rows
            if before is None:
                break
        assert (pages, nothing) == (whole.rows, None)
        with pytest.raises(NotFound):
            exports.ladder_results(tx, garden.ladder, "nothing", 4)
    rows = records_of(whole)
    assert len({row["table"] for row in rows}) == 10
    assert len(rows) == 5 * 3 + 5 * 2
    crashed = [row for row in rows if row["forfeit"]]
    assert [(row["seat"], row["place"], row["forfeit"]) for row in crashed] == [(0, 2, "crash")]
    assert str(rows[0]["player"]).endswith("@1")
    assert str(rows[0]["ended_at"]).endswith("+00:00")


def test_a_season_is_told_by_rounds(garden: Garden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "PAGE", 1)
    with garden.database.reading() as tx:
        (league,) = leagues.leagues(tx)
        (season,) = leagues.seasons(tx, league.id)
        told = records_of(exports.season_results(tx, season))
        lines = records_of(exports.season_standings(tx, season))
        ended = [
            row.ended_at
            for one in leagues.rounds(tx, season.id)
            for row in results.recent(tx, None, None, 9, round_id=one.id)[::-1]
        ]
    assert [row["round"] for row in told] == [1] * 4 + [2] * 4
    assert ended == sorted(ended)
    assert {row["division"] for row in lines} == {1}
    assert sum(int(str(row["tables"])) for row in lines) == 8
    assert all(0 <= float(str(row["share"])) <= 1 for row in lines)
    assert {row["move"] for row in lines} == {None}


def test_a_set_names_the_entrant_whose_seats_they_all_are(garden: Garden) -> None:
    garden.play_set(garden.players[:3])
    with garden.database.reading() as tx:
        ladder = ladders.find_ladder(tx, "morumori/coop")
        sheet, _ = exports.ladder_results(tx, ladder, None, 10)
    rows = records_of(sheet)
    assert len(rows) == 6
    assert {row["entrant"] for row in rows} == {"house/a@1", "house/b@1", "house/c@1"}
    assert {row["place"] for row in rows} == {None}
