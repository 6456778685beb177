"""Bots that the tests of the SDK seat."""

from mamenoki.sdk import Bot, Decision, Result, Seat


class First(Bot):
    """The first legal move, always."""

    def choose(self, decision: Decision) -> str:
        return decision.legal[0]


class Careful(Bot):
    """Stops when it may; keeps what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.seat: Seat | None = None
        self.asked: list[Decision] = []
        self.result: Result | None = None

    def start(self, seat: Seat) -> None:
        self.seat = seat

    def choose(self, decision: Decision) -> str:
        self.asked.append(decision)
        return "stop" if "stop" in decision.legal else decision.legal[-1]

    def finish(self, result: Result) -> None:
        self.result = result


class Later(Bot):
    """As First, but asynchronous."""

    async def choose(self, decision: Decision) -> str:
        return decision.legal[0]


class Raises(Bot):
    """Raises at its n-th decision."""

    def __init__(self, at: int = 1) -> None:
        super().__init__()
        self.left = at
        self.finished = False

    def choose(self, decision: Decision) -> str:
        self.left -= 1
        if self.left == 0:
            raise RuntimeError("out of ideas")
        return decision.legal[0]

    def finish(self, result: Result) -> None:
        self.finished = True


class Stubborn(Bot):
    """Answers what is not legal until it has been refused ``times`` times for a decision."""

    def __init__(self, times: int, answer: object = "castle") -> None:
        super().__init__()
        self.times, self.answer = times, answer
        self.calls: list[int] = []

    def choose(self, decision: Decision) -> str:
        self.calls.append(decision.id)
        if self.calls.count(decision.id) <= self.times:
            return self.answer  # type: ignore[return-value]  # that is the point
        return decision.legal[0]
