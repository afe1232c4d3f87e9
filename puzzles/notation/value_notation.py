"""The notation of values in puzzles: numbers, names, tiles and cells, read and written by type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from rulewright.base.diagnostics import Sink, did_you_mean
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_puzzles import value_text
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.modules import Shape
from rulewright.puzzles.set_ups import FARTHEST_COORDINATE
from rulewright.rules.linking.questions import who_plays
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Variable
from rulewright.rules.play.coordinates import NOWHERE, Coordinate, Value
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.flow_graph import LoopStart
from rulewright.rules.spaces.drawing import known_cells
from rulewright.rules.spaces.window import NO_DIRECTION, Window

NOTHING = "nothing"


@frozen
class ValueNotation:
    """Reads and writes values of one game; cells of an unbounded space may lie beyond the engine's window."""

    engine: Engine
    sink: Sink

    @property
    def game(self) -> Game:
        return self.engine.game

    @property
    def players(self) -> int:
        return self.engine.instance.players

    @property
    def windows(self) -> Mapping[str, Window]:
        return self.engine.instance.windows

    def value(self, variable: Variable, values: Sequence[puzzles.Value], span: Span) -> Value | None:
        """The value of a variable that is not a zone; None if an error was reported."""
        if not values:
            return self._none(variable, span)
        if len(values) > 1:
            self._wrong(variable.type, f"{len(values)} values", span)
            return None
        return self.read(variable.type, values[0], self._numbers(variable))

    def drawn(self, variable: Variable, cell: puzzles.DrawnCell) -> Value | None:
        """The value of a word of a drawing; a unique prefix of a name suffices."""
        word, known = cell.tile, self._drawn_names(variable.type)
        beginning = [name for name in known if name.startswith(word)]
        if word not in known and len(beginning) > 1:
            listed = " or ".join(f"`{name}`" for name in beginning)
            self.sink.error("RW312", f"`{word}` is ambiguous: it may be {listed}", cell.span, help="write it out further")
            return None
        if word not in known and beginning:
            word = beginning[0]
        if word.lstrip("-").isdigit():
            node: puzzles.Value = puzzles.Amount(int(word), span=cell.span)
        elif word in ("yes", "no"):
            node = puzzles.Word(word, span=cell.span)
        else:
            node = puzzles.Piece(word, span=cell.span)
        return self.value(variable, (node,), cell.span)

    def _drawn_names(self, type: types.Type) -> tuple[str, ...]:
        """The names of the values of a type that have one-word names."""
        match type:
            case types.Truth():
                return "yes", "no"
            case types.Enumeration(name):
                return self.game.enumerations[name]
            case types.Direction(space):
                return tuple(dict.fromkeys((*self.windows[space].directions, *self.windows[space].words)))
            case types.Tile():
                return tuple(kind.name for kind in self.game.tiles)
            case _:
                return ()

    def _numbers(self, variable: Variable) -> Sequence[int]:
        """The numbers a variable can take: its declared range, or those its loop iterates over."""
        if not variable.is_loop:
            return range(variable.low, variable.high + 1)
        loops = [i for i in self.engine.flow if isinstance(i, LoopStart) and i.variable == variable.name]
        return sorted({number for loop in loops for number in loop.values})

    def _none(self, variable: Variable, span: Span) -> Value | None:
        match variable.type:
            case types.Cell():
                return NOWHERE
            case types.Direction():
                return NO_DIRECTION
            case types.Tile():
                return 0
            case other:
                self._wrong(other, "`none`", span)
                return None

    def read(self, type: types.Type, node: puzzles.Value, numbers: Sequence[int]) -> Value | None:
        """A value of that type (a number among `numbers`); None if an error was reported."""
        match type, node:
            case types.Cell(space), _:
                return self.cell(space, node)
            case types.Number(), puzzles.Amount(number):
                return self._ranged(number, numbers, node.span)
            case types.Player(), puzzles.Amount(number):
                return self.player(number, node.span)
            case types.Truth(), puzzles.Word("yes" | "no" as word):
                return int(word == "yes")
            case types.Tile(), puzzles.Piece(word, 1):
                return 0 if word == NOTHING else self.tile(word, node.span)
            case types.Enumeration(name), puzzles.Piece(word, 1) | puzzles.Word(word):
                return self._named(word, dict(_numbered(self.game.enumerations[name])), type, node.span)
            case types.Direction(space), puzzles.Piece(word, 1) | puzzles.Word(word):
                window = self.windows[space]
                known = dict((*_numbered(window.directions), *_numbered(window.words)))
                return self._named(word, known, type, node.span)
            case _:
                self._wrong(type, f"`{value_text(node)}`", node.span)
                return None

    def tile(self, name: str, span: Span) -> int | None:
        """The number of a kind of tile; None if an error was reported."""
        number = self.game.tile_number(name)
        if number:
            return number
        help = did_you_mean(name, [kind.name for kind in self.game.tiles])
        self.sink.error("RW305", f"there is no tile `{name}`", span, help=help or "name a kind of tile")
        return None

    def player(self, number: int, span: Span) -> int | None:
        """The number of a player in the game; None if an error was reported."""
        if 1 <= number <= self.players:
            return number
        self.sink.error("RW306", f"there is no player {number}", span, help=who_plays(self.players))
        return None

    def cell(self, space: str, node: puzzles.Value) -> Coordinate | None:
        """The coordinate of a cell: `(3,1)`, `(4)` or `4` on a ring, a name on a graph or where cells have names."""
        shape, window = self.game.spaces[space].shape, self.windows[space]
        match shape, node:
            case Shape.RING, puzzles.Amount(number):
                return self.inside(space, (number,), node.span)
            case _, puzzles.Piece(_, 1) | puzzles.Word() | puzzles.Amount() if window.names:
                known = dict(_numbered(window.names))
                found = self._named(value_text(node), known, types.Cell(space), node.span, known_cells(space, window))
                return None if found is None else window.coordinates[found]
            case _, puzzles.Coordinate(numbers) if len(numbers) == len(window.coordinates[0]):
                return self.inside(space, numbers, node.span)
            case _:
                self._wrong(types.Cell(space), f"`{value_text(node)}`", node.span)
                return None

    def inside(self, space: str, coordinate: Coordinate, span: Span) -> Coordinate | None:
        """The coordinate if the space has such a cell; else None, and an error is reported."""
        window = self.windows[space]
        if window.unbounded:
            known = max(map(abs, coordinate)) <= FARTHEST_COORDINATE
        else:
            known = window.cell(coordinate) != window.nowhere
        if known:
            return coordinate
        text = ",".join(map(str, coordinate))
        message = f"`{space}` has no cell ({text})"
        help = f"coordinates are limited to {FARTHEST_COORDINATE}" if window.unbounded else _bounds(window)
        self.sink.error("RW314", message, span, help=help)
        return None

    def _named(self, word: str, known: Mapping[str, int], type: types.Type, span: Span, help: str = "") -> int | None:
        if word in known:
            return known[word]
        help = help or did_you_mean(word, list(known)) or ("one of: " + ", ".join(list(known)[:8]) if known else "")
        self.sink.error("RW312", f"`{word}` is not {types.describe(type)}", span, help=help)
        return None

    def _ranged(self, number: int, numbers: Sequence[int], span: Span) -> int | None:
        if number in numbers:
            return number
        message = f"{number} is not in {numbers[0]}..{numbers[-1]}" if numbers else f"{number} is not a possible value"
        self.sink.error("RW313", message, span, help="the rules declare this range")
        return None

    def _wrong(self, type: types.Type, given: str, span: Span) -> None:
        needed = f"{given} is not {types.describe(type)}"
        self.sink.error("RW312", needed, span, help=_how_written(type))

    def write(self, type: types.Type, value: Value) -> tuple[puzzles.Value, ...]:
        """The tree of a value, the inverse of `read`."""
        match type, value:
            case types.Cell(space), tuple():
                return () if value == NOWHERE else (self.write_cell(space, value),)
            case types.Number() | types.Player(), int():
                return (puzzles.Amount(value),)
            case types.Truth(), int():
                return (puzzles.Word("yes" if value else "no"),)
            case types.Tile(), int():
                return (puzzles.Piece(self.game.tiles[value - 1].name),) if value else ()
            case types.Enumeration(name), int():
                return (puzzles.Piece(self.game.enumerations[name][value]),)
            case types.Direction(space), int():
                return (puzzles.Piece(self.windows[space].words[value]),) if value >= 0 else ()
            case _:
                raise TypeError(f"{value!r} is not {types.describe(type)}")

    def write_cell(self, space: str, coordinate: Coordinate) -> puzzles.Coordinate | puzzles.Piece | puzzles.Amount:
        """The tree of a cell, the inverse of `cell`."""
        window = self.windows[space]
        if not window.names:
            return puzzles.Coordinate(coordinate)
        name = window.names[window.cell(coordinate)]
        return puzzles.Amount(int(name)) if name.isdigit() else puzzles.Piece(name)


def _numbered(words: Iterable[str]) -> Iterable[tuple[str, int]]:
    return ((word, number) for number, word in enumerate(words))


def _bounds(window: Window) -> str:
    axes = list(zip(*window.coordinates, strict=True))
    return "its cells are " + " x ".join(f"{min(axis)}..{max(axis)}" for axis in axes)


def _how_written(type: types.Type) -> str:
    match type:
        case types.Truth():
            return "write `yes` or `no`"
        case types.Number() | types.Player():
            return "write a number"
        case types.Cell():
            return "write a cell as `(column,row)`"
        case types.Tile() | types.Enumeration() | types.Direction():
            return "write a single name"
        case types.SetOf() | types.Region() | types.Place() | types.Pair():
            return ""
        case _:
            assert_never(type)


# Indices of variables in settings -------------------------------------------------------------------------------------
# `coins 1`, `stock 2 red`, `seen 1 (2,0)`.


@frozen
class IndexNotation:
    """Reads and writes the indices of variables that are not over cells."""

    notation: ValueNotation

    def read(self, variable: Variable, given: Sequence[puzzles.Index], span: Span) -> list[int] | None:
        """The elements named, counted from the first of each type; None if RW311 or another error was reported."""
        wanted = parts_of(variable.index)
        if not wanted and given:
            self._refuse(f"`{variable.name}` has a single value and no index", f"write `{variable.name}: …`", given[0].span)
            return None
        if len(given) < len(wanted):
            wants = "an index" if len(wanted) == 1 else "two indices"
            self._refuse(f"`{variable.name}` needs {wants}", self._help(variable), span)
            return None
        if len(given) > len(wanted):
            self._refuse(f"`{variable.name}` has only one index", self._help(variable), given[-1].span)
            return None
        return self.elements(variable, given)

    def elements(self, variable: Variable, given: Sequence[puzzles.Index]) -> list[int] | None:
        """The elements named, possibly fewer than the variable has indices."""
        found: list[int] = []
        for type, node in zip(parts_of(variable.index), given, strict=False):
            element = self._element(variable, type, node)
            if element is None:
                return None
            found.append(element)
        return found

    def number(self, variable: Variable, elements: Sequence[int]) -> int | None:
        """The state's index for some elements."""
        match variable.index:
            case None:
                return None
            case types.Pair(first, second):
                firsts, seconds = self._domain(first), self._domain(second)
                return (elements[0] - firsts.start) * len(seconds) + elements[1] - seconds.start
            case _:
                return elements[0]

    def member(self, type: types.Type, node: puzzles.Value) -> int | None:
        """The number of an element in a list; None if an error was reported."""
        match type, self.notation.read(type, node, ()):
            case types.Cell(space), tuple(coordinate):
                return self.notation.windows[space].cell(coordinate)
            case _, int(element):
                return element
            case _:
                return None

    def all_of(self, variable: Variable, elements: Sequence[int]) -> list[int | None]:
        """The indices of all values of a variable, given all elements except the last."""
        last = parts_of(variable.index)[-1]
        return [self.number(variable, (*elements, element)) for element in self._domain(last)]

    def write(self, variable: Variable, index: int | None) -> tuple[puzzles.Index, ...]:
        """The trees of the elements of an index, the inverse of `read`."""
        if index is None or variable.index is None:
            return ()
        if isinstance(variable.index, types.Pair):
            elements: tuple[int, ...] = self.notation.engine.instance.parts(variable.index, index)
        else:
            elements = (index,)
        return tuple(self._written(type, element) for type, element in zip(parts_of(variable.index), elements, strict=True))

    def _written(self, type: types.Type, element: int) -> puzzles.Index:
        match type:
            case types.Enumeration(name):
                return puzzles.Word(self.notation.game.enumerations[name][element])
            case types.Cell(space):
                return as_index(self.notation.write_cell(space, self.notation.windows[space].coordinates[element]))
            case _:
                return puzzles.Amount(element)

    def _element(self, variable: Variable, type: types.Type, node: puzzles.Index) -> int | None:
        match type, node:
            case types.Player(), puzzles.Amount(number):
                return self.notation.player(number, node.span)
            case types.Enumeration(name), puzzles.Word(word) if word in self.notation.game.enumerations[name]:
                return self.notation.game.enumerations[name].index(word)
            case types.Cell(), _:
                return self.member(type, node)
            case _:
                self._refuse(f"`{value_text(node)}` is not an index of `{variable.name}`", self._help(variable), node.span)
                return None

    def _domain(self, type: types.Type) -> range:
        return self.notation.engine.instance.domain(type)

    def _help(self, variable: Variable) -> str:
        return f"write `{variable.name} {' '.join(map(self._example, parts_of(variable.index)))}: …`"

    def _example(self, type: types.Type) -> str:
        match type:
            case types.Enumeration(name):
                return next(iter(self.notation.game.enumerations[name]), "name")
            case types.Cell():
                return "(column,row)"
            case _:
                return "1"

    def _refuse(self, message: str, help: str, span: Span) -> None:
        self.notation.sink.error("RW311", message, span, help=help)


def parts_of(index: types.Type | None) -> tuple[types.Type, ...]:
    """The types of the elements of an index: none, one or two."""
    match index:
        case None:
            return ()
        case types.Pair(first, second):
            return first, second
        case one:
            return (one,)


def as_index(node: puzzles.Coordinate | puzzles.Piece | puzzles.Amount) -> puzzles.Index:
    """A cell as written before the colon."""
    return puzzles.Word(node.tile) if isinstance(node, puzzles.Piece) else node
