"""``mamenoki play --you``: the terminal that a person plays in."""

import random
import select
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import typer

from engine_service.games import find
from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import note, out
from mamenoki.cli.series import Series, table_of
from mamenoki.sdk.local import Played, Resigned
from mamenoki.sdk.replays import short_names
from mamenoki.sdk.telling import counted
from mamenoki.terminal.person import marked
from mamenoki.terminal.sitting import YOUR_NAME, Sitting, sit_down

if TYPE_CHECKING:
    from rich.console import Console

STOPPED = 130
"""The exit of whoever is stopped by ^C while the bots play."""


@contextmanager
def heard_interrupts() -> Iterator[socket.socket]:
    """What becomes readable by any signal from here on.

    Python notes a signal and acts on it between two of its own steps. One that comes after the prompt is
    written, yet before the system waits for the line, would else be acted on after that line only.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(before)


class Terminal:
    """Writes to stdout, reads from stdin. A sign that either cannot carry is shown as a question mark."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self._console: Console = out()

    def say(self, lines: Sequence[str]) -> None:
        """The board and the talk, as they are."""
        for line in lines:
            self._print(line, markup=False, soft_wrap=True)

    def show_page(self, markdown: str) -> None:
        """A longer text, its marks turned into what a terminal has for them."""
        from rich.markdown import Markdown

        self._print(Markdown(markdown, hyperlinks=False))

    def tell(self, sentences: Sequence[str]) -> None:
        """What has happened, set off from the board."""
        for sentence in sentences:
            self._print(f"· {sentence}", markup=False, style="italic")

    def ask(self) -> str:
        """A line. Resigned at the end of what is typed, and by ^C."""
        try:
            with heard_interrupts() as interrupts:
                sys.stdout.write("> ")
                sys.stdout.flush()
                if sys.stdin.isatty():
                    select.select([sys.stdin, interrupts], [], [])
                return input()
        except (EOFError, KeyboardInterrupt):
            self.say([""])
            raise Resigned from None
        except OSError as error:
            raise Resigned from error

    def _print(self, what: object, **how: Any) -> None:
        """Resigned if nobody reads any more; rich answers a closed pipe by SystemExit."""
        try:
            self._console.print(what, **how)
        except (OSError, SystemExit) as error:
            raise Resigned from error


def sit(series: Series, seat: int | None) -> Played:
    """Plays the series' one match with a person, who may resign; ends the command if nobody reads."""
    terminal = Terminal()
    sitting = _sitting(series, seat)
    try:
        _greet(terminal, series, sitting)
        played = sit_down(sitting, terminal)
        _tell_end(terminal, played, sitting.seat)
    except Resigned:
        raise CommandError("nobody reads what is said; nothing was written") from None
    except KeyboardInterrupt:
        note("\nstopped while the bots played; the match ends here and nothing was written")
        raise typer.Exit(STOPPED) from None
    return played


def _sitting(series: Series, seat: int | None) -> Sitting:
    if seat is not None and seat >= series.seats:
        raise UsageError(f"there is no seat {seat}; this table has seats 0 to {series.seats - 1}")
    own = random.Random(series.seed).randrange(series.seats) if seat is None else seat
    others = [series.entrants[at % len(series.entrants)] for at in range(series.seats - 1)]
    names = [other.name for other in others]
    table = table_of(series, 0, [*names[:own], YOUR_NAME, *names[own:]])
    return Sitting(table, own, [other.make() for other in others])


def _greet(terminal: Terminal, series: Series, sitting: Sitting) -> None:
    names = short_names(list(sitting.table.players))
    others = ", ".join(name for place, name in enumerate(names) if place != sitting.seat)
    title = find(series.game)[0].card.title
    company = f"with {others}" if others else "alone"
    terminal.say(
        [
            f"{title}, {counted(series.seats, 'seat')}, seed {series.seed}",
            f"You are {names[sitting.seat]}, at seat {sitting.seat}, {company}. Type ? for help.",
            "",
        ]
    )


def _tell_end(terminal: Terminal, played: Played, seat: int) -> None:
    outcome = played.outcome
    names = marked(short_names(list(played.table.players)), seat)
    lines = [
        f"  {outcome.placements[place] + 1}.  {names[place]}: {outcome.scores[place]}"
        for place in sorted(range(len(names)), key=outcome.placements.__getitem__)
    ]
    resigned = outcome.forfeits.get(seat) == "resigned"
    opening = "You have resigned; your seat was played to the end." if resigned else "The match is over."
    terminal.say(["", opening, *lines])
