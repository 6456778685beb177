"""What a call may be refused with, and how it reads on the wire.

::

    ServiceError                  a status code, a message that says what to do
    ├── BadRequest                INVALID_ARGUMENT
    ├── Unauthenticated           UNAUTHENTICATED
    ├── Denied                    PERMISSION_DENIED
    ├── Missing                   NOT_FOUND
    ├── Exists                    ALREADY_EXISTS
    ├── Precondition              FAILED_PRECONDITION
    ├── Fenced                    ABORTED: a newer stream or claim took over
    ├── Exhausted                 RESOURCE_EXHAUSTED, with when to try again
    ├── Late                      DEADLINE_EXCEEDED
    └── Down                      UNAVAILABLE, with when to try again

Anything else is INTERNAL: the caller gets an error id that stands in the log
beside the traceback, and nothing of the exception.

Messages repeat what was asked, however long that was; :func:`clip` cuts them
here, where every status is made, for a client reads none beyond its limit on
metadata.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, takewhile

import grpc

from service.logging import get
from storage import errors as storage_errors

RETRY_KEY = "retry-after-ms"
ERROR_KEY = "error-id"
HEAD_BYTES, TAIL_BYTES = 600, 400
"""Of a status message on the wire, where a client takes some 8 KiB of metadata: what is wrong stands
at its beginning, what to do at its end, and what was asked in between."""

_log = get("errors")


class ServiceError(Exception):
    """A refusal that the caller may read. ``retry_ms``: when to try again, if that helps."""

    code = grpc.StatusCode.UNKNOWN

    def __init__(self, message: str, retry_ms: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_ms = retry_ms


class BadRequest(ServiceError):
    code = grpc.StatusCode.INVALID_ARGUMENT


class Unauthenticated(ServiceError):
    code = grpc.StatusCode.UNAUTHENTICATED


class Denied(ServiceError):
    code = grpc.StatusCode.PERMISSION_DENIED


class Missing(ServiceError):
    code = grpc.StatusCode.NOT_FOUND


class Exists(ServiceError):
    code = grpc.StatusCode.ALREADY_EXISTS


class Precondition(ServiceError):
    code = grpc.StatusCode.FAILED_PRECONDITION


class Fenced(ServiceError):
    code = grpc.StatusCode.ABORTED


class Exhausted(ServiceError):
    code = grpc.StatusCode.RESOURCE_EXHAUSTED


class Late(ServiceError):
    code = grpc.StatusCode.DEADLINE_EXCEEDED


class Down(ServiceError):
    code = grpc.StatusCode.UNAVAILABLE


@dataclass(frozen=True, slots=True)
class Status:
    """What goes on the wire for an exception."""

    code: grpc.StatusCode
    message: str
    trailers: tuple[tuple[str, str], ...] = ()


def malformed() -> BadRequest:
    """For bytes that do not parse as the message that a method takes."""
    return BadRequest("the message does not parse; build it from this service's proto files")


def status_of(error: BaseException, method: str) -> Status:
    """The status for an exception that left a method. An unexpected one is logged under a new id."""
    if isinstance(error, storage_errors.StorageError):
        error = _from_storage(error)
    if isinstance(error, TimeoutError):
        error = Late("the call took longer than its deadline; try again with a later one")
    if isinstance(error, ServiceError):
        retry = () if error.retry_ms is None else ((RETRY_KEY, str(error.retry_ms)),)
        return Status(error.code, clip(error.message), retry)
    return _unexpected(error, method)


def clip(message: str) -> str:
    """A message that fits on the wire: a longer one loses its middle."""
    message = message.encode(errors="replace").decode()
    if _fitting(message, HEAD_BYTES + TAIL_BYTES) == len(message):
        return message
    tail = _fitting(reversed(message), TAIL_BYTES)
    return f"{message[: _fitting(message, HEAD_BYTES)]} … {message[len(message) - tail :]}"


def _fitting(characters: Iterable[str], most: int) -> int:
    """How many of the first characters take at most so many bytes."""
    sizes = accumulate(map(_wire_bytes, characters))
    return sum(1 for _ in takewhile(lambda size: size <= most, sizes))


def _wire_bytes(character: str) -> int:
    """What a character takes in ``grpc-message``, which is percent-encoded."""
    if " " <= character <= "~" and character != "%":
        return 1
    return 3 * len(character.encode())


def _from_storage(error: storage_errors.StorageError) -> BaseException:
    if isinstance(error, storage_errors.Unavailable):
        return Down("the database cannot be reached; try again", retry_ms=1000)
    if isinstance(error, storage_errors.NotMigrated):
        return Down(str(error), retry_ms=10_000)
    if isinstance(error, storage_errors.NotFound):
        return Missing(str(error))
    if isinstance(error, storage_errors.Invalid):
        return BadRequest(str(error))
    if isinstance(error, storage_errors.Full):
        return Exhausted(str(error))
    if isinstance(error, storage_errors.Conflict):
        return Precondition(str(error))
    if isinstance(error, storage_errors.Stale):
        return Fenced(str(error))
    return error


def _unexpected(error: BaseException, method: str) -> Status:
    error_id = secrets.token_hex(6)
    _log.error("call_failed", method=method, error_id=error_id, exc_info=error)
    message = f"a fault of ours; report it as error {error_id}"
    return Status(grpc.StatusCode.INTERNAL, message, ((ERROR_KEY, error_id),))
