"""Records of the compiled subset: bundles of arrays, records in them, runs of elements. See lowering.py.

A *bundle* is a set of arrays and integers that functions are given together. An *entry* is a word at the head of one of its
arrays; it holds a number, or the index where a record or a run begins, in that array or in another one:

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

A *record* is a number of words at an index of an array, its memory. A variable of that class is the index:

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
        needs: Run[int] = inline()                      # elements that follow in the record itself; `inline(4)`: four of them

    class Frame(Record, memory="stack"):
        moves: int

    class Zone(Bundle):                                 # integers alone: may be made anywhere, `Zone(base, length)`
        base: int
        length: int

    class Search(Bundle):
        bound: Bound                                    # nested
        stack: Longs
        frames: Run[Frame] = start_of("stack")          # behind the entries of `stack`, of which there are none

    class Match(Bundle):                                # no array twice: `Board` has an array that `Game` has as well
        game: Game
        board: Annotated[Board, sharing(state="game.state")]

Kernels are functions with such parameters. The lowering replaces a bundle by its arrays and integers, a record by its index:

    def reduce(bound: Bound, active: int) -> int:
        state = bound.cell_state                        # a local name for a run: one load, where a loop would repeat it
        remaining = 0
        for term in bound.active[:active]:              # so many elements, counted before the first turn
            vacant = 0
            for need in term.missing[: term.missing_count]:
                if state[need.cell] == CellState.OPEN:  # a member of an IntEnum
                    vacant += 1
            if vacant <= bound.node.tiles_left:
                bound.active[remaining].copy(term)      # all words of a record
                remaining += 1
        return remaining

`run[n:]` is the run from its n-th element on. Records and runs are compared as indices; `index_of` gives the index, and
`Term.at(bound, index)` and `Term.run_at(bound, index)` the record and the run at one. A parameter `run: Run[int]` whose memory
is not told takes the array along (`Annotated[Run[int], Longs]`: one of longs), so that it serves every array. No array may
reach a function twice. A record parameter lies in the array of that name of a bundle parameter, or of its own name. Arguments
may be named, and a bundle may be made in one: `sum_of(game, Zone(base, length))`, `lay(board=Board(game.state, tables))`.

The classes serve the host as well: `bound = Bound(tables=ints(n), arena=ints(m))` with names checked, `bound.term_count = 3`,
`bound.active[2].worth`; `program.reduce(bound, 7)` calls the machine code, and `reduce(bound, 7)` runs a kernel unlowered, as
its tests do. `TableBuilder` (table_builder.py) fills tables by the names of entries, `Candidate.words(...)` makes a record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Generic, Protocol, Self, TypeVar, get_args, get_origin, get_type_hints, overload

from rulewright.base.records import frozen

from .intrinsics import Ints, Longs, Shared

Element = TypeVar("Element")


# What types of fields, parameters and elements are ---------------------------------------------------


@frozen
class In:
    """In `Annotated`: the name of the array that a run lies in."""

    memory: str


@frozen
class Stride:
    """In `Annotated`: the step to the next element, from an integer of the bundle, or a constant of a lowered kernel."""

    name: str
    times: int = 1
    plus: int = 0


@frozen
class _Reference:
    pass


Ref = Annotated[Element, _Reference()]
"""An element of a run that is the index of a record."""


@frozen
class WordType:
    """An integer, a truth value, a member of an `IntEnum`."""


@frozen
class RecordType:
    """A record, by its index."""

    record: type[Record]


@frozen
class RunType:
    """A run, by the index where it begins. No memory: that of its surroundings; for a parameter, an array of its own."""

    element: FieldType
    by_reference: bool
    stride: Stride | None
    memory: str = ""
    kind: str = "Ints"


WORD = WordType()
KINDS: Mapping[Any, str] = {Ints: "Ints", Longs: "Longs", Shared: "Shared"}
FieldType = WordType | RecordType | RunType
"""What one word holds."""


def field_type(hint: Any) -> FieldType:
    """The type that an annotation says. Raises `TypeError`."""
    if isinstance(hint, type):
        if issubclass(hint, int):
            return WORD
        if issubclass(hint, Record):
            return RecordType(hint)
    marks: Sequence[Any] = ()
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
    if get_origin(hint) is not Run:
        raise TypeError(f"{hint} is not what one word can hold")
    (inner,) = get_args(hint)
    by_reference = get_origin(inner) is Annotated and any(isinstance(mark, _Reference) for mark in get_args(inner))
    element = field_type(get_args(inner)[0] if by_reference else inner)
    stride = next((mark for mark in marks if isinstance(mark, Stride)), None)
    if isinstance(element, RunType) and stride is None:
        raise TypeError(f"{hint}: runs of runs have a stride")
    memory = element.record.memory if isinstance(element, RecordType) and not by_reference else ""
    memory = next((mark.memory for mark in marks if isinstance(mark, In)), memory)
    kind = next((KINDS[mark] for mark in marks if mark in KINDS), "Ints")
    return RunType(element, by_reference, stride, memory, kind)


class Home(Protocol):
    """The arrays that a record or a run lies in, and the integers that tell its stride."""

    def array_named(self, name: str, /) -> Ints: ...

    def integer_named(self, name: str, /) -> int: ...


# Runs and records ------------------------------------------------------------------------------------


class Run(Generic[Element]):
    """Elements of an array one behind the other, from an index on."""

    __slots__ = ("array", "count", "home", "index", "type")

    def __init__(self, home: Home, array: str, type: RunType, index: int, count: int | None = None) -> None:
        self.home, self.array, self.type, self.index, self.count = home, array, type, index, count

    @property
    def stride(self) -> int:
        match self.type:
            case RunType(stride=Stride(name, times, plus)):
                return self.home.integer_named(name) * times + plus
            case RunType(element=RecordType(record), by_reference=False):
                return size_of(record)
            case _:
                return 1

    @overload
    def __getitem__(self, at: int) -> Element: ...
    @overload
    def __getitem__(self, at: slice) -> Run[Element]: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            first = at.start or 0
            count = None if at.stop is None else at.stop - first
            return Run(self.home, self.array, self.type, self.index + first * self.stride, count)
        place = self.index + at * self.stride
        element = self.type.element
        match element:
            case RecordType(record) if not self.type.by_reference:
                return record(self.home, self.array, place)
            case RunType():
                return Run(self.home, self.array, element, place)
            case _:
                return read(self.home, self.array, element, place)

    def __setitem__(self, at: int, value: Element) -> None:
        if self.type.element != WORD and not self.type.by_reference:
            raise TypeError("only integers and references are assigned; a record is copied")
        write(self.home, self.array, self.index + at * self.stride, value)

    def __iter__(self) -> Iterator[Element]:
        if self.count is None:
            raise TypeError("a run without an end")
        return (self[at] for at in range(self.count))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self.index == other.index

    def __hash__(self) -> int:
        return hash(self.index)


class Inline:
    """A run inside of its record; `length` None: at the end."""

    def __init__(self, length: int | None) -> None:
        self.length = length


def inline(length: int | None = None) -> Any:
    """A field of a record: elements that stand in it, so many, or at its end any number."""
    return Inline(length)


@frozen
class Field:
    """A field of a record: its first word. `length` is that of an inline run (0 at the end), else None."""

    name: str
    of: FieldType
    offset: int
    length: int | None

    def __get__(self, record: Record | None, owner: type) -> Any:
        if record is None:
            return self
        place = record.index + self.offset
        if self.length is None:
            return read(record.home, record.array, self.of, place)
        assert isinstance(self.of, RunType)
        return Run(record.home, record.array, self.of, place)

    def __set__(self, record: Record, value: Any) -> None:
        if self.length is not None:
            raise TypeError(f"{self.name} stands in the record itself")
        write(record.home, record.array, record.index + self.offset, value)


class Record:
    """Some words at an index of an array. Subclasses declare the fields, one word each, and the name of the array."""

    __slots__ = ("array", "home", "index")
    memory = ""

    def __init_subclass__(cls, memory: str = "", **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.memory = memory or cls.memory

    def __init__(self, home: Home, array: str, index: int) -> None:
        record_layout(type(self))
        self.home, self.array, self.index = home, array, index

    @classmethod
    def at(cls, home: Home, index: int) -> Self:
        """The record at an index computed by hand."""
        return cls(home, cls.memory, index)

    @classmethod
    def run_at(cls, home: Home, index: int) -> Run[Self]:
        """The records from an index computed by hand on."""
        return Run(home, cls.memory, RunType(RecordType(cls), False, None), index)

    def copy(self, other: Self) -> None:
        """Take over all words of another record but for what stands at its end."""
        words, others = self.home.array_named(self.array), other.home.array_named(other.array)
        for place in range(size_of(type(self))):
            words[self.index + place] = others[other.index + place]

    @classmethod
    def words(cls, **fields: Any) -> list[int]:
        """The words of a record, for a table: every field by name, an inline run as a sequence. Raises `TypeError`."""
        layout = record_layout(cls)
        if fields.keys() != layout.keys():
            raise TypeError(f"{cls.__name__}: {', '.join(sorted(fields.keys() ^ layout.keys()))}")
        found: list[int] = []
        for field in layout.values():
            value = fields[field.name]
            found += [int(value)] if field.length is None else value
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.index == other.index

    def __lt__(self, other: Self) -> bool:
        return self.index < other.index

    def __hash__(self) -> int:
        return hash(self.index)


def record_layout(record: type[Record]) -> Mapping[str, Field]:
    """The fields of a record. Raises `TypeError`."""
    return _record_layout(record)  # type: ignore[arg-type]


@cache
def _record_layout(record: type[Record]) -> Mapping[str, Field]:
    found: dict[str, Field] = {}
    offset = 0
    for name, hint in get_type_hints(record, include_extras=True).items():
        if hasattr(Record, name):
            raise TypeError(f"{record.__name__}.{name}: every record has something of that name")
        kind, value = field_type(hint), getattr(record, name, None)
        length = None
        if isinstance(value, Inline):
            length = value.length or 0
        elif isinstance(value, Field):
            length = value.length
        field = found[name] = Field(name, kind, offset, length)
        setattr(record, name, field)
        offset += 1 if length is None else length
    return MappingProxyType(found)


def size_of(record: type[Record]) -> int:
    """How many words a record takes, without those of an inline run at its end."""
    return sum(1 if field.length is None else field.length for field in record_layout(record).values())


def index_of(value: Record | Run[Any]) -> int:
    """Where a record or a run begins in its array."""
    return value.index


def read(home: Home, array: str, type: FieldType, place: int) -> Any:
    word = home.array_named(array)[place]
    match type:
        case WordType():
            return word
        case RecordType(record):
            return record(home, record.memory, word)
        case RunType():
            return Run(home, type.memory or array, type, word)


def write(home: Home, array: str, place: int, value: Any) -> None:
    home.array_named(array)[place] = value.index if isinstance(value, Record | Run) else value
