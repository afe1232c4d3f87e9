"""Records: kernels unlowered, lowered as plain Python and as machine code come to the same; what is refused, and where."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from types import ModuleType
from typing import Annotated

import pytest
from wasm_target import as_wasm

from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.bundles import Bundle, TableBuilder, described, entry, flattened, parts_of
from rulewright.subset.intrinsics import Ints
from rulewright.subset.lowering import Source, lower
from rulewright.subset.program import Program, as_baseline_code, as_machine_code, as_python
from rulewright.subset.records import In, Record, Run, index_of, inline, size_of
from rulewright.subset.refusal import CannotCompile, NotInSubset
from rulewright.subset.to_llvm import parameters
from tests.subset import records_kernels as k

ENTRIES = (
    "first_open",
    "lay_in_match",
    "largest_everywhere",
    "look",
    "reduce",
    "search",
    "shorten",
    "vacant",
    "write_moves",
    "zones",
)


def source_of(module: ModuleType) -> Source:
    return Source(inspect.getsource(module), vars(module))


@pytest.fixture(scope="module", params=["python", "machine", "wasm"])
def program(request: pytest.FixtureRequest) -> Iterator[Program]:
    with as_wasm() if request.param == "wasm" else nullcontext():
        yield (as_python if request.param == "python" else as_machine_code)([source_of(k)], ENTRIES)


def filled(rng: random.Random) -> k.Search:
    """A position with all tables, where every index stays inside."""
    size, terms, needs = 6, 4, 3
    game = k.Game(state=ints(40).fill([rng.randrange(9) for _ in range(40)]))
    bound = k.Searched(state=game.state, tables=ints(200), arena=ints(200), kind_sets=longs(20))
    for word in range(20):
        bound.kind_sets[word] = rng.getrandbits(60) - (1 << 59)
    at = size_of(k.Searched, "tables")
    bound.size, bound.deepest = size, rng.randrange(100)
    for name, length in (("kind_of", size), ("sources", terms), ("candidates", 2), ("steps", 3 * (size + 1))):
        bound.tables[getattr(k.Bound, name).offset] = at
        for place in range(at, at + length):
            bound.tables[place] = rng.randrange(50)
        at += length
    room = 0
    lengths = (
        ("cell_state", size),
        ("active", size_of(k.Term) * terms),
        ("node", size_of(k.Node)),
        ("moves", 3 * (k.WIDTH + 1)),
        ("needs", size_of(k.Need) * needs * terms),
    )
    for name, length in lengths:
        bound.tables[getattr(k.Bound, name).offset] = room
        room += length
    bound.tables[k.Bound.laid.offset] = 5  # type: ignore[attr-defined]
    for cell in range(size):
        bound.cell_state[cell] = rng.randrange(3)
    for number in range(terms):
        term = bound.active[number]
        term.missing_count, term.worth = rng.randrange(1, needs + 1), rng.randrange(9)
        term.missing = bound.needs[needs * number :]
        term.next = bound.active[rng.randrange(terms)]
        for need in term.missing[: term.missing_count]:
            need.cell, need.place = rng.randrange(size), rng.randrange(9)
    for number in range(2):
        words = k.Candidate.words(
            worth_by_tile=at, first=rng.randrange(9), second=0, kinds=rng.randrange(8),
            term=index_of(bound.active[rng.randrange(2)]), need_count=3, needs=[rng.randrange(size) for _ in range(3)],
        )  # fmt: skip
        bound.candidates[number] = k.Candidate(bound, at + 3)
        for place, word in enumerate([*(rng.randrange(9) for _ in range(3)), *words]):
            bound.tables[at + place] = word
        at += 3 + len(words)
    search = k.Search(game=game, bound=bound, stack=longs(40), shared=longs(2))
    search.best = rng.randrange(8)
    return search


CALLS: dict[str, Callable[[random.Random, k.Search], tuple[object, ...]]] = {
    "vacant": lambda rng, search: (search.bound, search.bound.active[rng.randrange(4)]),
    "reduce": lambda rng, search: (search.bound, rng.randrange(1, 5)),
    "shorten": lambda rng, search: (search.bound, rng.randrange(4)),
    "look": lambda rng, search: (search.bound, rng.randrange(2), rng.randrange(3)),
    "largest_everywhere": lambda rng, search: (search.bound, rng.randrange(1, 6)),
    "first_open": lambda rng, search: (search.bound, rng.randrange(1, 5)),
    "zones": lambda rng, search: (search.game, rng.randrange(9), rng.randrange(9)),
    "search": lambda rng, search: (search, rng.randrange(1, 7)),
}


@pytest.mark.parametrize("name", CALLS)
def test_lowered_kernels_do_what_they_say(program: Program, name: str) -> None:
    """Held against the kernel run as it is written, on views of the same arrays: results, and every word of every array."""
    results = set()
    for seed in range(60):
        ways = []
        for way in (getattr(program, name), getattr(k, name)):
            rng = random.Random(seed)
            search = filled(rng)
            result = int(way(*CALLS[name](rng, search)))
            ways.append((result, [list(part.items) for part in flattened(search) if isinstance(part, Array)]))
        assert ways[0] == ways[1]
        results.add(ways[0][0])
    assert len(results) > 1


def test_a_stride_may_be_a_constant(program: Program) -> None:
    search = filled(random.Random(1))
    first = search.bound.tables[k.Bound.moves.offset]  # type: ignore[attr-defined]
    for number in range(3):
        program.write_moves(search.bound, number)
        row = first + (k.WIDTH + 1) * number
        assert list(search.bound.arena.items[row : row + 3]) == [number, number + 1, number + 2]  # type: ignore[attr-defined]


def match_of(rng: random.Random) -> k.Match:
    builder = TableBuilder(k.Board)
    builder.put(count=rng.randrange(9), cells=rng.randrange(5))
    builder.add("tables", [rng.randrange(9)])
    state = ints(20).fill([rng.randrange(9) for _ in range(20)])
    return k.Match(game=k.Game(state), board=k.Board(state, builder.array("tables")))


def test_bundles_may_share_an_array(program: Program) -> None:
    for seed in range(20):
        one, other = match_of(random.Random(seed)), match_of(random.Random(seed))
        assert program.lay_in_match(one, 3) == k.lay_in_match(other, 3)
        assert list(one.game.state.items) == list(other.game.state.items)  # type: ignore[attr-defined]
    assert len(flattened(one)) == 2
    with pytest.raises(TypeError, match=r"game\.state"):
        k.Match(game=k.Game(ints(20)), board=one.board)


def test_tables_are_built_by_the_names_of_entries() -> None:
    builder = TableBuilder(k.Bound)
    heads = size_of(k.Bound, "tables")
    builder.put(kind_of=[5, (6, 7)], sources=[1], size=3)
    assert builder.get("kind_of") == heads
    builder.reserve(active=12, node=2)
    assert builder.room["arena"] == 14
    with pytest.raises(TypeError, match="cell_state, candidates, steps, laid, moves, needs"):
        builder.array("tables")
    tables = builder.array("tables", complete=False)
    bound = k.Bound(state=ints(1), tables=tables, arena=ints(14), kind_sets=longs(1))
    assert [bound.kind_of[at] for at in range(3)] == [5, 6, 7]
    assert bound.sources[0].index == 1 and bound.active.index == 0 and bound.node.index == 12 and bound.size == 3
    for wrong in (lambda: builder.put(point=1), lambda: builder.put(size=[1]), lambda: builder.reserve(size=1)):
        with pytest.raises(TypeError):
            wrong()


def test_parameters_expand_to_arrays_and_integers() -> None:
    functions = lower([source_of(k)], ENTRIES)
    found = dict(parameters(functions["search"].node))
    assert found == {
        "search.game.state": "Ints", "search.bound.tables": "Ints", "search.bound.arena": "Ints",
        "search.bound.kind_sets": "Longs", "search.stack": "Longs", "search.shared": "Shared", "depth": "int",
    }  # fmt: skip
    assert dict(parameters(functions["sum_of"].node)) == {"game.state": "Ints", "zone.base": "int", "zone.length": "int"}
    assert dict(parameters(functions["largest"].node)) == {"run.array": "Ints", "run": "int", "count": "int"}
    assert "largest_word" not in functions


BAD = {
    "unknown field": ("def f(bound: Bound) -> int:\n    return bound.active[0].worht\n", 2, "Term has no worht"),
    "the view itself": ("def f(bound: Bound) -> None:\n    bound.node.index = 3\n", 2, "Node has no index"),
    "unknown entry": ("def f(bound: Bound) -> int:\n    return bound.nodes\n", 2, "Bound has no nodes"),
    "two types": ("def f(bound: Bound) -> int:\n    at = 0\n    at = bound.node\n    return 0\n", 3, "at has another type"),
    "two records": ("def f(bound: Bound) -> int:\n    a = bound.node\n    a = bound.active[0]\n", 3, "another type"),
    "a record for an integer": ("def f(bound: Bound) -> int:\n    return bound.node + 1\n", 2, "no integer"),
    "the truth of a record": ("def f(bound: Bound) -> int:\n    if bound.node:\n        return 1\n", 2, "no integer"),
    "another record passed": (
        "def g(bound: Bound, term: Term) -> int:\n    return term.worth\n"
        "def f(bound: Bound) -> int:\n    return g(bound, bound.node)\n", 2, "another type"),
    "a run in another array": (
        "def g(bound: Bound, cells: Cells) -> int:\n    return cells[0]\n"
        "def f(bound: Bound) -> int:\n    return g(bound, bound.kind_of)\n", 2, "in another array"),
    "two functions of one name": (
        "def g(n: int) -> int:\n    return n\ndef f(n: int) -> int:\n    return g(n)\n"
        "def g(n: int) -> int:\n    return 1\n", 1, "g: there are two functions of that name"),
    "another bundle passed": (
        "def g(game: Game) -> int:\n    return game.point\n"
        "def f(bound: Bound) -> int:\n    return g(bound)\n", 2, "another type"),
    "an array passed twice": (
        "def g(one: Ints, two: Ints) -> int:\n    return one[0]\n"
        "def f(bound: Bound) -> int:\n    return g(bound.arena, bound.arena)\n", 2, "passed twice"),
    "an array and a run in it": (
        "def g(bound: Bound, run: Run[int]) -> int:\n    return run[0]\n"
        "def f(bound: Bound) -> int:\n    return g(bound, bound.cell_state)\n", 2, "passed twice"),
    "too few arguments": (
        "def g(bound: Bound, n: int) -> int:\n    return n\n"
        "def f(bound: Bound) -> int:\n    return g(bound)\n", 2, "2 arguments"),
    "a record copied from another": ("def f(bound: Bound) -> None:\n    bound.node.copy(bound.active[0])\n", 2, "another type"),
    "a record assigned": ("def f(bound: Bound) -> None:\n    bound.active[1] = bound.active[0]\n", 2, "not to be assigned"),
    "an inline run assigned": (
        "def f(bound: Bound) -> None:\n    bound.candidates[0].needs = bound.kind_of\n", 2, "not to be assigned"),
    "no array for a record": ("def f(term: Term) -> int:\n    return term.worth\n", 1, "there is no array `arena`"),
    "two arrays for a record": (
        "def f(one: Bound, two: Bound, term: Term) -> int:\n    return term.worth\n", 1, "which is the array `arena`"),
    "a record returned": ("def f(bound: Bound) -> int:\n    return bound.node\n", 2, "no integer"),
    "an unknown annotation": ("def f(bound: Bund) -> int:\n    return 0\n", 1, "Bund"),
    "records compared": ("def f(bound: Bound) -> bool:\n    return bound.node == bound.node\n", 2, "no integer"),
    "a bundle named twice": (
        "def f(n: int) -> int:\n    z = Zone(n, n)\n    z = Zone(z.length, z.base)\n    return z.base\n", 3, "only once"),
    "a run without an end": (
        "def f(bound: Bound) -> int:\n    for term in bound.active:\n        return 1\n    return 0\n", 2, "for term"),
    "a part assigned": ("def f(bound: Bound) -> None:\n    bound.arena = bound.arena\n", 2, "not to be assigned"),
    "nothing used": (
        "def g(bound: Bound) -> None:\n    bound.size = 1\ndef f(bound: Bound) -> int:\n    return g(bound)\n", 2, "no value"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused_is_told_with_its_place(name: str) -> None:
    """Lines are counted from the first of the function."""
    text, line, why = BAD[name]
    with pytest.raises(NotInSubset) as refused:
        lower([Source(text, vars(k))], ["f"])
    assert f"f, line {line}: " in str(refused.value) or why.startswith("g: ")
    assert why in str(refused.value)


def test_a_maximum_is_of_two() -> None:
    """LLVM has no other; handed to it, a third operand would crash it."""
    with pytest.raises(NotInSubset, match="f, line 2: max"):
        as_baseline_code((Source("def f(n: int) -> int:\n    return max(n, 1, 2)\n", {}),), ("f",))


class Odd(Bundle):
    tables: Ints
    count: int = entry("tables")
    elsewhere: int = entry("table")


class Indexed(Bundle):
    index: int  # type: ignore[assignment]


class Loose(Record, memory="tables"):
    rows: Run[Run[int]]


def taken() -> None:
    class Taken(Record, memory="tables"):
        copy: int  # type: ignore[assignment]


def followed() -> None:
    class Followed(Record, memory="tables"):
        cells: Run[int] = inline()
        count: int


@pytest.mark.parametrize("wrong", [lambda: parts_of(Odd), lambda: parts_of(Indexed), lambda: described(Loose), taken, followed])
def test_wrong_declarations_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_a_bundle_is_made_with_all_its_parts() -> None:
    array, words = ints(3), longs(3)
    with pytest.raises(TypeError, match="state"):
        k.Game()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="tables"):
        k.Game(state=array, tables=array)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Game\.state"):
        k.Game(state=words)
    with pytest.raises(TypeError):
        k.Candidate.words(needs=[])
    game = k.Game(array)
    with pytest.raises(AttributeError):
        game.state = array
    with pytest.raises(AttributeError):
        game.pont = 1  # type: ignore[attr-defined]


def test_a_program_counts_its_arguments(program: Program) -> None:
    search = filled(random.Random(1))
    with pytest.raises(TypeError):
        program.vacant(search.bound)
    with pytest.raises(TypeError):
        program.zones(search.bound, 0, 0)


def test_an_entry_of_a_derived_bundle_follows_those_of_the_base() -> None:
    assert k.Searched.deepest.offset == size_of(k.Bound, "tables")  # type: ignore[attr-defined]
    assert k.Searched.size is k.Bound.size


def test_all_of_a_class_tells_kept_code_apart() -> None:
    class One(Record, memory="tables"):
        a: int
        b: Annotated[Run[int], In("tables")] = inline()

    class Other(Record, memory="tables"):
        a: int
        b: Annotated[Run[int], In("arena")] = inline()

    texts = {described(one).partition(" ")[2] for one in (One, Other, k.Bound, k.Searched, k.State)}
    assert len(texts) == 5
    assert described(3) == described(Callable) == ""


@pytest.mark.parametrize("order", ["one: int, other: int", "other: int, one: int"])
def test_what_is_lowered_is_shared_only_where_calls_have_the_same_form(order: str) -> None:
    """The caller's text is the same in both programs, but not where its arguments go."""
    caller = "def f(one: int, other: int) -> int:\n    return g(one=one, other=other)\n"
    program = as_python((Source(f"def g({order}) -> int:\n    return one - other\n\n\n{caller}", {}),), ("f",))
    assert program.f(5, 3) == 2


def test_a_number_that_does_not_fit_is_refused() -> None:
    assert list(ints(2).fill([-(1 << 31), (1 << 31) - 1]).items) == [-(1 << 31), (1 << 31) - 1]
    with pytest.raises(CannotCompile):
        ints(2).fill([0, 1 << 31])
