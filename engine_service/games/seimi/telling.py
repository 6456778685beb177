"""Sentences for the events of seimi."""

from collections.abc import Callable

from engine_service.core.game import View

Name = Callable[[int], str]

KINDS = {"fly": "Fly", "skeleton": "Skeleton", "flesh": "Flesh", "dog": "Dog"}
ABILITIES = {"fist": "Fist", "blade": "Blade", "gun": "Gun", "psychic": "Psychic"}
BOSS = 6


def tell(event: View, name: Name) -> str:
    """One plain English sentence; ``name(seat)`` names a player."""
    return TELLERS[event["event"]](event, name)


def _join(words: list[str]) -> str:
    return " and ".join([part for part in (", ".join(words[:-1]), words[-1]) if part])


def card(text: str) -> str:
    """``fly-blade`` as "Blade Fly"."""
    if text == "parents":
        return "Parents"
    kind, _, ability = text.partition("-")
    return f"{ABILITIES[ability]} {KINDS[kind]}"


def cards(texts: list[str]) -> str:
    """Cards with those alike counted, in the order given: "2 × Blade Fly and Parents"."""
    words = [_some(texts.count(text), card(text)) for text in dict.fromkeys(texts)]
    return _join(words) if words else "nothing"


def _some(count: int, word: str) -> str:
    return word if count == 1 else f"{count} × {word}"


def _count(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _numbers(numbers: list[int]) -> str:
    return _join([str(number) for number in numbers])


def _monster(number: int) -> str:
    return "the boss" if number == BOSS else f"monster {number}"


def _first(event: View, name: Name) -> str:
    return f"{name(event['seat'])} is the craziest and starts."


def _roads(event: View, name: Name) -> str:
    lengths = event["lengths"]
    return f"The road has {sum(lengths)} steps: {_numbers(lengths)} from monster to monster."


def _tokens(event: View, name: Name) -> str:
    places = [
        f"{_numbers(values)} at {_monster(number)}" for number, values in enumerate(event["line"], start=1)
    ]
    return f"Tokens are laid out: {'; '.join(places)}."


def _hand(event: View, name: Name) -> str:
    return f"{name(event['seat'])} is dealt {cards(event['cards'])}."


def _deal(event: View, name: Name) -> str:
    hands = [_count(size, "card") for size in event["hands"]]
    if len(set(hands)) == 1:
        dealt = f"Everybody is dealt {hands[0]}"
    else:
        dealt = f"Dealt are {_join([f'{name(seat)} {size}' for seat, size in enumerate(hands)])}"
    return f"{dealt}; in the field: {cards(event['field'])}."


def _step(event: View, name: Name) -> str:
    return f"The girl takes step {event['step']} towards {_monster(event['monster'])}."


def _meet(event: View, name: Name) -> str:
    return f"The girl stands before {_monster(event['monster'])}!"


def _take(event: View, name: Name) -> str:
    if event["card"] is None:
        return f"{name(event['seat'])} takes a card from the deck."
    return f"{name(event['seat'])} takes {card(event['card'])} from the field."


def _draw(event: View, name: Name) -> str:
    return f"{name(event['seat'])} draws {card(event['card'])}."


def _put(event: View, name: Name) -> str:
    return f"{name(event['seat'])} puts {card(event['card'])} into the field, to take two cards."


def _refill(event: View, name: Name) -> str:
    return f"The field is filled up with {cards(event['cards'])}."


def _play(event: View, name: Name) -> str:
    return f"{name(event['seat'])} adds {card(event['card'])} to its row."


def _led(event: View) -> str:
    return f"Parents and {card(event['card'])}" if event["parents"] else card(event["card"])


def _open(event: View, name: Name) -> str:
    return f"{name(event['seat'])} opens a row with {_led(event)}."


def _replace(event: View, name: Name) -> str:
    return f"{name(event['seat'])} discards {cards(event['gone'])} for a row of {_led(event)}."


def _done(event: View, name: Name) -> str:
    return f"{name(event['seat'])} is ready."


def _declare(event: View, name: Name) -> str:
    words = [f"{name(seat)} {number}" for seat, number in enumerate(event["declared"])]
    return f"Against {_monster(event['monster'])} they declare: {_join(words)}."


def _award(event: View, name: Name) -> str:
    won = [f"{name(seat)} gets a {value}" for seat, value in enumerate(event["tokens"]) if value is not None]
    gets = f"{_join(won)} for defeating {_monster(event['monster'])}" if won else "Nobody gets a token"
    removed = f"; {_numbers(event['removed'])} out of the game" if event["removed"] else ""
    starts = "" if event["monster"] == BOSS else f"; {name(event['start'])} starts"
    return f"{gets}{removed}{starts}."


def _loss(event: View, name: Name) -> str:
    return f"{name(event['seat'])} loses {cards(event['cards'])}."


def _end(event: View, name: Name) -> str:
    ranks, scores = event["ranks"], event["scores"]
    words = [f"{name(seat)} {score}" for seat, score in enumerate(scores)]
    best = ranks.index(0)
    tied = "" if scores.count(scores[best]) == 1 else " by the tie-break"
    boss = "is defeated" if any(event["declared"]) else "goes free"
    return f"The boss {boss}: {name(best)} wins{tied} (tokens: {_join(words)})."


TELLERS: dict[str, Callable[[View, Name], str]] = {
    "first": _first,
    "roads": _roads,
    "tokens": _tokens,
    "hand": _hand,
    "deal": _deal,
    "step": _step,
    "meet": _meet,
    "take": _take,
    "draw": _draw,
    "put": _put,
    "refill": _refill,
    "play": _play,
    "open": _open,
    "replace": _replace,
    "done": _done,
    "declare": _declare,
    "award": _award,
    "loss": _loss,
    "end": _end,
}
