"""morumori in a terminal: the cards on the table, a slot's number where one lies face down."""

from collections.abc import Sequence

from mamenoki.terminal.boards.board import Board, Config, View, columns, wrapped

ACROSS = 9


class MorumoriBoard(Board):
    def draw(self, view: View, names: Sequence[str], config: Config) -> list[str]:
        lives = "" if view["lives"] is None else f"   Good lives {view['lives']}"
        head = f"target {view['target']}   sum {view['total']}{lives}"
        return [head, "", *self._table(view), "", *self._seats(view, names)]

    def _table(self, view: View) -> list[str]:
        cells = [_cell(slot, shown) for slot, shown in enumerate(view["slots"])]
        return ["".join(cells[start : start + ACROSS]).rstrip() for start in range(0, len(cells), ACROSS)]

    def _seats(self, view: View, names: Sequence[str]) -> list[str]:
        lines = wrapped("discarded: ", view["discard"])
        if view["lives"] is not None:
            return lines
        rows = [["", "points", "won"]]
        for seat, name in enumerate(names):
            rows.append([name, str(view["scores"][seat]), " ".join(view["piles"][seat]) or "-"])
        return [*columns(rows, right=[1]), *lines]


def _cell(slot: int, shown: str | None) -> str:
    """``·17·`` face down in slot 17, ``[x2]`` face up, blank where the card has left."""
    if shown is None:
        return " " * 6
    return f"[{shown}]".ljust(6) if shown != "?" else f" {slot}".ljust(6)


BOARD = MorumoriBoard()
