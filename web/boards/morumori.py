"""morumori on a page: houses and lives, what each seat has won, and the cards left after each turn."""

from collections.abc import Sequence
from typing import Any

from web.boards.board import Board, Event, View


class MorumoriBoard(Board):
    tie_rule = "more cards decide, then the later seat from the start player"

    def player_of_turn(self, event: Event) -> int | None:
        return int(event["seat"]) if event["event"] == "flip" and event["up"] == 1 else None

    def tone(self, event: Event) -> str:
        return {"success": "good", "failure": "bad"}.get(event["event"], "")

    def standings(self, view: View, names: list[str]) -> list[tuple[str, str]]:
        cards = sum(shown is not None for shown in view["slots"])
        shared = [("target", str(view["target"])), ("cards left", str(cards))]
        if view["lives"] is not None:
            return [*shared, ("Good lives", str(view["lives"]))]
        won = zip(names, view["scores"], view["piles"], strict=True)
        return shared + [(name, f"{score} from {_cards(len(pile))}") for name, score, pile in won]

    def lay_open(self, public: View, own: Sequence[View], faces: Sequence[str]) -> dict[str, Any]:
        return {**public, "faces": list(faces)}

    def lay_down(self, faces: list[str], stream: str, reading: View) -> list[str]:
        if stream == "layout":
            return list(reading["faces"])
        if stream != "scatter":
            return faces
        moved = dict(zip(reading["slots"], reading["faces"], strict=True))
        return [moved.get(slot, face) for slot, face in enumerate(faces)]

    def tie_break(self, view: View, seats: Sequence[int]) -> str:
        counts = [len(view["piles"][seat]) for seat in seats]
        if view["lives"] is not None:
            return ""
        if len(set(counts)) == len(counts):
            return " beats ".join(_cards(count) for count in counts)
        places = [(seat - view["start"]) % len(view["piles"]) for seat in seats]
        return " beats ".join(
            f"{_cards(count)} as number {place + 1}" for count, place in zip(counts, places, strict=True)
        )


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
