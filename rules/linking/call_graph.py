"""Dependencies: definitions and procedures in topological order, callees first; dependence of partitions on the state."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree import expressions, statements
from rulewright.grammar.tree.traversal import nodes_in
from rulewright.rules.merging.expand import score_definition, total_definition
from rulewright.rules.merging.rulebook import ItemKind, Key, Rulebook
from rulewright.rules.merging.triggers import may_set_off, statements_in
from rulewright.rules.model import terms
from rulewright.rules.model.game import Game
from rulewright.rules.model.traversal import nodes_of, variables_in

Node = TypeVar("Node", bound=Hashable)

MOST_RUNS = 2_000
"""Most inlined runs of procedures (`do`) in a game."""

DEEPEST_RUN = 32
"""Longest chain of procedures that run each other."""


@frozen
class CallOrder:
    """The names of definitions, and procedures and `whenever`s (`sequels`), each after those that it calls or triggers."""

    definitions: tuple[str, ...]
    sequels: tuple[Key, ...]


@frozen
class Call:
    """A place where a procedure is run or a `whenever` is triggered."""

    callee: Key
    span: Span


def call_order(book: Rulebook, sink: Sink) -> CallOrder:
    """Order definitions and procedures. Reports RW113, RW115 and RW152 (cycles) and RW252 (too much inlining)."""
    uses = {name: [used for used in _names_in(node) if used in book.defines] for name, node in book.defines.items()}
    definitions = callees_first(uses)
    for user, used in back_edges(uses, definitions):
        through = Label(book.defines[used].span, "through this definition") if used != user else Label(NO_SPAN)
        help = "use `closure of`, or a loop in the flow"
        sink.error("RW115", f"the definition of `{user}` refers to itself", book.defines[user].span, through, help=help)
    bodies = {Key(ItemKind.PROCEDURE, name): node.body for name, node in book.procedures.items()}
    bodies |= {Key(ItemKind.WHENEVER, name): node.body for name, node in book.whenevers.items()}
    calls = {key: list(_calls_in(body, book)) for key, body in bodies.items()}
    callees = {key: [call.callee for call in found if call.callee in calls] for key, found in calls.items()}
    order = callees_first(callees)
    cycles = list(back_edges(callees, order))
    for caller, callee in cycles:
        call = next(call for call in calls[caller] if call.callee == callee)
        _report_cycle(_path(callees, callee, caller), call.span, sink)
    if not cycles:
        _check_inlining(book, order, calls, sink)
    return CallOrder(tuple(definitions), tuple(order))


def check_parts(found: Game, nodes: Iterable[object], sink: Sink) -> None:
    """Report RW172 for parts of a partition that change during play, and so are not known before it."""
    read = {name: variables_in(found.definitions, found.definitions[name]) for name in found.partitions}
    changing = {name: min(variables) for name, variables in read.items() if variables}
    for node in nodes_of({}, *nodes) if changing else ():
        match node:
            case terms.Row(terms.PartsOf(name)) if name in changing:
                help = f"use `those x in … where {name}(x) = {name}(c)`"
                message = f"the parts of `{name}` depend on `{changing[name]}`, which changes during play"
                sink.error(
                    "RW172",
                    message,
                    node.span,
                    Label(found.definitions[name].span, "the partition is declared here"),
                    help=help,
                )


def _calls_in(body: tuple[statements.Labelled, ...], book: Rulebook) -> Iterator[Call]:
    """The procedures that a body runs, and the `whenever`s that it may trigger, judging by its text."""
    kinds = {line.name for tiles in book.tiles.values() for line in tiles.lines} if book.whenevers else set()
    for statement in statements_in(body):
        if isinstance(statement, statements.Do):
            yield Call(Key(ItemKind.PROCEDURE, statement.procedure), statement.span)
        for name, whenever in book.whenevers.items():
            if may_set_off(statement, whenever, kinds):
                yield Call(Key(ItemKind.WHENEVER, name), statement.span)


def _report_cycle(cycle: Sequence[Key], span: Span, sink: Sink) -> None:
    """Report RW113 for procedures alone, RW152 for cycles with `whenever`s."""
    first = next((at for at, key in enumerate(cycle) if key.kind is ItemKind.WHENEVER), None)
    if first is None:
        sink.error("RW113", f"the procedure `{cycle[0].name}` runs itself", span, help="use `repeat` in the flow")
        return
    listed = " -> ".join(f"`{key}`" for key in (*cycle[first:], *cycle[: first + 1]))
    help = "narrow a pattern so that it does not match this effect"
    sink.error("RW152", f"`{cycle[first]}` triggers itself: {listed}", span, help=help)


def _path(callees: Mapping[Key, list[Key]], start: Key, end: Key) -> list[Key]:
    """A path between two nodes, both included; there must be one."""
    before = {start: start}
    pending = [start]
    for here in pending:
        pending += [callee for callee in callees[here] if callee not in before]
        before |= {callee: here for callee in callees[here] if callee not in before}
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def _check_inlining(book: Rulebook, order: Sequence[Key], calls: Mapping[Key, list[Call]], sink: Sink) -> None:
    """Report RW252, once, if inlining procedures takes too many runs or too deep a chain."""
    inlined: dict[Key, int] = {}
    depth: dict[Key, int] = {}
    total = 0
    bodies = {name: tuple(e.labelled for e in node.effects) for name, node in book.actions.items()}
    actions = ((Key(ItemKind.ACTION, name), list(_calls_in(body, book))) for name, body in bodies.items())
    for key, found in (*((key, calls[key]) for key in order), *actions):
        before, deepest = total, 0
        for call in found:
            total += 1 + inlined.get(call.callee, 0)
            deepest = max(deepest, 1 + depth.get(call.callee, 0))
            if total > MOST_RUNS or deepest > DEEPEST_RUN:
                message = "the procedures grow too large when they are expanded"
                sink.error("RW252", message, call.span, help="reduce the number of times that procedures run each other")
                return
        inlined[key], depth[key] = total - before, deepest


def callees_first(callees: Mapping[Node, list[Node]]) -> list[Node]:
    """The nodes of a graph in the post-order of a depth-first search."""
    ordered: list[Node] = []
    pending = [(name, False) for name in reversed(list(callees))]
    entered: set[Node] = set()
    while pending:
        name, done = pending.pop()
        if done:
            ordered.append(name)
        elif name not in entered:
            entered.add(name)
            pending.append((name, True))
            pending += [(callee, False) for callee in callees[name] if callee not in entered]
    return ordered


def back_edges(callees: Mapping[Node, list[Node]], order: list[Node]) -> Iterator[tuple[Node, Node]]:
    """The back edges of the depth-first search; every cycle has one."""
    position = {name: at for at, name in enumerate(order)}
    return ((name, callee) for name in callees for callee in callees[name] if position[callee] >= position[name])


def _names_in(node: object) -> list[str]:
    """Every name and function that occurs in a syntax tree."""
    found: list[str] = []
    for here in nodes_in(node):
        match here:
            case expressions.Name(text):
                found += (text, total_definition(text))
            case expressions.Subscript(text):
                found += (text, score_definition(text))
            case expressions.Call(function):
                found.append(function)
    return found
