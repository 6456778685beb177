import pytest

from engine_service.core.game import NotationError
from engine_service.core.notation import Notation, enumerate_some, notation_of
from tests.games.coin import COIN, Coin
from tests.games.tiny import TINY


class CountingCoin(Coin):
    """Counts how often it is asked to format."""

    def __init__(self) -> None:
        self.formatted = 0

    def format(self, code: int) -> str:
        self.formatted += 1
        return super().format(code)


def test_every_text_is_made_once() -> None:
    coin = CountingCoin()
    notation = Notation(coin)
    assert notation.texts([0, 1, 0]) == ["表", "裏", "表"]
    assert notation.texts([1, 0]) == ["裏", "表"]
    assert notation.text(1) == "裏"
    assert coin.formatted == 2


def test_a_changed_list_of_texts_harms_nobody() -> None:
    notation = Notation(COIN)
    for _ in range(2):
        notation.texts([0, 1]).clear()
    assert notation.texts([0, 1]) == ["表", "裏"]


def test_forgotten_lists_are_made_again() -> None:
    notation = Notation(COIN)
    lists = [[number >> bit & 1 for bit in range(13)] for number in range(2**13)]
    for codes in (*lists, *lists[:5]):
        assert notation.texts(codes) == ["裏" if code else "表" for code in codes]


def test_a_text_is_read_whether_it_was_made_before_or_not() -> None:
    notation = Notation(COIN)
    assert notation.code("裏") == 1
    assert notation.text(1) == "裏"
    assert notation.code("裏") == 1


def test_what_is_no_move_is_never_remembered() -> None:
    notation = Notation(TINY)
    for _ in range(2):
        with pytest.raises(NotationError, match="none of: hold"):
            notation.code("jump")
    with pytest.raises(NotationError, match="257 characters"):
        notation.code("h" * 257)


def test_a_game_has_one_notation() -> None:
    assert notation_of(TINY) is notation_of(TINY)
    assert notation_of(TINY) is not notation_of(COIN)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["a"], "1 move: a"),
        (["a", "b"], "2 moves: a, b"),
        (list("abcdefgh"), "8 moves: a, b, c, d, e, f, g, h"),
        (list("abcdefghij"), "10 moves: a, b, c, d, e, f, g, h and 2 more"),
    ],
)
def test_long_lists_are_cut_in_messages(texts: list[str], told: str) -> None:
    assert enumerate_some(texts) == told
