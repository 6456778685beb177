"""A position that fits what a seat knows.

The view shows what lies open, the seat's own hand and how many cards the others hold.
Whoever has all sightings knows the discards, the others' tokens, and of their hands what
they took from the field; the rest of the hands, and the deck, are dealt at random from the
cards that may be there (see :mod:`.placing`).
"""

from collections.abc import Callable, Sequence

from engine_service.core.game import View
from engine_service.games.seimi.cards import ABILITIES, CARDS, KINDS, read
from engine_service.games.seimi.config import Rules
from engine_service.games.seimi.memory import Memory
from engine_service.games.seimi.phases import PHASES
from engine_service.games.seimi.placing import Placement
from engine_service.games.seimi.position import Position
from engine_service.games.seimi.rows import pack_row


def imagine(
    rules: Rules,
    seats: int,
    seat: int,
    view: View,
    sightings: Sequence[View],
    draw: Callable[[int], int],
) -> Position:
    """See :meth:`engine_service.core.game.Game.imagine`. ValueError if view, sightings and
    rules contradict each other, as they do where sightings are missing."""
    memory = Memory(rules, seats, seat)
    memory.read(sightings, view["state"] == "draw")
    placement = Placement(memory, draw)
    placement.place()
    position = Position(rules, seats)
    position.set_up()
    _restore(position, view)
    _deal(position, view, memory, placement)
    _check(position, view)
    position.enter(PHASES.index(view["state"]))
    return position


def _restore(position: Position, view: View) -> None:
    position.start = view["start"] or 0
    position.served = view["served"]
    position.seat = (position.start + position.served) % position.seats
    position.takes = view["takes"]
    position.monster = view["monster"] - 1
    position.step = view["step"]
    position.roads = view["roads"][:]
    position.line = [values[:] for values in view["line"]]
    position.declared = (view["declared"] or [])[:]
    position.rows = [_row(rows, kind) for rows in view["rows"] for kind in KINDS]


def _row(rows: list[View], kind: str) -> int:
    for row in rows:
        if row["kind"] == kind:
            return pack_row(ABILITIES.index(row["ability"]), row["cards"], row["parents"])
    return 0


def _deal(position: Position, view: View, memory: Memory, placement: Placement) -> None:
    """Give every card its place, and every seat its tokens."""
    for card in read(view["field"]):
        position.gain(position.seats, card)
    for card in read(view["hand"]):
        position.gain(memory.seat, card)
    for other in range(position.seats):
        if other != memory.seat:
            for card in _hand(memory, other):
                position.gain(other, card)
    position.deck = [card for card in range(CARDS) for _ in range(placement.pools[-1][card])]
    position.discards = memory.discards[:]
    position.tokens = [tokens[:] for tokens in memory.tokens]


def _hand(memory: Memory, owner: int) -> list[int]:
    """What another seat holds: the known cards, and those of its slots that it has not shown."""
    shown = [reveal.slot for reveal in memory.reveals]
    known = [card for card in range(CARDS) for _ in range(memory.known[owner][card])]
    return known + [slot.card for slot in memory.slots[owner] if slot not in shown]


def _check(position: Position, view: View) -> None:
    for what, found, seen in (
        ("hands", position.sizes[: position.seats], view["hands"]),
        ("the deck", len(position.deck), view["deck"]),
        ("the discards", len(position.discards), view["discards"]),
        ("tokens won", [len(tokens) for tokens in position.tokens], view["won"]),
    ):
        if found != seen:
            raise ValueError(f"the sightings give {found} for {what}; the view says {seen}")
