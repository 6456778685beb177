"""A replay's chance and decision lines, read and held against what follows from seed and rules."""

from collections.abc import Sequence

from engine_service.core.game import Chance, Json, NotationError, State, Turn, View
from engine_service.core.notation import Notation, enumerate_some
from engine_service.core.reading import Line, is_count, show
from engine_service.core.record import FORFEITED, REASONS, Decided

_CHANCE = ("n", "chance", "slots", "faces", "from", "draw")
_READING = ("slots", "faces", "from")
_DECISION = ("n", "moves", "ms", "by", "why")
_CLOCK = "clock"


class Outcomes:
    """A chance line, and how many of its outcomes the rules have taken."""

    def __init__(self, line: Line) -> None:
        line.check_keys(_CHANCE, optional=_READING)
        self.line = line
        self.stream = line.text("chance")
        self.draw = line.items("draw")
        self.reading = {key: self._parallel(key) for key in _READING if key in line.value}
        self.taken = 0
        if not self.draw:
            raise line.wrong("draw", "at least one outcome, for lines that draw nothing are left out")

    @property
    def left(self) -> int:
        """Outcomes that the rules have not taken yet."""
        return len(self.draw) - self.taken

    def take(self, chance: Chance, index: int, size: int) -> int:
        """Check the next outcome against what the seed gives; its place in the line."""
        if self.stream != chance.stream:
            raise self.line.wrong("chance", f"{chance.stream!r}, from which the rules draw here")
        found, wanted = self.draw[self.taken], [index, size]
        if found != wanted or not all(map(is_count, found)):
            raise self.line.lie(
                f"outcome {self.taken} of {self.stream} is {show(found)}; the seed and the rules give {wanted}"
            )
        self.taken += 1
        return self.taken - 1

    def check_reading(self, at: int, expected: View, i: int) -> None:
        """The outcome at ``at`` reads as the i-th of ``expected``."""
        if list(self.reading) != list(expected):
            raise self.line.lie(
                f"{self.stream} is told by {show(list(self.reading))}; it should be by {show(list(expected))}"
            )
        for key, found in self.reading.items():
            if found[at] != expected[key][i]:
                raise self.line.lie(
                    f"{key}[{at}] is {show(found[at])}; the outcome {self.draw[at]} is {show(expected[key][i])}"
                )

    def check_spent(self) -> None:
        """The rules have taken every outcome."""
        if self.left:
            raise self.line.lie(
                f"{len(self.draw)} outcomes of {self.stream} stand here; the rules draw {self.taken}"
            )

    def _parallel(self, key: str) -> Sequence[Json]:
        value = self.line.value[key]
        if key == "faces":
            fits = isinstance(value, str) or _all_texts(value)
            wanted = "as many texts as outcomes (or one string of single letters)"
        else:
            fits = isinstance(value, list) and all(map(is_count, value))
            wanted = "as many whole numbers as outcomes"
        if not fits or len(value) != len(self.draw):
            raise self.line.wrong(key, wanted)
        return list(value)


def decide(line: Line, turn: Turn, state: State, notation: Notation, forfeited: set[int]) -> Decided:
    """A decision line's moves, each legal now. A seat that proves forfeited is added to ``forfeited``."""
    line.check_keys(_DECISION, optional=("by", "why"))
    moves = line.seats("moves")
    owed = sorted(turn.seats)
    if list(moves) != owed:
        raise line.lie(f"moves are by the seats {list(moves)}; a decision is owed by {owed}")
    ms = line.seats("ms")
    if list(ms) != owed or not all(map(is_count, ms.values())):
        raise line.wrong("ms", f"whole numbers for the seats {owed}")
    why = _reasons(line, owed)
    codes = {seat: _code(line, seat, text, state, notation) for seat, text in moves.items()}
    for seat, code in codes.items():
        _check_clock(line, seat, code, why.get(seat), state, notation)
        _check_forfeit(line, seat, ms[seat], why.get(seat), forfeited)
    return Decided(codes, ms, why)


def _all_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(face, str) for face in value)


def _reasons(line: Line, owed: list[int]) -> dict[int, str]:
    if "by" not in line.value and "why" not in line.value:
        return {}
    line.check_keys(_DECISION)
    by, why = line.seats("by"), line.seats("why")
    if not set(by) <= set(owed) or any(mover != _CLOCK for mover in by.values()):
        raise line.wrong("by", f'"{_CLOCK}" for some of the seats {owed}')
    if list(why) != list(by) or any(reason not in REASONS for reason in why.values()):
        raise line.wrong("why", f"for the seats {list(by)} one of: {', '.join(REASONS)}")
    return why


def _code(line: Line, seat: int, text: Json, state: State, notation: Notation) -> int:
    if not isinstance(text, str):
        raise line.lie(f"the move of seat {seat} is {show(text)}; it should be a string")
    try:
        code = notation.code(text)
    except NotationError as error:
        raise line.lie(f"the move of seat {seat}, {show(text)}, is none of this game's: {error}") from error
    legal = state.legal(seat)
    if code not in legal:
        may = enumerate_some(notation.texts(legal))
        raise line.lie(f"seat {seat} plays {show(text)}, which is illegal here; it may play {may}")
    return code


def _check_clock(line: Line, seat: int, code: int, why: str | None, state: State, notation: Notation) -> None:
    if why is None:
        return
    default = state.default(seat)
    if code != default:
        raise line.lie(
            f"the clock plays {notation.text(code)!r} for seat {seat}; it always plays {notation.text(default)!r}"
        )


def _check_forfeit(line: Line, seat: int, ms: int, why: str | None, forfeited: set[int]) -> None:
    if seat in forfeited and why != FORFEITED:
        raise line.lie(f"seat {seat} was forfeited before; the clock plays for it to the end ({FORFEITED})")
    if why == FORFEITED:
        forfeited.add(seat)
        if ms:
            raise line.lie(f"seat {seat} is forfeited, yet took {ms} ms; it should be 0")
