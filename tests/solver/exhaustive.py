"""The comparator: every state that play can come to, each looked at once, by nothing but `legal`, `apply` and `over`.

It has no bound, no dominance, no order and no abstraction, and shares nothing with the solver: what a search proves is held
against it.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State


def all_ends(engine: Engine, state: State, most: int | None = None) -> list[State] | None:
    """Where play can end. None where there are more states than `most`."""
    seen, pending, found = {state}, [state], []
    while pending:
        here = pending.pop()
        if engine.over(here):
            found.append(here)
        for move in engine.legal(here):
            child = engine.apply(here, move)
            if child not in seen:
                seen.add(child)
                pending.append(child)
        if most is not None and len(seen) > most:
            return None
    return found


def enumerate_all(engine: Engine, state: State, value: Callable[[State], int], best: Callable[..., int] = max) -> int:
    """The best value over every way to play on."""
    ends = all_ends(engine, state)
    assert ends is not None
    return best(map(value, ends))


def best_value(engine: Engine, state: State, question: Question, most: int | None = None) -> int | None:
    """The value that answers a question for the greatest or the least, None where there are more states than `most`."""
    ends = all_ends(engine, state, most)
    best = min if question.goal is Goal.MINIMISE else max
    return None if ends is None else best(sum(engine.value(term, end) for term in question.values) for end in ends)
