"""seimi in a terminal: the monster ahead, everybody's rows, the field and one's own hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from mamenoki.terminal.boards.board import Board, Config, View, columns, wrapped


class SeimiBoard(Board):
    def draw(self, view: View, names: Sequence[str], config: Config) -> list[str]:
        return [
            *self._road(view, config),
            *wrapped("field: ", view["field"]),
            f"deck {view['deck']}, discarded {view['discards']}",
            "",
            *self._seats(view, names),
            "",
            *wrapped("your hand: ", view["hand"] or []),
            *wrapped("your tokens: ", [str(token) for token in view["tokens"] or []]),
        ]

    def _road(self, view: View, config: Config) -> list[str]:
        ahead, lengths = view["monster"], view["roads"]
        if ahead > len(lengths):
            return ["the last monster is beaten"]
        steps = lengths[ahead - 1]
        where = f"step {view['step']} of {steps}" if view["step"] <= steps else "it stands before you"
        rows = [["monster", "road", "what counts", "tokens"]]
        for number in range(ahead, len(lengths) + 1):
            counts = ", ".join(config["effective"][number - 1])
            tokens = " ".join(map(str, view["line"][number - 1])) or "-"
            name = "boss" if number == len(lengths) else str(number)
            rows.append([name, str(lengths[number - 1]), counts, tokens])
        return [f"monster {ahead} of {len(lengths)}, {where}", *columns(rows, right=[1])]

    def _seats(self, view: View, names: Sequence[str]) -> list[str]:
        rows = [["", "cards", "tokens", "declared"]]
        for seat, name in enumerate(names):
            declared = str(view["declared"][seat]) if view["declared"] else ""
            rows.append([name, str(view["hands"][seat]), str(view["won"][seat]), declared])
        lines = columns(rows, right=[1, 2, 3])
        for seat, name in enumerate(names):
            told = [f"{_row(row)};" for row in view["rows"][seat]]
            lines += wrapped(f"{name}: ", told) if told else []
        return lines


def _row(row: Mapping[str, Any]) -> str:
    """``fly 3 gun``, with ``+`` where parents lead it."""
    return f"{row['kind']} {row['cards']} {row['ability']}{'+' if row['parents'] else ''}"


BOARD = SeimiBoard()
