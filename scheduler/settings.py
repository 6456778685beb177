"""The settings of the worker and the beat, beside those that every process shares."""

from typing import Any, Literal

from pydantic import Field, field_validator

from scheduler.domain.hooks import networks
from service.settings import Settings


class SchedulerSettings(Settings):
    """Times are milliseconds. Prefix ``MAMENOKI_`` as in service.settings."""

    worker_processes: int = Field(2, ge=1)
    tick_ms: int = Field(1_000, ge=50)  # between two looks for what is due
    plan_ms: int = Field(2_000, ge=50)  # a window of the continuous ladder
    housekeeping_ms: int = Field(60_000, ge=50)
    resend_ms: int = Field(10_000, ge=100)  # sent and not heard of: sent again
    batch: int = Field(100, ge=1, le=256)  # tables in one task
    queued_most: int = Field(50, ge=1)  # messages in a queue beyond which nothing is sent
    planned_most: int = Field(200, ge=1)  # tables planned and not begun beyond which no more are planned
    tables_at_once: int = Field(2, ge=1)  # of one player on one ladder
    longest_wait_ms: int = Field(60_000, ge=0)
    audit_ms: int = Field(86_400_000, ge=1_000)  # a window of the invariants checker
    windows_kept_ms: int = Field(3_600_000, ge=60_000)
    play_wall_ms: int = Field(900_000, ge=1_000)  # a batch that takes longer is cut off
    remote_most: int = Field(256, ge=1)  # tables with a remote player that a child plays beside its tasks
    end_beside_ms: int = Field(20_000, ge=0)  # what a child that ends gives them to end by themselves
    start_ms: int = Field(60_000, ge=1_000)  # MatchService.Start waits for players to accept
    sandbox: Literal["namespaces", "inner", "none"] = (
        "namespaces"  # none: uploaded bots are left to other workers
    )
    bots_folder: str = (
        ""  # unpacked bundles; every user must be able to enter it; empty: see bot_runner.places
    )
    webhook_ms: int = Field(10_000, ge=100)  # a webhook answers within this
    webhook_networks: str = (
        ""  # networks that webhooks may reach though they are not public: 10.1.0.0/16, ::1
    )
    multiprocess_dir: str = ""  # where the worker's processes count; empty: a temporary folder

    @field_validator("webhook_networks")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        networks(text)
        return text


def read(**overrides: Any) -> SchedulerSettings:
    """The settings of this process's environment; ``overrides`` stand above it."""
    return SchedulerSettings(**overrides)
