"""The command line. Each verb's module imports what it needs when it is called, so that all start fast."""

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

import typer

from mamenoki.cli.errors import CommandError
from mamenoki.cli.names import as_typed
from mamenoki.cli.places import PROJECT

MODULES = (
    "play",
    "strength",
    "compare",
    "verify",
    "games",
    "newbot",
    "certify",
    "connect",
    "submit",
    "uploaded",
    "leaderboard",
    "tokens",
    "records",
    "ladders",
    "teams",
    "seasons",
    "events",
    "forecasts",
    "exports",
    "webhooks",
    "serve",
    "audit",
    "backups",
    "doctor",
    "gameday",
)
"""Each has a Typer called ``verbs``; ``serve`` starts the parts of the service."""

cli = typer.Typer(
    name="mamenoki",
    help="Play, check and rate matches of tabletop games; connect bots; run the service.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"mamenoki {_installed_version()}")
        raise typer.Exit


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mamenoki")
    except PackageNotFoundError:  # run from a checkout
        import tomllib

        text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
        return str(tomllib.loads(text)["project"]["version"])


@cli.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """What every verb shares."""


def app() -> None:
    """The entry point: runs the verb, turns expected failures into one line and an exit code."""
    try:
        complete()(prog_name="mamenoki")
    except CommandError as error:
        print(f"mamenoki: {as_typed(str(error))}", file=sys.stderr)
        sys.exit(error.code)
    except KeyboardInterrupt:  # typer answers it from there on; this is for the time before
        sys.exit(130)


@cache
def complete() -> typer.Typer:
    """The command line with all its verbs."""
    for name in MODULES:
        module = f"mamenoki.cli.{name}"
        if find_spec(module) is not None:
            cli.add_typer(import_module(module).verbs)
    return cli
