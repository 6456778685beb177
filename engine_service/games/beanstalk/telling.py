"""Sentences for the events of beanstalk."""

from collections.abc import Callable, Sequence

from engine_service.core.game import Json, View

Name = Callable[[int], str]


def tell(event: View, name: Name) -> str:
    """One plain English sentence; ``name(seat)`` names a player."""
    return TELLERS[event["event"]](event, name)


def _who(member: Json, name: Name) -> str:
    return "the NPC" if member == "npc" else name(member)


def _capital(sentence: str) -> str:
    """The NPC begins a sentence as everybody does; a player's name stays as it is written."""
    return "The NPC" + sentence.removeprefix("the NPC") if sentence.startswith("the NPC") else sentence


def _join(words: Sequence[str]) -> str:
    return " and ".join([part for part in (", ".join(words[:-1]), words[-1]) if part])


def _card(kind: str) -> str:
    return f"a {kind}" if kind in ("thief", "tornado") else f"a {kind} treasure"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _support(event: View, name: Name) -> str:
    return f"The support cards lie {' '.join(map(str, event['cards']))}, under +2, +1, 0, ② and ①."


def _commit(event: View, name: Name) -> str:
    played = [f"{name(seat)} {card}" for seat, card in enumerate(event["cards"])]
    return f"The cards are turned up: {_join(played)}."


def _npc(event: View, name: Name) -> str:
    return f"The NPC turns up {event['card']}."


def _card_batting(event: View, name: Name) -> str:
    members = [_who(member, name) for member in event["members"]]
    all_of = "both" if len(members) == 2 else "all"
    return _capital(f"{_join(members)} have {all_of} played {event['card']}: batted, they do not move.")


def _theft(event: View, name: Name) -> str:
    thief, victim = _who(event["member"], name), _who(event["from"], name)
    what = "a treasure" if event["treasure"] is None else _card(event["treasure"])
    return _capital(f"{thief}'s thief steals {what} from {victim}.")


def _loot(event: View, name: Name) -> str:
    return f"What {name(event['seat'])} has stolen from {name(event['from'])} is {_card(event['treasure'])}."


def _idle(event: View, name: Name) -> str:
    who = _who(event["member"], name)
    if event["thieves"] == 1:
        return _capital(f"{who}'s thief finds nothing to steal.")
    return _capital(f"{who}'s {event['thieves']} thieves find nothing to steal.")


def _tornado(event: View, name: Name) -> str:
    owner = _who(event["member"], name)
    if not event["carried"]:
        return _capital(f"{owner}'s tornado blows over: nobody is batted.")
    carried = [_who(member, name) for member in event["carried"]]
    return _capital(f"{owner}'s tornado carries {_join(carried)} to the castle.")


def _draw(event: View, name: Name) -> str:
    return f"{name(event['seat'])} chooses the {event['deck']} deck."


def _treasure(event: View, name: Name) -> str:
    who, kind = _who(event["member"], name), event["treasure"]
    if kind is None:
        return f"{who} draws a treasure and lays it face down."
    armed = ", for the next turn" if kind in ("thief", "tornado") else ""
    return _capital(f"{who} draws {_card(kind)} from the {event['deck']} deck{armed}.")


def _found(event: View, name: Name) -> str:
    return f"What {name(event['seat'])} has drawn is {_card(event['treasure'])}."


def _move(event: View, name: Name) -> str:
    who, origin, to = _who(event["member"], name), event["from"], event["to"]
    verb = "climbs" if to > origin else "climbs down"
    goal = "the castle" if event["castle"] else str(to) if to else "the ground"
    start = str(origin) if origin else "the ground"
    return _capital(f"{who} {verb} from {start} to {goal}.")


def _square_batting(event: View, name: Name) -> str:
    who, other = _who(event["member"], name), _who(event["other"], name)
    return _capital(f"{who} meets {other} on {event['square']}: both fall to the ground.")


WHY = {
    "home": "The treasures are home",
    "decks": "Both decks are empty and nobody can have enough any more",
    "turns": "The last turn is played",
}


def _end(event: View, name: Name) -> str:
    best = [name(seat) for seat, rank in enumerate(event["ranks"]) if rank == 0]
    scores = _join([f"{name(seat)} {_points(score)}" for seat, score in enumerate(event["scores"])])
    won = f"{best[0]} wins" if len(best) == 1 else f"{_join(best)} share the win"
    return f"{WHY[event['why']]}: {won} ({scores})."


TELLERS: dict[str, Callable[[View, Name], str]] = {
    "support": _support,
    "commit": _commit,
    "npc": _npc,
    "card_batting": _card_batting,
    "theft": _theft,
    "loot": _loot,
    "idle": _idle,
    "tornado": _tornado,
    "draw": _draw,
    "treasure": _treasure,
    "found": _found,
    "move": _move,
    "square_batting": _square_batting,
    "end": _end,
}
