"""Runs the command line in this process, through its entry point."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mamenoki.cli.main import app


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """Its one line on stderr."""
        (line,) = self.err.splitlines()
        assert line.startswith("mamenoki: ")
        return line.removeprefix("mamenoki: ")


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """``run("play", "mushi")`` in an empty folder that no demo and no setting of the machine is seen from."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAMENOKI_HOME", str(tmp_path / "home"))
    for name in (
        "DATABASE_URL",
        "REDIS_URL",
        "MAMENOKI_TOKEN",
        "MAMENOKI_PUBLIC_ADDRESS",
        "MAMENOKI_DATABASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)

    def run_it(*words: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["mamenoki", *words])
        code: int | str | None = 0
        try:
            app()
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        return Ran(int(code or 0), out, err)

    return run_it
