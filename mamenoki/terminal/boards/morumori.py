"""morumori in a terminal: the cards on the table, each by its slot's number."""

from collections.abc import Sequence

from mamenoki.terminal.boards.board import Board, Config, View, columns, wrapped

ACROSS, CELL = 6, 9


class MorumoriBoard(Board):
    def draw(self, view: View, names: Sequence[str], config: Config) -> list[str]:
        lives = "" if view["lives"] is None else f"   Good lives {view['lives']}"
        head = f"target {view['target']}   sum {view['total']}{lives}"
        return [head, "", *self._table(view), "", *_mix(view), *self._seats(view, names)]

    def _table(self, view: View) -> list[str]:
        cells = [_cell(slot, shown) for slot, shown in enumerate(view["slots"])]
        return ["".join(cells[start : start + ACROSS]).rstrip() for start in range(0, len(cells), ACROSS)]

    def _seats(self, view: View, names: Sequence[str]) -> list[str]:
        discarded = wrapped("discarded: ", view["discard"])
        if view["lives"] is not None:
            return discarded
        rows = [["", "points"], *([name, str(view["scores"][seat])] for seat, name in enumerate(names))]
        head, *labels = columns(rows, right=[1])
        won = [wrapped(f"{label}  ", pile) for label, pile in zip(labels, view["piles"], strict=True)]
        return [f"{head}  won", *(line for lines in won for line in lines), *discarded]


def _mix(view: View) -> list[str]:
    """Which cards are going to be scattered."""
    if not view["mixed"]:
        return []
    slots = ", ".join(map(str, view["mixed"]))
    return wrapped("to be mixed: slots ", [*slots.split(" "), f"and {view['owed']} more"])


def _cell(slot: int, shown: str | None) -> str:
    """``17`` face down in slot 17, ``17[x2]`` face up, a dot where the card has left."""
    if shown is None:
        return " .".ljust(CELL)
    return f"{slot:>2}".ljust(CELL) if shown == "?" else f"{slot:>2}[{shown}]".ljust(CELL)


BOARD = MorumoriBoard()
