"""``play``: matches by the true rules, the same from the same seed, and replays that verify."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mamenoki.cli.series import seatings
from tests.unit.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[3]


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.jsonl")}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_is_exported_verifies(seats: int, run: Run, tmp_path: Path) -> None:
    played = run("play", "mushi", "--seats", str(seats), "--bots", "random,random", "--matches", "3",
                 "--seed", "7", "--export", "out")  # fmt: skip
    assert played.code == 0
    assert len(digests(tmp_path / "out")) == 3
    verified = run("verify", "out")
    assert verified.code == 0
    assert [line.split()[0] for line in verified.out.splitlines()] == ["OK"] * 3


def test_the_same_seed_gives_the_same_files(run: Run, tmp_path: Path) -> None:
    for folder, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        assert run("play", "mushi/standard", "--matches", "3", "--seed", seed, "--export", folder).code == 0
    assert digests(tmp_path / "a") == digests(tmp_path / "b")
    assert set(digests(tmp_path / "a").values()).isdisjoint(digests(tmp_path / "c").values())


def test_hash_seeds_make_no_difference(tmp_path: Path) -> None:
    for hash_seed in ("1", "2"):
        words = ["play", "mushi", "--seats", "3", "--matches", "2", "--seed", "7", "--export", hash_seed]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-m", "mamenoki.cli", *words], cwd=tmp_path, env=environment, check=True
        )
    assert digests(tmp_path / "1") == digests(tmp_path / "2")


def test_the_result_for_programs(run: Run) -> None:
    ran = run(
        "play", "mushi", "--seats", "3", "--bots", "random,random", "--matches", "4", "--seed", "1", "--json"
    )
    result = json.loads(ran.out)
    assert (result["game"], result["seats"], result["matches"], result["seed"]) == ("mushi/standard", 3, 4, 1)
    assert [bot["name"] for bot in result["bots"]] == ["house/random-1@1", "house/random-2@1"]
    assert sum(bot["matches"] for bot in result["bots"]) == 12
    assert sum(bot["won"] for bot in result["bots"]) <= 4
    for bot in result["bots"]:
        assert 1 <= bot["mean_place"] <= 3
        assert bot["ms_a_decision"] > 0
        assert bot["refused"] == bot["late"] == bot["raised"] == 0


def test_the_result_for_people(run: Run) -> None:
    ran = run("play", "mushi", "--seed", "1", "--export", "out")
    assert "mushi/standard, 2 seats, 1 match, seed 1" in ran.out
    assert "house/random@1" in ran.out
    assert "mean place" in ran.out
    assert "mamenoki verify out" in ran.err


def test_without_a_seed_the_one_taken_is_told_and_repeats_the_matches(run: Run, tmp_path: Path) -> None:
    first = json.loads(run("play", "mushi", "--json", "--export", "a").out)
    run("play", "mushi", "--seed", str(first["seed"]), "--export", "b")
    assert digests(tmp_path / "a") == digests(tmp_path / "b")


def test_a_setting_of_the_game_gets_into_the_replay(run: Run, tmp_path: Path) -> None:
    ran = run(
        "play",
        "mushi",
        "--config",
        "hub_start=12",
        "--config",
        "turn_limit=40",
        "--seed",
        "1",
        "--export",
        "o",
    )
    assert ran.code == 0
    (replay,) = (tmp_path / "o").glob("*.jsonl")
    header = json.loads(replay.read_text().splitlines()[0])
    assert (header["config"]["hub_start"], header["config"]["turn_limit"]) == (12, 40)
    assert run("verify", "o").code == 0


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("chess",), "there is no game 'chess'; there are: mushi"),
        (("mushi/blitz",), "mushi has no variant 'blitz'"),
        (("mushi", "--seats", "6"), "2 to 5, not by 6"),
        (("mushi", "--seats", "1"), "2 to 5, not by 1"),
        (("mushi", "--bots", "psychic"), "there is no house bot 'psychic' for mushi; there are: random"),
        (("mushi", "--bots", "random:mood=1"), "random has no setting 'mood'"),
        (("mushi", "--bots", ","), "names no bot"),
        (("mushi", "--config", "hub=3"), "has no setting 'hub'"),
        (("mushi", "--config", "hub_start"), "write key=value"),
        (("mushi", "--config", "hub_start=many"), "hub_start is 'many'"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(words: tuple[str, ...], wanted: str, run: Run) -> None:
    ran = run("play", *words)
    assert ran.code == 2
    assert wanted in ran.complaint


def test_a_folder_that_cannot_be_made_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ran = run("play", "mushi", "--export", "file")
    assert ran.code == 1
    assert "file" in ran.complaint


RAISES = """
from mamenoki.sdk import Bot
class Clumsy(Bot):
    def choose(self, decision):
        raise RuntimeError("out of ideas")
class Wrong(Bot):
    def choose(self, decision):
        return "castle"
class Slow(Bot):
    def __init__(self, ms=0):
        super().__init__()
        self.ms = ms
    def choose(self, decision):
        import time
        until = time.monotonic() + self.ms / 1000
        while time.monotonic() < until:
            pass
        return decision.legal[0]
"""


@pytest.fixture
def bots(tmp_path: Path) -> str:
    (tmp_path / "bots.py").write_text(RAISES)
    return "bots.py"


def test_a_bot_that_raises_is_told_once_and_counted(bots: str, run: Run) -> None:
    ran = run("play", "mushi", "--bots", f"{bots}:Clumsy,random", "--matches", "3", "--seed", "1")
    assert ran.code == 0
    assert ran.err.count("out of ideas") == 2  # the line that raised, and what it raised
    assert "local/Clumsy@1 in mushi-standard-2-1-1: raised" in ran.err
    assert "raised" in ran.out
    figures = json.loads(
        run("play", "mushi", "--bots", f"{bots}:Clumsy,random", "--matches", "3", "--json").out
    )
    assert [bot["raised"] for bot in figures["bots"]] == [3, 0]
    assert [bot["mean_place"] for bot in figures["bots"]] == [2, 1]


def test_a_bot_that_answers_wrongly_is_told_what_would_do(bots: str, run: Run) -> None:
    ran = run("play", "mushi", "--bots", f"{bots}:Wrong,random", "--seed", "1", "--export", "o")
    assert "refused" in ran.err
    assert "castle" in ran.err
    assert run("verify", "o").code == 0


def test_with_a_clock_a_slow_bot_is_late(bots: str, run: Run) -> None:
    words = ("play", "mushi", "--bots", f"{bots}:Slow:ms=30,random", "--seed", "1", "--json")
    ran = run(*words, "--first-ms", "10", "--move-ms", "10", "--bank-ms", "0")
    assert json.loads(ran.out)["bots"][0]["late"] == 3
    assert "late: decision 1 of seat 0 was due; the clock has played it" in ran.err


def test_everybody_sits_everywhere_equally_often() -> None:
    for bots, seats in ((3, 3), (5, 3), (2, 5), (1, 4), (8, 2)):
        places = Counter(
            (bot, seat)
            for seating in seatings(bots, seats, 4 * bots, seed=1)
            for seat, bot in enumerate(seating)
        )
        assert len(places) == bots * seats
        assert set(places.values()) == {4}


def test_neighbours_change_from_block_to_block() -> None:
    after = {
        (seating[seat], seating[(seat + 1) % 4])
        for seating in seatings(4, 4, 80, seed=1)
        for seat in range(4)
    }
    assert len(after) == 12


def test_the_series_may_stop_anywhere() -> None:
    assert len(list(seatings(4, 3, 10, seed=1))) == 10
    assert list(seatings(4, 3, 10, seed=1))[:3] == list(seatings(4, 3, 3, seed=1))


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """A person who types these lines and then nothing more."""
    left = iter(lines)

    def read() -> str:
        try:
            line = next(left)
        except StopIteration:
            raise EOFError from None
        if line == "^C":
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr("builtins.input", read)


def test_a_person_sits_down_and_the_replay_verifies(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, *["1", "2", "3", "4", "5"] * 400)
    played = run(
        "play", "beanstalk", "--you", "--bots", "strong", "--seed", "5", "--seat", "1", "--export", "out"
    )
    assert played.code == 0
    assert "You are guest, at seat 1, with strong. Type ? for help." in played.out
    assert "guest (you)" in played.out
    assert "The match is over." in played.out
    assert "the replay is out/" in played.err
    assert run("verify", "out").code == 0


@pytest.mark.parametrize("last", ["resign", "^C", None])
def test_whoever_leaves_has_resigned_and_keeps_the_replay(
    last: str | None, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "hub?", *([last] if last else []))
    ran = run("play", "mushi", "--you", "--seed", "1", "--export", "out")
    assert ran.code == 0
    assert "You have resigned; your seat was played to the end." in ran.out
    assert "  2.  guest (you): " in ran.out
    assert "the replay is out/mushi-standard-2-1-1.jsonl; `mamenoki story out/" in ran.err
    assert run("verify", "out").code == 0


def test_a_replay_that_is_not_kept_is_offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch)
    assert run("play", "mushi", "--you").err == "the replay was not kept; --export FOLDER writes it\n"


def test_a_bot_that_raises_is_told_to_the_person(
    bots: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch)
    ran = run("play", "mushi", "--you", "--seed", "1", "--bots", f"{bots}:Clumsy")
    assert "local/Clumsy@1 in mushi-standard-2-1-1: raised" in ran.err
    assert "out of ideas" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--you", "--matches", "5"), "with --you one match is played"),
        (("--you", "--timed"), "with --you one match is played"),
        (("--you", "--json"), "with --you one match is played"),
        (("--you", "--seats", "3", "--seat", "3"), "there is no seat 3; this table has seats 0 to 2"),
        (("--seat", "1"), "--seat is your seat: it goes with --you"),
    ],
)
def test_what_does_not_go_with_a_person_is_said(words: tuple[str, ...], said: str, run: Run) -> None:
    ran = run("play", "mushi", *words)
    assert ran.code == 2
    assert said in ran.complaint
