"""Pictures of values without a cell: icons if a look sets one, tables for two indices, piles for an enum that maps to
another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from rulewright.base.records import define
from rulewright.rules.model import types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, State, describe_value
from rulewright.rules.play.visibility import Viewer, has_few_values, is_informative, is_unset_of_cell

from .look import Look, Looks
from .palette import Palette
from .parts import LETTER, LINE, SIZE, Part, in_row, stacked, written
from .shapes import scaled
from .svg import Element, Paint, group, path, polygon_data, text

ICON = 18.0
"""The width of an icon in pixels."""

MOST_ICONS = 6
"""Larger numbers are drawn as one icon and the number."""

CHIP = (76.0, 20.0)
"""Width and height of a chip of a pile in pixels."""

GAP = 8.0
"""Pixels between a name and its icons, and between piles."""

WIDEST = 40
"""The approximate number of letters on a line of values."""

HIDDEN = "hidden"


@define(eq=False)
class ValueArtist:
    """Draws the values of a state as a viewer sees them."""

    engine: Engine
    state: State
    viewer: Viewer
    looks: Looks
    palette: Palette

    def values(self, wanted: Sequence[tuple[Column, int, str]]) -> Iterator[Part]:
        """Values with their labels: several on a line, and those with icons on separate lines."""
        told: list[str] = []
        indent = max((len(label) for column, _, label in wanted if self._has_icon(column.variable)), default=0)
        for column, number, label in wanted:
            if self._has_icon(column.variable):
                if told:
                    yield self._line(told.pop())
                yield self._iconic(column, number, label, indent)
                continue
            content = f"{label} {self._content(column, number)}"
            if told and len(told[-1]) + len(content) < WIDEST:
                told[-1] += f" · {content}"
            else:
                yield from map(self._line, told)
                told = [content]
        yield from map(self._line, told)

    def of_all(self, columns: Sequence[Column], labels: Mapping[str, Sequence[str]]) -> Iterator[Part]:
        """The values without a player; `labels` by the name of the variable."""
        plain: list[tuple[Column, int, str]] = []
        for column in columns:
            variable = column.variable
            match variable.index, variable.type:
                case types.Pair() as pair, _ if self._is_tabular(pair):
                    yield from self._table(column, pair)
                case types.Enumeration(), types.Enumeration() if self._sees_all(column):
                    yield from self._piles(column)
                case types.Enumeration() as enumeration, types.Truth() if self._sees_all(column):
                    yield from self._members(column, enumeration)
                case _:
                    told = ((column, number, label) for number, label in enumerate(labels[variable.name]))
                    plain += [value for value in told if self.is_worth_showing(*value[:2])]
        yield from self.values(plain)

    def is_worth_showing(self, column: Column, number: int) -> bool:
        """Whether a value is informative, or one of few; one of a cell only if it has changed."""
        if is_unset_of_cell(self.engine, self.state, column, number):
            return False
        whole = self.viewer.everything or has_few_values(self.engine)
        return whole or is_informative(self.engine, self.state, column, number, self.viewer)

    # Icons ------------------------------------------------------------------------------------

    def _has_icon(self, variable: Variable) -> bool:
        match variable.type:
            case types.Number() | types.Truth():
                return self.looks.draws(variable.name)
            case types.Enumeration() as enumeration:
                return any(self.looks.draws(member) for member in self.engine.game.members(enumeration))
            case _:
                return False

    def _iconic(self, column: Column, number: int, label: str, indent: int) -> Part:
        """A label padded to `indent` letters, and icons: as many as the number, one for a truth value, or that of the
        member."""
        variable, value = column.variable, self.state[column.start + number]
        content = self._content(column, number)
        if content == HIDDEN:
            return self._line(f"{label} {HIDDEN}")
        look = self.looks.variable(variable.name)
        match variable.type:
            case types.Number() if 0 < value <= MOST_ICONS:
                icons = [self._icon(look, variable.name)] * value
            case types.Number() if value:
                icons = [self._icon(look, variable.name), self._line(f"x{value}")]
            case types.Truth() if value:
                icons = [self._icon(look, variable.name)]
            case types.Enumeration():
                icons = [self._icon(self.looks.member(value, content), content), self._line(content)]
            case _:
                icons = [self._line(content)]
        head = Part((indent * SIZE * LETTER + GAP, LINE), self._line(label).element)
        return in_row([head, *icons])

    def _icon(self, look: Look, title: str) -> Part:
        return Part((ICON, LINE), group(self._drawn(look), (ICON / 2, LINE / 2), title))

    def _drawn(self, look: Look) -> list[Element]:
        colour = self.palette.of(look.colour)
        if not look.data and look.glyph:
            return [text((0, 0), look.glyph, SIZE, self.palette.ink, bold=True)]
        return [path(scaled(look.data, 0.45 * ICON), Paint(colour, self.palette.ink, 0.8))]

    # Tables and piles -------------------------------------------------------------------------

    def _is_tabular(self, pair: types.Pair) -> bool:
        return all(isinstance(part, types.Player | types.Enumeration) for part in (pair.first, pair.second))

    def _table(self, column: Column, pair: types.Pair) -> Iterator[Part]:
        """A table with a row for each value of the first index, a column for each of the second."""
        cells: dict[str, dict[str, str]] = {}
        for number in range(column.count):
            first, second = self.engine.instance.parts(pair, column.offset + number)
            row, head = (self._name(part, value) for part, value in ((pair.first, first), (pair.second, second)))
            cells.setdefault(row, {})[head] = self._content(column, number)
        heads = list(dict.fromkeys(head for row in cells.values() for head in row))
        left = max(map(len, cells), default=0)
        widths = [max(len(head), *(len(row.get(head, "")) for row in cells.values())) for head in heads]
        yield self._row([column.variable.name, *heads], [max(left, len(column.variable.name)), *widths], bold=True)
        for name, found in cells.items():
            yield self._row([name, *(found.get(head, "") for head in heads)], [max(left, len(column.variable.name)), *widths])

    def _row(self, contents: Sequence[str], widths: Sequence[int], bold: bool = False) -> Part:
        found, right = [], 0.0
        for content, width in zip(contents, widths, strict=True):
            found.append(group((written(content, self.palette, bold).element,), (right, 0.0)))
            right += (width + 2) * SIZE * LETTER
        return Part((right, LINE), group(found))

    def _name(self, type: types.Type, value: int) -> str:
        return f"player {value}" if isinstance(type, types.Player) else describe_value(self.engine, type, value)

    def _piles(self, column: Column) -> Iterator[Part]:
        """A pile for each member of one enum, of the members of the other that map to it, the first on top."""
        variable = column.variable
        assert isinstance(variable.index, types.Enumeration)
        assert isinstance(variable.type, types.Enumeration)
        yield written(variable.name, self.palette, bold=True)
        names = self.engine.game.members(variable.index)
        piles = []
        for place, title in enumerate(self.engine.game.members(variable.type)):
            here = [n for n in range(column.count) if self.state[column.start + n] == place]
            chips = [self._chip(column.offset + n, names[column.offset + n]) for n in here]
            base = path(f"M0 2H{CHIP[0]:g}", Paint("", self.palette.faint, 2.0))
            piles.append(stacked([*chips, Part((CHIP[0], 4.0), base), self._under(title)]))
        yield in_row(piles, GAP)

    def _members(self, column: Column, enumeration: types.Enumeration) -> Iterator[Part]:
        """The members of an enum for which a truth value holds; nothing if there are none."""
        names = self.engine.game.members(enumeration)
        found = [names[column.offset + n] for n in range(column.count) if self.state[column.start + n]]
        if found:
            yield from map(self._line, wrap(f"{column.variable.name}: {', '.join(found)}", WIDEST))

    def _under(self, title: str) -> Part:
        """The name of a pile, centred below it."""
        return Part((CHIP[0], LINE), text((CHIP[0] / 2, LINE / 2), title, SIZE, self.palette.faint))

    def _chip(self, number: int, name: str) -> Part:
        width, height = CHIP
        colour = self.palette.of(self.looks.member(number, name).colour)
        corners = [(1.0, 1.0), (width - 1, 1.0), (width - 1, height - 1), (1.0, height - 1)]
        plate = path(polygon_data(corners), Paint(colour, self.palette.ink, 0.8))
        size = min(SIZE, (width - 6) / (LETTER * max(1, len(name))))
        return Part(CHIP, group((plate, text((width / 2, height / 2), name, size, self.palette.on(colour))), title=name))

    # What is told -----------------------------------------------------------------------------

    def _content(self, column: Column, number: int) -> str:
        if not self.viewer.sees(self.engine, self.state, column.variable, column.offset + number):
            return HIDDEN
        return describe_value(self.engine, column.variable.type, self.state[column.start + number])

    def _sees_all(self, column: Column) -> bool:
        numbers = range(column.count)
        return all(self.viewer.sees(self.engine, self.state, column.variable, column.offset + number) for number in numbers)

    def _line(self, content: str) -> Part:
        return written(content, self.palette)
