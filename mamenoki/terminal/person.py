"""A person as a bot: is shown the table, is asked, and may mistype as often as they like."""

from collections.abc import Sequence
from typing import Protocol

from engine_service.games import GAMES
from mamenoki.sdk.bot import Bot, Decision, Json, Seat
from mamenoki.sdk.local import Resigned
from mamenoki.sdk.replays import short_names
from mamenoki.terminal.boards import board_of
from mamenoki.terminal.menu import Menu, Misread

HELP = (
    "Type a move, or its number. A verb that all moves share may be left out.",
    "  list [BEGINNING]   all moves, or those that begin so",
    "  board              the table again",
    "  rules              how the game is played",
    "  resign             give the seat up; the bots play on to the end",
)


LONGEST_NAME = 18
"""On a board; a longer one is cut, and told apart by its seat."""


class Screen(Protocol):
    """Where a person reads and types."""

    def say(self, lines: Sequence[str]) -> None:
        """Lines of the board or of the talk."""

    def show_page(self, markdown: str) -> None:
        """A longer text."""

    def tell(self, sentences: Sequence[str]) -> None:
        """What has happened."""

    def ask(self) -> str:
        """What was typed. Resigned if nobody types any more."""


class Person(Bot):
    """Sits at one seat of one match. ``rules``: the text that the command ``rules`` shows."""

    def __init__(self, screen: Screen, rules: str) -> None:
        super().__init__()
        self._screen = screen
        self._rules = rules
        self.heard = 0
        """Sightings that the person has been told."""

    def start(self, seat: Seat) -> None:
        self._seat = seat
        self._board = board_of(seat.game)
        self._names = short_names(seat.players)

    def choose(self, decision: Decision) -> str:
        self.hear(decision.sightings)
        menu = Menu(decision.legal)
        self._show(decision, menu)
        while True:
            typed = self._screen.ask().strip()
            if not self._obeys(typed, decision, menu):
                try:
                    return menu.meant(typed)
                except Misread as error:
                    self._screen.say([str(error)])

    def hear(self, events: Sequence[dict[str, Json]]) -> None:
        """Be told what has happened, in sentences."""
        self.heard += len(events)
        game = GAMES[self._seat.game]
        self._screen.tell([game.tell(event, self._names.__getitem__) for event in events])

    def _show(self, decision: Decision, menu: Menu) -> None:
        self._screen.say(["", *self._drawn(decision), "", *menu.lines()])

    def _drawn(self, decision: Decision) -> list[str]:
        return self._board.draw(decision.view, marked(self._names, self._seat.seat), self._seat.config)

    def _obeys(self, typed: str, decision: Decision, menu: Menu) -> bool:
        """Does what is no move but a command; False if it was none."""
        word, _, rest = typed.partition(" ")
        match word.lower():
            case "":
                self._screen.say(["Type a move, or ? for help."])
            case "?" | "help":
                self._screen.say(HELP)
            case "list":
                self._screen.say(menu.numbered(rest) or [f"no move begins with {rest!r}"])
            case "board":
                self._show(decision, menu)
            case "rules":
                self._screen.show_page(self._rules)
            case "resign" | "quit" | "exit":
                raise Resigned
            case _:
                return False
        return True


def marked(names: Sequence[str], seat: int) -> list[str]:
    """The names by seat, the person's own marked as such."""
    return [
        f"{_cut(name, place)} (you)" if place == seat else _cut(name, place)
        for place, name in enumerate(names)
    ]


def _cut(name: str, seat: int) -> str:
    """``house/greedy@1 (seat 2)`` as ``house/greedy… #2``."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 5]}… #{seat}"
