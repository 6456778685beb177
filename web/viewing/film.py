"""A replay as frames: one pass through the rules, and every position is at hand.

A frame holds a whole position. What a viewer gets of it is built by the rules' own ``view``, never by
taking things away.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine_service.core.game import State, View
from engine_service.core.record import Decided, Drawn
from engine_service.core.replay import Step, walk
from engine_service.games import GAMES
from mamenoki.sdk.replays import WHY, short_names
from web.boards import board_of
from web.boards.board import Piece
from web.words import shown_name

KEPT = 8
"""So many films are kept in a process; the longest that a page shows takes some 30 MB."""

EVERYTHING = "all"
PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of what happened. ``audience``: the seats that were shown it; None: everybody."""

    sentence: str
    tone: str
    pieces: Sequence[Piece]
    audience: Sequence[int] | None

    def is_for(self, viewer: str) -> bool:
        """Whether a viewer was shown it: a seat's number, ``public`` or ``all``."""
        if self.audience is None or viewer == EVERYTHING:
            return True
        return viewer != PUBLIC and int(viewer) in self.audience


@dataclass(frozen=True, slots=True)
class Frame:
    """How a match stands after step ``n`` of its replay, and what happened in that step.

    ``turn`` counts as the match's story does, the set-up 0; ``player`` has it. ``faces``: what lies on each
    place of a game that lays its cards out face down.
    """

    n: int
    turn: int
    player: int | None
    state: State
    said: Sequence[Said]
    faces: Sequence[str] = ()


class Film:
    """All frames of a match, in order; there is at least one."""

    def __init__(self, game: str, names: Sequence[str], frames: Sequence[Frame]) -> None:
        self.game, self.names, self.frames = game, names, frames
        self._steps = [frame.n for frame in frames]

    @property
    def viewers(self) -> list[str]:
        """Through whose eyes it can be watched: the public's, each seat's, and all at once."""
        return [PUBLIC, *(str(seat) for seat in range(len(self.names))), EVERYTHING]

    def index(self, step: int) -> int:
        """Which frame shows a step of the replay; the first or the last for what is before or beyond."""
        return max(0, bisect_right(self._steps, step) - 1)

    def view(self, frame: Frame, viewer: str) -> View:
        """What a viewer could see at a frame."""
        if viewer == PUBLIC:
            return frame.state.view(None)
        if viewer != EVERYTHING:
            return frame.state.view(int(viewer))
        own = [frame.state.view(seat) for seat in range(len(self.names))]
        return board_of(self.game).lay_open(frame.state.view(None), own, frame.faces)


@lru_cache(maxsize=KEPT)
def film_of(replay: bytes) -> Film:
    """A replay's film, made once. Lie where the replay does not follow."""
    walked = walk(replay, GAMES)
    cutter = Cutter(walked.header.game.card.id, short_names(walked.header.players))
    frames: list[Frame] = []
    for step in walked.steps():
        frame = cutter.cut(step)
        if frames and frames[-1].n == frame.n:  # chance that nothing is written of belongs to what led to it
            said = [*frames.pop().said, *frame.said]
            frame = Frame(frame.n, frame.turn, frame.player, frame.state, said, frame.faces)
        frames.append(frame)
    return Film(cutter.game, cutter.names, frames)


class Cutter:
    """Makes a frame of each step of a walk."""

    def __init__(self, game: str, names: Sequence[str]) -> None:
        self.game, self.names = game, [shown_name(name) for name in names]
        self._board, self._tell = board_of(game), GAMES[game].tell
        self._turn, self._is_told = 0, False
        self._player: int | None = None
        self._faces: list[str] = []

    def cut(self, step: Step) -> Frame:
        """The frame of the next step."""
        if isinstance(step.event, Drawn):
            self._faces = self._board.lay_down(self._faces, step.event.stream, step.event.reading)
        said = [*self._clock(step), *self._events(step)]
        return Frame(max(0, step.n), self._turn, self._player, step.state.copy(), said, tuple(self._faces))

    def _events(self, step: Step) -> Iterator[Said]:
        for sighting in step.sightings:
            event = sighting.event
            if self._board.begins_turn(event):
                self._turn += self._is_told
                self._player = self._board.player_of_turn(event)
            self._is_told = True
            sentence = self._tell(event, self.names.__getitem__)
            yield Said(sentence, self._board.tone(event), self._board.pieces(event), sighting.audience)

    def _clock(self, step: Step) -> Iterator[Said]:
        if isinstance(step.event, Decided):
            for seat, why in step.event.why.items():
                yield Said(f"The clock moves for {self.names[seat]}: {WHY.get(why, why)}.", "clock", (), None)
