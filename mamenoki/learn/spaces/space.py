"""What an environment needs to know of a game."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Protocol, TypeVar

View = Mapping[str, Any]
Config = Mapping[str, Any]
T = TypeVar("T")


class Space(Protocol):
    """A game's moves and views as numbers, the same ones for a config and a number of seats."""

    def moves(self, config: Config, seats: int) -> list[str]:
        """Every move that can ever be legal, as texts; an action is an index into it."""

    def numbers(self, view: View, config: Config, seats: int) -> list[int]:
        """A seat's view, always as many ints in the same order; the seat itself first, then clockwise."""


def around(seat: int, everybody: Sequence[T]) -> list[T]:
    """A list by seat, beginning with this one."""
    return [*everybody[seat:], *everybody[:seat]]


def one_of(names: Sequence[str], name: str | None) -> list[int]:
    """A 1 at the name's place, else zeros."""
    return [int(one == name) for one in names]


def away(seat: int, other: int | None, seats: int) -> list[int]:
    """A 1 where another one sits, counted clockwise from this one; zeros for nobody."""
    return [int(other is not None and (other - seat) % seats == step) for step in range(seats)]


def fitted(values: Sequence[int], size: int) -> list[int]:
    """So many values: what is missing is -1, what is too much left out."""
    return [*values[:size], *[-1] * (size - len(values))]


def multisets(letters: str, least: int, most: int) -> list[str]:
    """The texts of all multisets of letters, from small to large; ``-`` is the empty one."""
    return [
        "".join(chosen) or "-"
        for size in range(least, most + 1)
        for chosen in combinations_with_replacement(letters, size)
    ]
