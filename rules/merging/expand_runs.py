"""Desugars `pay(player, 2)` in the flow into a new procedure that contains `do pay(player, 2)`."""

from __future__ import annotations

from attrs import evolve

from rulewright.grammar.printing.print_statements import print_statement
from rulewright.grammar.tree import modules, statements

from .flow_edits import Body, with_bodies
from .rulebook import Rulebook


def write_out_runs(book: Rulebook) -> None:
    """Add a procedure without parameters for every run in the flow that gives values, or omits those that it takes."""

    def over(body: Body) -> Body:
        return tuple(run(node) if isinstance(node, statements.Run) else with_bodies(node, over) for node in body)

    def run(node: statements.Run) -> statements.Run:
        known = book.procedures.get(node.procedure)
        if not node.arguments and (known is None or not known.parameters):
            return node
        do = statements.Do(node.procedure, node.arguments, span=node.span)
        name = print_statement(do)
        book.procedures[name] = modules.Procedure(name, (statements.Labelled("", do, span=node.span),), span=node.span)
        return statements.Run(name, span=node.span)

    if book.flow is not None:
        book.flow = evolve(book.flow, body=over(book.flow.body))
