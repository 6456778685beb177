"""A sensible player with habits: it looks at the table, not at the odds."""

from typing import Any

from mamenoki.house.mushi.odds import LETTERS, pack, room, total
from mamenoki.house.mushi.scene import Scene, read
from mamenoki.house.mushi.settings import check_whole
from mamenoki.sdk import Bot, Decision, Seat

BOOSTS = ("none", "thin", "all")


class GreedyBot(Bot):
    """Stops with ``goal`` bugs in hand, goes after catches of ``chase`` and more.

    ``boost`` is its habit before the first roll: nothing, only colours of which the group
    has fewer than two, or all it has. ``hoard`` is how many cards it wants in its yard: a
    collected catch fills it up to there, the rest goes to the heap. Once the deck is empty it
    neither boosts nor hoards: every heaped card brings the end nearer.
    """

    def __init__(self, goal: int = 4, chase: int = 6, boost: str = "thin", hoard: int = 0) -> None:
        super().__init__(goal=goal, chase=chase, boost=boost, hoard=hoard)
        if boost not in BOOSTS:
            raise ValueError(f"boost is {boost!r}; it must be one of {', '.join(BOOSTS)}")
        check_whole(goal=(goal, 1, 100), chase=(chase, 1, 100), hoard=(hoard, 0, 100))
        self._goal, self._chase, self._boost, self._hoard = goal, chase, boost, hoard
        self._seat = 0
        self._config: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        self._seat, self._config = seat.seat, seat.config

    def choose(self, decision: Decision) -> str:
        legal = decision.legal
        scene = read(decision.view, self._seat, self._config)
        if scene.state == "target":
            return "catch" if "catch" in legal and total(scene.catch) >= self._chase else "hub"
        if scene.state == "keep":
            return self._keep(scene, legal)
        if scene.state == "boost":
            return self._lure(scene, legal)
        if legal[0] == "stop" and (total(scene.caught) >= self._goal or len(legal) == 1):
            return "stop"
        return max((text for text in legal if text != "stop"), key=lambda text: _appeal(scene, text))

    def _keep(self, scene: Scene, legal: list[str]) -> str:
        hoard = self._hoard if scene.deck else 0  # at the end a hoard only delays it, card by card, for ever
        wanted = max(0, hoard - total(scene.yards[self._seat]))
        return next((text for text in reversed(legal) if _size(text) <= wanted), legal[0])

    def _lure(self, scene: Scene, legal: list[str]) -> str:
        if self._boost == "none" or not scene.deck:
            return legal[0]
        if self._boost == "all":
            return legal[-1]
        thin = {LETTERS[colour] for colour in range(4) if scene.group >> 8 * colour & 0xFF < 2}
        return next((text for text in reversed(legal) if set(_letters(text)) <= thin), legal[0])


def _letters(text: str) -> str:
    return text.partition(" ")[2].replace("-", "")


def _size(text: str) -> int:
    return len(_letters(text))


def _appeal(scene: Scene, text: str) -> int:
    """How good the kept dice look: bugs that fit the group above bars, bars above what is too much."""
    chosen = _letters(text)
    kept = [have - chosen.count(face) for have, face in zip(scene.dice, "RYGB=", strict=True)]
    fits = room(scene.group, pack(kept)) >= 0
    spare = [(scene.group >> 8 * colour & 0xFF) - kept[colour] for colour in range(4)]
    roomy = sum(kept[colour] for colour in range(4) if spare[colour] >= 1)
    return 2 * roomy + kept[4] if fits else -len(chosen)
