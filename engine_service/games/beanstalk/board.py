"""What lies on the table, and what follows from it without a move.

A *participant* is a seat, or the NPC, which has the number after the last seat. Sets of
participants are bit masks. The decks are known by their mix alone: what has been shuffled
and never looked at has no order until it is drawn.
"""

from collections.abc import Mapping

from engine_service.core.game import Chance, IllegalMove, MoveError, NotYourTurn, Over, State, Turn
from engine_service.games.beanstalk.config import Rules
from engine_service.games.beanstalk.draws import SUPPORTS
from engine_service.games.beanstalk.events import NOBODY_HUMAN
from engine_service.games.beanstalk.moves import DRAWS, FULL_HAND, HANDS, format_move
from engine_service.games.beanstalk.phases import COMMIT, DRAW, SUPPORT
from engine_service.games.beanstalk.treasures import COVERED, total


class Board(State):
    """The fields of a position; cards are packed as :mod:`.treasures` says, hands as :mod:`.moves`.

    ``support`` are the numbers from left to right, ``cards`` what each participant has played
    in this turn (empty before), ``movers`` who has played a number alone (-1: nobody), ``batted``
    who is batted. ``falling`` is who goes down. ``held`` are drawn cards, ``loot`` those under
    the thieves. ``armed`` counts the thieves that may steal in this turn, ``fresh`` those of the
    next one, a byte a participant; ``storm`` is whose tornado blows in this turn, ``brewing`` in
    the next (-1: none). ``slot`` is how many support slots have had their move, ``drawer`` who
    draws or has drawn last, ``drawers`` who else the tornado still lets draw, ``deck`` the
    deck drawn from, ``steps`` what is left of the drawer's move.

    ``support``, ``cards``, ``movers`` and ``drawers`` are never changed, but replaced.
    """

    __slots__ = (
        "armed",
        "batted",
        "brewing",
        "cards",
        "deck",
        "decks",
        "drawer",
        "drawers",
        "end",
        "falling",
        "fresh",
        "hands",
        "held",
        "loot",
        "movers",
        "participants",
        "phase",
        "points",
        "ranks",
        "rules",
        "seats",
        "slot",
        "squares",
        "steps",
        "storm",
        "support",
        "turn",
        "waiting",
    )

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.participants: int = seats + 1 if seats == 2 else seats
        self.phase: int = SUPPORT
        self.waiting: Turn | Chance | Over = SUPPORTS
        self.turn: int = 0
        self.support: list[int] = []
        self.cards: list[int] = []
        self.movers: list[int] = []
        self.batted: int = 0
        self.falling: int = 0
        self.armed: int = 0
        self.fresh: int = 0
        self.storm: int = -1
        self.brewing: int = -1
        self.slot: int = 0
        self.drawer: int = -1
        self.drawers: list[int] = []
        self.deck: int = 0
        self.steps: int = 0
        self.end: str = ""
        self.ranks: list[int] = []
        self.hands: list[int] = []
        self.squares: list[int] = []
        self.held: list[int] = []
        self.loot: list[int] = []
        self.points: list[int] = []
        self.decks: list[int] = []

    def set_up(self) -> None:
        """Everybody on the ground with full hands, nothing drawn yet."""
        participants = self.participants
        self.hands = [FULL_HAND] * participants
        self.squares = [0] * participants
        self.held = [0] * participants
        self.loot = [0] * participants
        self.points = [0] * participants
        self.decks = [self.rules.stable, self.rules.gamble]

    def who(self, participant: int) -> int:
        """A participant as :mod:`.events` wants it."""
        return participant if participant < self.seats else NOBODY_HUMAN

    def members(self, mask: int) -> list[int]:
        """The participants of a set, ascending."""
        return [one for one in range(self.participants) if mask >> one & 1]

    def scores(self) -> list[int]:
        return self.points[: self.seats]

    def decides(self) -> list[int]:
        """The seats that owe a decision."""
        waiting = self.waiting
        return waiting.seats[:] if isinstance(waiting, Turn) else []

    def draw_codes(self) -> list[int]:
        """The decks that may be chosen: those that have cards."""
        stable, gamble = self.decks
        return DRAWS[(1 if stable else 0) + (2 if gamble else 0)]

    def codes(self, seat: int) -> list[int]:
        """The legal moves of a seat; none if it owes no decision. Not to be changed."""
        if self.phase == COMMIT and 0 <= seat < self.seats:
            return HANDS[self.hands[seat]]
        if self.phase == DRAW and seat == self.drawer:
            return self.draw_codes()
        return []

    def pool_size(self, owner: int) -> int:
        """How many cards a thief of ``owner`` may take from the others that are batted with it."""
        card = self.cards[owner]
        size = 0
        for other in range(self.participants):
            if other != owner and self.cards[other] == card:
                size += total(self.held[other] & COVERED)
        return size

    def victim_at(self, owner: int, index: int) -> tuple[int, int]:
        """Whose card lies at ``index`` of the pool of ``owner``'s thief, and at which index of his."""
        card = self.cards[owner]
        for other in range(self.participants):
            if other != owner and self.cards[other] == card:
                size = total(self.held[other] & COVERED)
                if index < size:
                    return other, index
                index -= size
        raise IndexError(f"the thief of {owner} finds only {self.pool_size(owner)} cards")

    def thief(self) -> int:
        """Whose armed thief is next: the lowest number."""
        owner = 0
        while not self.armed >> 8 * owner & 0xFF:
            owner += 1
        return owner

    def rank_winners(self, winners: list[int]) -> list[int]:
        """The winners first, of several those with most points; the rest by points."""
        points = self.points
        most = max([points[seat] for seat in winners])
        best = [seat for seat in winners if points[seat] == most]
        return self._rank([1_000 * (seat in best) + points[seat] for seat in range(self.seats)])

    def rank_points(self) -> list[int]:
        return self._rank(self.scores())

    def rank_limit(self) -> list[int]:
        """By points, then the square nearer to ground, whatever the direction."""
        return self._rank([100 * self.points[seat] - self.squares[seat] for seat in range(self.seats)])

    def _rank(self, keys: list[int]) -> list[int]:
        return [sum([other > key for other in keys]) for key in keys]

    def not_your_turn(self, seat: int) -> NotYourTurn:
        """What to raise where that seat is asked for a decision."""
        decides = " and ".join([f"seat {one}" for one in self.decides()])
        waits = f"only {decides} decides" if decides else "no seat decides"
        return NotYourTurn(f"seat {seat} owes no decision; {waits} now")

    def refusal(self, moves: Mapping[int, int]) -> MoveError:
        """What to raise where these moves may not be played, saying which may."""
        decides = self.decides()
        for seat in moves:
            if seat not in decides:
                return self.not_your_turn(seat)
        for seat in decides:
            legal = self.codes(seat)
            if seat not in moves or moves[seat] not in legal:
                may = ", ".join([format_move(code) for code in legal])
                return IllegalMove(f"seat {seat} may not play that now; it may play: {may}")
        return self.not_your_turn(-1)
