"""An uploaded bot at its seat: what the worker's bridge plays instead of a house bot."""

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from bot_runner import protocol
from bot_runner.errors import BotDied, Cause, Exit, SandboxBroke, printable
from bot_runner.exits import exit_of
from bot_runner.log import Log
from bot_runner.pipes import Flood, Lines, Outlet
from bot_runner.process import GONE_S, Ended, Process
from mamenoki.sdk.bot import Bot, Decision, Result, Seat

MOST_STDERR = 16 << 20
"""Bytes in one turn that are read, most of them to be dropped; beyond it the bot is flooding us."""
MOST_TIMES = 10_000
TRIES = 3
"""Answers in the name of another seat to one decision, before the bot is ended."""
FAREWELL_S = 0.5
"""How long a bot may run on after the end of its match."""


@dataclass(frozen=True, slots=True)
class Timed:
    """What one answer took, from the moment the bot could run until its line was read; microseconds."""

    decision: int
    us: int


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why there is no answer."""

    cause: Cause
    why: str


_BY_ITSELF = _Failure("crash", "it has ended; how, its exit tells")


class SeatedBot(Bot):
    """One process, one match. For the event loop's thread.

    ``choose`` raises BotDied when the bot has ended, whoever ended it, and SandboxBroke when it
    never began; after that it raises the same again. It may be cancelled when the clock has moved
    on: the bot keeps what it was thinking, and its late answer is dropped.
    ``times`` and ``log`` are for the bot's owner.
    """

    def __init__(
        self, process: Process, seat: Seat, silence_ms: int, left: Callable[["SeatedBot"], None]
    ) -> None:
        """``left`` is called once, when the process has gone."""
        super().__init__()
        self.seat = seat
        self.log = Log()
        self.times: list[Timed] = []
        self.died: BotDied | SandboxBroke | None = None
        self._process, self._silence_s, self._left = process, silence_ms / 1000, left
        self._lines, self._out = Lines(process.stdout), Outlet(process.stdin)
        os.set_blocking(process.stderr, False)
        self._ended: Ended | None = None
        self._farewell: asyncio.Task[None] | None = None
        self._beginning: asyncio.Task[None] | None = None
        self._turn: asyncio.Future[None] | None = None
        self._shown = 0
        self._noise = 0
        self._over = False
        self._flooded = False

    def start(self, seat: Seat) -> None:
        """The bot reads of its seat as soon as it runs. Needs a running loop."""
        self.seat = seat
        self._out.add(protocol.started(seat))
        self._begin()

    def refused(self, decision: int, reason: str, message: str, tries_left: int) -> None:
        """The bot is told before it is asked again. ``reason`` is a name of the wire's ``Refused.Reason``."""
        self._out.add(protocol.refused(self.seat, decision, reason, message, tries_left))

    def tell(self, line: bytes) -> None:
        """Another line for the bot, before what it is told next: protocols grow, and bots skip what is new."""
        self._out.add(line + b"\n")

    async def choose(self, decision: Decision) -> str:
        """The bot's answer, as it said it."""
        if self.died is not None:
            raise self.died
        if self._over:
            self._die(Exit("ended", "the worker has ended it", stderr=self.log.last()))
        self._out.add(protocol.update(self.seat, decision, self._shown))
        self._shown += len(decision.sightings)
        self._turn = asyncio.get_running_loop().create_future()
        try:
            answer = await self._let_run(decision)
            return answer if isinstance(answer, str) else await self._fail(answer)
        except SandboxBroke as broke:
            self.died = broke
            raise
        finally:
            self._turn.set_result(None)

    def _begin(self) -> asyncio.Task[None]:
        """It runs as soon as it may; this is the wait for that."""
        if self._beginning is None:
            self._beginning = asyncio.get_running_loop().create_task(self._run_as_soon_as_it_may())
        return self._beginning

    async def _run_as_soon_as_it_may(self) -> None:
        await self._process.begin()
        if self._process.begun:
            with suppress(BrokenPipeError):  # it has ended already: the first decision tells
                self._out.flush()

    async def _let_run(self, decision: Decision) -> str | _Failure:
        """Ask while it runs and its log is read; then it stands still."""
        await asyncio.shield(self._begin())
        if not self._process.begun:
            return await self._ended_itself()
        self._lines.begin_turn()
        self._noise = 0
        loop = asyncio.get_running_loop()
        loop.add_reader(self._process.stderr, self._hear)
        self._process.resume()
        try:
            return await self._ask(decision)
        finally:
            loop.remove_reader(self._process.stderr)
            self._process.stop()

    def finish(self, result: Result) -> None:
        """The match is over: the bot is told, and ended if it does not end soon. Needs a running loop."""
        if self._over:
            return
        self._out.add(protocol.ended(self.seat, result))
        self._farewell = asyncio.get_running_loop().create_task(self._leave())

    async def end(self) -> None:
        """Kill it, if it runs, and wait until nothing of it is left. Safe twice."""
        self._process.kill()
        if self._beginning is not None:
            await asyncio.gather(self._beginning, return_exceptions=True)
        if self._turn is not None:  # whoever asks it now sees its end, and must have let go of its pipes
            await asyncio.shield(self._turn)
        await self._bury()

    def end_now(self) -> None:
        """The same without an event loop, for the end of a worker."""
        self._process.kill()
        if self._beginning is not None:
            self._beginning.cancel()
        self._put_away(self._process.gone_now())

    @property
    def pid(self) -> int:
        """The process that the worker started."""
        return self._process.pid

    @property
    def ended(self) -> Ended | None:
        """How its process ended, once it has gone."""
        return self._ended

    async def gone(self) -> None:
        """Wait for the farewell that :meth:`finish` began; without one, end it now."""
        if self._farewell is None:
            await self.end()
        else:
            await self._farewell

    async def _ask(self, decision: Decision) -> str | _Failure:
        began = time.perf_counter_ns()
        try:
            async with asyncio.timeout(self._silence_s):
                await self._out.write(b"")
                answer = await self._answer_to(decision)
        except TimeoutError:
            return _Failure("timeout", f"no answer to decision {decision.id} in {self._silence_s:.0f} s")
        except (Flood, protocol.Garbled) as error:
            return _Failure("protocol", str(error))
        except BrokenPipeError:
            return await self._ended_itself()
        if len(self.times) < MOST_TIMES:
            self.times.append(Timed(decision.id, (time.perf_counter_ns() - began) // 1000))
        return answer

    async def _answer_to(self, decision: Decision) -> str:
        strangers = 0
        while (line := await self._lines.next()) is not None:
            for answer in protocol.answers(line):
                if not self._is_ours(answer):
                    strangers += 1
                    await self._refuse(decision, answer, TRIES - strangers)
                elif answer.decision == decision.id:
                    return answer.move
                elif answer.decision > decision.id:
                    raise protocol.Garbled(
                        f"an answer to decision {answer.decision}, which nobody has asked for"
                    )
        raise BrokenPipeError("its stdout has ended")

    def _is_ours(self, answer: protocol.Answer) -> bool:
        return answer.match in (None, "", self.seat.match) and answer.seat in (None, self.seat.seat)

    async def _refuse(self, decision: Decision, answer: protocol.Answer, tries_left: int) -> None:
        if tries_left == 0:
            raise protocol.Garbled(
                f"moves for seat {answer.seat} of match {printable(str(answer.match), 40)}"
            )
        message = f"this bot sits at seat {self.seat.seat} of match {self.seat.match} and nowhere else"
        self.refused(decision.id, "REASON_UNKNOWN_SEAT", message, tries_left)
        await self._out.write(protocol.update(self.seat, decision, self._shown))

    def _hear(self) -> None:
        """Some of its stderr."""
        try:
            data = os.read(self._process.stderr, 64 << 10)
        except BlockingIOError:
            return
        self.log.add(data)
        self._noise += len(data)
        if not data:
            asyncio.get_running_loop().remove_reader(self._process.stderr)
        elif self._noise > MOST_STDERR:
            self._flooded = True
            self._process.kill()

    async def _ended_itself(self) -> _Failure:
        """It has closed a pipe, so it has ended or is about to."""
        if self._flooded:
            return _Failure("protocol", f"more than {MOST_STDERR} bytes to stderr for one answer")
        if self._process.killed:
            return _Failure("ended", "the worker ended it")
        if not await self._process.gone(FAREWELL_S):
            return _Failure("crash", "it closed its pipes and ran on")
        return _BY_ITSELF

    async def _fail(self, failure: _Failure) -> NoReturn:
        self._process.kill()
        await self._bury()
        if failure is not _BY_ITSELF:
            self._die(Exit(failure.cause, failure.why, stderr=self.log.last()))
        if self._ended is None or not self._ended.started:
            self.died = SandboxBroke(f"the sandbox did not start: {self.log.last(500)}")
            raise self.died
        self._die(exit_of(self._ended, self.log.last()))

    def _die(self, how: Exit) -> NoReturn:
        self.died = BotDied(how)
        raise self.died

    async def _leave(self) -> None:
        await asyncio.gather(self._begin(), return_exceptions=True)  # it need not have been asked anything
        self._process.resume()
        if self._process.begun:
            with suppress(BrokenPipeError):  # it has ended before it could hear of the match's end
                self._out.flush()
        self._out.close()
        await self._process.gone(FAREWELL_S)
        await self.end()

    async def _bury(self) -> None:
        self._put_away(await self._process.gone(GONE_S))

    def _put_away(self, gone: bool) -> None:
        """Once. A process that will not go keeps its user from being used again, which its slot sees to."""
        if self._over:
            return
        self._over = True
        self._hear_the_rest()
        self._out.close()
        self._lines.close()
        os.close(self._process.stderr)
        if gone:
            self._ended = self._process.ended()
        self._process.close()
        self._left(self)

    def _hear_the_rest(self) -> None:
        for _ in range(16):  # a pipe's worth; more can only come from a process that is not the bot's
            try:
                data = os.read(self._process.stderr, 64 << 10)
            except BlockingIOError:
                return
            if not data:
                return
            self.log.add(data)
