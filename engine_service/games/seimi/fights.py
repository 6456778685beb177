"""The fight with a monster: what is declared, who gets which token, what it costs."""

from engine_service.core.game import Sighting
from engine_service.games.seimi import events
from engine_service.games.seimi.board import Board
from engine_service.games.seimi.config import MONSTERS
from engine_service.games.seimi.rows import cards_of, row_ability, row_size, shorten


def fight(board: Board) -> list[Sighting]:
    """Fight the monster that is ahead, and find the next start player."""
    board.declared = [_declares(board, seat) for seat in range(board.seats)]
    ranking = _ranking(board)
    won = _award(board, ranking)
    removed = board.line[board.monster][len([value for value in won if value]) :]
    board.line[board.monster] = []
    losses = [_lose_cards(board, seat) for seat in range(board.seats) if won[seat]]
    # At the end the start player of the boss fight breaks ties, so nobody takes over.
    if board.declared[ranking[0]] and board.monster < MONSTERS - 1:
        board.start = ranking[0]
    return [
        events.declare(board.monster, board.declared),
        events.award(board.monster, won, removed, board.start),
        *losses,
    ]


def _declares(board: Board, seat: int) -> int:
    return sum([row_size(row) for row in board.rows[4 * seat : 4 * seat + 4] if _counts(board, row)])


def _counts(board: Board, row: int) -> bool:
    """Whether there is a row and its ability is effective against the monster."""
    return row > 0 and board.rules.effective[board.monster] >> row_ability(row) & 1 == 1


def _ranking(board: Board) -> list[int]:
    """The seats by what they declared, equal ones by their distance from the start player."""
    keys = [(-board.declared[seat], board.distance(seat), seat) for seat in range(board.seats)]
    return [seat for _, _, seat in sorted(keys)]


def _award(board: Board, ranking: list[int]) -> list[int]:
    """Give the tokens out, the highest first, never to the last; what each seat won, 0 for nothing."""
    won = [0] * board.seats
    for seat, value in zip(ranking[:-1], board.line[board.monster], strict=True):
        if board.declared[seat]:
            won[seat] = value
            board.tokens[seat] = [*board.tokens[seat], value]
    return won


def _lose_cards(board: Board, seat: int) -> Sighting:
    """The last card of each effective row, and Parents that would be left alone."""
    gone: list[int] = []
    for kind in range(4):
        row = board.rows[4 * seat + kind]
        if _counts(board, row):
            rest = shorten(row)
            board.rows[4 * seat + kind] = rest
            gone += cards_of(kind, row)[:1] if rest else cards_of(kind, row)
    board.discards += gone
    return events.loss(seat, gone)
