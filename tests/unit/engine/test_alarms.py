"""One timer for all deadlines."""

import asyncio
import gc
import weakref

from engine_service.server.alarms import Alarms, monotonic_ms
from tests.fixtures.engine import until


async def test_alarms_ring_in_order_and_not_before_their_time() -> None:
    alarms = Alarms(asyncio.get_running_loop())
    rung: list[tuple[str, int]] = []
    now = monotonic_ms()
    for name, after in (("c", 60), ("a", 0), ("b", 30)):
        alarms.set(now + after, lambda at, name=name: rung.append((name, at - now)))  # type: ignore[misc]
    await until(lambda: len(rung) == 3)
    assert [name for name, _ in rung] == ["a", "b", "c"]
    assert all(at >= after for (_, at), after in zip(rung, (0, 30, 60), strict=True))


async def test_an_alarm_that_is_taken_back_does_not_ring_and_holds_nothing() -> None:
    class Owner:
        def __init__(self) -> None:
            self.rung = 0

        def wake(self, _now: int) -> None:
            self.rung += 1

    alarms = Alarms(asyncio.get_running_loop())
    owner = Owner()
    gone = weakref.ref(owner)
    alarm = alarms.set(monotonic_ms() + 60_000, owner.wake)
    alarm.cancel()
    del owner
    gc.collect()
    assert gone() is None
    alarms.close()


async def test_an_earlier_alarm_moves_the_timer() -> None:
    alarms = Alarms(asyncio.get_running_loop())
    rung: list[str] = []
    alarms.set(monotonic_ms() + 60_000, lambda _: rung.append("late"))
    alarms.set(monotonic_ms() + 10, lambda _: rung.append("soon"))
    await until(lambda: rung)
    assert rung == ["soon"]
    alarms.close()


async def test_an_alarm_may_set_another() -> None:
    alarms = Alarms(asyncio.get_running_loop())
    rung: list[int] = []

    def again(now: int) -> None:
        rung.append(now)
        if len(rung) < 3:
            alarms.set(now + 5, again)

    alarms.set(monotonic_ms(), again)
    await until(lambda: len(rung) == 3)
    assert rung == sorted(rung)
