"""Whether play can come to an end at all, as far as the flow shows it."""

from __future__ import annotations

from ..grammar.diagnostics import Diagnostic, Label, RulesError
from ..rules import effects as e
from ..rules.analysis import Analysis
from ..rules.engine import Engine, State
from ..rules.evaluator import Evaluator
from ..rules.flowgraph import Begin, Choice, End, Execute, Instruction, Jump, Leave, Next, Test
from ..rules.game import Action
from ..rules.layout import POINT
from ..rules.possible import Possible, PossibleSet
from ..rules.questions import Question
from .candidates import Reading
from .monotone import FromHere, element, trends

_Reading = Evaluator[Possible, PossibleSet]


def no_end(question: Question) -> RulesError:
    """RW331: play never comes to the end that is asked about."""
    message = "however play goes on from here, it never comes to the end that is asked about"
    help = "ask `for` a number of turns that play can come to, or let the rules end the game"
    return RulesError((Diagnostic("RW331", message, (Label(question.span),), help),))


def may_end(engine: Engine, analysis: Analysis, state: State) -> bool:
    """Whether the flow can lead to the end of the game or of the horizon, as far as can be seen from the rules."""
    layout = engine.layout
    boards = {name: state[layout.columns[name].start] for name in analysis.grows_only if layout.columns[name].as_bytes}
    coming = Reading(engine, analysis, state).coming
    here = FromHere(engine.ground, layout, boards, coming, state=state, trends=trends(engine, analysis))
    reading: _Reading = Evaluator(engine.ground, here)
    pending = [at for at, i in enumerate(engine.flow) if isinstance(i, Choice) and i.number == state[POINT]]
    seen = set(pending)
    while pending:
        at = pending.pop()
        after = _after(engine, reading, at)
        if after is None:
            return True
        pending += [target for target in after if target not in seen]
        seen.update(after)
    return False


def _after(engine: Engine, reading: _Reading, at: int) -> tuple[int, ...] | None:
    """Where the flow may go from an instruction; None when it may end there."""
    instruction: Instruction = engine.flow[at]
    match instruction:
        case End():
            return None
        case Leave(point) if engine.horizon is not None and engine.horizon.point == point:
            return None
        case Jump(target):
            return (target,)
        case Test(condition, otherwise):
            found = reading.value(condition, {})
            return (otherwise,) if found.never else (at + 1,) if found.always else (at + 1, otherwise)
        case Next(again=again):
            return (at + 1, again)
        case Execute(procedure):
            return None if _holds(engine.game.procedures[procedure], e.Finish) else (at + 1,)
        case Begin() | Leave():
            return (at + 1,)
        case Choice():
            actions = [engine.game.actions[name] for name in instruction.actions]
            if any(_holds(action.effects, e.Finish) for action in actions):
                return None
            stops = instruction.stop or any(_holds(action.effects, e.Stop) for action in actions)
            stuck = not any(_is_always_legal(reading, action) for action in actions)
            return (instruction.resume, instruction.leave) if stops or stuck else (instruction.resume,)


def _holds(clauses: tuple[e.Clause, ...], kind: type[e.Stop] | type[e.Finish]) -> bool:
    for clause in clauses:
        match clause.effect:
            case e.ForEach(_, body) if _holds(body, kind):
                return True
            case e.When(_, body, otherwise) if _holds((*body, *otherwise), kind):
                return True
            case effect if isinstance(effect, kind):
                return True
            case _:
                pass
    return False


def _is_always_legal(reading: _Reading, action: Action) -> bool:
    """Whether some choice of its parameters is legal in every state, for certain."""
    env: dict[str, Possible] = {}
    for parameter in action.parameters:
        domain = reading.set(parameter.domain, env)
        if parameter.where is not None or domain.items is None or not any(guard.always for _, guard in domain.items):
            return False
        env[parameter.name] = element(domain)
    return all(reading.value(requirement.condition, env).always for requirement in action.requirements)
