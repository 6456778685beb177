"""Texts and codes are each other's inverse, and nothing else is read."""

import pytest

from engine_service.core.game import NotationError
from engine_service.games.beanstalk import BEANSTALK

GOOD = ["play 1", "play 2", "play 3", "play 4", "play 5", "draw stable", "draw gamble"]
BAD = {
    "empty": "",
    "no card": "play 0",
    "too high": "play 6",
    "negative": "play -1",
    "no number": "play",
    "two numbers": "play 1 2",
    "capital": "Play 1",
    "space after": "play 1 ",
    "two spaces": "play  1",
    "full-width": "play １",
    "unknown deck": "draw thief",
    "no deck": "draw",
    "number alone": "3",
    "endless": "play " + "1" * 100_000,
}


@pytest.mark.parametrize("text", GOOD)
def test_reads_and_writes_back(text: str) -> None:
    assert BEANSTALK.format(BEANSTALK.parse(text)) == text


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_refuses(text: str) -> None:
    with pytest.raises(
        NotationError, match="no move of beanstalk; moves read: play 1 to play 5, draw stable"
    ):
        BEANSTALK.parse(text)


def test_codes_are_all_different() -> None:
    assert [BEANSTALK.parse(text) for text in GOOD] == [1, 2, 3, 4, 5, 6, 7]
