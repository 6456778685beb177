"""What lies on the table, drawn for whoever sits there: groups of pieces, each with its words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from web.boards.board import Piece, View
from web.boards.mushi import CSS as LETTER_CSS
from web.boards.mushi import SYMBOLS
from web.boards.seimi import card
from web.words import count


@dataclass(frozen=True, slots=True)
class Group:
    """Things that lie together. ``text`` says all that ``pieces`` show."""

    label: str
    text: str
    pieces: Sequence[Piece] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """A card's place on morumori's table. ``face``: what is to be seen; ``?`` face down; None: the card has left.

    ``move``: the legal move that this place stands for; empty: none. ``under``: what lies face down,
    where all is laid open.
    """

    number: int
    face: str | None
    move: str
    under: str = ""


Names = Sequence[str]


def groups_of(game: str, view: View, names: Names, own: str = "Your") -> list[Group]:
    """What a view shows on the table of that game; ``own``: whose the things are that its seat alone sees."""
    draw = _DRAWN.get(game)
    return [] if draw is None else draw(view, names, own)


def slots_of(game: str, view: View, legal: Sequence[str]) -> list[Slot]:
    """morumori's places, where a move names one; of other games none."""
    if game != "morumori":
        return []
    moves = {
        int(number): move for move in legal for _, _, number in [move.partition(" ")] if number.isdecimal()
    }
    under = view.get("faces") or [""] * len(view["slots"])
    return [
        Slot(number, face, moves.get(number, ""), under[number] if face == "?" else "")
        for number, face in enumerate(view["slots"])
    ]


def _mushi(view: View, names: Names, own: str) -> list[Group]:
    groups = [_bugs(f"Hub (deck {view['deck']})", view["hub"])]
    if view["owner"] is not None:
        groups.append(_bugs(f"Catch of {names[view['owner']]}", view["catch"]))
    groups.append(_letters("Dice", "die", "RYGB=", view["dice"]))
    if any(view["caught"]):
        groups.append(_bugs("Caught so far", view["caught"]))
    yards = zip(names, view["yards"], view["heaps"], strict=True)
    return groups + [_bugs(f"Yard of {name} (heap {heap})", yard) for name, yard, heap in yards]


def _bugs(label: str, counts: Sequence[int]) -> Group:
    return _letters(label, "bug", "RYGB", counts)


def _letters(label: str, kind: str, kinds: str, counts: Sequence[int]) -> Group:
    found = [(letter, number) for letter, number in zip(kinds, counts, strict=True) if number]
    text = ", ".join(f"{number} {letter}" for letter, number in found) or "none"
    pieces = [
        Piece(kind, SYMBOLS[letter], LETTER_CSS[letter]) for letter, number in found for _ in range(number)
    ]
    return Group(label, text, pieces)


def _seimi(view: View, names: Names, own: str) -> list[Group]:
    roads, ahead = view["roads"], view["monster"]
    if not roads:
        road = "not laid out yet"
    elif ahead > len(roads):
        road = "the last monster is beaten"
    else:
        tokens = " and ".join(map(str, view["line"][ahead - 1])) or "nothing"
        road = f"{ahead} of {len(roads)}, step {view['step']} of {roads[ahead - 1]}; it gives {tokens}"
    groups = [
        Group("Monster ahead", road),
        _cards(f"Field (deck {view['deck']})", view["field"]),
    ]
    if view["hand"] is not None:
        groups += [_cards(f"{own} hand", view["hand"]), _tokens(f"{own} tokens", view["tokens"])]
    for name, opened in zip(names, view.get("opened", ()), strict=False):
        groups += [_cards(f"{name}’s hand", opened["hand"]), _tokens(f"{name}’s tokens", opened["tokens"])]
    for seat, name in enumerate(names):
        rows = [
            f"{row['kind']} {row['cards']} {row['ability']}{'+' if row['parents'] else ''}"
            for row in view["rows"][seat]
        ]
        told = f"{view['hands'][seat]} in hand, tokens {view['won'][seat]}"
        if view["declared"]:
            told += f", declared {view['declared'][seat]}"
        pieces = [card(f"{row['kind']}-{row['ability']}") for row in view["rows"][seat]]
        groups.append(Group(name, f"{', '.join(rows) or 'no rows'}; {told}", pieces))
    return groups


def _tokens(label: str, values: Sequence[int]) -> Group:
    return Group(label, ", ".join(map(str, values)) or "none")


def _cards(label: str, names: Sequence[str]) -> Group:
    return Group(label, ", ".join(names) or "none", [card(name) for name in names])


def _morumori(view: View, names: Names, own: str) -> list[Group]:
    lives = "" if view["lives"] is None else f", {view['lives']} Good lives left"
    groups = [Group("Target", f"{view['target']}; the sum is {view['total']}{lives}")]
    if view["lives"] is None:
        won = zip(names, view["scores"], view["piles"], strict=True)
        groups += [
            Group(name, f"{count(score, 'point')}: {' '.join(pile) or 'nothing yet'}")
            for name, score, pile in won
        ]
    return [*groups, Group("Discarded", " ".join(view["discard"]) or "none")]


def _beanstalk(view: View, names: Names, own: str) -> list[Group]:
    support = zip(("+2", "+1", "0", "②", "①"), view["support"], strict=True) if view["support"] else ()
    decks = ", ".join(f"{deck} {cards}" for deck, cards in view["decks"].items())
    groups = [
        Group(
            "Support", ", ".join(f"{number} at {place}" for place, number in support) or "not laid out yet"
        ),
        Group("Treasure decks", decks),
    ]
    everybody = [*names, "NPC"][: len(view["squares"])]
    return groups + [Group(name, _climber(view, one)) for one, name in enumerate(everybody)]


def _climber(view: View, one: int) -> str:
    way = "climbing" if view["directions"][one] == "up" else "coming down"
    hand = " ".join(map(str, view["hands"][one])) or "none"
    told = [f"square {view['squares'][one]}, {way}", f"cards {hand}"]
    own = view["treasures"][one]
    if own is None:
        told.append(f"{count(view['covered'][one], 'treasure')} face down")
    else:
        held = [f"{n} {kind}" for n, kind in zip(own, ("gold", "silver", "bronze"), strict=True) if n]
        told.append(f"{count(view['points'][one], 'point')} ({', '.join(held) or 'no treasure'})")
    told += [count(view["thieves"][one], "thief", "thieves")] if view["thieves"][one] else []
    told += [count(view["tornados"][one], "tornado")] if view["tornados"][one] else []
    return ", ".join(told)


_DRAWN: dict[str, Callable[[View, Names, str], list[Group]]] = {
    "mushi": _mushi,
    "seimi": _seimi,
    "morumori": _morumori,
    "beanstalk": _beanstalk,
}
