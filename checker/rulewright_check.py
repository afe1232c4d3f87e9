"""Check a certificate: that the answer of a puzzle follows from its rules.

    python rulewright_check.py CERTIFICATE [--core CORE.json]

This file stands alone: it needs only Python 3.11, and shares no code with the program that writes certificates. It is written
from two pages: *The core* defines the rules of a game as a JSON document, *Certificates* defines what is checked here. To be
fast, the rules become Python code; they may come from a stranger, but only numbers and names made here get into that code.
"""

from __future__ import annotations

import argparse
import gzip
import json
import operator
import re
import sys
import zlib
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

CORE_SCHEMA = "rulewright/core/1"
CERTIFICATE_SCHEMA = "rulewright/certificate/1"

LONGEST_LINE, LONGEST_DOCUMENT = 1 << 12, 1 << 26
"""Bytes of a line of a part, and of the header or the core."""
LARGEST_SET, LARGEST_NUMBER, MOST_FUNCTIONS, MOST_OUTCOMES = 1 << 20, 1 << 4096, 20_000, 1 << 20
MOST_GUESSED, MOST_PATHS = 1 << 6, 1 << 13
LONGEST_EXPRESSION = 160
"""Characters: what is longer becomes a function, so that no generated line is deeply nested."""

Json = Any
Move = tuple[int, ...]
State = tuple[Any, ...]
"""The node of the flow, the seed (in expectation None), then the values by variable. While it changes, it is a list."""
NODE, SEED, FIRST_VARIABLE = 0, 1, 2
Number = int | Fraction


# 1. What can go wrong --------------------------------------------------------------------------------
class Unreadable(Exception):
    """The file is no certificate of this version, or too large for the memory allowed."""


class Refused(Exception):
    """The certificate does not prove its claim."""


class Fault(Exception):
    """The rules contradict themselves in a state."""


# 2. Reading ------------------------------------------------------------------------------------------
class Lines:
    """The lines of a gzip file, one at a time. Methods raise `Unreadable` where it is none."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.number = stream, 0

    def next(self, longest: int = LONGEST_LINE) -> str:
        """The next line, without its end. Raises `Refused` if the file is at its end."""
        line = self.read(longest)
        if line.endswith("\n"):
            return line[:-1]
        if len(line) == longest:
            raise Unreadable(f"line {self.number} has more than {longest} bytes")
        raise Refused(f"line {self.number}: the file ends too early")

    def read(self, longest: int) -> str:
        self.number += 1
        try:
            return self.stream.readline(longest).decode("latin-1")
        except (OSError, EOFError, zlib.error) as problem:
            raise Unreadable(f"line {self.number}: {problem}") from None


def read_json(text: str, place: str) -> Json:
    """A JSON value without a key given twice. Raises `Unreadable`."""

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("an object has a key twice")
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"{place}: {problem}") from None


def shown(value: Json) -> str:
    """A part of the document for a message: short, and without characters that a terminal obeys."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 120 else text[:117] + "..."


ANY = object()
CONDITIONS = [{"name": ANY, "condition": ANY}]
ACTION = {"name": ANY, "parameters": [{"name": ANY, "domain": ANY, "where": ANY}], "requirements": CONDITIONS, "effects": list,
          "afterwards": CONDITIONS}  # fmt: skip
SPACE = {"size": int, "step": str, "opposite": str, "clockwise": str, "around": [int], "straight": bool, "wrapped": bool}
QUESTION = {
    "goal": {"maximise", "minimise", "reach", "count best", "win", "least"}, "values": list, "threshold": (int,), "until": ANY,
    "cost": ({"moves", "turns", "values"},), "others": {"together", "with their plans given", "against best play"},
    "player": (int,), "in_expectation": bool, "counts_plans": bool,
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
    "estimates": [{"most": int, "tables": {str: [[int]]}}], "parts": [{"kind": str, "states": int}],
}  # fmt: skip
"""Shapes: a type; {text, text} for one of these; [shape] for a list; {str: shape} for an object of any names, {name: shape} for
one of exactly these; (shape,) for what may be null."""


def check_shape(value: Any, shape: Any, place: str) -> None:
    """Raises `Unreadable` if a value does not have a shape."""
    if isinstance(shape, tuple) and value is not None:
        check_shape(value, shape[0], place)
    if isinstance(shape, tuple) or shape is ANY:
        return
    kind: type = shape if isinstance(shape, type) else str if isinstance(shape, set) else type(shape)
    fits = type(value) is kind and (value in shape if isinstance(shape, set) else True)
    if not fits:
        raise Unreadable(f"{place}: {shown(value)} is not {kind.__name__} {sorted(shape) if isinstance(shape, set) else ''}")
    if isinstance(shape, list):
        for one in value:
            check_shape(one, shape[0], place)
    elif isinstance(shape, dict):
        if str not in shape and value.keys() != shape.keys():
            raise Unreadable(f"{place}: {shown(value)} has not exactly the fields {', '.join(shape)}")
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


def div(one: int, other: int) -> int:
    return one // other if other else 0


def mod(one: int, other: int) -> int:
    return one % other if other else 0


def at(table: Sequence[Any], place: int, none: Any) -> Any:
    """An entry of a table, or what stands for one outside of it."""
    return table[place] if 0 <= place < len(table) else none


def bounded(several: Any) -> Any:
    if len(several) > LARGEST_SET:
        raise Fault(f"a set has more than {LARGEST_SET} elements")
    return several


def interval(first: int, last: int) -> range:
    return bounded(range(first, min(last, first + LARGEST_SET) + 1))  # type: ignore[no-any-return]


def closure(start: int, step: Callable[[int], Iterable[int]]) -> list[int]:
    found, held = [start], {start}
    for element in found:
        for following in step(element):
            if following not in held:
                held.add(following)
                found.append(following)
        bounded(found)
    return found


class Space:
    """The functions of a space. A cell or direction that is not in the tables is taken as nowhere, or as none."""

    def __init__(self, value: Json, maps: dict[str, Json]) -> None:
        self.step, self.opposite, self.clockwise = (
            maps.get(value[name], {"entries": None})["entries"] for name in ("step", "opposite", "clockwise")
        )
        check_shape([self.step, [self.opposite, self.clockwise]], [[[int]]], "core: the maps of a space")
        self.size, self.around, self.straight, self.wrapped = map(value.get, ("size", "around", "straight", "wrapped"))
        functions = (self.distance, self.line, self.toward, self.leap, self.turn)
        self.functions = {one.__name__: lru_cache(maxsize=1 << 18)(one) for one in functions}

    def after(self, cell: int, way: int) -> int:
        return at(at(self.step, way, ()), cell, self.size)  # type: ignore[no-any-return]

    def distance(self, start: int, goal: int) -> int:
        steps, border, seen = 0, {start}, {start}
        while border and 0 <= start < self.size and 0 <= goal < self.size:
            if goal in border:
                return steps
            border = {self.after(cell, way) for cell in border for way in self.around} - seen - {self.size}
            seen |= border
            steps += 1
        return -1

    def line(self, start: int, way: int) -> tuple[int, ...]:
        found: list[int] = []
        cell = self.after(start, way)
        while cell not in (self.size, start):
            if len(found) > self.size:
                raise Fault(f"the line from cell {start} in direction {way} has no end")
            found.append(cell)
            cell = self.after(cell, way) if self.straight else self.size
        return tuple(found)

    def toward(self, start: int, goal: int) -> int:
        lines = ((self.line(start, way), way) for way in range(len(self.step)))
        return min(((line.index(goal), way) for line, way in lines if goal in line), default=(0, -1))[1]

    def leap(self, start: int, way: int, steps: int) -> int:
        if way == -1:
            return start if steps == 0 else self.size
        if steps < 0:
            return self.leap(start, at(self.opposite, way, -1), -steps)
        cell = start
        for _ in range(steps % self.size if self.wrapped else min(steps, self.size)):
            cell = self.after(cell, way)
        return cell

    def turn(self, way: int, times: int) -> int:
        circle = [way]
        while (way := at(self.clockwise, way, -1)) != circle[0]:
            if way == -1:
                return -1
            if len(circle) > len(self.clockwise):
                raise Fault(f"turning from direction {circle[0]} does not come back to it")
            circle.append(way)
        return circle[times % len(circle)]


class Chance:
    """Draws and shuffles by the seed of a state. If it has none, a draw turns out as `script` says, at first as its first
    outcome, and `turn` goes on to the next script."""

    def __init__(self) -> None:
        self.script, self.sizes, self.probability = list[int](), list[int](), Fraction(1)
        """What is to be drawn, the number of outcomes of each draw made, and their probability."""

    def guess(self, count: int) -> int:
        """A number below `count`, by the script."""
        if len(self.sizes) == len(self.script):
            self.script.append(0)
        self.sizes.append(count)
        return self.script[len(self.sizes) - 1]

    def turn(self) -> bool:
        """Go on to the outcome that is next in order; false, with an empty script, after the last one."""
        while self.script and self.script[-1] + 1 == self.sizes[len(self.script) - 1]:
            self.script.pop()
        if self.script:
            self.script[-1] += 1
        self.sizes, self.probability = [], Fraction(1)
        return bool(self.script)

    def below(self, now: list[Any], count: int) -> int:
        """A number by the seed, which goes on."""
        now[SEED] = mixed = (now[SEED] + 0x9E3779B97F4A7C15) % (1 << 64)
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % (1 << 64)
        return int(mixed ^ mixed >> 31) % count

    def draw(self, now: list[Any], elements: Sequence[int], order: Sequence[int] = ()) -> int:
        if not elements:
            raise Fault("a random element of a set without elements")
        if now[SEED] is not None:
            return elements[self.below(now, len(elements)) if len(elements) > 1 else 0]
        copies = Counter(elements)
        if len(copies) == 1:
            return elements[0]
        outcomes = [one for one in dict.fromkeys(order or elements) if one in copies]
        chosen = outcomes[self.guess(len(outcomes))]
        self.probability *= Fraction(copies[chosen], len(elements))
        return chosen

    def shuffle(self, now: list[Any], zone: tuple[int, ...]) -> tuple[int, ...]:
        left, order = list(zone), list[int]()
        if now[SEED] is None:
            while len(set(left)) > 1:
                order.append(self.draw(now, left, zone))
                left.remove(order[-1])
        else:
            for last in range(len(left) - 1, 0, -1):
                other = self.below(now, last + 1)
                left[last], left[other] = left[other], left[last]
        return (*order, *left)


class Some:
    """A number of which only some values are possible (None: any). What is asked of it is guessed, and from then on known.
    `left` counts the values that numbers like this one have together, without those that are known."""

    def __init__(self, chance: Chance, values: Sequence[int] | None, left: Counter[int] | None = None) -> None:
        self.chance, self.values, self.left = chance, values, left

    def possible(self) -> Sequence[int] | None:
        return [one for one in self.values if self.left[one] > 0] if self.values and self.left else self.values

    def ask(self, test: Callable[[int], Any] = bool) -> bool:
        possible = self.possible()
        if possible is None:
            return bool(self.chance.guess(2))
        split = [one for one in possible if not test(one)], [one for one in possible if test(one)]
        answer = bool(self.chance.guess(2)) if all(split) else bool(split[1])
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
    __iter__ = __contains__ = __getitem__ = refuse


def on_some(sign: Callable[[Any, Any], Any], is_test: bool) -> Any:
    """An operator as a method of `Some`."""

    def method(self: Some, other: Any) -> Any:
        if self.values is None or (isinstance(other, Some) and other.values is None):
            anything = Some(self.chance, None)
            return anything.ask() if is_test else anything
        known = operator.index(other)
        return self.ask(lambda one: sign(one, known)) if is_test else sign(operator.index(self), known)

    return method


def turned(sign: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda one, other: sign(other, one)


for sign in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge):
    setattr(Some, f"__{sign.__name__}__", on_some(sign, is_test=True))
for sign in (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod):
    setattr(Some, f"__{sign.__name__}__", on_some(sign, is_test=False))
    setattr(Some, f"__r{sign.__name__}__", on_some(turned(sign), is_test=False))


# 4. States, and the variables that effects change ---------------------------------------------------
class Variable:
    """A variable. With an index, its value in a state is a row: bytes if its numbers fit, else a tuple, as of zones."""

    def __init__(self, slot: int, value: Json) -> None:
        self.slot, self.name, self.storage, self.none = slot, value["name"], value["storage"], value["none"]
        self.has_index = value["index"] is not None
        bounds = value["values"], value["index"] or [0, 0]
        if len(bounds[0]) != 2 or len(bounds[1]) != 2:
            raise Unreadable(f"core: {shown(value)} is not a variable")
        (self.least, self.greatest), (self.first, last) = bounds
        self.count = last - self.first + 1
        if not 0 < self.count <= LARGEST_SET:
            raise Unreadable(f"core: the index of {shown(self.name)} is {shown(value['index'])}")
        self.is_zone = self.storage != "value"
        self.row: Any = bytes if not self.is_zone and self.least >= 0 and self.greatest < 256 else tuple

    def read_start(self, entries: list[Json]) -> Any:
        """The value in a state. Raises `Unreadable`, or `Fault` if a number is out of bounds."""
        check_shape(entries, [[int] if self.is_zone else int], f"core: start of {shown(self.name)}")
        for entry in entries:
            self.check(*(entry if self.is_zone else (entry,)))
        if len(entries) != self.count or (self.storage == "set" and any(entry != sorted(entry) for entry in entries)):
            raise Unreadable(f"core: start of {shown(self.name)}: {self.count} values in order are wanted")
        values = [tuple(entry) for entry in entries] if self.is_zone else entries
        return self.row(values) if self.has_index else values[0]

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
        return now[variable.slot][place] if variable.has_index else now[variable.slot]

    def put(self, now: list[Any], value: Any) -> None:
        if self.variable.has_index:
            row, place = now[self.variable.slot], self.number - self.variable.first
            value = row[:place] + type(row)((value,)) + row[place + 1 :]
        now[self.variable.slot] = value

    def take(self, now: list[Any], tile: int) -> None:
        held = self.get(now)
        if tile not in held if self.variable.is_zone else tile <= 0 or held != tile:
            raise Fault(f"tile {tile} is not in {shown(self.variable.name)}")
        if self.variable.is_zone:
            place = len(held) - 1 - held[::-1].index(tile) if self.bottom else held.index(tile)
            self.put(now, held[:place] + held[place + 1 :])
        else:
            self.put(now, 0)

    def add(self, now: list[Any], tile: int) -> None:
        held = self.get(now)
        self.variable.check(tile)
        match self.variable.storage:
            case "pile":
                self.put(now, (*held, tile) if self.bottom else (tile, *held))
            case "set":
                self.put(now, tuple(sorted((*held, tile))))
            case _ if held == 0:
                self.put(now, tile)
            case _:
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
    """A term as a Python expression without side effects. A truth value is a bool or a number."""

    text: str
    is_set: bool = False
    is_truth: bool = False

    @property
    def is_atom(self) -> bool:
        return self.text.isidentifier() or self.text.isdigit()

    @property
    def condition(self) -> str:
        return self.text if self.is_truth else f"({self.text} == 1)"


Environment = tuple[Code, ...]
SIMPLE = {
    **{f"compare {sign}": f"truth nn ({{}} {sign} {{}})" for sign in ("!=", "<", "<=", ">", ">=")},
    "compare =": "truth nn ({} == {})",
    "arithmetic +": "number nn ({} + {})",
    "arithmetic -": "number nn ({} - {})",
    "arithmetic *": "number nn times({}, {})",
    "arithmetic div": "number nn div({}, {})",
    "arithmetic mod": "number nn mod({}, {})",
    "in": "truth ns ({} in {})",
    "interval": "set nn interval({}, {})",
    "join": "set ss bounded((*{}, *{}))",
    "fault": "number - fault()",
    **{f"apply {function}": "number nn ({}, {})" for function in ("distance", "toward", "turn")},
    "apply line": "set nn ({}, {})",
    "apply leap": "number nnn ({}, {}, {})",
}
"""For terms: what the value is, the arguments (`n` a number, `s` a set), the Python; of `apply`, what follows the function."""
FOLDS = {
    "every": "all({each.condition} for {element} in {several})",
    "some": "any({each.condition} for {element} in {several})",
    "sum": "sum({each.text} for {element} in {several})",
    "least": "min(({each.text} for {element} in {several}), default={empty})",
    "greatest": "max(({each.text} for {element} in {several}), default={empty})",
    "first least": "min({several}, key=lambda {element}: {each.text}, default={empty})",
    "first greatest": "max({several}, key=lambda {element}: {each.text}, default={empty})",
}


def indented(lines: list[str]) -> list[str]:
    return [f" {line}" for line in lines]


class Compiler:
    """Makes Python functions of terms and effects; a term is an expression, an effect is lines."""

    def __init__(self, core: dict[str, Json], chance: Chance) -> None:
        self.variables = {value["name"]: Variable(slot, value) for slot, value in enumerate(core["variables"], FIRST_VARIABLE)}
        if len(self.variables) != len(core["variables"]):
            raise Unreadable("core: two variables have the same name")
        helpers = (fault, times, div, mod, at, interval, bounded, closure, Place, Fault)
        self.globals: dict[str, Any] = {"chance": chance, **{one.__name__: one for one in helpers}}
        self.globals |= {f"x{variable.slot}": variable for variable in self.variables.values()}
        self.tables: dict[tuple[str, str], str] = {}
        self.maps = core["maps"]
        for name, table in self.maps.items():
            if table["keys"] not in (1, 2):
                raise Unreadable(f"core: map {shown(name)} has {table['keys']} keys")
            check_shape(table["entries"], [int] if table["keys"] == 1 else [[int]], f"core: map {shown(name)}")
            self.tables["map", name] = self.new_global(table["entries"])
        for name, table in core["rows"].items():
            self.tables["row", name] = self.new_global(table)
        for name, value in core["spaces"].items():
            made = Space(value, self.maps).functions
            self.tables |= {(function, name): self.new_global(made[function]) for function in made}
        self.definitions = core["definitions"]
        self.made: dict[tuple[str, tuple[bool, ...]], Code | None] = {}
        self.changes: dict[str, list[tuple[int, Json]]] = {name: [] for name in self.variables}
        """The effects that change a variable, and `origin` when they were compiled: their node, or -1 of actions."""
        self.origin = -1
        self.reads: dict[str, None] = {}
        """The variables that the terms compiled so far read."""
        self.names = 0

    def new_global(self, value: Any) -> str:
        name = f"g{len(self.globals)}"
        self.globals[name] = value
        return name

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def define(self, parameters: Iterable[str], lines: list[str], name: str = "") -> str:
        """The name of a function of a state and parameters."""
        name = name or f"g{len(self.globals)}"
        self.globals[name] = None
        if len(self.globals) > MOST_FUNCTIONS:
            raise Unreadable(f"core: the rules make more than {MOST_FUNCTIONS} functions")
        source = "\n".join((f"def {name}({', '.join(('s', *parameters))}):", *indented(lines)))
        try:
            exec(compile(source, f"<{name}>", "exec"), self.globals)
        except (SyntaxError, RecursionError, MemoryError) as problem:
            raise Unreadable(f"core: the rules are nested too deeply ({problem})") from None
        return name

    def function(self, term: Json) -> Any:
        """A function of a state that gives the number of a term."""
        return self.globals[self.define((), [f"return {self.number(term, ())}"])]

    # Terms

    def term(self, term: Json, environment: Environment) -> Code:
        code = self.expression(term, environment)
        if len(code.text) <= LONGEST_EXPRESSION:
            return code
        used = set(re.findall(r"v\d+", code.text))
        known = dict.fromkeys(one.text for one in environment if one.text in used)
        name = self.define(known, [f"return {code.text}"])
        return code._replace(text=f"{name}({', '.join(('s', *known))})")

    def number(self, term: Json, environment: Environment) -> str:
        return self.of_kind(term, environment, is_set=False).text

    def condition(self, term: Json, environment: Environment) -> str:
        return self.of_kind(term, environment, is_set=False).condition

    def several(self, term: Json, environment: Environment) -> str:
        return self.of_kind(term, environment, is_set=True).text

    def of_kind(self, term: Json, environment: Environment, is_set: bool) -> Code:
        code = self.term(term, environment)
        if code.is_set != is_set:
            raise Unreadable(f"core: a {'set' if is_set else 'number'} is wanted, not {shown(term)}")
        return code

    def simple(self, word: str, terms: list[Json], environment: Environment, function: str = "") -> Code:
        """A term of `SIMPLE`; with spaces, `function` is that of the space."""
        value, kinds, text = SIMPLE.get(word, "none none none").split(maxsplit=2)
        if len(terms) != len(kinds.strip("-")):
            raise Unreadable(f"core: {shown([word, *terms])} is not a term")
        given = [self.of_kind(one, environment, kind == "s").text for one, kind in zip(terms, kinds, strict=False)]
        return Code(function + text.format(*given), value == "set", value == "truth")

    def expression(self, term: Json, environment: Environment) -> Code:  # noqa: PLR0912 (one case for each term of the core)
        size = len(environment)
        match term:
            case int() if type(term) is int:
                return Code(str(term) if term >= 0 else f"({term})", is_truth=term in (0, 1))
            case ["local", int(place)] if 0 <= place < size:
                return environment[place]
            case ["read" | "zone" as word, str(name), index] if name in self.variables:
                variable = self.variables[name]
                self.reads[name] = None
                if variable.is_zone == (word == "zone") and variable.has_index == (index is not None):
                    text, none = f"s[{variable.slot}]", "()" if variable.is_zone else str(variable.none)
                    if index is not None:
                        text = self.entry(text, variable.first, variable.count, self.number(index, environment), none)
                    return Code(text, is_set=variable.is_zone)
            case ["lookup", str(name), *keys] if name in self.maps and len(keys) == self.maps[name]["keys"]:
                return Code(self.lookup(name, [self.number(key, environment) for key in keys]))
            case ["row", str(name), index] if ("row", name) in self.tables:
                table = self.tables["row", name]
                text = self.entry(table, 0, len(self.globals[table]), self.number(index, environment), "()")
                return Code(text, is_set=True)
            case ["apply", str(word), str(name), *inner] if (word, name) in self.tables:
                return self.simple(f"apply {word}", inner, environment, self.tables[word, name])
            case ["compare" | "arithmetic" as word, str(sign), *inner]:
                return self.simple(f"{word} {sign}", inner, environment)
            case ["interval", int(one), int(other)] if other - one < LARGEST_SET:
                return Code(f"range({one:d}, {other + 1:d})", is_set=True)
            case ["in" | "interval" | "join" | "fault" as word, *inner]:
                return self.simple(word, inner, environment)
            case ["not", inner]:
                code = self.of_kind(inner, environment, is_set=False)
                return Code(f"(not {code.text})", is_truth=True) if code.is_truth else Code(f"(1 - {code.text})")
            case ["and" | "or" as word, *terms]:
                parts = [self.condition(one, environment) for one in terms]
                return Code(f"({f' {word} '.join(parts) or word == 'and'})", is_truth=True)
            case ["choice", condition, then, otherwise]:
                first = self.term(then, environment)
                second = self.of_kind(otherwise, environment, first.is_set)
                text = f"({first.text} if {self.condition(condition, environment)} else {second.text})"
                return Code(text, first.is_set, first.is_truth and second.is_truth)
            case ["call", str(name), *inner] if name in self.definitions:
                return self.call(name, [self.term(one, environment) for one in inner])
            case ["list", *terms]:
                elements = "".join(f"{self.number(one, environment)}, " for one in terms)
                text = f"({elements})" if len(terms) < 2 else f"tuple(dict.fromkeys(({elements})))"
                return Code(text, is_set=True)
            case ["top", inner, bool(bottom)]:
                return Code(f"at({self.several(inner, environment)}[{-1 if bottom else 0}:][:1], 0, 0)")
            case ["let", int(place), value, inner] if place == size:
                held = self.term(value, environment)
                bound = held if held.is_atom else held._replace(text=self.fresh())
                code = self.term(inner, (*environment, bound))
                return code if held.is_atom else code._replace(text=f"(lambda {bound.text}: {code.text})({held.text})")
            case ["closure", int(place), start, step] if place == size:
                element = self.fresh()
                following = self.several(step, (*environment, Code(element)))
                return Code(f"closure({self.number(start, environment)}, lambda {element}: {following})", is_set=True)
            case ["filter" | "image" as word, int(place), inner, value] if place == size:
                element, several = self.fresh(), self.several(inner, environment)
                each = self.of_kind(value, (*environment, Code(element)), is_set=False)
                if word == "filter":
                    return Code(f"[{element} for {element} in {several} if {each.condition}]", is_set=True)
                return Code(f"list(dict.fromkeys({each.text} for {element} in {several}))", is_set=True)
            case ["fold", str(kind), int(place), inner, value, int(empty)] if place == size and kind in FOLDS:
                element, several = self.fresh(), self.several(inner, environment)
                each = self.of_kind(value, (*environment, Code(element)), is_set=False)
                return self.fold(kind, several, element, each, int(empty))
        raise Unreadable(f"core: {shown(term)} is not a term where {size} values are known")

    def entry(self, table: str, first: int, count: int, index: str, none: str) -> str:
        """The entry of a table whose index begins with `first`."""
        place = f"{index} - {first}" if first else index
        if Code(index).is_atom:
            return f"({table}[{place}] if {first} <= {index} < {first + count} else {none})"
        return f"at({table}, {place}, {none})"

    def lookup(self, name: str, keys: list[str]) -> str:
        table, rows, none = self.tables["map", name], self.maps[name]["entries"], str(self.maps[name]["none"])
        if len(keys) == 1:
            return self.entry(table, 0, len(rows), keys[0], none)
        widths = {len(row) for row in rows}
        if len(widths) == 1 and all(Code(key).is_atom for key in keys):
            inside = f"0 <= {keys[0]} < {len(rows)} and 0 <= {keys[1]} < {max(widths)}"
            return f"({table}[{keys[0]}][{keys[1]}] if {inside} else {none})"
        return f"at(at({table}, {keys[0]}, ()), {keys[1]}, {none})"

    def call(self, name: str, arguments: list[Code]) -> Code:
        """A call of a definition: it is compiled once for each combination of numbers and sets it is called with."""
        definition = self.definitions[name]
        key = name, tuple(one.is_set for one in arguments)
        if key not in self.made:
            if definition["parameters"] != len(arguments):
                raise Unreadable(f"core: definition {shown(name)} is called with {len(arguments)} values")
            self.made[key] = None
            entries = tuple(Code(self.fresh(), one.is_set) for one in arguments)
            body = self.term(definition["body"], entries)
            self.made[key] = body._replace(text=self.define((one.text for one in entries), [f"return {body.text}"]))
        made = self.made[key]
        if made is None:
            raise Unreadable(f"core: definition {shown(name)} calls itself")
        return made._replace(text=f"{made.text}({', '.join(('s', *(one.text for one in arguments)))})")

    def fold(self, kind: str, several: str, element: str, each: Code, empty: int) -> Code:
        usual = {"every": 1, "some": 0, "sum": 0}.get(kind, empty)
        held = several if empty == usual else self.fresh()
        text = FOLDS[kind].format(each=each, element=element, several=held, empty=empty)
        if empty != usual:
            text = f"(lambda {held}: {text} if {held} else {empty})({several})"
        return Code(text, is_truth=kind in ("every", "some") and empty in (0, 1))

    # Effects

    def effects(self, effects: Json, environment: Environment) -> list[str]:
        """The lines of a list of effects."""
        lines: list[str] = []
        for effect in effects:
            match effect:
                case ["write", place, term]:
                    held, value = self.place(place, effect, environment, of_zone=False), self.number(term, environment)
                    lines.append(f"{held}.write(s, {value})")
                case ["transfer", source, goal, term]:
                    places = [self.place(one, effect, environment) for one in (source, goal)]
                    lines.append(f"{places[0]}.transfer(s, {places[1]}, {self.number(term, environment)})")
                case ["deal", term, source, goal]:
                    places = [self.place(one, effect, environment, of_zone=True) for one in (source, goal)]
                    lines.append(f"{places[0]}.deal(s, {places[1]}, {self.number(term, environment)})")
                case ["shuffle", place]:
                    lines.append(f"{self.place(place, effect, environment, of_zone=True)}.shuffle(s, chance)")
                case ["name", int(number), term, bool(drawn)] if number == len(environment):
                    code, name = self.term(term, environment), self.fresh()
                    if drawn:
                        code = Code(f"chance.draw(s, {self.several(term, environment)})")
                    lines.append(f"{name} = {code.text}")
                    environment = (*environment, Code(name, code.is_set))
                case ["if", term, list(then), list(otherwise)]:
                    lines.append(f"if {self.condition(term, environment)}:")
                    lines += [*indented(self.effects(then, environment)), "else:"]
                    lines += indented(self.effects(otherwise, environment))
                case ["for", int(number), term, list(inner)] if number == len(environment):
                    element, several = self.fresh(), self.several(term, environment)
                    lines.append(f"for {element} in {several}:")
                    lines += indented(self.effects(inner, (*environment, Code(element))))
                case ["end", bool(game)]:
                    lines.append("over = True" if game else "left = True")
                case _:
                    raise Unreadable(f"core: {shown(effect)} is not an effect where {len(environment)} values are known")
        return lines or ["pass"]

    def place(self, place: Json, effect: Json, environment: Environment, of_zone: bool | None = None) -> str:
        match place:
            case [str(name), index, bool(bottom)] if name in self.variables:
                variable = self.variables[name]
                if variable.has_index == (index is not None) and of_zone in (None, variable.is_zone):
                    self.changes[name].append((self.origin, effect))
                    return f"Place(x{variable.slot}, {self.number(index or 0, environment)}, {bottom})"
        raise Unreadable(f"core: {shown(place)} is not a place of this effect")


# 6. A game -------------------------------------------------------------------------------------------
RESUME, LEAVE, OVER, WAIT, STOP = 0, 1, 2, -1, (-1,)


class Game:
    """A core document as functions. Raises `Unreadable` if it is none."""

    def __init__(self, core: Json) -> None:
        check_shape(core, CORE, "core")
        self.core, self.flow, self.over = core, core["flow"], len(core["flow"]) - 1
        if core["schema"] != CORE_SCHEMA or self.flow[-1:] != [["over"]]:
            raise Unreadable(f"core: its schema is {shown(core['schema'])}, its last node {shown(self.flow[-1:])}")
        self.chance = Chance()
        self.make = Compiler(core, self.chance)
        self.question: dict[str, Json] = core["question"]
        terms = [self.make.number(term, ()) for term in self.question["values"]]
        value = self.make.globals[self.make.define((), [f"return {' + '.join(terms) or 0}"])]
        self.value = lru_cache(maxsize=1 << 16)(value)
        self.read = [self.make.variables[name].slot for name in self.make.reads]
        for action, value in enumerate(core["actions"]):
            self.compile_action(action, value)
        self.choices: dict[int, tuple[Any, Any, list[int]]] = {}
        """For nodes that choose: functions for the legal moves and for the player, and the nodes that may follow."""
        self.steps = [self.make.globals[self.compile_node(node)] for node in range(len(self.flow))]
        self.zones = self.settling()
        until = self.question["until"]
        self.is_goal = self.make.function(0 if until is None else ["compare", "=", until, 1])
        given = [self.question[name] is not None for name in ("cost", "until", "threshold")]
        if given != [self.question["goal"] == goal for goal in ("least", "least", "reach")]:
            raise Unreadable("core: the goal of the question, its cost, end and threshold disagree")
        self.start = self.read_state(core["start"])

    # Reading

    def node(self, value: Json) -> int:
        if type(value) is not int or not 0 <= value <= self.over:
            raise Unreadable(f"core: the flow has no node {shown(value)}")
        return value

    def read_state(self, start: dict[str, Json]) -> State:
        """A state as `start` has it, without playing on. Raises `Unreadable`."""
        values, variables = start["values"], self.make.variables
        if values.keys() != variables.keys() or not 0 <= start["seed"] < 1 << 64:
            raise Unreadable("core: the start has not exactly the variables, or its seed has more than 64 bits")
        try:
            return (self.node(start["node"]), start["seed"], *(one.read_start(values[name]) for name, one in variables.items()))
        except Fault as problem:
            raise Unreadable(f"core: start: {problem}") from None

    def compile_node(self, node: int) -> str:
        """The name of a function that runs a node and returns the next one, or `WAIT`."""
        make = self.make
        make.origin = node
        match self.flow[node]:
            case ["run", list(effects), following]:
                ending = f"return {self.over} if over else {self.node(following)}"
                return make.define((), ["over = False", *make.effects(effects, ()), ending])
            case ["test", term, then, otherwise]:
                text = f"return {self.node(then)} if {make.condition(term, ())} else {self.node(otherwise)}"
                return make.define((), [text])
            case ["choose", int(), list(actions), bool(stop), player, resume, leave]:
                if not all(f"moves{action}" in make.globals for action in actions):
                    raise Unreadable(f"core: there is no such action in {shown(actions)}")
                yields = [f"yield from moves{action}(s)" for action in actions]
                legal = make.define((), [*yields, "yield (-1,)" if stop else "yield from ()"])
                exits = [self.node(resume), self.node(leave), self.over]
                self.choices[node] = make.globals[legal], make.function(player), exits
                return make.define((), [f"for move in {legal}(s): return {WAIT}", f"return {leave}"])
            case ["over"] if node == self.over:
                return make.define((), [f"return {WAIT}"])
        raise Unreadable(f"core: {shown(self.flow[node])} is not a node of the flow")

    def compile_action(self, action: int, value: dict[str, Json]) -> None:
        """Make `moves…`, which yields the legal moves of an action, `apply…` and `guess…`, which make one: a given or any."""
        make, names = self.make, [self.make.fresh() for _ in value["parameters"]]
        arguments, call = tuple(map(Code, names)), f"({', '.join(('s', *names))})"
        effects = make.effects(value["effects"], arguments)
        ending = f"return {OVER} if over else {LEAVE} if left else {RESUME}"
        make.define(names, ["over = left = False", *effects, ending], f"apply{action}")
        conditions = [make.condition(one["condition"], arguments) for one in value["requirements"]]
        if value["afterwards"]:
            if any("chance" in line for line in effects):
                raise Unreadable(f"core: action {action}: what holds afterwards depends on chance")
            later = " and ".join(make.condition(one["condition"], arguments) for one in value["afterwards"])
            after = ["s = list(s)", f"try: apply{action}{call}", "except Fault: return True", f"return {later}"]
            conditions.append(make.define(names, after) + call)
        parameters: list[tuple[str, str, str]] = []
        for number, parameter in enumerate(value["parameters"]):
            where = "True" if parameter["where"] is None else make.condition(parameter["where"], arguments[: number + 1])
            parameters.insert(0, (names[number], make.several(parameter["domain"], arguments[:number]), where))
        move = f"yield ({', '.join((str(action), *names))},)"
        for name, one, done in (
            ("moves", "dict.fromkeys({})", move),
            ("guess", "[chance.draw(s, {})]", f"apply{action}{call}"),
        ):
            lines = [f"if {' and '.join(conditions) or True}: {done}"]
            for own, domain, where in parameters:
                lines = [f"for {own} in {one.format(domain)}:", *indented([f"if {where}:", *indented(lines)])]
            make.define((), lines, f"{name}{action}")

    def settling(self) -> list[tuple[int, State]] | None:
        """The slots of zones, and what they are if empty: then the value no longer changes. None if that is not plain."""
        names = [name for name, one in self.make.variables.items() if one.slot in self.read]
        for name in names:
            for _, effect in self.make.changes[name]:
                source = self.make.variables[(effect[2] if effect[0] == "deal" else effect[1])[0]]
                if not source.is_zone:
                    return None
                names += [source.name] * (source.name not in names)
        zones = [self.make.variables[name] for name in names if self.make.variables[name].is_zone]
        return [(zone.slot, ((),) * zone.count if zone.has_index else ()) for zone in zones]

    def changes(self, name: str) -> list[tuple[int, Json]]:
        """The effects that can change a variable after state 0, with their nodes; -1 for actions."""
        reached = closure(self.first()[NODE], lambda node: self.flow[node][5 if self.flow[node][0] == "choose" else 2 :])
        return [one for one in self.make.changes[name] if one[0] in (-1, *reached)]

    def any_state(self) -> list[Any]:
        """A state that play may come to, of which nothing is known but what no effect can change after state 0."""
        now: list[Any] = [*self.first()]
        now[SEED] = None
        for name, variable in self.make.variables.items():
            effects, left = [effect for _, effect in self.changes(name)], None
            possible: Sequence[int] | None = range(min(0, variable.least), max(0, variable.greatest) + 1)
            if variable.has_index and all(one[0] == "transfer" and one[1][0] == one[2][0] for one in effects):
                left = Counter(now[variable.slot])
                possible = sorted(left)
            if variable.is_zone or variable.greatest - variable.least >= MOST_GUESSED:
                possible = None
            if effects:
                each = [Some(self.chance, possible, left) for _ in range(variable.count)]
                now[variable.slot] = tuple(each) if variable.has_index else each[0]
        return now

    # Play

    def legal(self, state: State) -> list[Move]:
        """The legal moves in order; none at the end."""
        return [] if state[NODE] == self.over else list(self.choices[state[NODE]][0](state))

    def player(self, state: State) -> int:
        return int(self.choices[state[NODE]][1](state))

    def end_value(self, state: State) -> int:
        """The value of a state at the end of play."""
        value, threshold = self.value(state), self.question["threshold"]
        return int(value >= threshold) if self.question["in_expectation"] and threshold is not None else value

    def settled_value(self, state: State) -> int | None:
        """The value at any end that follows, if it surely changes no more."""
        if self.zones is None or any(state[slot] != empty for slot, empty in self.zones):
            return None
        return int(self.value(tuple(value if slot in self.read else 0 for slot, value in enumerate(state))))

    def first(self) -> State:
        """The state where play begins. Chance before it is taken from the seed, in expectation too."""
        now = list(self.start)
        self.play_on(now)
        if self.question["in_expectation"]:
            now[SEED] = None
        return tuple(now)

    def apply(self, state: State, move: Move) -> list[tuple[Fraction, State]]:
        """The states that a legal move leads to, with their probabilities: one, or in expectation one for each outcome."""
        found: list[tuple[Fraction, State]] = []
        while len(found) < MOST_OUTCOMES:
            now = list(state)
            result = LEAVE if move == STOP else self.make.globals[f"apply{move[0]}"](now, *move[1:])
            now[NODE] = self.choices[state[NODE]][2][result]
            self.play_on(now)
            found.append((self.chance.probability, tuple(now)))
            if state[SEED] is not None or not self.chance.turn():
                return found
        raise Unreadable(f"a move has more than {MOST_OUTCOMES} outcomes of chance")

    def play_on(self, now: list[Any]) -> None:
        """Run to the next choice that waits, or to the end."""
        for _ in range(self.core["most"] + 1):
            following = self.steps[now[NODE]](now)
            if following == WAIT:
                return
            now[NODE] = following
        raise Fault(f"more than {self.core['most']} nodes run between two choices")


# 7. Estimates ----------------------------------------------------------------------------------------
class Estimate:
    """A lower bound on the moves to the goal: the sum of an entry for each number of a state, divided by `most`."""

    def __init__(self, game: Game, value: dict[str, Json]) -> None:
        self.game, self.most, self.tables = game, value["most"], list[tuple[Variable, list[list[int]]]]()
        for name, rows in value["tables"].items():
            variable = game.make.variables.get(name)
            if variable is None or variable.is_zone or variable.least < 0 or self.most < 1 or len(rows) != variable.count:
                raise Unreadable(f"header: there can be no table of {shown(name)}")
            if {len(row) for row in rows} != {variable.greatest + 1}:
                raise Unreadable(f"header: the table of {shown(name)} does not fit its numbers")
            self.tables.append((variable, rows))

    def entries(self, state: Sequence[Any]) -> list[tuple[list[int], Any]]:
        """Each number of a state after its row of a table."""
        found: list[tuple[list[int], Any]] = []
        for variable, rows in self.tables:
            found += zip(rows, state[variable.slot] if variable.has_index else (state[variable.slot],), strict=True)
        return found

    def bound(self, state: State) -> int:
        return -int(-sum(row[value] for row, value in self.entries(state)) // self.most)

    def check(self) -> None:
        """Raises `Refused` unless no move lowers the sum by more than `most`, and it is at most 0 at the goal."""
        if any(node >= 0 for variable, _ in self.tables for node, _ in self.game.changes(variable.name)):
            raise Refused("estimates: the flow changes a variable of a table")
        for action in range(-1, len(self.game.core["actions"])):
            is_more, paths, allowed = True, 0, self.most if action >= 0 else 0
            while is_more:
                lowered, paths = 0, paths + 1
                with suppress(Fault):
                    lowered = self.lowered(action)
                if lowered > allowed:
                    what = f"a move of action {action} lowers the sum by" if action >= 0 else "at the goal, the sum may be"
                    raise Refused(f"estimates: {what} {lowered}")
                is_more = self.game.chance.turn()
                if paths == MOST_PATHS:
                    raise Refused(f"estimates: more than {MOST_PATHS} guesses are needed")

    def lowered(self, action: int) -> int:
        """By how much some move of an action lowers the sum; with -1, the sum that some goals have at most."""
        now = self.game.any_state()
        before = self.entries(now)
        if action >= 0:
            self.game.make.globals[f"guess{action}"](now)
            pairs = zip(before, self.entries(now), strict=True)
            return sum(row[old] - row[new] for (row, old), (_, new) in pairs if old is not new)
        if not self.game.is_goal(tuple(now)):
            return 0
        possible = ((row, (one.possible() or range(len(row))) if isinstance(one, Some) else (one,)) for row, one in before)
        return sum(max(row[one] for one in several) for row, several in possible)


# 8. The parts of a certificate -----------------------------------------------------------------------
def read_number(text: str) -> Number | None:
    """A whole number, or a fraction `a/b`; None if it is neither."""
    found = re.fullmatch("-?(?:0|[1-9][0-9]*)(/[1-9][0-9]*)?", text)
    return None if found is None else Fraction(text) if found[1] else int(text)


class Part:
    """A traversal of states, each with a label: see the page for all kinds of parts."""

    def __init__(
        self, game: Game, estimates: list[Estimate], lines: Lines, size: tuple[str, int], value: Number | None, memory: int
    ) -> None:
        self.game, self.estimates, self.lines, (self.kind, self.states) = game, estimates, lines, size
        self.value, self.memory, kind = value, memory, self.kind
        self.numbers: dict[State, int] = {}
        self.labels: list[Number] = []
        self.words: dict[int, str] = {}
        """The second word of the lines of states that are not expanded yet."""
        self.waiting: deque[State] = deque()
        self.targets, self.ends = array("I"), array("Q")
        """The states that moves lead to, for one state after another; for each state, where its part of them ends."""
        self.moves = 0
        self.is_bound = kind in ("upper", "lower")
        self.side = "above" if kind == "upper" else "below"
        question, start = game.question, game.first()
        self.goal, self.cost = question["goal"], question["cost"] if kind == "least" else None
        self.counter = counter_of(game) if self.cost == "turns" else NODE
        self.asker: int | None = None
        """The player asked; None if all are."""
        if self.is_bound and question["others"] != "together" and start[NODE] != game.over:
            self.asker = game.player(start) if question["player"] is None else question["player"]
        self.must_end = kind == "count" or question["in_expectation"] or self.asker is not None
        self.meet(start, start)

    def check(self) -> None:
        """Make the traversal. Raises `Refused` where a label is wrong."""
        while self.waiting:
            number = len(self.ends)
            try:
                self.visit(number, self.waiting.popleft())
            except Fault as problem:
                raise Refused(f"state {number}: a fault of the rules: {problem}") from None
            self.ends.append(len(self.targets))
        if len(self.ends) != self.states:
            raise Refused(f"line {self.lines.number + 1}: {len(self.ends)} states were met, the part has {self.states} lines")
        if self.must_end:
            self.check_end()

    def take(self, size: int) -> None:
        self.memory -= size
        if self.memory < 0:
            raise Unreadable("the states need more memory than is allowed (--memory)")

    def meet(self, state: State, before: State) -> int:
        """The number of a state. A new one gets the next, and the next line; it may share values with the one before."""
        number = self.numbers.setdefault(state, len(self.labels))
        if number == len(self.labels):
            if number == self.states:
                raise Refused(f"line {self.lines.number + 1}: more states are met than the {self.states} lines of the part")
            own = (sys.getsizeof(value) for value, old in zip(state, before, strict=True) if value is not old)
            self.take(170 + sys.getsizeof(state) + sum(own))
            text, _, word = self.lines.next().partition(" ")
            if word:
                self.words[number] = word
            label = (0 if text == "." else None) if self.kind == "none" else read_number(text)
            if label is None or (isinstance(label, Fraction) and not self.is_bound):
                raise Refused(f"line {self.lines.number}: {shown(text)} is not a label of a part {self.kind}")
            self.labels.append(label)
            self.waiting.append(state)
        return number

    def visit(self, number: int, state: State) -> None:
        label, word, is_over = self.labels[number], self.words.pop(number, ""), state[NODE] == self.game.over
        is_goal = self.game.is_goal(state)
        if is_goal or is_over:
            self.check_ended(number, state, is_goal)
        is_expanded = not (is_goal or is_over)
        has_strategy = is_expanded and self.is_bound and self.has_strategy(state)
        if bool(word) != has_strategy:
            raise Refused(f"state {number}: " + ("no move is chosen" if has_strategy else "a move is chosen where all count"))
        moves = self.game.legal(state) if is_expanded else []
        if has_strategy:
            if not re.fullmatch("[0-9]{1,9}", word) or int(word) >= len(moves):
                raise Refused(f"state {number}: move {shown(word)} is chosen, it has {len(moves)}")
            moves = [moves[int(word)]]
        plans: Number = 0
        for move in moves:
            outcomes = self.game.apply(state, move)
            self.moves += len(outcomes)
            plain = self.plain(outcomes[0][1])
            if plain is not None and not self.is_beyond(self.worth(state, outcomes[0][1], plain), label):
                continue
            reached = [self.meet(after, state) for _, after in outcomes]
            if self.must_end:
                self.take(4 * len(reached))
                self.targets.extend(reached)
            worths = [self.worth(state, after, self.labels[one]) for (_, after), one in zip(outcomes, reached, strict=True)]
            plans += worths[0]
            if len(worths) > 1:
                mean = sum((part * worth for (part, _), worth in zip(outcomes, worths, strict=True)), Fraction())
                worths, reached = [mean], []
            if self.kind != "count" and self.is_beyond(worths[0], label):
                where = f"state {reached[0]} with label {self.labels[reached[0]]}" if reached else "several states"
                more = "" if reached and worths[0] == self.labels[reached[0]] else f", which makes {worths[0]}"
                raise Refused(f"state {number}: legal move {[*map(int, move)]} leads to {where}{more}, {self.side} {label}")
        if self.kind == "count" and not is_over and plans != label:
            raise Refused(f"state {number}: its label is {label}, the labels of its moves sum up to {plans}")

    def check_ended(self, number: int, state: State, is_goal: bool) -> None:
        """Raises `Refused` if the label of a state at the end, or at the goal, is wrong."""
        label = value = self.labels[number]
        if self.kind == "none" and is_goal:
            raise Refused(f"state {number}: what is called impossible is reached")
        if is_goal and self.cost != "turns":
            value = 0 if self.cost == "moves" else self.game.value(state)
        elif self.goal != "least":
            value = self.game.end_value(state)
            if self.kind == "count":
                value = int(value == self.value)
        if self.is_beyond(value, label) or (self.kind == "count" and value != label):
            raise Refused(f"state {number}: its value {value} is {self.side} its label {label}")

    def is_beyond(self, one: Number, label: Number) -> bool:
        return one > label if self.kind == "upper" else one < label

    def worth(self, state: State, after: State, label: Number) -> Number:
        """What the label of a state that a move leads to makes the label before it."""
        if self.cost == "turns" and self.game.is_goal(after):
            return self.turns(state)
        return label + 1 if self.cost == "moves" else label

    def turns(self, state: State) -> int:
        """The cost of a plan in turns if the next move is its last."""
        return int(state[self.counter]) + 1

    def plain(self, state: State) -> Number | None:
        """What a state would have as a label at least, or at most, whatever follows."""
        match self.cost:
            case "moves":
                return max((0, *(one.bound(state) for one in self.estimates)))
            case "turns":
                return self.turns(state)
        return self.game.settled_value(state) if self.is_bound and not self.must_end else None

    def has_strategy(self, state: State) -> bool:
        """Whether who moves wants the values on this side of the bound least."""
        asked = self.asker is None or self.game.player(state) == self.asker
        return bool(asked == (self.goal != "minimise")) != (self.kind == "upper")

    def check_end(self) -> None:
        """Refuse if a state can be reached from itself: take away states that no other one leads to."""
        into = array("I", bytes(4 * self.states))
        for target in self.targets:
            into[target] += 1
        free = [number for number in range(self.states) if not into[number]]
        for number in free:
            for target in self.targets[self.ends[number - 1] if number else 0 : self.ends[number]]:
                into[target] -= 1
                if not into[target]:
                    free.append(target)
        if len(free) != self.states:
            number = next(number for number in range(self.states) if into[number])
            raise Refused(f"state {number}: play need not end: the state is on a circle, or can be reached from one")

    def proves(self, claim: Claim) -> bool:
        """Whether the label of state 0 proves the claim."""
        label, value = self.labels[0], self.game.question["threshold"] if claim.value is None else claim.value
        if self.kind == "count":
            return label == claim.plans
        return value is None or not (label >= value if claim.status == "not reached" else self.is_beyond(label, value))


def counter_of(game: Game) -> int:
    """The slot of the variable that counts turns. Raises `Unreadable` unless it only ever grows, by 1."""
    found = [one for one in game.make.variables.values() if one.name.startswith("ends of ") and not one.has_index]
    changes = [(effect, one.name) for one in found for _, effect in game.make.changes[one.name]]
    if len(found) != 1 or any(one[0] != "write" or one[2] != ["arithmetic", "+", ["read", x, None], 1] for one, x in changes):
        raise Unreadable("core: there is not one variable that counts turns, and does not only count")
    return found[0].slot


# 9. The claim ----------------------------------------------------------------------------------------
class Claim(NamedTuple):
    status: str
    value: Number | None
    plans: int | None
    plan: list[Move] | None
    parts: list[tuple[str, int]]
    """Kind and number of states."""


class Checked(NamedTuple):
    """What a certificate has proved."""

    claim: str
    core: str
    texts: str
    states: int
    moves: int


def read_claim(header: dict[str, Json]) -> Claim:
    status, value, count = (header["claim"][name] for name in ("status", "value", "count"))
    if isinstance(value, str):
        value = read_number(value)
    elif value is not None:
        check_shape(value, int, "header: value")
    parts = [(part["kind"], part["states"]) for part in header["parts"]]
    if not all(0 < states < 1 << 32 for _, states in parts):
        raise Unreadable("header: a part has no states, or too many")
    return Claim(status, value, count, header["plan"] and [*map(tuple, header["plan"])], parts)


def parts_needed(question: dict[str, Json], claim: Claim) -> list[str]:
    """The parts that a claim needs. Raises `Refused` for a claim that the question does not have, `Unreadable` for one that
    this version does not certify."""
    together, chance = question["others"] == "together", question["in_expectation"]
    if question["others"] == "with their plans given" or (question["goal"] == "least" and (chance or not together)):
        raise Unreadable("this question has no certificate of version 1")
    best = ["upper", "lower"] if chance or not together else ["lower" if question["goal"] == "minimise" else "upper"]
    known = {
        ("least", "optimal"): ["least"] if claim.plan else [],
        ("least", "impossible"): ["none"],
        ("reach", "optimal"): best if chance else None,
        ("reach", "reached"): None if chance else [] if together else ["lower"],
        ("reach", "not reached"): None if chance else ["upper"],
    }
    is_usual = question["goal"] not in ("least", "reach") and claim.status == "optimal"
    needed = best if is_usual else known.get((question["goal"], claim.status))
    if needed is None:
        raise Refused(f"header: {shown(claim.status)} is no answer to the question")
    if (claim.value is not None) != (claim.status == "optimal") or (isinstance(claim.value, Fraction) and not chance):
        raise Refused(f"header: the value {claim.value} is none of an answer that is {claim.status}")
    planned = together and not chance and claim.status in ("optimal", "reached")
    if (claim.plan is not None) != planned:
        raise Refused("header: " + ("a plan is missing" if planned else "a plan proves nothing here"))
    if claim.plans is not None:
        if not question["counts_plans"] or not planned or question["goal"] == "least":
            raise Refused("header: the question does not ask for a number of plans, or it has no certificate")
        needed.append("count")
    return needed


def check_plan(game: Game, claim: Claim, plan: list[Move]) -> None:
    """Play the plan from the start. Raises `Refused` unless it earns what is claimed."""
    state, turns, is_least, cost = game.first(), 0, game.question["goal"] == "least", str(game.question["cost"])
    for number, move in enumerate(plan):
        if game.is_goal(state):
            raise Refused(f"plan: the goal is reached after {number} moves, before the end of the plan")
        if move not in game.legal(state):
            raise Refused(f"plan: move {number}, {list(move)}, is not legal")
        if cost == "turns":
            turns = int(state[counter_of(game)]) + 1
        ((_, state),) = game.apply(state, move)
    if not (game.is_goal(state) if is_least else state[NODE] == game.over):
        raise Refused("plan: it does not reach the goal" if is_least else "plan: play is not over after it")
    value = {"moves": len(plan), "turns": turns}.get(cost, game.value(state))
    wanted = game.question["threshold"] if claim.status == "reached" else claim.value
    if wanted is None or (value < wanted if claim.status == "reached" else value != wanted):
        raise Refused(f"plan: it comes to {value}, the claim is {wanted}")


def in_words(question: dict[str, Json], claim: Claim) -> str:
    """What is proved, in words."""
    by = " against best play" * (question["others"] != "together") + " in expectation" * question["in_expectation"]
    match question["goal"], claim.status:
        case "least", "impossible":
            return "impossible: no play reaches the goal"
        case "least", _:
            noun = "value" if question["cost"] == "values" else f"number of {question['cost']}"
            return f"the least {noun} that reaches the goal is {claim.value}"
        case "reach", "optimal":
            return f"the greatest probability of a value of at least {question['threshold']}{by} is {claim.value}"
        case "reach", status:
            return f"{status}: a value of at least {question['threshold']}{by}"
    more = "" if claim.plans is None else f"; {claim.plans} plans have it"
    return f"the {'least' if question['goal'] == 'minimise' else 'greatest'} value at the end{by} is {claim.value}{more}"


def check_certificate(stream: BinaryIO, core: Json | None, megabytes: int) -> Checked:
    """Check a certificate from the bytes of its file; with `core`, it must be about this one.

    Raises `Refused` if it does not prove its claim, `Unreadable` if it is no certificate or needs more memory.
    """
    try:
        with gzip.open(stream, "rb") as unpacked:
            return check_lines(Lines(unpacked), core, megabytes << 20)  # type: ignore[arg-type]  # a GzipFile reads like a file
    except Fault as problem:
        raise Refused(f"a fault of the rules: {problem}") from None
    except RecursionError:
        raise Unreadable("core: the rules are nested too deeply") from None


def check_lines(lines: Lines, core: Json | None, memory: int) -> Checked:
    header = read_json(lines.next(LONGEST_DOCUMENT), "header")
    check_shape(header, HEADER, "header")
    if header["schema"] != CERTIFICATE_SCHEMA:
        raise Unreadable(f"header: its schema is {shown(header['schema'])}, not {CERTIFICATE_SCHEMA}")
    claim = read_claim(header)
    document = read_json(lines.next(LONGEST_DOCUMENT), "core")
    game = Game(document)
    if not document["digest"] == header["core"] == digest_of(document):
        raise Refused(f"header: the digest of the core is {digest_of(document)}, not {shown(header['core'])}")
    if core is not None and core != document:
        differing = [name for name in document if not isinstance(core, dict) or core.get(name) != document[name]]
        raise Refused(f"core: it is not the one given, but differs in {', '.join(differing)}")
    needed, given = parts_needed(game.question, claim), [kind for kind, _ in claim.parts]
    if given != needed:
        raise Refused(f"header: the claim needs the parts {shown(needed)}, not {shown(given)}")
    if claim.plan is not None:
        check_plan(game, claim, claim.plan)
    estimates = [Estimate(game, one) for one in header["estimates"]]
    if estimates and game.question["cost"] != "moves":
        raise Refused("header: there is nothing to estimate")
    for one in estimates:
        one.check()
    states = moves = 0
    for kind, count in claim.parts:
        part = Part(game, estimates, lines, (kind, count), claim.value, memory)
        part.check()
        if not part.proves(claim):
            raise Refused(f"state 0: its label {part.labels[0]} in part {kind} does not prove the claim")
        states, moves = states + count, moves + part.moves
    if lines.read(1):
        raise Refused(f"line {lines.number}: the file goes on after its last part")
    return Checked(in_words(game.question, claim), header["core"], shown(document["texts"]), states, moves)


# 10. The command --------------------------------------------------------------------------------------
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
    print(f"checked: {checked.claim}\ncore {checked.core}, texts {checked.texts}")
    print(f"{checked.states} states, {checked.moves} moves")
    return 0


if __name__ == "__main__":
    sys.exit(main())
