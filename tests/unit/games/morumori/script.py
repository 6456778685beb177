"""Positions written as texts, and scripts of moves and outcomes to run on them.

Positions are made through the public contract alone: a view, and a sighting of every
card, given to ``imagine``. The mix is whatever the position holds.
"""

from collections.abc import Sequence
from typing import Any

from engine_service.core.game import Chance, Config, Over, State, Turn, View, configure
from engine_service.games.morumori import MORUMORI

FACES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "=", "x2", "0", "miss")
VERSUS, COOP = MORUMORI.card.variants


def config(**changes: Any) -> Config:
    return configure(VERSUS, changes)


def mix(cards: str) -> dict[str, int]:
    """``1 1 x2`` as a setting."""
    return {face: cards.split().count(face) for face in FACES}


def new(seats: int, variant: str = "versus", **changes: Any) -> State:
    return MORUMORI.new(variant, config(**changes), seats)


def place(
    slots: str,
    *,
    up: Sequence[int] = (),
    seats: int = 2,
    coop: bool = False,
    state: str = "flip",
    target: int = 1,
    total: int = 0,
    lives: int = 4,
    player: int = 0,
    start: int = 0,
    turn: int = 10,
    mixed: Sequence[int] = (),
    owed: int = 0,
    discard: str = "",
    piles: Sequence[str] = (),
    **changes: Any,
) -> State:
    """A position with those faces in its slots (``.``: empty), those in ``up`` turned up."""
    faces = slots.split()
    won = [pile.split() for pile in piles] or [[] for _ in range(seats)]
    everything = " ".join(
        [*(face for face in faces if face != "."), discard, *(" ".join(pile) for pile in won)]
    )
    settings = config(**{"mix": mix(everything)} | changes)
    scores = [target - 1] * seats if coop else [sum(int(face) for face in pile) for pile in won]
    view: View = {
        "seat": 0,
        "state": state,
        "turn": turn,
        "start": start,
        "player": player,
        "decides": player,
        "target": target,
        "total": total,
        "lives": lives if coop else None,
        "slots": [seen(slot, face, up) for slot, face in enumerate(faces)],
        "up": list(up),
        "mixed": list(mixed),
        "owed": owed,
        "discard": discard.split(),
        "piles": won,
        "scores": scores,
        "end": None,
        "ranks": None,
    }
    known = [slot for slot, face in enumerate(faces) if face != "."]
    peek = {"event": "peek", "slots": known, "faces": [faces[slot] for slot in known]}
    variant = "coop" if coop else "versus"
    position = MORUMORI.imagine(variant, settings, seats, 0, view, [peek], first_index)
    assert position.view(0) == view
    return position


def seen(slot: int, face: str, up: Sequence[int]) -> str | None:
    if face == ".":
        return None
    return face if slot in up else "?"


def first_index(size: int) -> int:
    return 0


def run(state: State, *steps: str) -> list[View]:
    """Play a script and return its events.

    A step is a move's text (``flip 1 2 3`` is three of them), or an outcome by how it reads:
    ``first 1``, ``layout 1 2 x2``, ``peek 3 1``, ``fall x2 5 3`` (the faces of a scatter).
    """
    told: list[View] = []
    for step in steps:
        head, *rest = step.split()
        if head in ("first", "layout", "peek", "fall"):
            told += fall(state, rest)
        else:
            for slot in rest:
                told += move(state, f"{head} {slot}")
    return told


def move(state: State, text: str) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Turn), f"{text!r}: no decision is open"
    (seat,) = pending.seats
    assert text in legal(state), f"{text!r} is not among {legal(state)}"
    return [sighting.event for sighting in state.play({seat: MORUMORI.parse(text)})]


def fall(state: State, wanted: list[str]) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Chance), f"{wanted!r}: chance has nothing to say"
    assert len(wanted) == len(pending.sizes), f"{wanted!r}: {len(pending.sizes)} outcomes are due"
    outcome: list[int] = []
    for text, size in zip(wanted, pending.sizes, strict=True):
        outcome.append(next(index for index in range(size) if reads(state, [*outcome, index]) == text))
    return [sighting.event for sighting in state.resolve(outcome)]


def reads(state: State, outcome: list[int]) -> str:
    reading = state.reading(outcome)
    values = reading.get("faces") or reading["slots"]
    return str(values[len(outcome) - 1])


def faces_of(state: State) -> list[str]:
    """What really lies in the slots, ``.`` where nothing does: each is turned up in a copy."""
    return [reveal(state, slot) if shown else "." for slot, shown in enumerate(state.view(None)["slots"])]


def reveal(state: State, slot: int) -> str:
    twin = state.copy()
    shown = twin.view(None)["slots"][slot]
    if shown != "?":
        return str(shown)
    return str(move(twin, f"flip {slot}")[0]["face"])


def legal(state: State) -> list[str]:
    pending = state.pending()
    assert isinstance(pending, Turn)
    return [MORUMORI.format(code) for code in state.legal(pending.seats[0])]


def default(state: State) -> str:
    pending = state.pending()
    assert isinstance(pending, Turn)
    return MORUMORI.format(state.default(pending.seats[0]))


def shows(state: State, /, **wanted: Any) -> None:
    """The view has these values; ``slots`` as one text with ``.`` for an empty one."""
    view = state.view(None)
    for key, value in wanted.items():
        found = " ".join(text or "." for text in view[key]) if key == "slots" else view[key]
        assert found == value, f"{key}: {view}"


def over(state: State) -> Over:
    pending = state.pending()
    assert isinstance(pending, Over), f"not over: {state.view(None)}"
    return pending
