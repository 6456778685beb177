"""The demo's uploaded bot: handed in over gRPC as an author's would be."""

import hashlib
import tempfile
from pathlib import Path

import grpc

from bot_runner.bundles.packing import pack
from mamenoki.cli.starters import files
from mamenoki.sdk.wire import bearer
from scheduler.v1 import bots_pb2 as pb
from scheduler.v1.bots_pb2_grpc import BotServiceStub
from storage import identity
from storage.database import Database

OWNER, NAME, LADDER = "sample", "first", "mushi/standard"
TOKEN_MS = 60_000
CALL_S = 30.0


def hand_in(database: Database, address: str) -> str:
    """Submits the Python starter; the version's name. Once more is the same version.

    grpc.RpcError if the server does not take it.
    """
    with database.transaction() as tx:
        token = identity.create_token(tx, OWNER, "demo", ["submit"], TOKEN_MS)
    data = bundle()
    digest = hashlib.sha256(data).hexdigest()
    begin = pb.SubmitRequest(begin=pb.Begin(request_id=digest, size=len(data), sha256=digest))
    with grpc.insecure_channel(address) as channel:  # the demo's own, on this machine
        messages = iter([begin, pb.SubmitRequest(chunk=data)])
        answer = BotServiceStub(channel).Submit(messages, timeout=CALL_S, metadata=bearer(token))
    return f"{answer.version.bot}@{answer.version.number}"


def bundle() -> bytes:
    """What ``mamenoki new-bot first --language python`` writes, packed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files("python", NAME, LADDER).items():
            (Path(folder) / name).write_text(text)
        return pack(Path(folder))
