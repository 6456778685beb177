"""What is shown once: the events of beanstalk.

Everybody sees them, but for ``found`` and ``loot``, which name a treasure that lies face
down to the rest. A participant is a seat, or ``"npc"``. What a turn is full of is made
when somebody asks for it; a class is cheaper to fill than a dict.
"""

from typing import Final

from engine_service.core.game import Json, Over, Sighting, View
from engine_service.games.beanstalk.treasures import DECKS, KINDS, covered

NOBODY_HUMAN: Final = -1
"""The NPC, where events are made: its number among the participants may be that of a seat elsewhere."""


def named(who: int) -> Json:
    """A participant as events have it."""
    return "npc" if who == NOBODY_HUMAN else who


def support(cards: list[int]) -> Sighting:
    """The numbers in the support area from left (+2) to right (1)."""
    return Sighting({"event": "support", "cards": cards[:]})


class Commit(Sighting):
    """The cards that all seats have played, seat 0 first."""

    def __init__(self, cards: list[int], seats: int) -> None:
        self.cards = cards
        self.seats = seats

    @property
    def event(self) -> View:
        return {"event": "commit", "cards": self.cards[: self.seats]}


class NpcCard(Sighting):
    """The card that the NPC turns up."""

    def __init__(self, card: int) -> None:
        self.card = card

    @property
    def event(self) -> View:
        return {"event": "npc", "card": self.card}


class CardBatting(Sighting):
    """Two or more have played the same number."""

    def __init__(self, card: int, members: list[int]) -> None:
        self.card = card
        self.members = members

    @property
    def event(self) -> View:
        return {
            "event": "card_batting",
            "card": self.card,
            "members": [named(member) for member in self.members],
        }


class Move(Sighting):
    """One way, up or down, of a piece; a move that turns round is two of them."""

    def __init__(self, who: int, origin: int, to: int, castle: int) -> None:
        self.who = who
        self.origin = origin
        self.to = to
        self.castle = castle

    @property
    def event(self) -> View:
        return {
            "event": "move",
            "member": named(self.who),
            "from": self.origin,
            "to": self.to,
            "castle": self.to == self.castle,
        }


class SquareBatting(Sighting):
    """``member`` ends its move where ``other`` stands: both go to ground."""

    def __init__(self, who: int, other: int, square: int) -> None:
        self.who = who
        self.other = other
        self.square = square

    @property
    def event(self) -> View:
        return {
            "event": "square_batting",
            "member": named(self.who),
            "other": named(self.other),
            "square": self.square,
        }


class Draw(Sighting):
    """A player at the castle chooses a deck."""

    def __init__(self, seat: int, deck: int) -> None:
        self.seat = seat
        self.deck = deck

    @property
    def event(self) -> View:
        return {"event": "draw", "seat": self.seat, "deck": DECKS[self.deck]}


def treasure(who: int, deck: int, kind: int | None) -> Sighting:
    """A card is drawn; ``treasure`` is None if it lies face down."""
    shown = None if kind is None else KINDS[kind]
    return Sighting({"event": "treasure", "member": named(who), "deck": DECKS[deck], "treasure": shown})


def found(seat: int, kind: int) -> Sighting:
    """What the card is that a seat has just drawn face down; for its eyes only."""
    return Sighting({"event": "found", "seat": seat, "treasure": KINDS[kind]}, [seat])


def theft(who: int, victim: int, kind: int | None) -> Sighting:
    """A thief takes a card; ``treasure`` is None if it stays face down to the rest."""
    shown = None if kind is None else KINDS[kind]
    return Sighting({"event": "theft", "member": named(who), "from": named(victim), "treasure": shown})


def loot(seat: int, victim: int, kind: int) -> Sighting:
    """What the thief of ``seat`` has just taken from the seat ``from``; for the two of them."""
    event = {"event": "loot", "seat": seat, "from": victim, "treasure": KINDS[kind]}
    return Sighting(event, sorted([seat, victim]))


def idle(who: int, thieves: int) -> Sighting:
    """Armed thieves find nothing to take, and are disarmed for good."""
    return Sighting({"event": "idle", "member": named(who), "thieves": thieves})


def tornado(owner: int, members: list[int]) -> Sighting:
    """A tornado carries the batted ``members`` to the castle; none: it is spent without effect."""
    carried = [named(member) for member in members]
    return Sighting({"event": "tornado", "member": named(owner), "carried": carried})


class End(Sighting):
    """``why`` is ``home``, ``decks`` (both are empty and nobody can win) or ``turns``.

    All cards are turned up: ``treasures`` and ``loot`` are ``[gold, silver, bronze]`` of each
    participant, the NPC last.
    """

    def __init__(self, over: Over, why: str, held: list[int], loot: list[int]) -> None:
        self.over = over
        self.why = why
        self.held = held
        self.loot = loot

    @property
    def event(self) -> View:
        over = self.over
        return {
            "event": "end",
            "end": over.end,
            "why": self.why,
            "scores": over.scores[:],
            "ranks": over.ranks[:],
            "treasures": [covered(held) for held in self.held],
            "loot": [covered(loot) for loot in self.loot],
        }
