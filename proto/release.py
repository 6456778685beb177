"""The wire as the last release had it: ``python proto/release.py`` writes ``proto/released.txtpb``.

Run it when a version is released, and only then: a test compares every later state of
the protocol with it, so that a client of that release goes on understanding us.
"""

import sys
from importlib import import_module
from pathlib import Path

from google.protobuf import text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

ROOT = Path(__file__).resolve().parents[1]
RELEASED = ROOT / "proto" / "released.txtpb"


def today() -> FileDescriptorSet:
    """All files below ``proto/``, as the generated modules have them."""
    found = FileDescriptorSet()
    for source in sorted((ROOT / "proto").rglob("*.proto")):
        name = source.relative_to(ROOT / "proto").with_suffix("")
        module = import_module(".".join(name.parts) + "_pb2")
        found.file.append(FileDescriptorProto.FromString(module.DESCRIPTOR.serialized_pb))
    return found


def released() -> FileDescriptorSet:
    """What was written at the last release."""
    return text_format.Parse(RELEASED.read_text(encoding="utf-8"), FileDescriptorSet())


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    RELEASED.write_text(text_format.MessageToString(today()), encoding="utf-8")
