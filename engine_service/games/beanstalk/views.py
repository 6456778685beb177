"""What a seat may see of a position: all but the others' face-down treasures and what is in the decks.

Lists of participants have seat 0 first and the NPC, if it plays, last.
"""

from engine_service.core.game import Json, View
from engine_service.games.beanstalk.board import Board
from engine_service.games.beanstalk.moves import HANDS
from engine_service.games.beanstalk.phases import DRAW, OVER, PHASES, TREASURE
from engine_service.games.beanstalk.treasures import COVERED, DECKS, THIEF, TORNADO, count, covered, total


def show(board: Board, seat: int | None) -> View:
    """The view of a seat, or of a spectator; the README tells it key by key.

    At the end all cards are turned up.
    """
    phase = board.phase
    everybody = range(board.participants)
    open_to = [phase == OVER or one == seat or one >= board.seats for one in everybody]
    drawing = phase in (DRAW, TREASURE)
    return {
        "seat": seat,
        "state": PHASES[phase],
        "turn": board.turn,
        "decides": board.decides(),
        "support": board.support[:],
        "hands": [HANDS[hand][:] for hand in board.hands],
        "cards": board.cards[:],
        "batted": board.members(board.batted),
        "squares": board.squares[:],
        "directions": ["down" if board.falling >> one & 1 else "up" for one in everybody],
        "points": [board.points[one] if open_to[one] else None for one in everybody],
        "covered": [total(held & COVERED) for held in board.held],
        "treasures": [covered(board.held[one]) if open_to[one] else None for one in everybody],
        "thieves": [count(held, THIEF) for held in board.held],
        "looted": [total(loot) for loot in board.loot],
        "loot": [covered(board.loot[one]) if open_to[one] else None for one in everybody],
        "armed": [board.armed >> 8 * one & 0xFF for one in everybody],
        "fresh": [board.fresh >> 8 * one & 0xFF for one in everybody],
        "tornados": [count(held, TORNADO) for held in board.held],
        "storm": _number(board.storm),
        "brewing": _number(board.brewing),
        "decks": {DECKS[deck]: total(board.decks[deck]) for deck in (0, 1)},
        "drawer": board.drawer if drawing else None,
        "drawers": board.drawers[:],
        "deck": DECKS[board.deck] if phase == TREASURE else None,
        "steps": board.steps,
        "end": board.end if phase == OVER else None,
        "ranks": board.ranks[:] if phase == OVER else None,
    }


def _number(participant: int) -> Json:
    return None if participant < 0 else participant
