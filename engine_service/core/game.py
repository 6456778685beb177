"""What a game is: its card, positions, moves, chance and sightings.

A game is one folder under ``engine_service/games``. It gives a :class:`Game`,
which makes :class:`State` objects. A state is a position and nothing more: it
holds no history and no generator, and knows no way to serialise itself. Time,
seeds and sockets belong to the referee and to whoever calls it.

Seats count from 0. A move is a small int inside the process (its *code*) and a
text everywhere else; :meth:`Game.format` and :meth:`Game.parse` are each
other's inverse and do not depend on the position.

These modules and the games' may be compiled by mypyc (``./dev compile``); what others may
derive from says so, so that a game that is not compiled stands beside those that are.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from mypy_extensions import mypyc_attr

Json = Any
"""Plain data: None, bool, int, str, and lists and str-keyed dicts of them. No floats."""

View = dict[str, Json]
Config = dict[str, Json]


class GameError(Exception):
    """The root of what this package raises.

    ::

        GameError
        ├── ConfigError         a setting or seat count that the game does not know or take
        ├── MoveError           an answer that does not count
        │   ├── NotationError   no move of this game reads so
        │   ├── IllegalMove     a move, but not one that may be played now
        │   └── NotYourTurn     the seat owes no decision (or not this one)
        └── Lie                 a replay that does not follow from its seed and the rules
    """


class ConfigError(GameError):
    """Names the key or seat count, the value given and what would be taken."""


class MoveError(GameError):
    """Why an answer does not count; the message says what would."""


class NotationError(MoveError):
    """No move of this game reads so."""


class IllegalMove(MoveError):
    """A move of this game, but not one that this seat may play now."""


class NotYourTurn(MoveError):
    """This seat owes no decision, or another one than it answered."""


class Turn:
    """One seat decides, or several at once, each without seeing the others' moves."""

    def __init__(self, seats: list[int]) -> None:
        self.seats = seats


class Chance:
    """Chance decides: an outcome below each of ``sizes``, in that order, from ``stream``."""

    def __init__(self, stream: str, sizes: list[int]) -> None:
        self.stream = stream
        self.sizes = sizes


class Over:
    """The end, by the rules alone. ``end`` is ``normal`` or ``turn_limit``.

    ``ranks[seat]`` is the number of seats strictly better than that seat.
    """

    def __init__(self, end: str, scores: list[int], ranks: list[int]) -> None:
        self.end = end
        self.scores = scores
        self.ranks = ranks


@mypyc_attr(allow_interpreted_subclasses=True)
class Sighting:
    """Something that was shown once. ``audience`` is the seats that saw it; None: everybody.

    A game whose events are seldom looked at (in simulation nobody does) may have kinds of
    sightings of its own, which make their event when asked for it.
    """

    audience: list[int] | None = None

    def __init__(self, event: View, audience: list[int] | None = None) -> None:
        self._event = event
        self.audience = audience

    @property
    def event(self) -> View:
        """A small JSON object whose key ``"event"`` names its kind.

        It never carries raw outcomes, nor anything that its audience may not know.
        """
        return self._event


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position: mutable, cheap to copy, complete.

    The caller drives it: look at :meth:`pending`; for a :class:`Turn` gather one
    legal code for each of its seats and call :meth:`play` once; for a
    :class:`Chance` draw the outcomes and call :meth:`resolve`; at :class:`Over`
    stop. Calling anything out of this order is the caller's error and may raise
    any exception; calling it with a code that is not legal raises IllegalMove.

    What is pending and what was shown may be objects that other positions share: they
    are not to be changed.
    """

    def pending(self) -> Turn | Chance | Over:
        """What has to happen next. The same object until the next play or resolve."""
        raise NotImplementedError

    def legal(self, seat: int) -> list[int]:
        """The codes that a seat of the pending turn may play, in canonical order, never empty."""
        raise NotImplementedError

    def options(self, seat: int) -> list[int]:
        """As :meth:`legal`, for looking at now: the list may be shared, and is neither kept nor changed."""
        return self.legal(seat)

    def default(self, seat: int) -> int:
        """The move that the clock plays for a seat of the pending turn; it is legal."""
        raise NotImplementedError

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        """Play one code for every seat of the pending turn, all at once.

        The order of ``moves`` makes no difference.
        """
        raise NotImplementedError

    def move(self, seat: int, code: int) -> list[Sighting]:
        """As :meth:`play`, for the one seat of the pending turn; a game may know a shorter way."""
        return self.play({seat: code})

    def reading(self, outcome: Sequence[int]) -> View:
        """How the pending chance's outcome reads in a replay.

        Some of the keys ``slots``, ``faces`` and ``from``, in this order, each a list
        parallel to the outcome, as the game's rules file names them.
        """
        raise NotImplementedError

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        """Let the pending chance fall: one int below each of its sizes, in order."""
        raise NotImplementedError

    def view(self, seat: int | None) -> View:
        """What a seat may see now; None: a spectator. Built anew, plain data, no floats."""
        raise NotImplementedError

    def copy(self) -> Self:
        """A position that shares nothing mutable with this one."""
        raise NotImplementedError


class Setting:
    """One key of a variant's config, with its default and what else it takes.

    ``check`` returns None for a good value, else what a good one is
    (``"an int from 1 to 31"``).
    """

    def __init__(self, key: str, default: Json, check: Callable[[Json], str | None]) -> None:
        self.key = key
        self.default = default
        self.check = check


class Variant:
    """One way to play a game, and the unit that has a ladder: ``mushi/standard``."""

    def __init__(
        self,
        name: str,
        min_seats: int,
        max_seats: int,
        settings: list[Setting],
        may_tie: bool,
        cooperative: bool = False,
    ) -> None:
        self.name = name
        self.min_seats = min_seats
        self.max_seats = max_seats
        self.settings = settings
        self.may_tie = may_tie
        self.cooperative = cooperative


class GameCard:
    """A game's name plate. ``rules`` is the rules version that a replay names."""

    def __init__(self, id: str, title: str, rules: int, variants: list[Variant]) -> None:
        self.id = id
        self.title = title
        self.rules = rules
        self.variants = variants


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """The rules of one game; stateless. Its ``__init__`` sets ``card``, which may not stand on the class."""

    card: GameCard

    def new(self, variant: str, config: Config, seats: int) -> State:
        """The position before anything has happened; ``config`` complete, as :func:`configure` makes it."""
        raise NotImplementedError

    def format(self, code: int) -> str:
        """The text of a move."""
        raise NotImplementedError

    def parse(self, text: str) -> int:
        """The code of a text. NotationError if none of this game's moves reads so.

        Exact: ``format(parse(text)) == text`` for every text that is taken.
        """
        raise NotImplementedError

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
        """A position that fits all that ``seat`` knows, the rest drawn at random.

        ``sightings`` are the events that the seat has been shown, oldest first;
        ``draw(n)`` gives an int below n. The law: ``imagine(...).view(seat) == view``,
        and its legal moves and pending turn are those of the true position.
        """
        raise NotImplementedError

    def tell(self, event: View, name: Callable[[int], str]) -> str:
        """One plain English sentence for a sighting's event; ``name(seat)`` names a player."""
        raise NotImplementedError


def variant_of(game: Game, name: str) -> Variant:
    """The variant of that name; ConfigError naming those that there are."""
    for variant in game.card.variants:
        if variant.name == name:
            return variant
    known = ", ".join(variant.name for variant in game.card.variants)
    raise ConfigError(f"{game.card.id} has no variant {name!r}; it has: {known}")


def configure(variant: Variant, overrides: Mapping[str, Json]) -> Config:
    """The complete config, every key in the order of the variant's settings.

    Raises ConfigError for an unknown key or a value that its setting does not take.
    """
    known = [setting.key for setting in variant.settings]
    for key in overrides:
        if key not in known:
            raise ConfigError(f"{variant.name} has no setting {key!r}; it has: {', '.join(known)}")
    config: Config = {}
    for setting in variant.settings:
        value = overrides.get(setting.key, setting.default)
        wanted = setting.check(value)
        if wanted is not None:
            raise ConfigError(f"{variant.name}: {setting.key} is {value!r}; it must be {wanted}")
        config[setting.key] = value
    return config


def check_seats(variant: Variant, seats: int) -> None:
    """ConfigError unless the variant is played by that many."""
    if not variant.min_seats <= seats <= variant.max_seats:
        raise ConfigError(
            f"{variant.name} is played by {variant.min_seats} to {variant.max_seats}, not by {seats}"
        )
