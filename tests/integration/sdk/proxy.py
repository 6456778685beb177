"""A TCP proxy between a client and an engine, whose cable can be pulled."""

import asyncio
from typing import Self


class Cable:
    """Passes bytes on to ``target`` (host:port). ``address`` is where to dial."""

    def __init__(self, target: str) -> None:
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._writers: set[asyncio.StreamWriter] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.plugged = True
        self.dialled = 0
        self.address = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *error: object) -> None:
        self.cut()
        self._server.close()

    def cut(self) -> None:
        """Every connection breaks; new ones are taken."""
        for writer in list(self._writers):
            writer.transport.abort()

    def unplug(self) -> None:
        """Every connection breaks, and new ones with them."""
        self.plugged = False
        self.cut()

    def plug(self) -> None:
        """New connections are taken again."""
        self.plugged = True

    def silence(self) -> None:
        """The connections stay, but nothing comes through from the engine."""
        self._flowing.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.dialled += 1
        if not self.plugged:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection(self._host, self._port)
        self._writers |= {writer, far_writer}
        try:
            await asyncio.gather(
                self._pass(reader, far_writer, None), self._pass(far_reader, writer, self._flowing)
            )
        finally:
            self._writers -= {writer, far_writer}

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event | None
    ) -> None:
        try:
            while data := await reader.read(1 << 16):
                if gate is not None:
                    await gate.wait()
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()
