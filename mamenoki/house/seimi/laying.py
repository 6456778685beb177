"""What to lay down before a monster: the best choice for all four kinds at once.

For each kind there are a few ways: nothing, its row prolonged, another row in its place, with
Parents or without. Each adds to the number now and leaves something for later. Of all
sums the one is taken whose token now and worth later are largest together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mamenoki.house.seimi.scene import NAMES, PARENTS, Row, Scene
from mamenoki.house.seimi.worth import Kind, Worth, kind_of


@dataclass(frozen=True, slots=True)
class Way:
    """What to do with a kind: the moves, the cards that count now, the Parents used, the worth left."""

    moves: tuple[str, ...]
    number: int
    parents: int
    later: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Ways for the kinds so far, summed up."""

    ways: tuple[Way, ...]
    later: float


def best_moves(scene: Scene, worth: Worth, mask: int, token: Callable[[int], float]) -> list[str]:
    """The moves, without ``done``. ``token`` is what a number brings."""
    plans: dict[tuple[int, int], Plan] = {(0, 0): Plan((), 0.0)}
    for kind in range(4):
        plans = _extend(plans, _ways(scene, worth, mask, kind), scene.hand[PARENTS])
    spare = worth.parents_left(scene.monster + 1)
    best = max(
        plans.items(),
        key=lambda item: token(item[0][0]) + item[1].later - spare * item[0][1],
    )
    return [move for way in best[1].ways for move in way.moves]


def _extend(
    plans: dict[tuple[int, int], Plan], ways: Sequence[Way], parents: int
) -> dict[tuple[int, int], Plan]:
    found: dict[tuple[int, int], Plan] = {}
    for (number, used), plan in plans.items():
        for way in ways:
            key = (number + way.number, used + way.parents)
            later = plan.later + way.later
            if key[1] <= parents and (key not in found or later > found[key].later):
                found[key] = Plan((*plan.ways, way), later)
    return found


def _ways(scene: Scene, worth: Worth, mask: int, kind: int) -> list[Way]:
    held, row = kind_of(scene.hand, kind), scene.rows[scene.seat][kind]
    ways = [_way(worth, scene, mask, (), held, row, 0)]
    for ability in range(4):
        if held[ability]:
            name = NAMES[4 * kind + ability]
            if ability == row[0]:
                ways += _prolonged(worth, scene, mask, held, row, name)
            else:
                ways += _anew(worth, scene, mask, held, row, ability, name)
    return ways


def _prolonged(worth: Worth, scene: Scene, mask: int, held: Kind, row: Row, name: str) -> list[Way]:
    """A row with one card more, two more, and so on."""
    found = []
    for more in range(1, held[row[0]] + 1):
        longer = (row[0], row[1] + more, row[2])
        found.append(
            _way(worth, scene, mask, (f"play {name}",) * more, _without(held, row[0], more), longer, 0)
        )
    return found


def _anew(worth: Worth, scene: Scene, mask: int, held: Kind, row: Row, ability: int, name: str) -> list[Way]:
    """A new row of all cards of an ability, behind Parents or not."""
    found = []
    verb = "open" if row[0] < 0 else "replace"
    size = held[ability]
    rest = _without(held, ability, size)
    for led in (False, True) if scene.hand[PARENTS] else (False,):
        first = f"{verb} parents+{name}" if led else f"{verb} {name}"
        moves = (first, *[f"play {name}"] * (size - 1))
        found.append(_way(worth, scene, mask, moves, rest, (ability, size + led, led), int(led)))
    return found


def _without(held: Kind, ability: int, count: int) -> Kind:
    left = list(held)
    left[ability] -= count
    return (left[0], left[1], left[2], left[3])


def _way(
    worth: Worth, scene: Scene, mask: int, moves: tuple[str, ...], held: Kind, row: Row, parents: int
) -> Way:
    """``row`` is as it stands for the fight; if it counts, it has a card less after it."""
    counts = row[0] >= 0 and mask >> row[0] & 1 == 1
    number = row[1] if counts else 0
    after = _shorter(row) if counts else row
    return Way(moves, number, parents, worth.kind(held, after, scene.monster + 1)[0])


def _shorter(row: Row) -> Row:
    ability, size, led = row
    return (ability, size - 1, led) if size > 1 + led else (-1, 0, False)
