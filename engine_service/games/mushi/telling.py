"""Sentences for the events of mushi."""

from collections.abc import Callable

from engine_service.core.game import View

Name = Callable[[int], str]

KINDS = (("R", "red"), ("Y", "yellow"), ("G", "green"), ("B", "blue"), ("=", "double bar"))


def tell(event: View, name: Name) -> str:
    """One plain English sentence; ``name(seat)`` names a player."""
    return TELLERS[event["event"]](event, name)


def _join(words: list[str]) -> str:
    return " and ".join([part for part in (", ".join(words[:-1]), words[-1]) if part])


def counted(letters: str) -> str:
    """``RRY==`` as "2 red, 1 yellow and 2 double bars"; ``-`` as "nothing"."""
    words = [_some(letters.count(letter), kind) for letter, kind in KINDS if letter in letters]
    return _join(words) if words else "nothing"


def _some(count: int, kind: str) -> str:
    return f"{count} {kind}s" if kind == "double bar" and count > 1 else f"{count} {kind}"


def _size(letters: str) -> int:
    return 0 if letters == "-" else len(letters)


def _number(count: int) -> str:
    return "1 bug" if count == 1 else f"{count} bugs"


def _first(event: View, name: Name) -> str:
    return f"{name(event['seat'])} saw a lovely bug last and goes first."


def _deal(event: View, name: Name) -> str:
    size = _size(event["cards"])
    crawl = "crawls" if size == 1 else "crawl"
    return f"{_number(size)} {crawl} into the hub: {counted(event['cards'])}."


def _target(event: View, name: Name) -> str:
    if event["aim"] == "hub":
        return f"{name(event['seat'])} goes for the hub."
    return f"{name(event['seat'])} goes after {name(event['owner'])}'s catch!"


def _keep(event: View, name: Name) -> str:
    who, yard, heap = name(event["seat"]), event["yard"], event["heap"]
    if yard == "-":
        return f"{who} piles {counted(heap)} on the heap."
    if heap == "-":
        return f"{who} keeps {counted(yard)} in the front yard and piles nothing on the heap."
    return f"{who} piles {counted(heap)} on the heap and keeps {counted(yard)} in the front yard."


def _refill(event: View, name: Name) -> str:
    return f"The hub fills up with {counted(event['cards'])}."


def _boost(event: View, name: Name) -> str:
    who, to = name(event["seat"]), "hub" if event["to"] == "hub" else "catch"
    if event["cards"] == "-":
        return f"{who} adds nothing to the {to}."
    return f"{who} lures {counted(event['cards'])} from the front yard into the {to}."


def _roll(event: View, name: Name) -> str:
    letters = event["dice"]
    return f"{name(event['seat'])} rerolls {_dice_count(len(letters))}: {counted(letters)}."


def _dice_count(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _success(event: View, name: Name) -> str:
    who, shown = name(event["seat"]), counted(event["dice"])
    if event["won"] == "-":
        return f"The dice show {shown}: no bug for {who}, and no harm done."
    return f"The dice show {shown}: {who} catches {counted(event['won'])}, {_size(event['caught'])} so far."


def _bust(event: View, name: Name) -> str:
    kinds = _join([kind for letter, kind in KINDS if letter in event["over"]])
    lost = _size(event["returned"])
    loss = f" and loses the {_number(lost)} caught in this turn" if lost else ""
    return (
        f"The dice show {counted(event['dice'])}: too much {kinds}! {name(event['seat'])} is bugged up{loss}."
    )


def _consolation(event: View, name: Name) -> str:
    return f"{name(event['seat'])} is consoled with {counted(event['cards'])} for the front yard."


def _stop(event: View, name: Name) -> str:
    caught = event["caught"]
    if caught == "-":
        return f"{name(event['seat'])} stops with empty hands."
    return f"{name(event['seat'])} stops with a catch of {counted(caught)}."


def _end(event: View, name: Name) -> str:
    best = [name(seat) for seat, rank in enumerate(event["ranks"]) if rank == 0]
    why = "The party is over" if event["end"] == "normal" else "The last turn is played"
    scores = _join([f"{name(seat)} {score}" for seat, score in enumerate(event["scores"])])
    won = f"{best[0]} wins" if len(best) == 1 else f"{_join(best)} share the win"
    return f"{why}: {won} (bugs on the heaps: {scores})."


TELLERS: dict[str, Callable[[View, Name], str]] = {
    "first": _first,
    "deal": _deal,
    "target": _target,
    "keep": _keep,
    "refill": _refill,
    "boost": _boost,
    "roll": _roll,
    "success": _success,
    "bust": _bust,
    "consolation": _consolation,
    "stop": _stop,
    "end": _end,
}
