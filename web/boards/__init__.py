"""How each game's match is told on a page; a game without a board of its own gets the plain one."""

from web.boards.beanstalk import BeanstalkBoard
from web.boards.board import Board
from web.boards.morumori import MorumoriBoard
from web.boards.mushi import MushiBoard
from web.boards.seimi import SeimiBoard

BOARDS: dict[str, Board] = {
    "mushi": MushiBoard(),
    "morumori": MorumoriBoard(),
    "seimi": SeimiBoard(),
    "beanstalk": BeanstalkBoard(),
}


def board_of(game: str) -> Board:
    """The game's board, or the plain one."""
    return BOARDS.get(game, Board())
