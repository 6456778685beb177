"""A gameday from its seed to its verdict."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from random import Random

from mamenoki.operate.gameday.faults import FAULTS, lease_s, strike
from mamenoki.operate.gameday.ground import Ground
from scheduler.auditing import audit
from storage import figures
from storage.database import now_ms
from storage.errors import StorageError
from storage.invariants import Broken

Say = Callable[[str], None]

RECOVERY_S = 120.0
"""Beside its leases, what a stack may take after a fault until it ends a table again."""
PAUSE_S = (0.5, 4.0)
"""Between its recovery and the next fault, at least and at most."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``seed`` decides which faults come in which order. The day lasts ``seconds``, and on until every
    fault had ``each`` turns and so many ``tables`` have ended. ``calm_s``: what the last tables may
    take when the faults are over."""

    seed: int
    seconds: float
    tables: int = 0
    each: int = 0
    faults: Sequence[str] = tuple(FAULTS)
    calm_s: float = 180.0


@dataclass(slots=True)
class Verdict:
    """What came of it. ``lost``: tables planned before the last fault was over that never ended;
    ``twice``: tables that are rated more than once. ``slowest_s``: the longest recovery.
    """

    seed: int
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    impossible: set[str] = field(default_factory=set)
    stuck_after: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    planned: int = 0
    done: int = 0
    void: int = 0
    lost: int = 0
    twice: int = 0
    attempts: dict[str, int] = field(default_factory=dict)
    voids: dict[str, int] = field(default_factory=dict)
    broken: list[Broken] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Nothing lost, nothing twice, no promise broken, never stuck; and something was done at all."""
        return bool(self.done and self.faults) and not (
            self.lost or self.twice or self.stuck_after or any(one.count for one in self.broken)
        )


def play(ground: Ground, plan: Plan, say: Say) -> Verdict:
    """Breaks the stack until the day is over, lets it come to rest and counts. Bounded in time."""
    return _Day(ground, plan, say).run()


class _Day:
    def __init__(self, ground: Ground, plan: Plan, say: Say) -> None:
        self._ground = ground
        self._plan = plan
        self._say = say
        self._verdict = Verdict(plan.seed)
        self._began = time.monotonic()
        self._since = self._now()
        self._lease_s = lease_s(ground)

    def run(self) -> Verdict:
        dice = Random(self._plan.seed)
        least = self._plan.each * len(self._plan.faults)
        for turn, name in enumerate(_order(self._plan.faults, dice)):
            if turn >= least and self._is_over():
                break
            self._strike(name, dice)
        until = self._now()
        self._say(f"{self._clock()} no more faults; the last tables are played")
        self._ground.until(lambda: self._open(until) == 0, self._plan.calm_s + 3 * self._lease_s)
        self._count(until)
        return self._verdict

    def _strike(self, name: str, dice: Random) -> None:
        done = strike(FAULTS[name], self._ground, dice)
        pause = dice.uniform(*PAUSE_S)
        if not done:
            self._verdict.impossible.add(name)
            self._ground.wait(PAUSE_S[0])
            return
        self._verdict.faults[name] += 1
        struck, at = time.monotonic(), self._now()
        if not self._ground.until(lambda: self._ended_since(at) > 0, RECOVERY_S + 3 * self._lease_s):
            self._verdict.stuck_after.append(name)
        recovery = time.monotonic() - struck
        self._verdict.slowest_s = max(self._verdict.slowest_s, recovery)
        self._say(f"{self._clock()} {done}; the next table ended after {recovery:.1f} s")
        self._ground.wait(pause)

    def _is_over(self) -> bool:
        """Whether the day is over; a day that wants tables has three times its length for them at most."""
        spent = time.monotonic() - self._began
        enough = self._plan.tables == 0 or self._ended_since(self._since) >= self._plan.tables
        return spent >= self._plan.seconds and (enough or spent >= 3 * self._plan.seconds)

    def _count(self, until: int) -> None:
        verdict, database = self._verdict, self._ground.database
        with database.reading() as tx:
            states = figures.states_of_planned(tx, self._since, until)
            faults = figures.faults_since(tx, self._since)
            verdict.twice = figures.rated_twice(tx)
        verdict.planned = sum(states.values())
        verdict.done, verdict.void = states.get("done", 0), states.get("void", 0)
        verdict.lost = verdict.planned - verdict.done - verdict.void
        verdict.attempts, verdict.voids = faults.attempts, faults.voids
        verdict.broken = audit(database, late_ms=int(1000 * (3 * self._lease_s + 10)))
        verdict.seconds = time.monotonic() - self._began

    def _open(self, until: int) -> int:
        try:
            with self._ground.database.reading() as tx:
                states = figures.states_of_planned(tx, self._since, until)
        except StorageError:  # it has been struck, and comes back
            return -1
        return states.get("planned", 0) + states.get("running", 0)

    def _ended_since(self, since: int) -> int:
        try:
            with self._ground.database.reading() as tx:
                return figures.ended_since(tx, since)
        except StorageError:  # as above
            return 0

    def _now(self) -> int:
        """The database's time, as soon as it can be asked."""
        found: list[int] = []

        def asked() -> bool:
            try:
                with self._ground.database.reading() as tx:
                    found.append(now_ms(tx))
            except StorageError:
                return False
            return True

        if not self._ground.until(asked, RECOVERY_S):
            raise TimeoutError(f"the database could not be read for {RECOVERY_S:.0f} s")
        return found[0]

    def _clock(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
        return f"{minutes:02}:{seconds:02}"


def _order(faults: Sequence[str], dice: Random) -> "chain[str]":
    """All of them in a drawn order, then in another, for ever."""
    return chain.from_iterable(dice.sample(list(each), len(each)) for each in repeat(faults))
