"""BotService: uploaded bots over gRPC, each for its owner alone.

Errors are those of ``service.errors`` and ``storage.errors``; the server's guard puts them
on the wire. Queries, and the judging of bundles, run in threads, so that the loop goes on.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bot_runner.bundles import bundle
from bot_runner.errors import BundleRefused
from scheduler import bot_messages as told
from scheduler import bots
from scheduler.bot_logs import seat_logs_of
from scheduler.uploads import MOST_CHUNK, Gates, Pace, Upload, receive
from scheduler.v1 import bots_pb2 as pb
from scheduler.v1.bots_pb2_grpc import BotServiceServicer
from service.auth import Policy, Principal, caller
from service.errors import BadRequest, Missing
from service.settings import Settings
from service.transactions import Transactions, last_number, page_size
from storage import bundles, ladders, quotas, submissions
from storage.bounds import Bounds
from storage.database import Database, Transaction
from storage.quotas import Quota
from storage.submissions import NewSubmission, SubmissionRow

NAME = "scheduler.v1.BotService"
METHODS = ("Submit", "Get", "List", "Versions", "Activate", "Retire", "Download", "Logs", "Delete")
POLICY: Policy = {f"/{NAME}/{method}": frozenset({"submit"}) for method in METHODS}
PAGE, MOST = 50, 200
LOGS, MOST_LOGS = 20, 100
JUDGES = 2
"""Bundles judged at once: each may take 64 MiB unpacked."""


class BotService(BotServiceServicer):
    """Serves ``proto/scheduler/v1/bots.proto`` from a database. Close it when its server has stopped."""

    # N802 below: the names are the proto's.

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._gates = Gates(settings.uploads_per_owner, settings.uploads)
        self._pace = Pace(settings.upload_ms, settings.upload_idle_ms)
        self._quota = Quota(settings.bundle_bytes_per_owner, settings.uploads_per_day)
        self._bounds = Bounds(settings.bots_per_owner, settings.versions_per_owner)
        self._transactions = Transactions(database, "bots")
        self._judges = ThreadPoolExecutor(JUDGES, thread_name_prefix="judges")

    def close(self) -> None:
        self._transactions.close()
        self._judges.shutdown()

    async def Submit(self, requests: AsyncIterator[Any], context: Any) -> pb.SubmitResponse:  # noqa: N802
        who = caller()
        with self._gates.passing(who.user):
            upload = await receive(requests, self._pace)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._judges, self._take_in, who, upload)

    async def Get(self, request: pb.GetBotRequest, context: Any) -> pb.Bot:  # noqa: N802
        who = caller()
        return await self._transactions.read(lambda tx: self._bot(tx, who, request.bot))

    async def List(self, request: pb.ListBotsRequest, context: Any) -> pb.ListBotsResponse:  # noqa: N802
        who = caller()
        return await self._transactions.read(lambda tx: self._list(tx, who, request))

    async def Versions(self, request: pb.VersionsRequest, context: Any) -> pb.VersionsResponse:  # noqa: N802
        who = caller()
        return await self._transactions.read(lambda tx: list_versions(tx, who, request))

    async def Activate(self, request: pb.ActivateRequest, context: Any) -> pb.Version:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: activate(tx, who, request))

    async def Retire(self, request: pb.RetireRequest, context: Any) -> pb.Version:  # noqa: N802
        who = caller()
        return await self._transactions.write(
            lambda tx: told.version(bots.retire(tx, bots.find_own(tx, who.name, request.bot)))
        )

    async def Download(self, request: pb.DownloadRequest, context: Any) -> AsyncIterator[pb.DownloadResponse]:  # noqa: N802
        who = caller()
        data = await self._transactions.read(lambda tx: archive(tx, who, request))
        for start in range(0, len(data), MOST_CHUNK):
            yield pb.DownloadResponse(chunk=data[start : start + MOST_CHUNK])

    async def Logs(self, request: pb.LogsRequest, context: Any) -> pb.LogsResponse:  # noqa: N802
        who = caller()
        return await self._transactions.read(lambda tx: logs(tx, who, request))

    async def Delete(self, request: pb.DeleteRequest, context: Any) -> pb.DeleteResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(
            lambda tx: pb.DeleteResponse(bundles=bots.delete(tx, bots.find_own(tx, who.name, request.bot)))
        )

    def _take_in(self, who: Principal, upload: Upload) -> pb.SubmitResponse:
        """Judges a bundle in memory alone, and stores one that keeps all rules."""
        with self._database.reading() as tx:
            games = [ladder.name for ladder in ladders.ladders(tx)]
        try:
            judged = bundle.read(upload.data, games)
        except BundleRefused as error:
            raise BadRequest(str(error)) from error
        manifest = judged.manifest
        new = NewSubmission(
            _owner(who), upload.request_id, manifest.name, manifest.language, manifest.games, upload.data
        )
        with self._database.transaction() as tx:
            row, is_new = bots.hand_in(tx, new, self._quota, self._bounds)
            return pb.SubmitResponse(version=told.version(row), is_new=is_new, quota=self._left(tx, who))

    def _bot(self, tx: Transaction, who: Principal, name: str) -> pb.Bot:
        newest = version_of(tx, who, name, 0)
        steps = [told.step(row) for row in submissions.steps(tx, newest.version_id)]
        return pb.Bot(newest=told.version(newest), steps=steps, quota=self._left(tx, who))

    def _list(self, tx: Transaction, who: Principal, request: pb.ListBotsRequest) -> pb.ListBotsResponse:
        size = page_size(request.page_size, PAGE, MOST)
        rows = submissions.latest(tx, _owner(who), request.page_token, size + 1)
        more = rows[size - 1].name if len(rows) > size else ""
        newest = [told.version(row) for row in rows[:size]]
        return pb.ListBotsResponse(newest=newest, next_page_token=more, quota=self._left(tx, who))

    def _left(self, tx: Transaction, who: Principal) -> pb.Quota:
        return told.quota(self._quota, quotas.usage(tx, _owner(who), self._quota))


def list_versions(tx: Transaction, who: Principal, request: pb.VersionsRequest) -> pb.VersionsResponse:
    """A page of a bot's versions, newest first; a token is the last number of the page before."""
    size = page_size(request.page_size, PAGE, MOST)
    player = bots.find_own(tx, who.name, request.bot)
    rows = submissions.versions(tx, player.id, last_number(request.page_token), size + 1)
    more = str(rows[size - 1].number) if len(rows) > size else ""
    return pb.VersionsResponse(versions=[told.version(row) for row in rows[:size]], next_page_token=more)


def activate(tx: Transaction, who: Principal, request: pb.ActivateRequest) -> pb.Version:
    """The version plays from now on; errors as ``bots.activate``."""
    if not request.number:
        raise BadRequest("number is empty; name the version to activate, as in 3")
    row = version_of(tx, who, request.bot, request.number)
    return told.version(bots.activate(tx, row.version_id))


def archive(tx: Transaction, who: Principal, request: pb.DownloadRequest) -> bytes:
    """A version's archive as it was handed in."""
    row = version_of(tx, who, request.bot, request.number)
    if row.digest is None:
        raise Missing(f"the bundle of {row.full_name} has been deleted")
    return bundles.data(tx, row.digest)


def logs(tx: Transaction, who: Principal, request: pb.LogsRequest) -> pb.LogsResponse:
    """The reports of a bot's seats, newest first."""
    player = bots.find_own(tx, who.name, request.bot)
    limit = page_size(request.limit, LOGS, MOST_LOGS, "limit")
    seats = seat_logs_of(tx, player.id, request.match, limit)
    return pb.LogsResponse(seats=[told.seat_log(seat) for seat in seats])


def version_of(tx: Transaction, who: Principal, name: str, number: int) -> SubmissionRow:
    """A version of one's own bot; number 0: the newest. NotFound, Missing if there is none."""
    player = bots.find_own(tx, who.name, name)
    found = submissions.versions(tx, player.id, number + 1 if number else None, 1)
    if not found or (number and found[0].number != number):
        raise Missing(f"{player.full_name} has no version {number}; `mamenoki bots versions` lists them")
    return found[0]


def _owner(who: Principal) -> int:
    """The scope that the policy asks for is an owner's; processes of ours have none."""
    if who.owner_id is None:
        raise BadRequest("a bot has an owner; use an owner's token")
    return who.owner_id
