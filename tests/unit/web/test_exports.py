"""Standings and results as files of the site."""

import csv
import io

import pytest

from storage.database import Database
from tests.fixtures.garden import Garden
from tests.unit.web.conftest import Client, client_of

LADDER = "/ladders/mushi/standard"


@pytest.mark.parametrize(
    ("path", "name", "least"),
    [
        (f"{LADDER}/standings", "mushi-standard-standings", 8),
        (f"{LADDER}/results", "mushi-standard-results", 30),
        ("/leagues/1/standings", "Autumn-league-1-standings", 8),
        ("/leagues/1/results", "Autumn-league-1-results", 30),
        ("/leagues/1/results?season=1", "Autumn-league-1-results", 30),
    ],
)
def test_csv_and_json_hold_the_same(client: Client, path: str, name: str, least: int) -> None:
    base, mark, query = path.partition("?")
    tabled, told = (client.get(f"{base}.{kind}{mark}{query}") for kind in ("csv", "json"))
    assert tabled.headers["content-type"] == "text/csv; charset=utf-8"
    assert told.headers["content-type"] == "application/json"
    assert tabled.headers["content-disposition"] == f'attachment; filename="{name}.csv"'
    heading, *rows = csv.reader(io.StringIO(tabled.text))
    records = told.json()
    assert len(rows) == len(records) >= least
    assert [list(record) for record in records] == [heading] * len(records)
    players = heading.index("player")
    assert [row[players] for row in rows] == [record["player"] for record in records]


def test_pages_name_their_files(client: Client) -> None:
    assert f'href="{LADDER}/standings.csv"' in client.get(LADDER).text
    assert 'href="/leagues/1/results.json?season=1"' in client.get("/leagues/1").text


def test_a_file_that_has_not_changed_is_not_sent_again(client: Client) -> None:
    first = client.get(f"{LADDER}/standings.csv")
    again = client.get(f"{LADDER}/standings.csv", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_many_results_come_one_file_after_another(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.routes.exports.TABLES", 10)
    whole = client.get(f"{LADDER}/results.json")
    assert len({row["table"] for row in whole.json()}) == 10
    address = whole.headers["link"].partition(">")[0].removeprefix("<")
    further = client.get(address).json()
    assert {row["table"] for row in further}.isdisjoint(row["table"] for row in whole.json())


@pytest.mark.parametrize(
    "path",
    [
        f"{LADDER}/standings.xlsx",
        f"{LADDER}/standings.",
        "/ladders/chess/blitz/standings.csv",
        "/leagues/99/standings.csv",
        "/leagues/1/standings.csv?season=7",
        f"{LADDER}/results.csv?before=nothing",
        f"{LADDER}/results.csv?before=%00",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Nothing grows here" in answer.text


def test_a_league_that_has_had_no_season_has_no_file(bare: Database) -> None:
    garden = Garden(bare)
    with bare.transaction() as tx:
        from storage import leagues

        leagues.ensure_league(
            tx,
            "=1+1",
            garden.ladder.id,
            cron="0 18 * * *",
            zone="UTC",
            seats=2,
            tables_each=1,
            rounds=1,
            clock={},
        )
    answer = client_of(bare).get("/leagues/1/standings.csv")
    assert answer.status_code == 404
    assert "has had no season yet" in answer.text
