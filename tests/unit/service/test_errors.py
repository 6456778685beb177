"""Exceptions on the wire: typed if ours, an error id and nothing else if not."""

import re
import string
from urllib.parse import quote

import grpc
import pytest

from service import errors
from service.errors import HEAD_BYTES, TAIL_BYTES, status_of
from storage import errors as storage_errors

SENT_AS_IT_IS = string.punctuation.replace("%", "") + " "
"""Beside letters and digits, by gRPC's rules for ``grpc-message``."""

CODES = [
    (errors.BadRequest("x"), grpc.StatusCode.INVALID_ARGUMENT),
    (errors.Unauthenticated("x"), grpc.StatusCode.UNAUTHENTICATED),
    (errors.Denied("x"), grpc.StatusCode.PERMISSION_DENIED),
    (errors.Missing("x"), grpc.StatusCode.NOT_FOUND),
    (errors.Exists("x"), grpc.StatusCode.ALREADY_EXISTS),
    (errors.Precondition("x"), grpc.StatusCode.FAILED_PRECONDITION),
    (errors.Fenced("x"), grpc.StatusCode.ABORTED),
    (errors.Exhausted("x"), grpc.StatusCode.RESOURCE_EXHAUSTED),
    (errors.Late("x"), grpc.StatusCode.DEADLINE_EXCEEDED),
    (errors.Down("x"), grpc.StatusCode.UNAVAILABLE),
    (TimeoutError(), grpc.StatusCode.DEADLINE_EXCEEDED),
    (storage_errors.NotFound("x"), grpc.StatusCode.NOT_FOUND),
    (storage_errors.Conflict("x"), grpc.StatusCode.FAILED_PRECONDITION),
    (storage_errors.Invalid("x"), grpc.StatusCode.INVALID_ARGUMENT),
    (storage_errors.Full("x"), grpc.StatusCode.RESOURCE_EXHAUSTED),
    (storage_errors.Stale("x"), grpc.StatusCode.ABORTED),
    (storage_errors.NotMigrated("x"), grpc.StatusCode.UNAVAILABLE),
    (storage_errors.Unavailable("password=hunter2"), grpc.StatusCode.UNAVAILABLE),
]


@pytest.mark.parametrize(("error", "code"), CODES, ids=lambda value: type(value).__name__)
def test_every_error_of_ours_has_its_status(error: Exception, code: grpc.StatusCode) -> None:
    status = status_of(error, "/m")
    assert status.code == code
    assert status.message


def test_every_kind_of_ours_is_in_the_table() -> None:
    kinds = {type(error) for error, _ in CODES}
    assert set(errors.ServiceError.__subclasses__()) <= kinds
    assert set(storage_errors.StorageError.__subclasses__()) <= kinds


def test_when_to_try_again_is_told() -> None:
    assert status_of(errors.Exhausted("x", retry_ms=7), "/m").trailers == (("retry-after-ms", "7"),)
    assert status_of(errors.BadRequest("x"), "/m").trailers == ()


def test_nothing_of_the_database_is_told() -> None:
    assert "hunter2" not in status_of(storage_errors.Unavailable("password=hunter2"), "/m").message


def test_an_unexpected_error_leaks_nothing_but_an_id() -> None:
    status = status_of(ZeroDivisionError("the secret"), "/m")
    assert status.code == grpc.StatusCode.INTERNAL
    assert "secret" not in status.message
    assert "ZeroDivision" not in status.message
    ((key, error_id),) = status.trailers
    assert key == "error-id"
    assert re.fullmatch("[0-9a-f]{12}", error_id)
    assert error_id in status.message


@pytest.mark.parametrize("letter", ["x", "%", "\0", "é", "🎲", "\ud800"])
def test_a_long_message_loses_its_middle_and_keeps_its_ends(letter: str) -> None:
    asked = letter * 300_000
    status = status_of(
        storage_errors.NotFound(f"there is no player '{asked}'; a player is named owner/bot"), "/m"
    )
    assert status.code == grpc.StatusCode.NOT_FOUND
    assert status.message.startswith("there is no player '")
    assert " … " in status.message
    assert status.message.endswith("'; a player is named owner/bot")
    on_the_wire = len(quote(status.message, safe=SENT_AS_IT_IS))
    assert HEAD_BYTES + TAIL_BYTES - 20 < on_the_wire <= HEAD_BYTES + TAIL_BYTES + len(" %E2%80%A6 ")


def test_a_message_that_fits_is_told_whole() -> None:
    for text in ("", "x", "x" * (HEAD_BYTES + TAIL_BYTES), "é" * ((HEAD_BYTES + TAIL_BYTES) // 6)):
        assert status_of(errors.BadRequest(text), "/m").message == text
