"""seimi as numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from mamenoki.learn.spaces.space import Config, Space, View, around, away, fitted, one_of

STATES = ("acquire", "take", "deploy")
KINDS = ("fly", "skeleton", "flesh", "dog")
ABILITIES = ("fist", "blade", "gun", "psychic")
MINIONS = [f"{kind}-{ability}" for kind in KINDS for ability in ABILITIES]
CARDS = [*MINIONS, "parents"]
FORMS = ("play ", "open ", "open parents+", "replace ", "replace parents+")
MONSTERS = 6


class SeimiSpace(Space):
    def moves(self, config: Config, seats: int) -> list[str]:
        takes = ["take deck", *(f"take {card}" for card in CARDS)]
        puts = [f"put {card}" for card in CARDS]
        return [*takes, *puts, "done", *(f"{form}{minion}" for minion in MINIONS for form in FORMS)]

    def numbers(self, view: View, config: Config, seats: int) -> list[int]:
        own, ahead = view["seat"], view["monster"]
        ours = [number for rows in around(own, view["rows"]) for number in _rows(rows)]
        counts = config["effective"][ahead - 1] if ahead <= MONSTERS else []
        return [
            *one_of(STATES, view["state"]),
            *away(own, view["start"], seats),
            view["served"],
            view["takes"],
            ahead,
            view["step"],
            *fitted(view["roads"], MONSTERS),
            *[number for values in view["line"] for number in fitted(values, seats - 1)],
            *[-1] * ((MONSTERS - len(view["line"])) * (seats - 1)),
            *[int(ability in counts) for ability in ABILITIES],
            view["deck"],
            *[view["field"].count(card) for card in CARDS],
            *[(view["hand"] or []).count(card) for card in CARDS],
            *around(own, view["hands"]),
            *ours,
            sum(view["tokens"] or []),
            *around(own, view["won"]),
        ]


def _rows(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """For each kind: cards in its row, its ability from 1 (0: no row), whether parents lead it."""
    found = {row["kind"]: row for row in rows}
    numbers = []
    for kind in KINDS:
        row = found.get(kind)
        told = [row["cards"], ABILITIES.index(row["ability"]) + 1, int(row["parents"])] if row else [0, 0, 0]
        numbers += told
    return numbers


SPACE = SeimiSpace()
