"""The process that answers a puzzle's question, using the editor's texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.editor.features.puzzle_positions import puzzle_of
from rulewright.editor.project.workspace import Workspace
from rulewright.workers.child_process import lower_priority
from rulewright.workers.line_server import Report, serve_lines

BACKGROUND = 10
"""By convention: the nice value of a background search, which `nice` gives by default."""


def _solved(job: dict[str, Any], report: Report) -> dict[str, Any]:
    if job["background"]:
        lower_priority(BACKGROUND)
    texts = {Path(path): text for path, text in job["open"].items()}
    puzzle = puzzle_of(Workspace(Path(job["folder"]), open=texts), Path(job["path"]))
    answer = puzzle.solve(job["seconds"], workers=job["workers"], memory_mib=job["memory_mib"], progress=report)
    return {
        "value": None if answer.value is None else str(answer.value),
        "bound": answer.bound,
        "is_proved": answer.is_proved,
        "plan": [str(action) for action in answer.plan],
        "seconds": answer.seconds,
        "refutes": str(puzzle.expected) if answer.refutes_expected else None,
    }


if __name__ == "__main__":
    serve_lines(_solved)
