"""Where guests play: their tables are begun here, and all their seats filled, in a loop of its own.

Nothing of it waits behind the workers' batches, and no bot's thinking holds up a page or another table.
"""

import asyncio
import threading
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any

import orjson
from grpc import aio

from engine_service.v1.match_pb2 import StartedTable, StartRequest
from engine_service.v1.match_pb2_grpc import MatchServiceStub
from mamenoki.sdk.bot import Bot, Decision, Result, Seat
from mamenoki.sdk.bridge import fill
from mamenoki.sdk.errors import SdkError
from mamenoki.sdk.tickets import SeatTicket
from mamenoki.sdk.wire import bearer, channel
from scheduler import casual
from scheduler.casual import Offer, make_bot
from service.logging import get
from storage import casual_tables, tables
from storage.database import Database
from storage.errors import StorageError
from web.playing.person import Person

MOST = 64
"""Guests' tables at once, in one process."""
MOST_EACH = 4
"""Of them, one guest's."""
KEPT_S = 3600.0
"""A table that has ended is remembered for so long by those who played there."""
START_S = 20.0
THINKERS = 2
LOST = "The table was lost through a fault of ours, and counts for nothing. You can begin another."
BUSY = "The engine cannot be had at the moment, so the table was not begun. Please try again in a minute."

_log = get("parlour")


class Crowded(Exception):
    """There is no room for another table now; the message is for the person."""


@dataclass(slots=True)
class Sitting:
    """A guest at a table."""

    table: str
    guest: str
    seat: int
    person: Person = field(default_factory=Person)
    since: float = field(default_factory=time.monotonic)


class Parlour:
    """All guests of this process. Any thread may call its methods; its loop begins with the first table."""

    def __init__(self, address: str, token: str, database: Database) -> None:
        self._address, self._token, self._database = address, token, database
        self._sittings: dict[str, Sitting] = {}
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._thinkers = ThreadPoolExecutor(THINKERS, "thinker")
        self._running: set[Future[None]] = set()

    def sit_down(self, guest: str, offer: Offer, bots: Sequence[str], seat: int) -> Sitting:
        """Plans a table for a guest and begins it. Crowded without room; what ``casual.seat_guest`` raises."""
        with self._lock:
            self._make_room(guest)
            with self._database.transaction() as tx:
                casual_tables.void_left_over(tx)
                table = casual.seat_guest(tx, offer, bots, seat)
            sitting = self._sittings[table] = Sitting(table, guest, seat)
            self._begin(self._host(sitting))
        return sitting

    def find(self, table: str, guest: str) -> Sitting | None:
        """The guest's sitting at that table; None if it is not theirs, or is not remembered."""
        sitting = self._sittings.get(table)
        return sitting if sitting is not None and sitting.guest == guest else None

    def of(self, guest: str) -> list[Sitting]:
        """What a guest is at, oldest first."""
        return [one for one in list(self._sittings.values()) if one.guest == guest]

    def close(self) -> None:
        """Ends all tables: the engine is told nothing, and gives them up."""
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        if self._loop is None or self._thread is None:
            return
        for future in list(self._running):
            future.cancel()
        asyncio.run_coroutine_threadsafe(_all_ended(), self._loop).result(10.0)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _make_room(self, guest: str) -> None:
        old = time.monotonic() - KEPT_S
        for table, one in list(self._sittings.items()):
            if one.person.standing.is_over and one.since < old:
                del self._sittings[table]
        live = [one for one in self._sittings.values() if not one.person.standing.is_over]
        if len(live) >= MOST:
            raise Crowded(f"All {MOST} tables for guests are taken. Please try again in a few minutes.")
        if sum(one.guest == guest for one in live) >= MOST_EACH:
            raise Crowded(f"You are at {MOST_EACH} tables already: play one to its end, or resign it, first.")

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="parlour", daemon=True)
            self._thread.start()
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._running.add(future)
        future.add_done_callback(self._running.discard)

    async def _host(self, sitting: Sitting) -> None:
        """One table to its end, whatever happens: the person is told how it went."""
        try:
            async with channel(self._address, tls=False) as line:  # inside: our own network
                why = await self._play(line, sitting)
        except (aio.AioRpcError, SdkError, StorageError) as error:
            _log.warning("guest_table_lost", table=sitting.table, why=str(error)[:300])
            why = LOST if sitting.person.standing.seat is not None else BUSY
        except Exception as error:  # noqa: BLE001  # logged; the person must not wait for ever
            _log.error("guest_table_failed", table=sitting.table, exc_info=error)
            why = LOST
        if why:
            sitting.person.lose(why)
            await asyncio.to_thread(self._void, sitting.table)

    async def _play(self, line: aio.Channel, sitting: Sitting) -> str:
        """Why the table came to nothing; empty if it was played to its end."""
        request = StartRequest(tables=[sitting.table], caller=f"web:{sitting.table}")
        answer = await MatchServiceStub(line).Start(request, metadata=bearer(self._token), timeout=START_S)
        started = answer.tables[0]
        if started.outcome != StartedTable.OUTCOME_STARTED:
            _log.warning("guest_table_not_begun", table=sitting.table, why=started.message)
            return BUSY
        seats = [
            SeatTicket(sitting.table, one.seat, one.ticket, one.program, orjson.loads(one.settings or "{}"))
            for one in started.seats
        ]

        def sit(ticket: SeatTicket, seat: Seat) -> Bot:
            if ticket.seat == sitting.seat:
                return sitting.person
            return Aside(make_bot(ticket, seat), self._thinkers)

        report = await fill(line, self._token, seats, sit, name=f"web:{sitting.table}")
        result = report.ended.get((sitting.table, sitting.seat))
        for (_, seat), trace in report.crashed.items():
            _log.error("house_bot_crashed", table=sitting.table, seat=seat, trace=trace)
        return LOST if result is None or result.end == "aborted" else ""

    def _void(self, table: str) -> None:
        try:
            with self._database.transaction() as tx:
                tables.void(tx, table, casual_tables.LEFT_OVER)
        except StorageError as error:  # the next guest's sitting down voids it
            _log.warning("guest_table_not_voided", table=table, why=str(error)[:300])


class Aside(Bot):
    """A house bot that thinks in a thread of its own, so that it holds up nobody else."""

    def __init__(self, bot: Bot, thinkers: ThreadPoolExecutor) -> None:
        super().__init__()
        self._bot, self._thinkers = bot, thinkers

    def start(self, seat: Seat) -> None:
        self._bot.start(seat)

    async def choose(self, decision: Decision) -> str:
        """The bot's answer; whatever it raises."""
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._thinkers, self._bot.choose, decision)
        return await answer if isawaitable(answer) else answer

    def finish(self, result: Result) -> None:
        self._bot.finish(result)


async def _all_ended() -> None:
    """Until what was cancelled has seen to its end."""
    ending = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)
