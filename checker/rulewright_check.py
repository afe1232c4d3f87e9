"""Check a certificate: that the answer of a puzzle follows from its rules.

    python rulewright_check.py CERTIFICATE [--core CORE.json]

It needs only Python 3.11, and shares no code with what writes certificates. Two pages define it, *The core* (rules as JSON) and
*Certificates*. Rules, perhaps of a stranger, become Python code, into which only numbers and names made here get.
"""

from __future__ import annotations

import argparse
import gzip
import json
import operator
import re
import sys
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial, reduce
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from heapq import nlargest
from itertools import count
from math import lcm
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn, cast

CORE_SCHEMA, CERTIFICATE_SCHEMA = "rulewright/core/1", "rulewright/certificate/1"
LONGEST_LINE, LONGEST_DOCUMENT = 1 << 12, 1 << 26  # in bytes; header and core are documents
LONGEST_EXPRESSION = 160  # characters: what is longer becomes a function, so that no generated line is deeply nested
LARGEST_SET, LARGEST_NUMBER, MOST_FUNCTIONS, MOST_OUTCOMES = 1 << 20, 1 << 4096, 20_000, 1 << 20
MOST_GUESSED, MOST_PATHS = 1 << 6, 1 << 13

Json = Any
Move = tuple[int, ...]
State = tuple[Any, ...]
"""The node of the flow, the seed (or less than 0), the clock of own turns (else None), then a row for each variable: its values
by index, or one alone. While it changes, a state is a list."""
NODE, SEED, CLOCK, FIRST_VARIABLE, NO_SEED, ANY_STATE = 0, 1, 2, 3, -1, -2
Number = int | Fraction | float
INFINITE = float("inf")


# 1. What can go wrong --------------------------------------------------------------------------------
class Unreadable(Exception):
    """The file is no certificate of this version, or too large for the memory allowed."""


class Refused(Exception):
    """The certificate does not prove its claim."""


class Fault(Exception):
    """The rules contradict themselves in a state."""


def expect(holds: Any, problem: str, error: type[Exception] = Unreadable) -> None:
    if not holds:
        raise error(problem)


demand = partial(expect, error=Refused)


# 2. Reading ------------------------------------------------------------------------------------------
class Lines:
    """The lines of a gzip file, one at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.number = stream, 0

    def next(self, longest: int = LONGEST_LINE) -> str:
        """The next line, without its end. Raises `Refused` if there is none."""
        self.number += 1
        line = self.stream.readline(longest).decode("latin-1")
        expect(len(line) < longest or line[-1] == "\n", f"line {self.number} has more than {longest} bytes")
        demand(line.endswith("\n"), f"line {self.number}: the file ends too early")
        return line[:-1]


def read_json(text: str, place: str) -> Json:
    """A JSON value without a key given twice. Raises `Unreadable`."""

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        expect(len(dict(pairs)) == len(pairs), f"{place}: an object has a key twice")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"{place}: {problem}") from None


def shown(value: Json) -> str:
    """A part of the document for a message: short, and without characters that a terminal obeys."""
    return text if len(text := json.dumps(value, default=str)) <= 120 else text[:117] + "..."


ANY = object()
CONDITIONS = [{"name": ANY, "condition": ANY}]
ACTION = {"name": ANY, "parameters": [{"name": ANY, "domain": ANY, "where": ANY}], "requirements": CONDITIONS, "effects": list,
          "afterwards": CONDITIONS}  # fmt: skip
SPACE = {"size": int, "step": str, "opposite": str, "clockwise": str, "around": [int], "straight": bool, "wrapped": bool}
QUESTION = {
    "goal": {"maximise", "minimise", "reach", "count best", "win", "least"}, "values": list, "threshold": (int,), "until": ANY,
    "cost": ({"moves", "turns", "values"},), "others": {"together", "with their plans given", "against best play"},
    "player": (int,), "in_expectation": bool, "counts_plans": bool, "own_turns": (int,),
}  # fmt: skip
CORE = {
    "schema": str, "rules": ANY, "texts": ANY, "digest": str, "players": ANY,
    "variables": [{"name": str, "storage": {"value", "set", "pile"}, "index": ([int],), "values": [int], "none": int}],
    "maps": {str: {"keys": int, "entries": list, "none": int}}, "rows": {str: [[int]]}, "spaces": {str: SPACE},
    "definitions": {str: {"parameters": int, "body": ANY}}, "actions": [ACTION], "flow": [list], "most": int, "scores": ANY,
    "start": {"node": int, "seed": int, "values": {str: list}}, "question": QUESTION,
}  # fmt: skip
HEADER = {
    "schema": str, "puzzle": ANY, "core": str, "claim": {"status": str, "value": ANY, "count": (int,)}, "plan": ([[int]],),
    "estimates": list, "parts": [{"kind": str, "states": int}],
}  # fmt: skip
TABLES = {"most": int, "tables": {str: [[int]]}}
"""Shapes: a type; {text, text} for one of these; [shape] for a list; {str: shape} for an object of any names, {name: shape} for
one of exactly these; (shape,) for what may be null."""


def check_shape(value: Any, shape: Any, place: str) -> None:
    """Raises `Unreadable` if a value does not have a shape."""
    if shape is ANY or (isinstance(shape, tuple) and value is None):
        return
    shape = shape[0] if isinstance(shape, tuple) else shape
    kind: type = shape if isinstance(shape, type) else str if isinstance(shape, set) else type(shape)
    fits = type(value) is kind and not (isinstance(shape, set) and value not in shape)
    expect(fits, f"{place}: {shown(value)} is not {kind.__name__} {sorted(shape) if isinstance(shape, set) else ''}")
    if isinstance(shape, list):
        for one in value:
            check_shape(one, shape[0], place)
    elif isinstance(shape, dict):
        is_whole = str in shape or value.keys() == shape.keys()
        expect(is_whole, f"{place}: {shown(value)} has not exactly the fields {shown([*shape])}")
        for name, one in value.items():
            check_shape(one, shape.get(name, shape.get(str)), f"{place}: {shown(name)}")


def digest_of(core: dict[str, Json]) -> str:
    """The digest that the core's page defines."""
    counted = {name: value for name, value in core.items() if name not in ("schema", "rules", "texts", "digest")}
    return sha256(json.dumps(counted, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# 3. Functions that rules apply -----------------------------------------------------------------------
def fault(reason: str = "the rules give a value no meaning here") -> NoReturn:
    raise Fault(reason)


def times(one: int, other: int) -> int:
    product = one * other
    return product if -LARGEST_NUMBER < product < LARGEST_NUMBER else fault("a number has more than 4096 bits")


def divided(one: int, other: int, is_rest: bool) -> int:
    return 0 if not other else one % other if is_rest else one // other


def at(table: Sequence[Any], place: int, none: Any, size: int | None = None) -> Any:
    """An entry of a table, or what stands for one outside of it."""
    return table[place] if 0 <= place < (len(table) if size is None else size) else none


def bounded(several: Any) -> Any:
    return several if len(several) <= LARGEST_SET else fault(f"a set has more than {LARGEST_SET} elements")


def interval(first: int, last: int) -> range:
    return bounded(range(first, min(last, first + LARGEST_SET) + 1))  # type: ignore[no-any-return]


def closure(start: int, step: Callable[[int], Iterable[int]]) -> list[int]:
    found, held = [start], {start}
    for element in found:
        found += (new := [one for one in dict.fromkeys(step(element)) if one not in held])
        held.update(new)
        bounded(found)
    return found


class Space:
    """The functions of a space. A cell or direction that is not in the tables is taken as nowhere, or as none."""

    def __init__(self, value: Json, maps: dict[str, Json]) -> None:
        names = ("step", "opposite", "clockwise")
        self.step, self.opposite, self.clockwise = (maps.get(value[one], {"entries": None})["entries"] for one in names)
        check_shape([self.step, [self.opposite, self.clockwise]], [[[int]]], "core: the maps of a space")
        self.size, self.around, self.straight, self.wrapped = map(value.get, ("size", "around", "straight", "wrapped"))
        functions = (self.distance, self.line, self.toward, self.leap, self.turn)
        self.functions = {one.__name__: lru_cache(maxsize=1 << 18)(one) for one in functions}

    def after(self, cell: int, way: int) -> int:
        return at(at(self.step, way, ()), cell, self.size)  # type: ignore[no-any-return]

    def distance(self, start: int, goal: int) -> int:
        rings = [{start} if 0 <= start < self.size else set()]
        while rings[-1] and goal not in rings[-1]:
            after = {self.after(cell, way) for cell in rings[-1] for way in self.around}
            rings.append(after.difference({self.size}, *rings))
        return len(rings) - 1 if rings[-1] else -1

    def line(self, start: int, way: int) -> tuple[int, ...]:
        _, *cells = closure(start, lambda cell: [self.after(cell, way)] if self.straight or cell == start else [])
        if self.size in cells:
            return tuple(cells[: cells.index(self.size)])
        is_ended = not self.straight or self.after([start, *cells][-1], way) == start
        return tuple(cells) if is_ended else fault(f"the line from cell {start} in direction {way} has no end")

    def toward(self, start: int, goal: int) -> int:
        lines = ((self.line(start, way), way) for way in range(len(self.step)))
        return min(((line.index(goal), way) for line, way in lines if goal in line), default=(0, -1))[1]

    def leap(self, start: int, way: int, steps: int) -> int:
        if way == -1:
            return start if steps == 0 else self.size
        if steps < 0:
            return self.leap(start, at(self.opposite, way, -1), -steps)
        times = steps % self.size if self.wrapped else min(steps, self.size)
        return reduce(lambda cell, _: self.after(cell, way), range(times), start)

    def turn(self, way: int, times: int) -> int:
        circle = closure(way, lambda one: [at(self.clockwise, one, -1)])
        if -1 in circle:
            return -1
        return circle[times % len(circle)] if self.clockwise[circle[-1]] == way else fault("turning does not come back")


class Chance:
    """Draws and shuffles by the seed of a state; without one they turn out as `script` says, of as many ways as `sizes`."""

    def __init__(self) -> None:
        self.script, self.sizes, self.probability = list[int](), list[int](), Fraction(1)

    def choose(self, several: Sequence[Any]) -> Any:
        """One of several, by the script."""
        self.script += [0] * (len(self.sizes) == len(self.script))
        self.sizes.append(len(several) or fault())
        return several[self.script[len(self.sizes) - 1]]

    def each(self, now: Sequence[Any], several: Sequence[int]) -> Iterable[int]:
        """The elements, each once; one alone, by the script, of what is only known by guesses."""
        return [self.choose(several)] if now[SEED] == ANY_STATE else dict.fromkeys(several)

    def scripts(self, what: str, most: int = MOST_PATHS) -> Iterator[None]:
        """Go through all outcomes, in order. Raises `Refused` if there are too many."""
        for _ in range(most):
            yield
            while self.script and self.script[-1] + 1 == self.sizes[len(self.script) - 1]:
                self.script.pop()
            self.sizes, self.probability = [], Fraction(1)
            if not self.script:
                return
            self.script[-1] += 1
        raise Refused(f"{what}: more than {most} outcomes, or ways to guess")

    def below(self, now: list[Any], count: int) -> int:
        """A number by the seed, which goes on."""
        now[SEED] = mixed = (now[SEED] + 0x9E3779B97F4A7C15) % (1 << 64)
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % (1 << 64)
        return int(mixed ^ mixed >> 31) % count

    def draw(self, now: list[Any], elements: Sequence[int], order: Sequence[int] = ()) -> int:
        copies = Counter(elements or fault("a random element of a set without elements"))
        if now[SEED] >= 0 or len(copies) == 1:
            return elements[self.below(now, len(elements)) if len(elements) > 1 and now[SEED] >= 0 else 0]
        chosen: int = self.choose([one for one in dict.fromkeys(order or elements) if one in copies])
        self.probability *= Fraction(copies[chosen], len(elements))
        return chosen

    def shuffle(self, now: list[Any], zone: tuple[int, ...]) -> tuple[int, ...]:
        left, order = list(zone), list[int]()
        while now[SEED] < 0 and len(set(left)) > 1:
            order.append(self.draw(now, left, zone))
            left.remove(order[-1])
        for last in range(len(left) - 1 if now[SEED] >= 0 else 0, 0, -1):
            other = self.below(now, last + 1)
            left[last], left[other] = left[other], left[last]
        return (*order, *left)


class Some:
    """A number of which only some values are possible (None: any). What is asked of it is guessed, and then known. `left`
    counts the values that the numbers of its row have besides the known ones; None if they may have any."""

    def __init__(self, chance: Chance, values: Sequence[int] | None = None, left: Counter[int] | None = None) -> None:
        self.chance, self.values, self.left = chance, values, left

    def possible(self) -> Sequence[int] | None:
        return [one for one in self.values if self.left[one] > 0] if self.values and self.left else self.values

    def ask(self, test: Callable[[int], Any] = bool) -> bool:
        possible = self.possible()
        if possible is None:
            return bool(self.chance.choose((False, True)))
        split = [one for one in possible if not test(one)], [one for one in possible if test(one)]
        answer = bool(self.chance.choose((False, True)) if all(split) else split[1])
        self.values = split[answer] or fault()
        if self.left is not None and len(self.values) == 1:
            self.left[self.values[0]] -= 1
            self.left = None
        return answer

    def refuse(self, *_: Any) -> NoReturn:
        raise Refused("estimates: a move, or the goal, rests on what can be anything")

    def __index__(self) -> int:
        return next(one for one in self.values or self.refuse() if self.ask(one.__eq__))

    def __hash__(self) -> int:
        return hash(self.__index__())

    __bool__ = ask
    __iter__ = __contains__ = __getitem__ = __len__ = refuse


def on_some(sign: Callable[[Any, Any], Any], is_test: bool, is_turned: bool) -> Any:
    """An operator as a method of `Some`."""

    def method(self: Some, other: Any) -> Any:
        if self.values is None or getattr(other, "values", ()) is None:
            return Some(self.chance).ask() if is_test else Some(self.chance)
        known = operator.index(other)
        if is_test:
            return self.ask(lambda one: sign(one, known))
        return sign(known, operator.index(self)) if is_turned else sign(operator.index(self), known)

    return method


SIGNS = [side + sign for side in ("", "r") for sign in ("add", "sub", "mul", "floordiv", "mod")]
for word in ("lt", "le", "eq", "ne", "gt", "ge", *SIGNS):
    is_turned, is_test = not hasattr(operator, word), len(word) == 2
    setattr(Some, f"__{word}__", on_some(getattr(operator, word[is_turned:]), is_test, is_turned))


# 4. States, and the variables that effects change ---------------------------------------------------
class Variable:
    """A variable. Its row in a state is bytes if its numbers fit, else a tuple, as of zones."""

    def __init__(self, slot: int, value: Json) -> None:
        self.slot, self.name, self.storage, self.none = slot, value["name"], value["storage"], value["none"]
        self.has_index, self.is_zone = value["index"] is not None, self.storage != "value"
        bounds = value["values"], value["index"] or [0, 0]
        expect([*map(len, bounds)] == [2, 2], f"core: {shown(value)} is not a variable")
        (self.least, self.greatest), (self.first, last) = bounds
        self.count = last - self.first + 1
        expect(0 < self.count <= LARGEST_SET, f"core: the index of {shown(self.name)} is {shown(value['index'])}")
        self.row: Any = bytes if not self.is_zone and self.least >= 0 and self.greatest < 256 else tuple

    def read_start(self, entries: list[Json]) -> Any:
        """The value in a state. Raises `Unreadable`, or `Fault` if a number is out of bounds."""
        check_shape(entries, [[int] if self.is_zone else int], f"core: start of {shown(self.name)}")
        for entry in entries:
            self.check(*(entry if self.is_zone else (entry,)))
        is_ordered = self.storage != "set" or all(entry == sorted(entry) for entry in entries)
        expect(len(entries) == self.count and is_ordered, f"core: start of {shown(self.name)}: not {self.count} in order")
        return self.row(map(tuple, entries) if self.is_zone else entries)

    def check(self, *values: int) -> None:
        if not all(self.least <= value <= self.greatest for value in values):
            raise Fault(f"a value of {shown(self.name)} is not from {self.least} to {self.greatest}")


class Place(NamedTuple):
    """What an effect changes; without an index, that is 0."""

    variable: Variable
    number: int
    bottom: bool

    def get(self, now: list[Any]) -> Any:
        variable, place = self.variable, self.number - self.variable.first
        if not 0 <= place < variable.count:
            raise Fault(f"{shown(variable.name)} is changed outside of its index")
        return now[variable.slot][place]

    def put(self, now: list[Any], value: Any) -> None:
        row, place = now[self.variable.slot], self.number - self.variable.first
        now[self.variable.slot] = row[:place] + type(row)((value,)) + row[place + 1 :]

    def take(self, now: list[Any], tile: int) -> None:
        held, is_zone = self.get(now), self.variable.is_zone
        if tile not in held if is_zone else tile <= 0 or held != tile:
            raise Fault(f"tile {tile} is not in {shown(self.variable.name)}")
        place = 0 if not is_zone else len(held) - 1 - held[::-1].index(tile) if self.bottom else held.index(tile)
        self.put(now, held[:place] + held[place + 1 :] if is_zone else 0)

    def add(self, now: list[Any], tile: int) -> None:
        held = self.get(now)
        self.variable.check(tile)
        if self.variable.is_zone:
            tiles = (*held, tile) if self.bottom else (tile, *held)
            self.put(now, tuple(sorted(tiles)) if self.variable.storage == "set" else tiles)
        elif held == 0:
            self.put(now, tile)
        else:
            raise Fault(f"a tile is there already on {shown(self.variable.name)}")

    def write(self, now: list[Any], value: int) -> None:
        self.get(now)
        self.variable.check(value)
        self.put(now, value)

    def transfer(self, now: list[Any], goal: Place, tile: int) -> None:
        self.take(now, tile)
        goal.add(now, tile)

    def deal(self, now: list[Any], goal: Place, count: int) -> None:
        held = self.get(now)[:: -1 if self.bottom else 1]
        count = max(0, min(count, len(held)))
        self.put(now, held[count:][:: -1 if self.bottom else 1])
        for tile in held[:count]:
            goal.add(now, tile)

    def shuffle(self, now: list[Any], chance: Chance) -> None:
        tiles = chance.shuffle(now, self.get(now))
        self.put(now, tuple(sorted(tiles)) if self.variable.storage == "set" else tiles)


# 5. From terms and effects to Python -----------------------------------------------------------------
class Code(NamedTuple):
    """A term as a Python expression without side effects."""

    text: str
    is_set: bool = False


Environment = tuple[Code, ...]
EXTREMES = (("least", "min"), ("greatest", "max"))
PYTHON = {
    **{f"compare {sign}": f"number nn ({{}} {sign} {{}})" for sign in ("!=", "<", "<=", ">", ">=")},
    "compare =": "number nn ({} == {})",
    **{f"arithmetic {sign}": f"number nn ({{}} {sign} {{}})" for sign in "+-"},
    "arithmetic *": "number nn times({}, {})",
    **{f"arithmetic {word}": f"number nn divided({{}}, {{}}, {word == 'mod'})" for word in ("div", "mod")},
    "not": "number n (1 - {})",
    "in": "number ns ({} in {})",
    "interval": "set nn interval({}, {})",
    "join": "set ss bounded((*{}, *{}))",
    "fault": "number - fault()",
    "top": "number s at({}[{part}], 0, 0)",
    "lookup 1": "number n {table}.get({}, {none})",
    "lookup 2": "number nn {table}.get(({}, {}), {none})",
    "row": "set n {table}.get({}, ())",
    **{f"apply {function}": "number nn {table}({}, {})" for function in ("distance", "toward", "turn")},
    "apply line": "set nn {table}({}, {})",
    "apply leap": "number nnn {table}({}, {}, {})",
    "closure": "set nS closure({}, lambda {new}: {})",
    "filter": "set sN [{new} for {new} in {} if {} == 1]",
    "image": "set sN list(dict.fromkeys({1} for {new} in {0}))",
    "fold every": "number sNn all({1} == 1 for {new} in {0})",
    "fold some": "number sNn any({1} == 1 for {new} in {0})",
    "fold sum": "number sNn sum({1} for {new} in {0})",
    **{f"fold {word}": f"number sNn {name}(({{1}} for {{new}} in {{0}}), default={{2}})" for word, name in EXTREMES},
    **{f"fold first {word}": f"number sNn {name}({{0}}, key=lambda {{new}}: {{1}}, default={{2}})" for word, name in EXTREMES},
    "write": "effect vn {}.write(s, {})",
    "transfer": "effect ppn {}.transfer(s, {}, {})",
    "deal": "effect nzz {1}.deal(s, {2}, {0})",
    "draw": "number s chance.draw(s, {})",
    "shuffle": "effect z {}.shuffle(s, chance)",
}
"""For terms and effects: what the value is, the arguments, the Python. Arguments are numbers, sets, and places (of zones, of
other variables `v`, of either `p`); those with a capital letter are evaluated with the `new` entry in their environment."""
USUAL = {"every": 1, "some": 0, "sum": 0}  # what these folds are in Python if there are no elements


def indented(lines: list[str]) -> list[str]:
    return [f" {line}" for line in lines]


class Compiler:
    """Makes Python functions of terms and effects; a term is an expression, an effect is lines."""

    def __init__(self, core: dict[str, Json], chance: Chance) -> None:
        self.variables = {value["name"]: Variable(slot, value) for slot, value in enumerate(core["variables"], FIRST_VARIABLE)}
        expect(len(self.variables) == len(core["variables"]), "core: two variables have the same name")
        helpers = (fault, times, divided, at, interval, bounded, closure, Place, Fault)
        self.globals: dict[str, Any] = {"chance": chance, **{one.__name__: one for one in helpers}}
        self.globals |= {f"x{variable.slot}": variable for variable in self.variables.values()}
        self.maps, self.tables = core["maps"], dict[tuple[str, str], str]()
        for name, table in self.maps.items():
            expect(table["keys"] in (1, 2), f"core: map {shown(name)} has {table['keys']} keys")
            check_shape(table["entries"], [int] if table["keys"] == 1 else [[int]], f"core: map {shown(name)}")
            entries: dict[Any, Any] = dict(enumerate(table["entries"]))
            if table["keys"] == 2:
                entries = {(one, other): entry for one, row in entries.items() for other, entry in enumerate(row)}
            self.tables["lookup", name] = self.new_global(entries)
        self.tables |= {("row", name): self.new_global(dict(enumerate(table))) for name, table in core["rows"].items()}
        for name, value in core["spaces"].items():
            made = Space(value, self.maps).functions
            self.tables |= {(function, name): self.new_global(made[function]) for function in made}
        self.definitions, self.made = core["definitions"], dict[tuple[str, tuple[bool, ...]], Code | None]()
        self.origin, self.changes = -1, dict[str, list[tuple[int, Json]]]((name, []) for name in self.variables)
        """The effects that change a variable, each with its node, or -1 of actions: `origin` when it was compiled."""
        self.reads: dict[str, None] = {}  # by the terms compiled so far
        self.fresh: Callable[[], str] = map("v{}".format, count()).__next__

    def new_global(self, value: Any) -> str:
        name = f"g{len(self.globals)}"
        self.globals[name] = value
        return name

    def define(self, parameters: Iterable[str], lines: list[str], name: str = "") -> str:
        """The name of a function of a state and parameters."""
        name = name or f"g{len(self.globals)}"
        self.globals[name] = None
        expect(len(self.globals) <= MOST_FUNCTIONS, f"core: the rules make more than {MOST_FUNCTIONS} functions")
        source = "\n".join((f"def {name}({', '.join(('s', *parameters))}):", *indented(lines)))
        try:
            exec(compile(source, f"<{name}>", "exec"), self.globals)
        except (SyntaxError, RecursionError, MemoryError) as problem:
            raise Unreadable(f"core: the rules are nested too deeply ({problem})") from None
        return name

    def function(self, term: Json) -> Any:
        """A function of a state that gives the number of a term."""
        return self.globals[self.define((), [f"return {self.text(term, ())}"])]

    def term(self, term: Json, environment: Environment) -> Code:
        code = self.expression(term, environment)
        if len(code.text) <= LONGEST_EXPRESSION:
            return code
        used = set(re.findall(r"v\d+", code.text))
        known = dict.fromkeys(one.text for one in environment if one.text in used)
        name = self.define(known, [f"return {code.text}"])
        return code._replace(text=f"{name}({', '.join(('s', *known))})")

    def text(self, term: Json, environment: Environment, is_set: bool = False) -> str:
        code = self.term(term, environment)
        expect(code.is_set == is_set, f"core: a {'set' if is_set else 'number'} is wanted, not {shown(term)}")
        return code.text

    def by_table(self, word: str, inner: list[Json], environment: Environment, **more: Any) -> Code:
        """A term or effect of `PYTHON`; `more` is put in."""
        value, kinds, text = PYTHON.get(word, "none ! -").split(maxsplit=2)
        expect(len(inner) == len(kinds.strip("-")), f"core: {shown([word, *inner])} is neither a term nor an effect")
        new, given = self.fresh(), list[str]()
        for kind, one in zip(kinds, inner, strict=False):
            known = (*environment, Code(new)) if kind.isupper() else environment
            given.append(self.place(one, [word, *inner], known, kind) if kind in "pvz" else self.text(one, known, kind in "sS"))
        return Code(text.format(*given, new=new, **more), value == "set")

    def expression(self, term: Json, environment: Environment) -> Code:  # noqa: PLR0912 (one case for each kind of term)
        size = len(environment)
        match term:
            case int() if type(term) is int:
                return Code(str(term) if term >= 0 else f"({term})")
            case ["local", int(place)] if 0 <= place < size:
                return environment[place]
            case ["read" | "zone" as word, str(name), index] if name in self.variables:
                variable = self.variables[name]
                self.reads[name] = None
                if variable.is_zone == (word == "zone") and variable.has_index == (index is not None):
                    return Code(self.value_at(variable, index, environment), variable.is_zone)
            case ["lookup", str(name), *inner] if name in self.maps and len(inner) == self.maps[name]["keys"]:
                none, table = self.maps[name]["none"], self.tables["lookup", name]
                return self.by_table(f"lookup {len(inner)}", inner, environment, table=table, none=none)
            case ["row", str(name), *inner] if ("row", name) in self.tables:
                return self.by_table("row", inner, environment, table=self.tables["row", name])
            case ["apply", str(word), str(name), *inner] if (word, name) in self.tables:
                return self.by_table(f"apply {word}", inner, environment, table=self.tables[word, name])
            case ["compare" | "arithmetic" as word, str(sign), *inner]:
                return self.by_table(f"{word} {sign}", inner, environment)
            case ["in" | "interval" | "join" | "fault" | "not" as word, *inner]:
                return self.by_table(word, inner, environment)
            case ["top", inner, bool(bottom)]:
                return self.by_table("top", [inner], environment, part="-1:" if bottom else ":1")
            case ["closure" | "filter" | "image" as word, int(place), *inner] if place == size:
                return self.by_table(word, inner, environment)
            case ["fold", str(kind), int(place), several, each, int(empty)] if place == size:
                usual = USUAL.get(kind, empty)
                if empty == usual:
                    return self.by_table(f"fold {kind}", [several, each, empty], environment)
                is_some, folded = ["fold", "some", size, several, 1, 0], ["fold", kind, size, several, each, usual]
                return self.term(["choice", is_some, folded, empty], environment)
            case ["and" | "or" as word, *terms]:
                parts = [f"{self.text(one, environment)} == 1" for one in terms]
                return Code(f"({f' {word} '.join(parts) or word == 'and'})")
            case ["choice", condition, then, otherwise]:
                first = self.term(then, environment)
                second = self.text(otherwise, environment, first.is_set)
                return Code(f"({first.text} if {self.text(condition, environment)} == 1 else {second})", first.is_set)
            case ["call", str(name), *inner] if name in self.definitions:
                return self.call(name, [self.term(one, environment) for one in inner])
            case ["list", *terms]:
                elements = "".join(f"{self.text(one, environment)}, " for one in terms)
                return Code(f"({elements})" if len(terms) < 2 else f"tuple(dict.fromkeys(({elements})))", is_set=True)
            case ["let", int(place), value, inner] if place == size:
                held, name = self.term(value, environment), self.fresh()
                code = self.term(inner, (*environment, held._replace(text=name)))
                return code._replace(text=f"(lambda {name}: {code.text})({held.text})")
        raise Unreadable(f"core: {shown(term)} is not a term where {size} values are known")

    def value_at(self, variable: Variable, index: Json, environment: Environment) -> str:
        """The value of a variable, or what stands for one outside of its index."""
        row, first, none = f"s[{variable.slot}]", variable.first, "()" if variable.is_zone else variable.none
        if index is None:
            return f"{row}[0]"
        number = self.text(index, environment)
        place = f"{number} - {first}" if first else number
        if number.isidentifier() or number.isdigit():
            return f"({row}[{place}] if {first} <= {number} < {first + variable.count} else {none})"
        return f"at({row}, {place}, {none}, {variable.count})"

    def call(self, name: str, arguments: list[Code]) -> Code:
        """A call of a definition: it is compiled once for each combination of numbers and sets it is called with."""
        definition = self.definitions[name]
        key = name, tuple(one.is_set for one in arguments)
        if key not in self.made:
            expect(definition["parameters"] == len(arguments), f"core: a call of {shown(name)} with {len(arguments)} values")
            self.made[key] = None
            entries = tuple(Code(self.fresh(), one.is_set) for one in arguments)
            body = self.term(definition["body"], entries)
            self.made[key] = body._replace(text=self.define((one.text for one in entries), [f"return {body.text}"]))
        made = self.made[key]
        if made is None:
            raise Unreadable(f"core: definition {shown(name)} calls itself")
        return made._replace(text=f"{made.text}({', '.join(('s', *(one.text for one in arguments)))})")

    def effects(self, effects: Json, environment: Environment) -> list[str]:
        """The lines of a list of effects."""
        lines: list[str] = []
        for effect in effects:
            match effect:
                case ["write" | "transfer" | "deal" | "shuffle" as word, *inner]:
                    lines.append(self.by_table(word, inner, environment).text)
                case ["name", int(number), term, bool(drawn)] if number == len(environment):
                    code = self.by_table("draw", [term], environment) if drawn else self.term(term, environment)
                    name = self.fresh()
                    lines.append(f"{name} = {code.text}")
                    environment = (*environment, Code(name, code.is_set))
                case ["if", term, list(then), list(otherwise)]:
                    lines.append(f"if {self.text(term, environment)} == 1:")
                    lines += [*indented(self.effects(then, environment)), "else:"]
                    lines += indented(self.effects(otherwise, environment))
                case ["for", int(number), term, list(inner)] if number == len(environment):
                    element, several = self.fresh(), self.text(term, environment, is_set=True)
                    lines.append(f"for {element} in {several}:")
                    lines += indented(self.effects(inner, (*environment, Code(element))))
                case ["end", bool(game)]:
                    lines.append("over = True" if game else "left = True")
                case _:
                    raise Unreadable(f"core: {shown(effect)} is not an effect where {len(environment)} values are known")
        return lines or ["pass"]

    def place(self, place: Json, effect: Json, environment: Environment, kind: str) -> str:
        match place:
            case [str(name), index, bool(bottom)] if name in self.variables:
                variable = self.variables[name]
                if variable.has_index == (index is not None) and kind in ("p", "z" if variable.is_zone else "v"):
                    self.changes[name].append((self.origin, effect))
                    return f"Place(x{variable.slot}, {self.text(index or 0, environment)}, {bottom})"
        raise Unreadable(f"core: {shown(place)} is not a place of this effect")


# 6. A game -------------------------------------------------------------------------------------------
RESUME, LEAVE, OVER, WAIT, STOP = 0, 1, 2, -1, (-1,)


class Game:
    """A core document as functions. Raises `Unreadable` if it is none."""

    def __init__(self, core: Json) -> None:
        check_shape(core, CORE, "core")
        self.core, self.flow, self.over = core, core["flow"], len(core["flow"]) - 1
        is_core = core["schema"] == CORE_SCHEMA and self.flow[-1:] == [["over"]]
        expect(is_core, f"core: its schema is {shown(core['schema'])}, the last node {shown(self.flow[-1:])}")
        self.chance = Chance()
        self.make = Compiler(core, self.chance)
        self.question: dict[str, Json] = core["question"]
        added = reduce(lambda one, other: ["arithmetic", "+", one, other], [0, *self.question["values"]])
        self.value: Callable[[State], int] = lru_cache(maxsize=1 << 16)(self.make.function(added))
        self.read = [*self.make.reads]
        for action, value in enumerate(core["actions"]):
            self.compile_action(action, value)
        self.choices: dict[int, tuple[Any, Any, list[int]]] = {}  # by node: its legal moves, its player, and what may follow
        self.steps = [self.make.globals[self.compile_node(node)] for node in range(len(self.flow))]
        until, self.asked, self.own_turns = (self.question[name] for name in ("until", "player", "own_turns"))
        self.is_goal = self.make.function(0 if until is None else ["compare", "=", until, 1])
        given = {name for name in ("cost", "until", "threshold", "own_turns") if self.question[name] is not None}
        own = {"cost", "own_turns"} if self.own_turns is not None and self.asked is not None else set()
        wanted = {"least": {"cost", "until"}, "reach": {"threshold", *own}}.get(self.question["goal"], set())
        expect(given == wanted, "core: the goal of the question, its cost, end, threshold, player and own turns disagree")
        self.counter = self.counter_of() if self.question["cost"] == "turns" else NODE
        self.start = self.read_state(core["start"])

    def node(self, value: Json) -> int:
        expect(type(value) is int and 0 <= value <= self.over, f"core: the flow has no node {shown(value)}")
        return int(value)

    def read_state(self, start: dict[str, Json]) -> State:
        """A state as `start` has it, without playing on. Raises `Unreadable` and `Fault`."""
        values, variables = start["values"], self.make.variables
        is_whole = values.keys() == variables.keys() and 0 <= start["seed"] < 1 << 64
        expect(is_whole, "core: the start has not exactly the variables, or its seed has more than 64 bits")
        rows = [one.read_start(values[name]) for name, one in variables.items()]
        return (self.node(start["node"]), start["seed"], None if self.own_turns is None else (0, None), *rows)

    def counter_of(self) -> int:
        """The slot of the variable that counts turns. Raises `Unreadable` unless it only ever grows, by 1."""
        found = [one for one in self.make.variables.values() if one.name.startswith("ends of ") and not one.has_index]
        counts = [["write", [one.name, None, False], ["arithmetic", "+", ["read", one.name, None], 1]] for one in found]
        only_counts = len(found) == 1 and all(effect in counts for _, effect in self.make.changes[found[0].name])
        expect(only_counts, "core: there is not one variable that counts turns, and does not only count")
        return found[0].slot

    def compile_node(self, node: int) -> str:
        """The name of a function that runs a node and returns the next one, or `WAIT`."""
        make, self.make.origin = self.make, node
        match self.flow[node]:
            case ["run", list(effects), following]:
                ending = f"return {self.over} if over else {self.node(following)}"
                return make.define((), ["over = False", *make.effects(effects, ()), ending])
            case ["test", term, then, otherwise]:
                return make.define((), [f"return {self.node(then)} if {make.text(term, ())} == 1 else {self.node(otherwise)}"])
            case ["choose", int(), list(actions), bool(stop), player, resume, leave]:
                expect(all(f"moves{one}" in make.globals for one in actions), f"core: not all of {shown(actions)} are actions")
                yields = [f"yield from moves{action}(s)" for action in actions]
                legal = make.define((), [*yields, "yield (-1,)" if stop else "yield from ()"])
                exits = [self.node(resume), self.node(leave), self.over]
                self.choices[node] = make.globals[legal], make.function(player), exits
                return make.define((), [f"for move in {legal}(s): return {WAIT}", f"return {leave}"])
            case ["over"] if node == self.over:
                return make.define((), [f"return {WAIT}"])
        raise Unreadable(f"core: {shown(self.flow[node])} is not a node of the flow")

    def compile_action(self, action: int, value: dict[str, Json]) -> None:
        """Make `moves…`, which yields the legal moves of an action, and `apply…`, which makes one."""
        make, names = self.make, [self.make.fresh() for _ in value["parameters"]]
        arguments, call = tuple(map(Code, names)), f"({', '.join(('s', *names))})"
        effects = make.effects(value["effects"], arguments)
        ending = f"return {OVER} if over else {LEAVE} if left else {RESUME}"
        make.define(names, ["over = left = False", *effects, ending], f"apply{action}")
        conditions = [f"{make.text(one['condition'], arguments)} == 1" for one in value["requirements"]]
        if value["afterwards"]:
            expect(not any("chance" in line for line in effects), f"core: action {action}: `afterwards` depends on chance")
            later = " and ".join(f"{make.text(one['condition'], arguments)} == 1" for one in value["afterwards"])
            after = ["s = list(s)", f"try: apply{action}{call}", "except Fault: return True", f"return {later}"]
            conditions.append(make.define(names, after) + call)
        lines = [f"if {' and '.join(conditions) or True}: yield ({', '.join((str(action), *names))},)"]
        for number, parameter in reversed([*enumerate(value["parameters"])]):
            domain = make.text(parameter["domain"], arguments[:number], is_set=True)
            where = make.text(1 if parameter["where"] is None else parameter["where"], arguments[: number + 1])
            lines = [f"for {names[number]} in chance.each(s, {domain}):", f" if {where} == 1:", *indented(indented(lines))]
        make.define((), lines, f"moves{action}")

    def changes(self, name: str) -> list[tuple[int, Json]]:
        """The effects that can change a variable after state 0, with their nodes; -1 for actions."""
        reached = closure(self.first()[NODE], lambda node: self.flow[node][5 if self.flow[node][0] == "choose" else 2 :])
        return [one for one in self.make.changes[name] if one[0] in (-1, *reached)]

    def any_state(self, start: State) -> list[Any]:
        """A state that play may come to, of which nothing is known but what no effect can change after state 0."""
        now: list[Any] = [*start]
        now[SEED] = ANY_STATE
        for name, variable in self.make.variables.items():
            effects, is_any = self.changes(name), variable.is_zone or variable.greatest - variable.least >= MOST_GUESSED
            is_moved = not is_any and all(one[0] == "transfer" and one[1][0] == one[2][0] for _, one in effects)
            left = Counter[int](start[variable.slot]) if is_moved else None
            numbers = sorted(left) if left else range(min(0, variable.least), max(0, variable.greatest) + 1)
            if effects:
                now[variable.slot] = tuple(Some(self.chance, None if is_any else numbers, left) for _ in range(variable.count))
        return now

    def legal(self, state: State) -> list[Move]:
        """The legal moves in order; none at the end."""
        return [] if state[NODE] == self.over else list(self.choices[state[NODE]][0](state))

    def player(self, state: Sequence[Any]) -> int:
        return int(self.choices[state[NODE]][1](state))

    def turns(self, state: State) -> int:
        """The cost of a plan in turns if the next move is its last."""
        return int(state[self.counter][0]) + 1

    def end_value(self, state: State) -> int:
        """The value of a state at the end of play, below the threshold if own turns were used up."""
        value, threshold = self.value(state), self.question["threshold"]
        if state[CLOCK] is not None:
            return threshold - 1  # type: ignore[no-any-return]
        return int(value >= threshold) if self.question["in_expectation"] and threshold is not None else value

    def first(self) -> State:
        """The state where play begins. Chance before it is taken from the seed, in expectation too."""
        now = list(self.start)
        self.play_on(now)
        now[SEED] = NO_SEED if self.question["in_expectation"] else now[SEED]
        return tuple(now)

    def apply(self, state: State, move: Move) -> list[tuple[Fraction, State]]:
        """The states that a legal move leads to, with their probabilities: one, or in expectation one for each outcome."""
        found: list[tuple[Fraction, State]] = []
        for _ in self.chance.scripts("a move", MOST_OUTCOMES):
            now = list(state)
            result = LEAVE if move == STOP else self.make.globals[f"apply{move[0]}"](now, *move[1:])
            now[NODE] = self.choices[state[NODE]][2][result]
            self.play_on(now)
            found.append((self.chance.probability, tuple(now)))
        return found

    def play_on(self, now: list[Any]) -> None:
        """Run to the next choice that waits, or to the end."""
        for _ in range(self.core["most"] + 1):
            following = self.steps[now[NODE]](now)
            if following == WAIT:
                return None if now[CLOCK] is None else self.tick(now)
            now[NODE] = following
        raise Fault(f"more than {self.core['most']} nodes run between two choices")

    def tick(self, now: list[Any]) -> None:
        """Set the clock: own turns or moves begun, and the number of one that goes on; None at the end. Too many end play."""
        (begun, last), number = now[CLOCK], now[self.counter][0] if self.counter else None
        if now[NODE] == self.over:
            now[CLOCK] = None
        elif number is None or number != last:
            is_own = self.own_turns is None or self.player(now) == self.asked
            now[CLOCK] = begun, last = (begun + 1, number) if is_own else (begun, None)
            now[NODE] = self.over if self.own_turns is not None and begun > self.own_turns else now[NODE]


# 7. Estimates ----------------------------------------------------------------------------------------
class Estimate:
    """A lower bound on the moves to the goal: the sum of an entry for each number of a state, divided by `most`. Raises
    `Refused` unless no move lowers the sum by more than `most`, and it is at most 0 at the goal."""

    def __init__(self, game: Game, value: dict[str, Json]) -> None:
        self.game, self.most, self.tables = game, value["most"], list[tuple[Variable, list[list[int]]]]()
        for name, rows in value["tables"].items():
            variable = game.make.variables.get(name)
            if variable is None or variable.is_zone or variable.least < 0 or self.most < 1 or len(rows) != variable.count:
                raise Unreadable(f"header: there can be no table of {shown(name)}")
            expect({*map(len, rows)} == {variable.greatest + 1}, f"header: the table of {shown(name)} does not fit its numbers")
            self.tables.append((variable, rows))
        nodes = [node for variable, _ in self.tables for node, _ in self.game.changes(variable.name)]
        demand(all(node < 0 for node in nodes), "estimates: the flow changes a variable of a table")
        start = self.game.first()
        for action in range(-1, len(self.game.core["actions"])):
            what = f"a move of action {action} lowers the sum by" if action >= 0 else "at the goal, the sum may be"
            for _ in self.game.chance.scripts("estimates"):
                with suppress(Fault):
                    lowered = self.lowered(action, self.game.any_state(start))
                    demand(lowered <= (self.most if action >= 0 else 0), f"estimates: {what} {lowered}")

    def bound(self, state: State) -> int:
        total = sum(row[value] for variable, rows in self.tables for row, value in zip(rows, state[variable.slot], strict=True))
        return -int(-total // self.most)

    def lowered(self, action: int, now: list[Any]) -> int:
        """By how much some move of an action lowers the sum; with -1, the sum that some goals have at most."""
        make, before, lowered = self.game.make, [*now], 0
        for move in [] if action < 0 else make.globals[f"moves{action}"](now):
            make.globals[f"apply{action}"](now, *move[1:])
        is_goal = action < 0 and self.game.is_goal(now)
        for variable, rows in self.tables:
            for row, old, new in zip(rows, before[variable.slot], now[variable.slot], strict=True):
                if is_goal:
                    lowered += max(row[one] for one in (old.possible() or range(len(row)) if isinstance(old, Some) else (old,)))
                elif old is not new:
                    lowered += row[old] - row[new]
        return lowered


class TilesLeft:
    """A bound on the value at any end, where only tiles that come from zones to empty places of a board change it."""

    def __init__(self, game: Game, value: dict[str, Json]) -> None:
        self.game, self.most, self.sign = game, value["most"], -1 if game.question["goal"] == "minimise" else 1
        start, variables = game.first(), game.make.variables
        names = [name for name in game.read if game.changes(name)]
        is_board = names == [value["board"]] and not variables[value["board"]].is_zone
        demand(is_board, f"estimates: the value rests on {shown(names)}, not on a board {shown(value['board'])} alone")
        for name in names:
            for _, effect in game.changes(name):
                source = variables[(effect[2] if effect[0] == "deal" else effect[1])[0]]
                demand(source.is_zone, f"estimates: not only tiles from zones change {shown(name)}")
                names += [source.name] * (source.name not in names)
        self.names, (self.board, *self.zones) = names, (variables[name].slot for name in names)
        self.summands = [game.make.function(one) for term in game.question["values"] for one in self.split(term)]
        kinds = sorted({0, *start[self.board], *(tile for slot in self.zones for zone in start[slot] for tile in zone)})
        self.places = [sorted(set().union(*(filled for _, filled in self.fillings(one, {}, kinds)))) for one in self.summands]
        self.known, self.brings = lru_cache(1 << 20)(self.summary), lru_cache(1 << 16)(self.brings_more)

    def split(self, term: Json) -> list[Json]:
        """Terms whose sum is a term."""
        match term:
            case ["fold", "sum", 0, ["filter", 0, several, condition], each, 0]:
                return self.split(["fold", "sum", 0, several, ["choice", condition, each, 0], 0])
            case ["fold", "sum", 0, ["interval", int(first), int(last)], each, 0]:
                return [["let", 0, one, each] for one in interval(first, last)]
        return [term]

    def fillings(self, summand: Any, numbers: dict[int, int], kinds: Sequence[int]) -> Iterator[tuple[int, set[int]]]:
        """What a summand is if places without a number get one of some kinds, each time with those that surely get no 0."""
        for _ in self.game.chance.scripts("estimates"):
            now: list[Any] = [*self.game.start]
            now[self.board] = row = defaultdict[int, Any](partial(Some, self.game.chance, kinds), numbers)
            with suppress(Fault):
                value = self.sign * int(summand(now))
                yield value, {int(place) for place, one in row.items() if isinstance(one, Some) and 0 not in (one.values or ())}

    def summary(self, number: int, held: tuple[int, ...], kinds: tuple[int, ...]) -> tuple[int, int, set[int]]:
        """What a summand is now, how much more it can become, and the places that must be filled for any more."""
        numbers = {place: one for place, one in zip(self.places[number], held, strict=True) if one}
        found = [*self.fillings(self.summands[number], numbers, kinds)]
        now = next((value for value, filled in found if not filled), 0)
        more = [(value - now, filled) for value, filled in found if value > now] or [(0, set[int]())]
        return now, max(add for add, _ in more), set.intersection(*(filled for _, filled in more))

    def keeps(self, state: State, label: Number) -> bool:
        """Whether the tiles left bring no end beyond a label, or are too many to tell."""
        tiles = tuple(sorted(tile for slot in self.zones for zone in state[slot] for tile in zone))
        return len(tiles) <= self.most and not self.brings(state[self.board], tiles, int(self.sign * label // 1))

    def brings_more(self, row: Sequence[int], tiles: tuple[int, ...], most: int) -> bool:
        kinds = tuple(sorted({0, *tiles}))
        known = [self.known(number, tuple([row[one] for one in places]), kinds) for number, places in enumerate(self.places)]
        return self.exceeds([(need, add) for _, add, need in known if add], len(tiles), most - sum(now for now, _, _ in known))

    def exceeds(self, needs: list[tuple[set[int], int]], count: int, room: int) -> bool:
        """Whether additions have a sum above `room` that need no other places filled than some `count`."""
        room -= sum(add for need, add in needs if not need)
        whole = [one for one, _ in needs if len(one) == count > 0]  # if one of them is filled, no other place is
        if room < 0 or any(sum(add for need, add in needs if need and need <= one) > room for one in whole):
            return True
        needs, unit, prices = [one for one in needs if 0 < len(one[0]) < count], lcm(*range(1, count + 1)), Counter[int]()
        for need, add in needs:
            prices.update(dict.fromkeys(need, add * unit // len(need)))
        place = max(prices, key=prices.__getitem__, default=0)
        filled, vacant = [(need - {place}, add) for need, add in needs], [one for one in needs if place not in one[0]]
        is_open = sum(nlargest(count, prices.values())) // unit > room
        return is_open and (self.exceeds(filled, count - 1, room) or self.exceeds(vacant, count, room))


# 8. The parts of a certificate -----------------------------------------------------------------------
def read_number(text: str) -> Number | None:
    """A whole number, a fraction `a/b`, or a dot for what is never reached; None if it is none of them."""
    found = re.fullmatch("-?(?:0|[1-9][0-9]*)(/[1-9][0-9]*)?", text)
    return INFINITE if text == "." else None if found is None else Fraction(text) if found[1] else int(text)


class Part:
    """A traversal of states, each with a label: see the page for all kinds of parts."""

    def __init__(self, game: Game, estimates: Sequence[Any], lines: Lines, size: Json, claim: Json, memory: int) -> None:
        self.game, self.estimates, self.lines, self.claim, self.memory = game, estimates, lines, claim, memory
        self.kind, self.states = kind, states = size["kind"], size["states"]
        expect(0 < states < 1 << 32, "header: a part has no states, or too many")
        self.numbers, self.labels, self.waiting = dict[State, int](), list[Number](), deque[State]()
        self.moves, self.side = 0, "above" if kind == "upper" else "below"
        self.chosen = dict[int, str]()  # in states that are not expanded yet
        question, start = game.question, game.first()
        self.is_bound, self.is_tally = kind in ("upper", "lower"), kind == "count" and question["goal"] == "least"
        self.goal, self.cost = question["goal"], question["cost"] if question["goal"] == "least" else None
        start = (*start[:CLOCK], (0, None), *start[CLOCK + 1 :]) if self.is_tally and self.cost == "moves" else start
        is_against = self.is_bound and question["others"] == "against best play" and start[NODE] != game.over
        self.asker = None if not is_against else game.player(start) if game.asked is None else game.asked
        has_end = kind == "count" or question["in_expectation"] or self.asker is not None or game.own_turns is not None
        self.order = TopologicalSorter[int]() if has_end else None  # of the states, if play must end
        self.meet(start, start)

    def check(self) -> None:
        """Make the traversal. Raises `Refused` where a label is wrong, and `CycleError`."""
        while self.waiting:
            number = len(self.labels) - len(self.waiting)
            try:
                self.visit(number, self.waiting.popleft())
            except Fault as problem:
                raise Refused(f"state {number}: a fault of the rules: {problem}") from None
        met = f"line {self.lines.number + 1}: {len(self.labels)} states were met"
        demand(len(self.labels) == self.states, f"{met}, the part has {self.states} lines")
        if self.order is not None:
            self.order.prepare()

    def take(self, size: int) -> None:
        self.memory -= size
        expect(self.memory >= 0, "the states need more memory than is allowed (--memory)")

    def meet(self, state: State, before: State) -> int:
        """The number of a state. A new one gets the next, and the next line; it may share values with the one before."""
        number = self.numbers.setdefault(state, len(self.labels))
        if number == len(self.labels):
            demand(number < self.states, f"line {self.lines.number + 1}: more states are met than the part has lines")
            own = (sys.getsizeof(value) for value, old in zip(state, before, strict=True) if value is not old)
            self.take(170 + sys.getsizeof(state) + sum(own))
            text, _, word = self.lines.next().partition(" ")
            self.chosen |= {number: word} if word else {}
            label = read_number(text)
            is_label = type(label) in {"least": (int, float), "count": (int,)}.get(self.kind, (int, Fraction))
            demand(is_label, f"line {self.lines.number}: {shown(text)} is not a label of a part {self.kind}")
            self.labels.append(cast(Number, label))
            self.waiting.append(state)
        return number

    def visit(self, number: int, state: State) -> None:
        label, is_goal = self.labels[number], self.game.is_goal(state)
        is_ended = is_goal or state[NODE] == self.game.over
        value = self.value_of(state, is_goal) if is_ended else label
        is_wrong = self.is_beyond(value, label) or (self.kind == "count" and value != label)
        demand(not is_wrong, f"state {number}: its value {value} is {self.side} its label {label}")
        plans: Number = 0
        limit = self.claim["value"] + 1 if self.is_tally else label
        for move in self.followed(number, state, is_ended):
            outcomes = self.game.apply(state, move)
            self.moves += len(outcomes)
            plain = self.plain(outcomes[0][1], label)
            if plain is not None and not self.is_beyond(self.worth(state, outcomes[0][1], plain), limit):
                continue
            reached = [self.meet(after, state) for _, after in outcomes]
            if self.order is not None:
                self.take(200 * len(reached))
                self.order.add(number, *reached)
            worth = self.worth(state, outcomes[0][1], self.labels[reached[0]])
            if len(reached) > 1:
                worth = sum((part * self.labels[one] for (part, _), one in zip(outcomes, reached, strict=True)), Fraction())
            plans += self.labels[reached[0]]
            if self.kind != "count" and self.is_beyond(worth, label):
                where = f"state {reached[0]} with label {self.labels[reached[0]]}"
                where = where if len(reached) == 1 else f"{len(reached)} outcomes with labels of mean {worth}"
                raise Refused(f"state {number}: legal move {[*map(int, move)]} leads to {where}, {self.side} {label}")
        is_sum = self.kind != "count" or is_ended or plans == label
        demand(is_sum, f"state {number}: its label is {label}, the labels of its moves sum up to {plans}")

    def followed(self, number: int, state: State, is_ended: bool) -> list[Move]:
        """The moves that count. Raises `Refused` if the line names one where all do, or none where one is to be chosen."""
        word, moves = self.chosen.pop(number, ""), [] if is_ended else self.game.legal(state)
        asked = self.asker is None or (not is_ended and self.game.player(state) == self.asker)
        if is_ended or not self.is_bound or (asked == (self.goal != "minimise")) == (self.kind == "upper"):
            demand(not word, f"state {number}: a move is chosen where all count")
            return moves
        demand(word, f"state {number}: no move is chosen")
        is_one = re.fullmatch("[0-9]{1,9}", word) and int(word) < len(moves)
        demand(is_one, f"state {number}: move {shown(word)} is chosen, it has {len(moves)}")
        return [moves[int(word)]]

    def value_of(self, state: State, is_goal: bool) -> Number:
        """What the label of a state at the end, or at the goal, is at most or at least; infinite if any will do."""
        if self.goal == "least" and not self.is_tally:
            return INFINITE if self.cost == "turns" or not is_goal else 0 if self.cost == "moves" else self.game.value(state)
        value = self.game.end_value(state) if not self.is_tally else self.claim["value"] if is_goal else INFINITE
        return int(value == self.claim["value"]) if self.kind == "count" else value

    def is_beyond(self, one: Number, label: Number) -> bool:
        return one > label if self.kind == "upper" else one < label

    def worth(self, state: State, after: State, label: Number) -> Number:
        """What the label of a state that a move leads to makes the label before it."""
        is_last = self.cost == "turns" and self.game.is_goal(after)
        return self.game.turns(state) if is_last else label + 1 + (state[CLOCK] or [0])[0] if self.cost == "moves" else label

    def plain(self, state: State, label: Number) -> Number | None:
        """What a state would have as a label at least, or at most, whatever follows, if a label before may need it."""
        if self.cost == "moves":
            return cast(Number, max((0, *(one.bound(state) for one in self.estimates))))
        held = label if any(one.keeps(state, label) for one in self.estimates) else None
        held = self.game.value(state) if self.is_tally and self.game.is_goal(state) else held
        return self.game.turns(state) if self.cost == "turns" else held

    def proves(self) -> bool:
        """Whether the label of state 0 proves the claim."""
        label, status, value = self.labels[0], self.claim["status"], self.claim["value"]
        if self.kind == "count" or status == "impossible":
            return label == (self.claim["count"] if self.kind == "count" else INFINITE)
        value = self.game.question["threshold"] if value is None else value
        return label < value if status == "not reached" else not self.is_beyond(label, value)


# 9. The claim ----------------------------------------------------------------------------------------
class Checked(NamedTuple):
    """What a certificate has proved; digests; how much was played."""

    claim: str
    digests: str
    states: int
    moves: int


def parts_needed(question: Json, claim: Json, plan: Json) -> list[str]:
    """The parts that a claim needs. Raises `Refused` if the question has no such claim, `Unreadable` if none."""
    together, chance, goal = question["others"] != "against best play", question["in_expectation"], question["goal"]
    status, value, count = (claim[name] for name in ("status", "value", "count"))
    expect(goal != "least" or (together and not chance), "this question has no certificate of version 1")
    known = {"optimal": ["upper", "lower"] if chance or not together else ["lower" if goal == "minimise" else "upper"]}
    if goal == "least":
        known = {"optimal": ["least"] if plan else [], "impossible": ["least"]}
    elif goal == "reach" and not chance:
        known = {"reached": [] if together else ["lower"], "not reached": ["upper"]}
    demand(status in known, f"header: {shown(status)} is no answer to the question")
    is_value = value is None if status != "optimal" else type(value) in ((int, Fraction) if chance else (int,))
    demand(is_value, f"header: the value {value} is none of what is {status}")
    planned = together and not chance and status in ("optimal", "reached")
    demand((plan is not None) == planned, "header: " + ("a plan is missing" if planned else "a plan proves nothing here"))
    demand(count is None or (question["counts_plans"] and planned), "header: a number of plans proves nothing here")
    return known[status] + ["count"] * (count is not None)


def check_plan(game: Game, claim: Json, plan: list[Json]) -> None:
    """Play the plan from the start. Raises `Refused` unless it earns what is claimed."""
    state, turns, is_least, cost = game.first(), 0, game.question["goal"] == "least", str(game.question["cost"])
    for number, move in enumerate(plan):
        demand(not game.is_goal(state), f"plan: the goal is reached after {number} moves, before the end of the plan")
        demand(tuple(move) in game.legal(state), f"plan: move {number}, {move}, is not legal")
        turns = game.turns(state) if cost == "turns" else 0
        ((_, state),) = game.apply(state, tuple(move))
    demand(game.is_goal(state) if is_least else state[NODE] == game.over, "plan: it does not reach the goal, or an end")
    value = {"moves": len(plan), "turns": turns}.get(cost, game.value(state)) if is_least else game.end_value(state)
    wanted = game.question["threshold"] if claim["status"] == "reached" else claim["value"]
    demand(value == wanted or (claim["status"] == "reached" and value > wanted), f"plan: it comes to {value}, not {wanted}")


def in_words(question: Json, claim: Json) -> str:
    """What is proved, in words."""
    own, cost, threshold = question["own_turns"], question["cost"], question["threshold"]
    by = "" if own is None else f" within {own} {cost.removesuffix('s') if own == 1 else cost} of player {question['player']}"
    by += " against best play" * (question["others"] == "against best play") + " in expectation" * question["in_expectation"]
    least = f"the least {'value' if cost == 'values' else f'number of {cost}'} that reaches the goal"
    reach = "the greatest probability of " * question["in_expectation"] + f"a value of at least {threshold}"
    usual = f"the {'least' if question['goal'] == 'minimise' else 'greatest'} value at the end"
    what = {"least": least, "reach": reach}.get(question["goal"], usual) + by
    plans = {None: "", 1: "; 1 plan has it"}.get(claim["count"], f"; {claim['count']} plans have it")
    known = {"optimal": f"{what} is {claim['value']}{plans}", "impossible": "impossible: no play reaches the goal"}
    return known.get(claim["status"], f"{claim['status']}: {what}")


def check_certificate(stream: BinaryIO, core: Json | None, megabytes: int) -> Checked:
    """Check the bytes of a file; with `core`, it must be about this one. Raises `Refused` and `Unreadable`."""
    try:
        with gzip.open(stream, "rb") as unpacked:
            return check_lines(Lines(unpacked), core, megabytes << 20)  # type: ignore[arg-type]  # a GzipFile reads like a file
    except Fault as problem:
        raise Refused(f"a fault of the rules: {problem}") from None
    except CycleError as problem:
        raise Refused(f"state {problem.args[1][0]}: play need not end: the state can be reached from itself") from None
    except RecursionError:
        raise Unreadable("core: the rules are nested too deeply") from None
    except (OSError, EOFError, zlib.error) as problem:
        raise Unreadable(f"the file is damaged: {problem}") from None


def check_lines(lines: Lines, core: Json | None, memory: int) -> Checked:
    header = read_json(lines.next(LONGEST_DOCUMENT), "header")
    check_shape(header, HEADER, "header")
    expect(header["schema"] == CERTIFICATE_SCHEMA, f"header: its schema is {shown(header['schema'])}, not {CERTIFICATE_SCHEMA}")
    claim, plan = header["claim"], header["plan"]
    claim["value"] = read_number(value) if isinstance(value := claim["value"], str) else value
    document = read_json(lines.next(LONGEST_DOCUMENT), "core")
    game, digest = Game(document), digest_of(document)
    demand(document["digest"] == header["core"] == digest, f"header: the digest of the core is {digest}")
    differing = [name for name in document if not isinstance(core, dict) or core.get(name) != document[name]]
    demand(core in (None, document), f"core: it is not the one given, but differs in {', '.join(differing)}")
    needed, given = parts_needed(game.question, claim, plan), [part["kind"] for part in header["parts"]]
    demand(given == needed, f"header: the claim needs the parts {shown(needed)}, not {shown(given)}")
    if plan is not None:
        check_plan(game, claim, plan)
    may_go_on = not game.question["in_expectation"] and game.question["others"] != "against best play"  # for ever
    is_bound, cost = needed in (["upper"], ["lower"]) and may_go_on and game.own_turns is None, game.question["cost"]
    demand(is_bound or (needed[:1], cost) == (["least"], "moves") or not header["estimates"], "header: nothing to estimate")
    check_shape(header["estimates"], [{"board": str, "most": int} if is_bound else TABLES], "header: estimates")
    estimates = [TilesLeft(game, one) if is_bound else Estimate(game, one) for one in header["estimates"]]
    states = moves = 0
    for size in header["parts"]:
        part = Part(game, estimates, lines, size, claim, memory)
        part.check()
        demand(part.proves(), f"state 0: its label {part.labels[0]} in part {part.kind} does not prove the claim")
        states, moves = states + part.states, moves + part.moves
    demand(not lines.stream.read(1), f"line {lines.number + 1}: the file goes on after its last part")
    return Checked(in_words(game.question, claim), f"core {digest}, texts {shown(document['texts'])}", states, moves)


# 10. The command -------------------------------------------------------------------------------------
def main(arguments: Sequence[str] | None = None) -> int:
    """Check a file. Returns 0 if it is checked, 1 if refused, 2 if it cannot be read."""
    parser = argparse.ArgumentParser(prog="rulewright-check", description="Check a certificate of Rulewright.")
    parser.add_argument("file", type=Path, help="what `rulewright solve PUZZLE --certificate FILE` wrote")
    parser.add_argument("--core", type=Path, help="what `rulewright core PUZZLE -o CORE.json` wrote: the rules must be these")
    parser.add_argument("--memory", type=int, default=4096, metavar="MB", help="for states, in megabytes (default: 4096)")
    given = parser.parse_args(arguments)
    try:
        core = None if given.core is None else read_json(given.core.read_text(encoding="utf-8"), "--core")
        with given.file.open("rb") as stream:
            checked = check_certificate(stream, core, given.memory)
    except Refused as reason:
        print(f"refused: {reason}")
        return 1
    except (Unreadable, OSError, UnicodeDecodeError, MemoryError, OverflowError) as reason:
        print(f"unreadable: {str(reason) or 'the memory is used up'}", file=sys.stderr)
        return 2
    print(f"checked: {checked.claim}\n{checked.digests}\n{checked.states} states, {checked.moves} moves")
    return 0


if __name__ == "__main__":
    sys.exit(main())
