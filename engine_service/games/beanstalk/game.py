"""The game's name plate and its entrance."""

from collections.abc import Callable, Sequence

from engine_service.core.game import Config, Game, GameCard, State, Variant, View, check_seats, variant_of
from engine_service.games.beanstalk import imagining, telling
from engine_service.games.beanstalk.config import SETTINGS, Rules
from engine_service.games.beanstalk.moves import format_move, parse_move
from engine_service.games.beanstalk.position import Position

CARD = GameCard(
    id="beanstalk",
    title="Beanstalk Double Batting (ムーブ)",
    rules=1,
    variants=[Variant("standard", min_seats=2, max_seats=4, settings=SETTINGS, may_tie=True)],
)


class Beanstalk(Game):
    """The double-batting beanstalk game by ムーブ: equal cards do not move, equal squares fall down."""

    def __init__(self) -> None:
        self.card = CARD

    def new(self, variant: str, config: Config, seats: int) -> State:
        check_seats(variant_of(self, variant), seats)
        position = Position(Rules(config), seats)
        position.set_up()
        return position

    def format(self, code: int) -> str:
        return format_move(code)

    def parse(self, text: str) -> int:
        return parse_move(text)

    def imagine(
        self,
        variant: str,
        config: Config,
        seats: int,
        seat: int,
        view: View,
        sightings: Sequence[View],
        draw: Callable[[int], int],
    ) -> State:
        check_seats(variant_of(self, variant), seats)
        return imagining.imagine(Rules(config), seats, view, sightings, draw)

    def tell(self, event: View, name: Callable[[int], str]) -> str:
        return telling.tell(event, name)


BEANSTALK = Beanstalk()
