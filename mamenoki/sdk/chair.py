"""An author's bot at one seat of a match on a server: when it thinks, and what becomes of its answers."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

from engine_service.v1 import play_pb2 as pb
from mamenoki.sdk.bot import Bot, Result, Seat
from mamenoki.sdk.events import AnswerRefused, BotRaised, Event, MatchEnded
from mamenoki.sdk.outbox import Outbox
from mamenoki.sdk.sitting import Key, Sitting
from mamenoki.sdk.threads import BotThread
from mamenoki.sdk.traces import trace_of

MakeBot = Callable[[Seat], Bot]


class Chair:
    """A bot at a seat. Its calls run in a thread of its own; an ``async def choose`` on the event loop.

    ``commitment`` tells one attempt at a match from the next. ``gone`` is done when the
    bot's ``finish`` has returned.
    """

    def __init__(
        self, seat: Seat, commitment: str, make_bot: MakeBot, outbox: Outbox, tell: Callable[[Event], None]
    ) -> None:
        self.key: Key = seat.match, seat.seat
        self.commitment = commitment
        self.failed = False
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._seat, self._outbox, self._tell = seat, outbox, tell
        self._sitting = Sitting(seat)
        self._bot: Bot | None = None
        self._asked = 0
        self._busy = True
        self._over = False
        self._awaited: asyncio.Future[object] | None = None
        self._thread = BotThread(f"bot-{seat.match}-{seat.seat}")
        self._thread.call(lambda: self._make(make_bot), self._made)

    def update(self, update: pb.Update) -> None:
        """News for the seat."""
        if not self._sitting.take(update):
            self._outbox.recall(self.key)
        else:
            self._advance()

    def refused(self, refused: pb.Refused) -> None:
        """An answer did not count: the author is told, and the bot asked again while it has tries."""
        self._tell(AnswerRefused(self._seat, refused.message, refused.tries_left))
        if self._sitting.refused(refused):
            self._advance()

    def end(self, result: Result) -> None:
        """The match is over; the bot is told so after whatever it is thinking about.

        An ``async def choose`` that still runs is cancelled first.
        """
        self._over = True
        self._tell(MatchEnded(self._seat, result))
        if self._awaited is None:
            self._finish(result)
        else:
            self._awaited.add_done_callback(lambda _: self._finish(result))
            self._awaited.cancel()

    def _advance(self) -> None:
        owed = self._sitting.open
        if owed is None or self._busy or self._over:
            return
        if self.failed:
            self._outbox.resign(self.key)
        elif self._sitting.said:
            self._outbox.move(self.key, owed.id, self._sitting.answer)
        else:
            self._think(owed.id)

    def _think(self, decision: int) -> None:
        bot, asked = self._bot, self._sitting.ask()
        if bot is None:
            raise AssertionError("asked before it was made")
        self._busy, self._asked = True, decision
        if inspect.iscoroutinefunction(bot.choose):
            self._wait_for(bot.choose(asked))
        else:
            self._thread.call(lambda: bot.choose(asked), self._chosen)

    def _wait_for(self, answer: Awaitable[object]) -> None:
        self._awaited = asyncio.ensure_future(answer)
        self._awaited.add_done_callback(self._came)

    def _came(self, task: asyncio.Future[object]) -> None:
        self._awaited = None
        if task.cancelled():
            self._chosen(None, asyncio.CancelledError("the bot's choose was cancelled"))
        else:
            error = task.exception()
            self._chosen(None if error else task.result(), error)

    def _make(self, make_bot: MakeBot) -> None:
        """In the bot's thread, so that whatever comes after it there finds the bot."""
        bot = make_bot(self._seat)
        self._bot = bot
        bot.start(self._seat)

    def _made(self, _: object, error: BaseException | None) -> None:
        self._busy = False
        if error is not None:
            self._fail(error)
        else:
            self._advance()

    def _chosen(self, answer: object, error: BaseException | None) -> None:
        if self._over:
            return
        if error is None and inspect.isawaitable(answer):
            self._wait_for(answer)
            return
        self._busy = False
        if error is not None:
            self._fail(error)
        else:
            self._say(answer if isinstance(answer, str) else repr(answer))

    def _say(self, text: str) -> None:
        owed = self._sitting.open
        if owed is not None and owed.id == self._asked:
            self._sitting.say(text)
        else:
            self._tell(AnswerRefused(self._seat, f"{text!r} came after the clock had moved", 0))
        self._advance()

    def _fail(self, error: BaseException) -> None:
        self.failed = True
        self._report(error)
        if not self._over:
            self._outbox.resign(self.key)

    def _finish(self, result: Result) -> None:
        self._thread.call(
            lambda: self._bot.finish(result) if self._bot and not self.failed else None, self._finished
        )
        self._thread.close()

    def _finished(self, _: object, error: BaseException | None) -> None:
        if error is not None:
            self._report(error)
        self.gone.set_result(None)

    def _report(self, error: BaseException) -> None:
        self._tell(BotRaised(self._seat, trace_of(error)))
