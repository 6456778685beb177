"""``mamenoki verify`` and ``mamenoki story``: replays checked, and told."""

import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Annotated

import typer

from mamenoki.cli.errors import CommandError
from mamenoki.cli.screen import emit

verbs = typer.Typer()

MOST_BYTES = 16 << 20
"""Of one replay; the longest match that any variant allows takes a small part of it."""
MOST_FILES = 100_000
"""In one folder."""
MATCH, PLAYER = 64, 100
"""Characters in a match's name, and in a player's with its owner's and its version."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one file is worth. ``line`` (from 1) and ``message`` say where and how it lies."""

    file: str
    ok: bool
    line: int | None = None
    message: str | None = None
    match: str | None = None
    players: list[str] | None = None
    ranks: list[int] | None = None


@verbs.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Replays, or folders of *.jsonl.")],
    json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON.")] = False,
) -> None:
    """Re-run replays: every rule, every outcome from the seed, score, rank and hash.

    Prints OK for each, or the first line that lies and why. Exit 1 if any lies, cannot
    be read, or is not a replay: replays are plain files of at most 16 MiB.
    """
    verdicts = []
    for path in _expand(files):
        verdicts.append(_judge(path))
        if not json:
            print(_sentence(verdicts[-1]), flush=True)
    if json:
        emit([asdict(verdict) for verdict in verdicts])
    if not all(verdict.ok for verdict in verdicts):
        raise typer.Exit(1)


@verbs.command()
def story(
    file: Annotated[Path, typer.Argument(help="A replay.")],
    json: Annotated[bool, typer.Option("--json", help="Print steps and public views as JSON.")] = False,
) -> None:
    """Tell a replay in plain sentences, one event after another. Exit 1 if it lies."""
    from engine_service.core.replay import Lie
    from mamenoki.sdk.replays import story as tell

    try:
        steps = tell(_read(file))
    except Lie as lie:
        raise CommandError(f"{file} lies, {lie}") from lie
    if json:
        emit([asdict(step) for step in steps])
        return
    for step in steps:
        for number, sentence in zip(chain([f"{step.n:>4}"], repeat("    ")), step.sentences, strict=False):
            print(f"{number}  {sentence}")


def _expand(files: list[Path]) -> Iterator[Path]:
    for path in files:
        if path.is_dir():
            yield from _inside(path)
        else:
            yield path


def _inside(folder: Path) -> list[Path]:
    found = sorted(islice(folder.glob("*.jsonl"), MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise CommandError(f"{folder} holds more than {MOST_FILES} replays; put them into several folders")
    if not found:
        raise CommandError(
            f"there is no *.jsonl in {folder}; `mamenoki play GAME --export {folder}` writes some"
        )
    return found


def _judge(path: Path) -> Verdict:
    from engine_service.core.replay import Lie
    from engine_service.core.replay import verify as check
    from engine_service.games import GAMES

    try:
        good = check(_read(path), GAMES)
        _check_names(good.match, good.players)
    except Lie as lie:
        return Verdict(str(path), ok=False, line=lie.line, message=lie.message)
    except CommandError as error:
        return Verdict(str(path), ok=False, message=str(error))
    return Verdict(str(path), True, None, None, good.match, list(good.players), list(good.ranks))


def _check_names(match: str, players: Sequence[str]) -> None:
    """The header's names are for the reader: no rule needs them, and none would miss them."""
    from engine_service.core.reading import Lie, show

    for what, name, most in [("match", match, MATCH), *(("a player", player, PLAYER) for player in players)]:
        if not 0 < len(name) <= most or not name.isprintable() or name != name.strip():
            raise Lie(
                1,
                f"{what} is {show(name)}; it should be 1 to {most} printable characters "
                "without a blank at either end",
            )


def _sentence(verdict: Verdict) -> str:
    if verdict.ok:
        return f"OK {verdict.file}"
    if verdict.line is None:
        return f"UNREADABLE {verdict.message}"
    return f"LIE {verdict.file} line {verdict.line}: {verdict.message}"


def _read(path: Path) -> bytes:
    try:
        lines = _load(path)
    except FileNotFoundError as error:
        raise CommandError(f"there is no file or folder {path}") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    why = _no_replay(lines)
    if why:
        raise CommandError(f"{path} is not a replay: {why}")
    return lines


def _load(path: Path) -> bytes:
    """The bytes of a plain file; opening anything else might wait for ever, and reading it never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise CommandError(f"{path} is not a plain file; save the replay in one first")
    with path.open("rb") as file:
        lines = file.read(MOST_BYTES + 1)
    if len(lines) > MOST_BYTES:
        raise CommandError(f"{path} is not a replay: it is longer than {MOST_BYTES >> 20} MiB")
    return lines


def _no_replay(lines: bytes) -> str | None:
    """What is wrong with a file that was never one, or that some program has changed on its way."""
    if not lines:
        return "it is empty"
    if not lines.startswith(b"{"):
        return "it does not begin with a JSON object, as JSON Lines would"
    if b"\r\n" in lines:
        return "its lines end in CR LF, those of a replay in LF alone; copy it unchanged, as bytes"
    if not lines.endswith(b"\n"):
        return "its last line is not closed by LF, as each of a replay is: something is missing at its end"
    return None
