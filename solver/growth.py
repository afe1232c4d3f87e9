"""Whether a value grows for ever: a round of moves that changes nothing but it."""

from __future__ import annotations

import time
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from ..grammar.diagnostics import Diagnostic, Label, RulesError
from ..grammar.expressions import Operator
from ..grammar.scenarios import Goal
from ..rules import effects as e
from ..rules import terms as t
from ..rules.analysis import Analysis, reads
from ..rules.compile import compile_value
from ..rules.engine import Engine, Move, State
from ..rules.faults import PlayError
from ..rules.layout import COUNTED, OVER, POINT, SEED
from ..rules.questions import Question
from ..rules.writing import write_move

MOST_STATES, MOST_SECONDS = 5_000, 0.3
"""How long to look."""


def no_best(question: Question, actions: tuple[str, ...]) -> RulesError:
    """RW332: a round of actions makes the value better each time."""
    change = "falls" if question.goal is Goal.MINIMISE else "rises"
    message = f"there is no best value: it {change} each time that this is repeated: {', '.join(actions)}"
    help = "ask `for` a number of turns, or let a requirement or the end of the game stop it"
    return RulesError((Diagnostic("RW332", message, (Label(question.span),), help),))


def round_that_pays(engine: Engine, analysis: Analysis, state: State, question: Question) -> tuple[str, ...]:
    """Moves that come back to where they began in all that decides how play may go on, with a better value; or none.

    Such moves can be repeated for ever. Looked for in depth, for a moment only.
    """
    deciding = Analysis(engine, ()).live
    scoring = frozenset(reads(engine.game, question.values) - deciding)
    if not scoring or not _adds_up(engine, analysis, question, scoring):
        return ()
    try:
        return _look(engine, analysis, state, question, deciding)
    except PlayError:
        # A fault of the rules is for the search to report, if it comes upon it.
        return ()


def _look(engine: Engine, analysis: Analysis, state: State, question: Question, deciding: frozenset[str]) -> tuple[str, ...]:
    value = _value(engine, question)
    read = _columns(engine, analysis, deciding)
    deadline = time.monotonic() + MOST_SECONDS
    path: list[tuple[State, Move, Any]] = []
    on_path: dict[Any, int] = {read(state): 0}
    seen = {read(state)}
    pending = [(state, iter(engine.legal(state)))]
    while pending and len(seen) < MOST_STATES and time.monotonic() < deadline:
        here, moves = pending[-1]
        for move in moves:
            child = engine.apply(here, move)
            key = read(child)
            if key in on_path:
                steps = [*path[on_path[key] :], (here, move, None)]
                # What is set rather than added to changes in the first round only.
                if value(_again(engine, child, steps)) > value(child):
                    return tuple(write_move(engine, at, chosen) for at, chosen, _ in steps)
            if key in seen or child[POINT] == OVER:
                continue
            seen.add(key)
            path.append((here, move, key))
            on_path[key] = len(path)
            pending.append((child, iter(engine.legal(child))))
            break
        else:
            pending.pop()
            if path:
                on_path.pop(path.pop()[2])
    return ()


def _again(engine: Engine, state: State, steps: list[tuple[State, Move, Any]]) -> State:
    for _, move, _ in steps:
        state = engine.apply(state, move)
    return state


def _adds_up(engine: Engine, analysis: Analysis, question: Question, scoring: frozenset[str]) -> bool:
    """Whether the same moves change the value by the same amount each time, but for the first."""
    game = engine.game
    for clause in analysis.clauses:
        match clause.effect:
            case e.Assign(target, _, value) if target.variable in scoring:
                if scoring & reads(game, value, target.index):
                    return False
            case e.Assign():
                pass
            case effect if scoring & reads(game, effect):
                return False
            case _:
                pass
    return all(_is_linear(engine, value, scoring) for value in question.values)


def _is_linear(engine: Engine, term: t.Term, scoring: frozenset[str]) -> bool:
    """Whether a value is a sum of variables that are added to, and of others that decide how play goes on."""
    if not scoring & reads(engine.game, term):
        return True
    match term:
        case t.Read(_, index):
            return not scoring & reads(engine.game, index)
        case t.Arithmetic(first, rest):
            return all(operator in (Operator.PLUS, Operator.MINUS) for operator, _ in rest) and all(
                _is_linear(engine, part, scoring) for part in (first, *(part for _, part in rest))
            )
        case t.Sum(value, bound):
            return _is_linear(engine, value, scoring) and not scoring & reads(engine.game, bound)
        case t.Invoke(name, arguments):
            definition = engine.game.definitions[name]
            plain = not definition.cases and not scoring & reads(engine.game, arguments)
            return plain and _is_linear(engine, definition.value, scoring)
        case _:
            return False


def _value(engine: Engine, question: Question) -> Callable[[State], int]:
    sign = -1 if question.goal is Goal.MINIMISE else 1
    values = [compile_value(engine.ground, engine.layout, value) for value in question.values]
    return lambda state: sign * sum(value(state) for value in values)


def _columns(engine: Engine, analysis: Analysis, names: frozenset[str]) -> Callable[[State], Any]:
    """The part of a state that the variables and the flow are."""
    kept = [POINT, COUNTED] + ([SEED] if analysis.uses_chance else [])
    for name in names:
        column = engine.layout.columns.get(name)
        if column is not None:
            kept += range(column.start, column.start + column.count)
    return itemgetter(*kept)
