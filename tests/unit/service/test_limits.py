"""Bounds on callers; time is given."""

import pytest

from service.errors import Exhausted
from service.limits import Bucket, Rates, Slots


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(rate=2.0, burst=3, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait_ms() == 501
    assert not bucket.take(0.4)
    assert bucket.take(0.5)
    assert not bucket.take(0.5)


def test_a_bucket_holds_no_more_than_its_burst() -> None:
    bucket = Bucket(rate=100.0, burst=2, now=0.0)
    assert [bucket.take(1000.0) for _ in range(3)] == [True, True, False]


def test_every_caller_has_a_bucket_and_is_told_when_to_come_back() -> None:
    rates = Rates(rate=1.0, burst=1)
    rates.take("a", 0.0)
    rates.take("b", 0.0)
    with pytest.raises(Exhausted) as caught:
        rates.take("a", 0.25)
    assert caught.value.retry_ms == 751
    rates.take("a", 1.1)


def test_buckets_of_callers_long_gone_are_forgotten() -> None:
    rates = Rates(rate=0.001, burst=1, keep=2)
    for caller in ("a", "b", "c"):
        rates.take(caller, 0.0)
    rates.take("a", 0.0)
    with pytest.raises(Exhausted):
        rates.take("c", 0.0)


def test_slots_are_bounded_for_each_and_for_all() -> None:
    slots = Slots(each=2, total=3)
    slots.take("a")
    slots.take("a")
    with pytest.raises(Exhausted, match="2 streams are open"):
        slots.take("a")
    slots.take("b")
    with pytest.raises(Exhausted, match="as many streams"):
        slots.take("c")
    slots.give("a")
    slots.take("c")
    slots.give("b")
    slots.take("a")
    assert slots.open == 3
