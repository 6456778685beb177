import hashlib
import hmac
from collections import Counter
from itertools import product

import pytest

from engine_service.core.chance import Fast, Seeded, commitment

SEED = bytes.fromhex("a142af35fa019827976fca265446101ddf3cb0868e86ea497649299de2ffc976")


def reference(seed: bytes, stream: str, k: int, size: int) -> int:
    """The replay format's text, followed word by word."""
    for r in range(1000):
        message = f"{stream}/{k}/{r}".encode()
        x = int.from_bytes(hmac.new(seed, message, hashlib.sha256).digest()[:8], "big")
        if x < 2**64 // size * size:
            return x % size
    raise AssertionError("no fair number in a thousand")


def test_outcomes_are_those_of_a_published_replay() -> None:
    chance = Seeded(SEED)
    assert chance.draw("first", [2]) == [0]
    assert chance.draw("deck", list(range(80, 70, -1))) == [22, 39, 43, 29, 44, 40, 60, 7, 39, 10]
    assert chance.draw("dice/0", [6] * 4) == [1, 1, 1, 3]
    assert chance.draw("deck", [70, 69]) == [53, 63]
    assert commitment(SEED) == "faefd5633df08cf9adfa98a31f4c65440bba73ad5396f87c671369012ce75d83"


@pytest.mark.parametrize("size", [1, 2, 3, 6, 97, 2**32, 2**63, 2**63 + 1, 2**64 - 1, 2**64])
def test_outcomes_follow_the_format_for_every_size(size: int) -> None:
    drawn = Seeded(SEED).draw("s/12", [size] * 60)
    assert drawn == [reference(SEED, "s/12", k, size) for k in range(60)]


def test_numbers_beyond_the_fair_range_are_drawn_again() -> None:
    size = 2**63 + 1  # almost half of all numbers are refused
    first = [int.from_bytes(hmac.digest(SEED, f"s/{k}/0".encode(), "sha256")[:8], "big") for k in range(60)]
    refused = [x >= size for x in first]
    drawn = Seeded(SEED).draw("s", [size] * 60)
    assert 10 < sum(refused) < 50
    assert [x != y for x, y in zip(first, drawn, strict=True)] == refused


def test_every_stream_counts_for_itself_and_grouping_makes_no_difference() -> None:
    one, other = Seeded(SEED), Seeded(SEED)
    together = one.draw("a", [10, 20, 30])
    other.draw("b", [5])
    assert other.draw("a", [10]) + other.draw("b", []) + other.draw("a", [20, 30]) == together
    assert one.draw("b", [5, 5])[1:] == other.draw("b", [5])


def test_a_size_of_one_counts() -> None:
    one, other = Seeded(SEED), Seeded(SEED)
    assert one.draw("a", [1, 1, 1000])[2] == reference(SEED, "a", 2, 1000)
    assert other.draw("a", [1]) == [0]
    assert other.draw("a", [1, 1000]) == [0, reference(SEED, "a", 2, 1000)]


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Seeded(bytes(length))


def test_the_fast_generator_repeats_and_differs_by_seed() -> None:
    sizes = [52, 6, 6, 1, 1000] * 200
    assert Fast(7).draw("x", sizes) == Fast(7).draw("y", sizes)
    assert Fast(7).draw("x", sizes) != Fast(8).draw("x", sizes)
    assert Fast(-1).draw("x", sizes) != Fast(1).draw("x", sizes)


def test_the_fast_generator_is_even() -> None:
    counts = Counter(Fast(3).draw("die", [6] * 60_000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts.values())
    assert chi_square < 20.5  # 1 in 1,000 by chance; the seed is fixed


@pytest.mark.parametrize("size", [200, 256, 257, 1000])
def test_the_fast_generator_is_even_below_any_size(size: int) -> None:
    """200 leaves out bytes, 256 takes them all, above that it draws otherwise."""
    counts = Counter(Fast(4).draw("card", [size] * 100 * size))
    assert sorted(counts) == list(range(size))
    chi_square = sum((count - 100) ** 2 / 100 for count in counts.values())
    assert abs(chi_square - (size - 1)) < 4 * (2 * size) ** 0.5  # four of its standard deviations


def test_the_fast_generator_goes_on_where_it_was() -> None:
    one, other = Fast(5), Fast(5)
    together = one.draw("x", [6] * 5000)
    assert [other.below(6), *other.draw("x", [6] * 4000), *other.draw("x", [6] * 999)] == together
    assert other.draw("x", []) == []
    assert other.draw("x", [6, 7, 300, 6]) == one.draw("x", [6, 7, 300, 6])


def test_the_fast_generator_shuffles_evenly() -> None:
    """One draw of several sizes: every order of four cards, and never a size's own number."""
    fast = Fast(6)
    orders = Counter(tuple(fast.draw("x", [4, 3, 2, 1])) for _ in range(24_000))
    assert sorted(orders) == sorted(product(range(4), range(3), range(2), range(1)))
    chi_square = sum((count - 1000) ** 2 / 1000 for count in orders.values())
    assert chi_square < 49.7  # 1 in 1,000 by chance; the seed is fixed
