"""BotService over gRPC, behind the guard that every server of ours has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio
from sqlalchemy import func, select

from scheduler import bots
from scheduler.bot_service import METHODS, NAME, POLICY, BotService
from scheduler.v1 import bots_pb2 as pb
from scheduler.v1.bots_pb2_grpc import BotServiceStub, add_BotServiceServicer_to_server
from service.settings import Settings
from storage import bundles, identity, ladders, submissions
from storage.bundles import ReportRow
from storage.database import Database
from storage.schema import Bundle, Submission
from tests.contract.scheduler.bundles import begin, bundle, upload
from tests.fixtures.records import World, make_world, plan
from tests.fixtures.services import served
from tests.unit.bot_runner.zips import Entry, Zip

if TYPE_CHECKING:  # only the stub file has it
    from scheduler.v1.bots_pb2_grpc import BotServiceAsyncStub

Metadata = tuple[tuple[str, str], ...]
INVALID, FULL = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED
MISSING, WRONG = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION
LATE = grpc.StatusCode.DEADLINE_EXCEEDED


@pytest.fixture
def world(database: Database) -> World:
    with database.transaction() as tx:
        return make_world(tx, 4)


def token(database: Database, owner: str, scope: str = "submit") -> Metadata:
    with database.transaction() as tx:
        clear = identity.create_token(tx, owner, "", [scope], None)
    return (("authorization", f"Bearer {clear}"),)


@pytest.fixture
def ann(database: Database, world: World) -> Metadata:
    assert world
    return token(database, "ann")


@pytest_asyncio.fixture
async def stub(database: Database) -> AsyncIterator[BotServiceAsyncStub]:
    settings = Settings(uploads=3, upload_idle_ms=300, uploads_per_day=4, bundle_bytes_per_owner=64 << 10)
    service, add = BotService(database, settings), add_BotServiceServicer_to_server
    async with (
        served(database, service, POLICY, add, slots=32) as address,
        grpc.aio.insecure_channel(address) as channel,
    ):
        yield BotServiceStub(channel)


async def refused(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details() or ""


def stored(database: Database) -> tuple[int, int]:
    """How many bundles and submitted versions there are, of anybody."""
    with database.reading() as tx:
        counted = (select(func.count()).select_from(model) for model in (Bundle, Submission))
        found, versions = (tx.execute(one).scalar_one() for one in counted)
    return found, versions


def version_id(database: Database, number: int = 1, bot: str = "ann/climber") -> int:
    with database.reading() as tx:
        player = identity.find_player(tx, bot)
        return submissions.versions(tx, player.id, number + 1, 1)[0].version_id


async def test_a_bot_is_handed_in_qualifies_and_climbs(
    stub: BotServiceAsyncStub, database: Database, world: World, ann: Metadata
) -> None:
    data = bundle()
    answer = await stub.Submit(upload(data, chunk=50), metadata=ann)
    assert (answer.is_new, answer.version.bot, answer.version.number) == (True, "ann/climber", 1)
    assert answer.version.state == pb.STATE_CHECKED
    assert (answer.quota.uploads_today, answer.quota.stored_bytes) == (1, len(data))
    with database.transaction() as tx:
        bots.begin_trial(tx, version_id(database))
    with database.transaction() as tx:
        bots.qualify(tx, version_id(database), "namespaces")
    shown = await stub.Get(pb.GetBotRequest(bot="climber"), metadata=ann)
    states = [pb.STATE_RECEIVED, pb.STATE_CHECKED, pb.STATE_QUALIFYING, pb.STATE_ACTIVE]
    assert [step.state for step in shown.steps] == states
    assert shown.newest.isolation == "namespaces"
    with database.reading() as tx:
        assert "climber" in {row.name for row in ladders.entrants(tx, world.ladder_id)}
    parts = stub.Download(pb.DownloadRequest(bot="ann/climber"), metadata=ann)
    assert b"".join([part.chunk async for part in parts]) == data


async def test_sent_again_it_is_answered_and_not_stored_twice(
    stub: BotServiceAsyncStub, database: Database, ann: Metadata
) -> None:
    first = await stub.Submit(upload(bundle()), metadata=ann)
    for request in ("r1", "r1", "other", "another", "more"):
        again = await stub.Submit(upload(bundle(), request), metadata=ann)
        assert (again.is_new, again.version) == (False, first.version)
    code, text = await refused(stub.Submit(upload(bundle("changed")), metadata=ann))
    assert (code, "use a new request id" in text) == (WRONG, True)
    assert stored(database) == (1, 1)


NO_ENTRY = bytes(Zip([Entry("mamenoki.toml", b'name = "a"\nlanguage = "python"\nentry = "b.py"\ngames = ["mushi/standard"]\n')]))  # fmt: skip
UNKNOWN_GAME = bundle(game="chess/standard")
LYING: dict[str, tuple[list[pb.SubmitRequest], str]] = {
    "nothing": ([], "the first message is 'begin'"),
    "no begin": ([pb.SubmitRequest(chunk=b"x")], "the first message is 'begin'"),
    "empty": ([pb.SubmitRequest()], "the first message is 'begin'"),
    "begun twice": ([begin(b"xx"), begin(b"xx")], "chunks only"),
    "size 0": ([begin(b"")], "size is 0"),
    "too large": ([begin(b"x", size=(8 << 20) + 1)], "1 to 8388608 bytes"),
    "largest number": ([begin(b"x", size=2**64 - 1)], "1 to 8388608 bytes"),
    "no digest": ([begin(b"x", sha256="")], "64 hexadecimal"),
    "too few bytes": (list(upload(b"12345", size=6)), "5 bytes came of the 6"),
    "too many bytes": (list(upload(b"12345", size=4)), "more bytes came"),
    "another digest": (list(upload(b"12345", sha256="0" * 64)), "not the one declared"),
    "empty chunk": ([begin(b"x"), pb.SubmitRequest(chunk=b"")], "a chunk of 0 bytes"),
    "large chunk": ([begin(b"x", size=1 << 20), pb.SubmitRequest(chunk=b"x" * ((256 << 10) + 1))], "1 to 262144"),
    # The last one is refused: grpc.aio calls it its own fault to be still writing when the answer comes.
    "a chunk too many": (list(upload(b"x" * 2049, chunk=1)), "more than 2048 chunks"),
    "no archive": (list(upload(b"12345")), "rule: archive"),
    "no entry": (list(upload(NO_ENTRY)), "mamenoki.toml': entry names 'b.py'"),
    "unknown game": (list(upload(UNKNOWN_GAME)), "here are played mushi/standard"),
    "bad request id": (list(upload(bundle(), "a\nb")), "request id"),
}  # fmt: skip


@pytest.mark.parametrize("case", LYING)
async def test_what_breaks_a_rule_is_named_and_leaves_nothing(
    stub: BotServiceAsyncStub, database: Database, ann: Metadata, case: str
) -> None:
    messages, words = LYING[case]
    code, text = await refused(stub.Submit(iter(messages), metadata=ann))
    assert (code, words in text) == (INVALID, True), text
    assert stored(database) == (0, 0)


async def test_a_stream_that_stalls_is_ended_and_gives_its_place_back(
    stub: BotServiceAsyncStub, database: Database, ann: Metadata
) -> None:
    for messages in ([], [begin(b"12345")], [begin(b"12345"), pb.SubmitRequest(chunk=b"123")]):
        call = stub.Submit(metadata=ann)
        for message in messages:
            await call.write(message)
        code, text = await refused(call)
        assert (code, "nothing came for 300 ms" in text) == (LATE, True)
    assert stored(database) == (0, 0)
    assert (await stub.Submit(upload(bundle()), metadata=ann)).is_new


async def test_uploads_at_once_are_bounded_for_an_owner_and_for_all(
    stub: BotServiceAsyncStub, database: Database, ann: Metadata
) -> None:
    held = [stub.Submit(metadata=ann) for _ in range(2)]
    held.append(stub.Submit(metadata=token(database, "bob")))
    for call in held:
        await call.write(begin(b"12345"))
    mine, all_of_them = "2 uploads of this owner", "as many uploads"
    for who, words in ((ann, mine), (token(database, "eve"), all_of_them)):
        code, text = await refused(stub.Submit(upload(bundle()), metadata=who))
        assert (code, words in text) == (FULL, True), text
    for call in held:
        call.cancel()


async def test_parallel_uploads_do_not_outrun_the_quota(
    stub: BotServiceAsyncStub, database: Database, ann: Metadata
) -> None:
    for n in range(3):
        await stub.Submit(upload(bundle(f"{n}"), f"r{n}"), metadata=ann)
    two = [stub.Submit(upload(bundle(f"late {n}"), f"late{n}"), metadata=ann) for n in range(2)]
    ended = await asyncio.gather(*two, return_exceptions=True)
    errors = [one for one in ended if isinstance(one, grpc.aio.AioRpcError)]
    assert [error.code() for error in errors] == [FULL]
    assert "4 uploads in the last 24 hours, and 4 are allowed: the next" in (errors[0].details() or "")
    versions = await stub.Versions(pb.VersionsRequest(bot="climber"), metadata=ann)
    assert [row.number for row in versions.versions] == [4, 3, 2, 1]


async def test_stored_bytes_are_bounded(stub: BotServiceAsyncStub, ann: Metadata) -> None:
    import random

    noise = random.Random(1).randbytes(70 << 10)
    large = bytes(Zip([Entry("mamenoki.toml", b'name = "a"\nlanguage = "python"\nentry = "b.py"\ngames = ["mushi/standard"]\n'), Entry("b.py", b""), Entry("noise", noise)]))  # fmt: skip
    code, text = await refused(stub.Submit(upload(large), metadata=ann))
    assert (code, "65536 of 65536 are left" in text) == (FULL, True), text


def calls(stub: BotServiceAsyncStub, bot: str, who: Metadata) -> list[Awaitable[Any]]:
    """Every call that names a bot."""

    async def download() -> None:
        async for _ in stub.Download(pb.DownloadRequest(bot=bot), metadata=who):
            pass

    return [
        stub.Get(pb.GetBotRequest(bot=bot), metadata=who),
        stub.Versions(pb.VersionsRequest(bot=bot), metadata=who),
        stub.Activate(pb.ActivateRequest(bot=bot, number=1), metadata=who),
        stub.Retire(pb.RetireRequest(bot=bot), metadata=who),
        stub.Logs(pb.LogsRequest(bot=bot), metadata=who),
        stub.Delete(pb.DeleteRequest(bot=bot), metadata=who),
        download(),
    ]


async def test_a_bot_of_somebody_else_is_as_good_as_none(
    stub: BotServiceAsyncStub, database: Database, ann: Metadata
) -> None:
    await stub.Submit(upload(bundle()), metadata=ann)
    bob = token(database, "bob")
    theirs = [await refused(call) for call in calls(stub, "ann/climber", bob)]
    nobodys = [await refused(call) for call in calls(stub, "ann/nothing", bob)]
    assert [code for code, _ in theirs] == [MISSING] * 7
    assert theirs == [(code, text.replace("nothing", "climber")) for code, text in nobodys]
    assert not (await stub.List(pb.ListBotsRequest(), metadata=bob)).newest
    assert stored(database) == (1, 1)


async def test_no_other_scope_will_do(stub: BotServiceAsyncStub, database: Database, ann: Metadata) -> None:
    assert {method.name for method in pb.DESCRIPTOR.services_by_name["BotService"].methods} == set(METHODS)
    assert set(POLICY) == {f"/{NAME}/{method}" for method in METHODS}
    for scope in ("play", "organise", "operate"):
        who = token(database, "ann", scope)
        asked = [*calls(stub, "climber", who), stub.List(pb.ListBotsRequest(), metadata=who),
                 stub.Submit(upload(bundle()), metadata=who)]  # fmt: skip
        assert {(await refused(call))[0] for call in asked} == {grpc.StatusCode.PERMISSION_DENIED}


async def test_lists_come_in_pages(stub: BotServiceAsyncStub, ann: Metadata) -> None:
    for n, name in enumerate("cab"):
        await stub.Submit(upload(bundle(name=name), f"r{n}"), metadata=ann)
    first = await stub.List(pb.ListBotsRequest(page_size=2), metadata=ann)
    rest = await stub.List(pb.ListBotsRequest(page_token=first.next_page_token), metadata=ann)
    assert [row.bot for row in [*first.newest, *rest.newest]] == ["ann/a", "ann/b", "ann/c"]
    assert rest.next_page_token == ""
    code, text = await refused(stub.List(pb.ListBotsRequest(page_size=201), metadata=ann))
    assert (code, "1 to 200" in text) == (INVALID, True)


async def test_a_seat_is_told_to_its_owner(
    stub: BotServiceAsyncStub, database: Database, world: World, ann: Metadata
) -> None:
    await stub.Submit(upload(bundle()), metadata=ann)
    with database.transaction() as tx:
        player = identity.find_player(tx, "ann/climber")
        seat = (player.id, version_id(database))
        plan(tx, world, "t1", seats=(seat, *world.players[1:]))
        report = ReportRow("t1", 1, 0, "namespaces", "crash", "exit with 1", 1, None, "oh no", [(1, 900)])
        bundles.report(tx, [report])
    for match in ("", "t1"):
        answer = await stub.Logs(pb.LogsRequest(bot="climber", match=match), metadata=ann)
        (log,) = answer.seats
        assert (log.match, log.cause, log.exit_code, log.stderr) == ("t1", "crash", 1, "oh no")
        assert not log.HasField("signal")
        assert [(time.decision, time.microseconds) for time in log.times] == [(1, 900)]
    code, _ = await refused(stub.Logs(pb.LogsRequest(bot="climber", match="t2"), metadata=ann))
    assert code == MISSING
    code, text = await refused(stub.Delete(pb.DeleteRequest(bot="climber"), metadata=ann))
    assert (code, "t1 is still to be played" in text) == (WRONG, True)


async def test_what_is_deleted_is_gone(stub: BotServiceAsyncStub, database: Database, ann: Metadata) -> None:
    await stub.Submit(upload(bundle()), metadata=ann)
    assert (await stub.Delete(pb.DeleteRequest(bot="climber"), metadata=ann)).bundles == 1
    assert stored(database) == (0, 1)
    code, _ = await refused(stub.Activate(pb.ActivateRequest(bot="climber", number=1), metadata=ann))
    assert code == WRONG
    again = await stub.Submit(upload(bundle(), "r2"), metadata=ann)
    assert (again.is_new, again.version.number, again.version.state) == (True, 1, pb.STATE_CHECKED)
