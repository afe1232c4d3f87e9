"""Resolves expressions into terms by bidirectional type checking (Pierce and Turner 2000): types are inferred or expected."""

from __future__ import annotations

from rulewright.base.diagnostics import MOST_LISTED, suggest
from rulewright.base.records import define, field
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions
from rulewright.rules.linking.forms.values import (
    NONE,
    resolve_arithmetic,
    resolve_binding,
    resolve_choice,
    resolve_comparison,
    resolve_index,
    resolve_junction,
)
from rulewright.rules.merging.expand import score_definition, total_definition
from rulewright.rules.model import terms, types
from rulewright.rules.model.effects import Location
from rulewright.rules.model.game import Variable
from rulewright.rules.model.standing import of_player
from rulewright.rules.spaces.window import Function

from .forms import sets
from .functions.call import NUMBER, PLAYER, TILE, TRUTH
from .functions.patterns import no_place, role_of
from .pieces.functions import kinds_among
from .resolve_calls import resolve_call
from .symbol_table import Locals, LocalSymbol, SymbolTable
from .unification import PartialSet, PartialType, SpaceVariable, TypeVariable, as_type, describe_partial, ground, prune, unify


@define
class TermResolver:
    """Resolves expressions. Errors go to the sink of the symbol table, and a stand-in replaces the faulty part.

    The result of an inference pass is the binding of type variables; its terms are discarded. `defaults` are types that hold
    unless something else binds them (as in Haskell's defaulting).
    """

    symbols: SymbolTable
    inferring: bool = False
    defaults: list[tuple[PartialType, types.Type]] = field(factory=list, init=False)

    def term(self, node: expressions.Expression, locals: Locals, expected: PartialType | None = None) -> terms.Term:
        """Resolve an expression, which must be of the type `expected` if given. Reports RW200."""
        if isinstance(node, expressions.NumberLiteral) and expected is not None and prune(expected) == PLAYER:
            return self.symbols.player(node.value, node.span)
        found = self._term(node, locals, expected)
        if expected is not None and not unify(found.type, expected):
            self.mismatch(node.span, expected, found.type)
        return found

    def hinted(self, node: expressions.Expression, locals: Locals, hint: PartialType | None = None) -> terms.Term:
        """Resolve an expression of any type; the hint disambiguates names."""
        return self._term(node, locals, hint)

    def condition(self, node: expressions.Expression, locals: Locals) -> terms.Term:
        """Resolve an expression that must be a truth value."""
        return self.term(node, locals, TRUTH)

    def set(self, node: expressions.Expression, locals: Locals) -> tuple[terms.Term, PartialType]:
        """Resolve an expression that must be a set; also returns the type of its elements. Reports RW201."""
        element: PartialType = TypeVariable()
        term = self._term(node, locals, PartialSet(element))
        if not unify(term.type, PartialSet(element)):
            help = "use `low..high` for a range of numbers" if prune(term.type) == NUMBER else ""
            message = f"expected a set, found {describe_partial(term.type)}"
            self.symbols.sink.error("RW201", message, node.span, help=help)
        return term, element

    def bound(self, binder: expressions.Binder, locals: Locals) -> tuple[terms.Binder, dict[str, LocalSymbol]]:
        """Resolve a binder: the bound variable, and the locals visible in its body."""
        domain, element = self.set(binder.domain, locals)
        inner = {**locals, binder.name: LocalSymbol(element, self.zone_of(domain), pieces=kinds_among(self.symbols, domain))}
        where = None if binder.where is None else self.condition(binder.where, inner)
        type = as_type(element) if self.inferring else ground(element, NUMBER)
        return terms.Binder(binder.name, domain, where, type, span=binder.span), inner

    def zone_of(self, domain: terms.Term) -> Location | None:
        """The zone whose contents a domain ranges over; None for any other domain."""
        match domain:
            case terms.Read(variable, index) if self.symbols.zone(variable) is not None:
                return Location(variable, index, span=domain.span)
            case terms.Those(bound):
                return self.zone_of(bound.domain)
            case _:
                return None

    def refuse_set(self, type: PartialType, span: Span, message: str, help: str = "", code: str = "RW211") -> None:
        """Report RW211, or `code`, for a set where only single values are allowed."""
        if isinstance(prune(type), PartialSet | types.SetOf):
            self.symbols.sink.error(code, message, span, help=help)

    def mismatch(self, span: Span, expected: PartialType, found: PartialType) -> None:
        """Report RW200: the value has the wrong type."""
        message = f"expected {describe_partial(expected)}, found {describe_partial(found)}"
        self.symbols.sink.error("RW200", message, span, help=self._conversion(prune(found), prune(expected)))

    def _conversion(self, found: PartialType, expected: PartialType) -> str:
        """A help text on converting one type into another."""
        match found, expected:
            case types.SetOf() | PartialSet(), types.Number():
                return "use `size(…)` for the number of elements"
            case types.Truth(), types.Number():
                return "write `if … then 1 else 0`"
            case types.Number(), types.Truth():
                return "compare it, as in `… >= 1`; truth values are `yes` and `no`"
            case _, types.Truth():
                return "compare it, as in `… = …`"
            case types.Cell(), types.Tile():
                return "use `at(…)` for the tile on a cell"
            case types.Tile(), types.Cell():
                return "`at(…)` gives the tile on a cell; a tile does not determine its cell"
            case _, types.Enumeration(name) if 0 < len(self.symbols.enumerations.get(name, ())) <= MOST_LISTED:
                return "it may be " + ", ".join(f"`{member}`" for member in self.symbols.enumerations[name])
            case _, types.Player():
                return "use a parameter, a variable or a quantifier, as in `some p in players: …`"
            case _, types.Cell(space) if space:
                return f"start from `origin of {space}`, as in `step(origin of {space}, …)`, or use a parameter or a variable"
            case _:
                return f"use {describe_partial(expected)} instead"

    def unify_by_default(self, type: PartialType, default: types.Type) -> bool:
        """Unify a type with a default that holds unless it is bound otherwise, here or later."""
        if self.inferring and isinstance(prune(type), TypeVariable):
            self.defaults.append((type, default))
            return True
        return unify(type, default)

    def set_of(self, element: PartialType) -> types.Type:
        """The type of a set; during inference a later use may bind its element type."""
        return as_type(PartialSet(element)) if self.inferring else types.SetOf(ground(element, NUMBER))

    def stand_in(self, span: Span) -> terms.Term:
        """A term in place of a faulty expression: of any type, so that no further errors follow."""
        return terms.Constant(0, type=as_type(TypeVariable()), span=span)

    def _term(self, node: expressions.Expression, locals: Locals, expected: PartialType | None) -> terms.Term:  # noqa: PLR0912
        span = node.span
        match node:
            case expressions.NumberLiteral(value):
                return terms.Constant(value, type=NUMBER, span=span)
            case expressions.TruthLiteral(value):
                return terms.Constant(int(value), type=TRUTH, span=span)
            case expressions.Name():
                return self._name(node, locals, expected)
            case expressions.Call():
                return resolve_call(self, node, locals, expected)
            case expressions.Subscript(name, index):
                return self.of(name, index, span, locals)
            case expressions.CellLiteral(coordinate):
                # If the space is known from the context, it need not be named.
                wanted = prune(expected) if expected is not None else None
                known = wanted.space if isinstance(wanted, types.Cell) and wanted.space in self.symbols.spaces else ""
                named = (expressions.Name(known, span=span),) if known else ()
                return resolve_call(self, expressions.Call("cell", (*named, *coordinate), span=span), locals)
            case expressions.Paired(first, second):
                help = "declare a variable with two indices, as in `stock of player of colour: 0..9`"
                self.symbols.sink.error("RW203", "this expression cannot have an index", span, help=help)
                for part in (first, second):
                    self.term(part, locals)
                return self.stand_in(span)
            case expressions.Not(operand):
                return terms.Not(self.condition(operand, locals), span=span)
            case expressions.And() | expressions.Or():
                return resolve_junction(self, node, locals, expected)
            case expressions.Compare():
                return resolve_comparison(self, node, locals)
            case expressions.Membership(item, domain):
                collection, member = self.set(domain, locals)
                return terms.Membership(self.term(item, locals, member), collection, span=span)
            case expressions.Has(piece, marker):
                tile = self.term(piece, locals, TILE)
                count = terms.Lookup(terms.Markers(), tile, self.marker(marker, locals), type=NUMBER, span=span)
                once = terms.Constant(1, type=NUMBER, span=span)
                return terms.Compare(expressions.Comparison.AT_LEAST, count, once, span=span)
            case expressions.IsNone(operand):
                return self._is_none(operand, span, locals)
            case expressions.Negation(operand):
                zero = terms.Constant(0, type=NUMBER, span=span)
                minus = ((expressions.Operator.MINUS, self.term(operand, locals, NUMBER)),)
                return terms.Arithmetic(zero, minus, span=span)
            case expressions.Arithmetic():
                return resolve_arithmetic(self, node, locals, expected)
            case expressions.Arrow(start, end):
                one, other = self.term(start, locals), self.term(end, locals)
                space = self.space_of(one, other)
                return terms.Apply(Function.TOWARD, space, (one, other), type=types.Direction(space), span=span)
            case expressions.Interval(low, high):
                bounds = self.term(low, locals, NUMBER), self.term(high, locals, NUMBER)
                return terms.Interval(*bounds, type=types.SetOf(NUMBER), span=span)
            case expressions.SetLiteral(items):
                element = _element_of(expected)
                listed = tuple(self.term(i, locals, element) for i in items)
                self.refuse_set(element, span, "a set cannot hold sets")
                return terms.SetLiteral(listed, type=self.set_of(element), span=span)
            case expressions.If():
                return resolve_choice(self, node, locals, expected)
            case expressions.Let(name, value, body):
                given = self.term(value, locals)
                result = self.term(body, {**locals, name: LocalSymbol(given.type, self.zone_of(given))}, expected)
                return terms.Let(name, given, result, result.type, span=span)
            case _:
                return resolve_binding(self, node, locals)

    def _is_none(self, node: expressions.Expression, span: Span, locals: Locals) -> terms.Term:
        """Whether a value is none. Reports RW244 for a type without such a value."""
        item = self.term(node, locals)
        if self._is_never_none(item.type, node.span):
            return terms.Constant(0, type=TRUTH, span=span)
        none = terms.Absent(type=item.type, span=span)
        return terms.Compare(expressions.Comparison.EQUAL, item, none, span=span)

    def _none_of(self, node: expressions.Expression, span: Span, locals: Locals) -> terms.Term:
        """`none of players`: the value none for the elements of a set. Reports RW244 if they have no such value."""
        _, element = self.set(node, locals)
        if self._is_never_none(element, node.span):
            return self.stand_in(span)
        return terms.Absent(type=as_type(element), span=span)

    def _is_never_none(self, type: PartialType, span: Span) -> bool:
        """Whether a type has no value for none, which is reported as RW244."""
        if not isinstance(prune(type), types.Number | types.SetOf | PartialSet):
            return False
        help = "test a set with `empty(…)`; for a number that may be missing, add a truth value"
        self.symbols.sink.error("RW244", f"{describe_partial(type)} cannot be none", span, help=help)
        return True

    def marker(self, node: expressions.Expression, locals: Locals) -> terms.Term:
        """A marker; its name is looked up among markers only."""
        type = types.Enumeration("marker")
        if not isinstance(node, expressions.Name):
            self.mismatch(node.span, type, NUMBER)
            return terms.Constant(0, type=type, span=node.span)
        if node.text in locals:
            return self.term(node, locals, type)
        names = self.symbols.enumerations.get("marker", ())
        if node.text not in names:
            help = suggest(node.text, names, "declare it: `marker …`")
            self.symbols.sink.error("RW110", f"there is no marker `{node.text}`", node.span, help=help)
        value = names.index(node.text) if node.text in names else 0
        return terms.Constant(value, type=type, span=node.span)

    def space_of(self, *operands: terms.Term, board: bool = False) -> str:
        """The space of cells or directions; if nothing determines it, the only space, or for a `board` the only one with tiles.

        Reports RW200 and RW202.
        """
        for operand in operands:
            match prune(operand.type):
                case types.Cell(space) | types.Direction(space):
                    if space:
                        return self._same_space(space, operands)
                case TypeVariable():
                    pass
                case other:
                    self.mismatch(operand.span, types.Cell(""), other)
                    return self.symbols.only_space()
        spaces = list(self.symbols.spaces)
        candidates = [name for name in spaces if not board or self.symbols.board(name)]
        if self.inferring and len(spaces) > 1:
            space = SpaceVariable()
            if len(candidates) == 1:
                self.defaults.append((types.Cell(space), types.Cell(candidates[0])))
            return self._same_space(space, operands)
        if len(candidates) != 1:
            self._report_unknown_space(operands[0].span, candidates)
        return self._same_space([*candidates, *spaces, ""][0], operands)

    def board_of(self, span: Span, *cells: terms.Term) -> str:
        """The space of cells that may hold tiles. Reports RW205 if none may, and what `space_of` reports."""
        space = self.space_of(*cells, board=True)
        if space and self.symbols.board(space) is None:
            help = f"declare it as `space {space}: … of tiles`"
            self.symbols.sink.error("RW205", f"`{space}` has no tiles", span, help=help)
        return space

    def _report_unknown_space(self, span: Span, candidates: list[str]) -> None:
        """Report RW202; for a game without a space only once."""
        sink = self.symbols.sink
        if candidates:
            help = "give the space where the name is introduced, as in `define near(c in board)`"
            sink.error("RW202", "it is ambiguous which space this refers to", span, help=help)
        elif not any(found.code == "RW202" for found in sink):
            what = "a space of tiles" if self.symbols.spaces else "a space"
            help = "declare one, as in `space board: square grid 8 x 8 of tiles`"
            sink.error("RW202", f"this needs {what}, but the game does not declare one", span, help=help)

    def _same_space(self, space: str, operands: tuple[terms.Term, ...]) -> str:
        """Unify a single operand with cells or directions of a space, several operands with its cells. Reports RW200."""
        lone = len(operands) == 1
        for operand in operands:
            wanted = types.Direction(space) if lone and isinstance(prune(operand.type), types.Direction) else types.Cell(space)
            if not unify(operand.type, wanted):
                self.mismatch(operand.span, wanted, operand.type)
        return space

    def region_space(self, region: terms.Term) -> str:
        """The space of a region; if nothing determines it, the only one with tiles. Reports RW200 and RW202."""
        boards = [name for name in self.symbols.spaces if self.symbols.board(name)]
        known = prune(region.type)
        if isinstance(known, types.Region) and known.space:
            return known.space
        if not isinstance(known, TypeVariable | types.Region):
            self.mismatch(region.span, types.Region(boards[0] if boards else ""), known)
        elif self.inferring:
            space = SpaceVariable()
            unify(region.type, types.Region(space))
            self.defaults += [(types.Region(space), types.Region(only)) for only in boards if len(boards) == 1]
            return space
        elif len(boards) != 1:
            self.symbols.sink.error(
                "RW202", "it is ambiguous which space this refers to", region.span, help="call it with a region"
            )
        return boards[0] if boards else ""

    def _name(self, node: expressions.Name, locals: Locals, expected: PartialType | None) -> terms.Term:
        name, span, symbols = node.text, node.span, self.symbols
        if name in locals:
            return terms.Local(locals[name].alias or name, as_type(locals[name].type), span=span)
        if "." in name and name.partition(".")[0] in locals:
            return self._role(node, locals)
        if name in symbols.pieces:
            return self._kinds(symbols.tile_sets.get(name, ()), span)
        if name == "players":
            return terms.AllMembers(type=types.SetOf(PLAYER), span=span)
        if name == "player_count":
            return terms.PlayerCount(span=span)
        if name in symbols.variables and not symbols.variables[name].is_board:
            return self.read(symbols.variables[name], (), span)
        if name in symbols.spaces:
            return terms.AllCells(name, type=types.SetOf(types.Cell(name)), span=span)
        if name in symbols.signatures:
            return resolve_call(self, expressions.Call(name, (), span=span), locals)
        if total_definition(name) in symbols.signatures:
            return resolve_call(self, expressions.Call(total_definition(name), (), span=span), locals)
        if name == "tiles":
            return terms.AllMembers(type=types.SetOf(TILE), span=span)
        if name in symbols.enumerations and name not in symbols.constants:
            return terms.AllMembers(type=types.SetOf(types.Enumeration(name)), span=span)
        if name in symbols.tile_sets and name not in symbols.constants:
            return self._kinds(symbols.tile_sets[name], span)
        return self._constant(node, locals, expected)

    def _role(self, node: expressions.Name, locals: Locals) -> terms.Term:
        """The cells of a role of a place: `p.post`. Reports RW176 and RW177."""
        name, _, role = node.text.partition(".")
        known, symbols = prune(locals[name].type), self.symbols
        if not isinstance(known, types.Place):
            no_place(symbols, node.span)
            return terms.Constant(0, type=as_type(PartialSet(types.Cell(SpaceVariable()))), span=node.span)
        pattern = symbols.patterns[known.pattern]
        if role not in pattern.roles:
            help = suggest(role, pattern.roles)
            symbols.sink.error("RW177", f"`{pattern.name}` has no role `{role}`", node.span, help=help)
        return role_of(pattern, role, terms.Local(name, known, span=node.span), node.span)

    def _constant(self, node: expressions.Name, locals: Locals, expected: PartialType | None) -> terms.Term:
        """Resolve a name as a constant; the expected type disambiguates. Reports RW110."""
        name, span = node.text, node.span
        meanings = self.symbols.constants.get(name, [])
        wanted = prune(expected) if expected is not None else None
        fitting = [m for m in meanings if _may_be(m[0], wanted)] or meanings
        if not fitting:
            self.symbols.report_unknown(name, span, locals)
            return terms.Constant(0, type=as_type(expected or TypeVariable()), span=span)
        if len(fitting) > 1 and self.inferring and wanted is not None and all(_may_be(m[0], wanted) for m in fitting):
            return terms.Constant(0, type=as_type(wanted), span=span)
        match wanted:
            case types.Direction(SpaceVariable()) if len(fitting) > 1:
                help = "use it where the space is known, as in `step(c, …)`"
                self.symbols.sink.error("RW202", "it is ambiguous which space this refers to", span, help=help)
            case None | TypeVariable():
                pass
            case _ if len(fitting) > 1:
                self.mismatch(span, wanted, fitting[0][0])
        type, value = fitting[0]
        return terms.Constant(value, type=type, span=span)

    def _kinds(self, numbers: tuple[int, ...], span: Span) -> terms.Term:
        """The set of the given kinds of tile."""
        kinds = tuple(terms.Constant(n, type=TILE, span=span) for n in numbers)
        return terms.SetLiteral(kinds, type=types.SetOf(TILE), span=span)

    def read(self, variable: Variable, index: tuple[terms.Term, ...], span: Span) -> terms.Term:
        """The value of a state variable. Reports RW203 if the index is missing."""
        if variable.is_set and (index or not isinstance(variable.index, types.Pair)):
            return sets.members(variable, next(iter(index), None), span)
        if variable.index is not None and not index:
            self.symbols.sink.error("RW203", f"`{variable.name}` needs an index", span, help=f"write `{variable.name} of …`")
        type = types.SetOf(variable.type) if variable.is_zone else variable.type
        return terms.Read(variable.name, index, type=type, span=span)

    def of(self, name: str, index: expressions.Expression, span: Span, locals: Locals) -> terms.Term:
        """An expression with `of`: the value of a state variable or a score for one element."""
        symbols = self.symbols
        if name == "origin" and isinstance(index, expressions.Name) and index.text in symbols.spaces:
            return terms.Origin(index.text, type=types.Cell(index.text), span=span)
        variable = symbols.variables.get(name)
        if variable is None and name == NONE:
            return self._none_of(index, span, locals)
        if variable is None and score_definition(name) in symbols.signatures:
            return resolve_call(self, expressions.Call(score_definition(name), (index,), span=span), locals)
        if variable is None and (score := symbols.player_scores.get(name)) is not None:
            return of_player(score, self.term(index, locals, PLAYER))
        if variable is None or variable.is_board:
            symbols.report_unknown(name, span, locals)
            return terms.Constant(0, type=as_type(TypeVariable()), span=span)
        if variable.is_set and isinstance(variable.index, types.Pair):
            return self.read(variable, (self.term(index, locals, variable.index.first),), span)
        if variable.index is None or variable.is_set:
            symbols.sink.error("RW203", f"`{name}` has a single value and no index", span, help=f"write `{name}`")
            return self.read(variable, (), span)
        return self.read(variable, (resolve_index(self, variable, index, locals),), span)


def _element_of(expected: PartialType | None) -> PartialType:
    """The element type of an expected set, as far as known."""
    match expected if expected is None else prune(expected):
        case types.SetOf(element) | PartialSet(element):
            return element
        case _:
            return TypeVariable()


def _may_be(type: types.Type, wanted: PartialType | None) -> bool:
    """Whether a type is compatible with the wanted one, as far as known."""
    match type, wanted:
        case _, TypeVariable():
            return True
        case (types.Cell(), types.Cell(space)) | (types.Direction(), types.Direction(space)) if not space:
            return True
        case _:
            return type == wanted
