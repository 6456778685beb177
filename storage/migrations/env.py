"""Run by Alembic: takes the connection that ``upgrade`` was given, and its transaction."""

from alembic import context

from storage.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,  # SQLite's too: our connections begin their transactions themselves
)
context.run_migrations()
