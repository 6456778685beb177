"""The steps from an empty database to today's tables.

To add one: change ``schema.py``, write ``versions/NNNN_what.py`` by hand after the
pattern of the others; a test compares the models with what the steps make.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade(connection: Connection) -> None:
    """Runs every step that this database has not had, inside the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
