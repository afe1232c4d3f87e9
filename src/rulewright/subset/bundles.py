"""Bundles of the compiled subset: arrays and integers that functions receive together. See records.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cache, cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, dataclass_transform

from rulewright.base.records import define, field

from .buffers import Array
from .intrinsics import Ints, Longs, Shared
from .records import Field, Record, Run, Structure, field_type, hints_of, size_of, word_of
from .symbols import Symbol, Word

FORMATS: Mapping[type, str] = {Ints: "i", Longs: "q", Shared: "q"}

Part = Array | Symbol | int | Word
"""A value passed to a function: an array or an integer, symbolic during lowering."""


def entry(array: str, *, init: Literal[False] = False) -> Any:
    """A field of a bundle: the next word at the head of the array."""
    return Field(array)


def start_of(array: str, *, init: Literal[False] = False) -> Any:
    """A field of a bundle: the run that begins after the entries of the array."""
    return Field(array, is_inline=True)


@dataclass_transform(eq_default=False, field_specifiers=(entry, start_of))
class Bundle(Structure):
    """Arrays and integers that functions receive together. They never change; the contents of the arrays may.

    `same` maps paths of arrays to other paths of the same array; `constants` are those of a kernel during lowering.
    """

    index = 0
    same = MappingProxyType[str, str]({})
    constants = MappingProxyType[str, Any]({})

    def __init_subclass__(cls, same: Mapping[str, str] = same) -> None:
        cls.same = MappingProxyType({**cls.same, **same})
        cls.declare({name: value for name, value in vars(cls).items() if isinstance(value, Field)})

    if not TYPE_CHECKING:

        def __init__(self, *parts, **named):
            types = parts_of(type(self))
            given = dict(zip(types, parts, strict=False)) | named
            if len(parts) + len(named) != len(given) or given.keys() != types.keys():
                wrong = sorted(given.keys() ^ types.keys())
                raise TypeError(f"{type(self).__name__}: {', '.join(wrong) or 'parts given twice or too many'}")
            for name, kind in types.items():
                if not _fits(kind, given[name]):
                    raise TypeError(f"{type(self).__name__}.{name}: {given[name]!r}")
            self.__dict__.update(given)
            for one, other in self.same.items():
                if attrgetter(one)(self) is not attrgetter(other)(self):
                    raise TypeError(f"{type(self).__name__}: {one} is not {other}")

        def __setattr__(self, name, value):
            if name not in self.fields:
                raise AttributeError(f"{type(self).__name__}.{name} is no entry")
            object.__setattr__(self, name, value)

    @property
    def home(self) -> Bundle:
        return self

    def array_named(self, name: str) -> Array:
        found: Array = self.__dict__[name]
        return found

    def integer_named(self, name: str) -> int:
        """An integer of this bundle, or a constant. Raises `KeyError`."""
        known = name in self.fields or name in self.__dict__
        found: int = getattr(self, name) if known else self.constants[name]
        return found

    @cached_property
    def flat(self) -> tuple[Part, ...]:
        """All arrays and integers, each array once."""
        return self.flat_as(type(self))

    def flat_as(self, declared: type[Bundle]) -> tuple[Part, ...]:
        """The values of this bundle passed for a parameter of type `declared`, a base class of this one's."""
        found: list[Part] = []
        for name, kind in parts_of(declared).items():
            part = getattr(self, name)
            flat = part.flat_as(kind) if isinstance(part, Bundle) else (part,)
            found += (one for one in flat if isinstance(one, int | Word) or not any(one is other for other in found))
        return tuple(found)


SomeBundle = TypeVar("SomeBundle", bound=Bundle)


def parts_of(bundle: type[Bundle]) -> Mapping[str, type[Any]]:
    """The arrays, integers and nested bundles of a bundle, in order, with their types. Raises `TypeError`."""
    return _parts_of(bundle)  # type: ignore[arg-type]


def with_parts(bundle: SomeBundle, **others: Any) -> SomeBundle:
    """A bundle with some arrays, integers and nested bundles replaced."""
    return type(bundle)(**{**{name: getattr(bundle, name) for name in parts_of(type(bundle))}, **others})


@cache
def _parts_of(bundle: Any) -> Mapping[str, type[Any]]:
    taken = [name for name in hints_of(bundle) if hasattr(Bundle, name)]
    if taken:
        raise TypeError(f"{bundle.__name__}: every bundle has a {taken[0]}")
    found = {name: _part_type(hint) for name, hint in hints_of(bundle).items() if name not in bundle.fields}
    for name, known in bundle.fields.items():
        if found.get(known.array) not in FORMATS:
            raise TypeError(f"{bundle.__name__}.{name}: there is no array {known.array}")
    return found


def parameter_type(hint: Any) -> Any:
    """The type of a parameter, from its annotation. Raises `TypeError`."""
    whole = hint in FORMATS or (isinstance(hint, type) and issubclass(hint, Bundle))
    return hint if whole else field_type(hint)


def _part_type(hint: Any) -> type:
    found = parameter_type(hint)
    if not isinstance(found, type) or issubclass(found, Record):
        raise TypeError(f"{hint}: no array, integer or bundle")
    return found


def _fits(kind: type, value: object) -> bool:
    match value:
        case Array():
            return FORMATS.get(kind) == value.items.format
        case Symbol():
            return kind is value.kind
        case Bundle():
            return isinstance(value, kind)
        case _:
            return kind is int and isinstance(value, int | Word)


def flattened(argument: Array | int | Bundle | Record | Run[Any]) -> tuple[Any, ...]:
    """The arrays and integers that machine code receives for an argument."""
    return argument.flat if isinstance(argument, Bundle) else (word_of(argument),)


def calling(function: Callable[..., int], count: int, owner: object) -> Callable[..., int]:
    """A function of `count` addresses and integers as one on views. It keeps `owner`, which has the code, alive.

    Raises `TypeError` for a wrong number of arguments.
    """

    def call(*arguments: Array | int | Bundle | Record | Run[Any]) -> int:
        flat = [one for argument in arguments for one in flattened(argument)]
        if len(flat) != count:
            raise TypeError(f"{len(flat)} arrays and integers, where there are {count}")
        return function(*(one.address if isinstance(one, Array) else one for one in flat))

    call.owner = owner  # type: ignore[attr-defined]
    return call


def described(value: object) -> str:
    """A text of everything in a record, bundle or enumeration that compiled code depends on; "" for anything else."""
    return _description(value) if isinstance(value, type) else ""


@cache
def _description(kind: Any) -> str:
    if issubclass(kind, Bundle):
        return f"{kind.__qualname__} {dict(parts_of(kind))} {dict(kind.fields)} {dict(kind.same)}"
    if issubclass(kind, Record):
        return f"{kind.__qualname__} {kind.memory} {dict(kind.fields)}"
    return f"{kind.__qualname__} {dict(kind.__members__)}" if issubclass(kind, IntEnum) else ""


# Fills the arrays of a bundle by the names of its entries -------------------------------------------------------------
# Consecutive tables, and memory for what kernels compute.


Table = Iterable[int | Sequence[int]]
"""Numbers, and records as their words."""


@define(eq=False)
class TableBuilder:
    """Arrays under construction. An array either is filled with tables or has memory reserved in it."""

    bundle: type[Bundle]
    words: dict[str, list[int]] = field(factory=dict)
    room: dict[str, int] = field(factory=dict)
    given: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.room = {name: size_of(self.bundle, name) for name, kind in parts_of(self.bundle).items() if kind in FORMATS}
        self.words = {name: [0] * size for name, size in self.room.items()}

    def put(self, **values: int | Table) -> None:
        """Set entries, each to a number, or to the start of a table, which is added to the array that the entry points into."""
        for name, value in values.items():
            known = self._entry(name)
            at = value if isinstance(value, int) else self.add(self._memory(known), value)
            self.words[known.array][known.offset] = at
            self.given.add(name)

    def get(self, name: str) -> int:
        """The value of an entry so far."""
        known = self._entry(name)
        return self.words[known.array][known.offset]

    def add(self, array: str, values: Table) -> int:
        """Add a table that no entry points to; returns its start."""
        words = self.words[array]
        at = len(words)
        for value in values:
            if isinstance(value, int):
                words.append(value)
            else:
                words += value
        return at

    def reserve(self, **sizes: int) -> None:
        """Reserve so many words for entries, and set each to their start."""
        for name, size in sizes.items():
            memory = self._memory(self._entry(name))
            self.put(**{name: self.room[memory]})
            self.room[memory] += size

    def array(self, name: str, complete: bool = True) -> Array:
        """An array with its tables. Raises `TypeError` if `complete` and an entry of it was not set."""
        entries = (known for known in self.bundle.fields.values() if known.array == name and not known.is_inline)
        missing = [known.name for known in entries if known.name not in self.given]
        if complete and missing:
            raise TypeError(f"{self.bundle.__name__}: nothing for {', '.join(missing)}")
        return Array.of(FORMATS[parts_of(self.bundle)[name]], len(self.words[name])).fill(self.words[name])

    def _entry(self, name: str) -> Field:
        known = self.bundle.fields.get(name)
        if known is None:
            raise TypeError(f"{name} is no entry of {self.bundle.__name__}")
        return known

    def _memory(self, known: Field) -> str:
        """The array that an entry points into. Raises `TypeError` for a number."""
        if known.value_type is int:
            raise TypeError(f"{known.name} is a number")
        memory: str = known.value_type.memory  # type: ignore[union-attr]
        return memory or known.array
