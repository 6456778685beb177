"""Every process's metrics have a port of their own, which is not for the public."""

from typing import Any

from prometheus_client import CollectorRegistry, start_http_server

from service.settings import split_address
from service.wire import AddressTaken


def serve(address: str, registry: CollectorRegistry) -> tuple[str, Any]:
    """Serves ``/metrics`` over HTTP from a thread: the bound address, and the server to shut down.

    AddressTaken if it cannot listen there.
    """
    host, port = split_address(address)
    try:
        server, _ = start_http_server(port, host, registry)
    except OSError as error:
        raise AddressTaken(
            f"{address} cannot be had for metrics ({error.strerror}): set another address for them, or none"
        ) from error
    return f"{host}:{server.server_port}", server
