"""Resolves statements into effects, and inlines procedures where `do` runs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rulewright.base.diagnostics import Label, suggest
from rulewright.base.records import define, evolve, field
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.printing.print_statements import print_effect
from rulewright.grammar.tree import expressions, modules, statements
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.game import Storage
from rulewright.rules.model.terms import Binder, SetLiteral, Term

from .forms.sets import is_set, is_set_named, resolve_set_effect
from .functions.call import NUMBER, TILE
from .pieces import effects as of_pieces
from .pieces.functions import is_kind, is_piece
from .resolve_flow import TriggerResolver
from .resolve_terms import TermResolver
from .scopes import laid, lifted, report_unturned, slid
from .symbol_table import Locals, LocalSymbol
from .unification import PartialSet, ground, prune, unify

Laying = statements.Put | statements.Take | statements.Slide
"""The statements about a tile on a cell, or about a piece at a place."""


@define
class EffectResolver:
    """Resolves statements. `inlined` are the procedures resolved so far; they precede those that run them.

    Parameters of a procedure are bound to their values by loops over one element each.
    """

    terms: TermResolver
    procedures: Mapping[str, modules.Procedure]
    reactions: TriggerResolver
    inlined: dict[str, tuple[effects.EffectClause, ...]] = field(factory=dict, init=False)

    def procedure(self, name: str) -> tuple[effects.EffectClause, ...]:
        """Resolve a procedure; those that it runs must be resolved."""
        node, locals = self.procedures[name], dict[str, LocalSymbol]()
        for parameter in node.parameters:
            locals[parameter.name] = self._parameter(name, parameter, locals)
        self.inlined[name] = self.clauses(node.body, name, locals)
        return self.inlined[name]

    def reaction(self, name: str) -> None:
        """Resolve the body of a `whenever`; what it runs and triggers must be resolved."""
        for trigger in self.reactions.triggers:
            if trigger.node.name == name:
                self.reactions.bodies[name] = self.clauses(trigger.node.body, name, trigger.locals)

    def _parameter(self, procedure: str, node: modules.Parameter, locals: Locals) -> LocalSymbol:
        """A parameter of a procedure, under a name that no text can contain, so that it hides nothing when inlined."""
        type, zone = self.terms.symbols.parameters[procedure][node.name], None
        self.terms.symbols.refuse_optional(node)
        if node.domain is not None:
            domain, element = self.terms.set(node.domain, locals)
            zone = self.terms.zone_of(domain)
            if not unify(type, element):
                self.terms.mismatch(node.span, type, element)
        return LocalSymbol(type, zone, f"{procedure}.{node.name}")

    def clauses(self, body: tuple[statements.Labelled, ...], prefix: str, locals: Locals) -> tuple[effects.EffectClause, ...]:
        """Resolve statements in order; unnamed ones are numbered. Reports RW112 and what their parts report."""
        return self._from(0, body, prefix, locals)

    def _from(
        self, start: int, body: tuple[statements.Labelled, ...], prefix: str, locals: Locals
    ) -> tuple[effects.EffectClause, ...]:
        """Resolve the statements of a block from `start` on. Those below a `let` form the body of a loop over its one value."""
        found: list[effects.EffectClause] = []
        for number, labelled in enumerate(body[start:], start + 1):
            name = f"{prefix}.{labelled.label or number}"
            if isinstance(labelled.statement, statements.Do):
                found += self._run(labelled.statement, name, locals)
                continue
            if isinstance(labelled.statement, statements.Block):
                cited = (evolve(part, cite=part.cite or labelled.cite) for part in labelled.statement.body)
                found += self.clauses(tuple(cited), name, locals)
                continue
            if isinstance(labelled.statement, statements.Let):
                value, inner = self._named(labelled.statement, locals)
                rest = self._from(number, body, prefix, inner)
                below = self._under_name(labelled.statement.name, value, rest, labelled.span)
                source = self.terms.symbols.source(labelled.span, labelled.cite)
                return (*found, effects.EffectClause(name, below, **source))
            module = self.terms.symbols.module(labelled.span)
            statement = labelled.statement
            if isinstance(statement, Laying) and is_piece(statement.cell, self.terms.symbols, locals):
                effect, parts = self._of_piece(statement, locals)
                clauses = [effects.EffectClause.of(name, part, module, labelled.cite, labelled.span) for part in parts]
                found += self.reactions.around(effect, clauses) if clauses and effect else clauses
                continue
            effect = self._effect(statement, name, locals)
            if effect is not None:
                parts = self._with_turns(effect, labelled.statement, locals)
                clauses = [effects.EffectClause.of(name, part, module, labelled.cite, labelled.span) for part in parts]
                found += self.reactions.around(effect, clauses)
        return tuple(found)

    def _named(self, node: statements.Let, locals: Locals) -> tuple[Term, Locals]:
        """The value of a `let`, and the locals visible below it."""
        value = self.terms.term(node.value, locals)
        return value, {**locals, node.name: LocalSymbol(value.type)}

    def _under_name(self, name: str, value: Term, body: tuple[effects.EffectClause, ...], span: Span) -> effects.Effect:
        """Effects in which a name stands for a value as it was before them; for a single value, a loop over that value."""
        if is_set(value.type):
            return effects.Keep(name, value, body, span=span)
        type = value.type if self.terms.inferring else ground(value.type, NUMBER)
        only = SetLiteral((value,), type=types.SetOf(type), span=value.span)
        return effects.ForEach(Binder(name, only, None, type, span=span), body, span=span)

    def _of_piece(self, node: Laying, locals: Locals) -> tuple[effects.Effect | None, list[effects.Effect]]:
        """The effect on a piece, with the piece as a tile and its place as a cell, and the effects that implement it.

        Reports RW161, and RW160 if the owner of the piece is not given.
        """
        resolver, span, symbols = self.terms, node.span, self.terms.symbols
        place = resolver.term(node.cell, locals)
        known = prune(place.type)
        if not isinstance(known, types.Place) or known.pattern not in symbols.pieces:
            message = "expected the place of a piece, found the place of a pattern"
            symbols.sink.error("RW161", message, node.cell.span, help="use its cells, as in `for c in cells(p): …`")
            return None, []
        pieces = known.pattern
        there = effects.Location(pieces, (place,), span=place.span)
        match node:
            case statements.Put(piece, _):
                source = self._source(node, locals)
                if node.turned is not None:
                    help = "its place determines the turn: `turn(p, 1)` is the turned place"
                    symbols.sink.error("RW161", "`turned` is not allowed for a piece", node.turned.span, help=help)
                kind = resolver.term(piece, locals, TILE)
                if source is None:
                    return None, []
                parts = of_pieces.put(symbols, pieces, kind, place, source, span)
                return effects.Transfer(kind, source, there, span=span), parts
            case statements.Take(_, zone):
                target = self._zone(zone, locals)
                if target is None:
                    return None, []
                return effects.Transfer(None, there, target, span=span), of_pieces.take(symbols, pieces, place, target, span)
            case statements.Slide(_, to):
                end = resolver.term(to, locals, known)
                goal = effects.Location(pieces, (end,), span=end.span)
                return effects.Transfer(None, there, goal, span=span), of_pieces.slide(symbols, pieces, place, end, span)
            case _:
                assert_never(node)

    def _refuse_piece(self, node: expressions.Expression, tile: Term, locals: Locals) -> None:
        """Report RW215 for a piece that is put on a cell as if it were a tile."""
        symbols = self.terms.symbols
        named = locals.get(node.text) if isinstance(node, expressions.Name) else None
        found = named.pieces if named else next((name for name in symbols.pieces if is_kind(symbols, name, tile)), "")
        if found:
            message = f"a piece of `{found}` must be put at a place, not on a cell"
            help = f"give its place: `for p in places({found}, …) where cell(p) = …: put kind(p) at p from …`"
            symbols.sink.error("RW215", message, node.span, Label(symbols.pieces[found].span, "declared here"), help=help)

    def _with_turns(self, effect: effects.Effect, node: statements.Statement, locals: Locals) -> list[effects.Effect]:
        """An effect together with its effects on the rotation of tiles. Reports RW240."""
        symbols, turn = self.terms.symbols, None
        if not isinstance(effect, effects.Transfer):
            return [effect]
        if isinstance(node, statements.Put) and node.turned is not None:
            turn = self.terms.term(node.turned, locals, NUMBER)
            report_unturned(symbols, effect.target.variable, node.turned.span)
        turning = {name for name, space in symbols.spaces.items() if space.turned}
        match effect.source.variable in turning, effect.target.variable in turning:
            case False, False:
                return [effect]
            case False, True:
                return laid(effect, turn)
            case True, False:
                return lifted(effect)
            case _:
                return slid(effect)

    def _run(self, do: statements.Do, name: str, locals: Locals) -> tuple[effects.EffectClause, ...]:
        """The effects of a procedure, within loops over the one value of each parameter. Reports RW112 and RW150."""
        symbols = self.terms.symbols
        if do.procedure not in self.procedures:
            help = suggest(do.procedure, set(self.procedures))
            dropped = symbols.dropped_here(do.procedure)
            symbols.sink.error("RW112", f"there is no procedure `{do.procedure}`", do.span, *dropped, help=help)
            return ()
        parameters, body = symbols.parameters[do.procedure], self.inlined.get(do.procedure, ())
        if len(parameters) != len(do.arguments):
            listed = ", ".join(parameters)
            message = f"wrong number of arguments for `{do.procedure}`: expected {len(parameters)}, found {len(do.arguments)}"
            help = f"write `{do.procedure}({listed})`, with a value for each parameter" if listed else f"write `{do.procedure}`"
            declared = Label(self.procedures[do.procedure].span, "declared here")
            symbols.sink.error("RW150", message, do.span, declared, help=help)
            return body
        given = [self.terms.term(value, locals, type) for value, type in zip(do.arguments, parameters.values(), strict=True)]
        for parameter, value in reversed(list(zip(parameters, given, strict=True))):
            below = self._under_name(f"{do.procedure}.{parameter}", value, body, do.span)
            body = (effects.EffectClause(name, below, **symbols.source(do.span)),)
        return body

    def _effect(self, node: statements.Statement, name: str, locals: Locals) -> effects.Effect | None:  # noqa: PLR0912
        resolver, span = self.terms, node.span
        match node:
            case statements.Put(piece, cell):
                where = resolver.term(cell, locals)
                space = resolver.board_of(span, where)
                left = self._source(node, locals)
                if left is None:
                    return None
                tile = resolver.term(piece, locals, TILE)
                self._refuse_piece(piece, tile, locals)
                return effects.Transfer(tile, left, effects.Location(space, (where,), span=where.span), span=span)
            case statements.Take(cell, zone):
                where, target = resolver.term(cell, locals), self._zone(zone, locals)
                place = effects.Location(resolver.board_of(span, where), (where,), span=where.span)
                return effects.Transfer(None, place, target, span=span) if target else None
            case statements.Slide(cell, to):
                one, other = resolver.term(cell, locals), resolver.term(to, locals)
                space = resolver.board_of(span, one, other)
                start, end = (effects.Location(space, (where,), span=where.span) for where in (one, other))
                return effects.Transfer(None, start, end, span=span)
            case statements.Move(piece, zone, _, everything):
                target = self._zone(zone, locals)
                left = self._zone(piece, locals) if everything else self._source(node, locals)
                if target is None or left is None:
                    return None
                if everything:
                    return effects.Deal(None, left, target, span=span)
                return effects.Transfer(resolver.term(piece, locals, TILE), left, target, span=span)
            case statements.Deal(number, source, zone):
                left, target = self._zone(source, locals), self._zone(zone, locals)
                count = resolver.term(number, locals, NUMBER)
                return effects.Deal(count, left, target, span=span) if left and target else None
            case statements.Shuffle(zone):
                return self._shuffle(self._zone(zone, locals), span)
            case statements.Assign(_, statements.Assignment.SET) if is_set_named(resolver, node.target):
                return resolve_set_effect(resolver, node, name, locals)
            case statements.Assign():
                return self._assign(node, locals)
            case statements.Draw() | statements.Roll():
                return self._drawn(node, locals)
            case statements.AddElement() | statements.RemoveElement() | statements.Clear():
                return resolve_set_effect(resolver, node, name, locals)
            case statements.Stop():
                return effects.End(False, span=span)
            case statements.Finish():
                return effects.End(True, span=span)
            case statements.ForEach(binder, body):
                return self._loop(binder, body, name, span, locals)
            case statements.When(condition, body, otherwise):
                test = resolver.condition(condition, locals)
                then = self.clauses(body, name, locals)
                return effects.When(test, then, self.clauses(otherwise, f"{name}.else", locals), span=span)
            case statements.Do() | statements.Let() | statements.Block():
                return None
            case _:
                assert_never(node)

    def _loop(
        self, binder: expressions.Binder, body: tuple[statements.Labelled, ...], name: str, span: Span, locals: Locals
    ) -> effects.ForEach:
        """A loop, with a nested loop for each further name."""
        bound, inner = self.terms.bound(binder, locals)
        if binder.rest is None:
            return effects.ForEach(bound, self.clauses(body, name, inner), span=span)
        within = self._loop(binder.rest, body, name, span, inner)
        return effects.ForEach(bound, (effects.EffectClause(name, within, **self.terms.symbols.source(span)),), span=span)

    def _shuffle(self, target: effects.Location | None, span: Span) -> effects.Effect | None:
        if target is not None and target.bottom:
            self.terms.symbols.sink.error(
                "RW241", "only a whole pile can be shuffled", span, help=f"write `shuffle {target.variable}`"
            )
        return effects.Shuffle(target, span=span) if target else None

    def _zone(self, node: expressions.Expression, locals: Locals) -> effects.Location | None:
        """A zone, or `bottom of` a pile. Reports RW206, and RW241 for the bottom of a set."""
        symbols = self.terms.symbols
        match node:
            case expressions.Subscript("bottom", inner) if "bottom" not in symbols.variables:
                place = self._zone(inner, locals)
                if place is not None and symbols.variables[place.variable].storage is not Storage.PILE:
                    help = f"write `{place.variable}` alone, or declare it as a `pile of tiles`"
                    symbols.sink.error("RW241", f"`{place.variable}` is a set, which has no bottom", node.span, help=help)
                return None if place is None else evolve(place, bottom=True)
        before = len(symbols.sink.errors)
        place = self.terms.zone_of(self.terms.term(node, locals))
        if place is None and len(symbols.sink.errors) == before:
            zones = [f"`{v.name}`" for v in symbols.variables.values() if v.is_zone]
            help = f"the zones are {', '.join(zones)}" if zones else "declare one, as in `hand of player: set of tiles`"
            symbols.sink.error("RW206", "expected a zone", node.span, help=help)
        return place

    def _source(self, node: statements.Put | statements.Move, locals: Locals) -> effects.Location | None:
        """The zone that a tile leaves: given by `from`, or the zone that its name ranges over."""
        piece = node.piece
        if node.source is not None:
            return self._zone(node.source, locals)
        if isinstance(piece, expressions.Name) and piece.text in locals and locals[piece.text].zone is not None:
            return locals[piece.text].zone
        whole = print_effect(evolve(node, source=expressions.Name("box", span=node.span)))
        help = f"name the zone at the end, as in `{whole}`"
        self.terms.symbols.sink.error(
            "RW207", "missing `from`: it is unknown which zone this tile leaves", piece.span, help=help
        )
        return None

    def _assign(self, node: statements.Assign, locals: Locals) -> effects.Effect | None:
        if not self._is_assignable(node):
            return None
        target = self.terms.term(node.target, locals)
        counting = node.assignment is not statements.Assignment.SET
        if counting and not unify(target.type, NUMBER):
            self.terms.mismatch(node.target.span, NUMBER, target.type)
        value = self.terms.term(node.value, locals, NUMBER if counting else target.type)
        return effects.Assign(_location(node, target), node.assignment, value, span=node.span)

    def _drawn(self, node: statements.Draw | statements.Roll, locals: Locals) -> effects.Effect | None:
        """`draw` and `roll` assign a random value."""
        if not self._is_assignable(node):
            return None
        target, span = self.terms.term(node.target, locals), node.span
        if isinstance(node, statements.Draw):
            source: Term | None = self.terms.term(node.source, locals, PartialSet(target.type))
        else:
            source = self._all_values(node, target.type)
        if source is None:
            return None
        value = terms.Drawn(source, type=target.type, span=span)
        return effects.Assign(_location(node, target), statements.Assignment.SET, value, span=span)

    def _all_values(self, node: statements.Roll, type: types.Type) -> Term | None:
        """Every value that a variable may have. Reports RW145 if they cannot be enumerated for a random choice."""
        symbols, every, span = self.terms.symbols, types.SetOf(type), node.span
        match type:
            case types.Number():
                variable = symbols.variables[name_of(node.target)]
                low, high = (terms.Constant(bound, type=NUMBER, span=span) for bound in (variable.low, variable.high))
                return terms.Interval(low, high, type=every, span=span)
            case types.Truth():
                both = tuple(terms.Constant(value, type=type, span=span) for value in (0, 1))
                return terms.SetLiteral(both, type=every, span=span)
            case types.Enumeration() | types.Player():
                return terms.AllMembers(type=every, span=span)
            case (
                types.Tile() | types.Cell() | types.Direction() | types.Region() | types.Place() | types.Pair() | types.SetOf()
            ):
                message = f"`roll` cannot pick {types.describe(type)} for `{name_of(node.target)}`"
                symbols.sink.error("RW145", message, span, help="name the set of possible values: `draw … from …`")
                return None

    def _is_assignable(self, node: statements.Assign | statements.Draw | statements.Roll) -> bool:
        """Whether the target is a state variable with values. Reports RW208."""
        symbols = self.terms.symbols
        name = name_of(node.target)
        variable = symbols.variables.get(name)
        if variable is None or variable.is_board:
            known = [v.name for v in symbols.variables.values() if not v.is_zone and not v.is_board]
            help = suggest(name, known, "declare it under `state:`")
            symbols.sink.error("RW208", f"there is no state variable `{name}`", node.target.span, help=help)
            return False
        if variable.is_set:
            whole = print_expression(node.target)
            help = f"write `{whole} := {whole} or …` or `{whole} := {whole} - …`; for a single element, `add … to {whole}`"
            symbols.sink.error("RW149", f"`{name}` is a set and cannot hold a single value", node.target.span, help=help)
            return False
        if variable.is_zone:
            symbols.sink.error(
                "RW208", f"cannot assign to `{name}`, which holds tiles", node.span, Label(variable.span, "declared here"),
                help="use `move`, `put`, `take` or `deal`",
            )  # fmt: skip
            return False
        return True


def name_of(target: expressions.Name | expressions.Subscript) -> str:
    """The name of the assigned variable."""
    return target.text if isinstance(target, expressions.Name) else target.name


def _location(node: statements.Assign | statements.Draw | statements.Roll, target: terms.Term) -> effects.Location:
    return effects.Location(name_of(node.target), getattr(target, "index", ()), span=node.target.span)
