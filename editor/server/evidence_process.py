"""The process that plays a module's puzzles and saved games, and reports which of them exercise each clause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from rulewright.base.line_server import Report, serve_lines
from rulewright.editor.features.clause_evidence import clause_evidence
from rulewright.editor.project.workspace import Workspace


def _shown(job: dict[str, Any], report: Report) -> dict[str, Any]:
    workspace = Workspace(Path(job["folder"]), open={Path(path): text for path, text in job["open"].items()})
    return {"clauses": [attrs.asdict(one) for one in clause_evidence(workspace, Path(job["path"]))]}


if __name__ == "__main__":
    serve_lines(_shown)
