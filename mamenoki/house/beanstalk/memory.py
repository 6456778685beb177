"""What a seat remembers of the treasures: what is left in the decks, what the others may have."""

from collections.abc import Sequence
from typing import Any

VALUES = {"gold": 5, "silver": 2, "bronze": 1, "thief": 1, "tornado": 1}
COVERED = ("gold", "silver", "bronze")


class Memory:
    """Keeps count of the cards of which the owner, a seat, does not know where they are.

    ``unseen[deck]`` are the cards that it has not seen drawn, by kind. ``drawn[seat][deck]`` is
    how many face-down cards of a deck another seat has, as well as can be known: whatever is
    stolen from it is taken to come from its decks evenly.
    """

    def __init__(self, seat: int, seats: int, config: dict[str, Any]) -> None:
        self._seat, self._seats = seat, seats
        self.unseen = {
            deck: {kind: config[deck].get(kind, 0) for kind in VALUES} for deck in ("stable", "gamble")
        }
        self.drawn = [dict.fromkeys(self.unseen, 0.0) for _ in range(seats + 1)]
        self._deck = ""

    def add(self, sightings: Sequence[dict[str, Any]]) -> None:
        """What has been shown since the last time, oldest first."""
        for event in sightings:
            if event["event"] == "treasure":
                self._draw(event["member"], event["deck"], event["treasure"])
            elif event["event"] == "found":
                self.unseen[self._deck][event["treasure"]] -= 1
            elif event["event"] == "theft":
                self._lose(event["from"])

    def _draw(self, member: Any, deck: str, kind: str | None) -> None:
        self._deck = deck
        if kind is not None:
            self.unseen[deck][kind] -= 1
        elif member != self._seat:
            self.drawn[member][deck] += 1

    def _lose(self, member: Any) -> None:
        if member in ("npc", self._seat):
            return
        drawn = self.drawn[member]
        whole = sum(drawn.values())
        for deck in drawn:
            drawn[deck] *= (whole - 1) / whole

    def mean(self, deck: str) -> float:
        """What a face-down card of a deck that the owner has not seen is worth, on average."""
        kinds = {kind: number for kind, number in self.unseen[deck].items() if kind in COVERED and number > 0}
        number = sum(kinds.values())
        return sum(VALUES[kind] * count for kind, count in kinds.items()) / number if number else 0.0

    def points(self, view: dict[str, Any]) -> list[float]:
        """Of each participant: its own and the NPC's as they are, the others' as may be expected."""
        return [
            self._expected(view, one) if points is None else float(points)
            for one, points in enumerate(view["points"])
        ]

    def _expected(self, view: dict[str, Any], one: int) -> float:
        opened = view["tornados"][one] + view["thieves"][one] - view["looted"][one]
        hidden = sum(number * self.mean(deck) for deck, number in self.drawn[one].items())
        return float(opened + 2 * view["looted"][one] + hidden)
