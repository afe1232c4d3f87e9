"""Finds what chance has always drawn before a puzzle's first choice, and the puzzle leaves out."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects as ef
from rulewright.rules.model.state import OVER, POINT, State
from rulewright.rules.model.terms import Drawn
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.flow_graph import Halt, RunProcedure, end_of_set_up, reachable_in_play
from rulewright.rules.static.dataflow import DataflowAnalysis


def unrolled(engine: Engine, state: State, question: Question, given: Container[str]) -> tuple[str, ...]:
    """The variables that matter to a question, that no play leaves undrawn on its way to the choice at which it begins, and
    that are not among those `given`: dice that are not rolled yet. In the order of the text."""
    if state[POINT] == OVER:
        return ()
    drawn = {name for body in engine.game.procedures.values() for name in _draws(body)}
    left_out = [name for name in engine.game.variables if name in drawn and name not in given]
    always = [name for name in left_out if not _is_reached_without(engine, name, state[POINT])]
    if not always:  # most games draw nothing
        return ()
    live = DataflowAnalysis(engine, question.terms, state).live_variables
    return tuple(name for name in always if name in live)


def _is_reached_without(engine: Engine, name: str, choice: int) -> bool:
    """Whether the flow can come from the end of set-up to a choice without a procedure that draws a variable."""
    procedures, end = engine.game.procedures, end_of_set_up(engine.flow)
    flow = [
        Halt() if isinstance(step, RunProcedure) and name in _draws(procedures[step.procedure]) else step
        for step in engine.flow
    ]
    return any(flow[at] == engine.choices[choice] for at in reachable_in_play(flow, end))


def _draws(body: Sequence[ef.EffectClause]) -> Iterator[str]:
    """The variables that effects draw at random whatever the state."""
    for clause in body:
        match clause.effect:
            case ef.Assign(target, _, Drawn()):
                yield target.variable
            case ef.ForEach(_, inner) | ef.Keep(_, _, inner):
                yield from _draws(inner)
            case _:
                pass
