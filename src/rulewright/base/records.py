"""Faster versions of `attrs.frozen` and `attrs.define`.

attrs generates and compiles source for each class's `__eq__`, `__hash__` and `__repr__`. For hundreds of classes that took a
sixth of a short command; here the three are closures over the attribute names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import define, frozen
else:

    def frozen(cls: type | None = None, *, eq: bool = True, cache_hash: bool = False, slots: bool = True) -> Any:
        """Like `attrs.frozen`: equality and hash by the attributes that take part in them, unless `eq` is false.

        A cached hash is left to attrs.
        """
        if cls is None:
            return lambda cls: frozen(cls, eq=eq, cache_hash=cache_hash, slots=slots)
        made = attrs.frozen(cls, eq=False, repr=False, unsafe_hash=cache_hash or None, cache_hash=cache_hash, slots=slots)
        made.__repr__ = _repr
        if eq:
            key = _add_equality(made)
            if not cache_hash:
                _add_hash(made, key)
        return made

    def define(cls: type | None = None, *, eq: bool = True, slots: bool = True) -> Any:
        """Like `attrs.define`: equality by the attributes that take part in it, and then no hash."""
        if cls is None:
            return lambda cls: define(cls, eq=eq, slots=slots)
        made = attrs.define(cls, eq=False, repr=False, slots=slots)
        made.__repr__ = _repr
        if eq:
            _add_equality(made)
            made.__hash__ = None
        return made


__all__ = ["define", "frozen", "reader"]

ComparisonKey = Callable[[Any], object]
"""Maps an object to what is compared."""


def _add_equality(made: Any) -> ComparisonKey:
    """Add equality to a class; returns its comparison key."""
    key = _comparison_key([a for a in made.__attrs_attrs__ if a.eq])

    def __eq__(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    made.__eq__ = __eq__
    return key


def _add_hash(made: Any, key: ComparisonKey) -> None:
    """Add a hash to a class."""
    salt = hash(made.__qualname__)

    def __hash__(self: Any) -> int:
        return salt ^ hash(key(self))

    made.__hash__ = __hash__


def _comparison_key(attributes: list[Any]) -> ComparisonKey:
    """A key made of the attributes that take part in comparison."""
    if any(a.eq_key for a in attributes):
        parts = [(attrgetter(a.name), a.eq_key or _identity) for a in attributes]
        return lambda node: tuple(part_of(read(node)) for read, part_of in parts)
    return attrgetter(*(a.name for a in attributes)) if attributes else _empty_key


@cache
def reader(kind: type, *without: str) -> Callable[[Any], tuple[object, ...]]:
    """A function that reads the attributes of a class's objects as a tuple, except `without`; `()` if there are none."""
    names = [a.name for a in getattr(kind, "__attrs_attrs__", ()) if a.name not in without]
    match names:
        case []:
            return _empty_key
        case [name]:
            return lambda node: (getattr(node, name),)
        case _:
            return attrgetter(*names)


def _identity(value: object) -> object:
    return value


def _empty_key(node: object) -> tuple[()]:
    return ()


def _repr(node: Any) -> str:
    shown = ", ".join(f"{a.name}={getattr(node, a.name)!r}" for a in node.__attrs_attrs__ if a.repr)
    return f"{type(node).__qualname__}({shown})"
