"""Where the cards may lie, for somebody who saw all that was shown.

A scatter hides an order, so what is seen later tells something about what lay where before,
through any number of scatters. A :class:`Memory` keeps a whole course of events that might
have been: a guess for every card in every slot, from the one mix that it came out of to the
next that it went into. Where a card shows another face than was guessed, the guesses are
changed along a chain of mixes, so that every mix still gives out what went into it.
"""

from collections.abc import Callable, Sequence

from engine_service.core.game import View
from engine_service.games.morumori.faces import FACES, GONE

STIRS = 400
"""Guesses that are changed at random before a course of events is given up, and so is begun anew."""

COURSES = 100
"""Of true sightings one course in two or more is found to fit; so many fail only by a contradiction."""

Draw = Callable[[int], int]


class Misfit(ValueError):
    """What was shown does not fit the course of events that was guessed."""


class Card:
    """A card in a slot from one mix to the next; ``target`` is None while it lies there.

    ``face`` is a guess that may be changed, unless ``sure``.
    """

    def __init__(self, face: int, source: "Mix") -> None:
        self.face = face
        self.sure = False
        self.source = source
        self.target: Mix | None = None


class Mix:
    """The shuffle at the start, or a scatter: the guesses among the cards that went in and came out."""

    def __init__(self) -> None:
        self.ins: list[Card] = []
        self.outs: list[Card] = []


class Memory:
    """A course of events that fits all that was shown; the rest is drawn at random.

    ``holds_card`` says for each slot whether there is a card at first, ``faces`` which cards
    there are, in any order. ``slots`` are the cards on the table, None where there is none.
    """

    def __init__(self, holds_card: Sequence[bool], faces: Sequence[int], draw: Draw) -> None:
        self._draw = draw
        self.slots: list[Card | None] = [None] * len(holds_card)
        self._deal([slot for slot, holds in enumerate(holds_card) if holds], faces, Mix())

    def watch(self, event: View) -> None:
        """Take in what an event shows; Misfit if no change of guesses was found that fits it."""
        kind = event["event"]
        if kind == "scatter":
            self._scatter(event["slots"])
        elif kind in ("flip", "take"):
            self._see(event["slot"], FACES.index(event["face"]))
        elif kind in ("peek", "success"):
            for slot, face in zip(event["slots"], event["faces"], strict=True):
                self._see(slot, FACES.index(face))
        for slot in emptied(event):
            self.slots[slot] = None

    def faces(self) -> list[int]:
        """The face in every slot, GONE where there is no card."""
        return [GONE if card is None else card.face for card in self.slots]

    def _card(self, slot: int) -> Card:
        card = self.slots[slot]
        if card is None:
            raise Misfit(f"a card is shown in slot {slot}, which is empty")
        return card

    def _deal(self, slots: Sequence[int], faces: Sequence[int], mix: Mix) -> None:
        left = list(faces)
        for slot in slots:
            card = self.slots[slot] = Card(left.pop(self._draw(len(left))), mix)
            mix.outs.append(card)

    def _scatter(self, slots: Sequence[int]) -> None:
        mix, cards = Mix(), [self._card(slot) for slot in slots]
        for card in cards:
            card.target = mix
            if not card.sure:
                mix.ins.append(card)
        self._deal(slots, [card.face for card in cards], mix)

    def _see(self, slot: int, face: int) -> None:
        card = self._card(slot)
        if not self._find(card, face):
            raise Misfit(f"a {FACES[face]} is shown in slot {slot}, where there can be none")
        if not card.sure:
            card.sure = True
            card.source.outs.remove(card)

    def _find(self, card: Card, face: int) -> bool:
        """Make the card have the face, if need be after changing other guesses at random."""
        if card.sure or card.face == face:
            return card.face == face
        tries = 0
        while not self._change(card, face) and tries < STIRS:
            self._stir(card if tries % 2 else None)
            tries += 1
        return card.face == face

    def _stir(self, card: Card | None) -> None:
        """Change a guess, the card's if one is given, to another at random, with whatever that takes."""
        guesses = [one for one in self.slots if one is not None and not one.sure]
        one, other = card or self._any(guesses), self._any(guesses)
        if one.face != other.face:
            self._change(one, other.face)

    def _any(self, cards: list[Card]) -> Card:
        return cards[self._draw(len(cards))]

    def _change(self, card: Card, face: int) -> bool:
        """Give a guess on the table another face; False if exchanging that one for its own does not do.

        Every mix along the chain gives out one ``face`` too many, and one of the card's own
        too few. It ends at another guess on the table, which takes over the card's face.
        """
        chain: dict[Mix, tuple[Mix, Card] | None] = {card.source: None}
        for mix in (queue := [card.source]):
            last = self._loose(mix, card, face)
            if last is not None:
                self._exchange(chain, mix, last, (card.face, face))
                card.face = face
                return True
            for link, neighbour in _links(mix, card.face, face):
                if neighbour not in chain:
                    chain[neighbour] = (mix, link)
                    queue.append(neighbour)
        return False

    def _loose(self, mix: Mix, card: Card, face: int) -> Card | None:
        """Another card out of the mix that is guessed to have the face and lies on the table."""
        loose = [one for one in mix.outs if one.face == face and one.target is None and one is not card]
        return self._any(loose) if loose else None

    def _exchange(
        self, chain: dict[Mix, tuple[Mix, Card] | None], mix: Mix, last: Card, faces: tuple[int, int]
    ) -> None:
        """Change the chain's guesses from its end to its beginning: one of the two faces for the other."""
        last.face = sum(faces) - last.face
        step = chain[mix]
        while step is not None:
            mix, link = step
            link.face = sum(faces) - link.face
            step = chain[mix]


def _links(mix: Mix, own: int, face: int) -> list[tuple[Card, Mix]]:
    """The guesses whose change would set a mix right that gives out one ``face`` too many, each with the
    mix at its other end, which would then do the same."""
    onwards = [(card, card.target) for card in mix.outs if card.face == face and card.target is not None]
    return onwards + [(card, card.source) for card in mix.ins if card.face == own]


def emptied(event: View) -> list[int]:
    """The slots that an event empties."""
    if event["event"] == "success":
        return list(event["slots"])
    return [event["slot"]] if event["event"] == "take" else []


def recall(begin: Callable[[], Memory], events: Sequence[View]) -> Memory:
    """A memory that has watched all the events. Misfit if none was found that fits them."""
    for _ in range(COURSES - 1):
        try:
            return _watch_all(begin(), events)
        except Misfit:
            continue
    return _watch_all(begin(), events)


def _watch_all(memory: Memory, events: Sequence[View]) -> Memory:
    for event in events:
        memory.watch(event)
    return memory
