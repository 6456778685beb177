"""What two states of the protocol do not have in common that a client of the older one needs.

The rules are those by which the binary form and the JSON form (which uploaded bots read) of an
old client and a new server, or the other way round, go on understanding each other: nothing that
is there goes away or changes its number, name, type or cardinality; what goes is reserved.
"""

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)


def breaking(old: FileDescriptorSet, new: FileDescriptorSet) -> list[str]:
    """Each change that an old client would notice, in words; empty if there is none."""
    return list(_files(old, new))


def _files(old: FileDescriptorSet, new: FileDescriptorSet) -> Iterator[str]:
    for name, before, after in _pairs(old.file, new.file):
        if after is None:
            yield f"{name} is gone"
            continue
        if before.package != after.package:
            yield f"{name} has another package"
        yield from _messages(before.package, before.message_type, after.message_type)
        yield from _enums(before.package, before.enum_type, after.enum_type)
        for service, one, other in _pairs(before.service, after.service):
            yield from _service(f"{before.package}.{service}", one, other)


def _messages(scope: str, old: Any, new: Any) -> Iterator[str]:
    for name, before, after in _pairs(old, new):
        if after is None:
            yield f"{scope}.{name} is gone"
        else:
            yield from _message(f"{scope}.{name}", before, after)


def _message(name: str, old: DescriptorProto, new: DescriptorProto) -> Iterator[str]:
    by_number = {field.number: field for field in new.field}
    for field in old.field:
        after = by_number.get(field.number)
        if after is None:
            if not _is_reserved(field, new):
                yield f"{name}.{field.name} is gone, and its number and name are not reserved"
        else:
            yield from _field(f"{name}.{field.name}", field, after, old, new)
    yield from _messages(name, old.nested_type, new.nested_type)
    yield from _enums(name, old.enum_type, new.enum_type)


def _is_reserved(field: FieldDescriptorProto, new: DescriptorProto) -> bool:
    numbers = any(one.start <= field.number < one.end for one in new.reserved_range)
    return numbers and field.name in new.reserved_name


def _field(
    name: str,
    old: FieldDescriptorProto,
    new: FieldDescriptorProto,
    was: DescriptorProto,
    now: DescriptorProto,
) -> Iterator[str]:
    for what in ("name", "type", "label", "type_name", "proto3_optional"):
        if getattr(old, what) != getattr(new, what):
            yield f"{name} has another {what}: {getattr(new, what)!r} for {getattr(old, what)!r}"
    if _choice(old, was) != _choice(new, now):
        yield f"{name} is in another choice: {_choice(new, now)!r} for {_choice(old, was)!r}"


def _choice(field: FieldDescriptorProto, message: DescriptorProto) -> str:
    """The ``oneof`` that it belongs to."""
    return message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else ""


def _enums(scope: str, old: Any, new: Any) -> Iterator[str]:
    for name, before, after in _pairs(old, new):
        if after is None:
            yield f"{scope}.{name} is gone"
        else:
            yield from _enum(f"{scope}.{name}", before, after)


def _enum(name: str, old: EnumDescriptorProto, new: EnumDescriptorProto) -> Iterator[str]:
    numbers = {value.name: value.number for value in new.value}
    for value in old.value:
        if numbers.get(value.name) != value.number:
            yield f"{name}.{value.name} is gone or has another number"


def _service(name: str, old: ServiceDescriptorProto, new: ServiceDescriptorProto | None) -> Iterator[str]:
    if new is None:
        yield f"{name} is gone"
        return
    for method, before, after in _pairs(old.method, new.method):
        if after is None:
            yield f"{name}.{method} is gone"
            continue
        for what in ("input_type", "output_type", "client_streaming", "server_streaming"):
            if getattr(before, what) != getattr(after, what):
                yield f"{name}.{method} has another {what}"


def _pairs(old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """What was there, each with what has its name now."""
    found = {one.name: one for one in new}
    for one in old:
        yield one.name, one, found.get(one.name)
