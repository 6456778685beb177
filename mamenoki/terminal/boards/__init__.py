"""Boards for the terminal. A game's own stands in a module of its name, as ``BOARD``; the rest get the plain one."""

from importlib import import_module
from importlib.util import find_spec

from mamenoki.terminal.boards.board import Board


def board_of(game: str) -> Board:
    """The game's board, or the plain one."""
    module = f"{__name__}.{game}"
    if not game.isidentifier() or find_spec(module) is None:
        return Board()
    board: Board = import_module(module).BOARD
    return board
