"""The puzzles and saved games that exercise each clause of a module, found by a process that plays them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.editor.project.workspace import Workspace
from rulewright.grammar.tree.modules import Module
from rulewright.workers.line_server import Report, serve_lines

OFFER = "which puzzles show each clause?"
"""The title of the lens before the evidence is known."""


@frozen
class ClauseEvidence:
    """A clause of a module: its place, its name, the rulebook clause it cites, and its evidence."""

    span: Span
    name: str
    cite: str
    shown_by: tuple[str, ...]

    @property
    def title(self) -> str:
        """`exercised by 12 puzzles and games, cites place.matching`"""
        count = len(self.shown_by)
        by = f"{count} puzzles and games" if count > 1 else self.shown_by[0] if count else ""
        seen = f"exercised by {by}" if by else "not exercised"
        return f"{seen}, cites {self.cite}" if self.cite else seen

    @property
    def text(self) -> str:
        """The names of the evidence."""
        return f"{self.name}: {', '.join(self.shown_by)}" if self.shown_by else f"{self.name}: no puzzle or game exercises it"


def clause_evidence(workspace: Workspace, path: Path) -> Iterator[ClauseEvidence]:
    """The evidence for the clauses in one file that do something in play.

    It takes seconds, since every puzzle and game is played. Raises `RulesError`.
    """
    from rulewright.studies.clause_traceability import WITNESSED, traces
    from rulewright.studies.evidence import EvidenceFinder

    module = workspace.reading(path).tree
    if not isinstance(module, Module):
        return
    project = workspace.project(workspace.closure((path,)))
    for trace in traces([module.header.name], EvidenceFinder(project)):
        for clause in trace.clauses:
            if clause.span.source == str(path) and isinstance(clause.part, WITNESSED):
                yield ClauseEvidence(clause.span, clause.name, clause.cite, trace.shown_by(clause))


def _shown(job: dict[str, Any], report: Report) -> dict[str, Any]:
    workspace = Workspace(Path(job["folder"]), open={Path(path): text for path, text in job["open"].items()})
    return {"clauses": [attrs.asdict(one) for one in clause_evidence(workspace, Path(job["path"]))]}


if __name__ == "__main__":
    serve_lines(_shown)
