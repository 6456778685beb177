"""When to dial again, what a failure means, and when silence is death."""

import asyncio
import random
from itertools import islice

import grpc
import pytest
from grpc import aio

from engine_service.v1 import play_pb2 as pb
from mamenoki.sdk import wire
from mamenoki.sdk.errors import NotAllowed, Refused, Replaced


def failure(code: grpc.StatusCode, details: str = "so", **trailers: str) -> aio.AioRpcError:
    trailing = [(key.replace("_", "-"), value) for key, value in trailers.items()]
    return aio.AioRpcError(code, aio.Metadata(), aio.Metadata(*trailing), details)


def test_pauses_double_from_half_a_second_to_thirty() -> None:
    pauses = list(islice(wire.pauses(random.Random(1)), 12))
    tops = [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30]
    assert all(top / 2 <= pause <= top for pause, top in zip(pauses, tops, strict=True))


def test_two_clients_do_not_dial_in_step() -> None:
    one, other = (list(islice(wire.pauses(random.Random(seed)), 5)) for seed in (1, 2))
    assert one != other


@pytest.mark.parametrize(
    "error",
    [
        failure(grpc.StatusCode.UNAVAILABLE),
        failure(grpc.StatusCode.RESOURCE_EXHAUSTED, retry_after_ms="1500"),
        failure(grpc.StatusCode.INTERNAL, "Internal error from Core"),
    ],
)
def test_what_may_pass_is_tried_again(error: aio.AioRpcError) -> None:
    assert wire.refusal(error) is None


@pytest.mark.parametrize(
    ("code", "kind", "wanted"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, NotAllowed, "token create"),
        (grpc.StatusCode.PERMISSION_DENIED, NotAllowed, "scope"),
        (grpc.StatusCode.ABORTED, Replaced, "newer connection"),
        (grpc.StatusCode.INVALID_ARGUMENT, Refused, "so"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, Refused, "so"),
        (grpc.StatusCode.INTERNAL, Refused, "so"),
    ],
)
def test_what_will_not_pass_says_what_to_do(code: grpc.StatusCode, kind: type[Refused], wanted: str) -> None:
    refused = wire.refusal(failure(code))
    assert type(refused) is kind
    assert wanted in str(refused)


def test_the_server_says_when_to_come_back() -> None:
    assert wire.retry_after_s(failure(grpc.StatusCode.UNAVAILABLE, retry_after_ms="1500")) == 1.5
    assert wire.retry_after_s(failure(grpc.StatusCode.UNAVAILABLE)) is None


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1:8450", True), ("localhost:1", True), ("[::1]:80", True), ("unix:/tmp/x", True),
        ("127.0.0.1.example.org:443", False), ("example.org:8450", False), ("10.0.0.1:1", False),
    ],
)  # fmt: skip
def test_only_this_machine_is_spoken_to_in_the_clear(address: str, local: bool) -> None:
    assert wire.is_local(address) is local


async def test_silence_ends_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_ANSWER_S", 0.02)
    ended = asyncio.Event()
    silence = wire.Silence(ended.set)
    await asyncio.wait_for(ended.wait(), 5)
    assert silence.expired
    assert not silence.spoken


async def test_a_word_puts_the_end_off_and_a_welcome_says_for_how_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "FIRST_ANSWER_S", 0.02)
    ended = asyncio.Event()
    silence = wire.Silence(ended.set)
    silence.heard(pb.PlayResponse(welcome=pb.Welcome(heartbeat_ms=60_000)))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(ended.wait(), 0.1)
    assert silence.spoken
    silence.stop()
