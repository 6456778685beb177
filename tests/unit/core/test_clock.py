import pytest

from engine_service.core.clock import NEVER, UNLIMITED, Clock, Limits

LIMITS = Limits(first_ms=100, move_ms=20, bank_ms=50, grace_ms=1000)


def opened(limits: Limits = LIMITS, now: int = 0) -> Clock:
    clock = Clock(limits)
    clock.open(now)
    return clock


def test_the_first_answer_has_a_limit_of_its_own() -> None:
    clock = opened(now=7)
    assert clock.due == 7 + 100 + 50
    assert clock.close(107) == 100
    assert clock.bank_ms == 50
    clock.open(200)
    assert clock.due == 200 + 20 + 50


@pytest.mark.parametrize(
    ("spent", "ms", "bank"),
    [(0, 0, 50), (100, 100, 50), (101, 101, 49), (150, 150, 0), (151, 150, 0), (9999, 150, 0)],
)
def test_only_time_beyond_the_limit_comes_out_of_the_bank(spent: int, ms: int, bank: int) -> None:
    clock = opened()
    assert clock.close(spent) == ms
    assert clock.bank_ms == bank


def test_the_bank_is_spent_once() -> None:
    clock = opened()
    clock.close(130)
    clock.open(1000)
    assert clock.due == 1000 + 20 + 20
    clock.close(1030)
    assert clock.bank_ms == 10
    clock.open(2000)
    assert clock.due == 2000 + 20 + 10


def test_without_a_limit_nothing_is_due_and_time_is_measured_all_the_same() -> None:
    clock = opened(UNLIMITED)
    assert clock.due == NEVER
    assert clock.close(123_456) == 123_456
    assert clock.bank_ms == 0


def test_a_limit_for_moves_alone() -> None:
    clock = opened(Limits(first_ms=None, move_ms=20, bank_ms=5))
    assert clock.due == NEVER
    clock.close(10_000)
    clock.open(10_000)
    assert clock.due == 10_025
    assert clock.bank_ms == 5


def test_time_that_stands_still_is_not_charged() -> None:
    clock = opened()
    clock.stop(40)
    assert clock.due == NEVER
    assert clock.spent(5000) == 40
    clock.start(1040)
    assert clock.due == 1150
    assert clock.close(1100) == 100
    assert clock.bank_ms == 50


def test_a_stop_counts_from_the_opening_on() -> None:
    clock = Clock(LIMITS)
    clock.stop(0)
    clock.open(500)
    assert clock.spent(600) == 0
    clock.start(700)
    assert clock.due == 700 + 150
    assert clock.close(710) == 10


def test_a_second_stop_or_start_changes_nothing() -> None:
    clock = opened()
    clock.start(10)
    clock.stop(20)
    clock.stop(30)
    clock.start(40)
    clock.start(60)
    assert clock.close(60) == 40


def test_two_stops_add_up_within_a_decision_and_end_with_it() -> None:
    clock = opened()
    for begin, end in ((10, 20), (30, 60)):
        clock.stop(begin)
        clock.start(end)
    assert clock.close(70) == 30
    clock.open(100)
    assert clock.close(115) == 15


def test_grace_ends_before_a_long_limit_and_a_short_limit_before_grace() -> None:
    slow = opened(Limits(first_ms=60_000, move_ms=20, bank_ms=0, grace_ms=1000))
    slow.leave(500)
    assert slow.due == 1500
    slow.come()
    assert slow.due == 60_000
    quick = opened()
    quick.leave(10)
    assert quick.due == 150


def test_grace_counts_without_any_limit() -> None:
    clock = opened(Limits(None, None, 0, grace_ms=1000))
    clock.leave(500)
    clock.leave(900)
    assert clock.due == 1500


def test_when_grace_was_over_before_the_decision_it_is_due_at_once() -> None:
    clock = Clock(LIMITS)
    clock.leave(0)
    clock.open(5000)
    assert clock.due == 5000


def test_a_stop_holds_grace_up() -> None:
    clock = opened(Limits(None, None, 0, grace_ms=1000))
    clock.leave(100)
    clock.stop(600)
    assert clock.due == NEVER
    clock.start(10_600)
    assert clock.due == 100 + 1000 + 10_000


def test_leaving_while_stopped_gives_the_whole_grace() -> None:
    clock = opened(Limits(None, None, 0, grace_ms=1000))
    clock.stop(100)
    clock.leave(400)
    clock.start(2000)
    assert clock.due == 3000


def test_a_clock_that_goes_back_charges_nothing() -> None:
    clock = opened(now=100)
    assert clock.close(90) == 0
