"""The life of an uploaded version: every state with every event."""

import pytest

from scheduler.domain.versions import STEPS, NotNow, after

STATES = ("received", "checked", "qualifying", "active", "refused", "benched", "retired")
LIVES = {
    "received": {"check": "checked", "refuse": "refused", "retire": "retired"},
    "checked": {"begin": "qualifying", "refuse": "refused", "retire": "retired"},
    "qualifying": {"resume": "checked", "qualify": "active", "refuse": "refused", "retire": "retired"},
    "active": {"bench": "benched", "retire": "retired"},
    "benched": {"probe": "checked", "activate": "active", "retire": "retired"},
    "retired": {"activate": "active"},
    "refused": {},
}


@pytest.mark.parametrize("event", STEPS)
@pytest.mark.parametrize("state", STATES)
def test_every_event_in_every_state(state: str, event: str) -> None:
    if event in LIVES[state]:
        assert after(state, event) == LIVES[state][event]
    else:
        with pytest.raises(NotNow, match=f"it is {state}, and {event} is for what is"):
            after(state, event)
