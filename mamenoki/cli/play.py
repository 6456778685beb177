"""``mamenoki play``: local matches under the true rules, no server needed."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.names import as_typed
from mamenoki.cli.screen import emit, note, progress, show_table
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from mamenoki.cli.series import Series, Tally
    from mamenoki.sdk.local import Played

verbs = typer.Typer()

MOST_SEED = (1 << 64) - 1
SERVER_LIMITS = "The server's limits for a connected bot: 10000, 2000 and 30000."


@verbs.command()
def play(
    game: Annotated[str, typer.Argument(help="mushi or mushi/standard; `mamenoki games` lists them.")],
    bots: Annotated[
        str,
        typer.Option(
            help="Comma-separated: random, greedy:key=value, my_bot.py:MyBot, ...; none: random, or with --you the next better one."
        ),
    ] = "",
    seats: Annotated[int, typer.Option(help="Seats at the table; 0: as many as bots.")] = 0,
    matches: Annotated[int, typer.Option(min=1, help="How many to play.")] = 1,
    seed: Annotated[
        int | None, typer.Option(min=0, max=MOST_SEED, help="Decides deals, dice and bots; none: a new one.")
    ] = None,
    export: Annotated[Path | None, typer.Option(help="Write one replay a match into this folder.")] = None,
    config: Annotated[list[str] | None, typer.Option(help="A setting of the game, key=value.")] = None,
    timed: Annotated[bool, typer.Option(help=f"Let the clock run. {SERVER_LIMITS}")] = False,
    first_ms: Annotated[int | None, typer.Option(min=1, help="Limit of the first answer.")] = None,
    move_ms: Annotated[int | None, typer.Option(min=1, help="Limit of each later answer.")] = None,
    bank_ms: Annotated[int | None, typer.Option(min=0, help="What may be used beyond the limits.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    you: Annotated[bool, typer.Option("--you", help="Sit down yourself, against the bots.")] = False,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Your seat with --you, from 0; none: drawn by the seed.")
    ] = None,
) -> None:
    """Play matches on this machine, by the server's own rules and referee.

    The bots move on by one seat a match. The same seed gives the same matches, byte for
    byte, unless the clock runs. A bot that raises forfeits its seat.
    """
    limits = _limits(timed, first_ms, move_ms, bank_ms)
    bots = bots or (_company(game) if you else "random")
    if you:
        _check_alone(matches, limits, json)
        series = _series(game, bots, seats, 1, seed, config or [], None, people=1)
        _sit_down(series, seat, _folder(export))
        return
    if seat is not None:
        raise UsageError("--seat is your seat: it goes with --you")
    series = _series(game, bots, seats, matches, seed, config or [], limits)
    folder = _folder(export)
    tallies = _play(series, folder)
    if json:
        emit(_document(series, tallies))
    else:
        _show(series, tallies, folder)


def _limits(timed: bool, first_ms: int | None, move_ms: int | None, bank_ms: int | None) -> Any:
    from engine_service.core.clock import Limits

    if not timed and first_ms is None and move_ms is None and bank_ms is None:
        return None
    return Limits(
        first_ms=10_000 if first_ms is None else first_ms,
        move_ms=2_000 if move_ms is None else move_ms,
        bank_ms=30_000 if bank_ms is None else bank_ms,
    )


def _series(
    game: str,
    bots: str,
    seats: int,
    matches: int,
    seed: int | None,
    config: list[str],
    limits: Any,
    people: int = 0,
) -> "Series":
    from engine_service.core.game import ConfigError, check_seats, configure
    from engine_service.games import find
    from mamenoki.cli.bots import entrants, read_settings
    from mamenoki.cli.series import Series

    try:
        rules, variant = find(game)
        chosen = {key: value for pair in config for key, value in read_settings(pair).items()}
        configure(variant, chosen)
        if seats:
            check_seats(variant, seats)
    except ConfigError as error:
        raise UsageError(str(error)) from error
    entered = entrants(bots, rules.card.id, variant.name)
    seats = seats or max(variant.min_seats, min(len(entered) + people, variant.max_seats))
    number = secrets.randbits(32) if seed is None else seed
    name = f"{rules.card.id}/{variant.name}"
    return Series(name, seats, entered, matches, number, chosen, limits)


def _company(game: str) -> str:
    """Whom a person who names nobody plays against: the house bot after the weakest, if there is one."""
    from mamenoki.house import programs

    return programs(game.partition("/")[0])[:2][-1]


def _check_alone(matches: int, limits: Any, json: bool) -> None:
    """Nobody is hurried, and nobody plays a hundred matches at a stretch."""
    if matches != 1 or limits is not None or json:
        raise UsageError("with --you one match is played, without a clock, and told in words")


def _sit_down(series: "Series", seat: int | None, folder: Path | None) -> None:
    from mamenoki.cli.table import sit

    played = sit(series, seat)
    _tell_faults(played, set())
    _write(folder, played)
    if folder is None:
        note("the replay was not kept; --export FOLDER writes it")
    else:
        path = folder / f"{played.table.match}.jsonl"
        note(as_typed(f"the replay is {path}; `mamenoki story {path}` tells it"))


def _folder(export: Path | None) -> Path | None:
    if export is not None:
        try:
            export.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(
                f"replays cannot go to {export}: {error.strerror}; name another folder"
            ) from error
    return export


def _play(series: "Series", folder: Path | None) -> list["Tally"]:
    from mamenoki.cli.series import Tally, play_series

    tallies = [Tally(entrant.name) for entrant in series.entrants]
    told: set[tuple[str, str]] = set()
    with progress() as bar:
        task = bar.add_task(f"{series.game}, {series.seats} seats", total=series.matches)
        for seating, played in play_series(series):
            for seat, entrant in enumerate(seating):
                tallies[entrant].add(played, seat)
            _tell_faults(played, told)
            _write(folder, played)
            bar.advance(task)
    return tallies


def _tell_faults(played: "Played", told: set[tuple[str, str]]) -> None:
    """The first of each kind for each bot: a thousand like it would bury it."""
    for fault in played.faults:
        player = played.table.players[fault.seat]
        if (player, fault.kind) not in told:
            told.add((player, fault.kind))
            note(f"{player} in {fault.match}: {fault.kind}: {fault.message.rstrip()}")


def _write(folder: Path | None, played: "Played") -> None:
    if folder is None:
        return
    path = folder / f"{played.table.match}.jsonl"
    try:
        path.write_bytes(played.replay)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}; name another folder") from error


def _document(series: "Series", tallies: Sequence["Tally"]) -> dict[str, Any]:
    return {
        "game": series.game,
        "seats": series.seats,
        "matches": series.matches,
        "seed": series.seed,
        "bots": [tally.figures() for tally in tallies],
    }


COLUMNS = [
    ("bot", "<"), ("matches", ">"), ("won", ">"), ("shared", ">"), ("mean score", ">"),
    ("mean place", ">"), ("ms a decision", ">"),
]  # fmt: skip
FAULTS = [("refused", ">"), ("late", ">"), ("raised", ">")]


def _show(series: "Series", tallies: Sequence["Tally"], folder: Path | None) -> None:
    faulty = any(tally.refused or tally.late or tally.raised for tally in tallies)
    title = f"{series.game}, {counted(series.seats, 'seat')}, {counted(series.matches, 'match')}, seed {series.seed}"
    ordered = sorted(tallies, key=lambda tally: (tally.place / max(1, tally.matches), tally.name))
    show_table(title, COLUMNS + FAULTS * faulty, [_row(tally, faulty) for tally in ordered])
    if folder is not None:
        here = f"{counted(series.matches, 'replay')} {'is' if series.matches == 1 else 'are'} in {folder}"
        note(as_typed(f"{here}; check with `mamenoki verify {folder}`"))


def _row(tally: "Tally", faulty: bool) -> list[str]:
    figures = tally.figures()
    row = [figures["name"], *(str(figures[key]) for key in ("matches", "won", "shared"))]
    row += [_number(figures["mean_score"], 2), _number(figures["mean_place"], 2)]
    row.append(_number(figures["ms_a_decision"], 3))
    return row + [str(figures[key]) for key, _ in FAULTS] * faulty


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
