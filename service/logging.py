"""Structured logs: one JSON object a line, or readable text on a terminal. Never a secret."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

SECRET_KEYS = frozenset({"authorization", "metadata", "seed", "service_token", "ticket", "token"})
HIDDEN = "[hidden]"


def hide_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: whatever stands under a secret's name is not written."""
    for key in SECRET_KEYS & event.keys():
        event[key] = HIDDEN
    return event


def configure(level: str = "INFO", json: bool = True) -> None:
    """Sets up structlog for this process; lines go to standard error."""
    # A plain traceback: one that shows local variables would show secrets.
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    renderer: Any = structlog.processors.JSONRenderer() if json else console
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            hide_secrets,
            *([structlog.processors.format_exc_info] if json else []),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        # A line in one piece: several processes may write to one file.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def get(name: str) -> Any:
    """A logger that says which part of the program speaks."""
    return structlog.get_logger(part=name)


# Until a server configures it, as in a command that somebody typed: only what is wrong, in words, on
# standard error; structlog's own default would write everything among the command's results.
structlog.configure(
    processors=[
        structlog.processors.add_log_level,
        hide_secrets,
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ],
    wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
    logger_factory=lambda *_: structlog.WriteLogger(sys.stderr),
    cache_logger_on_first_use=False,
)
