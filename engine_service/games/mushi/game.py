"""The game's name plate and its entrance."""

from collections.abc import Callable, Sequence

from engine_service.core.game import Config, Game, GameCard, State, Variant, View, check_seats, variant_of
from engine_service.games.mushi import imagining, telling
from engine_service.games.mushi.config import SETTINGS, Rules
from engine_service.games.mushi.moves import format_move, parse_move
from engine_service.games.mushi.position import Position

CARD = GameCard(
    id="mushi",
    title="ムシがいっぱい (Bugs 'n a heap)",
    rules=1,
    variants=[Variant("standard", min_seats=2, max_seats=5, settings=SETTINGS, may_tie=True)],
)


class Mushi(Game):
    """ムシがいっぱい by Carlo A. Rossi: seven dice, four kinds of bugs, and a catch that may be stolen."""

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


MUSHI = Mushi()
