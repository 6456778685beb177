"""Health as gRPC's health checking tells it: of each service, and of the server as a whole (``""``)."""

from collections.abc import Iterable

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # ships no stubs
from grpc_health.v1._async import HealthServicer  # type: ignore[import-untyped]  # ships no stubs

Status = health_pb2.HealthCheckResponse.ServingStatus


class Health:
    """The health of one or several servers that serve, or do not, together."""

    def __init__(self, services: Iterable[str]) -> None:
        self._services = ("", *services)
        self._servicers: list[HealthServicer] = []
        self._serving = False

    def add_to(self, server: grpc.aio.Server) -> None:
        """Gives a server the health service."""
        servicer = HealthServicer()
        self._servicers.append(servicer)
        health_pb2_grpc.add_HealthServicer_to_server(servicer, server)

    @property
    def serving(self) -> bool:
        """What was last said."""
        return self._serving

    async def say(self, serving: bool) -> None:
        """SERVING or NOT_SERVING, to whoever asks or watches."""
        self._serving = serving
        status = (
            health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
        )
        for servicer in self._servicers:
            for service in self._services:
                await servicer.set(service, status)

    async def leave(self) -> None:
        """NOT_SERVING, whatever is said later."""
        self._serving = False
        for servicer in self._servicers:
            await servicer.enter_graceful_shutdown()
