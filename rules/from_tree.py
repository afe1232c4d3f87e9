"""Linking: modules in, a game out. Collects every error of a stage before it stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from attrs import evolve

from ..grammar import expressions as ex
from ..grammar import modules as tree
from ..grammar import statements as st
from ..grammar.classes import define
from ..grammar.diagnostics import Label, Sink, suggest
from ..grammar.limits import DEFAULT_LIMITS, Limits
from ..grammar.spans import NOWHERE_IN_TEXT
from . import game, terms, types
from .declarations import enumerations, meanings, tile_kinds, variables
from .effects import Clause
from .inference import Hole, is_open_cell, settle, unify
from .merge import merge
from .notation import parse_notation
from .once import write_out_once
from .order import Family, order
from .resolve import NUMBER, Resolver
from .resolve_effects import EffectResolver, parameters_of
from .rulebook import Rulebook
from .scope import LocalName, Scope, Signature
from .sizes import check_sizes
from .tables import tables
from .walking import variables_in


def link(modules: Mapping[str, tree.Module], roots: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> game.Game:
    """Link modules (every one that the roots extend must be among them) into a game.

    Raises `RulesError` with all diagnostics of the stage that failed: RW100-RW199 linking, RW200-RW249 types.
    """
    return link_book(*combine(modules, limits), roots)


def combine(modules: Mapping[str, tree.Module], limits: Limits = DEFAULT_LIMITS) -> tuple[Family, Rulebook]:
    """The modules in linking order, and what they say together. Raises `RulesError`: RW100-RW105."""
    sink = Sink()
    family = evolve(order(modules, sink), limits=limits)
    sink.stop()
    return family, merge(family, sink)


def link_book(family: Family, book: Rulebook, roots: Sequence[str]) -> game.Game:
    """Link what modules of a family say together. Raises `RulesError` as `link` does."""
    sink, book = Sink(), book.copy()
    write_out_once(book, sink)
    check_sizes(book, sink, family.limits)
    sink.stop()
    scope = _scope(book, family, sink)
    if book.flow is None:
        span = family.modules[-1].header.span
        sink.error("RW130", "no module says how the game flows", span, help="add `flow:`, or let a module with one extend this")
    sink.stop()
    linker = Linker(book, scope, Resolver(scope))
    linker.infer()
    return linker.build(tuple(sorted(roots)))


def _scope(book: Rulebook, family: Family, sink: Sink) -> Scope:
    names = enumerations(book)
    kinds = tile_kinds(book, family, sink)
    signatures = {}
    for partition in book.partitions.values():
        parameter = tree.Parameter(partition.parameter, ex.Name(partition.space, span=partition.span))
        book.defines[partition.name] = tree.Define(partition.name, (parameter,), partition.value, span=partition.span)
    for node in book.defines.values():
        signatures[node.name] = Signature(node, {p.name: Hole() for p in node.parameters})
    constants = meanings(names, kinds, book.spaces)
    return Scope(
        family,
        sink,
        book.spaces,
        kinds,
        tables(book, names, kinds, constants, sink),
        variables(book, family, sink),
        signatures,
        names,
        constants,
        book.dropped,
    )


@define
class Linker:
    """Resolves the items of a rulebook, twice: once to find the types, once to build."""

    book: Rulebook
    scope: Scope
    resolver: Resolver

    def infer(self) -> None:
        """Find the types of definitions' parameters and results; the terms of this pass are thrown away."""
        assert self.book.flow is not None
        self._loop_variables(self.book.flow.body)
        self._find_recursion()
        self.scope.sink.stop()
        sink, self.scope.sink = self.scope.sink, Sink()
        # Where a definition and its uses disagree, uses say what its parameters are, and its own text what it comes to.
        callees_first = self._callees_first()
        for _ in range(2):
            self._everything_else()
            for name in (*reversed(callees_first), *callees_first):
                self._definition(name)
        self.scope.sink = sink
        self.resolver.types_known = True
        for signature in self.scope.signatures.values():
            found = signature.parameters.items()
            signature.parameters = {n: t if is_open_cell(t) else settle(t, NUMBER) for n, t in found}
            signature.result = settle(signature.result, NUMBER)

    def build(self, roots: tuple[str, ...]) -> game.Game:
        """Build the game, now that all types are known."""
        book, scope = self.book, self.scope
        definitions = {name: self._definition(name) for name in self._callees_first()}
        actions, procedures, flow, scores, invariants, initials = self._everything_else()
        for name, initial in initials.items():
            scope.variables[name] = evolve(scope.variables[name], initial=initial)
        ranking = self._ranking(definitions)
        self._check_domains(actions)
        self._check_loops(flow, definitions)
        scope.sink.stop()
        headers = [m.header for m in scope.family.modules]
        return game.Game(
            tuple(h.name for h in headers),
            roots,
            book.players or tree.Players(1, 1),
            scope.enumerations,
            scope.spaces,
            scope.tiles,
            scope.tables,
            scope.variables,
            {name: definitions[name] for name in book.defines},
            actions,
            procedures,
            flow,
            scores,
            ranking,
            invariants,
            text=next((h.text for h in headers if h.name == roots[0]), ""),
            warnings=tuple(scope.sink.diagnostics),
            limits=scope.family.limits,
        )

    def _everything_else(
        self,
    ) -> tuple[
        dict[str, game.Action],
        dict[str, tuple[Clause, ...]],
        tuple[game.Flow, ...],
        tuple[game.Score, ...],
        tuple[game.Requirement, ...],
        dict[str, terms.Term],
    ]:
        book, resolver, module = self.book, self.resolver, self.scope.module
        effect_resolver = EffectResolver(resolver, book.procedures)
        actions = {name: self._action(node, effect_resolver) for name, node in book.actions.items()}
        procedures = {name: effect_resolver.clauses(node.body, name, {}, (name,)) for name, node in book.procedures.items()}
        flow = self._flow(book.flow.body if book.flow else ())
        scores = tuple(
            game.Score(s.name, resolver.term(s.value, {}, NUMBER), module(s.span), s.cite, span=s.span)
            for s in book.scores.values()
        )
        invariants = tuple(
            game.Requirement(i.label, resolver.condition(i.condition, {}), i.message, module(i.span), i.cite, span=i.span)
            for i in book.invariants.values()
        )
        initials = {
            line.name: resolver.term(line.initial, {}, self.scope.variables[line.name].type)
            for line in book.state.values()
            if line.initial is not None
        }
        return actions, procedures, flow, scores, invariants, initials

    def _definition(self, name: str) -> game.Definition:
        signature, resolver = self.scope.signatures[name], self.resolver
        node = signature.node
        locals: dict[str, LocalName] = {}
        for parameter in node.parameters:
            type = signature.parameters[parameter.name]
            if parameter.domain is not None:
                _, element = resolver.set(parameter.domain, locals)
                if not unify(type, element):
                    resolver.mismatch(parameter.span, type, element)
            locals[parameter.name] = LocalName(type)
        value = resolver.term(node.value, locals, signature.result)
        cases = self._cases(node.cases, name, locals, signature)
        if node.cases:
            resolver.refuse_set(
                signature.result, node.cases[0].span, "a set has no exceptions", "say `those … where`, with the condition in it"
            )
        known = tuple((n, settle(t, NUMBER)) for n, t in signature.parameters.items())
        module = self.scope.module(node.span)
        result = settle(signature.result, NUMBER)
        return game.Definition(name, known, value, cases, result, node.text, module, node.cite, span=node.span)

    def _cases(
        self, cases: tuple[tree.Case, ...], prefix: str, locals: dict[str, LocalName], signature: Signature
    ) -> tuple[game.Case, ...]:
        return tuple(
            game.Case(
                f"{prefix}.{case.label}",
                self.resolver.term(case.value, locals, signature.result),
                self.resolver.condition(case.when, locals),
                self._cases(case.exceptions, f"{prefix}.{case.label}", locals, signature),
                self.scope.module(case.span),
                case.cite,
                span=case.span,
            )
            for case in cases
        )

    def _action(self, node: tree.Action, effect_resolver: EffectResolver) -> game.Action:
        name, module = node.name, self.scope.module
        found, locals = parameters_of(self.resolver, node.parameters)
        parameters = tuple(game.Parameter(p.name, bound.domain, bound.where, bound.type, span=p.span) for p, bound in found)
        requirements = tuple(
            game.Requirement(
                f"{name}.{r.label}",
                self.resolver.condition(r.condition, locals),
                r.message or f"`{r.label}` does not hold",
                module(r.span),
                r.cite or node.cite,
                span=r.span,
            )
            for r in node.requirements
        )
        body = tuple(effect.labelled for effect in node.effects)
        effects = effect_resolver.clauses(body, name, locals)
        notation = parse_notation(node, self.scope.sink)
        return game.Action(
            name, parameters, requirements, effects, notation, node.text, module(node.span), node.cite, span=node.span
        )

    def _loop_variables(self, body: tuple[st.FlowStatement, ...]) -> None:
        for node in body:
            if isinstance(node, st.Each):
                _, element = self.resolver.set(node.domain, {})
                type = settle(element, NUMBER)
                before = self.scope.variables.get(node.name)
                if before is not None and (not before.is_loop or before.type != type):
                    self.scope.sink.error(
                        "RW102", f"`{node.name}` is defined twice", node.span, Label(before.span, "first defined here")
                    )
                self.scope.variables[node.name] = game.Variable(
                    node.name, None, type, is_loop=True, module=self.scope.module(node.span), span=node.span
                )
            if isinstance(node, st.Repeat | st.Each | st.Branch | st.Point):
                self._loop_variables(node.body)
            if isinstance(node, st.Branch):
                self._loop_variables(node.otherwise)

    def _flow(self, body: tuple[st.FlowStatement, ...]) -> tuple[game.Flow, ...]:
        return tuple(self._flow_statement(node) for node in body)

    def _flow_statement(self, node: st.FlowStatement) -> game.Flow:
        resolver, span = self.resolver, node.span
        match node:
            case st.Run(procedure):
                if procedure not in self.book.procedures:
                    help = suggest(procedure, set(self.book.procedures))
                    gone = self.scope.dropped_here(procedure)
                    self.scope.sink.error("RW112", f"there is no procedure `{procedure}`", span, *gone, help=help)
                return game.Run(procedure, span=span)
            case st.Repeat(until, inner):
                stop = None if until is None else resolver.condition(until, {})
                return game.Repeat(stop, self._flow(inner), span=span)
            case st.Each(name, domain, start, inner, where):
                over, element = resolver.set(domain, {})
                first = None if start is None else resolver.term(start, {}, element)
                only = None if where is None else resolver.condition(where, {})
                return game.Each(name, over, first, only, self._flow(inner), span=span)
            case st.Branch(condition, inner, otherwise):
                test = resolver.condition(condition, {})
                return game.Branch(test, self._flow(inner), self._flow(otherwise), span=span)
            case st.Point(name, inner):
                return game.Point(name, self._flow(inner), span=span)
            case st.Choose(actions, stop, by):
                for action in actions:
                    if action not in self.book.actions:
                        help = suggest(action, set(self.book.actions))
                        gone = self.scope.dropped_here(action)
                        self.scope.sink.error("RW114", f"there is no action `{action}`", span, *gone, help=help)
                chooser = None if by is None else resolver.term(by, {}, types.Player())
                if by is None and "player" in self.scope.variables:
                    chooser = resolver.term(ex.Name("player", span=span), {}, types.Player())
                return game.Choose(actions, stop, chooser, span=span)

    def _ranking(self, definitions: Mapping[str, game.Definition]) -> game.Ranking | None:
        rank, sink = self.book.rank, self.scope.sink
        if rank is None:
            return None
        for before, line in pairwise(rank.lines):
            if before.high is None or line.low != before.high + 1:
                help = "ranges follow each other, and only the first and the last may be without a bound"
                if before.high is not None:
                    help = f"begin here at {before.high + 1}"
                elif line.low is not None:
                    help = f"end the rank above at {line.low - 1}"
                sink.error(
                    "RW131", f"the rank `{line.name}` does not begin where `{before.name}` ends", line.span,
                    Label(before.span, "the rank before"), help=help,
                )  # fmt: skip
        value = self.resolver.term(rank.value, {game.SCORE: LocalName(NUMBER)}, NUMBER)
        read = min(variables_in(definitions, value), default=None)
        if read is not None:
            help = "give points for it: write a `score`"
            sink.error("RW213", f"a rank depends on `{read}`, which changes in play", rank.value.span, help=help)
        return game.Ranking(value, tuple(game.RankLine(line.name, line.low, line.high) for line in rank.lines))

    def _check_loops(self, flow: Sequence[game.Flow], definitions: Mapping[str, game.Definition]) -> None:
        for node in flow:
            if isinstance(node, game.Each):
                read = min(variables_in(definitions, node.domain), default=None)
                if read is not None:
                    self.scope.sink.error(
                        "RW212", f"what `{node.variable}` ranges over depends on `{read}`, which changes in play",
                        node.span, help="range over all that it may ever be, and say `where`",
                    )  # fmt: skip
            if isinstance(node, game.Repeat | game.Each | game.Branch | game.Point):
                self._check_loops(node.body, definitions)
            if isinstance(node, game.Branch):
                self._check_loops(node.otherwise, definitions)

    def _check_domains(self, actions: dict[str, game.Action]) -> None:
        for action in actions.values():
            for parameter in action.parameters:
                domain = parameter.domain
                if isinstance(parameter.type, types.Region):
                    self.scope.sink.error(
                        "RW214", f"`{parameter.name}` would be a region, which players cannot name", parameter.span,
                        help="let them choose a cell and a direction, and say `region(…)`",
                    )  # fmt: skip
                while isinstance(domain, terms.Those) and domain.bound.where is None:
                    domain = domain.bound.domain
                if isinstance(domain, terms.Cells) and parameter.where is None:
                    space = self.scope.spaces[domain.space]
                    if not space.size and not space.edges:
                        self.scope.sink.error(
                            "RW210", f"`{parameter.name}` may be any of infinitely many cells", parameter.span,
                            Label(space.span, f"`{space.name}` has no bounds"),
                            help="range over cells near something, as in `around(…)`, or give the space a size",
                        )  # fmt: skip

    def _callees_first(self) -> list[str]:
        ordered: list[str] = []
        pending = [(name, False) for name in reversed(self.book.defines)]
        seen: set[str] = set()
        while pending:
            name, ready = pending.pop()
            if ready:
                ordered.append(name)
            elif name not in seen:
                seen.add(name)
                pending.append((name, True))
                pending += [(callee, False) for callee in self._callees(name) if callee not in seen]
        return ordered

    def _callees(self, name: str) -> list[str]:
        node = self.book.defines[name]
        return [n for n in names_in(node) if n in self.book.defines]

    def _find_recursion(self) -> None:
        position: dict[str, int] = {name: i for i, name in enumerate(self._callees_first())}
        for name in self.book.defines:
            for callee in self._callees(name):
                if position[callee] >= position[name]:
                    self.scope.sink.error(
                        "RW115", f"definition `{name}` comes back to itself", self.book.defines[name].span,
                        Label(self.book.defines[callee].span, "through this one") if callee != name
                        else Label(NOWHERE_IN_TEXT),
                        help="say it with `closure of`, or with a loop in the flow",
                    )  # fmt: skip


def names_in(node: object) -> list[str]:
    """Every name and function that occurs in a tree, without recursion."""
    found: list[str] = []
    pending: list[object] = [node]
    while pending:
        here = pending.pop()
        match here:
            case ex.Name(text):
                found.append(text)
            case ex.Call(function):
                found.append(function)
            case _:
                pass
        if isinstance(here, tuple | list):
            pending += here
        elif hasattr(here, "__attrs_attrs__"):
            pending += [getattr(here, a.name) for a in here.__attrs_attrs__ if a.name != "span"]
    return found
