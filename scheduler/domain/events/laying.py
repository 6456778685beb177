"""How many tables, how long, and who comes to which."""

from collections.abc import Callable, Sequence

from .settings import Stage, StageError


def table_sizes(count: int, stage: Stage) -> list[int]:
    """The sizes of the tables that ``count`` sit at together, falling; they differ by one at most.

    As many tables as the wanted size asks for; fewer and longer ones only where the game allows no
    such short ones. StageError if there is no such way.
    """
    tables = min(-(-count // stage.seats), count // stage.least)
    if tables < 1 or -(-count // tables) > stage.most:
        raise StageError(f"{count} players do not fit tables of {stage.least} to {stage.most}")
    size, longer = divmod(count, tables)
    return [size + 1] * longer + [size] * (tables - longer)


def cut_of(sizes: Sequence[int], stage: Stage) -> int:
    """How many go on from each of a round's tables: ``stage.advance``, more where they would be too few
    for the next table, and never all of a table."""
    enough = -(-stage.least // len(sizes)) if len(sizes) > 1 else 1
    return min(max(stage.advance, enough), sizes[-1] - 1)


def dealt(
    order: Sequence[int], sizes: Sequence[int], strangeness: Callable[[int, int], int]
) -> list[list[int]]:
    """The players, best first, over the tables, to and fro (first to last, last to first), so that every
    table is about as strong; where ``strangeness`` (how often two have met, say) is less at another
    free table of the same turn, there. Every table gets its size."""
    tables: list[list[int]] = [[] for _ in sizes]
    at, turn = 0, 0
    while at < len(order):
        free = [i for i, size in enumerate(sizes) if turn < size]
        for one in order[at : at + len(free)]:
            path = free if turn % 2 == 0 else free[::-1]
            best = min(path, key=lambda i, one=one: sum(strangeness(one, other) for other in tables[i]))  # type: ignore[misc]  # mypy has no type for a lambda's default
            tables[best].append(one)
            free = [i for i in free if i != best]
        at += sum(turn < size for size in sizes)
        turn += 1
    return tables


def bracket_order(size: int) -> list[int]:
    """The seeds (from 0) of a bracket of ``size``, a power of two, from top to bottom: neighbours meet,
    then the neighbouring winners; the best two can meet in the final only."""
    order = [0]
    while len(order) < size:
        double = 2 * len(order)
        order = [seed for one in order for seed in (one, double - 1 - one)]
    return order
