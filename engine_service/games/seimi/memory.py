"""What a seat has seen of the cards: which it knows to be where, and which it cannot know.

A *shuffle* is the life of one deck: the first begins with the pack, each later one with the
discards of that moment. Cards are drawn from a shuffle openly (the field), by the seat
itself, or by others unseen. An unseen draw is a *slot*; when its owner later shows a card
that it was not known to hold, the card came from one of its slots: a *reveal*.
"""

from collections.abc import Sequence

from engine_service.core.game import View
from engine_service.games.seimi.cards import CARD_OF, CARDS, PARENTS, read
from engine_service.games.seimi.config import Rules


class Slot:
    """A card that another seat drew unseen; ``card`` is -1 until one is placed in it."""

    __slots__ = ("card", "owner", "shuffle")

    def __init__(self, owner: int, shuffle: int) -> None:
        self.owner = owner
        self.shuffle = shuffle
        self.card = -1


class Reveal:
    """A card that a seat showed out of its slots; ``slots`` are those that it had by then."""

    __slots__ = ("card", "slot", "slots")

    def __init__(self, card: int, slots: list[Slot]) -> None:
        self.card = card
        self.slots = slots
        self.slot: Slot | None = None


class Memory:
    """Reads the sightings of one seat, oldest first.

    ``pools`` has, for each shuffle, how many of each card there are that nobody but chance
    has placed: in slots, and of the last one also in the deck. ``known`` are the cards that
    each seat took openly and has not shown since, as counts. ``tokens`` are those of each seat.
    """

    def __init__(self, rules: Rules, seats: int, seat: int) -> None:
        self.seat = seat
        self.pools: list[list[int]] = [_counts(rules.cards)]
        self.deck = len(rules.cards)
        self.discards: list[int] = []
        self.known: list[list[int]] = [[0] * CARDS for _ in range(seats)]
        self.slots: list[list[Slot]] = [[] for _ in range(seats)]
        self.reveals: list[Reveal] = []
        self.tokens: list[list[int]] = [[] for _ in range(seats)]
        self._awaited = -1

    def read(self, sightings: Sequence[View], is_drawing: bool) -> None:
        """Take all of them in. ``is_drawing``: the last card taken from the deck has not come yet."""
        for event in sightings:
            self._read(event)
        if not is_drawing:
            self._draw_unseen()

    def _read(self, event: View) -> None:
        kind = event["event"]
        if kind == "draw":
            self._awaited = -1
            self._leave_deck(CARD_OF[event["card"]])
            return
        self._draw_unseen()
        if kind == "take":
            self._take(event["seat"], event["card"])
        elif kind == "put" or kind == "play" or kind == "open" or kind == "replace":
            self._show(event)
        elif kind == "loss":
            self.discards += read(event["cards"])
        elif kind == "refill" or kind == "hand":
            for text in event["cards"]:
                self._leave_deck(CARD_OF[text])
        elif kind == "deal":
            self._deal(event)
        elif kind == "award":
            self._award(event["tokens"])

    def _deal(self, event: View) -> None:
        for seat, size in enumerate(event["hands"]):
            for _ in range(size if seat != self.seat else 0):
                self._fill_slot(seat)
        for text in event["field"]:
            self._leave_deck(CARD_OF[text])

    def _award(self, won: list[int | None]) -> None:
        for seat, value in enumerate(won):
            if value is not None:
                self.tokens[seat].append(value)

    def _take(self, seat: int, card: str | None) -> None:
        if card is None:
            self._awaited = seat
        else:
            self.known[seat][CARD_OF[card]] += 1

    def _draw_unseen(self) -> None:
        """The card that another seat took from the deck has come, and was not seen."""
        if self._awaited >= 0:
            self._fill_slot(self._awaited)
            self._awaited = -1

    def _show(self, event: View) -> None:
        """A card leaves a hand openly, maybe behind Parents; a row that it replaces is discarded."""
        self._give(event["seat"], CARD_OF[event["card"]])
        if event.get("parents"):
            self._give(event["seat"], PARENTS)
        self.discards += read(event.get("gone", []))

    def _give(self, seat: int, card: int) -> None:
        if self.known[seat][card]:
            self.known[seat][card] -= 1
        elif seat != self.seat:
            self.reveals.append(Reveal(card, self.slots[seat][:]))

    def _leave_deck(self, card: int) -> None:
        """A card that this seat sees leaves the deck."""
        self._shuffle_if_empty()
        self.deck -= 1
        self.pools[-1][card] -= 1

    def _fill_slot(self, seat: int) -> None:
        self._shuffle_if_empty()
        self.deck -= 1
        self.slots[seat].append(Slot(seat, len(self.pools) - 1))

    def _shuffle_if_empty(self) -> None:
        if not self.deck:
            self.pools.append(_counts(self.discards))
            self.deck = len(self.discards)
            self.discards = []


def _counts(cards: list[int]) -> list[int]:
    counts = [0] * CARDS
    for card in cards:
        counts[card] += 1
    return counts
