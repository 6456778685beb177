"""All settings, from the environment: ``DATABASE_URL``, ``REDIS_URL``, else prefix ``MAMENOKI_``."""

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Every setting has a default that suits one machine. Times are milliseconds.

    Addresses are ``host:port``; port 0 takes a free one, and whoever serves says
    which. An empty metrics address serves no metrics.
    """

    model_config = SettingsConfigDict(env_prefix="MAMENOKI_", populate_by_name=True, extra="ignore")

    database_url: str = Field(
        "sqlite:///mamenoki.sqlite3",
        validation_alias=AliasChoices("DATABASE_URL", "MAMENOKI_DATABASE_URL"),
    )
    redis_url: str = Field(
        "redis://127.0.0.1:6379/0", validation_alias=AliasChoices("REDIS_URL", "MAMENOKI_REDIS_URL")
    )

    public_address: str = "127.0.0.1:8450"
    internal_address: str = "127.0.0.1:8451"
    web_address: str = "127.0.0.1:8452"
    engine_metrics_address: str = "127.0.0.1:8460"
    worker_metrics_address: str = "127.0.0.1:8461"
    web_metrics_address: str = "127.0.0.1:8462"
    engine_name: str = ""  # what a lease and presence say of this engine; empty: its internal address

    service_token: SecretStr = SecretStr("")  # our processes to each other; empty: database tokens only
    tls_certificate: str = ""  # PEM file of the public port
    tls_key: str = ""
    allow_plaintext: bool = False  # a public port outside loopback without TLS: behind a proxy that has it

    log_level: str = "INFO"
    log_json: bool = True

    lease_ms: int = Field(30_000, ge=300)
    matches: int = Field(4096, ge=1)  # open at once in one engine
    seat_retry_ms: int = Field(5_000, ge=0)  # a table whose seat was empty is due again after this
    accept_ms: int = Field(10_000, ge=1)  # a player's time to accept, a bridge's to show its tickets
    bench_ms: int = Field(10_000, ge=0)  # a bot that let others wait is left out; doubles with each time
    bench_most_ms: int = Field(3_600_000, ge=0)
    owner_matches: int = Field(64, ge=1)  # seats that all remote bots of one owner hold at once
    bridge_grace_ms: int = Field(2_000, ge=0)  # a bridge that lost its stream may come back in this time
    bridge_stall_ms: int = Field(120_000, ge=1)  # a bridge that answers nothing for so long has failed
    match_wall_ms: int = Field(3_600_000, ge=1)  # no match runs longer
    drain_grace_ms: int = Field(30_000, ge=0)
    reconnect_after_ms: int = Field(2_000, ge=0)  # told to clients of a server that goes down

    heartbeat_ms: int = Field(10_000, ge=10)
    heartbeat_misses: int = Field(3, ge=1)
    hello_ms: int = Field(10_000, ge=1)
    presence_ttl_ms: int = Field(15_000, ge=100)

    call_ms: int = Field(30_000, ge=1)  # longest unary call
    calls_per_second: float = Field(50.0, gt=0)  # a token's unary calls and new streams
    calls_burst: int = Field(200, ge=1)
    streams_per_user: int = Field(8, ge=1)
    streams: int = Field(10_000, ge=1)
    bots_per_owner: int = Field(200, ge=1)  # names that one owner's bots may ever connect under
    versions_per_owner: int = Field(5_000, ge=1)  # and labels, all its bots' together
    uploads_per_owner: int = Field(2, ge=1)  # at once
    uploads: int = Field(16, ge=1)  # of all owners; each holds up to 8 MiB of memory
    upload_ms: int = Field(120_000, ge=1)  # longest upload
    upload_idle_ms: int = Field(10_000, ge=1)  # and its longest pause
    uploads_per_day: int = Field(50, ge=1)  # bundles taken from one owner in 24 hours
    bundle_bytes_per_owner: int = Field(256 << 20, ge=1)  # archives kept, all versions together
    public_message_bytes: int = Field(512 << 10, ge=1024)
    internal_message_bytes: int = Field(4 << 20, ge=1024)
    moves_per_message: int = Field(1024, ge=1)  # items of one kind in a PlayRequest
    idle_messages_per_second: float = Field(50.0, gt=0)  # refused or empty ones, a player's stream
    idle_messages_burst: int = Field(500, ge=1)
    refused_backlog: int = Field(1024, ge=1)  # answers that a player does not read before it is cut off
    web_connections: int = Field(1_000, ge=1)  # at once; beyond, the one that asks for nothing longest goes
    web_request_ms: int = Field(10_000, ge=1)  # a request comes in full within this
    web_drain_ms: int = Field(30_000, ge=1)  # what is ready is read within this
    guest_tables_per_second: float = Field(0.2, gt=0)  # how often one address may sit down to play
    guest_tables_burst: int = Field(12, ge=1)
    watch_interval_ms: int = Field(100, ge=0)  # least pace of a spectator
    watch_backlog: int = Field(256, ge=1)  # sightings in one answer to a spectator; older ones are skipped


def split_address(address: str) -> tuple[str, int]:
    """``host:port`` apart; ``[::1]:80`` too. ValueError for anything else."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"{address!r} is no address; write host:port, such as 127.0.0.1:8450")
    return host.strip("[]"), int(port)
