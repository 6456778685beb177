"""What the view of seimi says, in the shape that the programs reckon with.

A card is an int: four times its kind plus its ability, the Parents 16. A hand is the list of
how many there are of each.
"""

from dataclasses import dataclass
from typing import Any

KINDS = ("fly", "skeleton", "flesh", "dog")
ABILITIES = ("fist", "blade", "gun", "psychic")
NAMES = (*(f"{kind}-{ability}" for kind in KINDS for ability in ABILITIES), "parents")
PARENTS = 16
CARD_OF = {name: card for card, name in enumerate(NAMES)}
ABILITY_OF = {ability: place for place, ability in enumerate(ABILITIES)}

Row = tuple[int, int, bool]
"""Its ability, its size with the Parents, whether they lead it; ability -1: no row."""

NO_ROW: Row = (-1, 0, False)


@dataclass(slots=True)
class Scene:
    """A decision's view, read once. ``monster`` counts from 0; ``rows`` are by seat and kind.

    ``to_come`` are the seats that lay cards down after this one in this fight.
    """

    seat: int
    seats: int
    state: str
    start: int
    monster: int
    line: list[list[int]]
    deck: int
    field: list[int]
    hand: list[int]
    hands: list[int]
    rows: list[list[Row]]
    takes: int
    to_come: list[int]

    def distance(self, seat: int) -> int:
        return (seat - self.start) % self.seats


def read(view: dict[str, Any], seat: int) -> Scene:
    """The scene for the seat that owes a decision."""
    seats = len(view["hands"])
    return Scene(
        seat=seat,
        seats=seats,
        state=view["state"],
        start=view["start"],
        monster=view["monster"] - 1,
        line=view["line"],
        deck=view["deck"] or view["discards"],
        field=count(view["field"]),
        hand=count(view["hand"]),
        hands=view["hands"],
        rows=[_rows(rows) for rows in view["rows"]],
        takes=view["takes"],
        to_come=[(view["start"] + later) % seats for later in range(view["served"] + 1, seats)],
    )


def count(cards: list[str]) -> list[int]:
    """How many there are of each card."""
    counts = [0] * len(NAMES)
    for card in cards:
        counts[CARD_OF[card]] += 1
    return counts


def _rows(rows: list[dict[str, Any]]) -> list[Row]:
    found = [NO_ROW] * 4
    for row in rows:
        found[KINDS.index(row["kind"])] = (ABILITY_OF[row["ability"]], row["cards"], row["parents"])
    return found


def masks(effective: list[list[str]]) -> list[int]:
    """A bit for each ability that counts, by monster."""
    return [sum(1 << ABILITY_OF[ability] for ability in abilities) for abilities in effective]
