"""Calls to a server from the command line: a deadline for each, and failures in words."""

from collections.abc import Iterator
from contextlib import contextmanager

import grpc

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.sdk.wire import OPTIONS, bearer, is_local

TIMEOUT_S = 10.0
Metadata = tuple[tuple[str, str], ...]


@contextmanager
def channel(address: str) -> Iterator[grpc.Channel]:
    """A channel to a server; any failure of a call inside the block becomes a CommandError."""
    opened = (
        grpc.insecure_channel(address, options=OPTIONS)
        if is_local(address)
        else grpc.secure_channel(address, grpc.ssl_channel_credentials(), options=OPTIONS)
    )
    with opened:
        try:
            yield opened
        except grpc.RpcError as error:
            raise _told(error, address) from error


def metadata(token: str | None) -> Metadata:
    """Who calls, if anybody said."""
    return bearer(token) if token else ()


def _told(error: grpc.RpcError, address: str) -> CommandError:
    code, details = error.code(), error.details() or "no reason given"
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        return CommandError(
            f"no server answers at {address}; is it running? `./dev demo` starts one, --server names another"
        )
    if code is grpc.StatusCode.NOT_FOUND or code is grpc.StatusCode.INVALID_ARGUMENT:
        return UsageError(details)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        what = details.partition(";")[0]  # the server's own hint names no command line
        return CommandError(
            f"{what}; make a token with `mamenoki token create --owner NAME`, "
            "then set MAMENOKI_TOKEN or pass --token"
        )
    if code is grpc.StatusCode.PERMISSION_DENIED:
        return CommandError(f"{details}; set MAMENOKI_TOKEN to a token that may, or pass --token")
    return CommandError(f"{address} could not answer: {details} ({code.name})")
