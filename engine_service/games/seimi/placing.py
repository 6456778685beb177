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
"""How often all is begun anew, the reveals with the fewest choices first."""

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
            self._place_anew()
        for slots in self._memory.slots:
            for slot in slots:
                if slot.card < 0:
                    slot.card = self._draw_from(slot.shuffle)

    def _place_anew(self) -> None:
        if not any(self._place_tightest_first() for _ in range(ATTEMPTS)):
            raise ValueError("cards were shown that their owners cannot have drawn")

    def _place_tightest_first(self) -> bool:
        for reveal in self._memory.reveals:
            if reveal.slot is not None:
                self._empty(reveal.slot, reveal)
        rest = self._memory.reveals[:]
        while rest:
            choices = [self._choices(reveal) for reveal in rest]
            tightest = [place for place, count in enumerate(choices) if count == min(choices)]
            if not self._place(rest.pop(tightest[self._draw(len(tightest))]), []):
                return False
        return True

    def _choices(self, reveal: Reveal) -> int:
        """In how many shuffles there is a slot for it, and the card."""
        return len({slot.shuffle for slot in self._open_slots(reveal)})

    def _open_slots(self, reveal: Reveal) -> list[Slot]:
        return [slot for slot in reveal.slots if slot.card < 0 and self.pools[slot.shuffle][reveal.card]]

    def _place(self, reveal: Reveal, tried: list[Reveal]) -> bool:
        """Find a slot for a reveal, moving others but those in ``tried`` if there is no other way."""
        tried.append(reveal)
        slot = self._choose(reveal) or self._make_room(reveal, tried)
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
        """One of the slots that may have held the card; None if there is none.

        Which shuffle is drawn; of its slots the latest is taken, so that earlier ones are
        left for what was shown earlier.
        """
        free = self._open_slots(reveal)
        if not free:
            return None
        odds = [SCALE * pool[reveal.card] // sum(pool) if pool[reveal.card] else 0 for pool in self.pools]
        at = self._draw(sum([odds[slot.shuffle] for slot in free]))
        for slot in free:
            at -= odds[slot.shuffle]
            if at < 0:
                return [other for other in free if other.shuffle == slot.shuffle][-1]
        return None

    def _make_room(self, reveal: Reveal, tried: list[Reveal]) -> Slot | None:
        """Move what stands in the way in some shuffle: what fills its slots, what took its card."""
        for shuffle in range(len(self.pools)):
            slots = [slot for slot in reveal.slots if slot.shuffle == shuffle]
            if slots and self._clear_slot(slots, tried) and self._clear_card(shuffle, reveal.card, tried):
                slot = self._choose(reveal)
                if slot is not None:
                    return slot
        return None

    def _clear_slot(self, slots: list[Slot], tried: list[Reveal]) -> bool:
        if any(slot.card < 0 for slot in slots):
            return True
        return self._move_one([one for one in self._memory.reveals if one.slot in slots], tried)

    def _clear_card(self, shuffle: int, card: int, tried: list[Reveal]) -> bool:
        if self.pools[shuffle][card]:
            return True
        alike = [one for one in self._memory.reveals if one.card == card and _is_in(one, shuffle)]
        return self._move_one(alike, tried)

    def _move_one(self, candidates: list[Reveal], tried: list[Reveal]) -> bool:
        """Move one of the candidates to another shuffle."""
        return any(reveal not in tried and self._move(reveal, tried) for reveal in candidates)

    def _move(self, reveal: Reveal, tried: list[Reveal]) -> bool:
        old = reveal.slot
        if old is None:
            return False
        tried.append(reveal)
        elsewhere = Reveal(reveal.card, [slot for slot in reveal.slots if slot.shuffle != old.shuffle])
        slot = self._choose(elsewhere) or self._make_room(elsewhere, tried)
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
