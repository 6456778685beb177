"""The command line against a real engine: a bot that connects, and the ratings that it gets."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mamenoki.serve.engine import extra
from ratings.follow import fold_ladder
from ratings.service import RatingService
from storage import ladders
from storage.database import Database
from tests.fixtures.engine import LADDER, MakeEngine, RunningEngine, until
from tests.fixtures.garden import Garden
from tests.integration.sdk.conftest import play_out
from tests.integration.sdk.processes import BOT, ROOT, Begin, table


def token(engine: RunningEngine) -> str:
    with engine.database.transaction() as tx:
        ladders.ensure_ladder(tx, LADDER, "mushi", "standard", {})
    return engine.token("ann")


async def test_a_bot_connects_plays_and_leaves_when_its_match_is_over(
    engine: RunningEngine, begin: Begin
) -> None:
    words = ("connect", "my_bot.py:MyBot", "--server", engine.public, "--name", "bugs", "--version", "1")
    one = await begin(*words, MAMENOKI_TOKEN=token(engine))
    assert await one.says("connected as") == "connected as ann/bugs@1, 4 matches at once"
    id = table(engine, "bugs", "1")
    await play_out(engine, id)
    begun = await one.says("begins")
    assert begun == f"match {id} begins: mushi/standard, seat 0 against house/greedy@1"
    ended = await one.says("ended")
    assert ended.startswith(f"match {id} ended: place ")
    one.process.send_signal(signal.SIGINT)
    assert await one.code() == 0
    assert one.lines[-2:] == ["leaving", "disconnected"]


async def test_the_file_is_the_version(engine: RunningEngine, begin: Begin, tmp_path: Path) -> None:
    words = ("connect", "my_bot.py:MyBot", "--server", engine.public)
    clear = token(engine)
    for wanted, text in ((1, BOT), (1, BOT), (2, BOT + "# better\n")):
        (tmp_path / "my_bot.py").write_text(text)
        one = await begin(*words, "--token", clear)
        assert await one.says("connected as") == f"connected as ann/MyBot@{wanted}, 4 matches at once"
        one.process.send_signal(signal.SIGTERM)
        assert await one.code() == 0


async def test_a_bot_that_raises_shows_its_traceback(engine: RunningEngine, begin: Begin) -> None:
    words = ("connect", "my_bot.py:Clumsy", "--server", engine.public, "--version", "1")
    one = await begin(*words, MAMENOKI_TOKEN=token(engine))
    await one.says("connected as")
    for _ in range(3):
        await play_out(engine, table(engine, "Clumsy", "1"))
    assert await one.code() == 1
    assert 'my_bot.py", line 8, in choose' in await one.says("line ")
    assert not any("chair.py" in line for line in one.lines)
    assert "seat forfeited (resigned)" in await one.says("ended")
    assert "raised in 3 matches in a row" in one.lines[-1]


@pytest.mark.parametrize(
    ("clear", "wanted"), [("wrong", "the token is unknown, expired or revoked; make a token with")]
)
async def test_a_refusal_is_one_line(clear: str, wanted: str, engine: RunningEngine, begin: Begin) -> None:
    one = await begin("connect", "my_bot.py:MyBot", "--server", engine.public, "--token", clear)
    assert await one.code() == 1
    assert wanted in one.lines[-1]
    assert one.lines[-1].count("make") == 1
    assert not any("Traceback" in line for line in one.lines)


async def test_a_demo_that_is_started_again_is_found_where_it_is_now(
    engine: RunningEngine, begin: Begin, tmp_path: Path
) -> None:
    state = tmp_path / "home" / "state.json"
    state.parent.mkdir()

    def runs_at(address: str) -> None:
        names = ("internal_address", "web_address", "database_url", "redis_url")
        state.write_text(json.dumps({"public_address": address, **dict.fromkeys(names, "")}))

    runs_at("127.0.0.1:1")
    one = await begin("connect", "my_bot.py:MyBot", "--token", token(engine))
    await one.says("cannot reach 127.0.0.1:1")
    state.unlink()
    await until(lambda: sum("cannot reach" in line for line in one.lines) >= 2, 10)
    runs_at(engine.public)
    await one.says("connected as ann/MyBot@1")
    one.process.send_signal(signal.SIGINT)
    assert await one.code() == 0


async def test_a_second_interrupt_leaves_at_once(engine: RunningEngine, begin: Begin) -> None:
    words = ("connect", "my_bot.py:MyBot", "--server", engine.public, "--version", "1")
    one = await begin(*words, MAMENOKI_TOKEN=token(engine))
    await one.says("connected as")
    starting = asyncio.create_task(engine.start(table(engine, "MyBot", "1")))
    await starting  # nobody fills the house seat: the match waits
    await one.says("begins")
    one.process.send_signal(signal.SIGINT)
    await one.says("leaving when 1 match in play has ended")
    one.process.send_signal(signal.SIGINT)
    assert await one.code() == 130


async def test_a_server_that_is_not_there_is_waited_for(begin: Begin) -> None:
    one = await begin("connect", "my_bot.py:MyBot", "--server", "127.0.0.1:1", "--token", "t")
    await one.says("cannot reach 127.0.0.1:1: is it the server's gRPC port? (Failed to connect")
    one.process.send_signal(signal.SIGINT)
    assert await one.code() == 0


@pytest.fixture
async def rated(make_engine: MakeEngine, sqlite_database: Database) -> AsyncIterator[RunningEngine]:
    """An engine with a rating service over a ladder of three players."""
    garden = Garden(sqlite_database)
    players = [garden.plant("ann", name, "remote", nerve) for name, nerve in (("a", 1), ("b", 3), ("c", 5))]
    for _ in range(4):
        garden.play(players)
    fold_ladder(sqlite_database, garden.ladder.id)
    service = RatingService(sqlite_database)
    yield await make_engine(extras=(extra(service),))
    service.close()


async def ask(begin: Begin, engine: RunningEngine, *words: str) -> tuple[int, list[str]]:
    one = await begin(*words, "--server", engine.public)
    return await one.code(), one.lines


async def test_the_leaderboard_is_for_everybody(rated: RunningEngine, begin: Begin) -> None:
    code, lines = await ask(begin, rated, "leaderboard", "mushi")
    assert code == 0
    assert "mushi/standard: 3 players" in lines[0]
    assert [line.split()[0] for line in lines if "ann/" in line] == ["1", "2", "3"]
    code, lines = await ask(begin, rated, "leaderboard", LADDER, "--limit", "2", "--json")
    board = json.loads("".join(lines))
    assert (board["ladder"], board["players"], len(board["standings"])) == (LADDER, 3, 2)
    top = board["standings"][0]
    assert top["shown"] == pytest.approx(top["mean"] - 3 * top["deviation"])
    assert top["games"] == 4
    code, lines = await ask(begin, rated, "leaderboard", LADDER, "--csv")
    assert lines[0].strip() == "rank,player,version,mean,deviation,shown,games,provisional,trend"
    assert [line.split(",")[0] for line in lines[1:]] == ["1", "2", "3"]
    assert lines[1].split(",")[1] == top["player"]


async def test_one_player_is_shown_with_neighbours_history_and_opponents(
    rated: RunningEngine, begin: Begin
) -> None:
    code, lines = await ask(begin, rated, "around", LADDER, "ann/b", "--json")
    assert code == 0
    assert len(json.loads("".join(lines))["standings"]) == 3
    code, lines = await ask(begin, rated, "history", LADDER, "ann/b", "--json")
    changes = json.loads("".join(lines))
    assert [change["kind"] for change in changes] == ["result"] * 4
    assert all(change["explanation"] for change in changes)
    code, lines = await ask(begin, rated, "player", LADDER, "ann/b", "--json")
    found = json.loads("".join(lines))
    assert {row["opponent"] for row in found["head_to_head"]} == {"ann/a", "ann/c"}
    for verb, heading in (("around", "rank"), ("history", "entry"), ("player", "ahead")):
        code, lines = await ask(begin, rated, verb, LADDER, "ann/b")
        assert code == 0
        assert any("ann/" in line for line in lines)
        assert any(heading in line.split() for line in lines)


async def test_a_table_is_predicted(rated: RunningEngine, begin: Begin) -> None:
    code, lines = await ask(begin, rated, "predict", LADDER, "ann/a", "ann/b", "ann/c", "--json")
    assert code == 0
    seats = json.loads("".join(lines))
    assert [seat["player"] for seat in seats] == ["ann/a", "ann/b", "ann/c"]
    assert all(sum(seat["place"]) == pytest.approx(1) for seat in seats)
    code, lines = await ask(begin, rated, "predict", LADDER, "ann/a", "ann/b")
    assert code == 0
    assert any("%" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("leaderboard", "chess/blitz"), "chess/blitz"),
        (("player", LADDER, "ann/nobody"), "ann/nobody"),
        (("history", LADDER, "nobody"), "nobody"),
        (("predict", LADDER, "ann/a"), ""),
    ],
)
async def test_what_there_is_not_is_said_in_a_line(
    words: tuple[str, ...], wanted: str, rated: RunningEngine, begin: Begin
) -> None:
    code, lines = await ask(begin, rated, *words)
    assert code == 2
    (line,) = lines
    assert line.startswith("mamenoki: ")
    assert wanted in line


async def test_an_interrupted_series_ends_cleanly(begin: Begin, tmp_path: Path) -> None:
    one = await begin("play", "mushi", "--matches", "1000000", "--export", "out")
    await until(lambda: list((tmp_path / "out").glob("*.jsonl")), 20)
    one.process.send_signal(signal.SIGINT)
    assert await one.code() == 130
    assert not any("Traceback" in line for line in one.lines), one.lines


async def test_a_reader_that_goes_away_is_no_trouble(begin: Begin, tmp_path: Path) -> None:
    played = await begin("play", "mushi", "--seed", "1", "--export", ".")
    assert await played.code() == 0
    command = f"{sys.executable} -m mamenoki.cli story mushi-standard-2-1-1.jsonl | head -1"
    shell = await asyncio.create_subprocess_shell(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": os.defpath},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(shell.communicate(), 20)
    assert len(out.splitlines()) == 1
    assert err == b""
