"""Code lenses: operations on a puzzle, and the evidence for each clause of a module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from rulewright.base.refusals import Refused
from rulewright.base.spans import Span
from rulewright.workers.line_client import ask_once

from .editor_server import EditorServer, Located
from .solving import job_of, with_progress

if TYPE_CHECKING:
    from rulewright.editor.features.clause_evidence import ClauseEvidence

PREFIX = "rulewright."
"""The prefix of command names; the rest is the operation of a lens."""

TRACE, SEEN = PREFIX + "trace", PREFIX + "seen"
"""The commands that search for evidence, and that show a clause's evidence."""

LONGEST = 120.0
"""In seconds: the time limit for playing all puzzles and games of a module."""


def register(server: EditorServer) -> None:
    """Register the lenses and the search for evidence."""

    @server.request(types.TEXT_DOCUMENT_CODE_LENS, [])
    def code_lenses(ls: EditorServer, at: Located, params: types.CodeLensParams) -> list[types.CodeLens]:
        from rulewright.editor.features.puzzle_positions import lenses

        uri = params.text_document.uri
        offers = [
            types.CodeLens(at.places.range(lens.span), types.Command(lens.title, PREFIX + lens.offer.value, arguments=[uri]))
            for lens in lenses(at.workspace, at.path)
        ]
        return [*offers, *_of_clauses(ls, at, uri)]

    @server.command(TRACE)
    async def trace(ls: EditorServer, uri: str) -> str | None:
        """Find the puzzles and games that exercise each clause; the lenses show them until a text changes."""
        at = ls.located_at(uri)
        if at is None or at.path.suffix != ".rules":
            return "this is not a module"
        closure = at.workspace.closure((at.path,))
        job = job_of(at.workspace, at.path)
        asked = ask_once("rulewright.editor.features.clause_evidence", job, LONGEST)
        try:
            found = await with_progress(ls, f"playing the puzzles of {at.path.stem}", lambda _: asked)
        except Refused as refused:
            return ls.say(refused.text)
        if found is None:
            return None
        ls.evidence[at.path] = closure, tuple(_clause(at.path, one) for one in found["clauses"])
        ls.refresh_lenses()
        return ""

    @server.command(SEEN)
    def seen(ls: EditorServer, text: str) -> str:
        return ls.say(text)


def _of_clauses(ls: EditorServer, at: Located, uri: str) -> Iterator[types.CodeLens]:
    """A lens on each clause if its evidence is known, else one that offers to search for it."""
    if at.path.suffix != ".rules":
        return
    from rulewright.editor.features.clause_evidence import OFFER

    kept = ls.evidence.get(at.path)
    if kept is None or not kept[0].says_what(at.workspace.closure((at.path,))):
        ls.evidence.pop(at.path, None)
        head = Span(str(at.path), 1, 1, 1, 2)
        yield types.CodeLens(at.places.range(head), types.Command(OFFER, TRACE, arguments=[uri]))
        return
    for clause in kept[1]:
        yield types.CodeLens(at.places.range(clause.span), types.Command(clause.title, SEEN, arguments=[clause.text]))


def _clause(path: Path, said: dict[str, object]) -> ClauseEvidence:
    from rulewright.editor.features.clause_evidence import ClauseEvidence

    place = said["span"]
    assert isinstance(place, dict)
    return ClauseEvidence(Span(**place), str(said["name"]), str(said["cite"]), tuple(said["shown_by"]))  # type: ignore[arg-type]
