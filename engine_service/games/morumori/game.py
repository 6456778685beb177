"""The game's name plate and its entrance."""

from collections.abc import Callable, Sequence

from engine_service.core.game import Config, Game, GameCard, State, Variant, View, check_seats, variant_of
from engine_service.games.morumori import imagining, telling
from engine_service.games.morumori.config import SETTINGS, Rules
from engine_service.games.morumori.moves import format_move, parse_move
from engine_service.games.morumori.position import Position

CARD = GameCard(
    id="morumori",
    title="モル盛 (Morumori)",
    rules=1,
    variants=[
        Variant("versus", min_seats=2, max_seats=6, settings=SETTINGS, may_tie=False),
        Variant("coop", min_seats=1, max_seats=6, settings=SETTINGS, may_tie=True, cooperative=True),
    ],
)


class Morumori(Game):
    """モル盛 by OKAZU brand: guinea pigs face down, a sum to meet, and only memory to go by."""

    def __init__(self) -> None:
        self.card = CARD

    def new(self, variant: str, config: Config, seats: int) -> State:
        return Position(self._rules(variant, config, seats), seats)

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
        return imagining.imagine(self._rules(variant, config, seats), seats, view, sightings, draw)

    def tell(self, event: View, name: Callable[[int], str]) -> str:
        return telling.tell(event, name)

    def _rules(self, variant: str, config: Config, seats: int) -> Rules:
        chosen = variant_of(self, variant)
        check_seats(chosen, seats)
        return Rules(config, chosen.cooperative)


MORUMORI = Morumori()
