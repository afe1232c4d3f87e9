"""Resolves the statements of the flow, and declares the variables of its `for` loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rulewright.base.diagnostics import Label, suggest
from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, statements
from rulewright.rules.merging.flow_edits import statements_of
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import game
from rulewright.rules.model.traversal import variables_in

from .functions.call import PLAYER
from .resolve_terms import TermResolver
from .scopes import end_of, left_by_stop
from .symbol_table import SymbolTable
from .unification import TypeVariable, as_type, unify


def declare_loop_variables(body: tuple[statements.FlowStatement, ...], symbols: SymbolTable) -> None:
    """Declare the variable of each `for` in a flow, with a type still to be inferred. Reports RW102."""
    for node in statements_of(body):
        if isinstance(node, statements.Each):
            before = symbols.variables.get(node.name)
            if before is None:
                symbols.variables[node.name] = game.Variable(
                    node.name, None, as_type(TypeVariable()), is_loop=True, module=symbols.module(node.span), span=node.span
                )
            elif not before.is_loop:
                _report_twice(node, before, symbols)


def _report_twice(node: statements.Each, before: game.Variable, symbols: SymbolTable) -> None:
    message = f"`{node.name}` is defined twice"
    symbols.sink.error("RW102", message, node.span, Label(before.span, "first defined here"))


@define
class FlowResolver:
    """Resolves the statements of a flow. `definitions` are those already built; empty during type inference."""

    terms: TermResolver
    book: Rulebook
    definitions: Mapping[str, game.Definition]

    def body(self, nodes: tuple[statements.FlowStatement, ...]) -> tuple[game.Flow, ...]:
        """Resolve statements in order. Reports RW102, RW112, RW114, RW212 and what their parts report."""
        found: list[game.Flow] = []
        for node in nodes:
            found.append(self._statement(node))
            if isinstance(node, statements.Repeat):
                found += (game.Run(end_of(name), span=node.span) for name in left_by_stop(node.body) if name in self._scopes)
        return tuple(found)

    @property
    def _scopes(self) -> set[str]:
        """The points that are the scope of a variable."""
        return {variable.scope for variable in self.terms.symbols.variables.values()}

    def _statement(self, node: statements.FlowStatement) -> game.Flow:
        span = node.span
        match node:
            case statements.Run(procedure):
                self._check_known("RW112", "procedure", procedure, self.book.procedures, span)
                return game.Run(procedure, span=span)
            case statements.Repeat(until, inner):
                stop = None if until is None else self.terms.condition(until, {})
                return game.Repeat(stop, self.body(inner), span=span)
            case statements.Each():
                return self._each(node)
            case statements.Branch(condition, inner, otherwise):
                test = self.terms.condition(condition, {})
                return game.Branch(test, self.body(inner), self.body(otherwise), span=span)
            case statements.Point(name, inner):
                ending = (game.Run(end_of(name), span=span),) if name in self._scopes else ()
                return game.Point(name, (*self.body(inner), *ending), span=span)
            case statements.Choose(actions, stop_allowed, by):
                for action in actions:
                    self._check_known("RW114", "action", action, self.book.actions, span)
                    self._check_offered(action, span)
                if by is None and "player" in self.terms.symbols.variables:
                    by = expressions.Name("player", span=span)
                chooser = None if by is None else self.terms.term(by, {}, PLAYER)
                return game.Choose(actions, stop_allowed, chooser, span=span)
            case _:
                assert_never(node)

    def _check_offered(self, name: str, span: Span) -> None:
        action = self.book.actions.get(name)
        if action is not None and action.base:
            declared = Label(action.span, "declared here")
            help = f"offer an action that is `like {name}`, or declare `{name}` without `base`"
            self.terms.symbols.sink.error(
                "RW154", f"a base action such as `{name}` cannot be offered", span, declared, help=help
            )

    def _each(self, node: statements.Each) -> game.Each:
        domain, element = self.terms.set(node.domain, {})
        symbols = self.terms.symbols
        variable = symbols.variables[node.name]
        if not unify(element, variable.type):
            _report_twice(node, variable, symbols)
        first = None if node.start is None else self.terms.term(node.start, {}, element)
        where = None if node.where is None else self.terms.condition(node.where, {})
        if read := min(variables_in(self.definitions, domain), default=""):
            message = f"the domain of `{node.name}` depends on `{read}`, which changes during play"
            help = "loop over a fixed set, and filter it with `where`"
            symbols.sink.error("RW212", message, node.span, help=help)
        return game.Each(node.name, domain, first, where, self.body(node.body), span=node.span)

    def _check_known(self, code: str, kind: str, name: str, known: Mapping[str, object], span: Span) -> None:
        if name not in known:
            symbols = self.terms.symbols
            help = suggest(name, set(known))
            symbols.sink.error(code, f"there is no {kind} `{name}`", span, *symbols.dropped_here(name), help=help)
