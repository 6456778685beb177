"""The life of an uploaded version, as a state machine.

::

    received ─check→ checked ─begin→ qualifying ─qualify→ active ─bench→ benched ─probe→ checked
        └──────refuse──┴─────refuse──────┘ └─resume→ checked ├─retire→ retired ─activate→ active

``refuse`` leads to *refused*, which nothing leaves but a new upload. ``retire`` is possible everywhere
but there, and ``resume`` is for a trial that came to nothing by a fault of ours. A benched version is
reinstated by another trial, or by its owner's ``activate``.
"""

from collections.abc import Mapping
from types import MappingProxyType

MOST_FAULTS = 3
"""So many tables in a row that come to nothing bench a version, and so many trials refuse one."""

STEPS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "check": {"received": "checked"},
        "begin": {"checked": "qualifying"},
        "resume": {"qualifying": "checked"},
        "qualify": {"qualifying": "active"},
        "refuse": {"received": "refused", "checked": "refused", "qualifying": "refused"},
        "bench": {"active": "benched"},
        "probe": {"benched": "checked"},
        "retire": dict.fromkeys(("received", "checked", "qualifying", "active", "benched"), "retired"),
        "activate": {"retired": "active", "benched": "active"},
    }
)
"""By event: from which state to which."""


class NotNow(ValueError):
    """The event does not happen in that state; the message says in which it does."""


def after(state: str, event: str) -> str:
    """The state that an event leads to. NotNow where it cannot happen; KeyError for no event."""
    steps = STEPS[event]
    if state not in steps:
        raise NotNow(f"it is {state}, and {event} is for what is {' or '.join(steps)}")
    return steps[state]
