"""Logs: one JSON object a line on standard error, without secrets."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
import structlog

from service import logging


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def test_a_line_is_json_and_hides_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    logging.configure("INFO", json=True)
    logging.get("part").info("happened", token="t0p", ticket="s3cret", seed=b"x", match="m1")
    captured = capsys.readouterr()
    assert not captured.out
    line = json.loads(captured.err)
    assert (line["event"], line["part"], line["match"], line["level"]) == ("happened", "part", "m1", "info")
    assert {line[key] for key in ("token", "ticket", "seed")} == {"[hidden]"}


def test_quieter_levels_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    logging.configure("WARNING", json=True)
    logging.get("part").info("happened")
    logging.get("part").warning("worse")
    assert json.loads(capsys.readouterr().err)["event"] == "worse"


@pytest.mark.parametrize("json_lines", [True, False])
def test_a_traceback_shows_no_local_variables(capsys: pytest.CaptureFixture[str], json_lines: bool) -> None:
    logging.configure("INFO", json=json_lines)

    def fail() -> None:
        password = "hunter2"
        raise ValueError(len(password))

    try:
        fail()
    except ValueError as error:
        logging.get("part").error("failed", exc_info=error)
    err = capsys.readouterr().err
    assert "ValueError" in err
    assert err.count("hunter2") <= 1, "the source line may stand there, the variable may not"


def test_a_line_cannot_be_forged(capsys: pytest.CaptureFixture[str]) -> None:
    logging.configure("INFO", json=True)
    logging.get("part").info("named", name='x"}\n{"event": "forged"\x1b[2J')
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "\x1b" not in lines[0]


def test_a_line_is_written_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or those of two processes that share a file would end up in each other."""
    written: list[str] = []

    class File(io.StringIO):
        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

    monkeypatch.setattr("sys.stderr", File())
    logging.configure()
    logging.get("engine").info("happened", table="t1")
    (line,) = written
    assert json.loads(line)["table"] == "t1"
    assert line.endswith("\n")


def test_a_command_is_not_talked_over() -> None:
    """What a program that has configured nothing prints is its own; what is wrong is told beside it."""
    program = (
        "from service.logging import get; get('x').info('all_is_well'); get('x').warning('odd', token='t0p')"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == ""
    assert "odd" in ran.stderr
    assert "all_is_well" not in ran.stderr
    assert "t0p" not in ran.stderr
