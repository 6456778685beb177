"""Forked children that stand for workers."""

import os
import select
import time
from collections.abc import Callable
from typing import NoReturn


def in_a_child(work: Callable[[], object]) -> int:
    """A forked child that does ``work`` and ends without any clean-up of ours."""
    child = os.fork()
    if child == 0:
        _work(work)
    return child


def _work(work: Callable[[], object]) -> NoReturn:
    try:
        work()
    except BaseException as error:  # noqa: BLE001  a child of pytest must not go on as pytest
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(1)
    os._exit(0)


def told_by(work: Callable[[Callable[[str], None]], object]) -> str:
    """What a forked child tells."""
    reader, writer = os.pipe()
    child = in_a_child(lambda: work(lambda text: _write(writer, text)))
    os.close(writer)
    with os.fdopen(reader) as stream:
        told = stream.read()
    os.waitpid(child, 0)
    return told


def _write(fd: int, text: str) -> None:
    os.write(fd, text.encode())


def wait_until(true: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        select.select([], [], [], 0.005)
    return True
