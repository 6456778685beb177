"""Webhooks' rules: addresses that are not anybody's business, signatures, pauses."""

import hashlib
import hmac
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.hooks import (
    PAUSES_S,
    REPLAY_WINDOW_S,
    HookError,
    check_url,
    is_allowed,
    networks,
    pause_s,
    sign,
    verify,
)


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://example.org", ("example.org", 443, "/")),
        ("https://Example.org:8443/hooks?key=a%20b", ("example.org", 8443, "/hooks?key=a%20b")),
        ("https://[2606:4700::1111]/x", ("2606:4700::1111", 443, "/x")),
    ],
)
def test_urls_that_will_do(url: str, wanted: tuple[str, int, str]) -> None:
    assert check_url(url) == wanted


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://example.org/",
        "ftp://example.org/",
        "https:///path",
        "https://user:pass@example.org/",
        "https://@example.org/",
        "https://example.org/#part",
        "https://example.org/#",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://example.org/\r\nX-Other: 1",
        "https://example.org/a b",
        "https://exämple.org/",
        "https://example.org/" + "a" * 500,
    ],
)
def test_urls_that_will_not(url: str) -> None:
    with pytest.raises(HookError):
        check_url(url)


INSIDE = [
    "127.0.0.1", "127.255.255.254", ".".join("0000"), "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200", "192.0.0.1", "192.0.2.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "2002:7f00:1::", "2002:a9fe:a9fe::1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2001:0:0:0:0:0:80ff:fffe",
    "fec0::1", "::7f00:1",
    "", "localhost", "0x7f.1", "127.1", "2130706433", "017700000001", "1.1.1.1 ", "[::1]",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_no_worker_connects_to_what_is_not_public(address: str) -> None:
    assert not is_allowed(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "2002:101:101::1", "64:ff9b::101:101"]
)
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_allowed(address)


def test_an_operator_lists_exceptions() -> None:
    allowed = networks("10.1.0.0/16, ::1 ,")
    assert [str(one) for one in allowed] == ["10.1.0.0/16", "::1/128"]
    assert is_allowed("10.1.2.3", allowed)
    assert is_allowed("::ffff:10.1.2.3", allowed)
    assert is_allowed("::1", allowed)
    assert not is_allowed("10.2.0.1", allowed)
    assert not is_allowed("169.254.169.254", allowed)
    assert networks("") == []
    with pytest.raises(HookError, match=r"write networks as 10\.1\.0\.0/16"):
        networks("10.1.2.3/16")


@given(st.integers(0, 2**32 - 1))
def test_an_address_in_disguise_is_as_good_as_itself(number: int) -> None:
    plain = ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
    for disguise in (f"::ffff:{plain}", f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1", f"64:ff9b::{plain}"):
        assert is_allowed(disguise) == is_allowed(plain)


def test_a_signature_by_hand() -> None:
    right = hmac.new(b"whs_secret", b'1700000000.{"a":1}', hashlib.sha256).hexdigest()
    assert sign("whs_secret", 1_700_000_000, b'{"a":1}') == f"t=1700000000,v1={right}"


@given(secret=st.text(min_size=1, max_size=40), body=st.binary(max_size=200), at=st.integers(0, 2**40))
def test_a_receiver_takes_what_was_sent_and_nothing_else(secret: str, body: bytes, at: int) -> None:
    header = sign(secret, at, body)
    verify(secret, header, body, at)
    verify(secret, header, body, at + REPLAY_WINDOW_S)
    for changed, altered, now, why in (
        (header, body + b" ", at, "not of this body"),
        (sign(secret + "x", at, body), body, at, "not of this body"),
        (re.sub(r"t=\d+", f"t={at + 1}", header), body, at, "not of this body"),
        (header, body, at + REPLAY_WINDOW_S + 1, "seconds old"),
        (header, body, at - REPLAY_WINDOW_S - 1, "seconds old"),
        (header.partition(",")[0], body, at, "not of this body"),
    ):
        with pytest.raises(HookError, match=why):
            verify(secret, changed, altered, now)


def test_the_guides_receiver_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", guide, re.S)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)  # noqa: S102 - our own guide
    monkeypatch.setattr("time.time", lambda: 1_700_000_000.0)
    header = sign("whs_x", 1_700_000_000, b"{}")
    assert names["is_ours"]("whs_x", header, b"{}")
    assert not names["is_ours"]("whs_y", header, b"{}")
    assert not names["is_ours"]("whs_x", header, b"{} ")
    assert not names["is_ours"]("whs_x", sign("whs_x", 1_700_000_000 - REPLAY_WINDOW_S - 1, b"{}"), b"{}")


@pytest.mark.parametrize(
    "header", ["", "t=,v1=", "t=-1,v1=00", "v1=00", "t=" + "9" * 17 + ",v1=00", "t=١,v1=0", "nonsense"]
)
def test_what_is_no_signature_is_refused_in_words(header: str) -> None:
    with pytest.raises(HookError, match="has no time"):
        verify("s", header, b"", 0)


def test_pauses_grow_and_end() -> None:
    pauses = [pause_s(attempts) for attempts in range(1, len(PAUSES_S) + 2)]
    assert pauses[-1] is None
    assert pauses[:-1] == sorted(PAUSES_S)
