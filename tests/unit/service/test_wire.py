"""Where servers listen: plain text off loopback must be asked for by name."""

import grpc
import pytest

from service.settings import Settings
from service.wire import listen, server_options


async def test_loopback_needs_no_tls_and_says_its_port() -> None:
    server = grpc.aio.server()
    address = listen(server, "127.0.0.1:0", Settings(), public=True)
    host, _, port = address.rpartition(":")
    assert host == "127.0.0.1"
    assert int(port) > 0
    await server.start()
    await server.stop(None)


@pytest.mark.parametrize("public", [True, False])
async def test_other_addresses_are_refused_without_tls(public: bool) -> None:
    server = grpc.aio.server()
    for address in ("0.0.0.0:0", "[::]:0", "example.test:0"):
        with pytest.raises(ValueError, match="MAMENOKI_TLS_CERTIFICATE"):
            listen(server, address, Settings(), public=public)


async def test_plain_text_may_be_allowed_by_name() -> None:
    server = grpc.aio.server()
    assert listen(server, "0.0.0.0:0", Settings(allow_plaintext=True), public=True).startswith("0.0.0.0:")
    await server.start()
    await server.stop(None)


def test_options_bound_messages_and_streams() -> None:
    options = dict(server_options(4096))
    assert options["grpc.max_receive_message_length"] == 4096
    assert options["grpc.max_concurrent_streams"] == 16
    assert options["grpc.http2.min_ping_interval_without_data_ms"] == 10_000
