"""``python -m mamenoki.cli``."""

from mamenoki.cli.main import app

app()
