"""Makes the golden replays that are not there yet; never touches one that is.

``python -m tests.golden.make``: for every game's rules version a match of every variant and
seat count under usual settings, and some rough ones under odd settings, in which seats run
out of time, blunder, leave and die. Read what it made before committing it.
"""

import hashlib
import random
import sys
from contextlib import suppress
from pathlib import Path

from engine_service.core.clock import Limits
from engine_service.core.game import Config, MoveError, configure
from engine_service.core.referee import Referee
from engine_service.games import find
from tests.laws.cases import CASES, Case

HERE = Path(__file__).parent
BOT = Limits(first_ms=10_000, move_ms=2_000, bank_ms=5_000, grace_ms=4_000)
PERSON = Limits(first_ms=10_000, move_ms=2_000, bank_ms=5_000, grace_ms=4_000, may_forfeit=False)


def annotated(title: str, name: str, seats: int, changes: Config) -> Case:
    """A case of ``mushi/standard``, say, whose settings make it short enough to be told."""
    game, variant = find(name)
    return Case(f"{game.card.id}/{title}", game, variant.name, seats, configure(variant, changes))


ANNOTATED = [
    annotated("annotated-2", "mushi/standard", 2, {"copies": 5, "hub_start": 8}),
    annotated("annotated-3", "seimi/standard", 3, {"copies": 1, "parents": 2, "hand": 2, "field": 2}),
    annotated(
        "annotated-3",
        "morumori/versus",
        3,
        {
            "mix": {
                "1": 4,
                "2": 4,
                "3": 3,
                "4": 2,
                "5": 1,
                "6": 0,
                "7": 0,
                "8": 0,
                "9": 0,
                "=": 1,
                "x2": 1,
                "0": 1,
                "miss": 1,
            },
            "peek": 4,
            "versus_target": 5,
        },
    ),
    annotated(
        "annotated-3",
        "beanstalk/standard",
        3,
        {"n": 8, "win_points": 4, "stable": {"silver": 3, "thief": 2}},
    ),
]
"""Short matches that ``<game>/README.md`` tells line by line."""


def plan() -> list[Case]:
    """The matches there are to be: all usual ones, and of each odd setting the fewest and the most seats."""
    most = {(case.game, case.variant): case.seats for case in CASES}
    fewest = {(case.game, case.variant): case.seats for case in reversed(CASES)}
    odd = [case for case in CASES if "odd" in case.name]
    rough = [
        case
        for case in odd
        if case.seats in (2, fewest[case.game, case.variant], most[case.game, case.variant])
    ]
    return [*ANNOTATED, *(case for case in CASES if case not in odd), *rough]


def path_of(case: Case) -> Path:
    """Where a case's replay stands."""
    card = case.game.card
    return HERE / card.id / f"rules-{card.rules}" / f"{case.name.removeprefix(f'{card.id}/')}.jsonl"


class Player:
    """Plays all seats of a match, moderately sensibly; in odd settings with mishaps."""

    def __init__(self, case: Case) -> None:
        self.rough = "odd" in case.name
        self.dice = random.Random(case.name)
        self.now = 0
        self.referee = Referee(
            match=case.name.replace("/", "-"),
            game=case.game,
            variant=case.variant,
            config=case.config,
            seats=case.seats,
            players=[f"golden/player{seat}@1" for seat in range(case.seats)],
            seed=hashlib.sha256(f"golden/{case.name}".encode()).digest(),
            limits=[PERSON if seat % 2 else BOT for seat in range(case.seats)],
            now=0,
        )

    def play(self) -> bytes:
        """The finished match's replay."""
        while not self.referee.over:
            for seat in self.referee.fresh():
                self.answer(seat)
            self.pass_time()
        return self.referee.replay()

    def answer(self, seat: int) -> None:
        self.now += self.dice.randrange(1, 400)
        decision = self.referee.decision(seat)
        if decision is None or (self.rough and self.mishap(seat, decision.id)):
            return
        few = decision.legal[:1] if self.dice.random() < 0.5 else decision.legal
        self.referee.submit(seat, decision.id, self.dice.choice(few), self.now)

    def mishap(self, seat: int, decision: int) -> bool:
        luck = self.dice.random()
        if luck < 0.02:
            for _ in range(3):
                with suppress(MoveError):
                    self.referee.submit(seat, decision, "what?", self.now)
        elif luck < 0.05:
            self.referee.leave(seat, self.now)
        elif luck < 0.054:
            self.referee.forfeit(seat, "crash", self.now)
        return luck < 0.07  # beyond the crash: falls asleep

    def pass_time(self) -> None:
        due = self.referee.deadline()
        if due is not None and self.rough:
            self.now = max(self.now, due)
            self.referee.expire(self.now)
            for seat in range(self.referee.seats):
                self.referee.come(seat, self.now)


def main() -> None:
    for case in plan():
        path = path_of(case)
        if path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(Player(case).play())
        sys.stdout.write(f"made {path.relative_to(HERE)}\n")


if __name__ == "__main__":
    main()
