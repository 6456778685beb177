"""What a seat's sightings say of the treasures, as the few facts that bear on who holds what."""

from collections.abc import Sequence
from typing import Final

from engine_service.core.game import Json, View
from engine_service.games.beanstalk.config import Rules
from engine_service.games.beanstalk.treasures import DECKS, KINDS

UNKNOWN: Final = -1
"""The kind of a card that lies face down."""


class Fact:
    """``who`` draws a card of ``kind`` from ``deck``; or takes one from the participant ``victim``;
    or, with neither (-1), stands on the ground without having won."""

    __slots__ = ("deck", "kind", "victim", "who")

    def __init__(self, who: int, deck: int = -1, victim: int = -1, kind: int = UNKNOWN) -> None:
        self.who = who
        self.deck = deck
        self.victim = victim
        self.kind = kind


class Reader:
    """Goes through sightings, oldest first; :attr:`facts` is what they say."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.facts: list[Fact] = []
        self.grounded = set(range(seats))
        self.changed: set[int] = set()

    def read(self, sightings: Sequence[View]) -> list[Fact]:
        for event in sightings:
            kind = event["event"]
            if kind == "treasure":
                self._draw(event)
            elif kind == "theft":
                self._theft(event)
            elif kind in ("found", "loot"):
                self.facts[-1].kind = KINDS.index(event["treasure"])
            elif kind == "move":
                self._move(event)
            elif kind == "square_batting":
                self._fall(event)
            elif kind == "tornado":
                self.grounded -= {self._number(member) for member in event["carried"]}
        self._note_grounds()
        return self.facts

    def _number(self, member: Json) -> int:
        return self.seats if member == "npc" else int(member)

    def _draw(self, event: View) -> None:
        who, kind = self._number(event["member"]), event["treasure"]
        self.changed.add(who)
        deck = DECKS.index(event["deck"])
        self.facts.append(Fact(who, deck=deck, kind=UNKNOWN if kind is None else KINDS.index(kind)))

    def _theft(self, event: View) -> None:
        self._note_grounds()
        who, victim, kind = self._number(event["member"]), self._number(event["from"]), event["treasure"]
        self.changed |= {who, victim}
        self.facts.append(Fact(who, victim=victim, kind=UNKNOWN if kind is None else KINDS.index(kind)))

    def _move(self, event: View) -> None:
        who = self._number(event["member"])
        self._note_grounds()
        if event["to"] == 0:
            self._ground(who)
        else:
            self.grounded.discard(who)

    def _fall(self, event: View) -> None:
        if self.rules.batted_return_wins:
            self._ground(self._number(event["member"]))
            self._ground(self._number(event["other"]))

    def _ground(self, who: int) -> None:
        """The participant stands on the ground now; nobody has won by it, or the match would be over."""
        if who < self.seats:
            self.grounded.add(who)
            self._note_ground(who)

    def _note_grounds(self) -> None:
        """A theft may have given points to somebody who stands on the ground."""
        if self.rules.batted_return_wins:
            for who in sorted(self.grounded & self.changed):
                self._note_ground(who)

    def _note_ground(self, who: int) -> None:
        if who in self.changed:
            self.changed.discard(who)
            self.facts.append(Fact(who))
