"""A position that fits what a seat knows.

The view shows everything but the face-down cards; of these a seat knows what it was shown,
less what a scatter has moved since (:mod:`.memory`).
"""

from collections.abc import Callable, Sequence

from engine_service.core.game import Chance, Over, Turn, View
from engine_service.games.morumori.config import Rules
from engine_service.games.morumori.draws import FIRSTS, SCATTERS, TURNS
from engine_service.games.morumori.faces import FACES
from engine_service.games.morumori.memory import Memory, emptied, recall
from engine_service.games.morumori.phases import COMPANION, FIRST, FLIP, LAYOUT, OVER, PEEK, PHASES, TAKE
from engine_service.games.morumori.position import Position
from engine_service.games.morumori.views import FACE_DOWN


def imagine(
    rules: Rules, seats: int, view: View, sightings: Sequence[View], draw: Callable[[int], int]
) -> Position:
    """See :meth:`engine_service.core.game.Game.imagine`. Every card that was shown and not
    scattered since lies where it lay; ValueError if view, sightings and rules contradict each other."""
    position = Position(rules, seats)
    _restore(position, view)
    if view["slots"]:
        position.faces = _faces(rules, view, sightings, draw)
    _resume(position, PHASES.index(view["state"]))
    return position


def _restore(position: Position, view: View) -> None:
    position.turn = view["turn"]
    position.start = view["start"] or 0
    position.player = view["player"] or 0
    position.target = view["scores"][0] + 1 if position.rules.coop else view["target"]
    position.total = view["total"]
    position.lives = position.rules.lives if view["lives"] is None else view["lives"]
    position.down = [slot for slot, shown in enumerate(view["slots"]) if shown == FACE_DOWN]
    position.up = list(view["up"])
    position.mixed = list(view["mixed"])
    position.owed = view["owed"]
    position.discard = _read(view["discard"])
    position.piles = [_read(pile) for pile in view["piles"]]
    position.end = view["end"] or ""


def _read(texts: list[str]) -> list[int]:
    return [FACES.index(text) for text in texts]


def _resume(position: Position, phase: int) -> None:
    """Set what may be chosen in the phase, and what has to happen next."""
    position.phase = phase
    position.waiting = _waiting(position, phase)
    if phase == FLIP:
        position.codes = position.down
    elif phase == TAKE:
        position.codes = position.takes()
    elif phase == COMPANION:
        position.codes = position.companions()


def _waiting(position: Position, phase: int) -> Turn | Chance | Over:
    if phase in (FLIP, TAKE, COMPANION):
        return TURNS[position.player]
    if phase == FIRST:
        return FIRSTS[position.seats]
    if phase == LAYOUT:
        return position.rules.layout
    if phase == PEEK:
        return position.rules.peek
    if phase == OVER:
        return Over(position.end, position.scores(), position.ranks())
    return SCATTERS[len(position.mixed)]


def _faces(rules: Rules, view: View, sightings: Sequence[View], draw: Callable[[int], int]) -> list[int]:
    """A face for every slot, GONE where there is none."""
    left = {slot for event in sightings for slot in emptied(event)}
    holds_card = [shown is not None or slot in left for slot, shown in enumerate(view["slots"])]
    cards = _cards(rules, view, sightings, sum(holds_card))
    memory = recall(lambda: Memory(holds_card, cards, draw), [*sightings, _showing(view)])
    return memory.faces()


def _cards(rules: Rules, view: View, sightings: Sequence[View], count: int) -> list[int]:
    """The cards on the table before the first of the sightings; ``count`` is how many there must be."""
    cards = rules.cards[:]
    try:
        for face in _read([*view["discard"], *(text for pile in view["piles"] for text in pile)]):
            cards.remove(face)
    except ValueError:
        raise ValueError("more cards of a face have left than there are") from None
    for event in sightings:
        if event["event"] == "success":
            cards += _read(event["faces"])
        elif event["event"] == "take":
            cards += _read([event["face"]])
    if len(cards) != count:
        raise ValueError(f"{len(cards)} cards cannot lie in {count} slots")
    return cards


def _showing(view: View) -> View:
    """The cards that are up now, as an event that shows them; for whoever has missed their turning up."""
    slots = view["up"]
    return {"event": "peek", "slots": slots, "faces": [view["slots"][slot] for slot in slots]}
