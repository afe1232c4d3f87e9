"""The nodes of single lines of a module. `assemble_modules` adds their blocks."""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import modules as tree
from rulewright.grammar.tree.editions import Edition
from rulewright.grammar.tree.expressions import Call, Expression, Extreme, NumberLiteral, TruthLiteral
from rulewright.grammar.tree.statements import Labelled, Moving, Statement

from .node_builder import NodeClasses
from .read_looks import LookPart, appearance
from .read_spaces import SpaceBuilder, SpacePart
from .read_statements import CiteLine, clause_of


@frozen
class DefaultLine(Located):
    """`= occupied(c)`: the default of a definition."""

    value: Expression
    cite: str


@frozen
class OnceLine(Located):
    """`once per turn`"""

    point: str


@frozen
class ExtendsLine(Located):
    """`extends a, b`"""

    modules: tuple[tuple[str, Span], ...]


@frozen
class EffectHead(Located):
    """`effect lay:` with its statement in the block below."""

    label: str


@frozen
class ReplaceHead(Located):
    """`replace pay:` with its statement in the block below."""

    label: str


@frozen
class PatternLevel(Located):
    """`level 1:` with its rows in the block below."""

    level: int


@frozen
class TableHead(Located):
    """`players: tiles tokens`"""

    key: str
    columns: tuple[str, ...]


ConditionParts = tuple[Expression, str, str]


class ModuleBuilder(SpaceBuilder):
    """Builds the nodes of `modules.lark`."""

    NODES: ClassVar[NodeClasses] = {
        **SpaceBuilder.NODES,
        "module": tree.Header,
        "edition": Edition,
        "partition": tree.Partition,
        "truth_type": tree.TruthType,
        "number_type": tree.NumberType,
        "cell_type": tree.CellType,
        "direction_type": tree.DirectionType,
        "named_type": tree.NamedType,
        "notation": tree.Notation,
        "once": OnceLine,
        "effect_head": EffectHead,
        "pattern_level": PatternLevel,
        "needed_names": tree.NeededNames,
        "look_part": LookPart,
        "add_choice": tree.AddChoice,
        "drop_choice": tree.DropChoice,
        "replace_head": ReplaceHead,
        "drop": tree.Drop,
        "set_cell": tree.SetCell,
    }

    def located_name(self, span: Span, name: str) -> tuple[str, Span]:
        return name, span

    def extends(self, span: Span, *modules: tuple[str, Span]) -> ExtendsLine:
        return ExtendsLine(modules, span=span)

    def names(self, span: Span, *names: str) -> tuple[str, ...]:
        return names

    def vocabulary(self, span: Span, kind: str, names: tuple[str, ...]) -> tree.Vocabulary:
        return tree.Vocabulary(kind, names, span=span)

    enumeration = vocabulary

    def players(self, span: Span, low: int, high: int | None) -> tree.Players:
        return tree.Players(low, low if high is None else high, span=span)

    # Patterns, pieces and tables

    def pattern(self, span: Span, name: str, space: str, turned: str | None, mirrored: str | None) -> tree.Pattern:
        return tree.Pattern(name, space, turned is not None, mirrored is not None, span=span)

    def pattern_row(self, span: Span, *roles: str) -> tree.PatternRow:
        return tree.PatternRow(tuple("" if role == "." else role for role in roles), span=span)

    def pieces(
        self, span: Span, name: str, owner: str | None, space: str, turned: str | None, mirrored: str | None
    ) -> tree.Pieces:
        owned = self._of_players(span, name, owner, space)
        return tree.Pieces(name, space, owned, turned is not None, mirrored is not None, span=span)

    def _of_players(self, span: Span, name: str, owner: str | None, space: str) -> bool:
        if owner not in (None, "player"):
            help = f"write `pieces {name} of player in {space}`, or `pieces {name} in {space}`"
            self.sink.error("RW062", f"pieces can belong to players, not to `{owner}`", span, help=help)
        return owner is not None

    def drawn_piece(self, span: Span, name: str, count: int, *roles: str) -> tree.PieceLine:
        return tree.PieceLine(name, count, (self.pattern_row(span, *roles),) if roles else (), span=span)

    def tiles(self, span: Span, name: str, player: int | None) -> tree.Tiles:
        return tree.Tiles(name, (), player, span=span)

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
        return TableHead(key, columns, span=span)

    def table_row(self, span: Span, key: str | int, *values: Expression) -> tree.TableRow:
        return tree.TableRow(key, values, span=span)

    def signed_number(self, span: Span, minus: str | None, value: int) -> NumberLiteral:
        return NumberLiteral(-value if minus else value, span=span)

    # State

    def state(self, span: Span) -> tree.State:
        return tree.State((), span=span)

    def declared(
        self,
        span: Span,
        name: str,
        index: str | None,
        second: str | None,
        type: tree.WrittenType,
        visibility: tree.Visibility | None,
        scope: str | None,
    ) -> tree.StateLine:
        shown = visibility or tree.Visibility.OPEN
        return tree.StateLine(name, index or "", type, visibility=shown, second=second or "", scope=scope or "", span=span)

    def state_line(self, span: Span, line: tree.StateLine, initial: Expression | None, cite: CiteLine | None) -> tree.StateLine:
        return evolve(line, initial=initial, cite=clause_of(cite), span=span)

    def record_line(self, span: Span, name: str, most: int, *words: Any) -> tree.StateLine:
        *names, cite = words
        kept = tree.PositionsType(most, tuple(names), span=span)
        return tree.StateLine(name, "", kept, cite=clause_of(cite), span=span)

    def cell_set_type(self, span: Span, word: str, space: str) -> tree.SetType:
        return tree.SetType(tree.CellType(space, span=span), span=span)

    def set_type(self, span: Span, word: str, name: str) -> tree.SetType:
        return tree.SetType(tree.NamedType("player" if name == "players" else name, span=span), span=span)

    def signed(self, span: Span, minus: str | None, value: int) -> int:
        return -value if minus else value

    def zone_type(self, span: Span, word: str) -> tree.ZoneType:
        return tree.ZoneType(word == "pile", span=span)

    def visibility(self, span: Span, word: str) -> tree.Visibility:
        return next(visibility for visibility in tree.Visibility if visibility.value.split()[1] == word)

    # Definitions

    def parameters(self, span: Span, *parameters: tree.Parameter | None) -> tuple[tree.Parameter, ...]:
        return tuple(parameter for parameter in parameters if parameter is not None)

    def parameter(
        self, span: Span, name: str, domain: Expression | None, where: Expression | None = None, none: str | None = None
    ) -> tree.Parameter:
        return tree.Parameter(name, domain, where, none is not None, span=span)

    def define(
        self,
        span: Span,
        name: str,
        parameters: tuple[tree.Parameter, ...] | None,
        value: Expression | None = None,
        cite: CiteLine | None = None,
    ) -> tree.Define:
        # Without a value here, the block has it.
        return tree.Define(name, parameters or (), value or TruthLiteral(False), cite=clause_of(cite), span=span)

    def default(self, span: Span, value: Expression, cite: CiteLine | None) -> DefaultLine:
        return DefaultLine(value, clause_of(cite), span=span)

    def case(self, span: Span, label: str, value: Expression, when: Expression, cite: CiteLine | None) -> tree.Case:
        return tree.Case(label, value, when, (), clause_of(cite), span=span)

    def score(self, span: Span, name: str, index: str | None, value: Expression, cite: CiteLine | None) -> tree.Score:
        return tree.Score(name, value, clause_of(cite), index or "", span=span)

    def winner(self, span: Span, *parts: tree.Criterion | CiteLine | None) -> tree.Winner:
        *criteria, cite = parts
        assert not isinstance(cite, tree.Criterion)
        return tree.Winner(tuple(part for part in criteria if isinstance(part, tree.Criterion)), clause_of(cite), span=span)

    def criterion(self, span: Span, word: str, value: Expression) -> tree.Criterion:
        return tree.Criterion(Extreme.GREATEST if word == "most" else Extreme.LEAST, value, span=span)

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

    def expected(self, span: Span, code: str, name: str, reason: str) -> tree.Expected:
        return tree.Expected(code, name, reason, span=span)

    def look_name(self, span: Span, name: str, number: int | None) -> str:
        return name if number is None else f"{name} {number}"

    def look(self, span: Span, name: str, *parts: LookPart) -> tree.Look:
        return tree.Look(name, appearance(span, parts, self.sink), span=span)

    def change_look(self, span: Span, name: str, *parts: LookPart) -> tree.Change:
        return tree.Change(name, (tree.Restyle(appearance(span, parts, self.sink), span=span),), "look", span=span)

    # Actions, procedures, flow

    def action(self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None) -> tree.Action:
        return tree.Action(name, parameters or (), span=span)

    def base_action(self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None) -> tree.Action:
        return tree.Action(name, parameters or (), base=True, span=span)

    def binding(self, span: Span, parameter: str, _: str, value: Expression) -> tree.Binding:
        return tree.Binding(parameter, value, span=span)

    def like(self, span: Span, action: str, *bindings: tree.Binding | None) -> tree.Like:
        return tree.Like(action, bindings=tuple(one for one in bindings if one is not None), span=span)

    def requirement(self, span: Span, label: str, after: str | None, condition: ConditionParts) -> tree.Requirement:
        return tree.Requirement(label, *condition, after is not None, span=span)

    def required_rule(self, span: Span, rule: str, *parts: Expression | CiteLine | None) -> tree.Requirement:
        *arguments, cite = parts
        call = Call(rule, tuple(a for a in arguments if a is not None and not isinstance(a, CiteLine)), span=span)
        return tree.Requirement(rule, call, "", clause_of(cite if isinstance(cite, CiteLine) else None), span=span)

    def rule(self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None) -> tree.Rule:
        return tree.Rule(name, parameters or (), (), span=span)

    def effect(self, span: Span, label: str, statement: Statement, cite: CiteLine | None) -> tree.Effect:
        return tree.Effect(Labelled(label, statement, clause_of(cite), span=span), span=span)

    def procedure(self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None) -> tree.Procedure:
        return tree.Procedure(name, (), parameters=parameters or (), span=span)

    def whenever(self, span: Span, name: str, pattern: Moving, where: Expression | None) -> tree.Whenever:
        return tree.Whenever(name, pattern, where, (), span=span)

    def phase(self, span: Span, name: str) -> tree.Phase:
        return tree.Phase(name, (), span=span)

    def flow(self, span: Span) -> tree.Flow:
        return tree.Flow((), span=span)

    # Needs

    def needed_space(self, span: Span, name: str, shape: tree.Shape | None, tiles: SpacePart | None) -> tree.NeededSpace:
        return tree.NeededSpace(name, shape, tiles is not None, tiles is not None and tiles.value, span=span)

    def needed_definition(
        self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None, type: tree.WrittenType
    ) -> tree.NeededDefinition:
        return tree.NeededDefinition(name, parameters or (), type, span=span)

    def needed_rule(self, span: Span, name: str, parameters: tuple[tree.Parameter, ...] | None) -> tree.NeededRule:
        return tree.NeededRule(name, parameters or (), span=span)

    def needed_pieces(
        self, span: Span, name: str, owner: str | None, space: str, roles: tuple[str, ...] | None
    ) -> tree.NeededPieces:
        return tree.NeededPieces(name, space, self._of_players(span, name, owner, space), roles or (), span=span)

    def needed_pattern(self, span: Span, name: str, space: str, roles: tuple[str, ...] | None) -> tree.NeededPattern:
        return tree.NeededPattern(name, space, roles or (), span=span)

    def needed_variable(
        self, span: Span, name: str, index: str | None, second: str | None, type: tree.WrittenType
    ) -> tree.NeededVariable:
        return tree.NeededVariable(tree.StateLine(name, index or "", type, second=second or "", span=span), span=span)

    def needed_kind(self, span: Span, word: str) -> tree.NameKind:
        return tree.NameKind(word)

    def needed_flow(self, span: Span) -> tree.NeededNames:
        return tree.NeededNames(tree.NameKind.FLOW, span=span)

    # Changes

    def change(self, span: Span, target: str, edit: tree.Edit | None = None) -> tree.Change:
        return tree.Change(target, () if edit is None else (edit,), span=span)

    def change_of_kind(self, span: Span, kind: str, target: str, edit: tree.Edit | None = None) -> tree.Change:
        return tree.Change(target, () if edit is None else (edit,), kind, span=span)

    def drop_item(self, span: Span, kind: str, name: str | None) -> tree.DropItem:
        return tree.DropItem(kind, name or "", span=span)

    def add_parameter(
        self, span: Span, name: str, domain: Expression, where: Expression | None, none: str | None
    ) -> tree.AddParameter:
        return tree.AddParameter(self.parameter(span, name, domain, where, none), span=span)

    def replace_parameter(
        self, span: Span, name: str, domain: Expression | None, where: Expression | None = None, none: str | None = None
    ) -> tree.Replace:
        return tree.Replace(name, self.parameter(span, name, domain, where, none), span=span)

    def add_tile(self, span: Span, name: str, count: int, *features: tree.Feature | None) -> tree.AddTile:
        return tree.AddTile(self.tile_line(span, name, count, *features), span=span)

    def add_piece(self, span: Span, name: str, count: int) -> tree.AddPiece:
        return tree.AddPiece(self.drawn_piece(span, name, count), span=span)

    def add_row(self, span: Span, key: str | int, *values: Expression) -> tree.AddRow:
        return tree.AddRow(tree.TableRow(key, values, span=span), span=span)

    def insert(self, span: Span, word: str, point: str, procedure: str) -> tree.Insert:
        return tree.Insert(word == "before", point, procedure, span=span)

    def insert_flow(self, span: Span, word: str, point: str) -> tree.InsertFlow:
        return tree.InsertFlow(word == "before", point, (), span=span)

    def replace_effect(self, span: Span, label: str, statement: Statement, cite: CiteLine | None) -> tree.Replace:
        return tree.Replace(label, self.effect(span, label, statement, cite), span=span)

    def replace_condition(self, span: Span, label: str, condition: ConditionParts) -> tree.Replace:
        value, message, cite = condition
        if label == "value" and not message and not cite:
            return tree.Replace(label, value, span=span)
        return tree.Replace(label, tree.Requirement(label, *condition, span=span), span=span)

    def replace_case(self, span: Span, label: str, value: Expression, when: Expression, cite: CiteLine | None) -> tree.Replace:
        return tree.Replace(label, self.case(span, label, value, when, cite), span=span)
