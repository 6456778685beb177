"""``GameService``: what can be played here."""

from collections.abc import Mapping
from typing import Any

import orjson

from engine_service.core.game import Game, Variant, configure
from engine_service.v1 import game_pb2, game_pb2_grpc


class Catalogue(game_pb2_grpc.GameServiceServicer):
    """Lists the games that this engine knows."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._answer = game_pb2.ListGamesResponse(games=[_info(game) for game in games.values()])

    async def List(self, request: Any, context: Any) -> game_pb2.ListGamesResponse:  # noqa: N802  # the proto's
        """All of them."""
        return self._answer


def _info(game: Game) -> game_pb2.GameInfo:
    card = game.card
    variants = [_variant(variant) for variant in card.variants]
    return game_pb2.GameInfo(id=card.id, title=card.title, rules=card.rules, variants=variants)


def _variant(variant: Variant) -> game_pb2.VariantInfo:
    return game_pb2.VariantInfo(
        name=variant.name,
        min_seats=variant.min_seats,
        max_seats=variant.max_seats,
        config=orjson.dumps(configure(variant, {})).decode(),
        cooperative=variant.cooperative,
    )
