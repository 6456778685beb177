"""The examination of a machine for the roles that it shall have."""

import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from mamenoki.operate import machine, surroundings
from mamenoki.operate.checks import ROLES, Check
from service.settings import Settings

Examination = Callable[[Settings], list[Check]]


def examine(settings: Settings, roles: Collection[str] = ROLES) -> Iterator[Check]:
    """Looks at what those roles need, one check after another. It changes nothing and starts nothing.

    The sandbox is tried for real, which takes some seconds.
    """
    for wanted_by, examination in _EXAMINATIONS:
        if wanted_by & set(roles):
            yield from examination(settings)


def _ports(*names: tuple[str, str]) -> Examination:
    return lambda settings: [machine.port(name, setting, settings) for name, setting in names]


EVERY = set(ROLES)
_EXAMINATIONS: tuple[tuple[set[str], Examination], ...] = (
    (EVERY, lambda _: [machine.python()]),
    ({"engine", "worker"}, lambda _: [machine.compiled_rules()]),
    (EVERY, lambda _: [machine.disk("temporary disk", Path(tempfile.gettempdir()))]),
    ({"engine", "web"}, lambda _: [machine.open_files()]),
    (EVERY, lambda _: [machine.clock()]),
    ({"engine", "worker", "web"}, surroundings.database),
    ({"engine", "worker", "beat"}, surroundings.valkey),
    ({"engine", "worker", "web"}, lambda settings: [surroundings.service_token(settings)]),
    ({"engine"}, lambda settings: [surroundings.tls(settings)]),
    (
        {"engine"},
        _ports(
            ("public port", "public_address"),
            ("internal port", "internal_address"),
            ("engine metrics port", "engine_metrics_address"),
        ),
    ),
    ({"worker", "web"}, lambda settings: [surroundings.engine(settings)]),
    ({"worker"}, _ports(("worker metrics port", "worker_metrics_address"))),
    ({"web"}, _ports(("web port", "web_address"), ("web metrics port", "web_metrics_address"))),
    ({"worker"}, lambda _: surroundings.sandbox()),
)
