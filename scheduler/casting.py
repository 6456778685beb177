"""Bots for the seats of one batch, and what is written down of those that were uploaded."""

from typing import Protocol

from bot_runner.errors import BotDied, SandboxMissing
from bot_runner.runner import Runner
from bot_runner.seat import SeatedBot
from mamenoki import house
from mamenoki.sdk.bot import Bot, Seat
from mamenoki.sdk.sitting import Key
from mamenoki.sdk.tickets import SeatTicket
from storage import bundles, tables
from storage.bundles import ReportRow
from storage.database import Database


class Hosts(Protocol):
    """What casting takes; a worker's runtime has it. ``runner`` None: no uploaded bot runs here."""

    @property
    def database(self) -> Database: ...
    @property
    def runner(self) -> Runner | None: ...


class Casting:
    """Makes bots until :meth:`close`, which must come after the batch however it went."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._uploaded: dict[Key, tuple[SeatedBot, int]] = {}

    def make(self, ticket: SeatTicket, seat: Seat) -> Bot:
        """The bot of a seat. A HostFault or OSError where it cannot be had is never the bot's."""
        digest = bundles.digest_of(ticket.program)
        if digest is None:
            return house.make(seat.game, ticket.program, ticket.settings)
        if self._hosts.runner is None:
            raise SandboxMissing("this worker runs no uploaded bots: its sandbox does not hold, see its log")
        bot = self._hosts.runner.bot(digest, seat)
        self._uploaded[ticket.match, ticket.seat] = bot, self._attempt(ticket.match)
        return bot

    def is_uploaded(self, key: Key) -> bool:
        """Whether a stranger wrote the seat's bot."""
        return key in self._uploaded

    async def close(self) -> None:
        """Every uploaded bot has gone, those whose match is not over too, and is reported."""
        for bot, _ in self._uploaded.values():
            await bot.gone()
        if self._uploaded:
            with self._hosts.database.transaction() as tx:
                bundles.report(tx, [self._report(key, *seated) for key, seated in self._uploaded.items()])

    def _attempt(self, match: str) -> int:
        with self._hosts.database.reading() as tx:
            return tables.find(tx, match).attempt

    def _report(self, key: Key, bot: SeatedBot, attempt: int) -> ReportRow:
        exit = bot.died.exit if isinstance(bot.died, BotDied) else None
        return ReportRow(
            table_id=key[0],
            attempt=attempt,
            seat=key[1],
            level="" if self._hosts.runner is None else self._hosts.runner.level.value,
            cause=exit.cause if exit else None,
            why=exit.why if exit else str(bot.died or ""),
            code=exit.code if exit else None,
            signal=exit.signal if exit else None,
            stderr=bot.log.text().replace("\0", ""),
            times=[(one.decision, one.us) for one in bot.times],
        )
