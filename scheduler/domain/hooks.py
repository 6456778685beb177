"""Webhooks: which addresses may be called, how a call is signed, when it is tried again.

**Where to.** An ``https`` URL, and only an address that anybody on the Internet has: whoever names a URL
chooses the host that our workers connect to, and must not reach what stands beside them. The caller
resolves the name, asks :func:`is_allowed` about each address, and connects to one that is, not to the name:
else a second look-up could give another. An operator may list networks that are allowed all the same.

**Signature.** ``Mamenoki-Signature: t=SECONDS,v1=HEX``, where HEX is the HMAC-SHA256, under the hook's secret,
of the seconds since 1970, a dot, and the body's bytes. A receiver computes it anew, compares it in constant
time, and takes nothing that is older than :data:`REPLAY_WINDOW_S`: :func:`verify` does all of this.

**Again.** What is not answered by a 2xx in time is sent again after each of :data:`PAUSES_S`, under the same
delivery id; after the last the hook is disabled.

Pure.
"""

import hashlib
import hmac
from collections.abc import Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PAUSES_S = (10, 60, 300, 1_800, 7_200, 21_600)
REPLAY_WINDOW_S = 300
LONGEST_URL = 500
DIGITS = 16  # of the seconds

_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_OTHERS = (
    IPv4Network("168.63.129.16/32"),  # a cloud's own, to its guests alone, among public addresses
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
)


class HookError(ValueError):
    """A URL, network or signature that will not do; the message says why and what would."""


def check_url(url: str) -> tuple[str, int, str]:
    """(host, port, path with query) of a URL that may be registered. HookError for any other.

    Of a host that is an address itself, :func:`is_allowed` is still to be asked.
    """
    if not 0 < len(url) <= LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise HookError(f"a webhook's URL is 1 to {LONGEST_URL} printable ASCII characters without a blank")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise HookError(f"{url} is no URL: {error}") from error
    if parts.scheme != "https" or not host:
        raise HookError(f"{url} is no https URL; write https://HOST/PATH")
    if parts.username is not None or parts.password is not None or parts.fragment or "#" in url:
        raise HookError(
            "a webhook's URL has no user, password or fragment; the signature says who calls, the path may hold a secret"
        )
    if port == 0:
        raise HookError(f"{url} names port 0; leave it out for 443")
    return host, port or 443, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def networks(text: str) -> list[Network]:
    """Networks from a list with commas, such as ``10.1.0.0/16, ::1``. HookError for what is none."""
    try:
        return [ip_network(part.strip()) for part in text.split(",") if part.strip()]
    except ValueError as error:
        raise HookError(f"{error}; write networks as 10.1.0.0/16, with commas between them") from error


def is_allowed(address: str, exceptions: Sequence[Network] = ()) -> bool:
    """Whether our workers may connect to an address: to those of ``exceptions``, and to public ones.

    An IPv6 address that carries an IPv4 one (mapped, 6to4, Teredo, NAT64) is as good as that one. What is
    no address is not allowed.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.scope_id is not None:
        return False
    carried = _carried(found)
    every = [found, *carried]
    if any(one in network for one in (carried or every) for network in exceptions):
        return True
    return all(_is_public(one) for one in (carried or every))


def sign(secret: str, seconds: int, body: bytes) -> str:
    """The header's value for a body that is sent at that time."""
    return f"t={seconds},v1={_digest(secret, seconds, body)}"


def verify(secret: str, header: str, body: bytes, now_s: int) -> None:
    """What a receiver does with a call: HookError unless it is ours, unchanged, and of the last minutes."""
    values = dict(part.partition("=")[::2] for part in header.split(","))
    stamp = values.get("t", "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= DIGITS):
        raise HookError("the signature has no time; it is t=SECONDS,v1=HEX")
    right = _digest(secret, int(stamp), body)
    if not hmac.compare_digest(right.encode(), values.get("v1", "").encode(errors="replace")):
        raise HookError("the signature is not of this body under this secret")
    if abs(now_s - int(stamp)) > REPLAY_WINDOW_S:
        raise HookError(
            f"the call is more than {REPLAY_WINDOW_S} seconds old: somebody may be sending it again"
        )


def pause_s(attempts: int) -> int | None:
    """Seconds until the next try after so many that failed; None: there is none."""
    return PAUSES_S[attempts - 1] if attempts <= len(PAUSES_S) else None


def _digest(secret: str, seconds: int, body: bytes) -> str:
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()


def _is_public(address: Address) -> bool:
    is_site_local = isinstance(address, IPv6Address) and address.is_site_local
    return (
        address.is_global
        and not is_site_local
        and not address.is_multicast
        and not address.is_reserved
        and not any(address in network for network in _OTHERS)
    )


def _carried(address: Address) -> list[Address]:
    """The IPv4 addresses to which packets for it may go."""
    if isinstance(address, IPv4Address):
        return []
    found: list[Address] = [one for one in (address.ipv4_mapped, address.sixtofour) if one is not None]
    if address.teredo is not None:
        found += address.teredo
    if any(address in network for network in _NAT64):
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return found
