"""The facts of an event as they are stored, and how its tables are named."""

from collections.abc import Mapping
from typing import Any

from scheduler.domain.events.facts import Drawn, Ended, Fact, Match, Withdrew
from scheduler.domain.events.series import Wanted


def told(fact: Fact) -> dict[str, Any]:
    """A fact as it is stored."""
    if isinstance(fact, Withdrew):
        return {"withdrew": fact.entrant}
    if isinstance(fact, Drawn):
        matches = [[match.slot, list(match.company)] for match in fact.matches]
        return {"round": fact.round, "matches": matches, "among": sorted(fact.among)}
    placed = fact.placements
    return {
        "slot": fact.match.slot,
        "company": list(fact.match.company),
        "game": fact.game,
        "placed": None if placed is None else [[one, place] for one, place in sorted(placed.items())],
        "for_good": fact.for_good,
    }


def fact(content: Mapping[str, Any]) -> Fact:
    """The inverse of :func:`told`."""
    if "withdrew" in content:
        return Withdrew(content["withdrew"])
    if "round" in content:
        matches = tuple(Match(slot, tuple(company)) for slot, company in content["matches"])
        return Drawn(content["round"], matches, frozenset(content["among"]))
    placed = content["placed"]
    ending = None if placed is None else dict(placed)
    return Ended(match(content), content["game"], ending, content["for_good"])


def match(content: Mapping[str, Any]) -> Match:
    """The match of a table, or of an ending."""
    return Match(content["slot"], tuple(content["company"]))


def key(stage: int, one: Wanted) -> str:
    """Names a game of a match: the slot, its company, the number of the game."""
    company = ".".join(map(str, one.match.company))
    return f"{stage}/{one.match.slot}/{company}/{one.game}"
