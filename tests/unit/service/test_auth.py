"""Tokens: looked up seldom, believed for seconds, and never beyond their end."""

from dataclasses import dataclass, field

import pytest

from service.auth import (
    ANY_TOKEN,
    PUBLIC,
    SERVICE,
    Authenticator,
    Principal,
    authorize,
    bearer,
    caller,
    set_caller,
)
from service.errors import Denied, Unauthenticated


@dataclass
class Row:
    id: int = 1
    owner_id: int = 2
    owner: str = "alice"
    scopes: tuple[str, ...] = ("play",)
    expires_at: int | None = None


@dataclass
class Book:
    """Tokens that a test knows, and how often they were asked for."""

    rows: dict[str, Row] = field(default_factory=dict)
    asked: int = 0
    now: float = 1000.0

    async def look_up(self, clear: str) -> Row | None:
        self.asked += 1
        return self.rows.get(clear)

    def authenticator(self, service_token: str = "", cache_ms: int = 15_000) -> Authenticator:
        return Authenticator(
            self.look_up, service_token, cache_ms, now=lambda: self.now, wall=lambda: self.now
        )


async def test_a_good_token_is_asked_for_once_in_a_while() -> None:
    book = Book({"t": Row()})
    authenticator = book.authenticator()
    first = await authenticator.check("t")
    assert (first.name, first.user, first.holder) == ("alice", "owner/2", "token/1")
    book.now += 14.9
    assert await authenticator.check("t") == first
    assert book.asked == 1
    book.now += 0.2
    await authenticator.check("t")
    assert book.asked == 2


async def test_a_revocation_acts_when_the_cache_ends() -> None:
    book = Book({"t": Row()})
    authenticator = book.authenticator()
    await authenticator.check("t")
    del book.rows["t"]
    await authenticator.check("t")
    book.now += 15.1
    with pytest.raises(Unauthenticated):
        await authenticator.check("t")


async def test_a_token_is_not_believed_beyond_its_end() -> None:
    book = Book({"t": Row(expires_at=1_005_000)})
    authenticator = book.authenticator()
    await authenticator.check("t")
    book.now += 5.1
    book.rows.clear()
    with pytest.raises(Unauthenticated):
        await authenticator.check("t")


async def test_unknown_tokens_are_not_remembered() -> None:
    book = Book()
    authenticator = book.authenticator()
    with pytest.raises(Unauthenticated, match="token create"):
        await authenticator.check("t")
    book.rows["t"] = Row()
    await authenticator.check("t")


async def test_the_service_token_is_ours_without_a_look_up() -> None:
    book = Book()
    authenticator = book.authenticator("ours")
    principal = await authenticator.check("ours")
    assert principal.scopes == {SERVICE}
    assert principal.owner_id is None
    assert (principal.user, principal.holder) == (SERVICE, SERVICE)
    assert book.asked == 0
    for wrong in ("", "our", "ours "):
        with pytest.raises(Unauthenticated):
            await authenticator.check(wrong)


def test_a_principal_does_not_show_its_token() -> None:
    assert "hush" not in repr(Principal("alice", 1, 2, frozenset(), "hush"))


@pytest.mark.parametrize("metadata", [None, (), (("authorization", "Basic eDp5"),), (("token", "Bearer t"),)])
def test_metadata_without_a_bearer_token_is_unauthenticated(
    metadata: tuple[tuple[str, str | bytes], ...] | None,
) -> None:
    with pytest.raises(Unauthenticated, match="authorization: Bearer"):
        bearer(metadata)


def test_the_bearer_token_is_read() -> None:
    assert bearer((("x", "y"), ("authorization", "bearer  abc "))) == "abc"


def test_what_no_policy_names_is_denied() -> None:
    principal = Principal("alice", 1, 2, frozenset({"play"}))
    policy = {
        "/a": ANY_TOKEN,
        "/b": frozenset({"play", "submit"}),
        "/c": frozenset({"operate"}),
        "/p": PUBLIC,
    }
    authorize(policy, "/a", principal)
    authorize(policy, "/b", principal)
    with pytest.raises(Denied, match="operate"):
        authorize(policy, "/c", principal)
    with pytest.raises(Denied):
        authorize(policy, "/unheard", principal)


def test_there_is_no_caller_in_a_public_method() -> None:
    set_caller(None)
    with pytest.raises(Unauthenticated):
        caller()
