"""``python -m scheduler.beat``: Celery's own beat, which keeps nothing. Any number may run."""

from scheduler.app import app
from scheduler.settings import read
from service import logging


def main() -> None:
    """Ticks until SIGTERM."""
    settings = read()
    logging.configure(settings.log_level, settings.log_json)
    app.Beat(loglevel="WARNING").run()


if __name__ == "__main__":
    main()
