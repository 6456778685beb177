"""The one interceptor of our servers: who calls, how often, for how long, and what they are told.

It checks the token (service.auth), bounds calls and streams (service.limits),
gives every unary call a deadline, turns exceptions into statuses
(service.errors), bytes that do not parse into INVALID_ARGUMENT, and counts.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from service.auth import PUBLIC, Authenticator, Policy, Principal, authorize, bearer, set_caller
from service.errors import Unauthenticated, malformed, status_of
from service.limits import Rates, Slots

OK = grpc.StatusCode.OK.name
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"


class Malformed:
    """Stands where a request would: its bytes did not parse."""


MALFORMED = Malformed()


@dataclass(slots=True)
class Calls:
    """Plain counts, exported by whoever owns the registry: (method, code) to number and seconds."""

    count: dict[tuple[str, str], int] = field(default_factory=dict)
    seconds: dict[tuple[str, str], float] = field(default_factory=dict)

    def add(self, method: str, code: str, seconds: float) -> None:
        """One call has ended."""
        key = (method, code)
        self.count[key] = self.count.get(key, 0) + 1
        self.seconds[key] = self.seconds.get(key, 0.0) + seconds


@dataclass(slots=True)
class Bounds:
    """What the guard holds callers to. ``failures`` counts bad tokens, by network address."""

    rates: Rates
    failures: Rates
    slots: Slots
    call_ms: int


class Guard(grpc.aio.ServerInterceptor):
    """See the module's text."""

    def __init__(self, policy: Policy, authenticator: Authenticator, bounds: Bounds, calls: Calls) -> None:
        self.policy = policy
        self.authenticator = authenticator
        self.bounds = bounds
        self.calls = calls
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """The guarded handler of a method; None, so UNIMPLEMENTED, for one that is not there."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is not None:
            return wrapped
        handler = await continuation(handler_call_details)
        if handler is None:
            self.calls.add("unknown", grpc.StatusCode.UNIMPLEMENTED.name, 0.0)
            return None
        self._wrapped[method] = wrapped = self._wrap(method, handler)
        return wrapped

    def _wrap(self, method: str, handler: Any) -> Handler:
        parse = _tolerant(handler.request_deserializer)
        make = {
            (False, False): grpc.unary_unary_rpc_method_handler,
            (False, True): grpc.unary_stream_rpc_method_handler,
            (True, False): grpc.stream_unary_rpc_method_handler,
            (True, True): grpc.stream_stream_rpc_method_handler,
        }[handler.request_streaming, handler.response_streaming]
        return make(self._behaviour(method, handler), parse, handler.response_serializer)

    def _behaviour(self, method: str, handler: Any) -> Callable[..., Awaitable[Any]]:
        inner = handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
        lasting = handler.request_streaming or handler.response_streaming
        if inspect.isasyncgenfunction(inner):
            inner = _written(inner)

        async def guarded(request: Any, context: Any) -> Any:
            begun = time.perf_counter()
            code = grpc.StatusCode.CANCELLED.name
            try:
                with await self._admit(method, context, lasting):
                    async with asyncio.timeout(None if lasting else self._seconds(context)):
                        answer = await inner(well_formed(request), context)
                code = OK
            except (asyncio.CancelledError, grpc.aio.AbortError):
                code = _code_of(context, code)
                raise
            except Exception as error:  # noqa: BLE001  # the boundary: every exception becomes a status
                status = status_of(error, method)
                code = status.code.name
                await context.abort(status.code, status.message, status.trailers)
            finally:
                self.calls.add(method, code, time.perf_counter() - begun)
            return answer

        return guarded

    async def _admit(self, method: str, context: Any, lasting: bool) -> Any:
        now = time.monotonic()
        peer = _host(context.peer())
        if self.policy.get(method, True) is PUBLIC:
            set_caller(None)
            self.bounds.rates.take(peer, now)
            return self._slot(peer if lasting else None)
        principal = await self._identify(method, context, peer, now)
        self.bounds.rates.take(principal.holder, now)
        set_caller(principal)
        return self._slot(principal.user if lasting else None)

    async def _identify(self, method: str, context: Any, peer: str, now: float) -> Principal:
        try:
            principal = await self.authenticator.check(bearer(context.invocation_metadata()))
        except Unauthenticated:
            self.bounds.failures.take(peer, now)
            raise
        authorize(self.policy, method, principal)
        return principal

    @contextmanager
    def _slot(self, user: str | None) -> Iterator[None]:
        if user is None:
            yield
            return
        self.bounds.slots.take(user)
        try:
            yield
        finally:
            self.bounds.slots.give(user)

    def _seconds(self, context: Any) -> float:
        """The shorter of what the client gives and what we allow."""
        ours = self.bounds.call_ms / 1000
        theirs = context.time_remaining()
        return ours if theirs is None else min(ours, float(theirs))


def well_formed(request: Any) -> Any:
    """The request itself; BadRequest if its bytes did not parse."""
    if request is MALFORMED:
        raise malformed()
    return request


def _tolerant(parse: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    if parse is None:  # the method takes bytes
        return None

    def tolerant(data: bytes) -> Any:
        try:
            return parse(data)
        except DecodeError:
            return MALFORMED

    return tolerant


def _written(generator: Callable[..., Any]) -> Callable[..., Awaitable[None]]:
    """An async generator handler as one that writes."""

    async def write_all(request: Any, context: Any) -> None:
        if hasattr(request, "__aiter__"):
            request = _parsed(request)
        async for answer in generator(request, context):
            await context.write(answer)

    return write_all


async def _parsed(requests: Any) -> Any:
    async for request in requests:
        yield well_formed(request)


def _host(peer: str) -> str:
    """``ipv4:127.0.0.1:4711`` without its port."""
    return peer.rpartition(":")[0]


def _code_of(context: Any, otherwise: str) -> str:
    code = context.code()
    return code.name if isinstance(code, grpc.StatusCode) else otherwise
