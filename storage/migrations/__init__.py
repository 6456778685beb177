"""The steps from an empty database to today's tables.

To add one: change ``schema.py``, write ``versions/NNNN_what.py`` by hand after the
pattern of the others; a test compares the models with what the steps make.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Runs every step up to ``revision`` that this database has not had, in the connection's transaction."""
    command.upgrade(_config(connection), revision)


def revision_of(connection: Connection) -> str | None:
    """The last step that this database has had; None: it has no tables of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def revisions() -> list[str]:
    """All steps that this code knows, the first one first."""
    steps = ScriptDirectory.from_config(_config(None)).walk_revisions()
    return [step.revision for step in steps][::-1]


def _config(connection: Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
