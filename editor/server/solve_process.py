"""The process that answers the question of a puzzle: a job comes in as a line of JSON, reports and the answer go out."""

from __future__ import annotations

import time
from pathlib import Path

from rulewright.editor.features.puzzle_positions import position_of
from rulewright.editor.project.workspace import Workspace
from rulewright.editor.server.child_talk import Report, do_job, say
from rulewright.grammar.tree.puzzles import answer_text
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.budget import Limits
from rulewright.studies.verified_plan import proved_answer, refutes, verified_steps

PAUSE = 0.2
"""Seconds between two reports."""


def main() -> None:
    """Answer the job on standard input."""
    do_job(_solved)


def _solved(job: Report) -> Report:
    """The answer, with its plan replayed."""
    texts = {Path(path): text for path, text in job["open"].items()}
    workspace, path = Workspace(Path(job["folder"]), open=texts), Path(job["path"])
    position = position_of(workspace, path)
    if position.question is None:
        return {"error": "the puzzle asks nothing: add a line `ask: maximise score until end`"}
    engine, state, question = position.asked, position.root, position.question
    engine.compile()
    limits = Limits(job["seconds"], job["workers"], job["memory_mib"])
    result = answer(engine, state, question, limits, _Reporter())
    steps = verified_steps(engine, state, question, result)
    proved, expected = proved_answer(result, question), position.puzzle.answer
    return {
        "status": result.status.value,
        "value": None if result.value is None else str(result.value),
        "bound": result.bound,
        "answer": None if proved is None else answer_text(proved),
        "plan": [step.text for step in steps],
        "seconds": round(result.seconds, 2),
        "refutes": answer_text(expected) if expected is not None and refutes(result, question, expected) else None,
    }


class _Reporter:
    """Says from time to time what is known."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def __call__(self, best: int | None, bound: int | None, states: int) -> None:
        if time.monotonic() - self.last >= PAUSE:
            self.last = time.monotonic()
            say({"best": best, "bound": bound, "states": states})


if __name__ == "__main__":
    main()
