"""``mamenoki doctor``: what this machine lacks for the service, and how to get it."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.errors import UsageError
from mamenoki.cli.names import as_typed
from mamenoki.cli.places import demo
from mamenoki.cli.screen import emit

if TYPE_CHECKING:
    from mamenoki.operate.checks import Check
    from service.settings import Settings

verbs = typer.Typer()
MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}


@verbs.command()
def doctor(
    role: Annotated[
        list[str] | None, typer.Option(help="engine, worker, beat or web; may be given again. None: all.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Examine this machine for the service, by the settings of its environment; exit 1 if anything fails.

    A running demo's database, Valkey and engine are looked at if the environment names no other.
    """
    from mamenoki.operate.checks import ROLES
    from mamenoki.operate.doctor import examine

    unknown = sorted(set(role or ()) - set(ROLES))
    if unknown:
        raise UsageError(f"there is no role {unknown[0]!r}; there are: {', '.join(ROLES)}")
    checks = []
    for check in examine(_settings(), role or ROLES):
        checks.append(check)
        if not json:
            _tell(check)
    if json:
        emit([asdict(check) for check in checks])
    if any(check.state == "fail" for check in checks):
        raise typer.Exit(1)


def _settings() -> "Settings":
    from service.settings import Settings

    settings, running = Settings(), demo()
    if running is None:
        return settings
    places = {name: getattr(running, name) for name in ("database_url", "redis_url", "internal_address")}
    given = settings.model_fields_set
    return Settings(**{name: value for name, value in places.items() if name not in given})


def _tell(check: "Check") -> None:
    print(f"{MARKS[check.state]}  {check.name}: {check.said}", flush=True)
    if check.remedy:
        print(as_typed(f"      {check.remedy}"), flush=True)
