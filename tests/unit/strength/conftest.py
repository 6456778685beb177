"""The command line, for contests as for the rest."""

from tests.unit.cli.conftest import run

__all__ = ["run"]
