"""Who calls: bearer tokens, their scopes, and which method wants which. Deny by default."""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from typing import Protocol

from service.errors import Denied, Unauthenticated

Policy = Mapping[str, frozenset[str] | None]
"""Full method name to the scopes of which one is needed; ANY_TOKEN: any valid token; PUBLIC: nobody is asked.

A method that is not in the policy is refused to everybody.
"""

PUBLIC: None = None
ANY_TOKEN: frozenset[str] = frozenset()
SERVICE = "service"

PUBLIC_METHODS: Policy = {
    "/grpc.health.v1.Health/Check": PUBLIC,
    "/grpc.health.v1.Health/Watch": PUBLIC,
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": PUBLIC,
}
CACHE_MS = 15_000  # with a recheck of open streams every ten seconds, a revocation acts within thirty
CACHED = 10_000


class TokenRow(Protocol):
    """What the database says of a good token (storage.identity.TokenRow)."""

    @property
    def id(self) -> int: ...
    @property
    def owner_id(self) -> int: ...
    @property
    def owner(self) -> str: ...
    @property
    def scopes(self) -> Sequence[str]: ...
    @property
    def expires_at(self) -> int | None: ...


Lookup = Callable[[str], Awaitable[TokenRow | None]]
"""The row of a clear token; None if there is none, or it has expired or been revoked."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who calls. ``owner_id`` is None for a process of ours."""

    name: str
    owner_id: int | None
    token_id: int | None
    scopes: frozenset[str]
    clear: str = field(repr=False, compare=False, default="")

    @property
    def user(self) -> str:
        """Whom streams are counted for: the owner, whatever the token."""
        return SERVICE if self.owner_id is None else f"owner/{self.owner_id}"

    @property
    def holder(self) -> str:
        """Whom calls are counted for: the token."""
        return SERVICE if self.token_id is None else f"token/{self.token_id}"


_caller: ContextVar[Principal | None] = ContextVar("caller", default=None)


def caller() -> Principal:
    """Who made the call that this task serves. Unauthenticated in a public method."""
    principal = _caller.get()
    if principal is None:
        raise Unauthenticated("this needs a token: send metadata 'authorization: Bearer TOKEN'")
    return principal


def set_caller(principal: Principal | None) -> None:
    """For the guard, at the start of a call."""
    _caller.set(principal)


def bearer(metadata: Sequence[tuple[str, str | bytes]] | None) -> str:
    """The clear token of a call's metadata. Unauthenticated, saying what to send, if there is none."""
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str) and value[:7].lower() == "bearer ":
            return value[7:].strip()
    raise Unauthenticated("this needs a token: send metadata 'authorization: Bearer TOKEN'")


class Authenticator:
    """Turns clear tokens into principals, asking the database at most every ``cache_ms`` for each."""

    def __init__(
        self,
        lookup: Lookup,
        service_token: str = "",
        cache_ms: int = CACHE_MS,
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._lookup = lookup
        self._service_token = service_token.encode()
        self.cache_ms = cache_ms
        self._now = now
        self._wall = wall
        self._known: OrderedDict[bytes, tuple[float, Principal]] = OrderedDict()

    async def check(self, clear: str) -> Principal:
        """The principal of a clear token. Unauthenticated for an unknown, expired or revoked one."""
        if self._service_token and compare_digest(clear.encode(), self._service_token):
            return Principal(SERVICE, None, None, frozenset({SERVICE}), clear)
        digest = sha256(clear.encode()).digest()
        cached = self._known.get(digest)
        if cached is not None and cached[0] > self._now():
            return cached[1]
        return await self._ask(clear, digest)

    async def _ask(self, clear: str, digest: bytes) -> Principal:
        row = await self._lookup(clear)
        if row is None:
            self._known.pop(digest, None)
            raise Unauthenticated("the token is unknown, expired or revoked; make one with 'token create'")
        principal = Principal(row.owner, row.owner_id, row.id, frozenset(row.scopes), clear)
        self._keep(digest, principal, row.expires_at)
        return principal

    def _keep(self, digest: bytes, principal: Principal, expires_at: int | None) -> None:
        lasts = self.cache_ms / 1000
        if expires_at is not None:
            lasts = min(lasts, expires_at / 1000 - self._wall())
        if lasts > 0:
            self._known[digest] = (self._now() + lasts, principal)
            self._known.move_to_end(digest)
        while len(self._known) > CACHED:
            self._known.popitem(last=False)


def authorize(policy: Policy, method: str, principal: Principal) -> None:
    """Denied unless the policy lets this principal call this method."""
    needed = policy.get(method)
    if method not in policy or needed is None:
        raise Denied(f"{method} is not open to anybody here")
    if needed and not needed & principal.scopes:
        wanted = " or ".join(sorted(needed))
        raise Denied(f"{method} needs a token with scope {wanted}; this one has: {_list(principal.scopes)}")


def _list(scopes: frozenset[str]) -> str:
    return ", ".join(sorted(scopes)) or "none"
