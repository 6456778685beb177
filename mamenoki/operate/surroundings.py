"""What the service needs around it: its database, Valkey, an engine, secrets, the sandbox for bots."""

import ssl
import time
from typing import Any

import grpc
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # ships no stubs

from bot_runner.errors import SandboxMissing
from bot_runner.levels import KINDS, Kind
from bot_runner.runner import Runner, RunnerSettings
from mamenoki.operate.checks import Check, fail, ok, warn
from mamenoki.operate.machine import disk
from mamenoki.sdk.wire import OPTIONS
from mamenoki.serve.valkey import ValkeyError, find_server
from service.settings import Settings
from service.wire import is_loopback
from storage.database import Database, file_of, now_ms, without_password
from storage.errors import StorageError

SKEW_MS = 1_000
ANSWER_S = 3.0
SECRET = 32  # characters


def database(settings: Settings) -> list[Check]:
    """Whether it answers, has this version's tables, and agrees about the time."""
    where = without_password(settings.database_url)
    path = file_of(settings.database_url)
    if path is not None and not path.exists():
        remedy = "`mamenoki migrate` makes it; `mamenoki demo` brings its own"
        return [warn("database", f"there is no {path}", remedy), disk("database disk", path.absolute())]
    try:
        opened = Database(settings.database_url, pool_size=1)
    except ValueError as error:
        return [fail("database", str(error), "correct DATABASE_URL")]
    try:
        return [*_asked(opened, where), *([disk("database disk", path.absolute().parent)] if path else [])]
    except StorageError as error:
        return [fail("database", f"{where}: {error}", "start it, or correct DATABASE_URL")]
    finally:
        opened.close()


def _asked(opened: Database, where: str) -> list[Check]:
    current, head = opened.revision()
    with opened.reading() as tx:
        skew = now_ms(tx) - time.time_ns() // 1_000_000
    if current is None:
        return [warn("database", f"{where} answers and has no tables", "`mamenoki migrate` makes them")]
    if current != head:
        remedy = "`mamenoki backup` it, then `mamenoki migrate`"
        return [fail("database", f"{where} is at revision {current}, this version needs {head}", remedy)]
    held = ok("database", f"{where} at revision {current}")
    if abs(skew) > SKEW_MS:
        return [held, warn("database clock", f"{skew / 1000:+.1f} s from this machine's", "keep both by NTP")]
    return [held, ok("database clock", f"{skew:+d} ms from this machine's")]


def valkey(settings: Settings) -> list[Check]:
    """Whether it answers and keeps what it is given."""
    if "redis_url" not in settings.model_fields_set:
        try:
            return [ok("valkey", f"REDIS_URL is not set; `mamenoki demo` brings {find_server()}")]
        except ValkeyError as error:
            return [fail("valkey", "there is none", str(error))]
    where = settings.redis_url.rpartition("@")[2]
    try:
        with redis.Redis.from_url(
            settings.redis_url, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S
        ) as client:
            info: Any = client.info()
    except (redis.RedisError, OSError) as error:
        return [fail("valkey", f"{where}: {error}", "start it, or correct REDIS_URL")]
    name = info.get("server_name", "redis")
    version = info.get("valkey_version") or info.get("redis_version")
    return [ok("valkey", f"{name} {version} at {where}"), _eviction(info), _appending(info)]


def _eviction(info: Any) -> Check:
    policy = info.get("maxmemory_policy", "unknown")
    if policy == "noeviction" or not info.get("maxmemory"):
        return ok("valkey memory", f"nothing is evicted ({policy}, at most {info.get('maxmemory', 0)} bytes)")
    return fail("valkey memory", f"evicts by {policy}: wake-ups get lost", "set maxmemory-policy noeviction")


def _appending(info: Any) -> Check:
    if info.get("aof_enabled"):
        return ok("valkey file", "append-only file is on")
    return warn("valkey file", "append-only file is off: a restart costs seconds", "set appendonly yes")


def engine(settings: Settings) -> Check:
    """Whether an engine serves at the internal address."""
    where = settings.internal_address
    with grpc.insecure_channel(where, options=OPTIONS) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=ANSWER_S
            )
        except grpc.RpcError:
            remedy = "start one, or name it in MAMENOKI_INTERNAL_ADDRESS"
            return warn("engine", f"none answers at {where}", remedy)
    if answer.status == health_pb2.HealthCheckResponse.SERVING:
        return ok("engine", f"serves at {where}")
    return warn("engine", f"the one at {where} is not ready", "look at its log: it may lack its database")


def tls(settings: Settings) -> Check:
    """Whether the public port has what it needs where it is."""
    address = settings.public_address
    if not settings.tls_certificate:
        if is_loopback(address.rpartition(":")[0].strip("[]")):
            return ok("tls", f"not needed: {address} is this machine's own")
        if settings.allow_plaintext:
            return warn(
                "tls", f"{address} is served in plain text", "be sure that a proxy with TLS stands before it"
            )
        remedy = "set MAMENOKI_TLS_CERTIFICATE and MAMENOKI_TLS_KEY, or MAMENOKI_ALLOW_PLAINTEXT=true behind a proxy"
        return fail("tls", f"{address} is open to others and has no certificate", remedy)
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
            settings.tls_certificate, settings.tls_key or None
        )
    except (OSError, ssl.SSLError) as error:
        return fail(
            "tls", f"{settings.tls_certificate}: {error}", "renew the certificate, or correct both paths"
        )
    return ok("tls", f"{settings.tls_certificate} and its key fit")


def service_token(settings: Settings) -> Check:
    """Whether our own processes can prove who they are."""
    length = len(settings.service_token.get_secret_value())
    make = "MAMENOKI_SERVICE_TOKEN=$(openssl rand -base64 32), the same for every part"
    if length == 0:
        return warn(
            "service token", "not set: worker and web cannot call the engine; a demo makes its own", make
        )
    if length < SECRET:
        return fail("service token", f"only {length} characters: it can be guessed", make)
    return ok("service token", "set")


def sandbox() -> list[Check]:
    """Which levels of isolation hold for uploaded bots, each tried for real."""
    found = {kind: _why_not(kind) for kind in KINDS}
    strongest = next((kind for kind in KINDS if found[kind] is None), None)
    if strongest is None:
        said = "; ".join(f"{kind}: {why}" for kind, why in found.items())
        return [
            warn(
                "sandbox",
                f"uploaded bots cannot run here: {said}",
                "house and remote bots can; see docs/operate.md",
            )
        ]
    checks = [ok("sandbox", f"the level {strongest} holds: uploaded bots can run")]
    why = found["namespaces"]
    if why is not None:
        checks.append(
            warn("sandbox level", f"the stronger level does not hold: {why}", "see docs/operate.md")
        )
    return checks


def _why_not(kind: Kind) -> str | None:
    """What is missing for a level; None if it holds, as a worker would find it."""
    try:
        Runner(RunnerSettings(kind=kind), _none).close_now()
    except (SandboxMissing, OSError) as error:
        return str(error)
    return None


def _none(digest: str) -> bytes:
    raise LookupError(f"an examination loads no bundle, not {digest}")
