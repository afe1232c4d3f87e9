"""The process that answers a puzzle's question, using the editor's texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.base.refusals import Refused
from rulewright.editor.features.puzzle_positions import position_of
from rulewright.editor.project.workspace import Workspace
from rulewright.solver.result import Limits
from rulewright.studies.verified_plan import told_answer
from rulewright.workers.child_process import lower_priority
from rulewright.workers.line_server import Report, serve_lines

BACKGROUND = 10
"""By convention: the nice value of a background search, which `nice` gives by default."""


def _solved(job: dict[str, Any], report: Report) -> dict[str, Any]:
    if job["background"]:
        lower_priority(BACKGROUND)
    texts = {Path(path): text for path, text in job["open"].items()}
    position = position_of(Workspace(Path(job["folder"]), open=texts), Path(job["path"]))
    if position.question is None:
        raise Refused("the puzzle asks no question", "add a line `ask: maximise score until end`")
    limits = Limits(job["seconds"], job["workers"], job["memory_mib"])
    return told_answer(position.asked, position.root, position.question, limits, report, position.puzzle.answer)


if __name__ == "__main__":
    serve_lines(_solved)
