"""Positions written as texts, and scripts of moves and outcomes to run on them.

Positions are made through the public contract alone: a view and the sightings of
the heaps, given to ``imagine``.
"""

from collections.abc import Sequence
from typing import Any

from engine_service.core.game import Chance, Config, Over, State, Turn, View, configure
from engine_service.games.mushi import MUSHI

LETTERS = "RYGB="
STANDARD = MUSHI.card.variants[0]


def config(**changes: Any) -> Config:
    return configure(STANDARD, changes)


def new(seats: int, **changes: Any) -> State:
    return MUSHI.new("standard", config(**changes), seats)


def counts(letters: str) -> list[int]:
    """``RRY`` as [2, 1, 0, 0]."""
    return [letters.count(letter) for letter in "RYGB"]


def spread(sizes: Sequence[int]) -> str:
    """[2, 1, 0, 0] as ``RRY``; [] and zeros as ``-``."""
    return "".join(letter * size for letter, size in zip(LETTERS, sizes, strict=False)) or "-"


def place(
    *,
    hub: str = "RRRYYGGGBB",
    dice: str = "=======",
    yards: Sequence[str] = ("RYGB", "RYGB"),
    heaps: Sequence[str] = (),
    catch: str = "",
    caught: str = "",
    deck: int | None = None,
    state: str = "target",
    player: int = 0,
    target: str | None = None,
    turn: int = 10,
    rolls: int = 0,
    rolling: str = "",
    owed: int = 0,
    **changes: Any,
) -> State:
    """A position; with ``deck`` given, what is too much for it lies on the last seat's heap."""
    settings, seats = config(**changes), len(yards)
    piles = list(heaps) or [""] * seats
    left = [settings["copies"] - n for n in counts(hub + catch + caught + "".join(yards) + "".join(piles))]
    if deck is not None:
        surplus = "".join(letter * n for letter, n in zip("RYGB", left, strict=True))
        piles[-1] += surplus[: len(surplus) - deck]
    owner = (player - 1) % seats
    decides = {"target": player, "boost": player, "dice": player, "keep": owner}.get(state)
    view: View = {
        "seat": 0,
        "state": state,
        "turn": turn,
        "player": player,
        "decides": decides,
        "target": target,
        "rolls": rolls,
        "rolling": [rolling.count(letter) for letter in LETTERS],
        "owed": owed,
        "deck": sum(left) if deck is None else deck,
        "hub": counts(hub),
        "catch": counts(catch),
        "owner": owner if catch else None,
        "caught": counts(caught),
        "dice": [dice.count(letter) for letter in LETTERS],
        "yards": [counts(yard) for yard in yards],
        "heaps": [len(pile) for pile in piles],
        "end": None,
        "ranks": None,
    }
    seen: list[View] = [
        {"event": "keep", "seat": seat, "yard": "-", "heap": spread(counts(pile))}
        for seat, pile in enumerate(piles)
    ]
    position = MUSHI.imagine("standard", settings, seats, 0, view, seen, never)
    assert position.view(0) == view
    return position


def never(size: int) -> int:
    raise AssertionError("nothing is hidden, yet something was drawn")


def run(state: State, *steps: str) -> list[View]:
    """Play a script and return its events.

    A step is a move's text, or an outcome: ``first 2``, ``deck RYB`` (the cards in
    the order drawn), ``fall GG=Y`` (the rerolled dice).
    """
    told: list[View] = []
    for step in steps:
        head, _, rest = step.partition(" ")
        sightings = fall(state, rest) if head in ("first", "deck", "fall") else move(state, step)
        told += sightings
    return told


def move(state: State, text: str) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Turn), f"{text!r}: no decision is open"
    (seat,) = pending.seats
    assert text in legal(state), f"{text!r} is not among {legal(state)}"
    return [sighting.event for sighting in state.play({seat: MUSHI.parse(text)})]


def fall(state: State, faces: str) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Chance), f"{faces!r}: chance has nothing to say"
    assert len(faces) == len(pending.sizes), f"{faces!r}: {len(pending.sizes)} outcomes are due"
    outcome: list[int] = []
    for face, size in zip(faces, pending.sizes, strict=True):
        outcome.append(next(index for index in range(size) if reads(state, [*outcome, index]) == face))
    return [sighting.event for sighting in state.resolve(outcome)]


def reads(state: State, outcome: list[int]) -> str:
    (faces,) = state.reading(outcome).values()
    return str(faces[-1])


def legal(state: State) -> list[str]:
    pending = state.pending()
    assert isinstance(pending, Turn)
    return [MUSHI.format(code) for code in state.legal(pending.seats[0])]


def default(state: State) -> str:
    pending = state.pending()
    assert isinstance(pending, Turn)
    return MUSHI.format(state.default(pending.seats[0]))


def shows(state: State, /, **wanted: Any) -> None:
    """The view has these values; card texts stand for counts."""
    view = state.view(None)
    for key, value in wanted.items():
        assert readable(key, view[key]) == value, f"{key}: {view}"


def readable(key: str, value: Any) -> Any:
    if key == "yards":
        return [spread(yard) for yard in value]
    return spread(value) if key in ("hub", "catch", "caught", "dice", "rolling") else value


def over(state: State) -> Over:
    pending = state.pending()
    assert isinstance(pending, Over), f"not over: {state.view(None)}"
    return pending
