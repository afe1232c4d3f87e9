"""Check a certificate: that the answer of a puzzle follows from its rules.

    python rulewright_check.py CERTIFICATE [--core CORE.json]

This file stands alone. It needs Python 3.11, nothing else, and shares no code with the program that writes certificates. It is
written from two pages: *The core* defines the rules of a game as a JSON document, *Certificates* defines what is checked here.

From top to bottom:

1. What can go wrong: `Unreadable`, `Refused`, `Fault`.
2. Reading: JSON without surprises, lines of bounded length.
3. Functions that rules apply: arithmetic, sets, zones, spaces, chance.
4. From terms and effects to Python. The document may come from a stranger. Only numbers and names made here get into the
   generated code, never a text of the document.
5. A game: start, legal moves, apply, states as bytes.
6. The parts of a certificate, each a traversal of states.
7. The claim: which parts and which plan it needs.
8. The command.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import struct
import sys
import zlib
from array import array
from bisect import insort
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

CORE_SCHEMA = "rulewright/core/1"
CERTIFICATE_SCHEMA = "rulewright/certificate/1"

LONGEST_LINE = 1 << 12
"""Bytes of a line of a part."""
LONGEST_DOCUMENT = 1 << 26
"""Bytes of the header, and of the core."""
LARGEST_SET = 1 << 20
LARGEST_NUMBER = 1 << 4096
MOST_FUNCTIONS = 10_000
MOST_OUTCOMES = 1 << 20
"""Outcomes of one move in expectation."""
LONGEST_EXPRESSION = 160
"""Characters: what is longer gets a name, so that no generated line is deeply nested."""

Json = Any
Move = tuple[int, ...]
Values = list[Any]
"""A state's values by variable: a number, a tuple of tiles, or for an index a list of them."""
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
    """The lines of a gzip file, one at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.number = 0

    def next(self, longest: int = LONGEST_LINE) -> str:
        """The next line, without its end. Raises `Refused` if the file is at its end, `Unreadable` if it cannot be read."""
        self.number += 1
        try:
            line = self.stream.readline(longest)
            if line.endswith(b"\n"):
                return line[:-1].decode()
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as problem:
            raise Unreadable(f"line {self.number}: {problem}") from None
        if len(line) == longest:
            raise Unreadable(f"line {self.number} has more than {longest} bytes")
        raise Refused(f"line {self.number}: the file ends too early")

    def at_end(self) -> bool:
        try:
            return not self.stream.read(1)
        except (OSError, EOFError, zlib.error) as problem:
            raise Unreadable(f"after line {self.number}: {problem}") from None


def read_json(text: str, place: str) -> Json:
    """A JSON value without fractions, and without a key given twice. Raises `Unreadable`."""

    def refuse(token: str) -> NoReturn:
        raise ValueError(f"{shown(token)} is not a whole number")

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("an object has a key twice")
        return found

    try:
        return json.loads(text, parse_float=refuse, parse_constant=refuse, object_pairs_hook=once)
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"{place}: {problem}") from None


def shown(value: Json) -> str:
    """A part of the document for a message: short, and without characters that a terminal obeys."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 120 else text[:117] + "..."


def fields(value: Json, names: str, place: str) -> list[Json]:
    """The fields of an object that must have exactly these. Raises `Unreadable`."""
    wanted = names.split()
    if not isinstance(value, dict) or set(value) != set(wanted):
        raise Unreadable(f"{place}: an object with the fields {', '.join(wanted)} is wanted, not {shown(value)}")
    return [value[name] for name in wanted]


def whole(value: Json, place: str) -> int:
    if type(value) is not int:
        raise Unreadable(f"{place}: a whole number is wanted, not {shown(value)}")
    return value


def listed(value: Json, place: str) -> list[Json]:
    if type(value) is not list:
        raise Unreadable(f"{place}: a list is wanted, not {shown(value)}")
    return value


def named(value: Json, place: str) -> dict[str, Json]:
    if type(value) is not dict:
        raise Unreadable(f"{place}: an object is wanted, not {shown(value)}")
    return value


def wholes(value: Json, place: str) -> tuple[int, ...]:
    return tuple(whole(one, place) for one in listed(value, place))


def truth(value: Json, place: str) -> bool:
    if type(value) is not bool:
        raise Unreadable(f"{place}: true or false is wanted, not {shown(value)}")
    return value


def digest_of(core: dict[str, Json]) -> str:
    """The digest that the core's page defines."""
    counted = {name: value for name, value in core.items() if name not in ("schema", "rules", "texts", "digest")}
    return sha256(json.dumps(counted, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# 3. Functions that rules apply -----------------------------------------------------------------------


def times(one: int, other: int) -> int:
    product = one * other
    if not -LARGEST_NUMBER < product < LARGEST_NUMBER:
        raise Fault("a number has more than 4096 bits")
    return product


def div(one: int, other: int) -> int:
    return one // other if other else 0


def mod(one: int, other: int) -> int:
    return one % other if other else 0


def interval(first: int, last: int) -> range:
    if last - first >= LARGEST_SET:
        raise Fault(f"a set has more than {LARGEST_SET} elements")
    return range(first, last + 1)


def join(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    if len(one) + len(other) > LARGEST_SET:
        raise Fault(f"a set has more than {LARGEST_SET} elements")
    return (*one, *other)


def without(zone: tuple[int, ...], tile: int, bottom: bool) -> tuple[int, ...]:
    """A zone after its first tile of this kind has left, or with `bottom` its last one."""
    if tile not in zone:
        raise Fault(f"tile {tile} is not there")
    place = len(zone) - 1 - zone[::-1].index(tile) if bottom else zone.index(tile)
    return zone[:place] + zone[place + 1 :]


def with_tile(zone: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """A set with a tile more, in its order."""
    tiles = list(zone)
    insort(tiles, tile)
    return tuple(tiles)


def split(zone: tuple[int, ...], count: int, bottom: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first tiles that leave a zone, in their order, and those that stay."""
    count = max(0, min(count, len(zone)))
    if not bottom:
        return zone[:count], zone[count:]
    return zone[len(zone) - count :][::-1], zone[: len(zone) - count]


class Space:
    """The functions of a space. A cell or direction that is not in the tables is taken as nowhere, or as none."""

    def __init__(self, value: Json, maps: dict[str, Json], place: str) -> None:
        size, step, opposite, clockwise, around, straight, wrapped = fields(
            value, "size step opposite clockwise around straight wrapped", place
        )
        self.size = whole(size, place)
        for name in (step, opposite, clockwise):
            if name not in maps:
                raise Unreadable(f"{place}: there is no map {shown(name)}")
        self.step: list[tuple[int, ...]] = [wholes(row, place) for row in listed(maps[step]["entries"], place)]
        if any(len(row) != self.size + 1 or not all(0 <= to <= self.size for to in row) for row in self.step):
            raise Unreadable(f"{place}: `step` does not lead from each cell to a cell")
        directions = range(len(self.step))
        self.opposite = wholes(maps[opposite]["entries"], place)
        self.clockwise = wholes(maps[clockwise]["entries"], place)
        self.around = wholes(around, place)
        known = {*self.around, *self.clockwise, *self.opposite} <= {-1, *directions}
        if not known or not len(self.step) == len(self.opposite) == len(self.clockwise):
            raise Unreadable(f"{place}: directions and their tables disagree")
        self.straight = truth(straight, place)
        self.wrapped = truth(wrapped, place)
        remembered = lru_cache(maxsize=1 << 18)
        self.functions: dict[str, Callable[..., Any]] = {
            "distance": remembered(self.distance),
            "line": remembered(self.line),
            "toward": remembered(self.toward),
            "leap": remembered(self.leap),
            "turn": remembered(self.turn),
        }

    def distance(self, start: int, goal: int) -> int:
        if not (0 <= start < self.size and 0 <= goal < self.size):
            return -1
        steps, border, seen = 0, [start], {start}
        while border:
            if goal in seen:
                return steps
            border = list({self.step[way][cell] for cell in border for way in self.around} - seen - {self.size})
            seen.update(border)
            steps += 1
        return -1

    def line(self, start: int, way: int) -> tuple[int, ...]:
        if not (0 <= way < len(self.step) and 0 <= start <= self.size):
            return ()
        found: list[int] = []
        cell = self.step[way][start]
        while cell not in (self.size, start):
            if len(found) > self.size:
                raise Fault(f"the line from cell {start} in direction {way} has no end")
            found.append(cell)
            if not self.straight:
                break
            cell = self.step[way][cell]
        return tuple(found)

    def toward(self, start: int, goal: int) -> int:
        lines = ((self.line(start, way), way) for way in range(len(self.step)))
        return min(((line.index(goal), way) for line, way in lines if goal in line), default=(0, -1))[1]

    def leap(self, start: int, way: int, steps: int) -> int:
        if way == -1:
            return start if steps == 0 else self.size
        if steps < 0:
            return self.leap(start, self.opposite[way] if 0 <= way < len(self.opposite) else -1, -steps)
        cell = start
        for _ in range(steps % self.size if self.wrapped else min(steps, self.size)):
            cell = self.step[way][cell] if 0 <= way < len(self.step) and 0 <= cell <= self.size else self.size
        return cell

    def turn(self, way: int, times: int) -> int:
        if not 0 <= way < len(self.clockwise):
            return -1
        circle = [way]
        while (way := self.clockwise[way]) != circle[0]:
            if way == -1 or len(circle) > len(self.clockwise):
                raise Fault(f"turning from direction {circle[0]} does not come back to it")
            circle.append(way)
        return circle[times % len(circle)]


class Seeded:
    """Chance that is known: from a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def below(self, count: int) -> int:
        self.seed = (self.seed + 0x9E3779B97F4A7C15) % (1 << 64)
        mixed = self.seed
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % (1 << 64)
        return (mixed ^ mixed >> 31) % count

    def draw(self, elements: Sequence[int]) -> int:
        if not elements:
            raise Fault("a random element of a set without elements")
        return elements[self.below(len(elements)) if len(elements) > 1 else 0]

    def shuffle(self, zone: tuple[int, ...]) -> tuple[int, ...]:
        tiles = list(zone)
        for last in range(len(tiles) - 1, 0, -1):
            other = self.below(last + 1)
            tiles[last], tiles[other] = tiles[other], tiles[last]
        return tuple(tiles)


class Branching:
    """Chance in expectation: each draw turns out as `script` says, first as its first outcome; `turn` makes the next script."""

    def __init__(self) -> None:
        self.seed = 0
        self.script: list[int] = []
        self.begin()

    def begin(self) -> None:
        self.drawn = 0
        self.sizes: list[int] = []
        self.probability = Fraction(1)

    def turn(self) -> bool:
        """Go on to the outcome that is next in order; false after the last one."""
        while self.script and self.script[-1] + 1 == self.sizes[len(self.script) - 1]:
            self.script.pop()
        if not self.script:
            return False
        self.script[-1] += 1
        self.begin()
        return True

    def draw(self, elements: Sequence[int], order: Sequence[int] | None = None) -> int:
        if not elements:
            raise Fault("a random element of a set without elements")
        copies = Counter(elements)
        if len(copies) == 1:
            return elements[0]
        outcomes = [one for one in dict.fromkeys(order or elements) if one in copies]
        if self.drawn == len(self.script):
            self.script.append(0)
        chosen = outcomes[self.script[self.drawn]]
        self.drawn += 1
        self.sizes.append(len(outcomes))
        self.probability *= Fraction(copies[chosen], len(elements))
        return chosen

    def shuffle(self, zone: tuple[int, ...]) -> tuple[int, ...]:
        left, order = list(zone), []
        while len(set(left)) > 1:
            order.append(self.draw(left, zone))
            left.remove(order[-1])
        return (*order, *left)


# 4. From terms and effects to Python -----------------------------------------------------------------


class Code(NamedTuple):
    """A term as a Python expression without side effects. A truth value is a bool or a number."""

    text: str
    is_set: bool = False
    is_truth: bool = False
    once: bool = False
    """Whether no element of the set comes twice, as far as is known."""

    @property
    def is_atom(self) -> bool:
        return self.text.isidentifier() or self.text.isdigit()

    @property
    def condition(self) -> str:
        return self.text if self.is_truth else f"({self.text} == 1)"


Environment = tuple[Code, ...]


@dataclass(frozen=True)
class Variable:
    """A variable of the state; `slot` is its number."""

    slot: int
    name: str
    storage: str
    index: tuple[int, int] | None
    least: int
    greatest: int
    none: int

    @property
    def is_zone(self) -> bool:
        return self.storage != "value"

    @property
    def count(self) -> int:
        return 1 if self.index is None else self.index[1] - self.index[0] + 1

    @property
    def format(self) -> str:
        """The letter of `struct` and `array` for its numbers."""
        for letter in "BbHhIiQq":
            values = 1 << 8 * struct.calcsize(f"<{letter}")
            lowest = -values // 2 if letter.islower() else 0
            if lowest <= self.least and self.greatest < lowest + values:
                return letter
        raise Unreadable(f"variable {shown(self.name)}: its numbers do not fit into 64 bits")


def read_variable(slot: int, value: Json) -> Variable:
    place = f"core: variable {slot}"
    name, storage, index, values, none = fields(value, "name storage index values none", place)
    if type(name) is not str or storage not in ("value", "set", "pile"):
        raise Unreadable(f"{place}: its name or storage is {shown([name, storage])}")
    bounds = None
    if index is not None:
        first, last = wholes(index, place)[:2] if len(listed(index, place)) == 2 else (0, LARGEST_SET)
        if not 0 <= last - first < LARGEST_SET:
            raise Unreadable(f"{place}: its index is {shown(index)}")
        bounds = (first, last)
    if len(listed(values, place)) != 2:
        raise Unreadable(f"{place}: its values are {shown(values)}")
    least, greatest = wholes(values, place)
    return Variable(slot, name, storage, bounds, least, greatest, whole(none, place))


class Target(NamedTuple):
    """What an effect changes, as Python text to read and to assign to."""

    text: str
    variable: Variable
    bottom: bool


class Compiler:
    """Makes one Python function at a time of terms and effects; definitions they call are made with them."""

    def __init__(self, core: dict[str, Json]) -> None:
        self.variables: dict[str, Variable] = {}
        for slot, value in enumerate(listed(core["variables"], "core: variables")):
            variable = read_variable(slot, value)
            if variable.name in self.variables:
                raise Unreadable(f"core: two variables are called {shown(variable.name)}")
            self.variables[variable.name] = variable
        self.globals: dict[str, Any] = {
            "times": times, "div": div, "mod": mod, "interval": interval, "join": join, "without": without,
            "with_tile": with_tile, "split": split, "fault": self.fault,
        }  # fmt: skip
        self.maps = named(core["maps"], "core: maps")
        self.rows = named(core["rows"], "core: rows")
        self.tables: dict[tuple[str, str], str] = {}
        self.none: dict[str, int] = {}
        for name, table in self.maps.items():
            place = f"core: map {shown(name)}"
            keys, entries, none = fields(table, "keys entries none", place)
            if whole(keys, place) not in (1, 2):
                raise Unreadable(f"{place}: it has {keys} keys")
            self.none[name] = whole(none, place)
            read = wholes(entries, place) if keys == 1 else tuple(wholes(row, place) for row in listed(entries, place))
            self.tables["map", name] = self.new_global("map", read)
        for name, table in self.rows.items():
            place = f"core: rows {shown(name)}"
            self.tables["row", name] = self.new_global("row", tuple(wholes(row, place) for row in listed(table, place)))
        self.spaces = {
            name: Space(value, self.maps, f"core: space {shown(name)}")
            for name, value in named(core["spaces"], "core: spaces").items()
        }
        self.space_functions: dict[tuple[str, str], str] = {}
        self.definitions = named(core["definitions"], "core: definitions")
        self.made: dict[tuple[str, tuple[bool, ...]], Code | None] = {}
        self.certain_definitions: dict[str, bool] = {}
        self.faults: list[str] = []
        self.written: set[int] = set()
        self.uses_chance = False
        self.names = 0
        self.lines: list[tuple[int, str]] = []
        self.depth = 0

    def fault(self, number: int) -> NoReturn:
        raise Fault(self.faults[number])

    # Lines and names

    def new_global(self, kind: str, value: Any) -> str:
        name = f"{kind}_{len(self.globals)}"
        self.globals[name] = value
        return name

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def line(self, text: str) -> None:
        self.lines.append((self.depth, text))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        self.depth += 1
        yield
        self.depth -= 1

    @contextmanager
    def aside(self) -> Iterator[list[tuple[int, str]]]:
        """Collect lines; `put` writes them."""
        before, self.lines = self.lines, []
        depth, self.depth = self.depth, 0
        yield self.lines
        self.lines, self.depth = before, depth

    def put(self, lines: list[tuple[int, str]]) -> None:
        self.lines.extend((self.depth + depth, text) for depth, text in lines)

    def name(self, code: Code) -> Code:
        """The same value, evaluated here, under a name."""
        if code.is_atom:
            return code
        name = self.fresh()
        self.line(f"{name} = {code.text}")
        return code._replace(text=name)

    def fault_line(self, condition: str, message: str) -> None:
        self.faults.append(message)
        self.line(f"if {condition}: fault({len(self.faults) - 1})")

    def function(self, parameters: str, write: Callable[[], None]) -> Any:
        """Compile a function whose lines `write` writes."""
        return self.globals[self.define(parameters, write)]

    def define(self, parameters: str, write: Callable[[], None]) -> str:
        name = f"function_{len(self.globals)}"
        self.globals[name] = None
        if len(self.globals) > MOST_FUNCTIONS:
            raise Unreadable(f"core: the rules make more than {MOST_FUNCTIONS} functions")
        with self.aside() as lines, self.block(f"def {name}({parameters}):"):
            write()
        source = "\n".join(" " * depth + text for depth, text in lines)
        try:
            exec(compile(source, f"<{name}>", "exec"), self.globals)
        except (SyntaxError, RecursionError, MemoryError) as problem:
            raise Unreadable(f"core: the rules are nested too deeply ({problem})") from None
        return name

    # Terms

    def term(self, term: Json, environment: Environment) -> Code:
        code = self.expression(term, environment)
        return self.name(code) if len(code.text) > LONGEST_EXPRESSION else code

    def scalar(self, term: Json, environment: Environment) -> Code:
        code = self.term(term, environment)
        if code.is_set:
            raise Unreadable(f"core: a number is wanted, not the set {shown(term)}")
        return code

    def number(self, term: Json, environment: Environment) -> str:
        return self.scalar(term, environment).text

    def condition(self, term: Json, environment: Environment) -> str:
        return self.scalar(term, environment).condition

    def set(self, term: Json, environment: Environment) -> Code:
        code = self.term(term, environment)
        if not code.is_set:
            raise Unreadable(f"core: a set is wanted, not the number {shown(term)}")
        return code

    def expression(self, term: Json, environment: Environment) -> Code:  # noqa: PLR0912 (one case for each term of the core)
        size = len(environment)
        match term:
            case int() if type(term) is int:
                return Code(str(term) if term >= 0 else f"({term})", is_truth=term in (0, 1))
            case ["local", int(place)] if 0 <= place < size:
                return environment[place]
            case ["read", str(name), index] if name in self.variables and not self.variables[name].is_zone:
                variable = self.variables[name]
                return Code(self.read(variable, index, environment, str(variable.none)))
            case ["zone", str(name), index] if name in self.variables and self.variables[name].is_zone:
                return Code(self.read(self.variables[name], index, environment, "()"), is_set=True)
            case ["lookup", str(name), *keys] if name in self.maps and len(keys) == self.maps[name]["keys"]:
                return Code(self.lookup(name, [self.number(key, environment) for key in keys]))
            case ["row", str(name), index] if name in self.rows:
                table = self.tables["row", name]
                key = self.fresh()
                inside = f"0 <= ({key} := {self.number(index, environment)}) < {len(self.globals[table])}"
                return Code(f"({table}[{key}] if {inside} else ())", is_set=True)
            case ["apply", str(function), str(name), *arguments] if name in self.spaces:
                return self.applied(function, name, [self.number(one, environment) for one in arguments])
            case ["not", inner]:
                code = self.scalar(inner, environment)
                return Code(f"(not {code.text})", is_truth=True) if code.is_truth else Code(f"(1 - {code.text})")
            case ["and", *terms]:
                return self.junction("and", terms, environment)
            case ["or", *terms]:
                return self.junction("or", terms, environment)
            case ["choice", condition, one, other]:
                return self.choice(condition, one, other, environment)
            case ["compare", ("=" | "!=" | "<" | "<=" | ">" | ">=") as sign, one, other]:
                sign = "==" if sign == "=" else sign
                return Code(f"({self.number(one, environment)} {sign} {self.number(other, environment)})", is_truth=True)
            case ["arithmetic", ("+" | "-") as sign, one, other]:
                return Code(f"({self.number(one, environment)} {sign} {self.number(other, environment)})")
            case ["arithmetic", ("*" | "div" | "mod") as word, one, other]:
                function = "times" if word == "*" else word
                return Code(f"{function}({self.number(one, environment)}, {self.number(other, environment)})")
            case ["call", str(name), *arguments] if name in self.definitions:
                return self.call(name, [self.term(one, environment) for one in arguments])
            case ["fault"]:
                self.faults.append("the rules give a value no meaning here")
                return Code(f"fault({len(self.faults) - 1})")
            case ["in", one, several]:
                element = self.number(one, environment)
                return Code(f"({element} in {self.set(several, environment).text})", is_truth=True)
            case ["list", *terms]:
                elements = "".join(f"{self.number(one, environment)}, " for one in terms)
                text = f"({elements})" if len(terms) < 2 else f"tuple(dict.fromkeys(({elements})))"
                return Code(text, is_set=True, once=True)
            case ["interval", int(one), int(other)] if other - one < LARGEST_SET:
                return Code(f"range({one:d}, {other + 1:d})", is_set=True, once=True)
            case ["interval", one, other]:
                text = f"interval({self.number(one, environment)}, {self.number(other, environment)})"
                return Code(text, is_set=True, once=True)
            case ["join", one, other]:
                text = f"join({self.set(one, environment).text}, {self.set(other, environment).text})"
                return Code(text, is_set=True)
            case ["top", several, bool(bottom)]:
                code = self.name(self.set(several, environment))
                return Code(f"({code.text}[{-1 if bottom else 0}] if {code.text} else 0)")
            case ["let", int(place), value, inner] if place == size:
                return self.term(inner, (*environment, self.name(self.term(value, environment))))
            case ["filter" | "image" | "closure" as word, int(place), several, inner] if place == size:
                return self.binding(word, several, inner, environment)
            case ["fold", str(kind), int(place), several, inner, int(empty)] if place == size:
                return self.fold(kind, several, inner, empty, environment)
        raise Unreadable(f"core: {shown(term)} is not a term where {size} values are known")

    def inside(self, variable: Variable, index: str) -> tuple[str, str, str]:
        """Whether an index is inside; it under a name that this condition gives it; the place in the list."""
        assert variable.index is not None
        first, last = variable.index
        key = self.fresh()
        return f"{first} <= ({key} := {index}) <= {last}", key, key if first == 0 else f"{key} - {first}"

    def read(self, variable: Variable, index: Json, environment: Environment, none: str) -> str:
        if (variable.index is None) != (index is None):
            raise Unreadable(f"core: variable {shown(variable.name)} is read at {shown(index)}")
        if variable.index is None:
            return f"s[{variable.slot}]"
        inside, _, place = self.inside(variable, self.number(index, environment))
        return f"(s[{variable.slot}][{place}] if {inside} else {none})"

    def lookup(self, name: str, keys: list[str]) -> str:
        table = self.tables["map", name]
        entries = self.globals[table]
        first = self.fresh()
        inside = f"0 <= ({first} := {keys[0]}) < {len(entries)}"
        if len(keys) == 1:
            return f"({table}[{first}] if {inside} else {self.none[name]})"
        widths = {len(row) for row in entries}
        if len(widths) > 1:
            raise Unreadable(f"core: map {shown(name)} has rows of several lengths")
        second = self.fresh()  # with `&`, both keys are evaluated
        inside = f"({inside}) & (0 <= ({second} := {keys[1]}) < {max(widths, default=0)})"
        return f"({table}[{first}][{second}] if {inside} else {self.none[name]})"

    def applied(self, function: str, name: str, arguments: list[str]) -> Code:
        counts = {"distance": 2, "line": 2, "toward": 2, "leap": 3, "turn": 2}
        if counts.get(function) != len(arguments):
            raise Unreadable(f"core: no function {shown(function)} of a space takes {len(arguments)} values")
        if (function, name) not in self.space_functions:
            self.space_functions[function, name] = self.new_global("space", self.spaces[name].functions[function])
        text = f"{self.space_functions[function, name]}({', '.join(arguments)})"
        return Code(text, is_set=function == "line")

    def junction(self, word: str, terms: list[Json], environment: Environment) -> Code:
        """`and`, `or`: terms that are expressions are joined; one that needs lines is evaluated under an `if`."""
        parts: list[str] = []
        for term in terms:
            with self.aside() as lines:
                condition = self.condition(term, environment)
            if lines:
                held = self.fresh()
                self.line(f"{held} = {f' {word} '.join(parts) or word == 'and'}")
                with self.block(f"if {held}:" if word == "and" else f"if not {held}:"):
                    self.put(lines)
                    self.line(f"{held} = {condition}")
                parts = [held]
            else:
                parts.append(condition)
        return Code(f"({f' {word} '.join(parts) or word == 'and'})", is_truth=True)

    def choice(self, condition: Json, one: Json, other: Json, environment: Environment) -> Code:
        chosen = self.condition(condition, environment)
        with self.aside() as lines:
            code = self.term(one, environment)
        with self.aside() as other_lines:
            other_code = self.term(other, environment)
        if code.is_set != other_code.is_set:
            raise Unreadable(f"core: {shown(one)} and {shown(other)} are a number and a set")
        found = code._replace(is_truth=code.is_truth and other_code.is_truth, once=code.once and other_code.once)
        if not lines and not other_lines:
            return found._replace(text=f"({code.text} if {chosen} else {other_code.text})")
        result = self.fresh()
        for head, inner, text in ((f"if {chosen}:", lines, code.text), ("else:", other_lines, other_code.text)):
            with self.block(head):
                self.put(inner)
                self.line(f"{result} = {text}")
        return found._replace(text=result)

    def call(self, name: str, arguments: list[Code]) -> Code:
        """A call of a definition: it is compiled once for each combination of numbers and sets it is called with."""
        parameters, body = fields(self.definitions[name], "parameters body", f"core: definition {shown(name)}")
        if parameters != len(arguments):
            raise Unreadable(f"core: definition {shown(name)} is called with {len(arguments)} values")
        key = name, tuple(one.is_set for one in arguments)
        if key not in self.made:
            self.made[key] = None
            entries = tuple(Code(f"a{number}", one.is_set) for number, one in enumerate(arguments))
            result: list[Code] = []

            def write() -> None:
                result.append(self.term(body, entries))
                self.line(f"return {result[0].text}")

            function = self.define(", ".join(("s", *(one.text for one in entries))), write)
            self.made[key] = result[0]._replace(text=function)
        made = self.made[key]
        if made is None:
            raise Unreadable(f"core: definition {shown(name)} calls itself")
        return made._replace(text=f"{made.text}({', '.join(('s', *(one.text for one in arguments)))})")

    def certain(self, term: Json) -> bool:
        """Whether a term surely has a value: no fault is in it, nor in what it calls."""
        if not isinstance(term, list) or not term:
            return True
        if term[0] == "fault":
            return False
        if term[0] == "call" and len(term) > 1 and isinstance(term[1], str):
            if term[1] not in self.certain_definitions:
                self.certain_definitions[term[1]] = False  # if it calls itself
                body = named(self.definitions.get(term[1], {}), "core: definition").get("body")
                self.certain_definitions[term[1]] = self.certain(body)
            if not self.certain_definitions[term[1]]:
                return False
        return all(self.certain(inner) for inner in term[1:])

    @contextmanager
    def loop(self, term: Json, environment: Environment, once: bool = False) -> Iterator[Code]:
        """A `for` over the elements of a set, with `once` each once. Filters become an `if` inside, unless they may fault."""
        match term:
            case ["filter", int(place), several, inner] if place == len(environment) and self.certain(inner):
                with self.loop(several, environment, once) as element:
                    self.line(f"if not {self.condition(inner, (*environment, element))}: continue")
                    yield element
            case _:
                code = self.set(term, environment)
                element = Code(self.fresh())
                several = f"dict.fromkeys({code.text})" if once and not code.once else code.text
                with self.block(f"for {element.text} in {several}:"):
                    yield element

    def binding(self, word: str, several: Json, inner: Json, environment: Environment) -> Code:
        if word == "closure":
            found = self.name(Code(f"[{self.number(several, environment)}]"))
            held = self.name(Code(f"set({found.text})"))
            element, step = Code(self.fresh()), self.fresh()
            with self.block(f"for {element.text} in {found.text}:"):
                steps = self.set(inner, (*environment, element)).text
                with self.block(f"for {step} in {steps}:"), self.block(f"if {step} not in {held.text}:"):
                    self.line(f"{held.text}.add({step})")
                    self.line(f"{found.text}.append({step})")
                self.fault_line(f"len({found.text}) > {LARGEST_SET}", "a closure has too many elements")
            return Code(found.text, is_set=True, once=True)
        found = self.name(Code("[]" if word == "filter" else "{}"))
        with self.loop(several, environment) as element:
            if word == "filter":
                with self.block(f"if {self.condition(inner, (*environment, element))}:"):
                    self.line(f"{found.text}.append({element.text})")
            else:
                self.line(f"{found.text}[{self.number(inner, (*environment, element))}] = None")
        return Code(found.text, is_set=True) if word == "filter" else Code(f"tuple({found.text})", is_set=True, once=True)

    def fold(self, kind: str, several: Json, inner: Json, empty: int, environment: Environment) -> Code:
        result = self.fresh()
        if kind in ("every", "some"):
            usual, sought = (1, "not ") if kind == "every" else (0, "")
            self.line(f"{result} = {empty}")
            with self.loop(several, environment) as element:
                if empty != usual:
                    self.line(f"{result} = {usual}")
                with self.block(f"if {sought}{self.condition(inner, (*environment, element))}:"):
                    self.line(f"{result} = {1 - usual}")
                    self.line("break")
            return Code(result, is_truth=empty in (0, 1))
        if kind == "sum" and empty == 0:
            self.line(f"{result} = 0")
            with self.loop(several, environment) as element:
                self.line(f"{result} += {self.number(inner, (*environment, element))}")
            return Code(result)
        best = self.fresh()
        self.line(f"{result} = {empty}")
        self.line(f"{best} = None")
        with self.loop(several, environment) as element:
            value = self.name(Code(self.number(inner, (*environment, element)))).text
            match kind:
                case "sum":
                    self.line(f"{best} = {result} = {value} if {best} is None else {best} + {value}")
                case "least" | "first least" | "greatest" | "first greatest":
                    with self.block(f"if {best} is None or {value} {'<' if kind.endswith('least') else '>'} {best}:"):
                        self.line(f"{best} = {value}")
                        self.line(f"{result} = {element.text if kind.startswith('first') else value}")
                case _:
                    raise Unreadable(f"core: there is no fold {shown(kind)}")
        return Code(result)

    # Effects

    def effects(self, effects: Json, environment: Environment) -> None:
        if not listed(effects, "core: effects"):
            self.line("pass")
        for effect in effects:
            environment = self.effect(effect, environment)

    def effect(self, effect: Json, environment: Environment) -> Environment:
        """Write the lines of an effect; the environment of the effects that follow it."""
        match effect:
            case ["write", place, term]:
                value = self.name(Code(self.number(term, environment))).text
                self.assign(self.target(place, environment, is_zone=False), value)
            case ["transfer", source, goal, term]:
                tile = self.name(Code(self.number(term, environment))).text
                self.transfer(self.target(source, environment), self.target(goal, environment), tile)
            case ["deal", term, source, goal]:
                count = self.name(Code(self.number(term, environment))).text
                self.deal(count, self.target(source, environment, is_zone=True), self.target(goal, environment, is_zone=True))
            case ["shuffle", place]:
                zone = self.target(place, environment, is_zone=True)
                self.uses_chance = True
                self.line(
                    f"{zone.text} = tuple({'sorted' if zone.variable.storage == 'set' else ''}(chance.shuffle({zone.text})))"
                )
            case ["name", int(place), term, False] if place == len(environment):
                code = self.term(term, environment)
                name = self.fresh()  # evaluated here: what follows changes the state
                self.line(f"{name} = {code.text}")
                return (*environment, code._replace(text=name))
            case ["name", int(place), term, True] if place == len(environment):
                self.uses_chance = True
                name = self.fresh()
                self.line(f"{name} = chance.draw(tuple({self.set(term, environment).text}))")
                return (*environment, Code(name))
            case ["if", term, then, otherwise]:
                with self.block(f"if {self.condition(term, environment)}:"):
                    self.effects(then, environment)
                with self.block("else:"):
                    self.effects(otherwise, environment)
            case ["for", int(place), term, inner] if place == len(environment):
                element = Code(self.fresh())
                with self.block(f"for {element.text} in tuple({self.set(term, environment).text}):"):
                    self.effects(inner, (*environment, element))
            case ["end", bool(game)]:
                self.line("over = True" if game else "left = True")
            case _:
                raise Unreadable(f"core: {shown(effect)} is not an effect where {len(environment)} values are known")
        return environment

    def target(self, place: Json, environment: Environment, is_zone: bool | None = None) -> Target:
        match place:
            case [str(name), index, bool(bottom)] if name in self.variables:
                variable = self.variables[name]
            case _:
                raise Unreadable(f"core: {shown(place)} is not a place")
        if (variable.index is None) != (index is None) or is_zone not in (None, variable.is_zone):
            raise Unreadable(f"core: variable {shown(name)} cannot be changed at {shown(place)}")
        self.written.add(variable.slot)
        if variable.index is None:
            return Target(f"s[{variable.slot}]", variable, bottom)
        inside, _, key = self.inside(variable, self.number(index, environment))
        self.fault_line(f"not {inside}", f"{shown(name)} is changed outside of its index")
        return Target(f"s[{variable.slot}][{key}]", variable, bottom)

    def assign(self, target: Target, value: str) -> None:
        variable = target.variable
        message = f"a value of {shown(variable.name)} is not from {variable.least} to {variable.greatest}"
        self.fault_line(f"not {variable.least} <= {value} <= {variable.greatest}", message)
        self.line(f"{target.text} = {value}")

    def transfer(self, source: Target, goal: Target, tile: str) -> None:
        if source.variable.is_zone:
            self.line(f"{source.text} = without({source.text}, {tile}, {source.bottom})")
        else:
            self.fault_line(f"{tile} <= 0 or {source.text} != {tile}", f"the tile is not on {shown(source.variable.name)}")
            self.line(f"{source.text} = 0")
        if goal.variable.is_zone:
            variable = goal.variable
            message = f"a tile is not one of {shown(variable.name)}"
            self.fault_line(f"not {variable.least} <= {tile} <= {variable.greatest}", message)
            added = f"with_tile({goal.text}, {tile})"
            if variable.storage == "pile":
                added = f"(*{goal.text}, {tile})" if goal.bottom else f"({tile}, *{goal.text})"
            self.line(f"{goal.text} = {added}")
        else:
            self.fault_line(f"{goal.text} != 0", f"a tile is there already on {shown(goal.variable.name)}")
            self.assign(goal, tile)

    def deal(self, count: str, source: Target, goal: Target) -> None:
        dealt, variable = self.fresh(), goal.variable
        self.line(f"{dealt}, {source.text} = split({source.text}, {count}, {source.bottom})")
        if (variable.least, variable.greatest) != (source.variable.least, source.variable.greatest):
            outside = f"not all({variable.least} <= tile <= {variable.greatest} for tile in {dealt})"
            self.fault_line(outside, f"a tile is not one of {shown(variable.name)}")
        if variable.storage == "set":
            self.line(f"{goal.text} = tuple(sorted({goal.text} + {dealt}))")
        else:
            self.line(f"{goal.text} = " + (f"{goal.text} + {dealt}" if goal.bottom else f"{dealt}[::-1] + {goal.text}"))


# 5. A game -------------------------------------------------------------------------------------------


class State(NamedTuple):
    """A state, unpacked."""

    node: int
    seed: int
    values: Values


class Outcome(NamedTuple):
    """A state that a move may lead to, with its probability."""

    probability: Fraction
    state: State


@dataclass(frozen=True)
class Question:
    """What is asked, with terms as functions of a state's values."""

    goal: str
    threshold: int | None
    cost: str | None
    others: str
    player: int | None
    in_expectation: bool
    counts_plans: bool
    value: Callable[[Values], int]
    until: Callable[[Values], int] | None


RESUME, LEAVE, OVER = 0, 1, 2
WAIT = -1
CERTAIN = Fraction(1)


class Game:
    """A core document as functions. Raises `Unreadable` if it is none."""

    def __init__(self, core: Json) -> None:
        names = (
            "schema rules texts digest players variables maps rows spaces definitions actions flow most scores start question"
        )
        fields(core, names, "core")
        if core["schema"] != CORE_SCHEMA:
            raise Unreadable(f"core: its schema is {shown(core['schema'])}, not {CORE_SCHEMA}")
        self.core: dict[str, Json] = core
        self.compiler = Compiler(core)
        self.most = whole(core["most"], "core: most")
        self.flow = listed(core["flow"], "core: flow")
        if not self.flow or self.flow[-1] != ["over"]:
            raise Unreadable("core: the last node of the flow is not over")
        self.over = len(self.flow) - 1
        node, seed, values = fields(core["start"], "node seed values", "core: start")
        self.begin = self.node_number(node)
        self.actions = listed(core["actions"], "core: actions")
        self.moves_of: dict[int, str] = {}
        self.apply_of: dict[int, Callable[..., int]] = {}
        self.steps: dict[int, Callable[..., int]] = {}
        self.legal_at: dict[int, Callable[[Values], Iterator[Move]]] = {}
        self.player_at: dict[int, Callable[[Values], int]] = {}
        self.after: dict[int, tuple[int, int, int]] = {}
        self.compile_flow()
        self.question = None if core["question"] is None else self.read_question(core["question"])
        self.states = StateBytes(self)
        self.start_seed = whole(seed, "core: start.seed")
        if not 0 <= self.start_seed < 1 << 64:
            raise Unreadable("core: the seed has more than 64 bits")
        self.start_values = self.read_values(values)
        self.branching = self.question is not None and self.question.in_expectation

    # Reading

    def node_number(self, value: Json) -> int:
        if not 0 <= whole(value, "core: flow") < len(self.flow):
            raise Unreadable(f"core: the flow has no node {value}")
        return int(value)

    def read_values(self, values: Json) -> Values:
        variables = self.compiler.variables.values()
        if set(named(values, "core: start")) != {variable.name for variable in variables}:
            raise Unreadable("core: the start has not exactly the variables")
        return [self.read_value(variable, values[variable.name]) for variable in variables]

    def read_value(self, variable: Variable, value: Json) -> Any:
        place = f"core: start of {shown(variable.name)}"
        entries: list[Any] = [wholes(one, place) if variable.is_zone else whole(one, place) for one in listed(value, place)]
        if len(entries) != variable.count:
            raise Unreadable(f"{place}: {len(entries)} values, {variable.count} are wanted")
        for entry in entries:
            numbers = entry if variable.is_zone else (entry,)
            if not all(variable.least <= number <= variable.greatest for number in numbers):
                raise Unreadable(f"{place}: a value is not from {variable.least} to {variable.greatest}")
            if variable.storage == "set" and list(numbers) != sorted(numbers):
                raise Unreadable(f"{place}: a set is not in ascending order")
        return entries[0] if variable.index is None else entries

    def compile_flow(self) -> None:
        """Compile the nodes that play can come to, and the actions chosen there."""
        waiting = [self.begin]
        while waiting:
            node = waiting.pop()
            if node not in self.steps:
                self.steps[node], following = self.compile_node(node)
                waiting += [self.node_number(one) for one in following]

    def compile_node(self, node: int) -> tuple[Callable[..., int], list[Json]]:
        """A function that runs a node and returns the next one, or `WAIT`; and the nodes that may follow."""
        make = self.compiler
        match self.flow[node]:
            case ["run", effects, following]:
                self.node_number(following)

                def run() -> None:
                    make.line("over = False")
                    make.effects(effects, ())
                    make.line(f"return {self.over} if over else {following}")

                return make.function("s, chance", run), [following, self.over]
            case ["test", term, then, otherwise]:
                then, otherwise = self.node_number(then), self.node_number(otherwise)
                step = make.function(
                    "s, chance", lambda: make.line(f"return {then} if {make.condition(term, ())} else {otherwise}")
                )
                return step, [then, otherwise]
            case ["choose", int(), list(actions), bool(stop), player, resume, leave]:
                resume, leave = self.node_number(resume), self.node_number(leave)
                legal = self.compile_choice(wholes(actions, "core: choose"), stop)
                self.legal_at[node] = make.globals[legal]
                self.player_at[node] = make.function("s", lambda: make.line(f"return {make.number(player, ())}"))
                self.after[node] = (resume, leave, self.over)

                def wait() -> None:
                    if not stop:
                        make.line(f"for move in {legal}(s): return {WAIT}")
                    make.line(f"return {WAIT if stop else leave}")

                return make.function("s, chance", wait), [resume, leave, self.over]
            case ["over"]:
                return make.function("s, chance", lambda: make.line(f"return {WAIT}")), []
        raise Unreadable(f"core: {shown(self.flow[node])} is not a node of the flow")

    def compile_choice(self, actions: tuple[int, ...], stop: bool) -> str:
        """The name of a generator of the legal moves at a choice."""
        for action in actions:
            if not 0 <= action < len(self.actions):
                raise Unreadable(f"core: there is no action {action}")
            if action not in self.moves_of:
                self.compile_action(action)

        def write() -> None:
            for action in actions:
                self.compiler.line(f"yield from {self.moves_of[action]}(s)")
            self.compiler.line("yield (-1,)" if stop else "yield from ()")

        return self.compiler.define("s", write)

    def compile_action(self, action: int) -> None:
        make = self.compiler
        place = f"core: action {action}"
        names = "name parameters requirements effects afterwards"
        _, parameters, requirements, effects, afterwards = fields(self.actions[action], names, place)
        domains = [fields(one, "name domain where", place)[1:] for one in listed(parameters, place)]
        conditions = [fields(one, "name condition", place)[1] for one in listed(requirements, place)]
        later = [fields(one, "name condition", place)[1] for one in listed(afterwards, place)]
        arguments = tuple(Code(f"a{number}") for number in range(len(domains)))

        def write(environment: Environment) -> None:
            chosen = len(environment)
            skip = "continue" if chosen else "return"
            if chosen < len(domains):
                domain, where = domains[chosen]
                with make.loop(domain, environment, once=True) as element:
                    if where is not None:
                        make.line(f"if not {make.condition(where, (*environment, element))}: continue")
                    write((*environment, element))
            else:
                for condition in conditions:
                    make.line(f"if not {make.condition(condition, environment)}: {skip}")
                values = ", ".join(one.text for one in environment)
                if later:
                    make.line(f"if not {holds}({values}{', ' * bool(values)}s): {skip}")
                make.line(f"yield ({action}, {values})")

        def change() -> None:
            make.line("over = left = False")
            make.effects(effects, arguments)
            make.line(f"return {OVER} if over else {LEAVE} if left else {RESUME}")

        def hold() -> None:
            for condition in later:
                make.line(f"if not {make.condition(condition, arguments)}: return False")
            make.line("return True")

        parameter_list = "".join(f", {one.text}" for one in arguments)
        chance_elsewhere, make.uses_chance = make.uses_chance, False
        self.apply_of[action] = make.function(f"s, chance{parameter_list}", change)
        if later and make.uses_chance:
            raise Unreadable(f"{place}: what holds afterwards depends on chance")
        make.uses_chance = make.uses_chance or chance_elsewhere
        kept = make.function(f"s{parameter_list}", hold)

        def hold_afterwards(*values: Any) -> bool:
            after = self.states.copy(values[-1])
            try:
                self.apply_of[action](after, None, *values[:-1])
            except Fault:
                return True
            return bool(kept(after, *values[:-1]))

        holds = make.new_global("afterwards", hold_afterwards)
        self.moves_of[action] = make.define("s", lambda: write(()))

    def read_question(self, value: Json) -> Question:
        names = "goal values threshold until cost others player in_expectation counts_plans"
        goal, values, threshold, until, cost, others, player, in_expectation, counts_plans = fields(
            value, names, "core: question"
        )
        known = (
            goal in ("maximise", "minimise", "reach", "count best", "win", "least")
            and others in ("together", "with their plans given", "against best play")
            and cost in ((None,) if goal != "least" else ("moves", "turns", "values"))
            and (threshold is not None) == (goal == "reach")
            and (until is not None) == (goal == "least")
        )
        if not known:
            raise Unreadable(f"core: {shown(value)} is not a question")
        make = self.compiler
        terms = listed(values, "core: question")

        def sum_up() -> None:
            make.line("value = 0")
            for term in terms:
                make.line(f"value += {make.number(term, ())}")
            make.line("return value")

        return Question(
            goal=goal,
            threshold=None if threshold is None else whole(threshold, "core: question"),
            cost=cost,
            others=others,
            player=None if player is None else whole(player, "core: question"),
            in_expectation=truth(in_expectation, "core: question"),
            counts_plans=truth(counts_plans, "core: question"),
            value=make.function("s", sum_up),
            until=None if until is None else make.function("s", lambda: make.line(f"return {make.condition(until, ())}")),
        )

    # Play

    def pack(self, state: State) -> bytes:
        return self.states.pack(state)

    def unpack(self, key: bytes) -> State:
        return State(*self.states.unpack_values(key, self.start_values))

    def legal(self, state: State) -> list[Move]:
        """The legal moves in order; none at the end."""
        return [] if state.node == self.over else list(self.legal_at[state.node](state.values))

    def player(self, state: State) -> int:
        return self.player_at[state.node](state.values)

    def first(self) -> State:
        """The state where play begins. Chance before it is taken from the seed, in expectation too."""
        state = State(self.begin, self.start_seed, self.start_values)
        found = self.run(state, lambda values, chance: self.begin, Seeded(self.start_seed))
        return found._replace(seed=0) if self.branching else found

    def apply(self, state: State, move: Move) -> list[Outcome]:
        """The states that a legal move leads to: one, or in expectation one for each outcome of chance."""
        resume_leave_over = self.after[state.node]
        if move == (-1,):
            return self.outcomes(state, lambda values, chance: resume_leave_over[LEAVE])
        change = self.apply_of[move[0]]
        return self.outcomes(state, lambda values, chance: resume_leave_over[change(values, chance, *move[1:])])

    def outcomes(self, state: State, change: Callable[..., int]) -> list[Outcome]:
        """The states after a change, which returns the node where play goes on."""
        if not self.branching:
            dice = Seeded(state.seed)
            return [Outcome(CERTAIN, self.run(state, change, dice))]
        chance = Branching()
        found: list[Outcome] = []
        while True:
            after = self.run(state, change, chance)
            found.append(Outcome(chance.probability, after))
            if len(found) > MOST_OUTCOMES:
                raise Unreadable(f"a move has more than {MOST_OUTCOMES} outcomes of chance")
            if not chance.turn():
                return found

    def run(self, state: State, change: Callable[..., int], chance: Seeded | Branching) -> State:
        values = self.states.copy(state.values)
        node = change(values, chance)
        for _ in range(self.most + 1):
            following = self.steps[node](values, chance)
            if following == WAIT:
                return State(node, chance.seed, values)
            node = following
        raise Fault(f"more than {self.most} nodes run between two choices")


def read_game(core: Json) -> Game:
    """The game of a core document. Raises `Unreadable` if it is none, or nested too deeply."""
    try:
        return Game(core)
    except RecursionError:
        raise Unreadable("core: the rules are nested too deeply") from None


class StateBytes:
    """States as bytes: equal if and only if node, seed and all variables that may change are equal."""

    def __init__(self, game: Game) -> None:
        make = game.compiler
        changing = [variable for variable in make.variables.values() if variable.slot in make.written]
        boards = [variable for variable in changing if not variable.is_zone]
        zones = [variable for variable in changing if variable.is_zone]
        formats = ["<H", "Q" if make.uses_chance else ""]
        formats += [f"{variable.count}{variable.format}" for variable in boards]
        formats += [f"{variable.count}H" for variable in zones]
        if game.over >= 1 << 16:
            raise Unreadable("core: the flow has more than 65535 nodes")
        self.fixed = struct.Struct("".join(formats))
        make.globals.update(pack=self.fixed.pack, unpack=self.fixed.unpack_from, array=array)
        seed = ["seed"] if make.uses_chance else []
        flat = [f"s[{one.slot}]" if one.index is None else f"*s[{one.slot}]" for one in boards]
        tiles = [(f"s[{one.slot}]", one) if one.index is None else (f"s[{one.slot}][{number}]", one)
                 for one in zones for number in range(one.count)]  # fmt: skip
        lengths = [f"len({text})" for text, _ in tiles]
        held = [f"bytes({text})" if one.format == "B" else f"array('{one.format}', {text}).tobytes()" for text, one in tiles]

        def pack() -> None:
            fixed = f"pack({', '.join(('node', *seed, *flat, *lengths))})"
            make.line(f"return {' + '.join((fixed, *held))}")

        def unpack() -> None:
            make.line("s = template[:]")
            make.line("found = unpack(key)")
            place = 1 + len(seed)
            for one in boards:
                make.line(
                    f"s[{one.slot}] = "
                    + (f"found[{place}]" if one.index is None else f"list(found[{place}:{place + one.count}])")
                )
                place += one.count
            make.line(f"end = {self.fixed.size}")
            for text, one in tiles:
                if one.index is not None and text.endswith("[0]"):
                    make.line(f"s[{one.slot}] = [()] * {one.count}")
                width = array(one.format).itemsize
                make.line(f"begin, end = end, end + {width} * found[{place}]")
                raw = "key[begin:end]"
                make.line(f"{text} = tuple({raw})" if one.format == "B" else f"{text} = tuple(array('{one.format}', {raw}))")
                place += 1
            make.line(f"return found[0], {'found[1]' if seed else 0}, s")

        lists = [f"s[{one.slot}][:]" if one.slot in make.written and one.index is not None else f"s[{one.slot}]"
                 for one in make.variables.values()]  # fmt: skip
        self.pack_values: Callable[[int, int, Values], bytes] = make.function("node, seed, s", pack)
        self.unpack_values: Callable[[bytes, Values], tuple[int, int, Values]] = make.function("key, template", unpack)
        self.copy: Callable[[Values], Values] = make.function("s", lambda: make.line(f"return [{', '.join(lists)}]"))

    def pack(self, state: State) -> bytes:
        try:
            return self.pack_values(*state)
        except (struct.error, OverflowError, ValueError) as problem:
            raise Fault(f"a state has no form: {problem}") from None


# 6. The parts of a certificate -----------------------------------------------------------------------

LABEL = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?")
"""A whole number, or a fraction."""


@dataclass
class Memory:
    """What may be kept, and what is kept, in bytes. The sizes are those of CPython."""

    most: int
    used: int = 0

    def take(self, size: int) -> None:
        self.used += size
        if self.used > self.most:
            raise Unreadable(f"the states need more than the {self.most >> 20} MB allowed (--memory)")


@dataclass
class Part:
    """A traversal of states, each with a label. A subclass says which are expanded, and what a label must fulfil."""

    game: Game
    question: Question
    lines: Lines
    states: int
    memory: Memory
    must_end: bool
    """Whether no state may be reached from itself."""
    numbers: dict[bytes, int] = field(default_factory=dict)
    labels: list[Number] = field(default_factory=list)
    words: dict[int, str] = field(default_factory=dict)
    """The second word of the lines of states that are not expanded yet."""
    waiting: deque[bytes] = field(default_factory=deque)
    targets: array[int] = field(default_factory=lambda: array("I"))
    """The states that moves lead to, for one state after another."""
    ends: array[int] = field(default_factory=lambda: array("Q"))
    """For each state, where its part of `targets` ends."""
    moves: int = 0

    def check(self) -> None:
        """Make the traversal. Raises `Refused` where a label is wrong."""
        self.meet(self.game.first())
        number = 0
        while self.waiting:
            state = self.game.unpack(self.waiting.popleft())
            try:
                self.visit(number, state)
            except Fault as fault:
                raise Refused(f"state {number}: a fault of the rules: {fault}") from None
            number += 1
            self.ends.append(len(self.targets))
        if number != self.states:
            raise Refused(f"line {self.lines.number + 1}: {number} states were met, the part has {self.states} lines")
        if self.must_end:
            self.check_end()

    def meet(self, state: State) -> int:
        """The number of a state. A new one gets the next, and the next line."""
        key = self.game.pack(state)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.labels)
            if number == self.states:
                raise Refused(f"line {self.lines.number + 1}: more states are met than the {self.states} lines of the part")
            self.memory.take(len(key) + 170)
            label, _, word = self.lines.next().partition(" ")
            if word:
                self.words[number] = word
            self.labels.append(self.read_label(label))
            self.waiting.append(key)
            self.met(number, state)
        return number

    def visit(self, number: int, state: State) -> None:
        expanded = state.node != self.game.over and self.is_expanded(number, state)
        word = self.words.pop(number, "")
        has_strategy = expanded and self.has_strategy(state)
        if bool(word) != has_strategy:
            raise Refused(f"state {number}: " + ("no move is chosen" if has_strategy else "a move is chosen where all count"))
        if state.node == self.game.over:
            self.at_end(number, state)
        elif expanded:
            moves = self.game.legal(state)
            if has_strategy:
                if not re.fullmatch("[0-9]{1,9}", word) or int(word) >= len(moves):
                    raise Refused(f"state {number}: move {shown(word)} is chosen, it has {len(moves)}")
                moves = [moves[int(word)]]
            for move in moves:
                outcomes = self.game.apply(state, move)
                reached = [self.meet(outcome.state) for outcome in outcomes]
                self.moves += len(reached)
                if self.must_end:
                    self.memory.take(4 * len(reached))
                    self.targets.extend(reached)
                self.at_move(number, state, move, outcomes, reached)
            self.after_moves(number)

    def check_end(self) -> None:
        """Refuse if a state can be reached from itself: take away states that no other one leads to."""
        into = array("I", bytes(4 * self.states))
        for target in self.targets:
            into[target] += 1
        free = [number for number in range(self.states) if not into[number]]
        taken = 0
        while free:
            number = free.pop()
            taken += 1
            for target in self.targets[self.ends[number - 1] if number else 0 : self.ends[number]]:
                into[target] -= 1
                if not into[target]:
                    free.append(target)
        if taken != self.states:
            number = next(number for number in range(self.states) if into[number])
            raise Refused(f"state {number}: play need not end: the state is on a circle, or can be reached from one")

    def wrong(self, number: int, move: Move, reached: int, wanted: str) -> Refused:
        action = [int(value) for value in move]
        return Refused(
            f"state {number}: legal move {action} leads to state {reached} with label {self.labels[reached]}, {wanted}"
        )

    # What a kind of part may say otherwise

    def read_label(self, text: str) -> Number:
        """The number of a label. Raises `Refused`."""
        found = LABEL.fullmatch(text)
        if found is None or found[2] is not None:
            raise Refused(f"line {self.lines.number}: {shown(text)} is not a whole number")
        return int(text)

    def met(self, number: int, state: State) -> None:
        """Called once for each state, when it is met."""

    def is_expanded(self, number: int, state: State) -> bool:
        """Whether a state that is not at the end is expanded. Raises `Refused` if its label is wrong."""
        return True

    def has_strategy(self, state: State) -> bool:
        return False

    def at_end(self, number: int, state: State) -> None:
        """Raises `Refused` if the label of a state at the end is wrong."""

    def at_move(self, number: int, state: State, move: Move, outcomes: list[Outcome], reached: list[int]) -> None:
        """Raises `Refused` if the label is wrong in view of where a move leads."""

    def after_moves(self, number: int) -> None:
        """Raises `Refused` if the label is wrong in view of all moves."""


@dataclass
class Bound(Part):
    """`upper` and `lower`: a label that play from here cannot exceed, or fall below."""

    is_upper: bool = True
    asker: int | None = None
    """The player asked; None if all are."""

    def read_label(self, text: str) -> Number:
        found = LABEL.fullmatch(text)
        if found is None:
            raise Refused(f"line {self.lines.number}: {shown(text)} is not a number")
        return int(text) if found[2] is None else Fraction(int(found[1]), int(found[2]))

    def exceeds(self, one: Number, label: Number) -> bool:
        return one > label if self.is_upper else one < label

    @property
    def side(self) -> str:
        return "above" if self.is_upper else "below"

    def has_strategy(self, state: State) -> bool:
        """Whether who moves wants the values on this side of the bound least."""
        asked = self.asker is None or self.game.player(state) == self.asker
        wants_much = asked == (self.question.goal != "minimise")
        return wants_much != self.is_upper

    def at_end(self, number: int, state: State) -> None:
        value = end_value(self.question, state)
        if self.exceeds(value, self.labels[number]):
            raise Refused(f"state {number}: its value {value} is {self.side} its label {self.labels[number]}")

    def at_move(self, number: int, state: State, move: Move, outcomes: list[Outcome], reached: list[int]) -> None:
        label = self.labels[number]
        if len(reached) == 1:
            if self.exceeds(self.labels[reached[0]], label):
                raise self.wrong(number, move, reached[0], f"{self.side} {label}")
            return
        mean = sum((outcome.probability * self.labels[one] for outcome, one in zip(outcomes, reached, strict=True)), Fraction())
        if self.exceeds(mean, label):
            action = [int(value) for value in move]
            raise Refused(f"state {number}: legal move {action} leads to labels whose mean is {mean}, {self.side} {label}")


@dataclass
class Count(Part):
    """`count`: the number of plans from here that end with the value claimed."""

    value: Number = 0
    sum: int = 0

    def at_end(self, number: int, state: State) -> None:
        if self.labels[number] != (end_value(self.question, state) == self.value):
            raise Refused(f"state {number}: the label {self.labels[number]} of an end is wrong")

    def at_move(self, number: int, state: State, move: Move, outcomes: list[Outcome], reached: list[int]) -> None:
        self.sum += int(self.labels[reached[0]])

    def after_moves(self, number: int) -> None:
        """Moves of earlier states are summed up already, and labels of later ones are known when they are met."""
        if self.labels[number] != self.sum:
            raise Refused(f"state {number}: its label is {self.labels[number]}, the labels of its moves sum up to {self.sum}")
        self.sum = 0


@dataclass
class Least(Part):
    """`least`: a label that the cost of no plan falls below, from here (`moves`) or through here (`turns`, `values`)."""

    counter: int | None = None
    """The slot of the variable that counts turns."""
    reached_by: dict[int, int] = field(default_factory=dict)
    """The states where `until` is 1, with their values if these are the cost."""

    def met(self, number: int, state: State) -> None:
        assert self.question.until is not None
        if self.question.until(state.values):
            self.reached_by[number] = self.question.value(state.values) if self.question.cost == "values" else 0
            self.memory.take(100)
            if self.question.cost == "moves" and self.labels[number] > 0:
                raise Refused(f"state {number}: the end of a plan has the label {self.labels[number]}, above 0")

    def cost_now(self, state: State) -> int:
        """The cost in turns if the next move is the last one."""
        assert self.counter is not None
        return int(state.values[self.counter]) + 1

    def is_expanded(self, number: int, state: State) -> bool:
        if number in self.reached_by:
            return False
        match self.question.cost:
            case "moves":
                return self.labels[number] > 0
            case "turns":
                return self.cost_now(state) < self.labels[number]
            case _:
                return True

    def at_move(self, number: int, state: State, move: Move, outcomes: list[Outcome], reached: list[int]) -> None:
        label, following = self.labels[number], self.labels[reached[0]]
        if self.question.cost == "moves":
            following += 1
        elif reached[0] in self.reached_by:
            following = self.cost_now(state) if self.question.cost == "turns" else self.reached_by[reached[0]]
        if label > following:
            raise self.wrong(number, move, reached[0], f"so that {label} is more than {following}")


@dataclass
class Never(Part):
    """`none`: in no state is `until` 1."""

    def read_label(self, text: str) -> Number:
        if text != ".":
            raise Refused(f"line {self.lines.number}: {shown(text)} is not `.`")
        return 0

    def met(self, number: int, state: State) -> None:
        assert self.question.until is not None
        if self.question.until(state.values):
            raise Refused(f"state {number}: what is called impossible is reached")


def end_value(question: Question, state: State) -> int:
    """The value of a state at the end of play."""
    value = question.value(state.values)
    return int(value >= question.threshold) if question.in_expectation and question.threshold is not None else value


def counter_of(game: Game) -> int:
    """The slot of the variable that counts turns. Raises `Unreadable` unless it only ever grows, by 1."""
    found = [one for one in game.compiler.variables.values() if one.name.startswith("ends of ")]
    if len(found) != 1 or found[0].index is not None:
        raise Unreadable("core: there is not one variable that counts turns")
    name = found[0].name
    grows = ["arithmetic", "+", ["read", name, None], 1]

    def places(effects: Json) -> Iterator[tuple[Json, Json]]:
        """The places that effects change, with what is written there."""
        for effect in effects:
            match effect:
                case ["write", place, term]:
                    yield place, term
                case ["transfer" | "deal", *rest]:
                    yield from ((place, None) for place in rest)
                case ["shuffle", place]:
                    yield place, None
                case ["if", _, then, otherwise]:
                    yield from places(then)
                    yield from places(otherwise)
                case ["for", _, _, inner]:
                    yield from places(inner)

    changes = [action["effects"] for action in game.actions] + [node[1] for node in game.flow if node[0] == "run"]
    for effects in changes:
        for place, term in places(effects):
            if isinstance(place, list) and place[:1] == [name] and term != grows:
                raise Unreadable(f"core: variable {shown(name)} does not only count")
    return found[0].slot


# 7. The claim ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Claim:
    status: str
    value: Number | None
    count: int | None
    plan: list[Move] | None
    parts: list[tuple[str, int]]
    """Kind and number of states."""


@dataclass(frozen=True)
class Checked:
    """What a certificate has proved."""

    claim: str
    core: str
    texts: str
    states: int
    moves: int


def read_claim(header: dict[str, Json]) -> Claim:
    status, value, count = fields(header["claim"], "status value count", "header: claim")
    if status not in ("optimal", "reached", "not reached", "impossible"):
        raise Unreadable(f"header: the status is {shown(status)}")
    if isinstance(value, str):
        found = LABEL.fullmatch(value)
        fraction = Fraction(value) if found and found[2] else Fraction()
        if str(fraction) != value or fraction.denominator == 1:
            raise Unreadable(f"header: the value {shown(value)} is not a fraction in lowest terms")
        value = fraction
    elif value is not None:
        whole(value, "header: value")
    plan = None
    if header["plan"] is not None:
        plan = [wholes(move, "header: plan") for move in listed(header["plan"], "header: plan")]
    parts = []
    for part in listed(header["parts"], "header: parts"):
        kind, states = fields(part, "kind states", "header: parts")
        if not 0 < whole(states, "header: parts") < 1 << 32:
            raise Unreadable(f"header: a part has {states} states")
        parts.append((kind, states))
    return Claim(status, value, None if count is None else whole(count, "header: count"), plan, parts)


def kinds_needed(question: Question, claim: Claim) -> list[str]:
    """The parts that a claim needs. Raises `Refused` for a claim that the question does not have, `Unreadable` for one that
    this version does not certify."""
    together = question.others == "together"
    if question.others == "with their plans given" or (question.goal == "least" and (question.in_expectation or not together)):
        raise Unreadable("this question has no certificate of version 1")
    needed: list[str]
    match question.goal, claim.status:
        case _, "optimal" if question.goal != "least" and (question.in_expectation or question.goal != "reach"):
            two = question.in_expectation or not together
            needed = ["upper", "lower"] if two else ["lower"] if question.goal == "minimise" else ["upper"]
        case "reach", "reached" if not question.in_expectation:
            needed = [] if together else ["lower"]
        case "reach", "not reached" if not question.in_expectation:
            needed = ["upper"]
        case "least", "optimal":
            needed = ["least"] if claim.plan else []
        case "least", "impossible":
            needed = ["none"]
        case _:
            raise Refused(f"header: {shown(claim.status)} is no answer to the question")
    if (claim.value is not None) != (claim.status == "optimal"):
        raise Refused("header: a value belongs to an answer that is optimal, and only to it")
    if isinstance(claim.value, Fraction) and not question.in_expectation:
        raise Refused("header: the value must be a whole number")
    planned = together and not question.in_expectation and claim.status in ("optimal", "reached")
    if (claim.plan is not None) != planned:
        raise Refused("header: " + ("a plan is missing" if planned else "a plan proves nothing here"))
    if claim.count is not None:
        if not question.counts_plans or not planned or question.goal == "least":
            raise Refused("header: the question does not ask for a number of plans, or it has no certificate")
        needed.append("count")
    return needed


def check_plan(game: Game, question: Question, claim: Claim) -> None:
    """Play the plan from the start. Raises `Refused` unless it earns what is claimed."""
    assert claim.plan is not None
    state = game.first()
    cost = 0
    for number, move in enumerate(claim.plan):
        if question.until is not None and question.until(state.values):
            raise Refused(f"plan: the goal is reached after {number} moves, before the end of the plan")
        if move not in game.legal(state):
            raise Refused(f"plan: move {number}, {list(move)}, is not legal")
        if question.cost == "turns":
            cost = int(state.values[counter_of(game)]) + 1
        state = game.apply(state, move)[0].state
    value = question.value(state.values)
    if question.until is not None:
        if not question.until(state.values):
            raise Refused("plan: it does not reach the goal")
        value = {"moves": len(claim.plan), "turns": cost, "values": value}[str(question.cost)]
    elif state.node != game.over:
        raise Refused("plan: play is not over after it")
    if claim.status == "reached":
        assert question.threshold is not None
        if value < question.threshold:
            raise Refused(f"plan: it comes to {value}, less than {question.threshold}")
    elif value != claim.value:
        raise Refused(f"plan: it comes to {value}, the claim is {claim.value}")


def check_part(game: Game, question: Question, claim: Claim, part: tuple[str, int], lines: Lines, memory: Memory) -> Part:
    """Check a part, and that the label of state 0 proves the claim."""
    kind, states = part
    given = (game, question, lines, states, memory)
    check: Part
    match kind:
        case "upper" | "lower":
            asker = None
            start = game.first()
            if question.others != "together" and start.node != game.over:
                asker = game.player(start) if question.player is None else question.player
            ends = question.in_expectation or asker is not None
            check = Bound(*given, must_end=ends, is_upper=kind == "upper", asker=asker)
        case "count":
            assert claim.value is not None
            check = Count(*given, must_end=True, value=claim.value)
        case "least":
            counter = counter_of(game) if question.cost == "turns" else None
            check = Least(*given, must_end=False, counter=counter)
        case _:
            check = Never(*given, must_end=False)
    check.check()
    label = check.labels[0]
    proved = True
    match kind:
        case "upper" if claim.status == "not reached":
            assert question.threshold is not None
            proved = label < question.threshold
        case "lower" if claim.status == "reached":
            assert question.threshold is not None
            proved = label >= question.threshold
        case "upper":
            assert claim.value is not None
            proved = label <= claim.value
        case "lower" | "least":
            assert claim.value is not None
            proved = label >= claim.value
        case "count":
            proved = label == claim.count
    if not proved:
        raise Refused(f"state 0: its label {label} in part {kind} does not prove the claim")
    return check


def in_words(question: Question, claim: Claim) -> str:
    """What is proved, in words."""
    by = "" if question.others == "together" else " against best play"
    if question.in_expectation:
        by += " in expectation"
    more = "" if claim.count is None else f"; {claim.count} plans have it"
    match question.goal, claim.status:
        case "least", "impossible":
            return "impossible: no play reaches the goal"
        case "least", _:
            noun = {"moves": "number of moves", "turns": "number of turns", "values": "value"}[str(question.cost)]
            return f"the least {noun} that reaches the goal is {claim.value}"
        case "reach", "reached":
            return f"reached: a value of at least {question.threshold}{by}"
        case "reach", "not reached":
            return f"not reached: no play comes to a value of at least {question.threshold}{by}"
        case "reach", _:
            return f"the greatest probability of a value of at least {question.threshold}{by} is {claim.value}"
        case goal, _:
            return f"the {'least' if goal == 'minimise' else 'greatest'} value at the end{by} is {claim.value}{more}"


def check_certificate(stream: BinaryIO, core: Json | None, megabytes: int) -> Checked:
    """Check a certificate from the bytes of its file; with `core`, it must be about this one.

    Raises `Refused` if it does not prove its claim, `Unreadable` if it is no certificate or needs more memory.
    """
    with gzip.open(stream, "rb") as unpacked:
        lines = Lines(unpacked)  # type: ignore[arg-type]  # a GzipFile reads like a file
        header = read_json(lines.next(LONGEST_DOCUMENT), "header")
        schema, _, digest, *_ = fields(header, "schema puzzle core claim plan parts", "header")
        if schema != CERTIFICATE_SCHEMA:
            raise Unreadable(f"header: its schema is {shown(schema)}, not {CERTIFICATE_SCHEMA}")
        claim = read_claim(header)
        document = read_json(lines.next(LONGEST_DOCUMENT), "core")
        game = read_game(document)
        if not document["digest"] == digest == digest_of(document):
            raise Refused(f"header: the digest of the core is {digest_of(document)}, not {shown(digest)}")
        if core is not None and core != document:
            differing = [name for name in document if not isinstance(core, dict) or core.get(name) != document[name]]
            raise Refused(f"core: it is not the one given, but differs in {', '.join(differing)}")
        question = game.question
        if question is None:
            raise Unreadable("core: it asks no question")
        needed = kinds_needed(question, claim)
        if [kind for kind, _ in claim.parts] != needed:
            raise Refused(f"header: the claim needs the parts {shown(needed)}, not {shown([kind for kind, _ in claim.parts])}")
        states = moves = 0
        try:
            if claim.plan is not None:
                check_plan(game, question, claim)
            for part in claim.parts:
                done = check_part(game, question, claim, part, lines, Memory(megabytes << 20))
                states += len(done.labels)
                moves += done.moves
        except Fault as fault:
            raise Refused(f"a fault of the rules: {fault}") from None
        if not lines.at_end():
            raise Refused(f"line {lines.number + 1}: the file goes on after its last part")
    return Checked(in_words(question, claim), str(digest), shown(document["texts"]), states, moves)


# 8. The command --------------------------------------------------------------------------------------


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
    print(f"checked: {checked.claim}")
    print(f"core {checked.core}, texts {checked.texts}")
    print(f"{checked.states} states, {checked.moves} moves")
    return 0


if __name__ == "__main__":
    sys.exit(main())
