"""Calls to a server from the command line: a deadline for each, and failures in words."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.places import server_address
from mamenoki.sdk.wire import OPTIONS, bearer, is_local

TIMEOUT_S = 10.0
PAGE = 200
"""Rows asked for at once."""
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


class Service:
    """A service of a server, for as long as the block lasts; failures of its calls are CommandErrors.

    ``stub``: the generated class. ``server`` None: the running demo's.
    """

    def __init__(self, stub: Callable[[grpc.Channel], Any], server: str | None, token: str | None) -> None:
        self._make, self._channel = stub, channel(server_address(server))
        self._metadata = metadata(token)

    def __enter__(self) -> "Service":
        self._stub = self._make(self._channel.__enter__())
        return self

    def __exit__(self, *error: Any) -> None:
        self._channel.__exit__(*error)

    def ask(self, method: str, request: Any, timeout_s: float = TIMEOUT_S) -> Any:
        """The answer of a method, or its stream of answers; ``request`` may be a stream as well."""
        return getattr(self._stub, method)(request, timeout=timeout_s, metadata=self._metadata)

    def pages(self, method: str, request: Any, field: str, limit: int | None = None) -> tuple[Any, list[Any]]:
        """The first answer, and all rows of ``field``, or ``limit``, from as many pages as it takes."""
        first: Any = None
        rows: list[Any] = []
        while first is None or (request.page_token and (limit is None or len(rows) < limit)):
            request.page_size = PAGE if limit is None else min(PAGE, limit - len(rows))
            answer = self.ask(method, request)
            first = first or answer
            rows += getattr(answer, field)
            request.page_token = answer.next_page_token
        return first, rows


def plain(message: Any) -> dict[str, Any]:
    """A message as JSON has it, under its fields' own names."""
    found: dict[str, Any] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return found


def _told(error: grpc.RpcError, address: str) -> CommandError:
    code, details = error.code(), error.details() or "no reason given"
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return CommandError(f"{address} did not answer in time; try again, and see whether it is well")
    if code is grpc.StatusCode.UNAVAILABLE:
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
