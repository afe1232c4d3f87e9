"""Commands: operations on a puzzle, and the page of a code."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from lsprotocol import types

from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import RulesError

from .convert import uri_of
from .editor_server import EditorServer
from .lenses import PREFIX
from .solving import Solved, solve, with_progress

EXPLAIN = PREFIX + "explain"
"""The command that takes a code of a diagnostic."""

NO_PUZZLE = Solved(error="this is not a puzzle")


def register(server: EditorServer) -> None:
    """Run commands."""

    @server.command(EXPLAIN)
    def explain(ls: EditorServer, code: str) -> str:
        from rulewright.editor.features.hover import page_of_code

        return ls.say(page_of_code(code) or f"there is no code `{code}`")

    @server.command(PREFIX + "score")
    def score(ls: EditorServer, uri: str) -> str:
        from rulewright.editor.features.puzzle_positions import puzzle_of, score_text

        return ls.say(_of_position(ls, uri, lambda at: score_text(puzzle_of(at.workspace, at.path).start)))

    @server.command(PREFIX + "show")
    def show(ls: EditorServer, uri: str) -> str:
        """The position as SVG, opened outside the editor if possible."""
        from rulewright.editor.features.puzzle_positions import puzzle_of

        svg = _of_position(ls, uri, lambda at: puzzle_of(at.workspace, at.path).start.svg())
        window = ls.client_capabilities.window
        if svg.startswith("<svg") and window is not None and window.show_document is not None:
            file = Path(tempfile.mkdtemp(prefix="rulewright-")) / "position.svg"
            write_atomically(file, svg)
            ls.window_show_document(types.ShowDocumentParams(uri_of(file), external=True))
        return svg

    @server.command(PREFIX + "solve")
    async def solve_puzzle(ls: EditorServer, uri: str) -> dict[str, Any] | None:
        solved = await _solve(ls, uri)
        if solved is None:
            return None
        ls.say(solved.text)
        return {"answer": solved.answer, "value": solved.value, "plan": list(solved.plan), "error": solved.error}

    @server.command(PREFIX + "acceptAnswer")
    async def accept_answer(ls: EditorServer, uri: str) -> str | None:
        """Solve, and make the puzzle expect the proved answer."""
        from rulewright.editor.features.puzzle_positions import answer_edit
        from rulewright.puzzles.catalogue import answer_of

        solved, at = await _solve(ls, uri), ls.located_at(uri)
        if solved is None or at is None:
            return None
        answer = answer_of(solved.answer) if solved.answer is not None else None
        edit = answer_edit(at.workspace, at.path, answer) if answer is not None else None
        if edit is not None:
            ls.workspace_apply_edit(types.ApplyWorkspaceEditParams(ls.workspace_edit({at.path: [edit]})))
        ls.say(solved.text)
        return solved.answer


def _of_position(ls: EditorServer, uri: str, work: Any) -> str:
    at = ls.located_at(uri)
    if at is None:
        return "this is not a puzzle"
    try:
        return str(work(at))
    except RulesError as error:
        return "\n".join(f"{one.code}: {one.message}" for one in error.diagnostics)


async def _solve(ls: EditorServer, uri: str) -> Solved | None:
    """The answer to a puzzle, with progress that the editor can cancel; None if it was cancelled."""
    at = ls.located_at(uri)
    if at is None:
        return NO_PUZZLE
    return await with_progress(ls, f"solving {at.path.stem}", lambda report: solve(at.workspace, at.path, report))
