"""Re-runs a replay and checks everything in it: rules, chance, seed, scores, hash.

The first thing that does not follow is raised as a :class:`Lie` that names its line.
"""

import hashlib
from collections.abc import Iterator, Mapping

from engine_service.core.chance import Seeded
from engine_service.core.evidence import Outcomes, decide
from engine_service.core.game import Chance, Game, Over, Sighting, State, Turn
from engine_service.core.heading import End, Header
from engine_service.core.notation import notation_of
from engine_service.core.reading import Lie, Line, read, show, split
from engine_service.core.record import Decided, Drawn, Event

__all__ = ["Header", "Lie", "Step", "Verified", "Walk", "verify", "walk"]


class Step:
    """One step of a match: what happened, what was shown, and the position it led to.

    ``n`` is the number of the event (of its last line, if chance was written in several).
    ``state`` is the walk's own and moves on with it: copy it to keep it.
    """

    def __init__(self, n: int, event: Event, sightings: list[Sighting], state: State) -> None:
        self.n = n
        self.event = event
        self.sightings = sightings
        self.state = state


class Verified:
    """A replay in which everything follows. ``forfeited``: the seats that the clock played to the end."""

    def __init__(self, header: Header, end: End, moves: int, forfeited: set[int]) -> None:
        self.match = header.match
        self.game = header.game.card.id
        self.variant = header.variant
        self.config = header.config
        self.seats = header.seats
        self.players = header.players
        self.end = end.end
        self.scores = end.scores
        self.ranks = end.ranks
        self.seed = end.seed
        self.moves = moves
        self.forfeited = sorted(forfeited)


class Walk:
    """A replay being re-run: :attr:`header`, :attr:`state` (at first the start), then :meth:`steps`."""

    def __init__(self, data: bytes, games: Mapping[str, Game]) -> None:
        """Reads first and last line. Lie if they do not hold together."""
        self._raw = split(data)
        self.header = Header(self._line(0), games)
        self.end = End(self._line(len(self._raw) - 1), self.header)
        game = self.header.game
        self.state = game.new(self.header.variant, self.header.config, self.header.seats)
        self.moves = 0
        self.forfeited: set[int] = set()
        self._notation = notation_of(game)
        self._chance = Seeded(self.end.seed)
        self._outcomes: Outcomes | None = None
        self._read = 0

    def steps(self) -> Iterator[Step]:
        """Every step in order, once; Lie at the first that does not follow."""
        while True:
            pending = self.state.pending()
            if isinstance(pending, Chance):
                yield self._fall(pending)
            elif isinstance(pending, Turn):
                yield self._decide(pending)
            else:
                self._finish(pending)
                return

    def _line(self, index: int) -> Line:
        return read(index + 1, self._raw[index])

    def _next(self, due: str) -> Line:
        """The next event's line; ``due`` says what the rules have happen now."""
        if self._read == len(self._raw) - 2:
            raise self.end.line.lie(f"the replay ends here, but {due}")
        line = self._line(self._read + 1)
        if line.value.get("n") != self._read or isinstance(line.value["n"], bool):
            raise line.lie(f"n is {show(line.value.get('n'))}; it should be {self._read}")
        self._read += 1
        return line

    def _fall(self, chance: Chance) -> Step:
        outcome = self._chance.draw(chance.stream, chance.sizes)
        places = [self._take(chance, index, size) for index, size in zip(outcome, chance.sizes, strict=True)]
        reading = self.state.reading(outcome) if outcome else {}
        for i, (outcomes, at) in enumerate(places):
            outcomes.check_reading(at, reading, i)
        sightings = self.state.resolve(outcome)
        return self._step(Drawn(chance.stream, chance.sizes, outcome, reading), sightings)

    def _take(self, chance: Chance, index: int, size: int) -> tuple[Outcomes, int]:
        if self._outcomes is None or not self._outcomes.left:
            due = f"the rules draw from {chance.stream!r}"
            line = self._next(due)
            if "chance" not in line.value:
                raise line.lie(f"no outcome stands here, but {due}")
            self._outcomes = Outcomes(line)
        return self._outcomes, self._outcomes.take(chance, index, size)

    def _decide(self, turn: Turn) -> Step:
        self._check_spent()
        owed = " and ".join(f"seat {seat}" for seat in sorted(turn.seats))
        line = self._next(f"a decision is owed by {owed}")
        if "moves" not in line.value:
            raise line.lie(f"no decision stands here, but one is owed by {owed}")
        decided = decide(line, turn, self.state, self._notation, self.forfeited)
        self.moves += len(decided.moves)
        return self._step(decided, self.state.play(decided.moves))

    def _step(self, event: Drawn | Decided, sightings: list[Sighting]) -> Step:
        return Step(self._read - 1, event, sightings, self.state)

    def _check_spent(self) -> None:
        if self._outcomes is not None:
            self._outcomes.check_spent()

    def _finish(self, over: Over) -> None:
        self._check_spent()
        if self._read < len(self._raw) - 2:
            raise Lie(
                self._read + 2, f"the match is over ({over.end}) before this line; it should be the end"
            )
        end = self.end
        if end.end != over.end:
            raise end.line.wrong("end", repr(over.end))
        if end.scores != over.scores:
            raise end.line.wrong("scores", str(over.scores))
        if end.ranks != over.ranks:
            raise end.line.wrong("ranks", str(over.ranks))
        digest = _digest(self._raw[:-1])
        if end.hash != digest:
            raise end.line.wrong("hash", f"{digest}, the SHA-256 of the lines before")


def verify(lines: bytes, games: Mapping[str, Game]) -> Verified:
    """What a replay came to. Raises Lie, and nothing else, if anything in it does not follow."""
    walk_of = Walk(lines, games)
    for _ in walk_of.steps():
        pass
    return Verified(walk_of.header, walk_of.end, walk_of.moves, walk_of.forfeited)


def walk(lines: bytes, games: Mapping[str, Game]) -> Walk:
    """A replay to be told step by step, each checked before it is given; Lie as for :func:`verify`."""
    return Walk(lines, games)


def _digest(lines: list[bytes]) -> str:
    return hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
