"""Statements to effects: what is changed, from which zone a tile leaves, which procedure a `do` runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from attrs import evolve, field

from ..grammar import expressions as ex
from ..grammar import modules as tree
from ..grammar import statements as st
from ..grammar.classes import define
from ..grammar.diagnostics import Label, suggest
from ..grammar.spans import Span
from . import effects, terms
from .game import Storage
from .inference import Hole, unify
from .resolve import NUMBER, TILE, Resolver
from .scope import LocalName, Locals

MOST_RUNS = 2_000
"""How often procedures may be run by `do`, each written out where it is run."""

DEEPEST_RUN = 32
"""How many procedures may run each other in a chain."""


@define
class EffectResolver:
    """Resolves statements; procedures are written out where they are run."""

    resolver: Resolver
    procedures: Mapping[str, tree.Procedure]
    runs: int = field(default=0, init=False)

    def clauses(
        self, body: tuple[st.Labelled, ...], prefix: str, locals: Locals, running: tuple[str, ...] = ()
    ) -> tuple[effects.Clause, ...]:
        """Resolve statements in order; unnamed ones are numbered."""
        found: list[effects.Clause] = []
        for number, labelled in enumerate(body, 1):
            name = f"{prefix}.{labelled.label or number}"
            if isinstance(labelled.statement, st.Do):
                found += self._run(labelled.statement, running, locals)
                continue
            effect = self._effect(labelled.statement, name, locals, running)
            if effect is not None:
                module = self.resolver.scope.module(labelled.span)
                found.append(effects.Clause(name, effect, module, labelled.cite, span=labelled.span))
        return tuple(found)

    def _run(self, do: st.Do, running: tuple[str, ...], locals: Locals) -> tuple[effects.Clause, ...]:
        procedure = self.procedures.get(do.procedure)
        sink = self.resolver.scope.sink
        if procedure is None:
            help = suggest(do.procedure, set(self.procedures))
            gone = self.resolver.scope.dropped_here(do.procedure)
            sink.error("RW112", f"there is no procedure `{do.procedure}`", do.span, *gone, help=help)
            return ()
        if do.procedure in running:
            sink.error("RW113", f"procedure `{do.procedure}` runs itself", do.span, help="use `repeat` in the flow")
            return ()
        self.runs += 1
        if self.runs > MOST_RUNS or len(running) > DEEPEST_RUN:
            message = "the procedures grow too large when they are written out where they are run"
            sink.error("RW252", message, do.span, help="let procedures run each other less")
            sink.stop()
        return self.clauses(procedure.body, do.procedure, {}, (*running, do.procedure))

    def _effect(self, node: st.Statement, name: str, locals: Locals, running: tuple[str, ...]) -> effects.Effect | None:
        resolver, span = self.resolver, node.span
        match node:
            case st.Put(piece, cell, source):
                where = resolver.term(cell, locals)
                space = self._board(resolver.space_of(where, board=True), span)
                left = self._source(piece, source, locals)
                if left is None:
                    return None
                return effects.Put(resolver.term(piece, locals, TILE), space, where, left, span=span)
            case st.Take(cell, zone):
                where, target = resolver.term(cell, locals), self._zone(zone, locals)
                space = self._board(resolver.space_of(where, board=True), span)
                return effects.Take(space, where, target, span=span) if target else None
            case st.Slide(cell, to):
                one, other = resolver.term(cell, locals), resolver.term(to, locals)
                space = self._board(resolver.space_of(one, other, board=True), span)
                return effects.Slide(space, one, other, span=span)
            case st.Move(piece, zone, source, everything):
                target = self._zone(zone, locals)
                left = self._zone(piece, locals) if everything else self._source(piece, source, locals)
                if target is None or left is None:
                    return None
                if everything:
                    return effects.MoveAll(left, target, span=span)
                return effects.Move(resolver.term(piece, locals, TILE), left, target, span=span)
            case st.Deal(number, source, zone):
                left, target = self._zone(source, locals), self._zone(zone, locals)
                count = resolver.term(number, locals, NUMBER)
                return effects.Deal(count, left, target, span=span) if left and target else None
            case st.Shuffle(zone):
                target = self._zone(zone, locals)
                return effects.Shuffle(target, span=span) if target else None
            case st.Assign():
                return self._assign(node, locals)
            case st.Stop():
                return effects.Stop(span=span)
            case st.Finish():
                return effects.Finish(span=span)
            case st.ForEach(binder, body):
                bound, inner = resolver.bound(binder, locals)
                return effects.ForEach(bound, self.clauses(body, name, inner, running), span=span)
            case st.When(condition, body, otherwise):
                test = resolver.condition(condition, locals)
                then = self.clauses(body, name, locals, running)
                return effects.When(test, then, self.clauses(otherwise, f"{name}.else", locals, running), span=span)
            case st.Do():
                return None
            case _:
                assert_never(node)

    def _board(self, space: str, span: Span) -> str:
        if space and self.resolver.scope.board(space) is None:
            help = f"say `space {space}: … of tiles`"
            self.resolver.scope.sink.error("RW205", f"no tiles stand on `{space}`", span, help=help)
        return space

    def _zone(self, node: ex.Expression, locals: Locals) -> effects.Place | None:
        scope = self.resolver.scope
        before = len(scope.sink.errors)
        place = self.resolver.zone_of(self.resolver.term(node, locals))
        if place is None and len(scope.sink.errors) == before:
            zones = [f"`{v.name}`" for v in scope.variables.values() if v.storage is not Storage.VALUE]
            help = f"the zones are {', '.join(zones)}" if zones else "declare one: `hand of player: set of tiles`"
            scope.sink.error("RW206", "this is not a zone that tiles can be moved to or from", node.span, help=help)
        return place

    def _source(self, piece: ex.Expression, source: ex.Expression | None, locals: Locals) -> effects.Place | None:
        """The zone that a tile leaves: said by `from`, or the one that the name was introduced `in`."""
        if source is not None:
            return self._zone(source, locals)
        if isinstance(piece, ex.Name) and piece.text in locals and locals[piece.text].zone is not None:
            return locals[piece.text].zone
        self.resolver.scope.sink.error(
            "RW207", "it is not said which zone this tile leaves", piece.span, help="add `from ZONE`"
        )
        return None

    def _assign(self, node: st.Assign, locals: Locals) -> effects.Effect | None:
        scope = self.resolver.scope
        name = node.target.text if isinstance(node.target, ex.Name) else node.target.name
        variable = scope.variables.get(name)
        if variable is None or variable.is_board:
            known = [v.name for v in scope.variables.values() if v.storage is Storage.VALUE and not v.is_board]
            help = suggest(name, known, "declare it under `state:`")
            scope.sink.error("RW208", f"there is no state variable `{name}`", node.target.span, help=help)
            return None
        if variable.storage is not Storage.VALUE:
            scope.sink.error(
                "RW208", f"`{name}` holds tiles", node.span, Label(variable.span, "declared here"),
                help="say `move`, `put`, `take` or `deal`",
            )  # fmt: skip
            return None
        target = self.resolver.term(node.target, locals)
        counting = node.assignment is not st.Assignment.SET
        if counting and not unify(target.type, NUMBER):
            self.resolver.mismatch(node.target.span, NUMBER, target.type)
        value = self.resolver.term(node.value, locals, NUMBER if counting else target.type)
        index = getattr(target, "index", ())
        return effects.Assign(effects.Place(name, index, span=node.target.span), node.assignment, value, span=node.span)


def parameters_of(
    resolver: Resolver, nodes: tuple[tree.Parameter, ...]
) -> tuple[list[tuple[tree.Parameter, terms.Bound]], dict[str, LocalName]]:
    """The parameters of an action, each seeing those before it. Reports RW209 when one has no domain."""
    locals: dict[str, LocalName] = {}
    found = []
    for node in nodes:
        if node.domain is None:
            resolver.scope.sink.error(
                "RW209", f"it is not said what `{node.name}` may be", node.span, help=f"write `{node.name} in …`"
            )
            locals[node.name] = LocalName(Hole())
            continue
        bound, locals = resolver.bound(ex.Binder(node.name, node.domain, node.where, span=node.span), locals)
        found.append((node, evolve(bound, span=node.span)))
    return found, locals
