"""The process that plays the puzzles and saved games of a module, and says which show each of its clauses."""

from __future__ import annotations

from pathlib import Path

import attrs

from rulewright.editor.features.clause_evidence import clause_evidence
from rulewright.editor.project.workspace import Workspace
from rulewright.editor.server.child_talk import Report, do_job


def main() -> None:
    """Do the job on standard input."""
    do_job(_shown)


def _shown(job: Report) -> Report:
    workspace = Workspace(Path(job["folder"]), open={Path(path): text for path, text in job["open"].items()})
    return {"clauses": [attrs.asdict(one) for one in clause_evidence(workspace, Path(job["path"]))]}


if __name__ == "__main__":
    main()
