"""seimi on a page: a chapter for each road and each fight, the cards drawn beside the sentences."""

from collections.abc import Sequence
from typing import Any

from web.boards.board import Board, Event, Piece, View

CSS = {"fly": "blue", "skeleton": "bars", "flesh": "red", "dog": "yellow", "parents": "green"}
ONE_CARD = ("take", "draw", "put", "play", "open", "replace")
MANY_CARDS = {"hand": "cards", "deal": "field", "refill": "cards", "loss": "cards"}


class SeimiBoard(Board):
    sprite = "seimi_sprite.html"
    tie_rule = "the larger number at the boss decides, then the nearest to the start player of that fight"

    def begins_turn(self, event: Event) -> bool:
        kind = event["event"]
        return bool(kind == "meet" or (kind == "step" and event["step"] == 1))

    def pieces(self, event: Event) -> list[Piece]:
        kind = event["event"]
        if kind in MANY_CARDS:
            return [card(name) for name in event[MANY_CARDS[kind]]]
        if kind not in ONE_CARD or event["card"] is None:
            return []
        led = [card("parents")] if event.get("parents") else []
        return [*led, card(event["card"])]

    def tone(self, event: Event) -> str:
        if event["event"] == "award":
            return "good" if any(event["tokens"]) else "bad"
        return "good" if event["event"] == "end" else ""

    def standings(self, view: View, names: list[str]) -> list[tuple[str, str]]:
        shared = [("deck", str(view["deck"])), ("field", str(len(view["field"])))]
        seats = zip(names, view["hands"], view["rows"], view["won"], strict=True)
        return shared + [(name, _seat(hand, rows, won)) for name, hand, rows, won in seats]

    def lay_open(self, public: View, own: Sequence[View], faces: Sequence[str]) -> dict[str, Any]:
        opened = [{"hand": view["hand"], "tokens": view["tokens"]} for view in own]
        return {**public, "opened": opened}

    def tie_break(self, view: View, seats: Sequence[int]) -> str:
        if not view["declared"]:
            return ""
        numbers = [view["declared"][seat] for seat in seats]
        return " beats ".join(map(str, numbers)) if len(set(numbers)) == len(numbers) else ""


def card(name: str) -> Piece:
    """A minion card by its name, ``fly-gun`` or ``parents``."""
    kind, _, ability = name.partition("-")
    return Piece("minion", ability or kind, CSS[kind])


def _seat(hand: int, rows: Sequence[View], won: int) -> str:
    laid = sum(row["cards"] for row in rows)
    tokens = "1 token" if won == 1 else f"{won} tokens"
    return f"{hand} in hand, {laid} laid, {tokens}"
