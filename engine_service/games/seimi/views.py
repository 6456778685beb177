"""What a seat may see of a position: its own hand and tokens, and all that lies open."""

from engine_service.core.game import View
from engine_service.games.seimi.board import Board
from engine_service.games.seimi.cards import ABILITIES, KINDS, names
from engine_service.games.seimi.phases import FIRST, OVER, PHASES
from engine_service.games.seimi.rows import is_led, row_ability, row_size


def show(board: Board, seat: int | None) -> View:
    """The view. Cards are texts in canonical order; hands and won tokens of others are only counted.

    ``decides`` owes a decision (None: chance, or the end). ``monster`` (from 1) is ahead;
    ``step`` counts on the road to it and is one beyond its length before the monster.
    """
    phase, seats = board.phase, board.seats
    decides = board.decides()
    return {
        "seat": seat,
        "state": PHASES[phase],
        "start": None if phase == FIRST else board.start,
        "decides": decides if decides >= 0 else None,
        "served": board.served,
        "takes": board.takes,
        "monster": board.monster + 1,
        "step": board.step,
        "roads": board.roads[:],
        "line": [values[:] for values in board.line],
        "deck": len(board.deck),
        "discards": len(board.discards),
        "field": names(board.cards_at(seats)),
        "hand": None if seat is None else names(board.cards_at(seat)),
        "hands": board.sizes[:seats],
        "rows": [_rows(board, owner) for owner in range(seats)],
        "tokens": None if seat is None else board.tokens[seat][:],
        "won": [len(tokens) for tokens in board.tokens],
        "declared": board.declared[:] if board.declared else None,
        "scores": board.scores() if phase == OVER else None,
        "ranks": board.ranks() if phase == OVER else None,
    }


def _rows(board: Board, owner: int) -> list[View]:
    rows = board.rows[4 * owner : 4 * owner + 4]
    return [_row(kind, row) for kind, row in enumerate(rows) if row]


def _row(kind: int, row: int) -> View:
    return {
        "kind": KINDS[kind],
        "ability": ABILITIES[row_ability(row)],
        "cards": row_size(row),
        "parents": is_led(row),
    }
