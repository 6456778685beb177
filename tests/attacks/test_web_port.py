"""What a hostile client may try on the web port: the others are served all the same."""

import http.client
import socket
import time
from collections.abc import Iterator

import pytest

from service.settings import split_address
from storage.database import Database
from tests.fixtures.site import serving

QUICK = {"web_connections": 20, "web_request_ms": 1_000, "web_drain_ms": 1_000}
ASKED = b"GET /healthz HTTP/1.1\r\nHost: garden\r\n"


@pytest.fixture
def address(sqlite_database: Database) -> Iterator[str]:
    with serving(sqlite_database, **QUICK) as address:
        yield address


def dial(address: str, data: bytes = b"") -> socket.socket:
    sock = socket.create_connection(split_address(address), timeout=10)
    sock.sendall(data)
    return sock


def is_served(address: str) -> bool:
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    connection.close()
    return answer.status == 200


def received(sock: socket.socket) -> bytes:
    """What comes until the other side hangs up."""
    got = b""
    try:
        while data := sock.recv(65536):
            got += data
    except ConnectionError:
        pass
    return got


HALVES = {
    "nothing": b"",
    "half a line": b"GET /hea",
    "half a head": ASKED + b"X-A: b\r\n",
    "half a body": b"POST /healthz HTTP/1.1\r\nHost: garden\r\nContent-Length: 9\r\n\r\n123",
    "the next one's half": ASKED + b"\r\n" + ASKED,
    "an upgrade": ASKED + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n",
}


@pytest.mark.parametrize("data", HALVES.values(), ids=HALVES)
def test_whoever_asks_by_halves_is_hung_up_on(address: str, data: bytes) -> None:
    with dial(address, data) as sock:
        received(sock)
    assert is_served(address)


def test_a_drop_now_and_then_does_not_help(address: str) -> None:
    with dial(address) as sock:
        deadline = time.monotonic() + 10
        sock.settimeout(0.1)
        while time.monotonic() < deadline:
            try:
                sock.sendall(b"G")
                if not sock.recv(1):
                    return
            except TimeoutError:
                continue
            except ConnectionError:
                return
    pytest.fail("it was waited for")


def test_half_open_requests_by_the_hundred_hold_up_nobody(address: str) -> None:
    socks = [dial(address, ASKED) for _ in range(100)]
    assert is_served(address)
    assert is_served(address)
    for sock in socks:
        sock.close()


def test_whoever_does_not_read_is_hung_up_on(sqlite_database: Database) -> None:
    asked = b"GET /static/base.css HTTP/1.1\r\nHost: garden\r\n\r\n"
    with serving(sqlite_database, **QUICK) as address, socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(0.5)
        sock.connect(split_address(address))
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                sock.sendall(asked * 10)
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("it was waited for")
        assert is_served(address)


def test_a_client_that_keeps_its_connection_is_served_many_times(address: str) -> None:
    connection = http.client.HTTPConnection(address, timeout=10)
    deadline = time.monotonic() + 1.5  # longer than one request may take
    served = 0
    while time.monotonic() < deadline:
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok\n"
        served += 1
    assert served > 10
    connection.close()
