"""The command line. Each verb's module imports what it needs when it is called, so that all start fast."""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

import typer

from mamenoki.cli.errors import CommandError

MODULES = ("play", "verify", "games", "newbot", "connect", "leaderboard", "tokens", "records", "serve")
"""Each has a Typer called ``verbs``; ``serve`` starts the parts of the service."""

cli = typer.Typer(
    name="mamenoki",
    help="Play, check and rate matches of tabletop games; connect bots; run the service.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@cli.callback()
def common(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        from importlib.metadata import version as version_of

        print(f"mamenoki {version_of('mamenoki')}")
        raise typer.Exit


def app() -> None:
    """The entry point: runs the verb, turns expected failures into one line and an exit code."""
    try:
        _complete()()
    except CommandError as error:
        print(f"mamenoki: {error}", file=sys.stderr)
        sys.exit(error.code)


def _complete() -> typer.Typer:
    for name in MODULES:
        module = f"mamenoki.cli.{name}"
        if find_spec(module) is not None:
            cli.add_typer(import_module(module).verbs)
    return cli
