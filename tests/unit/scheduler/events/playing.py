"""Plays a stage to its end, as chance or a test's wish has it."""

from collections.abc import Callable, Sequence
from random import Random

from scheduler.domain.events.facts import Ended, Fact, Withdrew
from scheduler.domain.events.series import Wanted
from scheduler.domain.events.settings import Stage
from scheduler.domain.events.situation import Situation
from scheduler.domain.events.stage import look

SEED = "a published seed"
Referee = Callable[[Wanted], dict[int, int] | None]


def by_number(wanted: Wanted) -> dict[int, int]:
    """The lower number is always the better player."""
    return {one: place for place, one in enumerate(sorted(wanted.players))}


def play(entrants: int, stage: Stage, referee: Referee = by_number) -> tuple[list[Fact], Situation]:
    """All to the end; the facts, and the last situation."""
    facts: list[Fact] = []
    while True:
        now = look(range(entrants), stage, facts, SEED)
        if now.draw is not None:
            facts.append(now.draw)
        elif now.wanted:
            facts += [Ended(one.match, one.game, referee(one)) for one in now.wanted]
        else:
            assert now.is_over
            return facts, now


def play_wildly(
    entrants: int, stage: Stage, random: Random, who: Sequence[int] = (), before: Sequence[Fact] = ()
) -> tuple[list[Fact], Situation]:
    """With ties, voids and withdrawals at any moment, some games of a round before the others.

    ``who``: the entrants by seed, if they are not the first numbers; ``before``: what has happened.
    """
    field = who or range(entrants)
    facts: list[Fact] = [*before]
    ties, voids, leave = random.random() / 2, random.random() / 3, random.random() / 20
    left = {fact.entrant for fact in before if isinstance(fact, Withdrew)}
    while True:
        now = look(field, stage, facts, SEED)
        if now.draw is not None:
            facts.append(now.draw)
        elif not now.wanted:
            assert now.is_over
            return facts, now
        for one in random.sample(now.wanted, random.randint(min(1, len(now.wanted)), len(now.wanted))):
            assert stage.least <= len(one.players) <= stage.most
            assert not left & set(one.players) or now.draw
            facts.append(Ended(one.match, one.game, _placed(one, random, ties, voids)))
        gone = {one for one in field if random.random() < leave / 4}
        facts += [Withdrew(one) for one in sorted(gone - left)]
        left |= gone


def _placed(wanted: Wanted, random: Random, ties: float, voids: float) -> dict[int, int] | None:
    if random.random() < voids:
        return None
    order = random.sample(wanted.players, len(wanted.players))
    places = [0]
    for at in range(1, len(order)):
        places.append(places[-1] if random.random() < ties else at)
    return dict(zip(order, places, strict=True))
