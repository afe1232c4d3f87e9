"""Values of state variables as a puzzle writes them, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from ..grammar import scenarios as p
from ..grammar.classes import frozen
from ..grammar.diagnostics import Sink, nearest
from ..grammar.modules import Shape
from ..grammar.spans import Span
from ..rules import types
from ..rules.engine import Engine
from ..rules.flowgraph import Begin
from ..rules.game import Game, Storage, Variable
from ..rules.spaces.window import NO_DIRECTION, Window
from .sheet import FARTHEST, NOWHERE, Coordinate, Value

NOTHING = "nothing"


@frozen
class Vocabulary:
    """What words and coordinates mean in a game of so many players. The engine's windows tell which cells there are; those
    of an unbounded space do so only when they are `fixed`."""

    engine: Engine
    sink: Sink
    fixed: bool = False

    @property
    def game(self) -> Game:
        return self.engine.game

    @property
    def players(self) -> int:
        return self.engine.ground.players

    @property
    def windows(self) -> Mapping[str, Window]:
        return self.engine.ground.windows

    def value(self, variable: Variable, values: Sequence[p.Value], span: Span) -> Value | None:
        """The value of a variable that is no zone; None when an error was reported."""
        if not values:
            return self._none(variable, span)
        if len(values) > 1:
            self._wrong(variable.type, f"{len(values)} values", span)
            return None
        return self.read(variable.type, values[0], self._numbers(variable))

    def _numbers(self, variable: Variable) -> Sequence[int]:
        """The numbers that a variable may have: its range, or what a loop counts through."""
        if not variable.is_loop:
            return range(variable.low, variable.high + 1)
        loops = [i for i in self.engine.flow if isinstance(i, Begin) and i.variable == variable.name]
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

    def read(self, type: types.Type, node: p.Value, numbers: Sequence[int]) -> Value | None:
        """A value of that type (a number among `numbers`); None when an error was reported."""
        match type, node:
            case types.Cell(space), _:
                return self.cell(space, node)
            case types.Number(), p.Amount(number):
                return self._ranged(number, numbers, node.span)
            case types.Player(), p.Amount(number):
                return self.player(number, node.span)
            case types.Truth(), p.Word("yes" | "no" as word):
                return int(word == "yes")
            case types.Tile(), p.Piece(word, 1):
                return 0 if word == NOTHING else self.tile(word, node.span)
            case types.Enumeration(name), p.Piece(word, 1) | p.Word(word):
                return self._named(word, dict(_numbered(self.game.enumerations[name])), type, node.span)
            case types.Direction(space), p.Piece(word, 1) | p.Word(word):
                window = self.windows[space]
                known = dict((*_numbered(window.directions), *_numbered(window.words)))
                return self._named(word, known, type, node.span)
            case _:
                self._wrong(type, f"`{text_of(node)}`", node.span)
                return None

    def tile(self, name: str, span: Span) -> int | None:
        """The number of a kind of tile."""
        number = self.game.tile_number(name)
        if number:
            return number
        help = nearest(name, [kind.name for kind in self.game.tiles])
        self.sink.error("RW305", f"there is no tile `{name}`", span, help=help or "tiles are named by kind")
        return None

    def player(self, number: int, span: Span) -> int | None:
        """The number of a player who is in the game."""
        if 1 <= number <= self.players:
            return number
        who = "there is only player 1" if self.players == 1 else f"the players are 1 to {self.players}"
        self.sink.error("RW306", f"there is no player {number}", span, help=who)
        return None

    def cell(self, space: str, node: p.Value) -> Coordinate | None:
        """The coordinate of a cell: `(3,1)`, `(4)` or `4` on a ring, a name on a graph."""
        shape, window = self.game.spaces[space].shape, self.windows[space]
        match shape, node:
            case Shape.GRAPH, p.Piece(_, 1) | p.Word() | p.Amount():
                return self._node(space, text_of(node), node.span)
            case Shape.RING, p.Amount(number):
                return self.inside(space, (number,), node.span)
            case _, p.Coordinate(numbers) if len(numbers) == len(window.coordinates[0]):
                return self.inside(space, numbers, node.span)
            case _:
                self._wrong(types.Cell(space), f"`{text_of(node)}`", node.span)
                return None

    def inside(self, space: str, coordinate: Coordinate, span: Span) -> Coordinate | None:
        """The coordinate, when the space has such a cell."""
        window = self.windows[space]
        if window.unbounded and not self.fixed:
            known = max(map(abs, coordinate)) <= FARTHEST
        else:
            known = window.cell(coordinate) != window.nowhere
        if known:
            return coordinate
        text = ",".join(map(str, coordinate))
        message = f"`{space}` has no cell ({text})"
        help = f"no cell is farther out than {FARTHEST}, or than the window" if window.unbounded else _bounds(window)
        self.sink.error("RW314", message, span, help=help)
        return None

    def _node(self, space: str, name: str, span: Span) -> Coordinate | None:
        names = self.windows[space].names
        number = self._named(name, dict(_numbered(names)), types.Cell(space), span)
        return None if number is None else (number,)

    def _named(self, word: str, known: Mapping[str, int], type: types.Type, span: Span) -> int | None:
        if word in known:
            return known[word]
        help = nearest(word, list(known)) or ("one of: " + ", ".join(list(known)[:8]) if known else "")
        self.sink.error("RW312", f"`{word}` is not {types.describe(type)}", span, help=help)
        return None

    def _ranged(self, number: int, numbers: Sequence[int], span: Span) -> int | None:
        if number in numbers:
            return number
        message = f"{number} is not in {numbers[0]}..{numbers[-1]}" if numbers else f"{number} cannot be"
        self.sink.error("RW313", message, span, help="the rules declare this range")
        return None

    def _wrong(self, type: types.Type, given: str, span: Span) -> None:
        needed = f"{given} is not {types.describe(type)}"
        self.sink.error("RW312", needed, span, help=_how_written(type))

    def write(self, type: types.Type, value: Value) -> tuple[p.Value, ...]:
        """The values that read as that value."""
        match type, value:
            case types.Cell(space), tuple():
                return () if value == NOWHERE else (self.write_cell(space, value),)
            case types.Number() | types.Player(), int():
                return (p.Amount(value),)
            case types.Truth(), int():
                return (p.Word("yes" if value else "no"),)
            case types.Tile(), int():
                return (p.Piece(self.game.tiles[value - 1].name),) if value else ()
            case types.Enumeration(name), int():
                return (p.Piece(self.game.enumerations[name][value]),)
            case types.Direction(space), int():
                return (p.Piece(self.windows[space].words[value]),) if value >= 0 else ()
            case _:
                raise TypeError(f"{value!r} is not {types.describe(type)}")

    def write_cell(self, space: str, coordinate: Coordinate) -> p.Coordinate | p.Piece | p.Amount:
        """A cell as `cell` reads it."""
        names = self.windows[space].names
        if not names:
            return p.Coordinate(coordinate)
        name = names[coordinate[0]]
        return p.Amount(int(name)) if name.isdigit() else p.Piece(name)


def text_of(node: p.Value) -> str:
    """A value as written."""
    match node:
        case p.Piece(tile, count):
            return tile if count == 1 else f"{tile} x{count}"
        case p.Coordinate(numbers):
            return f"({','.join(map(str, numbers))})"
        case p.Word(text):
            return text
        case p.Amount(number):
            return str(number)
        case p.Rest(seed):
            return f"rest, seed {seed}"
        case _:
            assert_never(node)


def is_zone(variable: Variable) -> bool:
    """Whether tiles lie in it."""
    return variable.storage is not Storage.VALUE


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
            return "write one name"
        case types.SetOf() | types.Region():
            return ""
        case _:
            assert_never(type)
