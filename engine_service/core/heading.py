"""The first and the last line of a replay, read and checked."""

from collections.abc import Mapping

from engine_service.core.chance import SEED_BYTES, commitment
from engine_service.core.game import Config, ConfigError, Game, Variant, check_seats, configure, variant_of
from engine_service.core.reading import Line, show
from engine_service.core.record import REPLAY_VERSION, encode

_HEADER = ("replay", "match", "game", "variant", "rules", "seats", "config", "players", "commitment")
_END = ("end", "scores", "ranks", "seed", "hash")
_DIGEST_BYTES = 32


class Header:
    """Who played what: the first line."""

    def __init__(self, line: Line, games: Mapping[str, Game]) -> None:
        """Raises Lie unless a game of ``games`` can be set up so."""
        line.check_keys(_HEADER)
        if line.number_at("replay") != REPLAY_VERSION:
            raise line.wrong("replay", str(REPLAY_VERSION))
        self.match = line.text("match")
        self.game = _game(line, games)
        self.variant = line.text("variant")
        self.seats = line.number_at("seats")
        self.config = _config(line, _variant(line, self.game, self.variant, self.seats))
        self.players = _players(line, self.seats)
        self.commitment = line.hex_bytes("commitment", _DIGEST_BYTES).hex()


class End:
    """How it ended: the last line."""

    def __init__(self, line: Line, header: Header) -> None:
        """Raises Lie unless it reads as an end and its seed is the one committed to."""
        line.check_keys(_END)
        self.line = line
        self.end = line.text("end")
        self.scores = _numbers(line, "scores")
        self.ranks = _numbers(line, "ranks")
        self.seed = line.hex_bytes("seed", SEED_BYTES)
        self.hash = line.hex_bytes("hash", _DIGEST_BYTES).hex()
        if commitment(self.seed) != header.commitment:
            raise line.lie(
                f"the seed {self.seed.hex()} has the SHA-256 {commitment(self.seed)}; "
                f"the header's commitment is {header.commitment}"
            )


def _game(line: Line, games: Mapping[str, Game]) -> Game:
    name = line.text("game")
    if name not in games:
        raise line.wrong("game", f"one of: {', '.join(games)}")
    game = games[name]
    if line.number_at("rules") != game.card.rules:
        raise line.wrong("rules", f"{game.card.rules}, the version of {name}'s rules that is here")
    return game


def _variant(line: Line, game: Game, name: str, seats: int) -> Variant:
    try:
        variant = variant_of(game, name)
        check_seats(variant, seats)
    except ConfigError as error:
        raise line.lie(str(error)) from error
    return variant


def _config(line: Line, variant: Variant) -> Config:
    given = line.value["config"]
    if not isinstance(given, dict):
        raise line.wrong("config", "an object")
    try:
        config = configure(variant, given)
    except ConfigError as error:
        raise line.lie(f"config: {error}") from error
    if encode(config) != encode(given):
        raise line.lie(f"config has the keys {show(list(given))}; they should be {show(list(config))}")
    return config


def _players(line: Line, seats: int) -> list[str]:
    players = line.items("players")
    if len(players) != seats or not all(isinstance(player, str) for player in players):
        raise line.wrong("players", f"{seats} names, one for each seat")
    return players


def _numbers(line: Line, key: str) -> list[int]:
    numbers = line.items(key)
    if not all(type(number) is int for number in numbers):
        raise line.wrong(key, "a list of whole numbers")
    return numbers
