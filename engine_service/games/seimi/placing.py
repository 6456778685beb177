"""Deals the cards that a seat cannot know to where they may be.

Every reveal goes to one of the slots that its owner had, if that slot's shuffle had the
card to give; a slot is the likelier the more of that card its shuffle held. Where earlier
choices leave none, one of them is moved. The slots that are left get cards of their
shuffle at random; what the last shuffle keeps is the deck.
"""

from collections.abc import Callable

from engine_service.games.seimi.cards import CARDS
from engine_service.games.seimi.memory import Memory, Reveal, Slot

Draw = Callable[[int], int]

ATTEMPTS = 50
"""Orders in which the reveals are tried; one nearly always does."""

SCALE = 1 << 20


class Placement:
    """The cards of all slots, and the deck, for one memory.

    ``pools`` are what is left of each shuffle; afterwards that of the last one is the deck.
    """

    def __init__(self, memory: Memory, draw: Draw) -> None:
        self.pools = [pool[:] for pool in memory.pools]
        self._memory = memory
        self._draw = draw

    def place(self) -> None:
        """Fill all slots. ValueError if what was shown cannot have been drawn."""
        if not all(self._place(reveal, []) for reveal in self._memory.reveals):
            self._place_in_other_orders()
        for slots in self._memory.slots:
            for slot in slots:
                if slot.card < 0:
                    slot.card = self._draw_from(slot.shuffle)

    def _place_in_other_orders(self) -> None:
        order = self._memory.reveals[:]
        for _ in range(ATTEMPTS):
            self._clear()
            for last in range(len(order) - 1, 0, -1):
                other = self._draw(last + 1)
                order[last], order[other] = order[other], order[last]
            if all(self._place(reveal, []) for reveal in order):
                return
        raise ValueError("cards were shown that their owners cannot have drawn")

    def _clear(self) -> None:
        for reveal in self._memory.reveals:
            if reveal.slot is not None:
                self._empty(reveal.slot, reveal)

    def _place(self, reveal: Reveal, moving: list[Reveal]) -> bool:
        """Find a slot for a reveal, moving others but those in ``moving`` if there is no other way."""
        slot = self._choose(reveal) or self._make_room(reveal, [*moving, reveal])
        if slot is None:
            return False
        self._fill(slot, reveal)
        return True

    def _fill(self, slot: Slot, reveal: Reveal) -> None:
        slot.card = reveal.card
        reveal.slot = slot
        self.pools[slot.shuffle][reveal.card] -= 1

    def _empty(self, slot: Slot, reveal: Reveal) -> None:
        slot.card = -1
        reveal.slot = None
        self.pools[slot.shuffle][reveal.card] += 1

    def _choose(self, reveal: Reveal) -> Slot | None:
        """One of the slots that may have held the card; None if there is none."""
        free = [slot for slot in reveal.slots if slot.card < 0 and self.pools[slot.shuffle][reveal.card]]
        if not free:
            return None
        odds = [SCALE * pool[reveal.card] // sum(pool) if pool[reveal.card] else 0 for pool in self.pools]
        at = self._draw(sum([odds[slot.shuffle] for slot in free]))
        for slot in free:
            at -= odds[slot.shuffle]
            if at < 0:
                return slot
        return None

    def _make_room(self, reveal: Reveal, moving: list[Reveal]) -> Slot | None:
        """Move what stands in the way in some shuffle: what fills its slots, what took its card."""
        for shuffle in range(len(self.pools)):
            slots = [slot for slot in reveal.slots if slot.shuffle == shuffle]
            if slots and self._clear_slot(slots, moving) and self._clear_card(shuffle, reveal.card, moving):
                slot = self._choose(reveal)
                if slot is not None:
                    return slot
        return None

    def _clear_slot(self, slots: list[Slot], moving: list[Reveal]) -> bool:
        if any(slot.card < 0 for slot in slots):
            return True
        return self._move_one([one for one in self._memory.reveals if one.slot in slots], moving)

    def _clear_card(self, shuffle: int, card: int, moving: list[Reveal]) -> bool:
        if self.pools[shuffle][card]:
            return True
        alike = [one for one in self._memory.reveals if one.card == card and _is_in(one, shuffle)]
        return self._move_one(alike, moving)

    def _move_one(self, candidates: list[Reveal], moving: list[Reveal]) -> bool:
        """Move one of the candidates to another shuffle."""
        return any(reveal not in moving and self._move(reveal, moving) for reveal in candidates)

    def _move(self, reveal: Reveal, moving: list[Reveal]) -> bool:
        old = reveal.slot
        if old is None:
            return False
        elsewhere = Reveal(reveal.card, [slot for slot in reveal.slots if slot.shuffle != old.shuffle])
        slot = self._choose(elsewhere) or self._make_room(elsewhere, [*moving, reveal])
        if slot is None:
            return False
        self._empty(old, reveal)
        self._fill(slot, reveal)
        return True

    def _draw_from(self, shuffle: int) -> int:
        """A card at random out of what is left of a shuffle."""
        pool = self.pools[shuffle]
        at = self._draw(sum(pool))
        for card in range(CARDS):
            at -= pool[card]
            if at < 0:
                pool[card] -= 1
                return card
        raise ValueError("more cards were drawn from the deck than it had")


def _is_in(reveal: Reveal, shuffle: int) -> bool:
    return reveal.slot is not None and reveal.slot.shuffle == shuffle
