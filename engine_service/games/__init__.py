"""The table of games: to add one, add its folder and its line here (docs/add-a-game.md)."""

from engine_service.core.game import ConfigError, Game, Variant, variant_of
from engine_service.games.beanstalk import BEANSTALK
from engine_service.games.morumori import MORUMORI
from engine_service.games.mushi import MUSHI
from engine_service.games.seimi import SEIMI

GAMES: dict[str, Game] = {game.card.id: game for game in (MUSHI, MORUMORI, SEIMI, BEANSTALK)}


def find(name: str) -> tuple[Game, Variant]:
    """The game and variant of ``mushi/standard``, or of ``mushi`` (its first variant).

    ConfigError, naming those that there are, for any other name.
    """
    game_id, _, variant = name.partition("/")
    if game_id not in GAMES:
        raise ConfigError(f"there is no game {game_id!r}; there are: {', '.join(GAMES)}")
    game = GAMES[game_id]
    return game, variant_of(game, variant or game.card.variants[0].name)
