"""How our gRPC servers and channels are set, and the addresses they listen on."""

import ipaddress
from pathlib import Path

import grpc

from service.settings import Settings, split_address

STREAMS = 16
"""Calls at once on one connection of somebody else's; more wait in the client, without a word."""
OUR_STREAMS = 4096
"""The same for our own processes, which have a stream for every table that may take its time."""


def server_options(message_bytes: int, streams: int = STREAMS) -> list[tuple[str, int]]:
    """The options of every server of ours; ``message_bytes`` is the largest message it takes,
    ``streams`` how many calls one connection has at once."""
    return [
        ("grpc.max_receive_message_length", message_bytes),
        ("grpc.max_send_message_length", 4 << 20),
        ("grpc.max_metadata_size", 16 << 10),
        ("grpc.max_concurrent_streams", streams),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.max_ping_strikes", 3),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.max_connection_idle_ms", 300_000),
        # Play streams are as long-lived as their clients, and drained by us: no age limit.
        ("grpc.so_reuseport", 0),
    ]


class AddressTaken(RuntimeError):
    """A server cannot listen where it should; the message says where and what to set."""


def listen(server: grpc.aio.Server, address: str, settings: Settings, public: bool) -> str:
    """Binds ``address`` and gives the one really bound. Plain text off loopback must be allowed by name."""
    host, _ = split_address(address)
    secure = public and bool(settings.tls_certificate)
    if not (secure or is_loopback(host) or settings.allow_plaintext):
        raise ValueError(
            f"{address} is not a loopback address: set MAMENOKI_TLS_CERTIFICATE and MAMENOKI_TLS_KEY, "
            "or MAMENOKI_ALLOW_PLAINTEXT=true behind a proxy or on a private network"
        )
    try:
        port = (
            server.add_secure_port(address, _credentials(settings))
            if secure
            else server.add_insecure_port(address)
        )
    except RuntimeError as error:  # all that grpc says of a port it cannot have
        which = "PUBLIC" if public else "INTERNAL"
        raise AddressTaken(
            f"{address} cannot be had, for another process listens there or the address is not this "
            f"machine's: set MAMENOKI_{which}_ADDRESS to another one"
        ) from error
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _credentials(settings: Settings) -> grpc.ServerCredentials:
    key = Path(settings.tls_key).read_bytes()
    certificate = Path(settings.tls_certificate).read_bytes()
    return grpc.ssl_server_credentials([(key, certificate)])


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
