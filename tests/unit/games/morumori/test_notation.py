"""Texts and codes are each other's inverse, and nothing else is read."""

import pytest

from engine_service.core.game import NotationError
from engine_service.games.morumori import MORUMORI

GOOD = [f"{verb} {slot}" for verb in ("flip", "take", "scatter") for slot in range(100)]

BAD = {
    "empty": "",
    "verb alone": "flip",
    "no slot": "flip ",
    "slot alone": "17",
    "capital": "Flip 1",
    "space before": " flip 1",
    "space after": "flip 1 ",
    "two spaces": "flip  1",
    "tab": "flip\t1",
    "leading zero": "flip 01",
    "plus": "flip +1",
    "minus": "flip -1",
    "beyond the last slot": "flip 100",
    "a face": "flip miss",
    "two slots": "scatter 1 2",
    "unknown verb": "keep 1",
    "full-width digit": "flip １",
    "endless": "flip " + "1" * 100_000,
}


@pytest.mark.parametrize("text", GOOD)
def test_reads_and_writes_back(text: str) -> None:
    assert MORUMORI.format(MORUMORI.parse(text)) == text


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_refuses(text: str) -> None:
    with pytest.raises(NotationError, match=r"no move of morumori; moves read: flip 17"):
        MORUMORI.parse(text)


def test_codes_are_all_different() -> None:
    assert len({MORUMORI.parse(text) for text in GOOD}) == len(GOOD)


def test_a_flip_has_its_slot_for_a_code() -> None:
    assert [MORUMORI.parse(f"{verb} 17") for verb in ("flip", "take", "scatter")] == [17, 145, 273]
