"""Bounds on what one caller, and all together, may ask of a server. Sans I/O: ``now`` is seconds."""

from collections import OrderedDict

from service.errors import Exhausted


class Bucket:
    """A token bucket: ``rate`` a second, at most ``burst`` at once."""

    __slots__ = ("burst", "level", "rate", "then")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self.level = float(burst)
        self.then = now

    def take(self, now: float, amount: int = 1) -> bool:
        """Takes ``amount`` if it is there, else nothing."""
        self.level = min(float(self.burst), self.level + (now - self.then) * self.rate)
        self.then = now
        if self.level < amount:
            return False
        self.level -= amount
        return True

    def wait_ms(self, amount: int = 1) -> int:
        """How long until ``amount`` is there; at least 1."""
        return max(1, int((amount - self.level) / self.rate * 1000) + 1)


class Rates:
    """A bucket for each of the last ``keep`` callers."""

    def __init__(self, rate: float, burst: int, keep: int = 10_000) -> None:
        self.rate = rate
        self.burst = burst
        self.keep = keep
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, caller: str, now: float) -> None:
        """Counts one call. Exhausted, with when to try again, if the caller has none left."""
        bucket = self._bucket(caller, now)
        if not bucket.take(now):
            wait = bucket.wait_ms()
            raise Exhausted(f"too many calls; try again in {wait} ms", retry_ms=wait)

    def _bucket(self, caller: str, now: float) -> Bucket:
        bucket = self._buckets.get(caller)
        if bucket is None:
            bucket = self._buckets[caller] = Bucket(self.rate, self.burst, now)
            if len(self._buckets) > self.keep:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(caller)
        return bucket


class Slots:
    """Open streams: at most ``each`` for a caller and ``total`` together."""

    def __init__(self, each: int, total: int) -> None:
        self.each = each
        self.total = total
        self.open = 0
        self._held: dict[str, int] = {}

    def take(self, caller: str) -> None:
        """Holds one slot until :meth:`give`. Exhausted if there is none."""
        if self.open >= self.total:
            raise Exhausted("the server holds as many streams as it may; try again", retry_ms=5000)
        held = self._held.get(caller, 0)
        if held >= self.each:
            raise Exhausted(
                f"{held} streams are open for this caller, which is the limit; close one first",
                retry_ms=1000,
            )
        self._held[caller] = held + 1
        self.open += 1

    def give(self, caller: str) -> None:
        """Gives one slot back."""
        held = self._held[caller] - 1
        if held:
            self._held[caller] = held
        else:
            del self._held[caller]
        self.open -= 1
