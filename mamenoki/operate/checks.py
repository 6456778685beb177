"""What an examination of this machine comes to."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]
ROLES = ("engine", "worker", "beat", "web")
"""The parts of the service, each a process that can be alone on a machine."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. ``said``: how it is. ``remedy``: what to do; empty if nothing need be done.

    ``warn``: the service runs, with less than it could have. ``fail``: it does not.
    """

    name: str
    state: State
    said: str
    remedy: str = ""


def ok(name: str, said: str) -> Check:
    return Check(name, "ok", said)


def warn(name: str, said: str, remedy: str) -> Check:
    return Check(name, "warn", said, remedy)


def fail(name: str, said: str, remedy: str) -> Check:
    return Check(name, "fail", said, remedy)
