"""Faster versions of `attrs.frozen`, `define`, `field` and `evolve`: slotted classes that attrs' own functions accept.

attrs writes and compiles source for each class. For hundreds of classes that took almost half of a short command. Here
equality, hash and repr are closures over the attribute names, and classes of the same outline share one compiled `__init__`.
Converters and validators are left out.

Compiling an `__init__` is what takes long, so an outline (which attributes are arguments, which have a factory) is compiled
once, with placeholders for names, and the names of a class are put into a copy of that code.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

NOTHING: Any = object()
"""Stands for the default of an attribute that has none."""

if TYPE_CHECKING:
    from attrs import define, evolve, field, frozen
else:

    def evolve(node: Any, /, **changes: object) -> Any:
        """Like `attrs.evolve`."""
        given = {each.alias: getattr(node, each.name) for each in node.__attrs_attrs__ if each.init}
        return type(node)(**(given | changes))

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
        own: dict[str, object] = {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_set}
        return _slotted(cls, own, eq, _kept_hash if cache_hash else _hash, (_HASH,) if cache_hash else ())

    def define(cls: type | None = None, *, eq: bool = True) -> Any:
        """Like `attrs.define`: equality by the attributes that take part in it, and then no hash."""
        if cls is None:
            return lambda cls: define(cls, eq=eq)
        return _slotted(cls, {}, eq, lambda key, salt: None)


__all__ = ["define", "evolve", "field", "frozen", "reader"]

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
    body["__init__"] = _on_first_use(lambda: made, "__setattr__" in own)
    body["__getstate__"], body["__setstate__"] = _get_state, _set_state
    made: Any = type(cls)(cls.__name__, cls.__bases__, body)
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
    fields = (*known.values(), *own.values())
    optional = [each.is_optional for each in fields if each.init and not each.kw_only]
    if optional != sorted(optional):
        raise TypeError(f"an attribute of `{cls.__qualname__}` without a default comes after one with a default")
    return fields


def _refuse_to_set(self: Any, name: str, value: object = None) -> None:
    from attrs.exceptions import FrozenInstanceError

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


def _get_state(self: Any) -> tuple[object, ...]:
    """What is pickled: neither hashes nor cached properties."""
    kind: Any = type(self)
    return reader(kind)(self)


def _set_state(self: Any, state: tuple[object, ...]) -> None:
    kind: Any = type(self)
    for write, value in zip(_setters(kind).values(), state, strict=True):
        write(self, value)


@cache
def _setters(kind: Any) -> Mapping[str, Callable[[Any, object], None]]:
    """What sets each attribute of a class's objects."""
    return {each.name: getattr(kind, each.name).__set__ for each in kind.__attrs_attrs__}


def _point_cells(cls: type, made: type, cached: dict[str, Callable[[Any], Any]]) -> None:
    """Point what `super()` and `__class__` mean in the methods to the class that has slots."""
    for member in (*vars(cls).values(), *cached.values()):
        function = getattr(member, "__func__", None) or getattr(member, "fget", member)
        for cell in getattr(function, "__closure__", None) or ():
            try:
                if cell.cell_contents is cls:
                    cell.cell_contents = made
            except ValueError:  # an empty cell
                continue


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


# Initialisers ---------------------------------------------------------------------------------------------------------


class Field:
    """An attribute of a record, with the members of `attrs.Attribute` that attrs' functions on classes read.

    `preset` is its default value; `factory` makes one anew for each object, from the object itself if `reads_self`.
    """

    __slots__ = ("alias", "eq", "eq_key", "factory", "init", "kw_only", "name", "preset", "reads_self", "repr")

    def __init__(
        self,
        preset: object = NOTHING,
        factory: Callable[..., object] | None = None,
        init: bool = True,
        repr: bool = True,
        eq: bool | Callable[[Any], object] = True,
        kw_only: bool = False,
    ) -> None:
        self.preset, self.factory, self.reads_self = preset, factory, False
        self.init, self.repr, self.kw_only = init, repr, kw_only
        self.eq = bool(eq)
        self.eq_key = eq if callable(eq) else None

    def named(self, name: str) -> Field:
        """The same attribute under the name that the class gives it; as an argument it has no leading underscore."""
        self.name = name
        self.alias = name.lstrip("_")
        return self

    def default(self, method: Callable[[Any], object]) -> Callable[[Any], object]:
        """A decorator of the method that makes its default value."""
        self.factory, self.reads_self = method, True
        return method

    @property
    def is_optional(self) -> bool:
        """Whether it has a default value."""
        return self.preset is not NOTHING or self.factory is not None


BY_HAND = 32
"""Objects of a class made before its `__init__` is compiled. Measured: compiling takes as long as forty."""


def _on_first_use(class_of: Callable[[], Any], is_frozen: bool) -> Callable[..., None]:
    """An `__init__` that sets attributes one by one, and is compiled when there are some objects: a short command makes few of
    most classes."""
    made = 0

    def __init__(self: Any, *given: object, **named: object) -> None:
        nonlocal made
        made, kind = made + 1, class_of()
        if made > BY_HAND or not _is_set(self, kind, given, named):
            kind.__init__ = initialiser(kind, kind.__attrs_attrs__, _setters(kind), is_frozen)
            kind.__init__(self, *given, **named)

    return __init__


def _is_set(node: Any, kind: Any, given: Sequence[object], named: Mapping[str, object]) -> bool:
    """Set the attributes of a new object; false if the arguments do not fit, of which a compiled `__init__` tells more."""
    positional = [each.alias for each in kind.__attrs_attrs__ if each.init and not each.kw_only]
    values = {**dict(zip(positional, given, strict=False)), **named}
    if len(values) < len(given) + len(named):
        return False
    for each, write in zip(kind.__attrs_attrs__, _setters(kind).values(), strict=True):
        value = values.pop(each.alias, NOTHING) if each.init else NOTHING
        if value is NOTHING:
            value = each.preset if each.factory is None else each.factory(node) if each.reads_self else each.factory()
        if value is not NOTHING:
            write(node, value)
        elif each.init:
            return False
    if not values and hasattr(kind, "__attrs_post_init__"):
        node.__attrs_post_init__()
    return not values


def initialiser(
    made: type, fields: Sequence[Field], setters: Mapping[str, Callable[[Any, object], None]], is_frozen: bool
) -> FunctionType:
    """An `__init__` that assigns each attribute, or, of a frozen class, calls the setter of its slot."""
    positional = [each for each in fields if each.init and not each.kw_only]
    named = [each for each in fields if each.init and each.kw_only]
    arguments = {each.name: f"a{number}" for number, each in enumerate(fields)}
    parameters = ["self", *(arguments[each.name] for each in positional)]
    if named:
        parameters += ["*", *(arguments[each.name] for each in named)]
    known: dict[str, object] = {"NOTHING": NOTHING, "__builtins__": builtins}
    lines = []
    for number, each in enumerate(fields):
        known |= {f"set{number}": setters[each.name], f"make{number}": each.factory, f"preset{number}": each.preset}
        if value := _value(number, each):
            lines.append(f"set{number}(self, {value})" if is_frozen else f"self.set{number} = {value}")
    if hasattr(made, "__attrs_post_init__"):
        known["more"] = made.__attrs_post_init__
        lines.append("more(self)")
    outline = _outline(", ".join(parameters), tuple(lines))
    assigned = {} if is_frozen else {f"set{number}": each.name for number, each in enumerate(fields)}
    code = outline.replace(
        co_varnames=("self", *(each.alias for each in (*positional, *named))),
        co_names=tuple(assigned.get(name, name) for name in outline.co_names),
        co_qualname=f"{made.__qualname__}.__init__",
    )
    function = FunctionType(code, known, "__init__", tuple(each.preset for each in positional if each.is_optional))
    function.__kwdefaults__ = {each.alias: each.preset for each in named if each.is_optional}
    return function


def _value(number: int, each: Field) -> str:
    """What an attribute is set to: its argument `aN`, what its factory makes, or its default; `` if it is not set."""
    made = f"make{number}({'self' if each.reads_self else ''})" if each.factory is not None else ""
    if not each.init:
        return made or ("" if each.preset is NOTHING else f"preset{number}")
    return f"{made} if a{number} is NOTHING else a{number}" if made else f"a{number}"


@cache
def _outline(parameters: str, lines: tuple[str, ...]) -> CodeType:
    """The code of an `__init__`."""
    known: dict[str, FunctionType] = {}
    exec("\n ".join((f"def __init__({parameters}):", *lines, "return None")), known)
    return known["__init__"].__code__
