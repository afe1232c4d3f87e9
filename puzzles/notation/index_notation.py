"""Indices of variables in settings: `coins 1`, `stock 2 red`, `seen 1 (2,0)`."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_puzzles import value_text
from rulewright.grammar.tree import puzzles
from rulewright.rules.model import types
from rulewright.rules.model.game import Variable

from .value_notation import ValueNotation


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
