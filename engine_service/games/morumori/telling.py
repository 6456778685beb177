"""Sentences for the events of morumori."""

from collections.abc import Callable

from engine_service.core.game import View

Name = Callable[[int], str]

FAILURES = {
    "over": "{total} is more than {target}",
    "miss": "a miss",
    "no card": "no card is left to turn up",
}


def tell(event: View, name: Name) -> str:
    """One plain English sentence; ``name(seat)`` names a player."""
    return TELLERS[event["event"]](event, name)


def _join(words: list[str]) -> str:
    return " and ".join([part for part in (", ".join(words[:-1]), words[-1]) if part])


def _cards(slots: list[int], faces: list[str]) -> str:
    """Each card as ``the 5 in slot 17``."""
    return _join([f"the {face} in slot {slot}" for slot, face in zip(slots, faces, strict=True)])


def _lives(event: View) -> str:
    lives = event["lives"]
    if lives is None:
        return ""
    return " 1 life is Good." if lives == 1 else f" {lives} lives are Good."


def _first(event: View, name: Name) -> str:
    return f"{name(event['seat'])} finds guinea pigs cutest and goes first."


def _layout(event: View, name: Name) -> str:
    return f"The cards lie face down in their slots, {event['cards']} in all."


def _peek(event: View, name: Name) -> str:
    return f"Everybody looks at {_cards(event['slots'], event['faces'])}."


def _turn(event: View, name: Name) -> str:
    return f"{name(event['seat'])} has the turn; the target is {event['target']}."


def _flip(event: View, name: Name) -> str:
    who, slot, face, total = name(event["seat"]), event["slot"], event["face"], event["total"]
    if face in ("=", "miss"):
        return f"{who} turns up slot {slot}: {face}."
    return f"{who} turns up slot {slot}: {face}, {total} in all."


def _success(event: View, name: Name) -> str:
    leave = "leaves" if len(event["slots"]) == 1 else "leave"
    gone = f" {_cards(event['slots'], event['faces'])} {leave} the table." if event["slots"] else ""
    return f"{name(event['seat'])} meets the target {event['target']}!{_upper(gone)}{_lives(event)}"


def _upper(sentence: str) -> str:
    return sentence[:1] + sentence[1:2].upper() + sentence[2:]


def _failure(event: View, name: Name) -> str:
    why = FAILURES[event["why"]].format(total=event["total"], target=event["target"])
    return f"{name(event['seat'])} fails: {why}.{_lives(event)}"


def _take(event: View, name: Name) -> str:
    who, card = name(event["seat"]), _cards([event["slot"]], [event["face"]])
    return f"{who} discards {card}." if event["pile"] is None else f"{who} takes {card}."


def _companion(event: View, name: Name) -> str:
    return f"{name(event['seat'])} adds slot {event['slot']} to the cards that are mixed."


def _scatter(event: View, name: Name) -> str:
    slots = event["slots"]
    if len(slots) == 1:
        return f"Slot {slots[0]} is alone in the mix, and is turned down."
    return f"The cards of slots {_join([str(slot) for slot in slots])} are mixed and put back face down."


def _end(event: View, name: Name) -> str:
    why = "The match is over" if event["end"] == "normal" else "The last turn is played"
    if event["coop"]:
        return f"{why}: {_houses(event['scores'][0])} reached together."
    winner = name(event["ranks"].index(0))
    scores = _join([f"{name(seat)} {score}" for seat, score in enumerate(event["scores"])])
    return f"{why}: {winner} wins (sums of the cards won: {scores})."


def _houses(count: int) -> str:
    return "1 house" if count == 1 else f"{count} houses"


TELLERS: dict[str, Callable[[View, Name], str]] = {
    "first": _first,
    "layout": _layout,
    "peek": _peek,
    "turn": _turn,
    "flip": _flip,
    "success": _success,
    "failure": _failure,
    "take": _take,
    "companion": _companion,
    "scatter": _scatter,
    "end": _end,
}
