"""What a seat may see of a position. Everything but the deck's order and the heaps' mix.

Cards are ``[R, Y, G, B]``, dice ``[R, Y, G, B, =]``, each a count.
"""

from engine_service.core.game import View
from engine_service.games.mushi.board import Board
from engine_service.games.mushi.counts import CARDS, DICE, total
from engine_service.games.mushi.phases import FIRST, OVER, PHASES, TARGETS


def show(board: Board, seat: int | None) -> View:
    """The view; all seats and spectators see the same, but for ``seat``, who is looking.

    ``player`` has the turn (None before the start seat is drawn), ``decides`` owes a
    decision (None: chance, or the end). ``catch`` belongs to ``owner``, ``caught`` is
    what the player has won so far in this turn, ``rolling`` are the dice chosen and not
    yet fallen, ``owed`` the fewest cards that the boost must move.
    """
    choices = board.choices
    phase = choices.phase
    return {
        "seat": seat,
        "state": PHASES[phase],
        "turn": board.turn,
        "player": None if phase == FIRST else board.player,
        "decides": board.seat if choices.codes else None,
        "target": TARGETS[board.target],
        "rolls": board.rolls,
        "rolling": [*DICE[board.rolling()]],
        "owed": choices.owed,
        "deck": total(board.deck),
        "hub": [*CARDS[board.hub]],
        "catch": [*CARDS[board.catch]],
        "owner": board.owner() if board.catch else None,
        "caught": [*CARDS[board.caught]],
        "dice": [*DICE[board.dice.counts]],
        "yards": [[*CARDS[yard]] for yard in board.yards],
        "heaps": board.scores(),
        "end": board.end if phase == OVER else None,
        "ranks": board.ranks() if phase == OVER else None,
    }
