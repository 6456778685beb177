"""A position that fits what a seat knows.

The view shows everything but the mixes of the heaps, and with them the deck's.
Each card of a heap was seen when it was collected, so whoever has all sightings
knows the mixes; where some are missing, the cards that nobody can place are
dealt at random.
"""

from collections.abc import Callable, Sequence

from engine_service.core.game import View
from engine_service.games.mushi.config import Rules
from engine_service.games.mushi.counts import ONE_EACH, card_at, pack, read, total
from engine_service.games.mushi.moves import MOVES, ROLL
from engine_service.games.mushi.phases import PHASES, TARGETS
from engine_service.games.mushi.position import Position


def imagine(
    rules: Rules, seats: int, view: View, sightings: Sequence[View], draw: Callable[[int], int]
) -> Position:
    """See :meth:`engine_service.core.game.Game.imagine`. The position is the true one if
    ``sightings`` are complete; ValueError if view, sightings and rules contradict each other."""
    position = Position(rules, seats)
    _restore(position, view)
    _place_hidden(position, view, _seen_heaps(seats, sightings), draw)
    position.enter(PHASES.index(view["state"]), view["owed"])
    return position


def _restore(position: Position, view: View) -> None:
    position.turn = view["turn"]
    position.player = view["player"] or 0
    position.target = TARGETS.index(view["target"])
    position.rolls = view["rolls"]
    position.chosen = MOVES[ROLL + pack(view["rolling"])]
    position.hub = pack(view["hub"])
    position.catch = pack(view["catch"])
    position.caught = pack(view["caught"])
    position.dice = position.rules.throws.find(pack(view["dice"]))
    position.yards = [pack(yard) for yard in view["yards"]]
    position.end = view["end"] or ""


def _seen_heaps(seats: int, sightings: Sequence[View]) -> list[int]:
    heaps = [0] * seats
    for event in sightings:
        if event["event"] == "keep":
            heaps[event["seat"]] += read(event["heap"])
    return heaps


def _place_hidden(position: Position, view: View, heaps: list[int], draw: Callable[[int], int]) -> None:
    """Deal the cards that are in no place we know: first to the heaps that miss some, the rest is the deck."""
    hidden = _unseen(position, heaps)
    for seat, size in enumerate(view["heaps"]):
        if total(heaps[seat]) > size:
            raise ValueError(f"the sightings give seat {seat} more than the {size} cards of its heap")
        while total(heaps[seat]) < size:
            card = card_at(hidden, draw(total(hidden)))
            hidden -= card
            heaps[seat] += card
    if total(hidden) != view["deck"]:
        raise ValueError(f"{total(hidden)} cards are left for a deck of {view['deck']}")
    position.heaps = heaps
    position.deck = hidden


def _unseen(position: Position, heaps: list[int]) -> int:
    shown = position.hub + position.catch + position.caught + sum(position.yards) + sum(heaps)
    if any(shown >> shift & 0xFF > position.rules.copies for shift in (32, 24, 16, 8)):
        raise ValueError("view and sightings show more cards of a colour than there are")
    return position.rules.copies * ONE_EACH - shown
