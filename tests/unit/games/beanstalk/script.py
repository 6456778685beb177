"""Positions written as texts, and scripts of moves and outcomes to run on them.

Positions are made through the public contract alone: a view and sightings that tell what
everybody has drawn, given to ``imagine``.
"""

from collections.abc import Sequence
from typing import Any

from engine_service.core.game import Chance, Config, Over, State, Turn, View, configure
from engine_service.games.beanstalk import BEANSTALK

STANDARD = BEANSTALK.card.variants[0]
COVERED = ("gold", "silver", "bronze")
VALUES = {"gold": 5, "silver": 2, "bronze": 1, "thief": 1, "tornado": 1}


def config(**changes: Any) -> Config:
    return configure(STANDARD, changes)


def new(seats: int, **changes: Any) -> State:
    return BEANSTALK.new("standard", config(**changes), seats)


def numbers(digits: str) -> list[int]:
    """``351`` as [3, 5, 1]."""
    return [int(digit) for digit in digits]


def counts(cards: str) -> list[int]:
    """``silver silver gold`` as [1, 2, 0]."""
    return [cards.split().count(kind) for kind in COVERED]


def each(participants: int, values: dict[int, Any], usual: Any) -> list[Any]:
    return [values.get(one, usual) for one in range(participants)]


def place(
    squares: Sequence[int],
    *,
    down: Sequence[int] = (),
    support: str = "35214",
    hands: Sequence[str] = (),
    turn: int = 10,
    armed: dict[int, int] | None = None,
    storm: int | None = None,
    held: dict[int, str] | None = None,
    loot: dict[int, str] | None = None,
    gone: str = "",
    **changes: Any,
) -> State:
    """A position before the cards are played; three squares and ``seats=2`` are two seats and the NPC.

    ``held`` are drawn cards by participant, ``loot`` those under thieves (which are in ``held``).
    ``gone``: cards that the last participant has too, to empty the decks.
    """
    participants = len(squares)
    seats = changes.pop("seats", participants)
    settings = config(**changes)
    drawn = each(participants, held or {}, "")
    drawn[-1] = f"{drawn[-1]} {gone}"
    under = each(participants, loot or {}, "")
    decks = Decks(settings)
    seen = [*climbs(squares, seats), *decks.sightings(drawn, under, seats)]
    open_to = [one == 0 or one >= seats for one in range(participants)]
    view: View = {
        "seat": 0,
        "state": "commit",
        "turn": turn,
        "decides": list(range(seats)),
        "support": numbers(support),
        "hands": [numbers(hand) for hand in hands] or [[1, 2, 3, 4, 5] for _ in squares],
        "cards": [],
        "batted": [],
        "squares": list(squares),
        "directions": ["down" if one in down else "up" for one in range(participants)],
        "points": [points(drawn[one], under[one]) if open_to[one] else None for one in range(participants)],
        "covered": [sum(counts(cards)) for cards in drawn],
        "treasures": [counts(drawn[one]) if open_to[one] else None for one in range(participants)],
        "thieves": [cards.split().count("thief") for cards in drawn],
        "looted": [sum(counts(cards)) for cards in under],
        "loot": [counts(under[one]) if open_to[one] else None for one in range(participants)],
        "armed": each(participants, armed or {}, 0),
        "fresh": [0] * participants,
        "tornados": [cards.split().count("tornado") for cards in drawn],
        "storm": storm,
        "brewing": None,
        "decks": {name: sum(cards.values()) for name, cards in decks.left.items()},
        "drawer": None,
        "drawers": [],
        "deck": None,
        "steps": 0,
        "end": None,
        "ranks": None,
    }
    position = BEANSTALK.imagine("standard", settings, seats, 0, view, seen, first)
    assert position.view(0) == view
    return position


def points(cards: str, under: str) -> int:
    loot = sum(VALUES[kind] - 1 for kind in under.split())
    return sum(VALUES[kind] for kind in cards.split()) + loot


def member(one: int, seats: int) -> Any:
    return "npc" if one >= seats else one


def climbs(squares: Sequence[int], seats: int) -> list[View]:
    """Everybody has left the ground, but for those who stand there."""
    return [
        {"event": "move", "member": member(one, seats), "from": 0, "to": square, "castle": False}
        for one, square in enumerate(squares)
        if square
    ]


class Decks:
    """What is left of both decks while cards are dealt out of them."""

    def __init__(self, settings: Config) -> None:
        self.left = {name: dict(settings[name]) for name in ("stable", "gamble")}

    def sightings(self, drawn: Sequence[str], under: Sequence[str], seats: int) -> list[View]:
        """What would be told, if all were told, of these cards having been drawn and stolen."""
        told: list[View] = []
        for one, cards in enumerate(drawn):
            for kind in cards.split():
                told += self.draw(one, kind, seats)
        for one, cards in enumerate(under):
            victim = (one + 1) % len(drawn)
            for kind in cards.split():
                told += self.draw(victim, kind, seats)
                who, robbed = member(one, seats), member(victim, seats)
                told.append({"event": "theft", "member": who, "from": robbed, "treasure": kind})
        return told

    def draw(self, one: int, kind: str, seats: int) -> list[View]:
        deck = next(name for name, cards in self.left.items() if cards.get(kind))
        self.left[deck][kind] -= 1
        return [{"event": "treasure", "member": member(one, seats), "deck": deck, "treasure": kind}]


def first(size: int) -> int:
    """The first card of its deck: where all has been told, only the order in which decks are tried."""
    return 0


def run(state: State, *steps: str) -> list[View]:
    """Play a script and return its events.

    ``play 315``: the cards of all seats; ``draw stable``; or an outcome: ``support 35214``,
    ``npc 4``, ``stable silver``, ``gamble gold``, ``theft gold 2`` (and from whom).
    """
    told: list[View] = []
    for step in steps:
        head, *rest = step.split()
        if head == "play":
            told += commit(state, numbers(rest[0]))
        elif head == "draw":
            told += move(state, step)
        else:
            told += fall(state, head, rest)
    return told


def commit(state: State, cards: list[int]) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Turn), f"{cards}: no decision is open"
    assert pending.seats == list(range(len(cards)))
    return [sighting.event for sighting in state.play(dict(enumerate(cards)))]


def move(state: State, text: str) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Turn), f"{text!r}: no decision is open"
    assert text in legal(state), f"{text!r} is not among {legal(state)}"
    return [sighting.event for sighting in state.play({pending.seats[0]: BEANSTALK.parse(text)})]


def fall(state: State, stream: str, wanted: list[str]) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Chance), f"{stream}: chance has nothing to say"
    assert pending.stream == stream
    faces = list(wanted[0]) if stream == "support" else wanted[:1]
    outcome: list[int] = []
    for place_of, size in enumerate(pending.sizes):
        found = [index for index in range(size) if reads(state, [*outcome, index], faces, wanted[1:])]
        assert found, f"{stream} does not give {faces[place_of]}"
        outcome.append(found[0])
    return [sighting.event for sighting in state.resolve(outcome)]


def reads(state: State, outcome: list[int], faces: list[str], victim: list[str]) -> bool:
    reading = state.reading(outcome)
    if victim and reading["from"] != [int(victim[0])]:
        return False
    return bool(reading["faces"] == faces[: len(outcome)])


def legal(state: State, seat: int | None = None) -> list[str]:
    pending = state.pending()
    assert isinstance(pending, Turn)
    return [BEANSTALK.format(code) for code in state.legal(pending.seats[0] if seat is None else seat)]


def shows(state: State, /, seat: int | None = None, **wanted: Any) -> None:
    """The view has these values."""
    view = state.view(seat)
    for key, value in wanted.items():
        assert view[key] == value, f"{key}: {view}"


def kinds(told: list[View]) -> list[str]:
    return [event["event"] for event in told]


def over(state: State) -> Over:
    pending = state.pending()
    assert isinstance(pending, Over), f"not over: {state.view(None)}"
    return pending
