"""``mamenoki submit``: a folder handed in as a bot."""

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.options import AsJson, Server, Token
from mamenoki.cli.screen import emit, note
from mamenoki.cli.uploaded import bots_of, describe, plain, reason_of

if TYPE_CHECKING:
    from mamenoki.cli.calls import Service
    from scheduler.v1 import bots_pb2 as pb

verbs = typer.Typer()

NOT_QUALIFIED = 3
STILL_WAITING = 4
CHUNK = 256 << 10
UPLOAD_S = 120.0
LOOK_S = 1.0
SETTLED = ("active", "refused", "benched", "retired")


@verbs.command()
def submit(
    folder: Annotated[Path, typer.Argument(help="The bot's folder, with its mamenoki.toml.")],
    wait: Annotated[bool, typer.Option("--wait", help="Until it has qualified or was refused.")] = False,
    timeout: Annotated[int, typer.Option(min=1, help="Seconds to wait at most.")] = 600,
    request_id: Annotated[
        str | None, typer.Option(help="Names this upload, 1 to 64 characters; none: from the bundle.")
    ] = None,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Hand in a bot: pack the folder, check it here, upload it.

    The same folder again is the same version. For scripts: exit code 0 taken in (with --wait:
    active), 1 the server could not take it, 2 it breaks a rule or the command is wrong, 3 it did
    not qualify, 4 it was still waiting when the time was over.
    """
    data = _packed(folder)
    digest = hashlib.sha256(data).hexdigest()
    with bots_of(server, token) as bots:
        answer = bots.ask("Submit", _messages(data, digest, request_id or digest), UPLOAD_S)
        _tell_taken(answer)
        version = _settled(bots, answer.version, timeout) if wait else answer.version
    if json:
        emit({"version": plain(version), "is_new": answer.is_new, "quota": plain(answer.quota)})
    else:
        print(describe(version))
    if wait:
        _end(version)


def _packed(folder: Path) -> bytes:
    """The bundle, judged by the server's own rules before anything is sent."""
    from bot_runner.bundles import bundle
    from bot_runner.bundles.packing import pack
    from bot_runner.errors import BundleRefused

    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; name the one that holds the bot's mamenoki.toml")
    try:
        data = pack(folder)
        bundle.read(data)
    except BundleRefused as error:
        raise UsageError(f"{folder}: {error}") from error
    except OSError as error:
        raise CommandError(f"{error.filename} cannot be read: {error.strerror}") from error
    return data


def _messages(data: bytes, digest: str, request_id: str) -> "Iterator[pb.SubmitRequest]":
    from mamenoki.cli.screen import progress
    from scheduler.v1 import bots_pb2 as pb

    yield pb.SubmitRequest(begin=pb.Begin(request_id=request_id, size=len(data), sha256=digest))
    with progress() as bar:
        task = bar.add_task("uploading", total=len(data))
        for start in range(0, len(data), CHUNK):
            chunk = data[start : start + CHUNK]
            yield pb.SubmitRequest(chunk=chunk)
            bar.advance(task, len(chunk))


def _tell_taken(answer: "pb.SubmitResponse") -> None:
    version, quota = answer.version, answer.quota
    name = f"{version.bot}@{version.number}"
    note(f"{name} is taken in" if answer.is_new else f"{name} was there: the same files are the same version")
    note(
        f"{quota.uploads_today} of {quota.uploads_today_most} uploads today, "
        f"{quota.stored_bytes} of {quota.stored_bytes_most} bytes stored"
    )


def _settled(bots: "Service", version: "pb.Version", timeout: float) -> "pb.Version":
    """The version once it is decided, or as it is when the time is over. Says each state once."""
    from scheduler.v1 import bots_pb2 as pb

    deadline = time.monotonic() + timeout
    state = ""
    while True:
        if (now := plain(version)["state"]) != state:
            state = now
            note(f"{version.bot}@{version.number}: {state}{reason_of(version)}")
        if state in SETTLED or time.monotonic() >= deadline:
            return version
        time.sleep(LOOK_S)
        answer: Any = bots.ask("Versions", pb.VersionsRequest(
            bot=version.bot, page_size=1, page_token=str(version.number + 1)
        ))  # fmt: skip
        version = answer.versions[0]


def _end(version: "pb.Version") -> None:
    state = plain(version)["state"]
    name = f"{version.bot}@{version.number}"
    if state in ("refused", "benched", "retired"):
        raise CommandError(
            f"{name} is {state}{reason_of(version)}; `mamenoki logs {version.bot} {version.match}` "
            "shows what it did",
            NOT_QUALIFIED,
        )
    if state != "active":
        raise CommandError(
            f"{name} is still {state}; `mamenoki bots show {version.bot}` looks again", STILL_WAITING
        )
