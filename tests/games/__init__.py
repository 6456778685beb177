"""Complete little games, for testing the kernel without a real one."""

from engine_service.core.game import Game
from tests.games.coin import COIN
from tests.games.tiny import TINY

TINY_GAMES: dict[str, Game] = {game.card.id: game for game in (TINY, COIN)}
