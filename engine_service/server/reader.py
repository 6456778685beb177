"""Reading from the database off the loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from storage.database import Database

T = TypeVar("T")


class Reader:
    """A few threads that run read-only transactions."""

    def __init__(self, database: Database, threads: int = 2) -> None:
        self._database = database
        self._threads = ThreadPoolExecutor(threads, "engine-reader")

    async def run(self, work: Callable[[Any], T]) -> T:
        """``work(tx)`` in a read-only transaction; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, work)

    def close(self) -> None:
        """Takes no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _read(self, work: Callable[[Any], T]) -> T:
        with self._database.reading() as tx:
            return work(tx)
