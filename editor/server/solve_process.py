"""The process that answers the question of a puzzle: a job comes in as a line of JSON, reports and the answer go out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.base.child_process import exit_with_parent
from rulewright.base.diagnostics import RulesError
from rulewright.editor.features.puzzle_positions import position_of
from rulewright.editor.project.workspace import Workspace
from rulewright.grammar.tree.puzzles import answer_text
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.budget import Limits
from rulewright.studies.verified_plan import proved_answer, verified_steps

PAUSE = 0.2
"""Seconds between two reports."""


def main() -> None:
    """Answer the job on standard input."""
    job: dict[str, Any] = json.loads(sys.stdin.readline())
    exit_with_parent()
    try:
        _say(_solved(job))
    except RulesError as error:
        _say({"error": "; ".join(diagnostic.message for diagnostic in error.diagnostics)})
    except Exception as error:
        _say({"error": f"{type(error).__name__}: {error}; this is a bug in us"})


def _solved(job: Mapping[str, Any]) -> dict[str, Any]:
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
    proved = proved_answer(result, question)
    return {
        "status": result.status.value,
        "value": None if result.value is None else str(result.value),
        "bound": result.bound,
        "answer": None if proved is None else answer_text(proved),
        "plan": [step.text for step in steps],
        "seconds": round(result.seconds, 2),
    }


class _Reporter:
    """Says from time to time what is known."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def __call__(self, best: int | None, bound: int | None, states: int) -> None:
        if time.monotonic() - self.last >= PAUSE:
            self.last = time.monotonic()
            _say({"best": best, "bound": bound, "states": states})


def _say(report: dict[str, Any]) -> None:
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
