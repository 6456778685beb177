"""``ratings``, ``ladder`` and ``league``, on a database of their own."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from storage import ledger
from storage.database import Database
from tests.fixtures.garden import Garden
from tests.unit.cli.conftest import Run


@pytest.fixture
def database(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    url = f"sqlite:///{tmp_path / 'm.sqlite3'}"
    monkeypatch.setenv("DATABASE_URL", url)
    database = Database(url)
    database.migrate()
    yield database
    database.close()


def rated(database: Database) -> None:
    """A ladder of two players who have met twice, one of them in two versions, and their ratings."""
    garden = Garden(database)
    players = [garden.plant("ann", name, "remote", nerve) for name, nerve in (("a", 1), ("b", 2))]
    garden.play(players)
    players[0] = garden.plant("ann", "a", "remote", 3, label="2")
    garden.play(players)
    garden.rate()


def test_a_rebuild_gives_the_same_bytes(database: Database, run: Run) -> None:
    rated(database)
    ran = run("ratings", "rebuild")
    assert ran.code == 0
    assert ran.out.startswith("mushi/standard: 3 entries, 2 players; stored and rebuilt are equal, SHA-256 ")
    (found,) = json.loads(run("ratings", "rebuild", "mushi/standard", "--check", "--json").out)
    assert found["equal"]
    assert found["stored"] == found["rebuilt"]


def test_what_was_tampered_with_is_named_and_only_replaced_when_asked(database: Database, run: Run) -> None:
    rated(database)
    with database.transaction() as tx:
        tx.execute(text("update rating set mean = mean + 1 where player_id = 1"))
    checked = run("ratings", "rebuild", "--check")
    assert checked.code == 1
    assert "DIFFERENT" in checked.out
    assert "replaced" not in checked.out
    mended = run("ratings", "rebuild")
    assert mended.code == 0
    assert "has been replaced" in mended.out
    assert run("ratings", "rebuild", "--check").code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("ratings", "rebuild", "chess/blitz"),
        ("ladder", "pause", "chess/blitz"),
        ("ladder", "entrants", "chess/blitz"),
        ("league", "create", "l", "chess/blitz", "--cron", "* * * * *"),
    ],
    ids=" ".join,
)
def test_a_ladder_that_there_is_not_is_said_with_those_that_there_are(
    words: tuple[str, ...], database: Database, run: Run
) -> None:
    rated(database)
    ran = run(*words)
    assert ran.code == 2
    assert "there is no ladder 'chess/blitz'; there are: mushi/standard" in ran.complaint


def test_a_ladder_is_opened_paused_and_resumed(database: Database, run: Run) -> None:
    assert run("ladder", "open", "mushi").out == "mushi/standard is open\n"
    assert run("ladder", "open", "mushi").code == 0
    assert run("ladder", "pause", "mushi/standard").code == 0
    assert not json.loads(run("ladder", "list", "--json").out)[0]["open"]
    assert "paused" in run("ladder", "list").out
    assert run("ladder", "resume", "mushi/standard").code == 0
    assert json.loads(run("ladder", "list", "--json").out)[0]["open"]


def test_a_ladder_with_house_bots_has_the_roster(database: Database, run: Run) -> None:
    from mamenoki.house.roster import ROSTER

    assert run("ladder", "open", "mushi/standard", "--house").code == 0
    on_it = json.loads(run("ladder", "entrants", "mushi/standard", "--json").out)
    of_mushi = {f"house/{bot.name}" for bot in ROSTER if bot.game == "mushi"}
    assert {row["player"] for row in on_it} == of_mushi
    assert "house/" in run("ladder", "entrants", "mushi/standard").out


def test_how_even_a_ladders_tables_were_is_said(database: Database, run: Run) -> None:
    garden = Garden(database)
    ours = [garden.plant("house", name, "house", 1) for name in ("a", "b", "c")]
    guest = garden.plant("ann", "guest", "remote", 1)
    for seats in ((0, 1), (1, 2), (2, 0)):
        garden.play([ours[seat] for seat in seats])
    garden.play([ours[0], guest])
    ran = run("ladder", "fairness", "mushi/standard")
    assert ran.code == 0
    assert "4 tables of 3 players of ours, since the last of them joined" in ran.out
    assert "≤ 0.25" in ran.out
    figures = json.loads(run("ladder", "fairness", "mushi/standard", "--json").out)
    assert (figures["games_spread"], figures["seat_spread"], figures["repeats"]) == (1, 1, 0)
    for _ in range(4):
        garden.play([ours[0], ours[1]])
    broken = run("ladder", "fairness", "mushi/standard")
    assert broken.code == 1
    assert "BROKEN" in broken.out
    assert json.loads(run("ladder", "fairness", "mushi/standard", "--json").out)["exceeded"] == [
        "games_spread",
        "seat_spread",
    ]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("chess",), "there is no game 'chess'"),
        (("mushi", "--config", "hub=1"), "has no setting 'hub'"),
        (("mushi", "--config", "hub_start=many"), "hub_start is 'many'"),
    ],
)
def test_a_ladder_that_cannot_be_is_said(
    words: tuple[str, ...], wanted: str, database: Database, run: Run
) -> None:
    ran = run("ladder", "open", *words)
    assert ran.code == 2
    assert wanted in ran.complaint


def test_a_league_has_seasons_and_standings(database: Database, run: Run) -> None:
    rated(database)
    words = (
        "league",
        "create",
        "evenings",
        "mushi/standard",
        "--cron",
        "0 18 * * *",
        "--zone",
        "Europe/Berlin",
    )
    assert run(*words, "--seats", "2").code == 0
    assert run(*words, "--seats", "2").code == 0
    assert "0 18 * * * Europe/Berlin" in run("league", "list").out
    assert json.loads(run("league", "list", "--json").out)[0]["seats"] == 2
    none = run("league", "standings", "evenings")
    assert (none.code, none.complaint) == (
        1,
        "evenings has no season yet; `mamenoki league begin evenings` opens one",
    )
    assert run("league", "begin", "evenings").out == "season 1 of evenings is open with 2 players\n"
    shown = run("league", "standings", "evenings")
    assert shown.code == 0
    assert "ann/a" in shown.out
    assert "in this order: share, wins" in shown.out
    assert [line["player"] for line in json.loads(run("league", "standings", "evenings", "--json").out)] == [
        "ann/a",
        "ann/b",
    ]
    wrong = run("league", "standings", "evenings", "--season", "7")
    assert (wrong.code, wrong.complaint) == (2, "evenings has no season 7; it has 1 to 1")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("create", "x", "mushi/standard", "--cron", "soon"), "soon"),
        (("create", "x", "mushi/standard", "--cron", "* * * * *", "--zone", "Mars/Base"), "Mars/Base"),
        (("create", "x", "mushi/standard", "--cron", "* * * * *", "--seats", "6"), "2 to 5, not by 6"),
        (("begin", "nothing"), "nothing"),
        (("standings", "nothing"), "nothing"),
    ],
)
def test_a_league_that_cannot_be_is_said(
    words: tuple[str, ...], wanted: str, database: Database, run: Run
) -> None:
    rated(database)
    ran = run("league", *words)
    assert ran.code == 2
    assert wanted in ran.complaint


def test_entries_of_the_ledger_are_counted(database: Database, run: Run) -> None:
    rated(database)
    (row,) = json.loads(run("ladder", "list", "--json").out)
    with database.reading() as tx:
        assert row["entries"] == row["folded"] == len(ledger.entries(tx, 1, 0, 100))


@pytest.mark.parametrize("words", [("standings", "nope"), ("begin", "nope")], ids=" ".join)
def test_a_league_that_there_is_not_is_said_with_those_that_there_are(
    words: tuple[str, ...], database: Database, run: Run
) -> None:
    assert "there is no league 'nope'; there are: none yet" in run("league", *words).complaint
    assert run("ladder", "open", "mushi").code == 0
    assert run("league", "create", "daily", "mushi", "--cron", "0 18 * * *").code == 0
    ran = run("league", *words)
    assert (ran.code, ran.complaint) == (2, "there is no league 'nope'; there are: daily")


def test_a_season_is_drafted_published_joined_left_paused_and_closed(database: Database, run: Run) -> None:
    rated(database)
    made = run("league", "create", "l", "mushi/standard", "--cron", "0 18 * * *", "--seats", "2", "--repeat")
    assert made.code == 0
    assert run("league", "begin", "l", "--draft", "--empty").out == "season 1 of l is draft with 0 players\n"
    early = run("league", "join", "l", "ann/a")
    assert (early.code, early.complaint) == (2, "season 1 of l is draft: nobody joins it now")
    assert run("league", "publish", "l").out == "the season of l is open\n"
    assert run("league", "join", "l", "ann/a").out == "ann/a plays in l\n"
    assert run("league", "join", "l", "ann/a").out == "ann/a has been in l already\n"
    assert run("league", "leave", "l", "ann/b").out == "ann/b was not in l\n"
    assert run("league", "leave", "l", "ann/a").out == "ann/a has left l\n"
    assert run("league", "pause", "l").out == "the season of l is paused\n"
    again = run("league", "pause", "l")
    assert (again.code, again.complaint) == (
        2,
        "season 1 of l is paused; one can pause it while it is open or running",
    )
    assert run("league", "resume", "l").out == "the season of l is open\n"
    assert run("league", "close", "l").out == "the season of l is closed\n"
    assert "l, season 2 (open)" in run("league", "standings", "l").out
    stranger = run("league", "join", "l", "ann/nobody")
    assert (stranger.code, stranger.complaint) == (
        2,
        "there is no player 'ann/nobody'; a player is named owner/bot",
    )


def test_results_and_standings_are_printed_for_people_and_for_programs(database: Database, run: Run) -> None:
    garden = Garden(database)
    ours = [garden.plant("house", name, "house", 1) for name in ("a", "b", "c")]
    league = garden.found_league(seats=2)
    garden.play_round(league, 1_000, tables=2)
    garden.play(ours)
    lines = run("ladder", "results", "mushi/standard", "--csv").out.splitlines()
    assert lines[0] == "table,ended_at,end,seat,player,entrant,place,score,forfeit,moves"
    assert len(lines) == 1 + 2 * 2 + 3
    assert len(json.loads(run("ladder", "results", "mushi", "--limit", "1", "--json").out)) == 3
    assert "house/a@1" in run("ladder", "results", "mushi").out
    told = json.loads(run("league", "results", "Autumn league", "--json").out)
    assert [line["round"] for line in told] == [1] * 4
    assert run("league", "results", "Autumn league", "--csv").out.startswith("round,table,")
    standings = run("league", "standings", "Autumn league", "--csv").out.splitlines()
    assert standings[0].startswith("division,rank,player,share,")
    assert len(standings) == 4
    calendar = run("league", "calendar", "Autumn league").out
    assert calendar.startswith("BEGIN:VCALENDAR")
    assert calendar.count("BEGIN:VEVENT") == 8
    both = run("league", "standings", "Autumn league", "--csv", "--json")
    assert (both.code, both.complaint) == (2, "--json and --csv cannot both be; ask for one")
