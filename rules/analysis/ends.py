"""Whether play can end at all: reachability over the flow graph, with conditions abstractly interpreted."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import reduce
from operator import itemgetter
from typing import Any

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.grammar.tree.expressions import Operator
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects, terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import COUNTED, OVER, POINT, SEED, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.semantics import flow_graph
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.static.abstract_values import AbstractValue, any_element
from rulewright.rules.static.dataflow import DataflowAnalysis, flat, reads

from .reachable_states import ReachableStates


def end_unreachable(question: Question) -> RulesError:
    """RW331: play never reaches the end in question."""
    message = "play from here never reaches the end that the question asks about"
    help = "ask `for` a number of turns that play can reach, or let the rules end the game"
    return RulesError((Diagnostic("RW331", message, (Label(question.span),), help),))


def end_is_reachable(states: ReachableStates) -> bool:
    """Whether the flow may lead from the root to the end of the game or of the horizon; False is a proof."""
    engine, point = states.engine, states.root[POINT]
    pending = [at for at, i in enumerate(engine.flow) if isinstance(i, flow_graph.ChoicePoint) and i.number == point]
    seen = set(pending)
    while pending:
        at = pending.pop()
        after = _successors(states, at)
        if after is None:
            return True
        pending += [target for target in after if target not in seen]
        seen.update(after)
    return False


def _successors(states: ReachableStates, at: int) -> tuple[int, ...] | None:
    """The possible successors of an instruction; None if the flow may end there."""
    engine = states.engine
    instruction: flow_graph.Instruction = engine.flow[at]
    match instruction:
        case flow_graph.Halt():
            return None
        case flow_graph.LeavePoint(point) if engine.horizon is not None and engine.horizon.point == point:
            return None
        case flow_graph.JumpIfFalse(condition, otherwise):
            found = states.evaluator_from(states.root, states.is_light([condition], {})).value(condition, {})
            return (otherwise,) if found.never else (at + 1,) if found.always else (at + 1, otherwise)
        case flow_graph.RunProcedure(procedure) if _ends(engine.game.procedures[procedure], game=True):
            return None
        case flow_graph.ChoicePoint():
            actions = [engine.game.actions[name] for name in instruction.actions]
            if any(_ends(action.effects, game=True) for action in actions):
                return None
            may_stop = instruction.stop or any(_ends(action.effects, game=False) for action in actions)
            may_be_stuck = not any(_is_always_legal(states, action) for action in actions)
            return (instruction.resume, instruction.leave) if may_stop or may_be_stuck else (instruction.resume,)
        case _:
            return flow_graph.following(engine.flow, at)


def _ends(clauses: tuple[effects.EffectClause, ...], game: bool) -> bool:
    """Whether some effect ends the game, or leaves a repetition, including those inside loops and conditions."""
    return any(clause.effect == effects.End(game) for clause in flat(clauses))


def _is_always_legal(states: ReachableStates, action: Action) -> bool:
    """Whether an action is legal for some arguments in every reachable state."""
    if action.afterwards:
        return False
    conditions = [requirement.condition for requirement in action.requirements]
    types = {parameter.name: parameter.type for parameter in action.parameters}
    evaluator = states.evaluator_from(states.root, states.is_light(conditions, types))
    environment: dict[str, AbstractValue] = {}
    for parameter in action.parameters:
        domain = evaluator.set(parameter.domain, environment)
        if parameter.where is not None or domain.items is None or not any(guard.always for _, guard in domain.items):
            return False
        environment[parameter.name] = any_element(domain)
    return all(evaluator.value(condition, environment).always for condition in conditions)


MAX_STATES, MAX_SECONDS = 5_000, 0.3
"""Most states and seconds in which a cycle that improves the value is looked for: finding none proves nothing."""


def value_unbounded(question: Question, actions: tuple[str, ...]) -> RulesError:
    """RW332: a cycle of actions improves the value each time."""
    change = "falls" if question.goal is Goal.MINIMISE else "rises"
    message = f"there is no best value: it {change} with each repetition of {', '.join(actions)}"
    help = "ask `for` a number of turns, or let a requirement or the end of the game stop it"
    return RulesError((Diagnostic("RW332", message, (Label(question.span),), help),))


def improving_cycle(states: ReachableStates, question: Question, value: Callable[[State], int]) -> tuple[str, ...]:
    """The moves of a cycle that improves the objective, as text; empty if none was found. A higher `value` is better.

    After the cycle every variable that decides how play may continue has its old value, so the cycle can repeat for ever.
    """
    engine, analysis, deciding = states.engine, states.analysis, states.analysis.deciding_variables
    scoring = frozenset(reads(engine.game, question.values) - deciding)
    if not scoring or not _improves_each_time(engine, analysis, question, scoring):
        return ()
    try:
        return _find_cycle(engine, states.root, value, _columns(engine, analysis, deciding))
    except PlayError:
        # The search reports an error of play, if it gets there.
        return ()


def _find_cycle(engine: Engine, state: State, value: Callable[[State], int], read: Callable[[State], Any]) -> tuple[str, ...]:
    deadline = time.monotonic() + MAX_SECONDS
    path: list[tuple[State, Move, Any]] = []
    on_path: dict[Any, int] = {read(state): 0}
    seen = {read(state)}
    pending = [(state, iter(engine.legal(state)))]
    while pending and len(seen) < MAX_STATES and time.monotonic() < deadline:
        here, moves = pending[-1]
        for move in moves:
            child = engine.apply(here, move)
            key = read(child)
            if key in on_path:
                steps = [*path[on_path[key] :], (here, move, None)]
                # A variable that is set, not added to, changes only in the first round.
                if value(reduce(engine.apply, (chosen for _, chosen, _ in steps), child)) > value(child):
                    return tuple(format_move(engine, at, chosen) for at, chosen, _ in steps)
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


def _improves_each_time(engine: Engine, analysis: DataflowAnalysis, question: Question, scoring: frozenset[str]) -> bool:
    """Whether repeating a cycle changes the objective by the same amount each time after the first."""
    game = engine.game
    for clause in analysis.clauses:
        match clause.effect:
            case effects.Assign(target, _, value) if target.variable in scoring:
                if scoring & reads(game, value, target.index):
                    return False
            case effects.Assign():
                pass
            case effect if scoring & reads(game, effect):
                return False
    return all(_is_linear(engine, value, scoring) for value in question.values)


def _is_linear(engine: Engine, term: terms.Term, scoring: frozenset[str]) -> bool:
    """Whether a value is linear in the scoring variables, given the variables that decide how play continues."""
    if not scoring & reads(engine.game, term):
        return True
    match term:
        case terms.Read(_, index):
            return not scoring & reads(engine.game, index)
        case terms.Arithmetic(first, rest):
            return all(operator in (Operator.PLUS, Operator.MINUS) for operator, _ in rest) and all(
                _is_linear(engine, part, scoring) for part in (first, *(part for _, part in rest))
            )
        case terms.Fold(terms.Kind.SUM, bound, value):
            return _is_linear(engine, value, scoring) and not scoring & reads(engine.game, bound)
        case terms.Invoke(name, arguments):
            definition = engine.game.definitions[name]
            plain = not definition.cases and not scoring & reads(engine.game, arguments)
            return plain and _is_linear(engine, definition.value, scoring)
        case _:
            return False


def _columns(engine: Engine, analysis: DataflowAnalysis, names: frozenset[str]) -> Callable[[State], Any]:
    """A reader of the state columns that hold these variables and the position in the flow."""
    kept = [POINT, COUNTED] + ([SEED] if analysis.uses_chance else [])
    for name in names:
        column = engine.layout.columns.get(name)
        if column is not None:
            kept += range(column.start, column.start + column.count)
    return itemgetter(*kept)
