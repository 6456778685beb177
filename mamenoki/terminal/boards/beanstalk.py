"""beanstalk in a terminal: what the turn has brought, and a line for each piece."""

from collections.abc import Sequence

from mamenoki.terminal.boards.board import Board, Config, View, columns, wrapped

PLACES = ("+2", "+1", "0", "②", "①")
TREASURES = ("gold", "silver", "bronze")


class BeanstalkBoard(Board):
    def draw(self, view: View, names: Sequence[str], config: Config) -> list[str]:
        row = zip(PLACES, view["support"], strict=True) if view["support"] else ()
        support = "  ".join(f"{place}:{number}" for place, number in row)
        decks = ", ".join(f"{deck} {cards}" for deck, cards in view["decks"].items())
        everybody = [*names, "NPC"][: len(view["squares"])]
        return [
            f"turn {view['turn'] + 1}; castle on {config['n']}, {config['win_points']} points win",
            f"support  {support}",
            f"decks    {decks}",
            *_weather(view, everybody),
            "",
            *_pieces(view, everybody),
        ]


def _pieces(view: View, everybody: Sequence[str]) -> list[str]:
    """A line for each, and more where somebody has many treasures."""
    rows = [["", "square", "cards", "points"]]
    for one, name in enumerate(everybody):
        square = f"{view['squares'][one]} {'↑' if view['directions'][one] == 'up' else '↓'}"
        hand = "".join(map(str, view["hands"][one]))
        rows.append([name, square, hand, _known(view["points"][one])])
    head, *labels = columns(rows, right=[1, 3])
    held = [wrapped(f"{label}  ", _held(view, one)) for one, label in enumerate(labels)]
    return [f"{head}  treasures", *(line for lines in held for line in lines)]


def _weather(view: View, everybody: Sequence[str]) -> list[str]:
    """What this turn has come to so far, and what thieves and tornados are about."""
    played = [f"{name} {card}," for name, card in zip(everybody, view["cards"], strict=False) if card]
    lines = wrapped("played   ", [*played[:-1], played[-1].rstrip(",")]) if played else []
    lines += [f"batted   {everybody[one]}" for one in view["batted"]]
    for key, when in (("armed", "in this turn"), ("fresh", "in the next turn")):
        thieves = zip(everybody, view[key], strict=True)
        lines += [
            f"{'thief' if count == 1 else 'thieves'} of {name} {when}" for name, count in thieves if count
        ]
    for key, when in (("storm", "in this turn"), ("brewing", "in the next turn")):
        if view[key] is not None:
            lines.append(f"tornado of {everybody[view[key]]} {when}")
    return lines


def _known(points: int | None) -> str:
    return "?" if points is None else str(points)


def _held(view: View, one: int) -> list[str]:
    """``1 gold,`` and ``2 thief``; what lies face down before others is only counted."""
    own = view["treasures"][one]
    if own is None:
        told = [f"{view['covered'][one]} face down"] if view["covered"][one] else []
    else:
        told = [f"{count} {kind}" for count, kind in zip(own, TREASURES, strict=True) if count]
    open_ones = (("thief", view["thieves"][one]), ("tornado", view["tornados"][one]))
    told += [f"{count} {kind}" for kind, count in open_ones if count]
    return [*(f"{some}," for some in told[:-1]), *told[-1:]]


BOARD = BeanstalkBoard()
