"""Who is left out of new matches for a while: bots that do not sit down, or sit and let the clock play.

Each fault in a row doubles the pause, up to a bound; a match that ends without one clears the
slate. An owner's bots share a slate of their own, which forgives a few faults: else a new name
for every fault would be a way around.
"""

from dataclasses import dataclass

OWNER_FAULTS = 3
"""So many in a row, whatever the bot, and all of an owner's bots are left out."""
SLATES = 10_000
"""More are not kept: those whose pause ended first are forgotten."""


@dataclass(slots=True)
class Slate:
    """Faults in a row, and until when they keep a bot, or all bots of an owner, out."""

    faults: int = 0
    until: int = 0
    why: str = ""


class Bench:
    """Times are monotonic ms. ``first_ms``: the pause after one fault; ``most_ms``: the longest."""

    def __init__(self, first_ms: int, most_ms: int) -> None:
        self._first_ms = first_ms
        self._most_ms = most_ms
        self._slates: dict[str, Slate] = {}

    def fault(self, player: str, why: str, now: int) -> None:
        """``player`` (``owner/bot``) kept others waiting."""
        self._note(player, why, now, forgiven=0)
        self._note(owner_of(player), why, now, forgiven=OWNER_FAULTS - 1)

    def credit(self, player: str) -> None:
        """``player`` has played a match to its end."""
        self._slates.pop(player, None)
        self._slates.pop(owner_of(player), None)

    def left_ms(self, player: str, now: int) -> int:
        """How long it stays out; 0: it may play."""
        return max(0, *(slate.until - now for slate in self._of(player)), 0)

    def why(self, player: str) -> str:
        """What the longest of its pauses is for."""
        return max(self._of(player), key=lambda slate: slate.until, default=Slate()).why

    def _of(self, player: str) -> list[Slate]:
        keys = (player, owner_of(player))
        return [self._slates[key] for key in keys if key in self._slates]

    def _note(self, key: str, why: str, now: int, forgiven: int) -> None:
        if key not in self._slates and len(self._slates) >= SLATES:
            del self._slates[min(self._slates, key=lambda one: self._slates[one].until)]
        slate = self._slates.setdefault(key, Slate())
        slate.faults += 1
        counted = slate.faults - forgiven
        if counted > 0:
            pause = min(self._most_ms, self._first_ms << min(counted - 1, 30))
            slate.until, slate.why = max(slate.until, now + pause), why


def owner_of(player: str) -> str:
    """``owner`` of ``owner/bot`` or ``owner/bot@3``."""
    return player.partition("/")[0]
