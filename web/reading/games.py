"""What the table of games knows."""

from engine_service.games import GAMES


def title_of(game: str) -> str:
    """A game's title; its id if its rules are not here."""
    return GAMES[game].card.title if game in GAMES else game
