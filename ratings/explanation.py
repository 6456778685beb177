"""One plain sentence for every change of a rating."""

from collections.abc import Sequence
from dataclasses import dataclass

from .trueskill_model import Skill

CLEAR = 1.0
"""Means further apart than this call one player stronger than another."""

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table: where it was placed (0 best), and its skill before."""

    placement: int
    before: Skill


def explain(
    kind: str, before: Skill, after: Skill, mine: Seat | None = None, others: Sequence[Seat] = ()
) -> str:
    """Why a player's number moved, with the move: ``third of four behind two weaker players: -1.2``.

    ``kind``: of the ledger entry. ``mine`` and ``others``: the table, where there was one.
    """
    moved = _signed(after.shown - before.shown)
    if mine is not None:
        corrected = " (corrected)" if kind == "correction" else ""
        return f"{_placed(mine, others)}{corrected}: {moved}"
    return f"{_OTHERWISE.get(kind, kind)}: {moved}"


_OTHERWISE = {
    "new_version": "a new version, whose strength is less certain",
    "season_reset": "a new season, which goes part of the way back to the start",
    "correction": "an entry was corrected",
}


def _placed(mine: Seat, others: Sequence[Seat]) -> str:
    ahead = [seat for seat in others if seat.placement < mine.placement]
    level = [seat for seat in others if seat.placement == mine.placement]
    behind = [seat for seat in others if seat.placement > mine.placement]
    place = f"{'level ' if level else ''}{_PLACES[len(ahead)]} of {_NUMBERS[len(others) + 1]}"
    parts = [("behind", ahead), ("level with", level), ("ahead of", behind)]
    # Who came out on the other side than expected tells most; else who decided the place.
    told = [(word, seats) for word, seats in parts if seats]
    surprising = [(word, seats) for word, seats in told if _surprise(word, seats, mine)]
    word, seats = (surprising or told)[0]
    return f"{place} {word} {_company(seats, mine)}"


def _surprise(word: str, seats: Sequence[Seat], mine: Seat) -> bool:
    gaps = [seat.before.mean - mine.before.mean for seat in seats]
    if word == "behind":
        return min(gaps) < -CLEAR
    return word == "ahead of" and max(gaps) > CLEAR


def _company(seats: Sequence[Seat], mine: Seat) -> str:
    """``two weaker players``; ``three players`` if they are of both kinds."""
    kinds = {_strength(seat, mine) for seat in seats}
    kind = f"{kinds.pop()} " if len(kinds) == 1 else ""
    count = (
        "a"
        if len(seats) == 1 and not kind.startswith("e")
        else "an"
        if len(seats) == 1
        else _NUMBERS[len(seats)]
    )
    return f"{count} {kind}player{'' if len(seats) == 1 else 's'}"


def _strength(seat: Seat, mine: Seat) -> str:
    gap = seat.before.mean - mine.before.mean
    if abs(gap) <= CLEAR:
        return "equal"
    return "stronger" if gap > 0 else "weaker"


def _signed(move: float) -> str:
    text = f"{move:+.1f}"
    return "no change" if text in {"+0.0", "-0.0"} else text
