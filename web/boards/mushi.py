"""mushi on a page: bug cards and dice drawn beside the sentences, heaps and hub after each turn."""

from collections.abc import Sequence

from web.boards.board import Board, Event, Piece, View

CSS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "=": "bars"}
SYMBOLS = {"R": "r", "Y": "y", "G": "g", "B": "b", "=": "bar"}
CARDS = {
    "deal": ("cards",),
    "refill": ("cards",),
    "boost": ("cards",),
    "consolation": ("cards",),
    "keep": ("heap", "yard"),
    "stop": ("caught",),
}
DICE = ("roll", "success", "bust")


class MushiBoard(Board):
    sprite = "mushi_sprite.html"
    tie_rule = "the smaller front yard decides"

    def player_of_turn(self, event: Event) -> int | None:
        return int(event["seat"]) if event["event"] == "target" else None

    def pieces(self, event: Event) -> list[Piece]:
        kind = event["event"]
        if kind in DICE:
            return _draw("die", event["dice"])
        return [
            piece for key in CARDS.get(kind, ()) for piece in _draw("bug", event[key], apart=key == "yard")
        ]

    def tone(self, event: Event) -> str:
        if event["event"] == "bust":
            return "bad"
        return "good" if event["event"] == "stop" and event["caught"] != "-" else ""

    def standings(self, view: View, names: list[str]) -> list[tuple[str, str]]:
        shared = [("deck", str(view["deck"])), ("hub", str(sum(view["hub"])))]
        if view["owner"] is not None:
            shared.append((f"catch of {names[view['owner']]}", str(sum(view["catch"]))))
        heaps = zip(names, view["heaps"], view["yards"], strict=True)
        return shared + [(name, f"heap {heap}, yard {sum(yard)}") for name, heap, yard in heaps]

    def tie_break(self, view: View, seats: Sequence[int]) -> str:
        yards = dict.fromkeys(sum(view["yards"][seat]) for seat in seats)
        return " beats ".join(f"yard {cards}" for cards in yards)


def _draw(kind: str, letters: str, apart: bool = False) -> list[Piece]:
    """A piece for each letter; ``apart`` sets the first one off from what was drawn before."""
    return [
        Piece(kind, SYMBOLS[letter], f"{CSS[letter]} apart" if apart and not index else CSS[letter])
        for index, letter in enumerate(letters)
        if letter in CSS
    ]
