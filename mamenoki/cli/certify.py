"""``mamenoki certify``: a bot put through what happens on a server, before a server does."""

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import emit, note

if TYPE_CHECKING:
    from bot_runner.bundles.bundle import Bundle
    from bot_runner.runner import Runner
    from mamenoki.cli.trials import Verdict

verbs = typer.Typer()


@verbs.command()
def certify(
    bot: Annotated[str, typer.Argument(help="A bundle's folder or zip, or FILE.py:CLASS.")],
    ladder: Annotated[
        str, typer.Option(help="What a FILE.py plays; a bundle's manifest says so itself.")
    ] = "mushi/standard",
    inner: Annotated[
        bool, typer.Option("--inner", help="In the sandbox for containers, which needs no namespaces.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Verdicts as JSON.")] = False,
) -> None:
    """Put a bot through delays, reconnects, late and illegal answers; say what the server does in each case.

    The bot runs shut in as on the server, at the server's limits. Exit 0: it comes through all of
    them. 1: it does not, or this machine has no sandbox. 2: it cannot be read.
    """
    from mamenoki.cli.trials import shapes

    data = _bundle_of(Path(bot.partition(":")[0]), bot, ladder)
    bundle = _judged(data)
    verdicts = [*_tried(bundle, data, inner), *shapes()]
    if as_json:
        emit([{"case": v.case, "game": v.game, "ok": v.ok, "server": v.told} for v in verdicts])
    else:
        _show(verdicts)
    if not all(verdict.ok for verdict in verdicts):
        raise typer.Exit(1)


def _bundle_of(path: Path, spec: str, ladder: str) -> bytes:
    from bot_runner.bundles.packing import pack
    from bot_runner.errors import BundleRefused

    try:
        if path.is_dir():
            return pack(path)
        if path.suffix == ".zip":
            return path.read_bytes()
        if path.suffix != ".py":
            raise UsageError(f"{path} is no bundle's folder, no zip and no Python file")
        with tempfile.TemporaryDirectory() as made:
            (Path(made) / path.name).write_bytes(path.read_bytes())
            (Path(made) / "mamenoki.toml").write_text(_manifest(path, spec, ladder))
            return pack(Path(made))
    except BundleRefused as error:
        raise UsageError(f"{path}: {error}") from error
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}") from error


def _manifest(path: Path, spec: str, ladder: str) -> str:
    from mamenoki.cli.loading import load_bot

    kind = load_bot(path, spec.partition(":")[2] or None)
    entry = f"{path.name}:{kind.__name__}"
    return f'name = "bot"\nlanguage = "python"\nentry = "{entry}"\ngames = ["{ladder}"]\n'


def _judged(data: bytes) -> "Bundle":
    from bot_runner.bundles.bundle import read
    from bot_runner.errors import BundleRefused
    from engine_service.games import GAMES

    ladders = {f"{game.card.id}/{variant.name}" for game in GAMES.values() for variant in game.card.variants}
    try:
        return read(data, ladders)
    except BundleRefused as error:
        raise UsageError(f"the server refuses the bundle: {error}") from error


def _tried(bundle: "Bundle", data: bytes, inner: bool) -> "list[Verdict]":
    from bot_runner.errors import SandboxMissing
    from bot_runner.runner import Runner, RunnerSettings
    from bot_runner.slots import FOLDER

    with tempfile.TemporaryDirectory(prefix="mamenoki-certify-") as made:
        folder = Path(made)
        folder.chmod(0o755)  # seats have users of their own
        users = FOLDER if os.geteuid() == 0 else folder
        settings = RunnerSettings("inner" if inner else "namespaces", folder / "bots", users_folder=users)
        try:
            runner = Runner(settings, lambda _: data)
        except SandboxMissing as missing:
            raise CommandError(f"{missing}; --inner tries the sandbox for containers") from missing
        try:
            return _verdicts(bundle, runner)
        finally:
            runner.close_now()


def _verdicts(bundle: "Bundle", runner: "Runner") -> "list[Verdict]":
    import asyncio

    from engine_service.core.clock import Limits
    from engine_service.games import find
    from mamenoki.cli.trials import PLAYS, TWISTS, attempt
    from mamenoki.sdk.errors import HostFault
    from scheduler.tables import CLOCK

    limits = Limits(CLOCK["first_ms"], CLOCK["move_ms"], CLOCK["bank_ms"] or 0)

    async def all_cases() -> "list[Verdict]":
        verdicts = []
        for game in bundle.manifest.games:
            seats = find(game)[1].min_seats
            for case in TWISTS:  # the first is a match like any other; who cannot play that is not asked more
                note(f"{game}: {case} …")
                bot = attempt(case, game, max(2, seats), limits, lambda seat: runner.bot(bundle.digest, seat))
                verdicts.append(await bot)
                if not verdicts[-1].ok and case == PLAYS:
                    break
        return verdicts

    try:
        return asyncio.run(all_cases())
    except HostFault as fault:
        raise CommandError(f"this machine could not run the bot: {fault}") from fault


def _show(verdicts: "list[Verdict]") -> None:
    for verdict in verdicts:
        sign = "ok  " if verdict.ok else "FAIL"
        where = f"{verdict.game}: " if verdict.game else ""
        print(f"{sign}  {where}{verdict.case}: {verdict.told[:300]}")
    failed = sum(not verdict.ok for verdict in verdicts)
    print(f"{len(verdicts)} cases, {failed} failed")
