"""Records of the compiled subset: bundles of arrays, records in them, runs of elements.

A *bundle* is a set of arrays and integers that functions receive together. An *entry* is a word at the head of one of its
arrays; it holds a number, or the index where a record or a run begins, in that array or in another:

    Cells = Annotated[Run[int], In("arena")]            # a run of integers in the array `arena`

    class Bound(Bundle):
        tables: Ints
        arena: Ints
        term_count: int = entry("tables")               # tables[0]
        kind_of: Run[int] = entry("tables")             # bound.kind_of[tile]: tables[tables[1] + tile]
        cell_state: Cells = entry("tables")             # bound.cell_state[cell]: arena[tables[2] + cell]
        active: Run[Term] = entry("tables")             # bound.active[number].worth: arena[tables[3] + 3 * number + 2]
        node: Node = entry("tables")                    # bound.node.tiles_left: arena[tables[4]]
        sources: Run[Ref[Term]] = entry("tables")       # references: bound.sources[n] is the term at tables[tables[5] + n]
        size: int = entry("tables")
        steps: Annotated[Run[Run[int]], Stride("size", plus=1)] = entry("tables")
                                                        # bound.steps[way][cell]: tables[tables[7] + way * (size + 1) + cell]

A *record* is a block of words at an index of one of a bundle's arrays, its memory. A variable of that class is the index:

    class Need(Record, memory="arena"):
        cell: int
        place: int

    class Term(Record, memory="arena"):
        missing: Run[Need]                              # the index where the needs begin, in the memory of `Need`
        missing_count: int
        worth: int

    class Candidate(Record, memory="tables"):
        worth_by_tile: Run[int]                         # in the same array as the candidate
        kinds: Annotated[Run[int], In("kind_sets")]     # in another one
        best: Term                                      # a reference
        need_count: int
        needs: Run[int] = inline()                      # elements stored in the record itself, at its end

    class Frame(Record, memory="stack"):
        moves: int

    class Zone(Bundle):                                 # only integers: may be made anywhere, `Zone(base, length)`
        base: int
        length: int

    class Search(Bundle, same={"bound.state": "game.state"}):   # the same array under two paths
        game: Game
        bound: Bound                                    # nested
        stack: Longs
        frames: Run[Frame] = start_of("stack")          # after the entries of `stack`, which has none

Kernels are functions with such parameters. Lowering (lowering.py) replaces a bundle by its arrays and integers, a record or a
run by its index:

    def reduce(bound: Bound, active: int) -> int:
        state = bound.cell_state                        # a local name for a run: one load, which a loop would repeat
        remaining = 0
        for term in bound.active[:active]:              # the number of elements is fixed before the first iteration
            vacant = 0
            for need in term.missing[: term.missing_count]:
                if state[need.cell] == CellState.OPEN:  # a member of an IntEnum
                    vacant += 1
            if vacant <= bound.node.tiles_left:
                bound.active[remaining].copy(term)      # all words of a record
                remaining += 1
        return remaining

`run[n:]` is the run from its n-th element on. `index_of` returns the index of a record or a run; `Term(bound, index)` is the
record at an index. A parameter `run: Run[int]` without a memory also passes the array (`Annotated[Run[int], Longs]`: one of
longs), so it accepts every array. A record parameter lies in the array of that name of a bundle parameter. No array may be
passed to a function twice. Results are integers. Arguments may be named, and a bundle may be made in an argument.

The classes are views of arrays: `bound = Bound(tables=ints(n), arena=ints(m))`, `bound.active[2].worth`. The host reads and
writes through them, tests run kernels on them unlowered, and lowering runs them on symbolic arrays (symbols.py), so that an
access means the same everywhere. `program.reduce(bound, 7)` calls the machine code. `TableBuilder` (bundles.py) fills
tables by the names of entries; `Candidate.words(...)` makes a record.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import Annotated, Any, Generic, Self, TypeVar, get_args, get_origin, get_type_hints, overload

from rulewright.base.records import field, frozen

from .intrinsics import Ints, Longs, Shared

Element = TypeVar("Element")


# Types ---------------------------------------------------------------------------------------------


@frozen
class In:
    """In `Annotated`: the name of the array that a run lies in."""

    memory: str


@frozen
class Stride:
    """In `Annotated`: the distance between elements: an integer of the bundle, or a constant of a lowered kernel."""

    name: str
    plus: int = 0


class _Reference:
    pass


Ref = Annotated[Element, _Reference]
"""An element of a run that is the index of a record."""


@frozen
class RunType:
    """A run of integers, records, references or runs. Without a memory it lies in the array that it was read from or, as a
    parameter, in an array of its own of kind `kind`."""

    element: FieldType
    by_reference: bool
    stride: Stride | None
    memory: str = field(eq=False)
    kind: type[Any] = field(eq=False)

    @property
    def is_nested(self) -> bool:
        """Whether the elements themselves are records or runs stored in place."""
        return self.element is not int and not self.by_reference


FieldType = type | RunType
"""The content of a word: `int` (also truth values and members of enumerations), a class of records, or a run."""


def field_type(hint: Any) -> FieldType:
    """The type that an annotation denotes. Raises `TypeError`."""
    if isinstance(hint, type) and issubclass(hint, int | Record):
        return int if issubclass(hint, int) else hint
    run, marks = _unmarked(hint)
    if get_origin(run) is not Run:
        raise TypeError(f"{hint} is not what one word can hold")
    inner, inner_marks = _unmarked(*get_args(run))
    by_reference, element = _Reference in inner_marks, field_type(inner)
    stride = next((mark for mark in marks if isinstance(mark, Stride)), None)
    if isinstance(element, RunType) and stride is None:
        raise TypeError(f"{hint}: runs of runs have a stride")
    memory = getattr(element, "memory", "") if not by_reference else ""
    memory = next((mark.memory for mark in marks if isinstance(mark, In)), memory)
    kind = next((mark for mark in marks if mark in (Ints, Longs, Shared)), Ints)
    return RunType(element, by_reference, stride, memory, kind)


def _unmarked(hint: Any) -> tuple[Any, Sequence[Any]]:
    """A type without `Annotated`, and the marks inside that."""
    if get_origin(hint) is not Annotated:
        return hint, ()
    bare, *marks = get_args(hint)
    return bare, marks


@cache
def hints_of(owner: type) -> Mapping[str, Any]:
    """The evaluated annotations of a class, those of its bases first."""
    return get_type_hints(owner, include_extras=True)


# Views ---------------------------------------------------------------------------------------------


def view(home: Any, type: FieldType, words: Any, word: int) -> Any:
    """The value of a word of the array `words`, or the record or run that begins at that index."""
    if isinstance(type, RunType):
        return Run(home, type, getattr(home, type.memory) if type.memory else words, word)
    return word if type is int else type(home, word)


class Run(Generic[Element]):
    """Consecutive elements of an array, starting at an index. `home` is the bundle whose arrays they refer to."""

    __slots__ = ("count", "home", "index", "type", "words")

    def __init__(self, home: Any, type: RunType, words: Any, index: int, count: int | None = None) -> None:
        self.home, self.type, self.words, self.index, self.count = home, type, words, index, count

    def place(self, at: int) -> int:
        """The index of an element in the array."""
        match self.type:
            case RunType(stride=Stride(name, plus)):
                step: int = self.home.integer_named(name) + plus
                return self.index + at * step
            case RunType(element=record) if self.type.is_nested:
                assert isinstance(record, type)
                return self.index + at * size_of(record)
            case _:
                return self.index + at

    @overload
    def __getitem__(self, at: int) -> Element: ...
    @overload
    def __getitem__(self, at: slice) -> Run[Element]: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            first = 0 if at.start is None else at.start
            return Run(self.home, self.type, self.words, self.place(first), None if at.stop is None else at.stop - first)
        place = self.place(at)
        return view(self.home, self.type.element, self.words, place if self.type.is_nested else self.words[place])

    def __setitem__(self, at: int, value: Element) -> None:
        if self.type.is_nested:
            raise TypeError("only integers and references are assigned; a record is copied")
        self.words[self.place(at)] = word_of(value)

    def __iter__(self) -> Iterator[Element]:
        if self.count is None:
            raise TypeError("a run without an end")
        return (self[at] for at in range(self.count))


class Field:
    """A word of a record, or at the head of an array of a bundle; with `is_inline`, the run that begins there.

    `offset` is the number of words before it. The type is evaluated on demand, after all classes exist.
    """

    owner: type
    name: str
    offset: int

    def __init__(self, array: str, is_inline: bool = False) -> None:
        self.array, self.is_inline = array, is_inline

    @cached_property
    def value_type(self) -> FieldType:
        return field_type(hints_of(self.owner)[self.name])

    def __repr__(self) -> str:
        return f"{self.array}[{self.offset}{':' if self.is_inline else ''}] {self.value_type}"

    def __get__(self, owner: Any, cls: Any = None) -> Any:
        if owner is None:
            return self
        words, place = getattr(owner.home, self.array), owner.index + self.offset
        return view(owner.home, self.value_type, words, place if self.is_inline else words[place])

    def __set__(self, owner: Any, value: Any) -> None:
        if self.is_inline:
            raise TypeError(f"{self.name} is not one word")
        getattr(owner.home, self.array)[owner.index + self.offset] = word_of(value)


class Structure:
    """A class with fields: a record, or a bundle with the words at the heads of its arrays."""

    __slots__ = ()
    fields = MappingProxyType[str, Field]({})

    @classmethod
    def declare(cls, own: Mapping[str, Field]) -> None:
        """Lay out fields after those of the base class. Raises `TypeError` if something follows an inline run."""
        fields = dict(cls.fields)
        for name, made in own.items():
            before = [other for other in fields.values() if other.array == made.array]
            if any(other.is_inline for other in before):
                raise TypeError(f"{cls.__name__}.{name}: nothing follows an inline run")
            made.owner, made.name, made.offset = cls, name, len(before)
            fields[name] = made
        cls.fields = MappingProxyType(fields)


class Record(Structure):
    """Words at an index of an array. Subclasses declare the fields, one word each, and the name of the array."""

    __slots__ = ("home", "index")
    memory = ""

    def __init_subclass__(cls, memory: str) -> None:
        cls.memory = memory
        own = {name: cls.__dict__.get(name) or Field(memory) for name in inspect.get_annotations(cls)}
        taken = sorted(name for name in own if hasattr(Record, name))
        if taken:
            raise TypeError(f"{cls.__name__}: every record has a {taken[0]}")
        for name, made in own.items():
            made.array = memory
            setattr(cls, name, made)
        cls.declare(own)

    def __init__(self, home: Any, index: int) -> None:
        """The record at an index of its memory, an array of the bundle `home`."""
        self.home, self.index = home, index

    def copy(self, other: Self) -> None:
        """Copy all words of another record except inline runs. Raises `TypeError`."""
        if type(other) is not type(self):
            raise TypeError("another type")
        words, others = getattr(self.home, self.memory), getattr(other.home, self.memory)
        for place in range(size_of(type(self))):
            words[self.index + place] = others[other.index + place]

    @classmethod
    def words(cls, **values: Any) -> list[int]:
        """The words of a record, for a table: every field by name, an inline run as a sequence. Raises `TypeError`."""
        if values.keys() != cls.fields.keys():
            raise TypeError(f"{cls.__name__}: {', '.join(sorted(values.keys() ^ cls.fields.keys()))}")
        found: list[int] = []
        for name, known in cls.fields.items():
            found += values[name] if known.is_inline else [int(values[name])]
        return found


def inline() -> Any:
    """A field for elements stored at the end of a record."""
    return Field("", is_inline=True)


def size_of(record: type[Structure], array: str = "") -> int:
    """The words of a record without an inline run, or the entries that a bundle has in an array."""
    return sum(not known.is_inline and array in ("", known.array) for known in record.fields.values())


def index_of(value: Record | Run[Any]) -> int:
    """The index where a record or a run begins in its array."""
    return value.index


def word_of(value: Any) -> int:
    """The word that stands for a value."""
    return value.index if isinstance(value, Record | Run) else value
