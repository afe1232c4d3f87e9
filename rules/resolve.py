"""Expressions to terms: every name resolved, every type checked, in both directions (what is found and what is expected)."""

from __future__ import annotations

from typing import assert_never

from ..grammar import expressions as ex
from ..grammar.classes import define
from ..grammar.diagnostics import FEW, suggest
from ..grammar.spans import Span
from . import terms, types
from .calls import call
from .effects import Place
from .game import Storage, Variable
from .inference import Hole, Open, OpenSet, prune, say, settle, unify
from .scope import LocalName, Locals, Scope

TRUTH, NUMBER, TILE, PLAYER = types.Truth(), types.Number(), types.Tile(), types.Player()


@define
class Resolver:
    """Resolves expressions in a scope. Errors go to the scope's sink; a stand-in term goes on."""

    scope: Scope
    types_known: bool = False

    def term(self, node: ex.Expression, locals: Locals, expected: Open | None = None) -> terms.Term:
        """Resolve an expression whose type must be `expected`, when that is given."""
        found = self._term(node, locals, expected)
        if expected is not None and not unify(found.type, expected):
            self._mismatch(node.span, expected, found.type)
        return found

    def condition(self, node: ex.Expression, locals: Locals) -> terms.Term:
        return self.term(node, locals, TRUTH)

    def set(self, node: ex.Expression, locals: Locals) -> tuple[terms.Term, Open]:
        """A term for a domain, and the type of its elements."""
        term = self._term(node, locals, None)
        element: Open = Hole()
        if not unify(term.type, OpenSet(element)):
            help = "write `low..high` for a range of numbers" if prune(term.type) == NUMBER else ""
            self.scope.sink.error("RW201", f"this is {say(term.type)}, not a set to range over", node.span, help=help)
        return term, element

    def bound(self, binder: ex.Binder, locals: Locals) -> tuple[terms.Bound, dict[str, LocalName]]:
        """A bound variable and the locals that its body sees."""
        domain, element = self.set(binder.domain, locals)
        inner = dict(locals)
        inner[binder.name] = LocalName(element, self.zone_of(domain))
        where = None if binder.where is None else self.condition(binder.where, inner)
        known = settle(element, NUMBER) if self.types_known else settle_open(element)
        return terms.Bound(binder.name, domain, where, known, span=binder.span), inner

    def zone_of(self, domain: terms.Term) -> Place | None:
        """The zone that a domain is the contents of, when it is one."""
        match domain:
            case terms.Read(variable, index) if self.scope.zone(variable) is not None:
                return Place(variable, index, span=domain.span)
            case terms.Those(bound):
                return self.zone_of(bound.domain)
            case _:
                return None

    def mismatch(self, span: Span, expected: Open, found: Open) -> None:
        """Report RW200: a value of another type is needed here."""
        self._mismatch(span, expected, found)

    def refuse_set(self, type: Open, span: Span, message: str, help: str = "") -> None:
        """Report RW211 when a type is that of a set, where the readings know single values only."""
        if isinstance(prune(type), OpenSet | types.SetOf):
            self.scope.sink.error("RW211", message, span, help=help)

    def _mismatch(self, span: Span, expected: Open, found: Open) -> None:
        message = f"this is {say(found)}, but {say(expected)} is needed here"
        self.scope.sink.error("RW200", message, span, help=self._conversion(prune(found), prune(expected)))

    def _conversion(self, found: Open, expected: Open) -> str:
        """How to make one type of another."""
        match found, expected:
            case types.SetOf() | OpenSet(), types.Number():
                return "`size(…)` is how many there are"
            case types.Truth(), types.Number():
                return "write `if … then 1 else 0`"
            case types.Number(), types.Truth():
                return "compare it, as in `… >= 1`; truth values are `yes` and `no`"
            case _, types.Truth():
                return "compare it with something, as in `… = …`"
            case types.Cell(), types.Tile():
                return "`at(…)` is the tile on a cell"
            case types.Tile(), types.Cell():
                return "`at(…)` goes from a cell to its tile; there is no way back"
            case _, types.Enumeration(name) if 0 < len(self.scope.enumerations.get(name, ())) <= FEW:
                return "it may be " + ", ".join(f"`{member}`" for member in self.scope.enumerations[name])
            case _, types.Player():
                return "players have no names: use a parameter or a variable, or go through them, as in `some p in players: …`"
            case _, types.Cell(space):
                return f"begin at `origin of {space}`, as in `step(origin of {space}, …)`, or use a parameter or a variable"
            case _:
                return f"write {say(expected)} instead"

    def _set_of(self, element: Open) -> types.Type:
        """A set whose elements' type a later use may tell, while types are still being found."""
        return types.SetOf(settle(element, NUMBER)) if self.types_known else OpenSet(element)  # type: ignore[return-value]

    def anything(self, span: Span) -> terms.Term:
        """What stands for an expression that is wrong, so that nothing else is found wrong with it."""
        return terms.Constant(0, settle_open(Hole()), span=span)

    def _term(self, node: ex.Expression, locals: Locals, expected: Open | None) -> terms.Term:
        span = node.span
        match node:
            case ex.Number(value):
                return terms.Constant(value, NUMBER, span=span)
            case ex.TruthLiteral(value):
                return terms.Constant(int(value), TRUTH, span=span)
            case ex.Name():
                return self._name(node, locals, expected)
            case ex.Call():
                return call(self, node, locals)
            case ex.Of(name, index):
                return self._of(name, index, span, locals)
            case ex.Not(operand):
                return terms.Not(self.condition(operand, locals), TRUTH, span=span)
            case ex.And(parts):
                return terms.And(tuple(self.condition(p, locals) for p in parts), TRUTH, span=span)
            case ex.Or(parts):
                return terms.Or(tuple(self.condition(p, locals) for p in parts), TRUTH, span=span)
            case ex.Compare():
                return self._compare(node, locals)
            case ex.In(item, domain):
                collection, member = self.set(domain, locals)
                return terms.Member(self.term(item, locals, member), collection, TRUTH, span=span)
            case ex.Has(piece, marker):
                tile = self.term(piece, locals, TILE)
                count = terms.MarkerCount(tile, self.marker(marker, locals), NUMBER, span=span)
                once = terms.Constant(1, NUMBER, span=span)
                return terms.Compare(ex.Comparison.AT_LEAST, count, once, TRUTH, span=span)
            case ex.Negative(operand):
                zero = terms.Constant(0, NUMBER, span=span)
                minus = ((ex.Operator.MINUS, self.term(operand, locals, NUMBER)),)
                return terms.Arithmetic(zero, minus, NUMBER, span=span)
            case ex.Arithmetic(first, rest):
                start = self.term(first, locals, NUMBER)
                others = tuple((operator, self.term(e, locals, NUMBER)) for operator, e in rest)
                return terms.Arithmetic(start, others, NUMBER, span=span)
            case ex.Arrow(start, end):
                one, other = self.term(start, locals), self.term(end, locals)
                space = self.space_of(one, other)
                return terms.Toward(space, one, other, types.Direction(space), span=span)
            case ex.Range(low, high):
                bounds = self.term(low, locals, NUMBER), self.term(high, locals, NUMBER)
                return terms.Interval(*bounds, types.SetOf(NUMBER), span=span)
            case ex.SetOf(items):
                element: Open = Hole()
                listed = tuple(self.term(i, locals, element) for i in items)
                self.refuse_set(element, span, "a set cannot hold sets")
                return terms.Listed(listed, self._set_of(element), span=span)
            case ex.Quantified(quantifier, binder, body):
                bound, inner = self.bound(binder, locals)
                return terms.Quantified(quantifier, bound, self.condition(body, inner), TRUTH, span=span)
            case ex.Counted(binder):
                bound, _ = self.bound(binder, locals)
                return terms.Sum(terms.Constant(1, NUMBER, span=span), bound, NUMBER, span=span)
            case ex.Summed(value, binder):
                bound, inner = self.bound(binder, locals)
                return terms.Sum(self.term(value, inner, NUMBER), bound, NUMBER, span=span)
            case ex.ExtremeOf(extreme, value, binder):
                bound, inner = self.bound(binder, locals)
                return terms.ExtremeOf(extreme, self.term(value, inner, NUMBER), bound, NUMBER, span=span)
            case ex.ExtremeBy(extreme, binder, by):
                bound, inner = self.bound(binder, locals)
                return terms.ExtremeBy(extreme, bound, self.term(by, inner, NUMBER), bound.type, span=span)
            case ex.Those(binder):
                bound, _ = self.bound(binder, locals)
                return terms.Those(bound, self._set_of(bound.type), span=span)
            case ex.Gathered(value, binder):
                bound, inner = self.bound(binder, locals)
                image = self.term(value, inner)
                self.refuse_set(image.type, span, "a set cannot hold sets")
                return terms.Image(image, bound, self._set_of(image.type), span=span)
            case ex.Closure():
                return self._closure(node, locals)
            case ex.If(condition, then, otherwise):
                test = self.condition(condition, locals)
                one = self.term(then, locals, expected)
                other = self.term(otherwise, locals, one.type)
                self.refuse_set(one.type, span, "a set cannot be chosen by a condition", "put the condition behind `where`")
                return terms.If(test, one, other, one.type, span=span)
            case _:
                assert_never(node)

    def marker(self, node: ex.Expression, locals: Locals) -> terms.Term:
        """A marker; its name is looked for among markers only."""
        type = types.Enumeration("marker")
        if not isinstance(node, ex.Name):
            self.mismatch(node.span, type, NUMBER)
            return terms.Constant(0, type, span=node.span)
        if node.text in locals:
            return self.term(node, locals, type)
        names = self.scope.enumerations.get("marker", ())
        if node.text not in names:
            help = suggest(node.text, names, "declare it: `marker …`")
            self.scope.sink.error("RW110", f"there is no marker `{node.text}`", node.span, help=help)
        value = names.index(node.text) if node.text in names else 0
        return terms.Constant(value, type, span=node.span)

    def space_of(self, *operands: terms.Term, board: bool = False) -> str:
        """The space of cells or directions; where nothing else is known, the only one, or the only `board`.

        Reports RW202.
        """
        for operand in operands:
            kind = prune(operand.type)
            if isinstance(kind, types.Cell | types.Direction) and kind.space:
                return self._same_space(kind.space, operands)
            if not isinstance(kind, Hole | types.Cell | types.Direction):
                self._mismatch(operand.span, types.Cell(""), kind)
                return self.scope.only_space()
        spaces = [name for name in self.scope.spaces if not board or self.scope.board(name)]
        if len(spaces) == 1:
            return self._same_space(spaces[0], operands)
        return self._unknown_space(operands, spaces)

    def _unknown_space(self, operands: tuple[terms.Term, ...], spaces: list[str]) -> str:
        """While types are still being found, a later use may tell; in the end, one report is enough for a name."""
        if not self.types_known:
            for operand in operands:
                if isinstance(hole := prune(operand.type), Hole):
                    hole.cell = True
            return ""
        span = operands[0].span
        if spaces:
            help = "say it where the name is introduced, as in `define near(c in board)`"
            self.scope.sink.error("RW202", "cannot tell of which space this is", span, help=help)
        elif not any(found.code == "RW202" for found in self.scope.sink):
            what = "a space of tiles" if self.scope.spaces else "a space"
            help = "say `space board: square grid 8 x 8 of tiles`, or the like"
            self.scope.sink.error("RW202", f"this is about cells, but the game has not {what}", span, help=help)
        return self._same_space([*spaces, *self.scope.spaces, ""][0], operands)

    def _same_space(self, space: str, operands: tuple[terms.Term, ...]) -> str:
        for operand in operands:
            if isinstance(prune(operand.type), Hole):
                unify(operand.type, types.Cell(space))
            elif isinstance(prune(operand.type), types.Cell) and not unify(operand.type, types.Cell(space)):
                self._mismatch(operand.span, types.Cell(space), operand.type)
        return space

    def _name(self, node: ex.Name, locals: Locals, expected: Open | None) -> terms.Term:
        name, span, scope = node.text, node.span, self.scope
        if name in locals:
            return terms.Local(name, settle_open(locals[name].type), span=span)
        if name == "players":
            return terms.Everyone(types.SetOf(PLAYER), span=span)
        if name == "player_count":
            return terms.PlayerCount(NUMBER, span=span)
        if name in scope.variables and not scope.variables[name].is_board:
            return self.read(scope.variables[name], (), span)
        if name in scope.spaces:
            return terms.Cells(name, types.SetOf(types.Cell(name)), span=span)
        if name in scope.signatures:
            return call(self, ex.Call(name, (), span=span), locals)
        if name == "tiles":
            return terms.Members(types.SetOf(TILE), span=span)
        if name in scope.enumerations and name not in scope.constants:
            return terms.Members(types.SetOf(types.Enumeration(name)), span=span)
        if name in scope.tile_sets and name not in scope.constants:
            return self._kinds(scope.tile_sets[name], span)
        meanings = scope.constants.get(name, [])
        wanted = prune(expected) if expected is not None else None
        fitting = [m for m in meanings if m[0] == wanted] or meanings
        if not fitting:
            scope.unknown(name, span, locals)
            return terms.Constant(0, settle_open(expected or Hole()), span=span)
        if len(fitting) > 1 and isinstance(wanted, Hole) and not self.types_known:
            return terms.Constant(0, settle_open(wanted), span=span)
        if len(fitting) > 1 and wanted is not None and not isinstance(wanted, Hole):
            self._mismatch(span, wanted, fitting[0][0])
        type, value = fitting[0]
        return terms.Constant(value, type, span=span)

    def _kinds(self, numbers: tuple[int, ...], span: Span) -> terms.Term:
        """The set of some kinds of tile."""
        return terms.Listed(tuple(terms.Constant(n, TILE, span=span) for n in numbers), types.SetOf(TILE), span=span)

    def read(self, variable: Variable, index: tuple[terms.Term, ...], span: Span) -> terms.Term:
        """A state variable's value. Reports RW203 when the index is missing."""
        if variable.index is not None and not index:
            self.scope.sink.error("RW203", f"`{variable.name}` needs an index", span, help=f"write `{variable.name} of …`")
        type = types.SetOf(variable.type) if variable.storage is not Storage.VALUE else variable.type
        return terms.Read(variable.name, index, type, span=span)

    def _of(self, name: str, index: ex.Expression, span: Span, locals: Locals) -> terms.Term:
        scope = self.scope
        if name == "origin" and isinstance(index, ex.Name) and index.text in scope.spaces:
            return terms.Origin(index.text, types.Cell(index.text), span=span)
        variable = scope.variables.get(name)
        if variable is None or variable.is_board:
            scope.unknown(name, span, locals)
            return terms.Constant(0, settle_open(Hole()), span=span)
        if variable.index is None:
            scope.sink.error("RW203", f"`{name}` has one value, without an index", span, help=f"write `{name}`")
            return self.read(variable, (), span)
        return self.read(variable, (self.term(index, locals, variable.index),), span)

    def _compare(self, node: ex.Compare, locals: Locals) -> terms.Term:
        first, second = node.left, node.right
        swapped = isinstance(first, ex.Name) and len(self.scope.constants.get(first.text, ())) > 1
        if swapped:
            first, second = second, first
        ordered = node.operator not in (ex.Comparison.EQUAL, ex.Comparison.UNEQUAL)
        one = self.term(first, locals, NUMBER if ordered else None)
        other = self.term(second, locals, NUMBER if ordered else one.type)
        if not ordered:
            help = "compare their sizes, or say `every x in …: x in …`"
            self.refuse_set(one.type, node.span, "sets cannot be compared", help)
        left, right = (other, one) if swapped else (one, other)
        return terms.Compare(node.operator, left, right, TRUTH, span=node.span)

    def _closure(self, node: ex.Closure, locals: Locals) -> terms.Term:
        start = self._term(node.start, locals, None)
        outer = {**locals, node.origin: LocalName(start.type)}
        bound, _ = self.bound(node.binder, outer)
        if not unify(start.type, bound.type):
            self._mismatch(node.binder.span, start.type, bound.type)
        return terms.Closure(start, node.origin, bound, self._set_of(bound.type), span=node.span)


def settle_open(type: Open) -> types.Type:
    """A hole may stand in a term of the first pass, whose terms are thrown away."""
    return prune(type)  # type: ignore[return-value]
