"""A finished match told in sentences, turn by turn, from its replay alone.

The replay is re-run by the rules, so every sentence shown has been checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine_service.core.game import Game, View
from engine_service.core.record import Decided
from engine_service.core.replay import Step, Walk, walk
from engine_service.games import GAMES
from mamenoki.sdk.replays import WHY, short_names
from web.boards import board_of
from web.boards.board import Board, Piece
from web.models import Named
from web.scenes import Story, StoryLine, StoryTurn
from web.words import shown_name


@lru_cache(maxsize=32)
def tell(replay: bytes, players: tuple[tuple[str, str], ...]) -> Story:
    """A match in turns, the set-up first as number 0. Raises Lie where the replay does not follow.

    ``players``: owner and name by seat, for the headings; sentences name them as the replay does, in short.
    """
    telling = walk(replay, GAMES)
    chapters = Chapters(telling, [Teller(*player) for player in players])
    for step in telling.steps():
        chapters.add(step)
    return chapters.close()


@dataclass(frozen=True, slots=True)
class Teller:
    """Whose turn is told."""

    owner: str
    name: str


class Chapters:
    """Gathers a walk's steps into turns, as the game's board divides them."""

    def __init__(self, telling: Walk, players: Sequence[Named]) -> None:
        self._game: Game = telling.header.game
        self._board: Board = board_of(self._game.card.id)
        self._players = players
        self._names = [shown_name(name) for name in short_names(telling.header.players)]
        self._turns: list[StoryTurn] = []
        self._lines: list[StoryLine] = []
        self._player: int | None = None
        self._view: View = {}

    def add(self, step: Step) -> None:
        """What was shown at a step; an event that begins a turn closes the one before."""
        events = [sighting.event for sighting in step.sightings]
        for event in events[:1]:
            self._turn_over(event)
        if isinstance(step.event, Decided):
            self._add_clock(step.n, step.event)
        for at, event in enumerate(events):
            if at:
                self._turn_over(event)
            self._add_event(step.n, event)
        self._view = step.state.view(None)

    def close(self) -> Story:
        """The whole of it, when the last step has been added."""
        self._end_turn()
        return Story(tuple(self._turns), self._view)

    def _turn_over(self, event: View) -> None:
        if self._board.begins_turn(event):
            self._end_turn()
            self._player = self._board.player_of_turn(event)

    def _end_turn(self) -> None:
        if self._lines:
            player = None if self._player is None else self._players[self._player]
            number = len(self._turns)
            after = self._board.standings(self._view, self._names)
            self._turns.append(StoryTurn(number, player, tuple(self._lines), tuple(after)))
            self._lines = []

    def _add_event(self, step: int, event: View) -> None:
        sentence = self._game.tell(event, self._names.__getitem__)
        self._add_line(step, sentence, self._board.tone(event), self._board.pieces(event))

    def _add_clock(self, step: int, decided: Decided) -> None:
        for seat, why in decided.why.items():
            reason = WHY.get(why, why)
            self._add_line(step, f"The clock moves for {self._names[seat]}: {reason}.", "clock", [])

    def _add_line(self, step: int, sentence: str, tone: str, pieces: list[Piece]) -> None:
        anchor = not self._lines or self._lines[-1].step != step
        self._lines.append(StoryLine(step, anchor, sentence, tone, tuple(pieces)))
