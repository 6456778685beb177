"""A sensible player with a short memory: it knows the cards that it saw last, and little of sums."""

import random
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from mamenoki.house.morumori.cards import FACE, NUMBERS, slot_of
from mamenoki.house.morumori.settings import check_whole
from mamenoki.sdk import Bot, Decision, Seat


class GreedyBot(Bot):
    """Remembers the last ``memory`` cards that were shown, and meets the target with at most
    ``cards`` of them if it can. Else it turns up a card that it does not know, at random.
    """

    def __init__(self, memory: int = 12, cards: int = 2) -> None:
        super().__init__(memory=memory, cards=cards)
        check_whole(memory=(memory, 0, 100), cards=(cards, 1, 3))
        self._memory, self._cards = memory, cards
        self._known: dict[int, str] = {}  # the face by the slot, what was seen last at the end
        self._dice = random.Random(0)

    def start(self, seat: Seat) -> None:
        self._dice = random.Random(seat.seed)

    def choose(self, decision: Decision) -> str:
        for event in decision.sightings:
            self._watch(event)
        view, legal = decision.view, decision.legal
        if view["state"] == "take":
            return max(legal, key=lambda text: FACE[view["slots"][slot_of(text)]])
        if view["state"] == "flip":
            return self._flip(view, legal)
        return self._any_unknown(legal)

    def _watch(self, event: dict[str, Any]) -> None:
        slots = event["slots"] if "slots" in event else [event["slot"]] if "slot" in event else []
        faces = event["faces"] if event["event"] == "peek" else [event.get("face")] * len(slots)
        for slot, face in zip(slots, faces, strict=True):
            self._known.pop(slot, None)
            if event["event"] in ("peek", "flip"):
                self._known[slot] = face
        for slot in list(self._known)[: -self._memory or len(self._known)]:
            del self._known[slot]

    def _flip(self, view: dict[str, Any], legal: list[str]) -> str:
        need = view["target"] - view["total"]
        down = {slot: FACE[face] for slot, face in self._known.items() if view["slots"][slot] == "?"}
        equals = [slot for slot, face in down.items() if face == NUMBERS]
        numbers = [slot for slot, face in down.items() if face < NUMBERS]
        for count in range(1, self._cards + 1):
            for chosen in combinations(numbers, count):
                if sum(down[slot] + 1 for slot in chosen) == need:
                    return f"flip {chosen[0]}"
        return f"flip {equals[0]}" if equals else self._any_unknown(legal)

    def _any_unknown(self, legal: Iterable[str]) -> str:
        """A card that it does not remember, or any if it remembers all."""
        texts = list(legal)
        unknown = [text for text in texts if slot_of(text) not in self._known]
        return self._dice.choice(unknown or texts)
