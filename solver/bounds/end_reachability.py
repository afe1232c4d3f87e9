"""Whether play can end at all: reachability over the flow graph, with conditions abstractly interpreted."""

from __future__ import annotations

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import POINT
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    Halt,
    Instruction,
    Jump,
    JumpIfFalse,
    LeavePoint,
    LoopNext,
    LoopStart,
    RunProcedure,
)
from rulewright.rules.static.abstract_values import AbstractValue
from rulewright.rules.static.dataflow import flat

from .monotone_variables import element_of
from .reachable_states import ReachableStates


def end_unreachable(question: Question) -> RulesError:
    """RW331: play never reaches the end in question."""
    message = "play from here never reaches the end that the question asks about"
    help = "ask `for` a number of turns that play can reach, or let the rules end the game"
    return RulesError((Diagnostic("RW331", message, (Label(question.span),), help),))


def end_is_reachable(states: ReachableStates) -> bool:
    """Whether the flow may lead from the root to the end of the game or of the horizon; False is a proof."""
    engine, point = states.engine, states.root[POINT]
    pending = [at for at, i in enumerate(engine.flow) if isinstance(i, ChoicePoint) and i.number == point]
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
    instruction: Instruction = engine.flow[at]
    match instruction:
        case Halt():
            return None
        case LeavePoint(point) if engine.horizon is not None and engine.horizon.point == point:
            return None
        case Jump(target):
            return (target,)
        case JumpIfFalse(condition, otherwise):
            found = states.evaluator_from(states.root, states.is_light([condition], {})).value(condition, {})
            return (otherwise,) if found.never else (at + 1,) if found.always else (at + 1, otherwise)
        case LoopNext(again=again):
            return (at + 1, again)
        case RunProcedure(procedure):
            return None if _contains(engine.game.procedures[procedure], effects.Finish) else (at + 1,)
        case LoopStart() | LeavePoint():
            return (at + 1,)
        case ChoicePoint():
            actions = [engine.game.actions[name] for name in instruction.actions]
            if any(_contains(action.effects, effects.Finish) for action in actions):
                return None
            may_stop = instruction.stop or any(_contains(action.effects, effects.Stop) for action in actions)
            may_be_stuck = not any(_is_always_legal(states, action) for action in actions)
            return (instruction.resume, instruction.leave) if may_stop or may_be_stuck else (instruction.resume,)


def _contains(clauses: tuple[effects.EffectClause, ...], kind: type[effects.Stop] | type[effects.Finish]) -> bool:
    """Whether `clauses` contain an effect of a kind, including inside loops and conditions."""
    return any(isinstance(clause.effect, kind) for clause in flat(clauses))


def _is_always_legal(states: ReachableStates, action: Action) -> bool:
    """Whether an action is legal for some arguments in every reachable state."""
    conditions = [requirement.condition for requirement in action.requirements]
    types = {parameter.name: parameter.type for parameter in action.parameters}
    evaluator = states.evaluator_from(states.root, states.is_light(conditions, types))
    environment: dict[str, AbstractValue] = {}
    for parameter in action.parameters:
        domain = evaluator.set(parameter.domain, environment)
        if parameter.where is not None or domain.items is None or not any(guard.always for _, guard in domain.items):
            return False
        environment[parameter.name] = element_of(domain)
    return all(evaluator.value(condition, environment).always for condition in conditions)
