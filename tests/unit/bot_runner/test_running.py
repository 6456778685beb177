"""What stands between a bot and its seat: logs, pipes, ends, and programs that import nothing of ours."""

import ast
import asyncio
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mamenoki.sdk.pipe
from bot_runner import inside, places
from bot_runner.exits import exit_of
from bot_runner.log import HEAD, MOST, Log, clean
from bot_runner.pipes import MOST_LINE, MOST_TURN, Flood, Lines, Outlet
from bot_runner.process import Ended

ALONE = [Path(mamenoki.sdk.pipe.__file__), *Path(inside.__path__[0]).glob("*.py")]


@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.name)
def test_imports_the_standard_library_alone(path: Path) -> None:
    """They run where nothing of ours is."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {one.name.split(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module).split(".")[0])
    assert names <= set(sys.stdlib_module_names)


def test_the_client_is_what_is_bound() -> None:
    assert Path(mamenoki.sdk.pipe.__file__).resolve() == places.PIPE_CLIENT


def test_there_is_one_bot() -> None:
    """A bot that is uploaded and one at home derive from the same class."""
    from mamenoki import sdk

    for name in ("Bot", "Decision", "Result", "Seat"):
        assert getattr(sdk, name) is getattr(mamenoki.sdk.pipe, name)


class TestLog:
    @given(st.lists(st.binary(max_size=9000), max_size=60))
    def test_holds_both_ends(self, parts: list[bytes]) -> None:
        log = Log()
        for part in parts:
            log.add(part)
        whole = b"".join(parts)
        assert log.bytes == len(whole)
        assert log.text().startswith(clean(whole[: min(len(whole), HEAD)]))
        if len(whole) <= MOST:
            assert "left out" not in log.text()

    def test_is_cut_in_the_middle(self) -> None:
        log = Log()
        log.add(b"a" * HEAD)
        log.add(b"b" * MOST)
        log.add(b"c" * 10)
        text = log.text()
        assert text.startswith("a" * HEAD + f"\n… {HEAD + 10} bytes left out …\n")
        assert text.endswith("b" * (MOST - HEAD - 10) + "c" * 10)

    @given(st.binary(max_size=20_000), st.integers(1, 5000))
    def test_last_is_bounded(self, data: bytes, most: int) -> None:
        log = Log()
        log.add(data)
        last = log.last(most)
        assert len(last.encode()) <= most
        assert clean(data).endswith(last)

    def test_last_of_a_long_one(self) -> None:
        log = Log()
        log.add(b"x" * HEAD + b"the end")
        assert log.last(9) == "xxthe end"

    @given(st.binary(max_size=300))
    def test_nothing_in_it_is_obeyed(self, data: bytes) -> None:
        assert all(sign.isprintable() or sign in "\n\t" for sign in clean(data))


def pipe() -> tuple[int, int]:
    return os.pipe()


async def test_lines() -> None:
    reader, writer = pipe()
    lines = Lines(reader)
    os.write(writer, b"one\ntw")
    assert await lines.next() == b"one"
    waiting = asyncio.ensure_future(lines.next())
    await asyncio.sleep(0)
    os.write(writer, b"o\n\nrest")
    os.close(writer)
    assert await waiting == b"two"
    assert await lines.next() == b""
    assert await lines.next() is None
    lines.close()


@pytest.mark.parametrize("end", [b"", b"\n"])
async def test_a_line_is_bounded(end: bytes) -> None:
    reader, writer = pipe()
    lines = Lines(reader)
    writing = asyncio.create_task(_write_all(writer, b"x" * (MOST_LINE + 1) + end + b"y" * 200))
    with pytest.raises(Flood, match="a line longer"):
        await lines.next()
    writing.cancel()
    lines.close()
    os.close(writer)


async def test_a_turn_is_bounded() -> None:
    reader, writer = pipe()
    lines = Lines(reader)
    writing = asyncio.create_task(_write_all(writer, b"x" * 1023 + b"\n", MOST_TURN // 1024 + 200))
    with pytest.raises(Flood, match="for one answer"):
        await _read_all(lines)
    writing.cancel()
    lines.close()
    os.close(writer)


async def _read_all(lines: Lines) -> None:
    while await lines.next():
        pass


async def _write_all(fd: int, data: bytes, times: int = 1) -> None:
    outlet = Outlet(os.dup(fd))
    try:
        for _ in range(times):
            await outlet.write(data)
    finally:
        outlet.close()


async def test_an_outlet_does_not_wait_for_ever_for_who_reads_nothing() -> None:
    reader, writer = pipe()
    outlet = Outlet(writer)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await outlet.write(b"x" * 200_000)
    with pytest.raises(Flood, match="unread"):
        await outlet.write(b"x" * MOST_TURN)
    os.close(reader)
    with pytest.raises(BrokenPipeError):
        outlet.flush()
    outlet.close()


async def test_a_closed_outlet() -> None:
    reader, writer = pipe()
    outlet = Outlet(writer)
    outlet.close()
    outlet.close()
    with pytest.raises(BrokenPipeError):
        await outlet.write(b"more")
    os.close(reader)


@pytest.mark.parametrize(
    ("ended", "stderr", "cause", "why"),
    [
        (Ended(1, None, True), "Traceback\nValueError: x", "crash", "exit with 1"),
        (Ended(1, None, True), "Traceback\nMemoryError", "memory", "out of memory; exit with 1"),
        (Ended(0, None, True), "MemoryError", "crash", "exit with 0"),
        (Ended(None, 6, True), "terminate called: std::bad_alloc", "memory", "signal 6"),
        (
            Ended(None, 6, True),
            "FATAL ERROR: JavaScript heap out of memory\n" + "frame\n" * 9,
            "memory",
            "signal 6",
        ),
        (Ended(2, None, True), "fatal error: runtime: out of memory", "memory", "exit with 2"),
        (Ended(None, 11, True), "", "crash", "signal 11"),
        (Ended(None, 9, True), "", "memory", "killed by the kernel"),
        (Ended(None, 24, True), "MemoryError", "cpu", "processor time"),
        (Ended(None, 31, True), "", "crash", "system call"),
    ],
)
def test_what_it_died_of(ended: Ended, stderr: str, cause: str, why: str) -> None:
    how = exit_of(ended, stderr)
    assert how.cause == cause
    assert why in how.why
    assert (how.code, how.signal, how.stderr) == (ended.code, ended.signal, stderr)
