"""``verify`` and ``story``."""

import hashlib
import json
import os
import socket
from pathlib import Path

import pytest

from mamenoki.cli.verify import MOST_BYTES
from tests.unit.cli.conftest import Run


@pytest.fixture
def replay(run: Run, tmp_path: Path) -> Path:
    assert run("play", "mushi", "--seats", "3", "--seed", "3", "--export", ".").code == 0
    return Path("mushi-standard-3-3-1.jsonl")


def lie(replay: Path, old: str, new: str) -> Path:
    text = replay.read_text()
    assert old in text
    changed = Path("lie.jsonl")
    changed.write_text(text.replace(old, new, 1))
    return changed


def test_a_lie_is_named_with_its_line_and_the_others_are_checked_all_the_same(replay: Path, run: Run) -> None:
    changed = lie(replay, '"chance":"dice/1","faces":["', '"chance":"dice/1","faces":["=","')
    ran = run("verify", str(changed), str(replay))
    assert ran.code == 1
    first, second = ran.out.splitlines()
    number = next(n for n, line in enumerate(changed.read_text().splitlines(), 1) if '"dice/1"' in line)
    assert first.startswith(f"LIE {changed} line {number}: ")
    assert second == f"OK {replay}"


def test_verdicts_for_programs(replay: Path, run: Run) -> None:
    changed = lie(replay, '"end":"normal"', '"end":"turn_limit"')
    ran = run("verify", "--json", str(replay), str(changed), "nowhere.jsonl")
    assert ran.code == 1
    good, bad, missing = json.loads(ran.out)
    assert good["ok"]
    assert good["match"] == "mushi-standard-3-3-1"
    assert good["players"] == ["house/random@1"] * 3
    assert sorted(good["ranks"])[0] == 0
    assert not bad["ok"]
    assert bad["line"] == len(changed.read_text().splitlines())
    assert "'normal'" in bad["message"]
    assert (missing["ok"], missing["line"]) == (False, None)


def test_what_has_another_header_lies_in_its_first_line(run: Run) -> None:
    Path("odd.jsonl").write_bytes(b"{}\n{}\n")
    ran = run("verify", "odd.jsonl")
    assert ran.code == 1
    assert ran.out.startswith("LIE odd.jsonl line 1: ")
    assert ran.err == ""


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"\xff\xfe", "it does not begin with a JSON object"),
        (b"[1,2]\n", "it does not begin with a JSON object"),
        (b"\x1f\x8b\x08{", "it does not begin with a JSON object"),
        (b"{}\r\n{}\r\n", "its lines end in CR LF"),
        (b"{}\n{}", "its last line is not closed by LF"),
        (b"{}\n" * (MOST_BYTES // 3 + 1), "it is longer than 16 MiB"),
    ],
)
def test_what_is_no_replay_is_said(content: bytes, why: str, run: Run) -> None:
    Path("odd.jsonl").write_bytes(content)
    ran = run("verify", "odd.jsonl")
    assert ran.code == 1
    assert ran.out.startswith(f"UNREADABLE odd.jsonl is not a replay: {why}")
    assert f"odd.jsonl is not a replay: {why}" in run("story", "odd.jsonl").complaint


def test_what_is_no_plain_file_is_said_and_the_rest_is_checked(replay: Path, run: Run) -> None:
    os.mkfifo("pipe.jsonl")
    Path("link.jsonl").symlink_to("/dev/zero")
    Path("folder.jsonl").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.jsonl")
    for odd in ("pipe.jsonl", "link.jsonl", "s.jsonl", "/dev/zero"):
        ran = run("verify", odd, str(replay))
        assert ran.code == 1
        first, second = ran.out.splitlines()
        assert first == f"UNREADABLE {odd} is not a plain file; save the replay in one first"
        assert second == f"OK {replay}"
        assert "not a plain file" in run("story", odd).complaint
    ran = run("verify", ".")
    assert ran.code == 1
    assert [line.split()[0] for line in ran.out.splitlines()] == [
        *["UNREADABLE"] * 2,
        "OK",
        *["UNREADABLE"] * 2,
    ]


def test_a_folder_of_too_many_is_said(replay: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mamenoki.cli.verify.MOST_FILES", 1)
    assert run("verify", ".").code == 0
    Path("two.jsonl").write_bytes(replay.read_bytes())
    ran = run("verify", ".")
    assert ran.code == 1
    assert "more than 1 replays" in ran.complaint


NAMES = ["", " ", " m", "m ", "\\u0000", "a\u202eb", "x" * 65, "x" * 1_000_000]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:9]))
@pytest.mark.parametrize("key", ["match", "player"])
def test_a_header_names_its_match_and_players(replay: Path, run: Run, key: str, name: str) -> None:
    old = '"match":"mushi-standard-3-3-1"' if key == "match" else '"players":["house/random@1"'
    new = f'"match":"{name}"' if key == "match" else f'"players":["{name * 2 if len(name) == 65 else name}"'
    header, rest = replay.read_bytes().split(b"\n", 1)
    lines = [header.decode().replace(old, new), *rest.decode().splitlines()[:-1]]
    end = json.loads(rest.decode().splitlines()[-1])
    end["hash"] = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    Path("odd.jsonl").write_text("\n".join([*lines, json.dumps(end, separators=(",", ":"))]) + "\n")
    ran = run("verify", "odd.jsonl")
    assert ran.code == 1
    assert ran.out.startswith("LIE odd.jsonl line 1: ")
    assert f"{'match' if key == 'match' else 'a player'} is " in ran.out
    assert len(ran.out) < 400


def test_a_file_that_is_not_there_is_said_and_the_rest_is_checked(replay: Path, run: Run) -> None:
    ran = run("verify", "nowhere.jsonl", str(replay))
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "UNREADABLE there is no file or folder nowhere.jsonl",
        f"OK {replay}",
    ]


def test_a_folder_without_replays_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = run("verify", "empty")
    assert ran.code == 1
    assert "no *.jsonl in empty" in ran.complaint


def test_the_story_has_a_sentence_for_every_event(replay: Path, run: Run) -> None:
    ran = run("story", str(replay))
    assert ran.code == 0
    numbers = [int(line[:4]) for line in ran.out.splitlines() if line[:4].strip()]
    assert numbers == list(range(len(replay.read_text().splitlines()) - 2))
    assert all(line[6:].strip() for line in ran.out.splitlines())
    assert "win" in ran.out.splitlines()[-1]


def test_the_story_for_programs_has_the_public_views(replay: Path, run: Run) -> None:
    steps = json.loads(run("story", "--json", str(replay)).out)
    assert [step["n"] for step in steps] == list(range(len(steps)))
    assert all(step["sentences"] and step["view"] for step in steps)


def test_a_lie_has_no_story(replay: Path, run: Run) -> None:
    changed = lie(replay, '"hub"', '"bub"')
    ran = run("story", str(changed))
    assert ran.code == 1
    assert "lie.jsonl lies, line" in ran.complaint
    assert run("story", "nowhere.jsonl").complaint == "there is no file or folder nowhere.jsonl"
