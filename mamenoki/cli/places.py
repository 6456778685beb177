"""Where the running demo is: it writes ``state.json`` into ``$MAMENOKI_HOME``, which is ``.demo`` in the project.

The environment goes first (``DATABASE_URL``, ``MAMENOKI_PUBLIC_ADDRESS``), so that one
shell can work with another server while a demo runs.
"""

import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mamenoki.cli.errors import CommandError

PROJECT = Path(__file__).resolve().parents[2]
NO_DATABASE = "no demo is running here: start one with `./dev demo`, or set DATABASE_URL"
NO_SERVER = "no server is known: start one with `./dev demo`, or name one with --server HOST:PORT"


@dataclass(frozen=True, slots=True)
class Places:
    """The addresses (``host:port``) and URLs of a running demo."""

    public_address: str
    internal_address: str
    web_address: str
    database_url: str
    redis_url: str


def state_file() -> Path:
    """The file that a running demo writes."""
    return Path(os.environ.get("MAMENOKI_HOME") or PROJECT / ".demo") / "state.json"


def demo() -> Places | None:
    """The demo that has written its state file; None if there is no such file.

    CommandError for a file that cannot be read.
    """
    path = state_file()
    try:
        return _places(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CommandError(
            f"{path} cannot be read ({error}); stop the demo, remove it, start again"
        ) from error


def _places(state: dict[str, Any]) -> Places:
    """Of a state file's content; what else it holds is not ours."""
    values = {field.name: state[field.name] for field in fields(Places)}
    if not all(isinstance(value, str) for value in values.values()):
        raise TypeError("an address or URL is not a text")
    return Places(**values)


def server_address(given: str | None) -> str:
    """``given``, else the environment's public address, else the demo's."""
    address = given or os.environ.get("MAMENOKI_PUBLIC_ADDRESS")
    if address:
        return _checked(address)
    running = demo()
    if running is None:
        raise CommandError(NO_SERVER)
    return running.public_address


def database_url() -> str:
    """The environment's database, else the demo's. CommandError if there is neither."""
    from service.settings import Settings

    settings = Settings()
    if "database_url" in settings.model_fields_set:
        return settings.database_url
    running = demo()
    if running is None:
        raise CommandError(NO_DATABASE)
    return running.database_url


def _checked(address: str) -> str:
    _, _, port = address.rpartition(":")
    if not address.startswith("unix:") and not port.isdigit():
        raise CommandError(f"{address!r} is no address; write HOST:PORT, such as 127.0.0.1:8450", 2)
    return address
