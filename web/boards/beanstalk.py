"""beanstalk on a page: a turn is everybody's; where the pieces stand, and what they carry, after each."""

from collections.abc import Sequence
from typing import Any

from web.boards.board import Board, Event, View

ARROWS = {"up": "↑", "down": "↓"}
HIDDEN = ("points", "treasures", "loot")
"""What a view shows of its own seat alone."""
BAD = ("card_batting", "square_batting", "theft")
GOOD = ("treasure", "end")


class BeanstalkBoard(Board):
    tie_rule = "who brings enough home first wins, at the turn limit the lower square"

    def begins_turn(self, event: Event) -> bool:
        return bool(event["event"] == "commit")

    def tone(self, event: Event) -> str:
        if event["event"] in BAD:
            return "bad"
        return "good" if event["event"] in GOOD else ""

    def standings(self, view: View, names: list[str]) -> list[tuple[str, str]]:
        decks = ", ".join(f"{deck} {cards}" for deck, cards in view["decks"].items())
        row = " ".join(str(number) for number in view["support"])
        shared = [("decks", decks), ("support", row)] if row else [("decks", decks)]
        everybody = [*names, "NPC"][: len(view["squares"])]
        return shared + [(name, _place(view, one)) for one, name in enumerate(everybody)]

    def lay_open(self, public: View, own: Sequence[View], faces: Sequence[str]) -> dict[str, Any]:
        opened = {}
        for key in HIDDEN:
            shown = [view[key][seat] for seat, view in enumerate(own)]
            opened[key] = shown + public[key][len(own) :]  # the NPC's lie open
        return {**public, **opened}

    def tie_break(self, view: View, seats: Sequence[int]) -> str:
        if view["end"] != "turn_limit":
            return ""
        squares = dict.fromkeys(view["squares"][seat] for seat in seats)
        return " beats ".join(f"square {square}" for square in squares)


def _place(view: View, one: int) -> str:
    """``7 ↓, 3 treasures``: the square and the way of a piece, and how many cards its owner has drawn or stolen."""
    cards = sum(view[key][one] for key in ("covered", "thieves", "tornados", "looted"))
    counted = "1 treasure" if cards == 1 else f"{cards} treasures"
    return f"{view['squares'][one]} {ARROWS[view['directions'][one]]}, {counted}"
