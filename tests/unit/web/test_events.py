"""Pages of events: brackets, standings, what decides, whatever state they are in."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scheduler import events
from scheduler.event_corrections import Right, correct
from storage import events as rows
from storage.database import Database
from storage.events import EventRow
from tests.fixtures.garden import NERVES, Garden
from tests.unit.web.conftest import Client, client_of
from tests.unit.web.test_pages import check

DOUBLE = {"format": "double-elimination", "seats": 2}
FOURS = {"format": "single-elimination", "seats": 4, "advance": 2}
GROUPS = {"format": "round-robin", "seats": 3, "groups": 2, "through": 2}
FINAL = {"format": "single-elimination", "seats": 2, "best_of": 3}


@pytest.fixture
def garden(tmp_path: Path) -> Iterator[Garden]:
    database = Database(f"sqlite:///{tmp_path / 'garden.sqlite3'}")
    database.migrate()
    made = Garden(database)
    for name, nerve in NERVES.items():
        made.plant("house", name, "house", nerve)
    yield made
    database.close()


def page_of(garden: Garden, event: EventRow) -> str:
    response = client_of(garden.database).get(f"/events/{event.id}")
    assert response.status_code == 200
    check(response.text)
    return response.text


def test_a_double_knockout_to_its_winner(garden: Garden) -> None:
    event = garden.found_event("Bean cup", DOUBLE)
    begun = page_of(garden, event)
    assert "Being played" in begun
    assert begun.count("nobody to meet") == 2, "six in a bracket of eight"
    garden.play_event(event)
    page = page_of(garden, event)
    assert [part in page for part in ("Upper bracket", "Lower bracket", "Grand final")] == [True] * 3
    winner = re.search(r'<p class="notice"><a href="[^"]*">.*?</span>(\w+)</bdi></a> has won', page)
    assert winner is not None
    with garden.database.reading() as tx:
        first = events.standings(tx, rows.get_event(tx, event.id))[-1].situation.lines[0].entrant
        assert winner[1] in next(
            one.full_name for one in rows.entrants(tx, event.id) if one.player_id == first
        )
    assert page.count(">winner<") == 1
    assert page.count(">drops down<") == 5
    with garden.database.reading() as tx:
        tables = rows.tables(tx, event.id)
    assert all(f"/tables/{row.table_id}" in page for row in tables)
    assert f"<code>{event.lots}</code>" in page


def test_groups_then_a_final_of_several_games(garden: Garden) -> None:
    event = garden.found_event("Two halves", GROUPS, FINAL)
    assert "to come" in page_of(garden, event)
    garden.play_event(event)
    page = page_of(garden, event)
    assert page.index("Stage 2") < page.index("Stage 1"), "the latest stage comes first"
    assert "Group 1" in page
    assert "Group 2" in page
    assert "game 2" in page
    assert "Buchholz" in page


def test_more_than_one_of_a_table_goes_on(garden: Garden) -> None:
    event = garden.found_event("Fours", FOURS)
    garden.play_event(event)
    page = page_of(garden, event)
    assert "The best 2 of a table go on." in page
    assert page.count(">goes on<") == 4
    assert page.count(">out<") == 2 + 3


def test_who_withdraws_is_marked_and_a_correction_is_listed(garden: Garden) -> None:
    event = garden.found_event("Cup", FOURS)
    garden.play_event(event)
    with garden.database.transaction() as tx:
        table = rows.tables(tx, event.id)[0]
        correct(tx, event, Right(table.table_id, None), "orga", "<b>the wrong</b> deal")
    page = page_of(garden, event)
    assert "&lt;b&gt;the wrong&lt;/b&gt; deal" in page
    assert "has won" not in page
    with garden.database.transaction() as tx:
        events.withdraw(tx, event, table.seated[0])
    assert page_of(garden, event).count(">withdrew<") == 2, "in the standings and among the entrants"


def test_lists_and_strangers(garden: Garden, client: Client) -> None:
    assert "No event is set up." in client.get("/events").text
    garden.found_event("Bean cup", DOUBLE)
    listed = client_of(garden.database).get("/events").text
    check(listed)
    assert "double elimination" in listed
    for path in ("/events/99", "/events/0", "/events/x", "/events/99999999999999"):
        assert client.get(path).status_code == 404


def test_an_event_that_nobody_has_entered(garden: Garden) -> None:
    with garden.database.transaction() as tx:
        event = events.create_event(tx, "Empty", garden.ladder.name, [DOUBLE])
    assert "Nobody has entered yet." in page_of(garden, event)


SWISS = {"format": "swiss", "seats": 2, "rounds": 3}


def rows_of(garden: Garden, event: EventRow, what: str) -> list[dict[str, object]]:
    response = client_of(garden.database).get(f"/events/{event.id}/{what}.json")
    assert response.status_code == 200
    found: list[dict[str, object]] = response.json()
    return found


def test_standings_and_results_as_files(garden: Garden) -> None:
    event = garden.found_event("=Cup()", GROUPS, FINAL)
    garden.play_event(event)
    standings = rows_of(garden, event, "standings")
    assert [(one["stage"], one["group"], one["rank"]) for one in standings] == [
        *((1, group, rank) for group in (1, 2) for rank in (1, 2, 3)),
        *((2, 0, rank) for rank in (1, 2, 3, 4)),
    ]
    assert (standings[0]["stayed_in"], standings[-1]["score"]) == (None, None)
    played = rows_of(garden, event, "results")
    with garden.database.reading() as tx:
        tables = rows.tables(tx, event.id)
    assert [one["table"] for one in played if one["seat"] == 0] == [row.table_id for row in tables]
    assert {one["place"] for one in played if one["table"] == tables[0].table_id} <= {1, 2, 3}
    with garden.database.transaction() as tx:
        correct(tx, event, Right(tables[0].table_id, None), "orga", "the wrong deal")
    assert {one["place"] for one in rows_of(garden, event, "results")[:3]} == {None}
    page = page_of(garden, event)
    for kind in ("csv", "json"):
        assert f"/events/{event.id}/standings.{kind}" in page
    assert client_of(garden.database).get(f"/events/{event.id}/standings.xml").status_code == 404


def test_a_swiss_of_two_is_a_tournament_report(garden: Garden) -> None:
    event = garden.found_event("Bean Swiss", SWISS)
    garden.play_event(event)
    path = f"/events/{event.id}/stages/1.trf"
    assert path in page_of(garden, event)
    report = client_of(garden.database).get(path)
    assert report.headers["content-disposition"] == 'attachment; filename="Bean-Swiss-1.trf"'
    lines = report.text.splitlines()
    assert lines[0] == "012 Bean Swiss"
    assert lines[-1] == "XXR 3"
    players = [line for line in lines if line.startswith("001 ")]
    assert len(players) == len(NERVES)
    points = {line[14:47].strip(): float(line[80:84]) for line in players}
    with garden.database.reading() as tx:
        stood = events.standings(tx, event)[-1]
        names = {one.player_id: one.full_name.rsplit("@", 1)[0] for one in rows.entrants(tx, event.id)}
    assert points == {names[line.entrant]: float(line.values["score"]) for line in stood.situation.lines}
    assert client_of(garden.database).get(f"/events/{event.id}/stages/2.trf").status_code == 404


def test_many_events_have_pages(garden: Garden) -> None:
    with garden.database.transaction() as tx:
        for number in range(30):
            events.create_event(tx, f"Cup {number:02}", garden.ladder.name, [DOUBLE])
    client = client_of(garden.database)
    first = client.get("/events").text
    check(first)
    assert first.count('class="card"') == 24
    assert "Cup 29" in first
    older = re.search(r'rel="next" href="([^"]+)"', first)
    assert older is not None
    second = client.get(older[1]).text
    check(second)
    assert second.count('class="card"') == 6
    assert "‹ Newest" in second
    assert "There is nothing older." in client.get("/events?before=1").text
    assert client.get("/events?before=x").status_code == 400
