"""The answer to a question as plain data for another process: progress reports, and the result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rulewright.base.records import define, field
from rulewright.grammar.tree.puzzles import Answer, answer_text
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.result import Limits

from .checked_answer import checked_answer
from .verified_plan import proved_answer, refutes, solve_verified

PAUSE = 0.2
"""Seconds between two reports."""

Report = Callable[[dict[str, Any]], None]


@define
class _Reporter:
    """Reports periodically what a search knows: `best`, `bound`, `gap`, `states`."""

    report: Report
    last: float = field(factory=time.monotonic)

    def __call__(self, best: int | None, bound: int | None, states: int) -> None:
        if time.monotonic() - self.last >= PAUSE:
            self.last = time.monotonic()
            gap = None if best is None or bound is None else abs(bound - best)
            self.report({"best": best, "bound": bound, "gap": gap, "states": states})


def told_answer(
    engine: Engine,
    state: State,
    question: Question,
    limits: Limits,
    report: Report,
    expected: Answer | None = None,
    checks: bool = False,
) -> dict[str, Any]:
    """The best play found within the limits, replayed; `answer` if it is proved, `refutes` if it differs from the expected
    answer; with `checks`, `checked` if a small certificate proves it.

    Raises `RulesError` if the question has no answer.
    """
    result, steps = solve_verified(engine, state, question, limits, _Reporter(report))
    proved = proved_answer(result, question)
    return {
        "status": result.status.value,
        "value": None if result.value is None else str(result.value),
        "bound": result.bound,
        "answer": None if proved is None else answer_text(proved),
        "plan": [{"text": step.text, "player": step.player, "value": step.value} for step in steps],
        "seconds": round(result.seconds, 2),
        "checked": checked_answer(engine, state, question, result) if checks else None,
        "refutes": answer_text(expected) if expected is not None and refutes(result, question, expected) else None,
    }
