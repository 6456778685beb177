"""What holds for every game at every step. Each law takes a Moment and asserts.

:mod:`tests.laws.test_the_laws` shows, for each, a game that breaks it.
"""

from collections.abc import Callable
from itertools import permutations, product

import orjson
import pytest

from engine_service.core.game import Chance, IllegalMove, Json, NotationError, Over, Sighting, State, Turn
from engine_service.core.record import encode
from tests.laws.players import Moment

Law = Callable[[Moment], None]

READING = ("slots", "faces", "from")
OUTLANDISH = (-1, -(10**6), 10**6, 2**40)
NONSENSE = ("", " ", "-", "=", "0", "\x00", "ムシ", "\ud800", "hub ", " hub", "HUB", "roll  R", "a" * 200)


def print_of(state: State, seats: int) -> Json:
    """All that can be seen of a position from outside, by anybody."""
    views = [state.view(seat) for seat in (None, *range(seats))]
    return [views, print_of_pending(state)]


def print_of_pending(state: State) -> Json:
    pending = state.pending()
    if isinstance(pending, Turn):
        return [[seat, state.legal(seat), state.default(seat)] for seat in pending.seats]
    if isinstance(pending, Chance):
        return [pending.stream, list(pending.sizes)]
    return [pending.end, list(pending.scores), list(pending.ranks)]


def print_of_shown(shown: list[Sighting]) -> Json:
    return [[sighting.event, sighting.audience] for sighting in shown]


def check_json(value: Json, what: str) -> None:
    """Plain data: no floats, nothing that JSON does not have, keys that are strings."""
    if isinstance(value, dict):
        assert all(type(key) is str for key in value), f"{what}: keys must be strings: {value!r}"
        for item in value.values():
            check_json(item, what)
    elif isinstance(value, list):
        for item in value:
            check_json(item, what)
    else:
        assert value is None or type(value) in (bool, int, str), f"{what}: {value!r} is no plain data"


# What is pending


def pending_is_well_formed(moment: Moment) -> None:
    """Seats are seats, ascending; sizes at least 1; the same object until something happens."""
    state, seats = moment.state, moment.case.seats
    pending = state.pending()
    assert state.pending() is pending
    if isinstance(pending, Turn):
        assert pending.seats, "a turn of nobody's"
        assert pending.seats == sorted(set(pending.seats))
        assert all(0 <= seat < seats for seat in pending.seats)
    elif isinstance(pending, Chance):
        assert pending.stream
        assert all(type(size) is int and size >= 1 for size in pending.sizes)
    else:
        check_over(moment, pending)


def check_over(moment: Moment, over: Over) -> None:
    assert over.end in ("normal", "turn_limit")
    assert len(over.scores) == len(over.ranks) == moment.case.seats
    assert all(type(score) is int for score in over.scores)
    assert over.ranks == [sum(other < rank for other in over.ranks) for rank in over.ranks]
    variant = next(v for v in moment.case.game.card.variants if v.name == moment.case.variant)
    assert variant.may_tie or len(set(over.ranks)) == len(over.ranks)


# Moves


def legal_moves_stand_still(moment: Moment) -> None:
    """There are some, each once, in an order that does not change; the default is one of them."""
    for seat in owing(moment):
        legal = list(moment.state.legal(seat))
        assert legal, f"seat {seat} has no legal move"
        assert len(set(legal)) == len(legal)
        assert all(type(code) is int for code in legal)
        assert moment.state.default(seat) in legal
        assert moment.state.default(seat) == moment.state.copy().default(seat)
        assert moment.state.legal(seat) == legal == moment.state.copy().legal(seat)


def legal_moves_keep_their_order(moment: Moment) -> None:
    """Two moves that are legal now and later stand in the same order both times."""
    lists = [list(moment.state.legal(seat)) for seat in owing(moment)]
    ahead = moment.branch(moment.state.copy())
    for _ in range(12):
        if ahead.over:
            break
        ahead.step()
        lists += [list(ahead.state.legal(seat)) for seat in owing(ahead)]
    for one, other in product(lists, lists):
        common = set(one) & set(other)
        assert [code for code in one if code in common] == [code for code in other if code in common]


def texts_and_codes_are_inverse(moment: Moment) -> None:
    """Every legal move has a text of its own, short and printable, that reads back."""
    game = moment.case.game
    for seat in owing(moment):
        legal = moment.state.legal(seat)
        texts = [game.format(code) for code in legal]
        assert [game.parse(text) for text in texts] == legal
        assert len(set(texts)) == len(texts)
        assert all(text.isprintable() and 0 < len(text) <= 256 for text in texts)


def nonsense_is_refused(moment: Moment) -> None:
    """Every text is a move, spelt as the game spells it, or a NotationError."""
    game = moment.case.game
    spoilt = [game.format(code) + "?" for seat in owing(moment) for code in moment.state.legal(seat)]
    for text in (*NONSENSE, *spoilt, *(text.upper() for text in spoilt)):
        try:
            code = game.parse(text)
        except NotationError:
            continue
        assert game.format(code) == text


def illegal_moves_are_refused(moment: Moment) -> None:
    """A code that is not legal now raises IllegalMove and changes nothing."""
    turn = moment.state.pending()
    if not isinstance(turn, Turn):
        return
    before = print_of(moment.state, moment.case.seats)
    defaults = {seat: moment.state.default(seat) for seat in turn.seats}
    for seat in turn.seats:
        legal = set(moment.state.legal(seat))
        for code in [code for code in (*OUTLANDISH, *codes_nearby(moment)) if code not in legal]:
            with pytest.raises(IllegalMove):
                moment.state.play({**defaults, seat: code})
            assert print_of(moment.state, moment.case.seats) == before


def codes_nearby(moment: Moment) -> list[int]:
    """Codes that are moves of the game, if not now: those of other seats and of a few steps on."""
    found: set[int] = set()
    ahead = Moment(moment.case, moment.steps, "any")
    for _ in range(12):
        if ahead.over:
            break
        found |= {code for seat in owing(ahead) for code in ahead.state.legal(seat)}
        ahead.step()
    return sorted(found)[:40]


def sealed_moves_have_no_order(moment: Moment) -> None:
    """However the moves of a simultaneous turn are put, the same comes of it."""
    turn = moment.state.pending()
    if not isinstance(turn, Turn) or len(turn.seats) < 2:
        return
    chosen = {seat: moment.dice.choice(moment.state.legal(seat)) for seat in turn.seats}
    prints = []
    for order in list(permutations(turn.seats))[:24]:
        state = moment.state.copy()
        shown = state.play({seat: chosen[seat] for seat in order})
        prints.append([print_of_shown(shown), print_of(state, moment.case.seats)])
    assert all(found == prints[0] for found in prints)


def owing(moment: Moment) -> list[int]:
    pending = moment.state.pending()
    return pending.seats if isinstance(pending, Turn) else []


# Chance


def any_outcome_may_fall(moment: Moment) -> None:
    """The least, the greatest and a random outcome fall, and read as a replay has it."""
    chance = moment.state.pending()
    if not isinstance(chance, Chance):
        return
    most = [size - 1 for size in chance.sizes]
    for outcome in ([0] * len(most), most, moment.fast.draw(chance.stream, chance.sizes)):
        reading = moment.state.reading(outcome)
        assert list(reading) == [key for key in READING if key in reading], "keys in this order, no others"
        for key, values in reading.items():
            assert type(values) is list
            assert len(values) == len(outcome)
            assert all(type(value) is (str if key == "faces" else int) for value in values)
            assert key == "faces" or min(values, default=0) >= 0
        moment.state.copy().resolve(outcome)


# Views and sightings


def views_are_plain_data(moment: Moment) -> None:
    """No floats, keys that are strings, one JSON whoever writes it."""
    for seat in (None, *range(moment.case.seats)):
        view = moment.state.view(seat)
        check_json(view, f"view of {seat}")
        assert orjson.dumps(view) == encode(view).encode()


def views_are_built_anew(moment: Moment) -> None:
    """Looking changes nothing, and nothing done to a view reaches the position."""
    for seat in (None, *range(moment.case.seats)):
        before = encode(moment.state.view(seat))
        spoil(moment.state.view(seat))
        for owner in owing(moment):
            moment.state.legal(owner)
            moment.state.default(owner)
        assert encode(moment.state.view(seat)) == before


def spoil(value: Json) -> None:
    """Break everything in a piece of plain data."""
    items = list(value.values()) if isinstance(value, dict) else list(value)
    for item in items:
        if isinstance(item, dict | list):
            spoil(item)
    value.clear()


def sightings_can_be_told(moment: Moment) -> None:
    """What the next steps show: plain events with a kind, an audience of seats, a sentence each."""
    ahead = moment.branch(moment.state.copy())
    for _ in range(5):
        if ahead.over:
            break
        moved = isinstance(ahead.state.pending(), Turn)
        shown = ahead.step()
        assert shown or not moved, "a move that nobody is shown"
        for sighting in shown:
            check_sighting(ahead, sighting)


def check_sighting(moment: Moment, sighting: Sighting) -> None:
    check_json(sighting.event, "sighting")
    assert type(sighting.event["event"]) is str
    assert orjson.dumps(sighting.event) == encode(sighting.event).encode()
    if sighting.audience is not None:
        assert sighting.audience == sorted(set(sighting.audience))
        assert all(0 <= seat < moment.case.seats for seat in sighting.audience)
    sentence = moment.case.game.tell(sighting.event, lambda seat: f"player {'abcdef'[seat]}")
    assert sentence.isprintable()
    assert sentence.strip() == sentence != ""


# Copies


def copies_share_nothing(moment: Moment) -> None:
    """Playing on with one leaves the other as it was, and both come to the same."""
    if moment.over:
        return
    seats = moment.case.seats
    before = print_of(moment.state, seats)
    twins = [moment.state.copy(), moment.state.copy()]
    for state in twins:
        assert print_of(state, seats) == before
    courses = [course(state, moment) for state in twins]
    assert print_of(moment.state, seats) == before
    assert courses[0] == courses[1]


def course(state: State, moment: Moment) -> Json:
    """A few steps of a position, always the same ones, and what is seen of each."""
    ahead = moment.branch(state)
    prints = []
    for _ in range(12):
        if ahead.over:
            break
        shown = print_of_shown(ahead.step())
        prints.append([shown, print_of(state, moment.case.seats)])
    return prints


AT_ANY_STEP: list[Law] = [
    pending_is_well_formed,
    legal_moves_stand_still,
    legal_moves_keep_their_order,
    texts_and_codes_are_inverse,
    nonsense_is_refused,
    illegal_moves_are_refused,
    sealed_moves_have_no_order,
    any_outcome_may_fall,
    views_are_plain_data,
    views_are_built_anew,
    sightings_can_be_told,
    copies_share_nothing,
]
