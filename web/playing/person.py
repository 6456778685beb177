"""A person as a bot: what the engine asks waits here until a browser brings the answer."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Condition

from mamenoki.sdk.bot import Bot, Decision, Json, Result, Seat
from mamenoki.sdk.errors import Resigned

MISSES = 2
"""Who lets the clock play so many moves in a row has left: the seat is resigned."""


class Refusal(Exception):
    """An answer that does not count; the message is for the person, and the decision stays open."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person's page shows. A change of anything but ``said`` makes a new ``version``.

    ``seat`` is None before the match has begun. ``decision``: the last one asked; it is open while ``is_open``.
    ``news``: sightings since the decision before it. ``due``: when its clock runs out, by ``time.monotonic``;
    None: never. ``said``: the person's last answer. ``lost``: why there is no match any more.
    """

    version: int = 0
    seat: Seat | None = None
    decision: Decision | None = None
    is_open: bool = False
    news: Sequence[dict[str, Json]] = ()
    due: float | None = None
    said: str = ""
    missed: int = 0
    resigning: bool = False
    result: Result | None = None
    lost: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen here."""
        return self.result is not None or bool(self.lost)


class Person(Bot):
    """One seat. The bridge's loop calls ``start``, ``choose`` and ``finish``; any thread may call the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = Condition()
        self._standing = Standing()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._answer: asyncio.Future[str] | None = None

    @property
    def standing(self) -> Standing:
        """How it stands now."""
        return self._standing

    def wait(self, version: int, seconds: float) -> Standing:
        """How it stands as soon as that is no longer ``version``, or after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._standing.version != version, seconds)
            return self._standing

    # The bridge's side

    def start(self, seat: Seat) -> None:
        self._show(seat=seat)

    async def choose(self, decision: Decision) -> str:
        """The person's answer. Resigned if the person has left or leaves."""
        self._loop = asyncio.get_running_loop()
        self._answer = answer = self._loop.create_future()
        left = decision.left_ms
        due = None if left is None else time.monotonic() + left / 1000
        self._show(decision=decision, is_open=True, news=tuple(decision.sightings), due=due)
        if self._standing.resigning or self._standing.missed >= MISSES:
            self._show(is_open=False)
            raise Resigned("the person has left")
        try:
            text: str = await answer
        except asyncio.CancelledError:  # the clock has played
            self._show(is_open=False, missed=self._standing.missed + 1)
            raise
        return text

    def finish(self, result: Result) -> None:
        self._show(is_open=False, result=result)

    def lose(self, why: str) -> None:
        """There is no match: it could not begin, or was lost through a fault of ours."""
        if not self._standing.is_over:
            self._show(is_open=False, lost=why)

    # The browser's side

    def answer(self, decision: int, move: str) -> None:
        """Answers the open decision. Repeating an answer does no harm.

        Refusal if another decision is open, or none, or the move is not among the legal ones.
        """
        with self._changed:
            now = self._standing
            asked = now.decision
            if asked is None or asked.id != decision or (not now.is_open and now.said != move):
                raise Refusal("The table has moved on since that page was shown; here is how it stands now.")
            if move not in asked.legal:
                raise Refusal(f"“{move[:40]}” may not be played now; choose one of the moves below.")
            if now.is_open:
                self._put(replace(now, is_open=False, said=move, missed=0))
                self._settle(move, None)

    def resign(self) -> None:
        """Gives the seat up: at once if something is asked of it, else with what is asked next."""
        with self._changed:
            now = self._standing
            if now.is_over or now.resigning:
                return
            self._put(replace(now, is_open=False, resigning=True))
            if now.is_open:
                self._settle("", Resigned("the person resigned"))

    def _settle(self, move: str, error: Resigned | None) -> None:
        assert self._loop is not None  # noqa: S101  # tells mypy: a decision is open
        assert self._answer is not None  # noqa: S101  # as above
        self._loop.call_soon_threadsafe(_resolve, self._answer, move, error)

    def _show(self, **changes: object) -> None:
        with self._changed:
            self._put(replace(self._standing, **changes))  # type: ignore[arg-type]  # fields by name

    def _put(self, standing: Standing) -> None:
        self._standing = replace(standing, version=standing.version + 1)
        self._changed.notify_all()


def _resolve(answer: "asyncio.Future[str]", move: str, error: Resigned | None) -> None:
    """Unless the clock was faster."""
    if answer.done():
        return
    if error is None:
        answer.set_result(move)
    else:
        answer.set_exception(error)
