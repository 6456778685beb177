"""A player that forgets nothing it was shown, and chooses by what is left."""

from typing import Any

from mamenoki.house.morumori.cards import FACE, FACES, KINDS, MISS, NUMBERS, slot_of
from mamenoki.house.morumori.chances import Chances
from mamenoki.house.morumori.knowledge import Knowledge
from mamenoki.house.morumori.settings import check_whole
from mamenoki.house.morumori.sums import NEVER, Worths, finish, reach
from mamenoki.sdk import Bot, Decision, Seat

HIDES = ("seen", "unseen")

VERSUS = Worths(
    twice=[float(face + 1) for face in range(NUMBERS)],
    chosen=[float(face + 1) for face in range(NUMBERS)],
    order=list(range(NUMBERS - 1, -1, -1)),
    equals=-0.5,
    scatter=-0.5,
)
"""A card is worth its number. An ``=`` may be worth more later, and so may what is known."""

COOP = Worths(
    twice=[-2.0] * NUMBERS,
    chosen=[0.1 * (face + 1) for face in range(NUMBERS)],
    order=list(range(NUMBERS - 1, -1, -1)),
    equals=-3.0,
    scatter=-2.0,
)
"""What leaves is lost to all: as few cards as may be, and the small ones, which fit anywhere, last."""


class StrongBot(Bot):
    """Meets the target with known cards where that is possible, by the way that brings most; else
    turns up what meets it likeliest in the end.

    ``hide``: which cards it takes into a scatter, those that the next player could use (``seen``) or
    those that nobody knows anyway (``unseen``); by default ``seen`` against others and ``unseen``
    with them. ``caution``: in versus, a chance of success below so many percent is not worth showing
    the others a card; it turns up one that everybody knows, if that ends the turn.
    """

    def __init__(self, hide: str = "", caution: int = 0) -> None:
        super().__init__(hide=hide, caution=caution)
        if hide not in ("", *HIDES):
            raise ValueError(f"hide is {hide!r}; it must be one of {', '.join(HIDES)}")
        check_whole(caution=(caution, 0, 100))
        self._hide = hide
        self._caution = caution / 100
        self._coop = False
        self._worths = VERSUS
        self._knowledge = Knowledge(dict.fromkeys(FACES, 0))

    def start(self, seat: Seat) -> None:
        self._coop = seat.variant == "coop"
        self._worths = COOP if self._coop else VERSUS
        self._hide = self._hide or ("unseen" if self._coop else "seen")
        self._knowledge = Knowledge(seat.config["mix"])

    def choose(self, decision: Decision) -> str:
        self._knowledge.watch(decision.sightings)
        view, legal = decision.view, decision.legal
        if len(legal) == 1:
            return legal[0]
        if view["state"] == "take":
            return self._take(view, legal)
        if view["state"] == "companion":
            return self._accompany(view, legal)
        return f"flip {self._flip(view)}"

    def _take(self, view: dict[str, Any], legal: list[str]) -> str:
        return max(legal, key=lambda text: self._worths.chosen[FACE[view["slots"][slot_of(text)]]])

    def _accompany(self, view: dict[str, Any], legal: list[str]) -> str:
        if self._hide == "unseen":
            sizes = {slot: len(pool.slots) for pool in self._knowledge.pools for slot in pool.slots}
            return max(legal, key=lambda text: sizes.get(slot_of(text), 0))
        known = [0] * KINDS
        for slot, face in self._knowledge.known.items():
            if slot not in view["mixed"]:
                known[face] += 1
        return min(legal, key=lambda text: self._left_over(view["target"], known, slot_of(text)))

    def _left_over(self, target: int, known: list[int], slot: int) -> tuple[float, int]:
        """What the next player can do with what is known once that slot is scattered, the worst first."""
        face = self._knowledge.known.get(slot)
        if face is None or face == MISS:
            return (float("inf"), 0)
        left = [count - (face == other) for other, count in enumerate(known)]
        return (finish(0, target, [0] * KINDS, left, self._worths)[0], face)

    def _flip(self, view: dict[str, Any]) -> int:
        up, known = [0] * KINDS, [0] * KINDS
        places: dict[int, int] = {}
        for slot, face in self._knowledge.known.items():
            if view["slots"][slot] == "?":
                known[face] += 1
                places[face] = slot
            else:
                up[face] += 1
        worth, face = finish(view["total"], view["target"], up, known, self._worths)
        if worth > NEVER:
            return places[face]
        return self._risk(view, known, places)

    def _risk(self, view: dict[str, Any], known: list[int], places: dict[int, int]) -> int:
        """The slot with the best chance to meet the target in the end."""
        total, target, pools = view["total"], view["target"], self._knowledge.pools
        shares = [pool.share() for pool in pools]
        chances = Chances(target, reach(target, known), shares)
        options = [
            (chances.unknown(total, share), min(pool.slots))
            for pool, share in zip(pools, shares, strict=True)
        ]
        chance, slot = max(options, default=(0.0, -1))
        if slot >= 0 and (self._coop or chance >= self._caution):
            return slot
        ends = [places[face] for face in places if face == MISS or target - total <= face < NUMBERS]
        return ends[0] if ends else slot if slot >= 0 else min(places.values())
