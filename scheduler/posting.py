"""Posting to an address that somebody else chose: to public addresses alone, over TLS, once, and within a time.

The name is looked up here and the connection goes to an address that was looked at, never to the name
again. The certificate must be the name's. No redirect is followed, no proxy of the environment is used, and nothing of
the answer is read beyond its head.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scheduler.domain.hooks import HookError, Network, check_url, is_allowed

TRIED = 3
"""Addresses of one name."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``status``: HTTP's; None: there was no answer. ``detail``: how it went, for whoever registered the URL."""

    status: int | None
    detail: str

    @property
    def ok(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def post(
    url: str, headers: Mapping[str, str], body: bytes, exceptions: Sequence[Network], seconds: float
) -> Answer:
    """Posts once; what goes wrong out there is an answer, not an error. ``seconds``: for all but the name's look-up."""
    try:
        host, port, path = check_url(url)
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except HookError as error:
        return Answer(None, str(error))
    except (OSError, UnicodeError) as error:
        return Answer(None, f"the host's name could not be looked up: {_why(error)}")
    addresses = dict.fromkeys(str(one[4][0]) for one in found)
    allowed = [address for address in addresses if is_allowed(address, exceptions)]
    if not allowed:
        return Answer(None, "the host has no public address; only those are called")
    return _try_each(_Target(host, port, path), allowed[:TRIED], headers, body, seconds)


@dataclass(frozen=True, slots=True)
class _Target:
    host: str
    port: int
    path: str


class _Pinned(http.client.HTTPSConnection):
    """Goes to one address, whatever the name says by now, and shows the name's certificate."""

    def __init__(self, target: _Target, address: str, seconds: float) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(target.host, target.port, timeout=seconds, context=self._tls)
        self._address = address
        self._raw: socket.socket | None = None
        self._is_cut = False

    def connect(self) -> None:
        self._raw = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = self._tls.wrap_socket(self._raw, server_hostname=self.host)

    def cut(self) -> None:
        """Ends whatever the connection waits for, from another thread."""
        self._is_cut = True
        for one in (self.sock, self._raw):
            if one is not None:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # it has ended by itself

    def status(self) -> int:
        """Of the answer. TimeoutError if its head did not come to an end in time: cut off, it looks like a whole one."""
        status = self.getresponse().status
        if self._is_cut:
            raise TimeoutError("it had not said all")
        return status


def _try_each(
    target: _Target, addresses: Sequence[str], headers: Mapping[str, str], body: bytes, seconds: float
) -> Answer:
    """An address after the other until one takes a connection; what has been sent is not sent again."""
    answer = Answer(None, "no address was tried")
    for address in addresses:
        connection = _Pinned(target, address, seconds)
        watch = threading.Timer(seconds, connection.cut)
        watch.daemon = True
        watch.start()
        try:
            connection.connect()
        except (OSError, ValueError) as error:
            answer = Answer(None, f"no connection: {_why(error)}")
            watch.cancel()
            connection.close()
            continue
        try:
            return _ask(connection, target.path, headers, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            return Answer(None, f"no answer within {seconds:g} s, or none that is HTTP: {_why(error)}")
        finally:
            watch.cancel()
            connection.close()
    return answer


def _ask(connection: _Pinned, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    connection.request("POST", path, body, dict(headers))
    status = connection.status()
    if 300 <= status < 400:
        return Answer(status, f"HTTP {status}: redirects are not followed; register the URL that it leads to")
    return Answer(status, f"HTTP {status}")


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not good: {error.verify_message}"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{type(error).__name__} {text}".strip()[:200]
