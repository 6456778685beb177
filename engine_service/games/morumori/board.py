"""What lies on the table, and what follows from it without a move."""

from collections.abc import Mapping

from engine_service.core.game import Chance, IllegalMove, MoveError, NotYourTurn, Over, State, Turn
from engine_service.games.morumori.config import Rules
from engine_service.games.morumori.draws import FIRSTS
from engine_service.games.morumori.faces import GONE, NUMBERS
from engine_service.games.morumori.moves import SCATTER, TAKE, format_move
from engine_service.games.morumori.phases import FIRST


class Board(State):
    """The fields of a position.

    ``codes`` are the legal moves of the seat that decides, empty where none does; in a
    flip they are ``down`` itself, for a flip's code is its slot. ``waiting`` is what has to happen
    next. ``faces`` has the face of every slot, GONE where the card has left. ``down`` are the
    face-down slots ascending, ``up`` the face-up ones in the order they were turned. ``mixed``
    are the slots to be scattered, ``owed`` how many companions have still to join them.
    ``discard`` and ``piles`` hold faces in the order they left; ``turn`` counts complete
    turns, ``start`` is the seat that began the match, ``lives`` are the Good ones.
    """

    __slots__ = (
        "codes",
        "discard",
        "down",
        "end",
        "faces",
        "lives",
        "mixed",
        "owed",
        "phase",
        "piles",
        "player",
        "rules",
        "seats",
        "start",
        "target",
        "total",
        "turn",
        "up",
        "waiting",
    )

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.phase: int = FIRST
        self.waiting: Turn | Chance | Over = FIRSTS[seats]
        self.codes: list[int] = []
        self.faces: list[int] = []
        self.down: list[int] = []
        self.up: list[int] = []
        self.mixed: list[int] = []
        self.owed: int = 0
        self.start: int = 0
        self.player: int = 0
        self.turn: int = 0
        self.target: int = 1
        self.total: int = 0
        self.lives: int = rules.lives
        self.discard: list[int] = []
        self.piles: list[list[int]] = [[] for _ in range(seats)]
        self.end: str = ""

    def decides(self) -> int:
        """The seat that owes a decision; -1: none does."""
        return self.player if self.codes else -1

    def good_lives(self) -> int | None:
        """As events and views have it: None in versus."""
        return self.lives if self.rules.coop else None

    def table(self) -> list[int]:
        """The slots that hold a card, ascending."""
        return sorted(self.down + self.up)

    def takes(self) -> list[int]:
        """The codes that take a turned-up number card."""
        faces = self.faces
        return sorted([TAKE + slot for slot in self.up if faces[slot] < NUMBERS])

    def companions(self) -> list[int]:
        """The codes that add a card to those that will be mixed."""
        return [SCATTER + slot for slot in self.table() if slot not in self.mixed]

    def scores(self) -> list[int]:
        """In coop the houses reached, the same for every seat; else the sums of the piles."""
        if self.rules.coop:
            return [self.target - 1] * self.seats
        return [sum(pile) + len(pile) for pile in self.piles]  # a face is its number less one

    def ranks(self) -> list[int]:
        """In coop all are first; else by sum, then cards, then the later seat from the start player."""
        if self.rules.coop:
            return [0] * self.seats
        scores = self.scores()
        keys = [(scores[seat], len(self.piles[seat]), self.lateness(seat)) for seat in range(self.seats)]
        return [sum([other > key for other in keys]) for key in keys]

    def lateness(self, seat: int) -> int:
        """How many seats after the start player this one plays."""
        return (seat - self.start) % self.seats

    def remove(self, slot: int) -> int:
        """Take the turned-up card of a slot off the table; its face."""
        face = self.faces[slot]
        self.faces[slot] = GONE
        self.up.remove(slot)
        return face

    def not_your_turn(self, seat: int) -> NotYourTurn:
        """What to raise where that seat is asked for a decision."""
        decides = self.decides()
        waits = f"seat {decides} alone decides" if decides >= 0 else "no seat decides"
        return NotYourTurn(f"seat {seat} owes no decision; {waits} now")

    def refusal(self, moves: Mapping[int, int]) -> MoveError:
        """What to raise where these moves may not be played, saying which may."""
        decides = self.decides()
        strangers = [seat for seat in moves if seat != decides or seat < 0]
        if strangers or not moves:
            return self.not_your_turn(strangers[0] if strangers else -1)
        legal = [format_move(code) for code in self.codes]
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return IllegalMove(f"seat {decides} may not play that now; it may play: {', '.join(legal[:8])}{more}")
