"""Faster versions of `attrs.frozen`, `attrs.define` and `attrs.field`: slotted classes that attrs' own functions accept.

attrs writes and compiles source for each class. For hundreds of classes that took almost half of a short command. Here
equality, hash and repr are closures over the attribute names, and classes of the same outline share one compiled `__init__`
(`initialisers.py`). Converters and validators are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import NOTHING
from attrs.exceptions import FrozenInstanceError

from .initialisers import Field, initialiser

if TYPE_CHECKING:
    from attrs import define, field, frozen
else:

    def field(
        *,
        default: object = NOTHING,
        factory: Callable[[], object] | None = None,
        init: bool = True,
        repr: bool = True,
        eq: bool | Callable[[Any], object] = True,
        kw_only: bool = False,
    ) -> Field:
        """Like `attrs.field`."""
        return Field(default, factory, init, repr, eq, kw_only)

    def frozen(cls: type | None = None, *, eq: bool = True, cache_hash: bool = False) -> Any:
        """Like `attrs.frozen`: equality and hash by the attributes that take part in them, unless `eq` is false."""
        if cls is None:
            return lambda cls: frozen(cls, eq=eq, cache_hash=cache_hash)
        own: dict[str, object] = {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        return _slotted(cls, own, eq, _kept_hash if cache_hash else _hash, (_HASH,) if cache_hash else ())

    def define(cls: type | None = None, *, eq: bool = True) -> Any:
        """Like `attrs.define`: equality by the attributes that take part in it, and then no hash."""
        if cls is None:
            return lambda cls: define(cls, eq=eq)
        return _slotted(cls, {}, eq, lambda key, salt: None)


__all__ = ["define", "field", "frozen", "reader"]

ComparisonKey = Callable[[Any], object]
"""Maps an object to what is compared."""

_HASH = "_known_hash"
"""The slot of a hash that is computed once."""


def _slotted(
    cls: type, own: dict[str, object], eq: bool, hash_of: Callable[[ComparisonKey, int], object], slots: tuple[str, ...] = ()
) -> Any:
    """The class again with slots and the methods of a record, in addition to `own`."""
    fields = _fields(cls)
    cached = {name: value.func for name, value in vars(cls).items() if isinstance(value, cached_property)}
    inherited = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    left_out = {"__dict__", "__weakref__", *cached, *(each.name for each in fields)}
    body = {name: value for name, value in vars(cls).items() if name not in left_out} | own
    if not any("__weakref__" in vars(base) for base in cls.__mro__[1:]):
        slots = (*slots, "__weakref__")
    wanted = (*(each.name for each in fields), *cached, *slots)
    body["__slots__"] = tuple(name for name in wanted if name not in inherited)
    body["__attrs_attrs__"] = fields
    body["__match_args__"] = tuple(each.name for each in fields if each.init and not each.kw_only)
    body.setdefault("__repr__", _repr)
    if eq:
        key = _comparison_key(fields)
        body["__eq__"] = _equality(key)
        body["__hash__"] = hash_of(key, hash(cls.__qualname__))
    if cached:
        body["__getattr__"] = _getattr(cls, cached)
    made: Any = type(cls)(cls.__name__, cls.__bases__, body)
    setters = {each.name: getattr(made, each.name).__set__ for each in fields}
    made.__init__ = initialiser(made, fields, setters, "__setattr__" in own)
    made.__getstate__, made.__setstate__ = _pickling(setters)
    _point_cells(cls, made, cached)
    return made


def _fields(cls: type) -> tuple[Field, ...]:
    """The inherited attributes, then the class's own."""
    own = {}
    for name, kind in cls.__annotations__.items():
        if not str(kind).startswith(("ClassVar", "typing.ClassVar")):
            value = vars(cls).get(name, NOTHING)
            own[name] = (value if isinstance(value, Field) else Field(value)).named(name)
    known: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        known |= {each.name: each for each in vars(base).get("__attrs_attrs__", ()) if each.name not in own}
    return (*known.values(), *own.values())


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError


def _refuse_to_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError


def _getattr(cls: type, cached: dict[str, Callable[[Any], Any]]) -> Callable[[Any, str], object]:
    """A `__getattr__` that computes a cached property whose slot is still empty."""
    inherited = getattr(cls, "__getattr__", None)

    def __getattr__(self: Any, name: str) -> object:
        if function := cached.get(name):
            value = function(self)
            object.__setattr__(self, name, value)
            return value
        if inherited is not None:
            return inherited(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    return __getattr__


def _pickling(
    setters: dict[str, Callable[[Any, object], None]],
) -> tuple[Callable[[Any], object], Callable[[Any, tuple[object, ...]], None]]:
    """`__getstate__` and `__setstate__`, which keep neither hashes nor cached properties."""
    read = _reader(tuple(setters))
    writers = tuple(setters.values())

    def __getstate__(self: Any) -> tuple[object, ...]:
        return read(self)

    def __setstate__(self: Any, state: tuple[object, ...]) -> None:
        for write, value in zip(writers, state, strict=True):
            write(self, value)

    return __getstate__, __setstate__


def _point_cells(cls: type, made: type, cached: dict[str, Callable[[Any], Any]]) -> None:
    """Point what `super()` and `__class__` mean in the methods to the class that has slots."""
    for function in (*_functions(made), *cached.values()):
        for cell in getattr(function, "__closure__", None) or ():
            try:
                if cell.cell_contents is cls:
                    cell.cell_contents = made
            except ValueError:  # an empty cell
                continue


def _functions(made: type) -> Iterator[object]:
    for member in vars(made).values():
        match member:
            case classmethod() | staticmethod():
                yield member.__func__
            case property():
                yield member.fget
            case _:
                yield member


def _equality(key: ComparisonKey) -> Callable[[Any, object], bool]:
    """An `__eq__` by a comparison key."""

    def __eq__(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(key: ComparisonKey, salt: int) -> Callable[[Any], int]:
    """A `__hash__` by a comparison key."""

    def __hash__(self: Any) -> int:
        return salt ^ hash(key(self))

    return __hash__


def _kept_hash(key: ComparisonKey, salt: int) -> Callable[[Any], int]:
    """The same, computed once for each object."""

    def __hash__(self: Any) -> int:
        try:
            known: int = self._known_hash
        except AttributeError:
            known = salt ^ hash(key(self))
            object.__setattr__(self, _HASH, known)
        return known

    return __hash__


def _comparison_key(fields: tuple[Field, ...]) -> ComparisonKey:
    """A key made of the attributes that take part in comparison."""
    compared = [each for each in fields if each.eq]
    if any(each.eq_key for each in compared):
        parts = [(attrgetter(each.name), each.eq_key or _identity) for each in compared]
        return lambda node: tuple(part_of(read(node)) for read, part_of in parts)
    return attrgetter(*(each.name for each in compared)) if compared else _empty_key


@cache
def reader(kind: type, *without: str) -> Callable[[Any], tuple[object, ...]]:
    """A function that reads the attributes of a class's objects as a tuple, except `without`; `()` if there are none."""
    return _reader(tuple(each.name for each in getattr(kind, "__attrs_attrs__", ()) if each.name not in without))


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[object, ...]]:
    match names:
        case ():
            return _empty_key
        case (name,):
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
