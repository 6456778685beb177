"""The course of one match: the position, its chance, its log, what has been shown."""

from engine_service.core import record
from engine_service.core.chance import Seeded
from engine_service.core.game import Chance, Game, Over, Sighting, State, Turn, View
from engine_service.core.notation import notation_of
from engine_service.core.record import Decided, Drawn, Event


class Course:
    """Draws chance until a decision is due, takes decisions, and writes all of it down."""

    def __init__(self, header: View, game: Game, state: State, seed: bytes) -> None:
        self.state = state
        self.log: list[Event] = []
        self.shown: list[tuple[int, View]] = []
        self.over: Over | None = None
        self.turn: Turn | None = None
        self.answers = 0
        self._header = header
        self._notation = notation_of(game)
        self._seed = seed
        self._chance = Seeded(seed)
        self._audiences: list[list[int] | None] = []
        self._any_private = False

    def advance(self) -> None:
        """Let chance fall until a turn is pending or the match is over."""
        while self.turn is None and self.over is None:
            pending = self.state.pending()
            if isinstance(pending, Turn):
                self.turn = pending
            elif isinstance(pending, Chance):
                self._fall(pending)
            else:
                self.over = pending

    def play(self, moves: dict[int, int], ms: dict[int, int], why: dict[int, str]) -> None:
        """Play the pending turn: a code for each of its seats."""
        if len(moves) > 1:  # in seat order, so that the order of arrival can make no difference
            moves, ms, why = dict(sorted(moves.items())), dict(sorted(ms.items())), dict(sorted(why.items()))
        self.turn = None
        self.answers += len(moves)
        self.log.append(Decided(moves, ms, why))
        self._show(self.state.play(moves))

    def sightings(self, seat: int | None, since: int) -> list[tuple[int, View]]:
        """The sightings from number ``since`` that the seat (None: a spectator) was shown."""
        since = max(0, since)
        if not self._any_private:
            return self.shown[since:]
        return [
            shown
            for shown, audience in zip(self.shown[since:], self._audiences[since:], strict=True)
            if audience is None or seat in audience
        ]

    def replay(self, over: Over) -> bytes:
        """The record of the match, which ended so."""
        return record.write(self._header, self.log, over, self._seed, self._notation)

    def _fall(self, chance: Chance) -> None:
        outcome = self._chance.draw(chance.stream, chance.sizes)
        if outcome:
            self.log.append(Drawn(chance.stream, chance.sizes, outcome, self.state.reading(outcome)))
        self._show(self.state.resolve(outcome))

    def _show(self, sightings: list[Sighting]) -> None:
        for sighting in sightings:
            self.shown.append((len(self.shown), sighting.event))
            self._audiences.append(sighting.audience)
            if sighting.audience is not None:
                self._any_private = True
