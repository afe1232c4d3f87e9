"""`attrs.frozen` and `attrs.define`, made sooner.

For each class attrs writes the text of its comparison, hash and text and has Python compile it. There are hundreds of classes,
and that was a sixth of a short command; here the three are closures over the names of the attributes.
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
        """As `attrs.frozen`: equality and hash by the attributes that take part in them, if not by identity.

        To keep the hash in the object is left to attrs.
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
        """As `attrs.define`: equality by the attributes that take part in it, without a hash then."""
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
"""What of an object is compared."""


def _add_equality(made: Any) -> ComparisonKey:
    """Give a class equality; gives what is compared."""
    key = _comparison_key([a for a in made.__attrs_attrs__ if a.eq])

    def __eq__(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    made.__eq__ = __eq__
    return key


def _add_hash(made: Any, key: ComparisonKey) -> None:
    """Give a class a hash."""
    salt = hash(made.__qualname__)

    def __hash__(self: Any) -> int:
        return salt ^ hash(key(self))

    made.__hash__ = __hash__


def _comparison_key(attributes: list[Any]) -> ComparisonKey:
    """By the attributes of a class that take part."""
    if any(a.eq_key for a in attributes):
        parts = [(attrgetter(a.name), a.eq_key or _identity) for a in attributes]
        return lambda node: tuple(part_of(read(node)) for read, part_of in parts)
    return attrgetter(*(a.name for a in attributes)) if attributes else _empty_key


@cache
def reader(kind: type, *without: str) -> Callable[[Any], tuple[object, ...]]:
    """What reads the attributes of the objects of a class as a tuple, but for some; `()` of a class that has none."""
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
