"""The nodes of single lines of a module. `assemble_modules` adds their blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import modules as tree
from rulewright.grammar.tree.declarations import Edition
from rulewright.grammar.tree.expressions import Call, Expression, Extreme, NumberLiteral, TruthLiteral

from .node_builder import NodeClasses, Property, all_or_none, collected, inside, made, says, text_or_empty
from .read_looks import LookPart, appearance
from .read_spaces import SpaceBuilder
from .read_statements import clause_of, labelled


@frozen
class DefaultLine(Located):
    """`= occupied(c)`: the default of a definition."""

    value: Expression
    cite: str


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
    rows: tuple[tree.PatternRow, ...] = ()


@frozen
class TableHead(Located):
    """`players: tiles tokens`"""

    key: str
    columns: tuple[str, ...]


ConditionParts = tuple[Expression, str, str]

_parameter = made(tree.Parameter, "name domain where optional?")
_case = made(tree.Case, "label value when cite", cite=clause_of)
_effect = inside(tree.Effect, labelled)
_tile_line = made(tree.TileLine, "name count *features")
_table_row = made(tree.TableRow, "key *values")


def _replacing(inner: Callable[..., Any]) -> Callable[..., tree.Replace]:
    """A maker of replacements by what another maker makes from the same children, the first of which is the label."""
    return lambda label, *rest, span: tree.Replace(label, inner(label, *rest, span=span), span=span)


def _is_before(word: str) -> bool:
    return word == "before"


class ModuleBuilder(SpaceBuilder):
    """Builds the nodes of `modules.lark`."""

    NODES: ClassVar[NodeClasses] = {
        **SpaceBuilder.NODES,
        "module": tree.Header,
        "extends": made(Property, "*value", field="extends"),
        "edition": inside(says("edition"), Edition),
        "names": collected,
        "vocabulary": tree.Vocabulary,
        "enumeration": tree.Vocabulary,
        "partition": tree.Partition,
        # Patterns, pieces and tables
        "pattern": made(tree.Pattern, "name space turned? mirrored?"),
        "pattern_level": PatternLevel,
        "tiles": made(tree.Tiles, "name player", lines=()),
        "tile_line": _tile_line,
        "table": made(tree.Table, "name key", columns=(), rows=()),
        "table_head": made(TableHead, "key *columns"),
        "table_row": _table_row,
        # State
        "state": made(tree.State, "", lines=()),
        "declared": made(tree.StateLine, "name index second type visibility scope", index=text_or_empty),
        "truth_type": tree.TruthType,
        "number_type": tree.NumberType,
        "cell_type": tree.CellType,
        "direction_type": tree.DirectionType,
        "zone_type": made(tree.ZoneType, "ordered", ordered=lambda word: word == "pile"),
        "cell_set_type": inside(tree.SetType, made(tree.CellType, "_ space")),
        "named_type": tree.NamedType,
        # Definitions
        "parameters": collected,
        "parameter": _parameter,
        "default": made(DefaultLine, "value cite", cite=clause_of),
        "case": _case,
        "score": made(tree.Score, "name index value cite", cite=clause_of),
        "winner": made(tree.Winner, "*criteria cite", cite=clause_of),
        "rank": made(tree.Rank, "value", lines=()),
        "expected": tree.Expected,
        "look_part": LookPart,
        # Actions, procedures, flow
        "action": made(tree.Action, "name parameters", parameters=all_or_none),
        "base_action": made(tree.Action, "name parameters", parameters=all_or_none, base=True),
        "notation": made(tree.Notation, "text other when"),
        "once": says("once"),
        "like": inside(says("like"), made(tree.Like, "action *bindings")),
        "binding": made(tree.Binding, "parameter _ value"),
        "rule": made(tree.Rule, "name parameters", parameters=all_or_none, requirements=()),
        "effect": _effect,
        "effect_head": EffectHead,
        "procedure": made(tree.Procedure, "name parameters", body=()),
        "whenever": made(tree.Whenever, "name pattern where", body=()),
        "phase": made(tree.Phase, "name", body=()),
        "flow": made(tree.Flow, "", body=()),
        # Needs
        "needed_definition": made(tree.NeededDefinition, "name parameters type", parameters=all_or_none),
        "needed_rule": made(tree.NeededRule, "name parameters", parameters=all_or_none),
        "needed_pattern": made(tree.NeededPattern, "name space roles"),
        "needed_variable": inside(tree.NeededVariable, made(tree.StateLine, "name index second type", index=text_or_empty)),
        "needed_names": tree.NeededNames,
        "needed_flow": made(tree.NeededNames, "", kind=tree.NameKind.FLOW),
        # Changes
        "change": made(tree.Change, "target *edits"),
        "change_of_kind": made(tree.Change, "kind target *edits"),
        "drop_item": made(tree.DropItem, "kind name", name=text_or_empty),
        "add_parameter": inside(tree.AddParameter, _parameter),
        "add_tile": inside(tree.AddTile, _tile_line),
        "add_row": inside(tree.AddRow, _table_row),
        "add_choice": tree.AddChoice,
        "drop_choice": tree.DropChoice,
        "insert": made(tree.Insert, "before point procedure", before=_is_before),
        "insert_flow": made(tree.InsertFlow, "before point", before=_is_before, body=()),
        "replace_parameter": _replacing(_parameter),
        "replace_effect": _replacing(_effect),
        "replace_case": _replacing(_case),
        "replace_head": ReplaceHead,
        "drop": tree.Drop,
        "set_cell": tree.SetCell,
    }

    def located_name(self, span: Span, name: str) -> tuple[str, Span]:
        return name, span

    def players(self, span: Span, low: int, high: int | None) -> tree.Players:
        return tree.Players(low, low if high is None else high, span=span)

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

    def feature(self, span: Span, name: str, *parts: str | tuple[str, int] | None) -> tree.Feature:
        sides = tuple(part for part in parts if isinstance(part, str))
        return tree.Feature(name, sides, tuple(part for part in parts if isinstance(part, tuple)), span=span)

    def amount(self, span: Span, name: str, number: int | None) -> tuple[str, int]:
        return name, 1 if number is None else number

    def signed_number(self, span: Span, minus: str | None, value: int) -> NumberLiteral:
        return NumberLiteral(-value if minus else value, span=span)

    def state_line(self, span: Span, line: tree.StateLine, initial: Expression | None, cite: Property | None) -> tree.StateLine:
        return evolve(line, initial=initial, cite=clause_of(cite), span=span)

    def record_line(self, span: Span, name: str, most: int, *words: Any) -> tree.StateLine:
        *names, cite = words
        kept = tree.PositionsType(most, tuple(names), span=span)
        return tree.StateLine(name, "", kept, cite=clause_of(cite), span=span)

    def set_type(self, span: Span, word: str, name: str) -> tree.SetType:
        return tree.SetType(tree.NamedType("player" if name == "players" else name, span=span), span=span)

    def signed(self, span: Span, minus: str | None, value: int) -> int:
        return -value if minus else value

    def visibility(self, span: Span, word: str) -> tree.Visibility:
        return next(visibility for visibility in tree.Visibility if visibility.value.split()[1] == word)

    def define(
        self,
        span: Span,
        name: str,
        parameters: tuple[tree.Parameter, ...] | None,
        value: Expression | None = None,
        cite: Property | None = None,
    ) -> tree.Define:
        # Without a value here, the block has it.
        return tree.Define(name, parameters or (), value or TruthLiteral(False), cite=clause_of(cite), span=span)

    def criterion(self, span: Span, word: str, value: Expression) -> tree.Criterion:
        return tree.Criterion(Extreme.GREATEST if word == "most" else Extreme.LEAST, value, span=span)

    def rank_line(
        self, span: Span, name: str | Property, low: int | None = None, high: int | None = None
    ) -> tree.RankLine | Property:
        return name if isinstance(name, Property) else tree.RankLine(name, low, high, span=span)

    def condition(self, span: Span, value: Expression, message: str | None, cite: Property | None) -> ConditionParts:
        return value, message or "", clause_of(cite)

    def invariant(self, span: Span, label: str, condition: ConditionParts) -> tree.Invariant:
        return tree.Invariant(label, *condition, span=span)

    def look_name(self, span: Span, name: str, number: int | None) -> str:
        return name if number is None else f"{name} {number}"

    def look(self, span: Span, name: str, *parts: LookPart) -> tree.Look:
        return tree.Look(name, appearance(span, parts, self.sink), span=span)

    def change_look(self, span: Span, name: str, *parts: LookPart) -> tree.Change:
        return tree.Change(name, (tree.Restyle(appearance(span, parts, self.sink), span=span),), "look", span=span)

    def requirement(self, span: Span, label: str, after: str | None, condition: ConditionParts) -> tree.Requirement:
        return tree.Requirement(label, *condition, after is not None, span=span)

    def required_rule(self, span: Span, rule: str, *parts: Expression | Property | None) -> tree.Requirement:
        *arguments, cite = parts
        call = Call(rule, tuple(a for a in arguments if a is not None and not isinstance(a, Property)), span=span)
        return tree.Requirement(rule, call, "", clause_of(cite if isinstance(cite, Property) else None), span=span)

    def needed_space(self, span: Span, name: str, shape: tree.Shape | None, tiles: Property | None) -> tree.NeededSpace:
        return tree.NeededSpace(name, shape, tiles is not None, tiles is not None and tiles.value, span=span)

    def needed_pieces(
        self, span: Span, name: str, owner: str | None, space: str, roles: tuple[str, ...] | None
    ) -> tree.NeededPieces:
        return tree.NeededPieces(name, space, self._of_players(span, name, owner, space), roles or (), span=span)

    def needed_kind(self, span: Span, word: str) -> tree.NameKind:
        return tree.NameKind(word)

    def add_piece(self, span: Span, name: str, count: int) -> tree.AddPiece:
        return tree.AddPiece(self.drawn_piece(span, name, count), span=span)

    def replace_condition(self, span: Span, label: str, condition: ConditionParts) -> tree.Replace:
        value, message, cite = condition
        if label == "value" and not message and not cite:
            return tree.Replace(label, value, span=span)
        return tree.Replace(label, tree.Requirement(label, *condition, span=span), span=span)
