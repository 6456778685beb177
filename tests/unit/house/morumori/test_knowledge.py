"""What the strong program knows: as much as was shown, exactly where that is certain, and never more."""

import random
from typing import Any

import pytest

from engine_service.core.game import Chance, Turn
from mamenoki.house.morumori.cards import FACE, FACES
from mamenoki.house.morumori.chances import Chances
from mamenoki.house.morumori.knowledge import Knowledge
from mamenoki.house.morumori.strong import VERSUS
from mamenoki.house.morumori.sums import NEVER, finish, reach
from tests.unit.games.morumori.script import faces_of, mix, new


def known(cards: str, *told: dict[str, Any]) -> Knowledge:
    knowledge = Knowledge(mix(cards))
    knowledge.watch(told)
    return knowledge


def peek(slots: list[int], faces: str) -> dict[str, Any]:
    return {"event": "peek", "slots": slots, "faces": faces.split()}


def scatter(*slots: int) -> dict[str, Any]:
    return {"event": "scatter", "seat": 0, "slots": list(slots)}


def share(knowledge: Knowledge, slot: int, face: str) -> float:
    pool = next(pool for pool in knowledge.pools if slot in pool.slots)
    return pool.share()[FACE[face]]


def test_at_first_the_mix_is_known() -> None:
    assert share(known("1 1 2 miss"), 3, "1") == pytest.approx(0.5)


def test_what_was_seen_is_certain_and_the_rest_are_fewer() -> None:
    knowledge = known("1 1 2 miss", peek([2], "1"))
    assert knowledge.known == {2: FACE["1"]}
    assert share(knowledge, 0, "1") == pytest.approx(1 / 3)


def test_the_last_one_is_certain_unseen() -> None:
    assert known("1 1 2", peek([0, 1], "1 1")).known[2] == FACE["2"]


def test_a_scatter_keeps_its_cards_together() -> None:
    knowledge = known("1 2 3 3", peek([0, 1], "1 2"), scatter(0, 1))
    assert share(knowledge, 0, "1") == pytest.approx(0.5)
    assert share(knowledge, 1, "2") == pytest.approx(0.5)
    assert knowledge.known == {2: FACE["3"], 3: FACE["3"]}


def test_a_card_of_a_mix_tells_of_the_others() -> None:
    knowledge = known("1 2 3 3", peek([0, 1], "1 2"), scatter(0, 1), peek([1], "1"))
    assert knowledge.known[0] == FACE["2"]


def test_an_unseen_card_in_a_mix_is_an_even_share() -> None:
    knowledge = known("1 3 3 4", peek([0], "1"), scatter(0, 1))
    assert share(knowledge, 0, "1") == pytest.approx(0.5)
    assert share(knowledge, 1, "3") == pytest.approx(1 / 3)
    assert share(knowledge, 2, "3") == pytest.approx(2 / 3)


@pytest.mark.parametrize("seed", range(6))
def test_totals_are_kept_and_certainty_is_the_truth(seed: int) -> None:
    chance, state = random.Random(seed), new(3)
    knowledge = Knowledge(state_mix())
    for _ in range(150):
        pending = state.pending()
        if isinstance(pending, Turn):
            told = state.play({pending.seats[0]: chance.choice(state.legal(pending.seats[0]))})
        elif isinstance(pending, Chance):
            told = state.resolve([chance.randrange(size) for size in pending.sizes])
        else:
            break
        knowledge.watch([sighting.event for sighting in told])
        if state.view(0)["state"] == "flip":
            check(knowledge, faces_of(state))


def state_mix() -> dict[str, int]:
    return dict(zip(FACES, [6, 6, 5, 4, 4, 3, 3, 2, 2, 2, 2, 2, 4], strict=True))


def check(knowledge: Knowledge, true: list[str]) -> None:
    for slot, face in knowledge.known.items():
        assert true[slot] == FACES[face]
    slots = [slot for pool in knowledge.pools for slot in pool.slots]
    assert sorted([*slots, *knowledge.known]) == [slot for slot, face in enumerate(true) if face != "."]
    left = [sum(pool.counts[face] for pool in knowledge.pools) for face in range(len(FACES))]
    hidden = [true[slot] for slot in slots]
    assert left == pytest.approx([hidden.count(face) for face in FACES], abs=0.3)
    for pool in knowledge.pools:
        assert sum(pool.counts) == pytest.approx(len(pool.slots))


def counts(cards: str) -> list[int]:
    return list(mix(cards).values())


# total, target, up, known, whether there is a sure way, the worth of the best (None: not asked)
WAYS: list[tuple[int, int, str, str, float | None]] = [
    (0, 4, "", "4", 4.0),
    (0, 4, "", "5", NEVER),
    (0, 4, "", "1 3", 3.0),
    (0, 4, "", "2 2", 4.0),
    (0, 4, "", "4 2 2 1 3", 4.0),
    (3, 4, "3", "1", 3.0),
    (2, 4, "2", "2", 4.0),
    (0, 9, "", "2 2 2 3 6", 6.0),
    (0, 12, "", "4 4 4 6 6", 12.0),
    (0, 5, "", "=", -0.5),
    (0, 5, "", "= 4", 3.5),
    (0, 8, "", "x2 4", 3.5),
    (4, 8, "4", "x2", 3.5),
    (5, 6, "5", "0 6", 5.5),
    (0, 9, "", "x2 4", NEVER),
    (0, 1, "", "", NEVER),
]


@pytest.mark.parametrize(("total", "target", "up", "cards", "worth"), WAYS)
def test_ways(total: int, target: int, up: str, cards: str, worth: float) -> None:
    assert finish(total, target, counts(up), counts(cards), VERSUS)[0] == worth
    assert reach(target, counts(cards))[total] is (worth > NEVER)


def test_chances_with_one_unknown_card_to_go() -> None:
    """Target 5, a known 3, and one pool of half 2s and half misses: either first, one in two."""
    pool = [0.0] * len(FACES)
    pool[FACE["2"]], pool[FACE["miss"]] = 0.5, 0.5
    chances = Chances(5, reach(5, counts("3")), [pool])
    assert chances.unknown(0, pool) == pytest.approx(0.5)
    assert chances.unknown(3, pool) == pytest.approx(0.5)
    assert chances.unknown(4, pool) == 0.0
    assert chances.unknown(1, pool) == pytest.approx(0.25)
