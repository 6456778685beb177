"""What services that answer from the database share: transactions in threads, and sizes of pages."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TypeVar

from service.errors import BadRequest
from storage.database import Database, Transaction

Answer = TypeVar("Answer")
Work = Callable[[Transaction], Answer]

THREADS = 4


class Transactions:
    """Runs transactions in threads of its own, so that SQL never blocks the loop. Close it when none runs."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix=name)

    def close(self) -> None:
        self._threads.shutdown()

    async def read(self, work: Work[Answer]) -> Answer:
        """What ``work`` gives, of one reading transaction."""
        return await self._run(work, self._database.reading)

    async def write(self, work: Work[Answer]) -> Answer:
        """What ``work`` gives, of one transaction that is committed unless it raises."""
        return await self._run(work, self._database.transaction)

    async def _run(
        self, work: Work[Answer], begin: Callable[[], AbstractContextManager[Transaction]]
    ) -> Answer:
        def run() -> Answer:
            with begin() as tx:
                return work(tx)

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)


def page_size(asked: int, default: int, most: int, field: str = "page_size") -> int:
    """How many lines a page has; 0 asks for the default. BadRequest for more than ``most``."""
    if asked > most:
        raise BadRequest(f"{field} is {asked}; ask for 1 to {most}, or 0 for {default}")
    return asked or default


def last_number(token: str) -> int | None:
    """The number that a page token is, with which the page before ended; None: the first page is asked for.

    BadRequest for what is no such token.
    """
    if not token:
        return None
    if not (token.isascii() and token.isdigit() and len(token) < 10):
        raise BadRequest("page_token is not of this list; send next_page_token as it came, or none")
    return int(token)
