"""The nodes of single lines of a module. What stands in the block below a line is added by `assemble_modules`."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules as tree
from rulewright.grammar.tree.expressions import Expression, NumberLiteral, TruthLiteral
from rulewright.grammar.tree.statements import Labelled, Statement

from .node_builder import DottedName
from .read_statements import CiteLine, LabelHead, StatementBuilder, TextLine, clause_of


@frozen
class DefaultLine:
    """`= occupied(c)`: the default of a definition."""

    value: Expression
    cite: str
    span: Span


@frozen
class OnceLine:
    """`once per turn`"""

    point: str
    span: Span


@frozen
class ExtendsLine:
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
class SpaceSize:
    numbers: tuple[int, ...]
    span: Span


@frozen
class SpaceOfTiles:
    span: Span


@frozen
class SpaceNeighbours:
    number: int
    span: Span


@frozen
class SpaceWrapped:
    span: Span


SpacePart = SpaceSize | SpaceOfTiles | SpaceNeighbours | SpaceWrapped
ConditionParts = tuple[Expression, str, str]


class ModuleBuilder(StatementBuilder):
    """A method for every rule of `modules.lark`."""

    def module(self, span: Span, name: DottedName) -> tree.Header:
        return tree.Header(name.text, span=span)

    def extends(self, span: Span, *names: DottedName) -> ExtendsLine:
        return ExtendsLine(tuple((name.text, name.span) for name in names), span)

    def header_line(self, span: Span, line: TextLine | CiteLine) -> TextLine | CiteLine:
        return line

    def names(self, span: Span, *names: str) -> tuple[str, ...]:
        return names

    def vocabulary(self, span: Span, kind: str, names: tuple[str, ...]) -> tree.Vocabulary:
        return tree.Vocabulary(kind, names, span=span)

    enumeration = vocabulary

    def players(self, span: Span, low: int, high: int | None) -> tree.Players:
        return tree.Players(low, low if high is None else high, span=span)

    # Spaces and tables

    def shape(self, span: Span, word: str) -> tree.Shape:
        return next(shape for shape in tree.Shape if shape.value.split()[0] == word)

    def size(self, span: Span, *numbers: int) -> SpaceSize:
        return SpaceSize(numbers, span)

    radius = size

    def of_tiles(self, span: Span) -> SpaceOfTiles:
        return SpaceOfTiles(span)

    def neighbours(self, span: Span, number: int) -> SpaceNeighbours:
        return SpaceNeighbours(number, span)

    def wrapped(self, span: Span) -> SpaceWrapped:
        return SpaceWrapped(span)

    def space(self, span: Span, name: str, shape: tree.Shape, *parts: SpacePart) -> tree.Space:
        size: tuple[int, ...] = ()
        of_tiles, neighbours, wrapped = False, 0, False
        seen: dict[type[SpacePart], Span] = {}
        for part in parts:
            if type(part) in seen:
                self.sink.error("RW016", "this is said twice of the space", part.span, help="say it once")
            seen[type(part)] = part.span
            match part:
                case SpaceSize(numbers):
                    size = self._checked_size(shape, numbers, part.span)
                case SpaceOfTiles():
                    of_tiles = True
                case SpaceNeighbours(number):
                    neighbours = number
                case SpaceWrapped():
                    wrapped = True
        return tree.Space(name, shape, size, of_tiles, neighbours, wrapped, span=span)

    def _checked_size(self, shape: tree.Shape, size: tuple[int, ...], span: Span) -> tuple[int, ...]:
        area = self.limits.side**2
        for number in size:
            if number > (area if len(size) == 1 and shape is not tree.Shape.HEX else self.limits.side):
                self.sink.error(
                    "RW055",
                    f"the space is larger than {self.limits.side} cells along a side",
                    span,
                    help="make it smaller",
                )
                break
        return size

    def partition(self, span: Span, name: str, parameter: str, space: str, value: Expression) -> tree.Partition:
        return tree.Partition(name, parameter, space, value, span=span)

    def node(self, span: Span, name: str | int) -> str:
        return str(name)

    def edge_line(self, span: Span, start: str, *ends: str) -> tuple[tuple[str, str], ...]:
        return tuple((start, end) for end in ends)

    def tiles(self, span: Span, name: str) -> tree.Tiles:
        return tree.Tiles(name, (), span=span)

    def tile_line(self, span: Span, name: str, count: int, *features: tree.Feature | None) -> tree.TileLine:
        return tree.TileLine(name, count, tuple(f for f in features if f is not None), span=span)

    def feature(self, span: Span, name: str, *parts: str | tuple[str, int] | None) -> tree.Feature:
        sides = tuple(part for part in parts if isinstance(part, str))
        return tree.Feature(name, sides, tuple(part for part in parts if isinstance(part, tuple)), span=span)

    def amount(self, span: Span, name: str, number: int | None) -> tuple[str, int]:
        return name, 1 if number is None else number

    def table(self, span: Span, name: str, key: str) -> tree.Table:
        return tree.Table(name, key, (), (), span=span)

    def table_head(self, span: Span, key: str, *columns: str) -> TableHead:
        return TableHead(key, columns, span)

    def table_row(self, span: Span, key: str | int, *values: Expression) -> tree.TableRow:
        return tree.TableRow(key, values, span=span)

    def signed_number(self, span: Span, minus: str | None, value: int) -> NumberLiteral:
        return NumberLiteral(-value if minus else value, span=span)

    # State

    def state(self, span: Span) -> tree.State:
        return tree.State((), span=span)

    def state_line(
        self,
        span: Span,
        name: str,
        index: str | None,
        type: tree.WrittenType,
        visibility: tree.Visibility | None,
        initial: Expression | None,
    ) -> tree.StateLine:
        return tree.StateLine(name, index or "", type, initial, visibility or tree.Visibility.OPEN, span=span)

    def signed(self, span: Span, minus: str | None, value: int) -> int:
        return -value if minus else value

    def truth_type(self, span: Span) -> tree.TruthType:
        return tree.TruthType(span=span)

    def number_type(self, span: Span, low: int, high: int) -> tree.NumberType:
        return tree.NumberType(low, high, span=span)

    def cell_type(self, span: Span, space: str) -> tree.CellType:
        return tree.CellType(space, span=span)

    def direction_type(self, span: Span, space: str) -> tree.DirectionType:
        return tree.DirectionType(space, span=span)

    def zone_type(self, span: Span, word: str) -> tree.ZoneType:
        return tree.ZoneType(word == "pile", span=span)

    def named_type(self, span: Span, name: str) -> tree.NamedType:
        return tree.NamedType(name, span=span)

    def visibility(self, span: Span, word: str) -> tree.Visibility:
        return next(visibility for visibility in tree.Visibility if visibility.value.split()[1] == word)

    # Definitions

    def parameters(self, span: Span, *parameters: tree.Parameter | None) -> tuple[tree.Parameter, ...]:
        return tuple(parameter for parameter in parameters if parameter is not None)

    def parameter(self, span: Span, name: str, domain: Expression | None, where: Expression | None = None) -> tree.Parameter:
        return tree.Parameter(name, domain, where, span=span)

    def define(
        self,
        span: Span,
        name: str,
        parameters: tuple[tree.Parameter, ...] | None,
        value: Expression | None = None,
        cite: CiteLine | None = None,
    ) -> tree.Define:
        # Without a value the block below has it.
        return tree.Define(name, parameters or (), value or TruthLiteral(False), cite=clause_of(cite), span=span)

    def default(self, span: Span, value: Expression, cite: CiteLine | None) -> DefaultLine:
        return DefaultLine(value, clause_of(cite), span)

    def define_line(self, span: Span, line: tree.Case | TextLine | CiteLine) -> tree.Case | TextLine | CiteLine:
        return line

    def case(self, span: Span, label: str, value: Expression, when: Expression, cite: CiteLine | None) -> tree.Case:
        return tree.Case(label, value, when, (), clause_of(cite), span=span)

    def score(self, span: Span, name: str, value: Expression, cite: CiteLine | None) -> tree.Score:
        return tree.Score(name, value, clause_of(cite), span=span)

    def rank(self, span: Span, value: Expression) -> tree.Rank:
        return tree.Rank(value, (), span=span)

    def rank_line(
        self, span: Span, name: str | CiteLine, low: int | None = None, high: int | None = None
    ) -> tree.RankLine | CiteLine:
        return name if isinstance(name, CiteLine) else tree.RankLine(name, low, high, span=span)

    def condition(self, span: Span, value: Expression, message: str | None, cite: CiteLine | None) -> ConditionParts:
        return value, message or "", clause_of(cite)

    def invariant(self, span: Span, label: str, condition: ConditionParts) -> tree.Invariant:
        return tree.Invariant(label, *condition, span=span)

    # Actions, procedures, flow

    def action(self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None) -> tree.Action:
        return tree.Action(name, parameters or (), span=span)

    def action_line(self, span: Span, line: tree.Requirement | tree.Effect | TextLine | CiteLine) -> object:
        return line

    def notation(self, span: Span, text: str) -> tree.Notation:
        return tree.Notation(text, span=span)

    def like(self, span: Span, action: str) -> tree.Like:
        return tree.Like(action, span=span)

    def once(self, span: Span, point: str) -> OnceLine:
        return OnceLine(point, span)

    def requirement(self, span: Span, label: str, condition: ConditionParts) -> tree.Requirement:
        return tree.Requirement(label, *condition, span=span)

    def effect(self, span: Span, label: str, statement: Statement, cite: CiteLine | None) -> tree.Effect:
        return tree.Effect(Labelled(label, statement, clause_of(cite), span=span), span=span)

    def effect_head(self, span: Span, label: str) -> EffectHead:
        return EffectHead(label, span)

    def procedure(self, span: Span, name: str) -> tree.Procedure:
        return tree.Procedure(name, (), span=span)

    def flow(self, span: Span) -> tree.Flow:
        return tree.Flow((), span=span)

    # Needs

    def needed_space(self, span: Span, name: str, shape: tree.Shape | None, tiles: SpaceOfTiles | None) -> tree.NeededSpace:
        return tree.NeededSpace(name, shape, tiles is not None, span=span)

    def needed_definition(
        self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None, type: tree.WrittenType
    ) -> tree.NeededDefinition:
        return tree.NeededDefinition(name, parameters or (), type, span=span)

    def needed_variable(self, span: Span, name: str, index: str | None, type: tree.WrittenType) -> tree.NeededVariable:
        return tree.NeededVariable(tree.StateLine(name, index or "", type, span=span), span=span)

    def needed_kind(self, span: Span, word: str) -> tree.NameKind:
        return tree.NameKind(word)

    def needed_names(self, span: Span, kind: tree.NameKind, names: tuple[str, ...]) -> tree.NeededNames:
        return tree.NeededNames(kind, names, span=span)

    def needed_flow(self, span: Span) -> tree.NeededNames:
        return tree.NeededNames(tree.NameKind.FLOW, span=span)

    # Changes

    def change(self, span: Span, target: DottedName, edit: tree.Edit | None = None) -> tree.Change:
        return tree.Change(target.text, () if edit is None else (edit,), span=span)

    def change_of_kind(self, span: Span, kind: str, target: str, edit: tree.Edit | None = None) -> tree.Change:
        return tree.Change(target, () if edit is None else (edit,), kind, span=span)

    def drop_item(self, span: Span, kind: str, name: str | None) -> tree.DropItem:
        return tree.DropItem(kind, name or "", span=span)

    def edit_line(self, span: Span, edit: tree.Edit | LabelHead) -> tree.Edit | LabelHead:
        return edit

    def add_parameter(self, span: Span, name: str, domain: Expression, where: Expression | None) -> tree.AddParameter:
        return tree.AddParameter(tree.Parameter(name, domain, where, span=span), span=span)

    def replace_parameter(
        self, span: Span, name: str, domain: Expression | None, where: Expression | None = None
    ) -> tree.Replace:
        return tree.Replace(name, tree.Parameter(name, domain, where, span=span), span=span)

    def add_tile(self, span: Span, name: str, count: int, *features: tree.Feature | None) -> tree.AddTile:
        return tree.AddTile(self.tile_line(span, name, count, *features), span=span)

    def add_row(self, span: Span, key: str | int, *values: Expression) -> tree.AddRow:
        return tree.AddRow(tree.TableRow(key, values, span=span), span=span)

    def drop_choice(self, span: Span, action: str, point: str) -> tree.DropChoice:
        return tree.DropChoice(action, point, span=span)

    def add_choice(self, span: Span, action: str, point: str) -> tree.AddChoice:
        return tree.AddChoice(action, point, span=span)

    def insert(self, span: Span, word: str, point: str, procedure: str) -> tree.Insert:
        return tree.Insert(word == "before", point, procedure, span=span)

    def insert_flow(self, span: Span, word: str, point: str) -> tree.InsertFlow:
        return tree.InsertFlow(word == "before", point, (), span=span)

    def replace_effect(self, span: Span, label: DottedName, statement: Statement, cite: CiteLine | None) -> tree.Replace:
        return tree.Replace(label.text, self.effect(span, label.text, statement, cite), span=span)

    def replace_condition(self, span: Span, label: DottedName, condition: ConditionParts) -> tree.Replace:
        value, message, cite = condition
        if label.text == "value" and not message and not cite:
            return tree.Replace(label.text, value, span=span)
        return tree.Replace(label.text, tree.Requirement(label.text, *condition, span=span), span=span)

    def replace_case(
        self, span: Span, label: DottedName, value: Expression, when: Expression, cite: CiteLine | None
    ) -> tree.Replace:
        return tree.Replace(label.text, self.case(span, label.text, value, when, cite), span=span)

    def replace_head(self, span: Span, label: DottedName) -> ReplaceHead:
        return ReplaceHead(label.text, span)

    def drop(self, span: Span, label: DottedName) -> tree.Drop:
        return tree.Drop(label.text, span=span)

    def set_cell(self, span: Span, column: str, key: str | int, value: Expression) -> tree.SetCell:
        return tree.SetCell(column, key, value, span=span)

    def added(self, span: Span, addition: tree.Edit | LabelHead) -> tree.Edit | LabelHead:
        return addition
