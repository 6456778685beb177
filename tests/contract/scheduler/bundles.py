"""Bundles and uploads for tests, the honest ones and the others."""

import hashlib
from collections.abc import Iterator

from scheduler.v1 import bots_pb2 as pb
from tests.unit.bot_runner.zips import Entry, Zip

MANIFEST = 'name = "{name}"\nlanguage = "python"\nentry = "bot.py"\ngames = ["{game}"]\n'
CHUNK = 256 << 10


def bundle(text: str = "", name: str = "climber", game: str = "mushi/standard") -> bytes:
    """A bundle that keeps all rules; another text makes another bundle."""
    manifest = MANIFEST.format(name=name, game=game).encode()
    return bytes(Zip([Entry("mamenoki.toml", manifest), Entry("bot.py", f"# {text}\n".encode())]))


def begin(data: bytes, request_id: str = "r1", **lies: object) -> pb.SubmitRequest:
    told = {"request_id": request_id, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return pb.SubmitRequest(begin=pb.Begin(**{**told, **lies}))  # type: ignore[arg-type]  # tests lie


def upload(
    data: bytes, request_id: str = "r1", chunk: int = CHUNK, **lies: object
) -> Iterator[pb.SubmitRequest]:
    """All messages of an upload."""
    yield begin(data, request_id, **lies)
    for start in range(0, len(data), chunk):
        yield pb.SubmitRequest(chunk=data[start : start + chunk])
