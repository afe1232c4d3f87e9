"""The nodes of single lines of a module. What stands in the block below a line is added by `assemble_modules`."""

from __future__ import annotations

from . import modules as m
from .building import Dotted
from .classes import frozen
from .expressions import Expression, Number, TruthLiteral
from .read_statements import Cite, LabelHead, StatementBuilder, Text, clause_of
from .spans import Span
from .statements import Labelled, Statement


@frozen
class Default:
    """`= occupied(c)`: the default of a definition."""

    value: Expression
    cite: str
    span: Span


@frozen
class Once:
    """`once per turn`"""

    point: str
    span: Span


@frozen
class Extends:
    """`extends a, b`"""

    modules: tuple[tuple[str, Span], ...]
    span: Span


@frozen
class EffectHead:
    """`effect lay:` with its statement in the block below."""

    label: str
    span: Span


@frozen
class ReplaceHead:
    """`replace pay:` with its statement in the block below."""

    label: str
    span: Span


@frozen
class TableHead:
    """`players: tiles tokens`"""

    key: str
    columns: tuple[str, ...]
    span: Span


@frozen
class Size:
    numbers: tuple[int, ...]
    span: Span


@frozen
class OfTiles:
    span: Span


@frozen
class Neighbours:
    number: int
    span: Span


@frozen
class Wrapped:
    span: Span


SpacePart = Size | OfTiles | Neighbours | Wrapped
Condition = tuple[Expression, str, str]


class ModuleBuilder(StatementBuilder):
    """A method for every rule of `modules.lark`."""

    def module(self, span: Span, name: Dotted) -> m.Header:
        return m.Header(name.text, span=span)

    def extends(self, span: Span, *names: Dotted) -> Extends:
        return Extends(tuple((name.text, name.span) for name in names), span)

    def header_line(self, span: Span, line: Text | Cite) -> Text | Cite:
        return line

    def names(self, span: Span, *names: str) -> tuple[str, ...]:
        return names

    def vocabulary(self, span: Span, kind: str, names: tuple[str, ...]) -> m.Vocabulary:
        return m.Vocabulary(kind, names, span=span)

    enumeration = vocabulary

    def players(self, span: Span, low: int, high: int | None) -> m.Players:
        return m.Players(low, low if high is None else high, span=span)

    # Spaces and tables

    def shape(self, span: Span, word: str) -> m.Shape:
        return next(shape for shape in m.Shape if shape.value.split()[0] == word)

    def size(self, span: Span, *numbers: int) -> Size:
        return Size(numbers, span)

    radius = size

    def of_tiles(self, span: Span) -> OfTiles:
        return OfTiles(span)

    def neighbours(self, span: Span, number: int) -> Neighbours:
        return Neighbours(number, span)

    def wrapped(self, span: Span) -> Wrapped:
        return Wrapped(span)

    def space(self, span: Span, name: str, shape: m.Shape, *parts: SpacePart) -> m.Space:
        size: tuple[int, ...] = ()
        of_tiles, neighbours, wrapped = False, 0, False
        seen: dict[type[SpacePart], Span] = {}
        for part in parts:
            if type(part) in seen:
                self.sink.error("RW016", "this is said twice of the space", part.span, help="say it once")
            seen[type(part)] = part.span
            match part:
                case Size(numbers):
                    size = self._checked_size(shape, numbers, part.span)
                case OfTiles():
                    of_tiles = True
                case Neighbours(number):
                    neighbours = number
                case Wrapped():
                    wrapped = True
        return m.Space(name, shape, size, of_tiles, neighbours, wrapped, span=span)

    def _checked_size(self, shape: m.Shape, size: tuple[int, ...], span: Span) -> tuple[int, ...]:
        area = self.limits.side**2
        for number in size:
            if number > (area if len(size) == 1 and shape is not m.Shape.HEX else self.limits.side):
                self.sink.error(
                    "RW055",
                    f"the space is larger than {self.limits.side} cells along a side",
                    span,
                    help="make it smaller",
                )
                break
        return size

    def partition(self, span: Span, name: str, parameter: str, space: str, value: Expression) -> m.Partition:
        return m.Partition(name, parameter, space, value, span=span)

    def node(self, span: Span, name: str | int) -> str:
        return str(name)

    def edge_line(self, span: Span, start: str, *ends: str) -> tuple[tuple[str, str], ...]:
        return tuple((start, end) for end in ends)

    def tiles(self, span: Span, name: str) -> m.Tiles:
        return m.Tiles(name, (), span=span)

    def tile_line(self, span: Span, name: str, count: int, *features: m.Feature | None) -> m.TileLine:
        return m.TileLine(name, count, tuple(f for f in features if f is not None), span=span)

    def feature(self, span: Span, name: str, *parts: str | tuple[str, int] | None) -> m.Feature:
        sides = tuple(part for part in parts if isinstance(part, str))
        return m.Feature(name, sides, tuple(part for part in parts if isinstance(part, tuple)), span=span)

    def amount(self, span: Span, name: str, number: int | None) -> tuple[str, int]:
        return name, 1 if number is None else number

    def table(self, span: Span, name: str, key: str) -> m.Table:
        return m.Table(name, key, (), (), span=span)

    def table_head(self, span: Span, key: str, *columns: str) -> TableHead:
        return TableHead(key, columns, span)

    def table_row(self, span: Span, key: str | int, *values: Expression) -> m.TableRow:
        return m.TableRow(key, values, span=span)

    def signed_number(self, span: Span, minus: str | None, value: int) -> Number:
        return Number(-value if minus else value, span=span)

    # State

    def state(self, span: Span) -> m.State:
        return m.State((), span=span)

    def state_line(
        self,
        span: Span,
        name: str,
        index: str | None,
        type: m.WrittenType,
        visibility: m.Visibility | None,
        initial: Expression | None,
    ) -> m.StateLine:
        return m.StateLine(name, index or "", type, initial, visibility or m.Visibility.OPEN, span=span)

    def signed(self, span: Span, minus: str | None, value: int) -> int:
        return -value if minus else value

    def truth_type(self, span: Span) -> m.TruthType:
        return m.TruthType(span=span)

    def number_type(self, span: Span, low: int, high: int) -> m.NumberType:
        return m.NumberType(low, high, span=span)

    def cell_type(self, span: Span, space: str) -> m.CellType:
        return m.CellType(space, span=span)

    def direction_type(self, span: Span, space: str) -> m.DirectionType:
        return m.DirectionType(space, span=span)

    def zone_type(self, span: Span, word: str) -> m.ZoneType:
        return m.ZoneType(word == "pile", span=span)

    def named_type(self, span: Span, name: str) -> m.NamedType:
        return m.NamedType(name, span=span)

    def visibility(self, span: Span, word: str) -> m.Visibility:
        return next(visibility for visibility in m.Visibility if visibility.value.split()[1] == word)

    # Definitions

    def parameters(self, span: Span, *parameters: m.Parameter | None) -> tuple[m.Parameter, ...]:
        return tuple(parameter for parameter in parameters if parameter is not None)

    def parameter(self, span: Span, name: str, domain: Expression | None, where: Expression | None = None) -> m.Parameter:
        return m.Parameter(name, domain, where, span=span)

    def define(
        self,
        span: Span,
        name: str,
        parameters: tuple[m.Parameter, ...] | None,
        value: Expression | None = None,
        cite: Cite | None = None,
    ) -> m.Define:
        # Without a value the block below has it.
        return m.Define(name, parameters or (), value or TruthLiteral(False), cite=clause_of(cite), span=span)

    def default(self, span: Span, value: Expression, cite: Cite | None) -> Default:
        return Default(value, clause_of(cite), span)

    def define_line(self, span: Span, line: m.Case | Text | Cite) -> m.Case | Text | Cite:
        return line

    def case(self, span: Span, label: str, value: Expression, when: Expression, cite: Cite | None) -> m.Case:
        return m.Case(label, value, when, (), clause_of(cite), span=span)

    def score(self, span: Span, name: str, value: Expression, cite: Cite | None) -> m.Score:
        return m.Score(name, value, clause_of(cite), span=span)

    def rank(self, span: Span, value: Expression) -> m.Rank:
        return m.Rank(value, (), span=span)

    def rank_line(self, span: Span, name: str | Cite, low: int | None = None, high: int | None = None) -> m.RankLine | Cite:
        return name if isinstance(name, Cite) else m.RankLine(name, low, high, span=span)

    def condition(self, span: Span, value: Expression, message: str | None, cite: Cite | None) -> Condition:
        return value, message or "", clause_of(cite)

    def invariant(self, span: Span, label: str, condition: Condition) -> m.Invariant:
        return m.Invariant(label, *condition, span=span)

    # Actions, procedures, flow

    def action(self, span: Span, name: str, parameters: tuple[m.Parameter, ...] | None) -> m.Action:
        return m.Action(name, parameters or (), span=span)

    def action_line(self, span: Span, line: m.Requirement | m.Effect | Text | Cite) -> object:
        return line

    def notation(self, span: Span, text: str) -> m.Notation:
        return m.Notation(text, span=span)

    def like(self, span: Span, action: str) -> m.Like:
        return m.Like(action, span=span)

    def once(self, span: Span, point: str) -> Once:
        return Once(point, span)

    def requirement(self, span: Span, label: str, condition: Condition) -> m.Requirement:
        return m.Requirement(label, *condition, span=span)

    def effect(self, span: Span, label: str, statement: Statement, cite: Cite | None) -> m.Effect:
        return m.Effect(Labelled(label, statement, clause_of(cite), span=span), span=span)

    def effect_head(self, span: Span, label: str) -> EffectHead:
        return EffectHead(label, span)

    def procedure(self, span: Span, name: str) -> m.Procedure:
        return m.Procedure(name, (), span=span)

    def flow(self, span: Span) -> m.Flow:
        return m.Flow((), span=span)

    # Changes

    def change(self, span: Span, target: Dotted, edit: m.Edit | None = None) -> m.Change:
        return m.Change(target.text, () if edit is None else (edit,), span=span)

    def change_of_kind(self, span: Span, kind: str, target: str, edit: m.Edit | None = None) -> m.Change:
        return m.Change(target, () if edit is None else (edit,), kind, span=span)

    def drop_item(self, span: Span, kind: str, name: str | None) -> m.DropItem:
        return m.DropItem(kind, name or "", span=span)

    def edit_line(self, span: Span, edit: m.Edit | LabelHead) -> m.Edit | LabelHead:
        return edit

    def add_parameter(self, span: Span, name: str, domain: Expression, where: Expression | None) -> m.AddParameter:
        return m.AddParameter(m.Parameter(name, domain, where, span=span), span=span)

    def replace_parameter(self, span: Span, name: str, domain: Expression | None, where: Expression | None = None) -> m.Replace:
        return m.Replace(name, m.Parameter(name, domain, where, span=span), span=span)

    def add_tile(self, span: Span, name: str, count: int, *features: m.Feature | None) -> m.AddTile:
        return m.AddTile(self.tile_line(span, name, count, *features), span=span)

    def add_row(self, span: Span, key: str | int, *values: Expression) -> m.AddRow:
        return m.AddRow(m.TableRow(key, values, span=span), span=span)

    def drop_choice(self, span: Span, action: str, point: str) -> m.DropChoice:
        return m.DropChoice(action, point, span=span)

    def add_choice(self, span: Span, action: str, point: str) -> m.AddChoice:
        return m.AddChoice(action, point, span=span)

    def insert(self, span: Span, word: str, point: str, procedure: str) -> m.Insert:
        return m.Insert(word == "before", point, procedure, span=span)

    def insert_flow(self, span: Span, word: str, point: str) -> m.InsertFlow:
        return m.InsertFlow(word == "before", point, (), span=span)

    def replace_effect(self, span: Span, label: Dotted, statement: Statement, cite: Cite | None) -> m.Replace:
        return m.Replace(label.text, self.effect(span, label.text, statement, cite), span=span)

    def replace_condition(self, span: Span, label: Dotted, condition: Condition) -> m.Replace:
        value, message, cite = condition
        if label.text == "value" and not message and not cite:
            return m.Replace(label.text, value, span=span)
        return m.Replace(label.text, m.Requirement(label.text, *condition, span=span), span=span)

    def replace_case(self, span: Span, label: Dotted, value: Expression, when: Expression, cite: Cite | None) -> m.Replace:
        return m.Replace(label.text, self.case(span, label.text, value, when, cite), span=span)

    def replace_head(self, span: Span, label: Dotted) -> ReplaceHead:
        return ReplaceHead(label.text, span)

    def drop(self, span: Span, label: Dotted) -> m.Drop:
        return m.Drop(label.text, span=span)

    def set_cell(self, span: Span, column: str, key: str | int, value: Expression) -> m.SetCell:
        return m.SetCell(column, key, value, span=span)

    def added(self, span: Span, addition: m.Edit | LabelHead) -> m.Edit | LabelHead:
        return addition
