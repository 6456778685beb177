"""Positions written as texts, and scripts of moves and outcomes to run on them.

Positions are made through the public contract alone: a view and sightings that tell where
every card is, given to ``imagine``. Cards that are named nowhere are out of the game.
"""

from collections.abc import Sequence
from typing import Any

from engine_service.core.game import Chance, Config, Over, State, Turn, View, configure
from engine_service.games.seimi import SEIMI

STANDARD = SEIMI.card.variants[0]
KINDS = ["fly", "skeleton", "flesh", "dog"]
ABILITIES = ["fist", "blade", "gun", "psychic"]
ORDER = [f"{kind}-{ability}" for kind in KINDS for ability in ABILITIES] + ["parents"]


def config(**changes: Any) -> Config:
    return configure(STANDARD, changes)


def new(seats: int, **changes: Any) -> State:
    return SEIMI.new("standard", config(**changes), seats)


def cards(text: str) -> list[str]:
    """``fly-fist parents`` as a list in canonical order."""
    return sorted(text.split(), key=ORDER.index)


def row(text: str) -> View:
    """``fly-blade 3`` or, the Parents counted in, ``fly-blade 3 parents`` as a view has it."""
    card, size, *led = text.split()
    kind, _, ability = card.partition("-")
    return {"kind": kind, "ability": ability, "cards": int(size), "parents": led == ["parents"]}


def place(
    *,
    hands: Sequence[str] = ("", "", ""),
    field: str = "",
    deck: str = "",
    discards: str = "",
    rows: Sequence[Sequence[str]] = (),
    state: str = "acquire",
    start: int = 0,
    served: int = 0,
    takes: int | None = None,
    monster: int = 1,
    step: int = 1,
    roads: Sequence[int] = (1, 1, 1, 1, 1, 1),
    line: Sequence[Sequence[int]] | None = None,
    tokens: Sequence[Sequence[int]] = (),
    declared: Sequence[int] | None = None,
    **changes: Any,
) -> State:
    """A position before one of its decisions, as seat 0 sees it."""
    seats = len(hands)
    held = [cards(hand) for hand in hands]
    won = [list(values) for values in tokens] or [[] for _ in held]
    decides = (start + served) % seats
    view: View = {
        "seat": 0,
        "state": state,
        "start": start,
        "decides": decides,
        "served": served,
        "takes": {"acquire": 1, "take": 2}.get(state, 0) if takes is None else takes,
        "monster": monster,
        "step": step,
        "roads": list(roads),
        "line": [list(values) for values in line or [[5, 4, 3, 2][: seats - 1]] * 6],
        "deck": len(cards(deck)),
        "discards": len(cards(discards)),
        "field": cards(field),
        "hand": held[0],
        "hands": [len(hand) for hand in held],
        "rows": [[row(text) for text in owned] for owned in rows] or [[] for _ in held],
        "tokens": won[0],
        "won": [len(values) for values in won],
        "declared": None if declared is None else list(declared),
        "scores": None,
        "ranks": None,
    }
    settings = config(**changes)
    seen = sightings(settings, held, cards(deck), discards, won)
    position = SEIMI.imagine("standard", settings, seats, 0, view, seen, lambda size: 0)
    assert position.view(0) == view
    return position


def sightings(
    settings: Config, held: list[list[str]], deck: list[str], discards: str, won: list[list[int]]
) -> list[View]:
    """Everything but the deck was dealt openly; the others took their hands from there."""
    pack = [card for card in ORDER[:-1] for _ in range(settings["copies"])] + ["parents"] * settings[
        "parents"
    ]
    for card in deck + held[0]:
        pack.remove(card)
    rounds = max(len(values) for values in won)
    return [
        {"event": "hand", "seat": 0, "cards": held[0]},
        {"event": "deal", "hands": [0] * len(held), "field": pack, "deck": len(deck)},
        *[
            {"event": "take", "seat": seat, "card": card}
            for seat in range(1, len(held))
            for card in held[seat]
        ],
        {"event": "loss", "seat": 0, "cards": cards(discards)},
        *[
            {"event": "award", "tokens": [values[n] if n < len(values) else None for values in won]}
            for n in range(rounds)
        ],
    ]


def run(state: State, *steps: str) -> list[View]:
    """Play a script and return its events, private ones too.

    A step is a move's text, or the faces of an outcome: ``first 2``, ``roads 1 1 2 2 3 3``,
    ``tokens 2 3 …``, ``deck fly-fist parents``.
    """
    told: list[View] = []
    for step in steps:
        head, _, rest = step.partition(" ")
        chance = head in ("first", "roads", "tokens", "deck")
        told += fall(state, head, rest.split()) if chance else move(state, step)
    return told


def move(state: State, text: str) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Turn), f"{text!r}: no decision is open"
    (seat,) = pending.seats
    assert text in legal(state), f"{text!r} is not among {legal(state)}"
    return [sighting.event for sighting in state.play({seat: SEIMI.parse(text)})]


def fall(state: State, stream: str, faces: list[str]) -> list[View]:
    pending = state.pending()
    assert isinstance(pending, Chance), f"{faces!r}: chance has nothing to say"
    assert pending.stream == stream
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
    return [SEIMI.format(code) for code in state.legal(pending.seats[0])]


def default(state: State) -> str:
    pending = state.pending()
    assert isinstance(pending, Turn)
    return SEIMI.format(state.default(pending.seats[0]))


def shows(state: State, /, **wanted: Any) -> None:
    """The view has these values; cards and rows as texts, ``hands`` as sizes or all cards."""
    view = state.view(None)
    for key, value in wanted.items():
        assert readable(state, view, key, value) == value, f"{key}: {view}"


def readable(state: State, view: View, key: str, wanted: Any) -> Any:
    if key == "field":
        return " ".join(view["field"])
    if key == "rows":
        return [[row_text(one) for one in owned] for owned in view["rows"]]
    if key == "hands" and wanted and isinstance(wanted[0], str):
        return [" ".join(state.view(seat)["hand"]) for seat in range(len(view["hands"]))]
    if key == "tokens":
        return [state.view(seat)["tokens"] for seat in range(len(view["hands"]))]
    return view[key]


def row_text(one: View) -> str:
    led = " parents" if one["parents"] else ""
    return f"{one['kind']}-{one['ability']} {one['cards']}{led}"


def over(state: State) -> Over:
    pending = state.pending()
    assert isinstance(pending, Over), f"not over: {state.view(None)}"
    return pending


def fight(rows: Sequence[Sequence[str]], **changes: Any) -> tuple[State, list[View]]:
    """The position and the events after everybody has only said ``done``."""
    seats = len(rows)
    state = place(
        hands=[""] * seats, rows=rows, state="deploy", step=2, deck=changes.pop("deck", "fly-fist"), **changes
    )
    return state, run(state, *["done"] * seats)
