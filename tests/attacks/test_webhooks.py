"""A webhook's URL is chosen by somebody else, and so is what answers there: none of it gets at what is inside."""

import socket
import time
from typing import Any

import pytest

from scheduler.domain.hooks import networks
from scheduler.posting import Answer, post
from tests.fixtures.listener import Listener, certificates, listener, silent

__all__ = ["certificates", "listener", "silent"]

LOOPBACK = networks("127.0.0.0/8, ::1")
HEADERS = {"Content-Type": "application/json"}


def call(url: str, seconds: float = 5.0, allowed: bool = True) -> Answer:
    return post(url, HEADERS, b"{}", LOOPBACK if allowed else (), seconds)


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names lead to these addresses, one answer after the other; what was asked."""
    asked: list[str] = []
    left = list(answers)
    real = socket.getaddrinfo

    def resolve(host: str, port: Any, *rest: Any, **more: Any) -> Any:
        if host.replace(".", "").isdigit() or ":" in host:
            return real(host, port, *rest, **more)
        asked.append(host)
        return [
            (
                socket.AF_INET6 if ":" in address else socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                (address, port),
            )
            for address in left.pop(0)
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def connections(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that are connected to; none of them is really."""
    seen: list[str] = []

    def connect(address: tuple[str, int], *_: Any, **__: Any) -> Any:
        seen.append(address[0])
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", connect)
    return seen


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "127.1", "0x7f.0.0.1", "2130706433", "0", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]",
     "10.0.0.1", "192.168.0.1", "[fd00:ec2::254]", "[fe80::1]", "168.63.129.16"],
)  # fmt: skip
def test_nothing_inside_is_connected_to_however_it_is_written(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = connections(monkeypatch)
    answer = call(f"https://{host}/", allowed=False)
    assert answer.status is None
    assert not answer.ok
    assert seen == []


def test_a_name_that_leads_inside_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = connections(monkeypatch)
    resolving(monkeypatch, ["10.0.0.5", "169.254.169.254", "::1"])
    answer = call("https://evil.example/", allowed=False)
    assert answer == Answer(None, "the host has no public address; only those are called")
    assert seen == []


def test_of_a_name_that_leads_both_ways_only_the_public_address_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = connections(monkeypatch)
    resolving(monkeypatch, ["127.0.0.1", "93.184.216.34", "10.0.0.1"])
    assert "Connection refused" in call("https://both.example/", allowed=False).detail
    assert seen == ["93.184.216.34"]


def test_a_name_that_changes_after_it_was_looked_at_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the second answer would lead inside, and is never asked for."""
    seen = connections(monkeypatch)
    asked = resolving(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    call("https://rebind.example/", allowed=False)
    assert asked == ["rebind.example"]
    assert seen == ["93.184.216.34"]


def test_a_redirect_is_not_followed(listener: Listener) -> None:
    listener.statuses, listener.location = [307], "https://localhost:1/elsewhere"
    answer = call(listener.url())
    assert (answer.status, answer.ok) == (307, False)
    assert "redirects are not followed" in answer.detail
    assert len(listener.received) == 1


def test_a_certificate_of_somebody_else_is_refused(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, ["127.0.0.1"])
    answer = call(listener.url(host="bank.example"))
    assert answer.status is None
    assert "certificate" in answer.detail
    assert listener.received == []


def test_a_certificate_of_nobody_is_refused(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    assert "certificate" in call(listener.url()).detail
    assert listener.received == []


def test_headers_that_come_byte_by_byte_are_cut_off(listener: Listener) -> None:
    listener.drips = True
    began = time.monotonic()
    answer = call(listener.url(), seconds=0.5)
    assert time.monotonic() - began < 5
    assert answer.status is None
    assert "no answer within 0.5 s" in answer.detail


def test_who_says_nothing_is_hung_up_on(silent: int) -> None:
    began = time.monotonic()
    answer = call(f"https://localhost:{silent}/", seconds=0.3)
    assert time.monotonic() - began < 5
    assert answer.status is None


def test_a_proxy_of_the_environment_is_not_used(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert call(listener.url()) == Answer(200, "HTTP 200")


def test_a_name_that_is_none_is_an_answer() -> None:
    for host in ("a" * 64 + ".example", "..", "xn--\x7f"):
        assert call(f"https://{host}/").status is None
