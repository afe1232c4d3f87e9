"""Bundles of the compiled subset: arrays and integers that functions are given together. See records.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, dataclass_transform, get_args, get_origin, get_type_hints

from rulewright.base.records import frozen

from .buffers import Array
from .records import KINDS, FieldType, Record, Run, RunType, field_type, read, record_layout, write

FORMATS = {"Ints": "i", "Longs": "q", "Shared": "q"}


@frozen
class ArrayType:
    """`Ints`, `Longs` or `Shared`, by name."""

    kind: str


@frozen
class Sharing:
    """Arrays of a nested bundle that are arrays of the bundle around it, by their paths there."""

    arrays: tuple[tuple[str, str], ...]


def sharing(**arrays: str) -> Sharing:
    """In `Annotated[Bound, sharing(state="game.state")]`: the array `state` of that bundle is `game.state` of this one."""
    return Sharing(tuple(arrays.items()))


@frozen
class BundleType:
    bundle: type[Bundle]
    sharing: Sharing = Sharing(())


AnyType = FieldType | ArrayType | BundleType
"""Of a part of a bundle, or of a parameter."""


def type_of(hint: Any) -> AnyType:
    """The type that an annotation says. Raises `TypeError`."""
    if hint in KINDS:
        return ArrayType(KINDS[hint])
    marks: Sequence[Any] = ()
    inner = hint
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
    if isinstance(inner, type) and issubclass(inner, Bundle):
        return BundleType(inner, *(mark for mark in marks if isinstance(mark, Sharing)))
    return field_type(hint)


class _Declared:
    """A field that is read from one of the arrays."""

    name: str

    def __init__(self, array: str) -> None:
        self.array = array

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class Entry(_Declared):
    """A word at the head of an array of a bundle. Its number is known when the class is made, its type when it is asked for."""

    number: int

    def __repr__(self) -> str:
        return f"{self.array}[{self.number}]"

    def __get__(self, bundle: Bundle | None, owner: type[Bundle]) -> Any:
        if bundle is None:
            return self
        return read(bundle, self.array, bundle_layout(owner).entries[self.name][1], self.number)

    def __set__(self, bundle: Bundle, value: Any) -> None:
        write(bundle, self.array, self.number, value)


class Start(_Declared):
    """A run that begins behind the entries of an array."""

    def __repr__(self) -> str:
        return f"start of {self.array}"

    def __get__(self, bundle: Bundle | None, owner: type[Bundle]) -> Any:
        if bundle is None:
            return self
        layout = bundle_layout(owner)
        return Run(bundle, self.array, layout.starts[self.name][1], layout.heads.get(self.array, 0))


def entry(array: str, *, init: Literal[False] = False) -> Any:
    """A field of a bundle: the next word at the head of that array."""
    return Entry(array)


def start_of(array: str, *, init: Literal[False] = False) -> Any:
    """A field of a bundle: the run that begins behind the entries of that array."""
    return Start(array)


@frozen
class BundleLayout:
    """What a function is given for a bundle, in order; its entries and starts, with types; how many entries each array has."""

    parts: Mapping[str, AnyType]
    entries: Mapping[str, tuple[Entry, FieldType]]
    starts: Mapping[str, tuple[Start, RunType]]
    heads: Mapping[str, int]

    def has(self, name: str) -> bool:
        """Whether there is a part or an entry of that name."""
        return name in self.parts or name in self.entries


@dataclass_transform(eq_default=False, field_specifiers=(entry, start_of))
class Bundle:
    """Arrays and integers that functions are given together; they never change, unlike what the arrays hold."""

    if not TYPE_CHECKING:
        _heads = MappingProxyType({})

        def __init_subclass__(cls, **more):
            super().__init_subclass__(**more)
            heads = dict(cls._heads)
            for value in vars(cls).values():
                if isinstance(value, Entry):
                    value.number = heads.get(value.array, 0)
                    heads[value.array] = value.number + 1
            cls._heads = MappingProxyType(heads)

        def __init__(self, *parts, **named):
            layout = bundle_layout(type(self))
            given = dict(zip(layout.parts, parts, strict=False)) | named
            if len(parts) + len(named) != len(given) or given.keys() != layout.parts.keys():
                wrong = sorted(given.keys() ^ layout.parts.keys())
                raise TypeError(f"{type(self).__name__}: {', '.join(wrong) or 'parts given twice or too many'}")
            for name, kind in layout.parts.items():
                _check(f"{type(self).__name__}.{name}", kind, given[name])
            self.__dict__.update({name: given[name] for name in layout.parts})
            self.__dict__["_flat"] = tuple(flat for name, kind in layout.parts.items() for flat in self._own(kind, given[name]))
            self.__dict__["_arrays"] = _arrays(given.values()) | {n: a for n, a in given.items() if isinstance(a, Array)}

        def _own(self, kind, value):
            shared = [getattr(value, name) for name, _ in kind.sharing.arrays] if isinstance(kind, BundleType) else []
            for array, (name, path) in zip(shared, kind.sharing.arrays if shared else (), strict=True):
                if array is not attrgetter(path)(self):
                    raise TypeError(f"{type(self).__name__}: {name} is not {path}")
            return [flat for flat in flattened(value) if not any(flat is array for array in shared)]

        def __setattr__(self, name, value):
            if not isinstance(getattr(type(self), name, None), Entry):
                raise AttributeError(f"{type(self).__name__}.{name} is no entry")
            object.__setattr__(self, name, value)

    def array_named(self, name: str) -> Array:
        """An array of this bundle, or of one nested in it."""
        found: Array = self.__dict__["_arrays"][name]
        return found

    def integer_named(self, name: str) -> int:
        """An integer of this bundle, or of one nested in it. Raises `AttributeError`."""
        nested = [part for part in self.__dict__.values() if isinstance(part, Bundle)]
        having = next((part for part in (self, *nested) if bundle_layout(type(part)).has(name)), None)
        return int(getattr(having or self, name))


def flattened(part: Any) -> tuple[Array | int, ...]:
    """The arrays and integers that machine code is given for an argument."""
    if isinstance(part, Bundle):
        flat: tuple[Array | int, ...] = part.__dict__["_flat"]
        return flat
    return (part.index,) if isinstance(part, Record | Run) else (part,)


def described(value: object) -> str:
    """All of a class of this module that compiled code depends on; "" for anything else."""
    if not isinstance(value, type):
        return ""
    if issubclass(value, Bundle):
        return f"{value.__qualname__} {bundle_layout(value)}"
    if issubclass(value, Record):
        return f"{value.__qualname__} {value.memory} {dict(record_layout(value))}"
    return f"{value.__qualname__} {dict(value.__members__)}" if issubclass(value, IntEnum) else ""


def _arrays(parts: Any) -> dict[str, Array]:
    return {name: array for part in parts if isinstance(part, Bundle) for name, array in part.__dict__["_arrays"].items()}


def _check(name: str, type: AnyType, value: Any) -> None:
    match type:
        case ArrayType(kind):
            fits = isinstance(value, Array) and value.items.format == FORMATS[kind]
        case BundleType(bundle):
            fits = isinstance(value, bundle)
        case _:
            fits = isinstance(value, int | Record | Run)
    if not fits:
        raise TypeError(f"{name}: {value!r}")


def bundle_layout(bundle: type[Bundle]) -> BundleLayout:
    """The fields of a bundle. Raises `TypeError`."""
    return _bundle_layout(bundle)  # type: ignore[arg-type]


@cache
def _bundle_layout(bundle: type[Bundle]) -> BundleLayout:
    parts: dict[str, AnyType] = {}
    entries: dict[str, tuple[Entry, FieldType]] = {}
    starts: dict[str, tuple[Start, RunType]] = {}
    for name, hint in get_type_hints(bundle, include_extras=True).items():
        match getattr(bundle, name, None):
            case Entry() as word:
                entries[name] = word, field_type(hint)
            case Start() as start:
                kind = field_type(hint)
                assert isinstance(kind, RunType), name
                starts[name] = start, kind
            case _:
                parts[name] = type_of(hint)
    declarations: list[_Declared] = [*(one for one, _ in entries.values()), *(one for one, _ in starts.values())]
    for declared in declarations:
        if not isinstance(parts.get(declared.array), ArrayType):
            raise TypeError(f"{bundle.__name__}.{declared.name}: there is no array {declared.array}")
    heads: Mapping[str, int] = bundle.__dict__["_heads"]
    return BundleLayout(parts, entries, starts, heads)
