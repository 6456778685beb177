"""A client of the last release goes on understanding this state of the protocol, and its data this state of the tables."""

import re
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

from tests.unit.wire_changes import breaking

ROOT = Path(__file__).resolve().parents[2]
DESTRUCTIVE = re.compile(r"op\.(drop_\w+|alter_column|rename_table|batch_alter_table|execute)")


def _release() -> ModuleType:
    spec = spec_from_file_location("release", ROOT / "proto" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = _release()


def test_the_last_releases_clients_are_understood() -> None:
    assert breaking(release.released(), release.today()) == []


def _play(files: FileDescriptorSet) -> FileDescriptorProto:
    return next(file for file in files.file if file.name == "engine_service/v1/play.proto")


def _move(files: FileDescriptorSet) -> FieldDescriptorProto:
    message = next(one for one in _play(files).message_type if one.name == "Move")
    return next(field for field in message.field if field.name == "move")


def _delete_field(files: FileDescriptorSet, *, reserve: bool) -> None:
    message = next(one for one in _play(files).message_type if one.name == "Move")
    field = _move(files)
    number, name = field.number, field.name
    message.field.remove(field)
    if reserve:
        message.reserved_range.add(start=number, end=number + 1)
        message.reserved_name.append(name)


def _rename(files: FileDescriptorSet) -> None:
    _move(files).name = "text"


def _renumber(files: FileDescriptorSet) -> None:
    _move(files).number = 99


def _retype(files: FileDescriptorSet) -> None:
    _move(files).type = FieldDescriptorProto.TYPE_BYTES


def _repeat(files: FileDescriptorSet) -> None:
    _move(files).label = FieldDescriptorProto.LABEL_REPEATED


def _stop_streaming(files: FileDescriptorSet) -> None:
    _play(files).service[0].method[0].server_streaming = False


def _forget_file(files: FileDescriptorSet) -> None:
    files.file.remove(_play(files))


def _forget_message(files: FileDescriptorSet) -> None:
    del _play(files).message_type[0]


def _forget_method(files: FileDescriptorSet) -> None:
    del _play(files).service[0].method[0]


CHANGES: dict[str, tuple[Callable[[FileDescriptorSet], None], str]] = {
    "a field goes": (lambda files: _delete_field(files, reserve=False), "Move.move is gone"),
    "a field has another name": (_rename, "Move.move has another name"),
    "a field has another number": (_renumber, "Move.move is gone"),
    "a field has another type": (_retype, "Move.move has another type"),
    "a field becomes a list": (_repeat, "Move.move has another label"),
    "a method answers once": (_stop_streaming, "PlayService.Play has another server_streaming"),
    "a file goes": (_forget_file, "play.proto is gone"),
    "a message goes": (_forget_message, "is gone"),
    "a method goes": (_forget_method, "PlayService.Play is gone"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_an_old_client_would_notice_is_named(change: str) -> None:
    after = release.today()
    make, wanted = CHANGES[change]
    make(after)
    (*_, found) = breaking(release.today(), after)
    assert wanted in found


def test_what_it_would_not_notice_is_allowed() -> None:
    after = release.today()
    _play(after).message_type.add(name="More").field.add(name="more", number=1)
    _play(after).message_type[0].field.add(name="more", number=900)
    _play(after).service.add(name="MoreService")
    _delete_field(after, reserve=True)
    assert breaking(release.today(), after) == []


def test_migrations_only_add() -> None:
    """The processes of the version before go on working on migrated tables, until they are replaced."""
    for step in sorted((ROOT / "storage" / "migrations" / "versions").glob("*.py")):
        text = step.read_text()
        found = DESTRUCTIVE.search(text)
        assert found is None, f"{step.name}: {found[0] if found else ''}"
        for column in re.findall(r"op\.add_column\(.*?\)\)", text, re.S):
            assert "nullable=True" in column or "server_default" in column, f"{step.name}: {column}"
