"""When somebody plays next: the estimate against the real matchmaker, and workers that take what it plans."""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field, replace
from random import Random
from statistics import fmean

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scheduler.domain.forecast import Pace, pace_of
from scheduler.domain.matchmaking import Entrant, Rules, plan
from scheduler.domain.queueing import Place, Service, place_of, waits
from tests.unit.scheduler.test_matchmaking import ALICE, HOUSE

RULES = Rules(2, 4, longest_wait_ms=60_000)
PLAN_MS = 2_000
LONGEST_MS = 1_800


def entrant(
    player: int, games: int = 0, waited_ms: int = 0, places: int = 1, **changes: frozenset[str]
) -> Entrant:
    return Entrant(player, changes.get("owners", HOUSE), games, waited_ms, 25.0 + player % 7, places)


def test_places_by_hand() -> None:
    field_ = [entrant(1, 5, 100), entrant(2, 5, 300), entrant(3, 2, 0, places=4), entrant(4, 9, 70_000)]
    places = {one.player: place_of(field_, RULES, one.player) for one in field_}
    assert places[4] == Place(1, 1.0, 1)  # starved
    assert places[3] == Place(2, 1 + 1 / 3, 2)
    assert places[2] == Place(3, 1 + 2 / 3, 5)  # 3 may be the anchor of three tables before
    assert places[1] == Place(4, 2.0, 6)


def test_equals_are_counted_as_ahead() -> None:
    assert place_of([entrant(one) for one in range(5)], RULES, 2) == Place(5, 1 + 4 / 3, 5)


def test_who_has_no_place_or_no_company_has_no_turn() -> None:
    assert place_of([entrant(1, places=0), entrant(2)], RULES, 1) is None
    assert place_of([entrant(1)], RULES, 2) is None
    assert place_of([entrant(1), entrant(2, places=0)], RULES, 1) is None
    both = [entrant(1, owners=ALICE), entrant(2, owners=ALICE)]
    assert place_of(both, RULES, 1) is None


@st.composite
def fields(draw: st.DrawFn) -> list[Entrant]:
    dice = Random(draw(st.integers(0, 2**32)))
    count = draw(st.integers(2, 60))
    return [
        replace(
            entrant(
                player, dice.randint(0, 4), dice.choice([0, 0, 500, 70_000 + player]), dice.randint(1, 3)
            ),
            owners=frozenset({f"owner-{player % 20}"}) if dice.random() < 0.5 else HOUSE,
        )
        for player in range(count)
    ]


@given(field_=fields(), most=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_the_matchmaker_never_takes_more_tables_than_is_said(
    field_: list[Entrant], most: int, seed: int
) -> None:
    rules = Rules(2, most, longest_wait_ms=60_000)
    tables = plan(field_, rules, 1_000, seed)
    for one in field_:
        place = place_of(field_, rules, one.player)
        came = next((at for at, table in enumerate(tables, 1) if one.player in table), None)
        if place is None:
            assert came is None
        elif came is not None:
            assert 1 <= came <= place.most
            assert 1 <= place.about <= place.most


@given(players=st.integers(12, 200), seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_about_as_many_tables_as_is_said(players: int, seed: int) -> None:
    """Over the whole field the estimate is neither too hopeful nor too gloomy: a fifth of the tables, no more."""
    dice = Random(seed)
    field_ = [entrant(player, 3, dice.randint(1, 50_000)) for player in range(players)]
    tables = plan(field_, RULES, 1_000, seed)
    came = {player: at for at, table in enumerate(tables, 1) for player in table}
    errors = [
        place.about - came[one.player]
        for one in field_
        if (place := place_of(field_, RULES, one.player)) and one.player in came
    ]
    assert abs(fmean(errors)) <= 1 + 0.2 * len(tables)


@dataclass
class Hall:
    """A ladder with its planner and its workers, from event to event, by the same rules as the service's."""

    dice: Random
    workers: int
    entrants: dict[int, Entrant]
    most_planned: int
    now: int = 0
    queue: deque[tuple[int, ...]] = field(default_factory=deque)
    in_play: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    began: dict[int, int] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)

    def tick(self) -> None:
        """One window of the planner, and all that is played until the next."""
        ready = [
            replace(one, waited_ms=self.now - self.since.get(player, 0) if one.places else 0)
            for player, one in self.entrants.items()
        ]
        for table in plan(ready, RULES, self.most_planned - len(self.queue), self.dice.getrandbits(32)):
            self.queue.append(table)
            for player in table:
                one = self.entrants[player]
                self.entrants[player] = replace(
                    one, games=one.games + 1, places=one.places - 1, last=frozenset(table) - {player}
                )
                self.since[player] = self.now
        self.now += PLAN_MS
        self._serve(self.now - PLAN_MS)

    def _serve(self, at: int) -> None:
        while True:
            while self.queue and len(self.in_play) < self.workers:
                self._begin(at)
            if not self.in_play or self.in_play[0][0] > self.now:
                return
            at, began, table = heapq.heappop(self.in_play)
            self.spans.append((began, at))
            for player in table:
                self.entrants[player] = replace(
                    self.entrants[player], places=self.entrants[player].places + 1
                )

    def _begin(self, at: int) -> None:
        table = self.queue.popleft()
        for player in table:
            self.began[player] = at
        heapq.heappush(self.in_play, (at + self.dice.randint(200, LONGEST_MS), at, table))

    def service(self) -> Service:
        queued = len(self.queue) + len(self.in_play)
        return Service(queued, self.most_planned - len(self.queue), PLAN_MS)


@given(
    players=st.integers(10, 120),
    workers=st.integers(1, 4),
    most=st.sampled_from([5, 20, 200]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=25)
def test_the_time_told_is_about_right(players: int, workers: int, most: int, seed: int) -> None:
    """Whoever asks at a random moment plays when it was told to: off by no more than a window, two of the
    longest tables, and as long as the tables take that are between the turn told and the latest one."""
    dice = Random(seed)
    hall = Hall(dice, workers, {player: entrant(player) for player in range(players)}, most)
    for _ in range(dice.randint(10, 40)):
        hall.tick()
    pace = pace_of(hall.spans)
    assert pace is not None
    waiting = [player for player, one in hall.entrants.items() if one.places > 0]
    assume(waiting)
    player = dice.choice(waiting)
    ready = [
        replace(one, waited_ms=hall.now - hall.since.get(key, 0) if one.places else 0)
        for key, one in hall.entrants.items()
    ]
    place = place_of(ready, RULES, player)
    assume(place is not None)
    assert place is not None
    asked, told = hall.now, waits(place, hall.service(), pace, by_worker=True)
    hall.began.pop(player, None)
    while player not in hall.began and hall.now < asked + 3_600_000:
        hall.tick()
    took = hall.began[player] - asked
    assert abs(took - told) <= PLAN_MS + 2 * LONGEST_MS + (place.most + 2) * pace.step_ms


def test_a_remote_player_waits_for_no_worker_but_for_room() -> None:
    place, pace = Place(7, 3.0, 7), Pace(100, 5_000.0, 1_000.0)
    busy = Service(200, 10, PLAN_MS)
    assert waits(place, busy, pace, by_worker=False) == 1_000
    assert waits(place, busy, pace, by_worker=True) == 1_000 + 203_000
    assert waits(place, replace(busy, room=1), pace, by_worker=False) == 3_000
    assert waits(place, busy, pace, tables_each=4, by_worker=False) == 1_000 + 2_000
