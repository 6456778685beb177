"""A person's terminal as it is: a narrow one, a pipe, one that cannot show every sign, one that closes."""

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from fcntl import ioctl
from pathlib import Path

from engine_service.core.replay import verify
from engine_service.games import GAMES

ROOT = Path(__file__).resolve().parents[3]
ACROSS = 60
COLOUR = re.compile(r"\x1b\[[0-9;]*\b(3[0-7]|4[0-7]|9[0-7]|10[0-7]|38|48)\b[0-9;]*m")
STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
WORDS = (sys.executable, "-P", "-m", "mamenoki.cli", "play")
DEADLINE_S = 60


def environment(**extra: str) -> Mapping[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "LINES")}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **extra}


def sit_at_a_desk() -> None:
    """^C is what it is at a desk: of the session's own terminal, and not ignored, as a shell's ``&`` has it."""
    ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Narrow:
    """The command in a terminal of 60 columns."""

    def __init__(self, *words: str, cwd: Path, **extra: str) -> None:
        self._ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, ACROSS, 0, 0))
        self._process = subprocess.Popen(
            (*WORDS, *words), stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd,
            env=environment(**extra), start_new_session=True, preexec_fn=sit_at_a_desk,
        )  # fmt: skip
        os.close(theirs)
        self.text = ""

    def read_to(self, end: str | None) -> str:
        """What is written up to the prompt (None: to the end)."""
        fresh, until = "", time.monotonic() + DEADLINE_S
        while end is None or not fresh.endswith(end):
            assert select.select([self._ours], [], [], max(0, until - time.monotonic()))[0], self.text
            try:
                read = os.read(self._ours, 65536).decode()
            except OSError:  # closed at its end
                read = ""
            if not read:
                break
            fresh += read
            self.text += read
        return fresh

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        self.read_to(None)
        os.close(self._ours)
        return self._process.wait(DEADLINE_S)


def lines(text: str) -> list[str]:
    return [STYLE.sub("", line) for line in text.replace("\r", "").split("\n")]


def test_a_whole_match_in_a_narrow_terminal(tmp_path: Path) -> None:
    words = ("beanstalk", "--you", "--bots", "greedy,strong", "--seed", "5", "--seat", "0", "--export", "out")
    terminal = Narrow(*words, cwd=tmp_path, NO_COLOR="1")
    turn = 0
    while terminal.read_to("> ").endswith("> "):
        turn += 1
        terminal.type(f"{turn % 5 + 1}\n")
        assert turn < 5000
    assert terminal.end() == 0
    assert "The match is over." in terminal.text
    assert COLOUR.search(terminal.text) is None
    boards = [line for line in lines(terminal.text) if line.startswith(("turn ", "support ", "guest "))]
    assert len(boards) > 20
    assert max(map(len, boards)) <= ACROSS
    told = [line for line in lines(terminal.text) if line.startswith("· ")]
    assert max(map(len, told)) <= ACROSS
    (replay,) = (tmp_path / "out").iterdir()
    assert verify(replay.read_bytes(), GAMES).players[0] == "local/guest@1"


def test_an_interrupt_resigns(tmp_path: Path) -> None:
    terminal = Narrow("seimi", "--you", "--seed", "5", "--seat", "1", "--export", "out", cwd=tmp_path)
    terminal.read_to("> ")
    terminal.type("\x03")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.text
    assert "You have resigned; your seat was played to the end." in terminal.text
    (replay,) = (tmp_path / "out").iterdir()
    assert b'"forfeited"' in replay.read_bytes()


def piped(typed: bytes, cwd: Path, **extra: str) -> subprocess.CompletedProcess[bytes]:
    words = (*WORDS, "beanstalk", "--you", "--seed", "5", "--seat", "0")
    return subprocess.run(
        words, input=typed, capture_output=True, cwd=cwd, env=environment(**extra), check=True
    )


def test_a_pipe_has_no_styles_and_may_bring_any_bytes(tmp_path: Path) -> None:
    ran = piped(b"\xff\xfe\nplay\x00 3\n3\n", tmp_path, PYTHONIOENCODING="utf-8:strict")
    assert b"\x1b" not in ran.stdout
    assert ran.stdout.count(b"may not be played now") == 2
    assert b"The cards are turned up: guest 3" in ran.stdout


def test_what_a_terminal_cannot_show_is_a_question_mark(tmp_path: Path) -> None:
    ran = piped(b"3\n", tmp_path, PYTHONIOENCODING="ascii")
    assert b"Beanstalk Double Batting (???)" in ran.stdout
    assert b"guest (you)     0 ?" in ran.stdout


def test_a_reader_that_goes_ends_the_match(tmp_path: Path) -> None:
    words = (*WORDS, "mushi", "--you", "--seed", "3", "--seat", "0")
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=tmp_path, env=environment(),
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"list\n" * 4000)
        process.stdin.close()
        said = process.stderr.read().decode()
        process.wait(DEADLINE_S)
    assert "Traceback" not in said
