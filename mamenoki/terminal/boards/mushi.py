"""mushi in a terminal."""

from collections.abc import Sequence

from mamenoki.terminal.boards.board import Board, Config, View, columns

CARDS = "RYGB"
DICE = "RYGB="
MANY = 16


class MushiBoard(Board):
    def draw(self, view: View, names: Sequence[str], config: Config) -> list[str]:
        rows = [["deck", str(view["deck"])], ["hub", _letters(CARDS, view["hub"])]]
        if view["owner"] is not None:
            rows.append([f"catch of {names[view['owner']]}", _letters(CARDS, view["catch"])])
        rows.append(["dice", _letters(DICE, view["dice"])])
        if any(view["caught"]):
            rows.append(["caught so far", _letters(CARDS, view["caught"])])
        seats = [["", "yard", "heap"]]
        for seat, name in enumerate(names):
            seats.append([name, _letters(CARDS, view["yards"][seat]), str(view["heaps"][seat])])
        return [*_turn(view, names), *columns(rows), "", *columns(seats, right=[2])]


def _turn(view: View, names: Sequence[str]) -> list[str]:
    """Whose turn it is and what they are at."""
    if view["player"] is None:
        return []
    aim = f" aims at the {view['target']}" if view["target"] else ""
    rolls = [f"rolls so far: {view['rolls']}"] if view["rolls"] else []
    owed = [f"the boost must move at least {view['owed']}"] if view["owed"] else []
    return [f"turn {view['turn'] + 1}: {names[view['player']]}{aim}", *rolls, *owed]


def _letters(kinds: str, counts: Sequence[int]) -> str:
    """``[2, 0, 1, 0]`` as ``RR G``; where there are many, ``12 R, 1 G``."""
    found = [(kind, count) for kind, count in zip(kinds, counts, strict=True) if count]
    if sum(counts) > MANY:
        return ", ".join(f"{count} {kind}" for kind, count in found)
    return " ".join(kind * count for kind, count in found) or "-"


BOARD = MushiBoard()
