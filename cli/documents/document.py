"""Documents, read off what they are about by the names and types of their fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from rulewright.base.input_files import display_path
from rulewright.base.records import frozen

Kind = TypeVar("Kind")


class Document(TypedDict):
    """A document by itself. The name of its schema is its own name, as `schema_name` has it."""

    schema: str


def schema_name(document: type) -> str:
    """`rulewright/diff_effects/1` for `DiffEffects`, unless the document itself says another."""
    said = get_args(_fields(document)["schema"])
    return str(said[0]) if said else f"rulewright/{_WORD.sub('_', document.__name__).lower()}/1"


_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


@frozen
class Of:
    """Where a field is found, if not under its own name: an attribute, perhaps of a part (`place.key.kind`), or with "" the
    object itself; null where a part is None. `using` is applied to it."""

    path: str
    using: Callable[[Any], object] | None = None


_NOTHING = object()


def document_of(kind: type[Kind], about: object = _NOTHING, /, **given: object) -> Kind:
    """A document, or a part of one: each field has what is given for it, else what is read off `about`; null if that is None.

    A field that may be missing is left out unless it is given. Of what is read off, an empty text is null where null is
    allowed. Raises `AttributeError` for a field without a source.
    """
    found: dict[str, object] = {}
    for name, hint in _fields(kind).items():  # type: ignore[arg-type] # classes are hashable
        if name in given:
            found[name] = _written(hint, given[name])
        elif name == "schema":
            found[name] = schema_name(kind)
        elif get_origin(hint) is Literal:
            (found[name],) = get_args(hint)
        elif get_origin(hint) is not NotRequired:
            found[name] = _written(hint, _read(hint, name, about))
    return found  # type: ignore[return-value] # a typed dictionary


@cache
def _fields(kind: type) -> Mapping[str, Any]:
    """The types of the fields, the name of the schema first."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in sorted(hints, key=lambda name: name != "schema")}


def _read(hint: Any, name: str, about: Any) -> object:
    of = get_args(hint)[1] if get_origin(hint) is Annotated else Of(name)
    for part in filter(None, of.path.split(".")):
        about = None if about is None else getattr(about, part)
    value = about if of.using is None else of.using(about)
    return None if value == "" and NoneType in get_args(_plain(hint)) else value


def _written(hint: Any, value: Any) -> Any:
    """A value as its type has it: enumerations by their values, paths as they are shown, collections as lists."""
    hint = _plain(hint)
    match get_origin(hint), get_args(hint):
        case _ if is_typeddict(hint):
            return value if isinstance(value, dict) else document_of(hint, value)
        case origin, (item,) if origin is list:
            return [_written(item, one) for one in value]
        case origin, (_, item) if origin is dict:
            return {_written(str, key): _written(item, one) for key, one in value.items()}
        case origin, kinds if origin is UnionType:
            if value is None or (int in kinds and isinstance(value, int)):
                return value
            return _written(next(kind for kind in kinds if kind not in (int, NoneType)), value)
    if hint is not str:
        return value
    return str(value.value if isinstance(value, Enum) else display_path(value) if isinstance(value, Path) else value)


def _plain(hint: Any) -> Any:
    """A type without what is said about it."""
    return _plain(get_args(hint)[0]) if get_origin(hint) in (Annotated, NotRequired) else hint
