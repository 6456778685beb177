"""Move texts: which there are, and what is none."""

import pytest

from engine_service.core.game import NotationError
from engine_service.games.seimi import SEIMI
from tests.unit.games.seimi.script import ORDER, legal, place

MINIONS = ORDER[:-1]
GOOD = [
    "take deck",
    "done",
    *[f"{verb} {card}" for verb in ("take", "put") for card in ORDER],
    *[f"{verb} {card}" for card in MINIONS for verb in ("play", "open", "replace")],
    *[f"{verb} parents+{card}" for card in MINIONS for verb in ("open", "replace")],
]

BAD = {
    "nothing": "",
    "a verb alone": "take",
    "a card alone": "fly-blade",
    "parents are not laid alone": "open parents",
    "parents are not played": "play parents",
    "parents do not lead a play": "play parents+fly-blade",
    "parents come first": "open fly-blade+parents",
    "two parents": "open parents+parents+fly-blade",
    "unknown kind": "take cat-blade",
    "unknown ability": "take fly-kick",
    "kind and ability the other way": "take blade-fly",
    "capitals": "Take deck",
    "two spaces": "take  deck",
    "a space behind": "done ",
    "the deck is not put": "put deck",
    "endless": "take " + "fly-" * 10_000,
}


@pytest.mark.parametrize("text", GOOD)
def test_reads_and_writes_back(text: str) -> None:
    assert SEIMI.format(SEIMI.parse(text)) == text


def test_there_are_no_others() -> None:
    assert sorted(SEIMI.parse(text) for text in GOOD) == list(range(116))


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_refuses(text: str) -> None:
    with pytest.raises(NotationError, match="no move of seimi"):
        SEIMI.parse(text)


def test_the_longest_lists() -> None:
    every = " ".join(ORDER)
    assert len(legal(place(hands=[every, "", ""], field=every, deck="fly-fist"))) == 1 + 17 + 17
    assert len(legal(place(hands=[every, "", ""], state="deploy", step=2))) == 1 + 16 + 16
