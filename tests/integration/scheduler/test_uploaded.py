"""Tables with uploaded bots in a worker: played shut in, reported, and never lost to a fault of ours."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot_runner.bundles.bundle import digest_of
from bot_runner.errors import SandboxMissing
from bot_runner.runner import Runner
from scheduler.ladders import Limits, plan_next
from scheduler.playing import play
from scheduler.sandbox import loader, probed, room
from scheduler.settings import read
from scheduler.tables import plan_tables
from scheduler.worker import queues
from storage import bundles, identity, ladders, results, tables
from storage.bundles import ReportRow
from storage.database import Database
from tests.fixtures.bots import BUSY, HONEST, Arena, open_folder, pack, settings
from tests.fixtures.stack import MakeStack, Stack
from tests.integration.scheduler.test_playing import Here, means

CRASHES = pack({"bot.py": "import sys\nfrom mamenoki.sdk import Bot\n\nclass Attacker(Bot):\n"
                          "    def choose(self, decision):\n        print('my last words', file=sys.stderr)\n"
                          "        sys.exit(3)\n"})  # fmt: skip


@pytest.fixture
async def stack(make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str) -> Stack:
    return await make_stack(sqlite_url, sqlite_database, valkey)


@pytest.fixture
async def here(stack: Stack) -> AsyncIterator[Here]:
    """A worker's means with a runner of the strongest level that this machine has."""
    folder = open_folder()
    try:
        runner = Runner(settings("namespaces", folder), loader(stack.database))
    except SandboxMissing as missing:
        pytest.skip(str(missing))
    try:
        yield replace(means(stack.engine), runner=runner)
        Arena(runner, folder, {digest_of(HONEST): HONEST, digest_of(CRASHES): CRASHES}, {}).check_clean()
    finally:
        await runner.close()
        shutil.rmtree(folder)


def entered(stack: Stack, name: str, bundle: bytes) -> tuple[int, int]:
    """An uploaded player that is on the ladder: its id and its version's."""
    with stack.database.transaction() as tx:
        program = bundles.program_of(bundles.store(tx, bundle))
        player = identity.ensure_player(tx, identity.ensure_owner(tx, name), "bot", "uploaded")
        version = identity.ensure_version(tx, player.id, "1", program)
        ladders.enter(tx, stack.ladder.id, player.id, version.id)
    return player.id, version.id


def planned(stack: Stack, *bundles_: bytes) -> str:
    seats = [entered(stack, f"owner{seat}", bundle) for seat, bundle in enumerate(bundles_)]
    with stack.database.transaction() as tx:
        return plan_tables(tx, stack.ladder, [seats])[0]


def told(stack: Stack, table: str) -> list[ReportRow]:
    with stack.database.reading() as tx:
        return bundles.reports(tx, table)


async def test_two_uploaded_bots_play(stack: Stack, here: Here) -> None:
    table = planned(stack, HONEST, HONEST)
    report = await play(here, [table], "first")
    assert (report.seats["ended"], report.fault) == (2, "")
    with stack.database.reading() as tx:
        assert results.get(tx, table).played.forfeits == {}
    first, second = told(stack, table)
    assert (first.seat, second.seat, first.attempt, first.cause) == (0, 1, 1, None)
    assert first.level.startswith("namespaces")
    assert first.times
    assert all(us > 0 for _, us in first.times)


async def test_a_bot_that_crashes_loses_and_its_owner_can_read_why(stack: Stack, here: Here) -> None:
    table = planned(stack, CRASHES, HONEST)
    await play(here, [table], "first")
    with stack.database.reading() as tx:
        assert results.get(tx, table).played.forfeits == {0: "crash"}
    crashed, other = told(stack, table)
    assert (crashed.cause, crashed.code, crashed.stderr) == ("crash", 3, "my last words\n")
    assert other.cause is None


@pytest.mark.parametrize("fault", ["no runner", "no bundle"])
async def test_a_fault_of_ours_is_nobodys_loss(stack: Stack, here: Here, fault: str) -> None:
    table = planned(stack, HONEST, HONEST)
    if fault == "no runner":
        broken = replace(here, runner=None)
    else:
        broken = here
        with stack.database.transaction() as tx:
            bad = identity.ensure_player(tx, identity.ensure_owner(tx, "lost"), "bot", "uploaded")
            gone = identity.ensure_version(tx, bad.id, "1", bundles.program_of("0" * 64))
            (table,) = plan_tables(tx, stack.ladder, [[(bad.id, gone.id), *[entered_house(stack)]]])
    report = await play(broken, [table], "first")
    assert report.fault
    await stack.until(
        lambda: found(stack, table).attempt == 1 and found(stack, table).state == tables.PLANNED
    )
    with stack.database.reading() as tx:
        (attempt,) = tables.attempts(tx, table)
    assert attempt.cause == "bridge"


def entered_house(stack: Stack) -> tuple[int, int]:
    with stack.database.reading() as tx:
        first = ladders.entrants(tx, stack.ladder.id)[0]
    return first.player_id, first.version_id


def found(stack: Stack, table: str) -> tables.TableRow:
    with stack.database.reading() as tx:
        return tables.find(tx, table)


@pytest.mark.slow
async def test_a_real_worker_plays_what_the_ladder_plans(stack: Stack) -> None:
    entered(stack, "ann", HONEST)
    entered(stack, "bob", HONEST)
    with stack.database.transaction() as tx:
        (table,) = plan_next(tx, stack.ladder, {}, Limits(1, 1, 0), seed=1)
    folder = open_folder()
    try:
        stack.worker(MAMENOKI_BOTS_FOLDER=str(folder))
        stack.beat()
        await stack.until(lambda: found(stack, table).state == tables.DONE, 40)
        await stack.until(lambda: told(stack, table), 10)
        assert [one.cause for one in told(stack, table)] == [None, None]
    finally:
        await asyncio.to_thread(stack.processes.stop)
        assert list((folder / "bundles").glob("shelf-*/*")) == []
        shutil.rmtree(folder)


def descendants(pid: int) -> set[int]:
    """All that a process has begun and that lives, with what these have begun."""
    try:
        threads = [thread / "children" for thread in Path(f"/proc/{pid}/task").iterdir()]
        own = [word for thread in threads for word in thread.read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return set()
    return {int(word) for word in own}.union(*(descendants(int(word)) for word in own))


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
async def test_no_bot_outlives_a_killed_worker(stack: Stack) -> None:
    """kill -9 of the whole worker while a bot thinks: a second later nothing of it is alive."""
    entered(stack, "ann", BUSY)
    entered(stack, "bob", BUSY)
    with stack.database.transaction() as tx:
        (table,) = plan_next(tx, stack.ladder, {}, Limits(1, 1, 0), seed=1)
    folder = open_folder()
    try:
        worker = stack.worker(MAMENOKI_BOTS_FOLDER=str(folder))
        stack.beat()
        await stack.until(lambda: found(stack, table).state == tables.RUNNING, 60)
        await stack.until(lambda: len(descendants(worker.pid)) >= 2 + 2 * 3, 20)  # bubblewrap, init, bot
        begun = descendants(worker.pid)
        worker.kill()
        worker.wait()
        await stack.until(lambda: not any(map(lives, begun)), 1)
    finally:
        shutil.rmtree(folder)


def test_a_machine_without_a_sandbox_takes_no_uploaded_bot(tmp_path: Path) -> None:
    """It says so, and goes on with all else."""
    closed = tmp_path / "file"
    closed.write_text("no folder")
    here = probed(read(bots_folder=str(closed / "bots")))
    assert here.sandbox == "none"
    assert queues(here) == ["ticks", "control", "play"]


def test_a_machine_has_as_much_room_as_cores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    ours = read(bots_folder=str(tmp_path))
    with room(ours) as first, room(ours) as second, room(ours) as third:
        assert (first, second, third) == (True, True, False)
    with room(ours) as again:
        assert again
