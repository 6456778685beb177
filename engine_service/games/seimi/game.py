"""The game's name plate and its entrance."""

from collections.abc import Callable, Sequence

from engine_service.core.game import Config, Game, GameCard, State, Variant, View, check_seats, variant_of
from engine_service.games.seimi import imagining, telling
from engine_service.games.seimi.config import SETTINGS, Rules
from engine_service.games.seimi.moves import format_move, parse_move
from engine_service.games.seimi.position import Position

CARD = GameCard(
    id="seimi",
    title="セイミ・イン・ザ・スーパークレイジーワールド (Seimi)",
    rules=1,
    variants=[Variant("standard", min_seats=3, max_seats=5, settings=SETTINGS, may_tie=False)],
)


class Seimi(Game):
    """セイミ・イン・ザ・スーパークレイジーワールド by Reiner Knizia: rows of minions against six monsters."""

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
        return imagining.imagine(Rules(config), seats, seat, view, sightings, draw)

    def tell(self, event: View, name: Callable[[int], str]) -> str:
        return telling.tell(event, name)


SEIMI = Seimi()
