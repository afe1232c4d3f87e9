"""JSON schemas of the documents, made from their classes."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from . import answers, common, games, positions, rules
from .document import Document, schema_name

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def documents() -> Mapping[str, type]:
    """The class of each document by the name of its schema."""
    rooms = (common, positions, answers, rules, games)
    found = [one for room in rooms for one in vars(room).values() if is_typeddict(one) and "schema" in get_type_hints(one)]
    return {schema_name(one): one for one in found if one is not Document}


def schema_of(document: type) -> dict[str, Any]:
    """The schema of a document. It allows for more fields: later versions of Rulewright may add some."""
    parts: dict[str, Any] = {}
    whole = _object(document, parts)
    return {"$schema": DIALECT, "title": document.__name__, **whole, "$defs": dict(sorted(parts.items()))}


def _object(described: type, parts: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(described, include_extras=True)
    return {
        "description": " ".join((described.__doc__ or "").split()),
        "type": "object",
        "properties": {
            name: {"const": schema_name(described)} if name == "schema" else _type(hint, parts) for name, hint in hints.items()
        },
        "required": sorted(name for name, hint in hints.items() if get_origin(hint) is not NotRequired),
    }


def _type(hint: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; that of a class goes to `parts`."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return {}
    if is_typeddict(hint):
        if hint.__name__ not in parts:
            parts[hint.__name__] = {}  # it may hold itself
            parts[hint.__name__] = _object(hint, parts)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if origin in (Annotated, NotRequired):
        return _type(arguments[0], parts)
    if origin is Literal:
        return {"const": arguments[0]}
    if origin is list:
        return {"type": "array", "items": _type(arguments[0], parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(arguments[1], parts)}
    if origin is UnionType:
        return {"anyOf": [_type(one, parts) for one in arguments]}
    return {"type": _SIMPLE[hint]}
