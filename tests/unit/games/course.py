"""Random matches of games in which one seat decides at a time and all is shown to everybody."""

import random
from collections.abc import Iterator

from engine_service.core.game import Over, State, Turn, View


def random_course(state: State, seed: int) -> Iterator[tuple[State, list[View]]]:
    """A match from ``state`` on, step by step: the position, which moves on, and all that has been told."""
    chance, told = random.Random(seed), list[View]()
    while True:
        yield state, told
        pending = state.pending()
        if isinstance(pending, Over):
            return
        if isinstance(pending, Turn):
            (seat,) = pending.seats
            sightings = state.play({seat: chance.choice(state.legal(seat))})
        else:
            sightings = state.resolve([chance.randrange(size) for size in pending.sizes])
        assert sightings
        assert all(sighting.audience is None for sighting in sightings)
        told += [sighting.event for sighting in sightings]
