"""The call graphs of definitions and of procedures: a topological order of each, callees first; cycles are errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import frozen
from rulewright.base.spans import NO_SPAN
from rulewright.grammar.tree import expressions, statements
from rulewright.rules.merging.rulebook import Rulebook

MOST_RUNS = 2_000
"""How often procedures may be run by `do` in a game, each inlined where it is run."""

DEEPEST_RUN = 32
"""How many procedures may run each other in a chain."""


@frozen
class CallOrder:
    """The names of definitions and of procedures, each after those that it calls."""

    definitions: tuple[str, ...]
    procedures: tuple[str, ...]


def call_order(book: Rulebook, sink: Sink) -> CallOrder:
    """Order definitions and procedures. Reports RW115 and RW113 (cycles) and RW252 (too much to be inlined)."""
    uses = {name: [used for used in _names_in(node) if used in book.defines] for name, node in book.defines.items()}
    definitions = _callees_first(uses)
    for user, used in _back_edges(uses, definitions):
        through = Label(book.defines[used].span, "through this one") if used != user else Label(NO_SPAN)
        help = "say it with `closure of`, or with a loop in the flow"
        sink.error("RW115", f"definition `{user}` comes back to itself", book.defines[user].span, through, help=help)
    runs = {name: list(_runs_in(node.body)) for name, node in book.procedures.items()}
    callees = {name: [do.procedure for do in found if do.procedure in runs] for name, found in runs.items()}
    procedures = _callees_first(callees)
    cycles = list(_back_edges(callees, procedures))
    for runner, run in cycles:
        do = next(do for do in runs[runner] if do.procedure == run)
        sink.error("RW113", f"procedure `{run}` runs itself", do.span, help="use `repeat` in the flow")
    if not cycles:
        _check_inlining(book, procedures, runs, sink)
    return CallOrder(tuple(definitions), tuple(procedures))


def _check_inlining(book: Rulebook, order: Sequence[str], runs: Mapping[str, list[statements.Do]], sink: Sink) -> None:
    """Report RW252 once where procedures are too many or too deep when each is inlined."""
    inlined: dict[str, int] = {}
    depth: dict[str, int] = {}
    total = 0
    actions = ((name, list(_runs_in([e.labelled for e in node.effects]))) for name, node in book.actions.items())
    for name, found in (*((name, runs[name]) for name in order), *actions):
        before, deepest = total, 0
        for do in found:
            total += 1 + inlined.get(do.procedure, 0)
            deepest = max(deepest, 1 + depth.get(do.procedure, 0))
            if total > MOST_RUNS or deepest > DEEPEST_RUN:
                message = "the procedures grow too large when they are written out where they are run"
                sink.error("RW252", message, do.span, help="let procedures run each other less")
                return
        inlined[name], depth[name] = total - before, deepest


def _callees_first(callees: dict[str, list[str]]) -> list[str]:
    """The nodes of a graph in the post-order of a depth-first search."""
    ordered: list[str] = []
    pending = [(name, False) for name in reversed(callees)]
    entered: set[str] = set()
    while pending:
        name, done = pending.pop()
        if done:
            ordered.append(name)
        elif name not in entered:
            entered.add(name)
            pending.append((name, True))
            pending += [(callee, False) for callee in callees[name] if callee not in entered]
    return ordered


def _back_edges(callees: dict[str, list[str]], order: list[str]) -> Iterator[tuple[str, str]]:
    """The back edges of the depth-first search: every cycle has one."""
    position = {name: at for at, name in enumerate(order)}
    return ((name, callee) for name in callees for callee in callees[name] if position[callee] >= position[name])


def _runs_in(body: Sequence[statements.Labelled]) -> Iterator[statements.Do]:
    for labelled in body:
        match labelled.statement:
            case statements.Do() as do:
                yield do
            case statements.ForEach(_, inner):
                yield from _runs_in(inner)
            case statements.When(_, inner, otherwise):
                yield from _runs_in((*inner, *otherwise))
            case _:
                pass


def _names_in(node: object) -> list[str]:
    """Every name and function that occurs in a syntax tree. Iterative, as trees may be deep."""
    found: list[str] = []
    pending: list[object] = [node]
    while pending:
        here = pending.pop()
        match here:
            case expressions.Name(text):
                found.append(text)
            case expressions.Call(function):
                found.append(function)
            case _:
                pass
        if isinstance(here, tuple | list):
            pending += here
        elif hasattr(here, "__attrs_attrs__"):
            pending += [getattr(here, a.name) for a in here.__attrs_attrs__ if a.name != "span"]
    return found
