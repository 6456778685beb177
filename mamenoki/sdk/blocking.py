"""The blocking face of the client, for a program that does nothing else."""

import asyncio
import signal
from collections.abc import Callable
from threading import current_thread, main_thread

from mamenoki.sdk.chair import MakeBot
from mamenoki.sdk.client import Address, Client, Profile
from mamenoki.sdk.events import Event


def connect(
    make_bot: MakeBot,
    profile: Profile,
    address: Address,
    token: str,
    tell: Callable[[Event], None] | None = None,
    tls: bool | None = None,
) -> None:
    """The blocking face of :class:`Client`: plays until interrupted.

    The first ^C (or SIGTERM) finishes the matches in play; the second leaves at once and
    raises KeyboardInterrupt.
    """
    client = Client(make_bot, profile, address, token, tell, tls)
    with _runner() as runner:
        runner.run(_until_interrupted(client))


def _runner() -> asyncio.Runner:
    try:
        import uvloop
    except ImportError:  # not made for Windows
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


async def _until_interrupted(client: Client) -> None:
    loop = asyncio.get_running_loop()
    running = asyncio.create_task(client.run())
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        if interrupted:
            running.cancel()
        interrupted = True
        client.drain()

    if current_thread() is main_thread():  # only there can signals be heard
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, interrupt)
    try:
        await running
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
