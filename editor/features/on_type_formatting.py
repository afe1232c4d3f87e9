"""Formats the item being edited when one of its lines is finished."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.spans import Span
from rulewright.editor.project.workspace import PUZZLE, Workspace
from rulewright.grammar.formatter import FormattingError, format_text

HEAD = "module scratch:\n\n"
"""The header above an item that is formatted by itself."""


def format_above(workspace: Workspace, path: Path, line: int) -> list[tuple[Span, str]]:
    """The edits that format the item above a newly started line; nothing from that line on changes.

    Empty if the item cannot be read yet, since its layout is then unknown.
    """
    lines = workspace.text(path).split("\n")
    if not 1 < line <= len(lines) or lines[line - 1].strip():
        return []
    first, last = _item_around(lines, line)
    head = "" if path.suffix == PUZZLE or lines[first - 1].startswith("module ") else HEAD
    rows = lines[first - 1 : line - 1] + lines[line:last]
    while rows[1:] and (rows[-1].startswith("#") or not rows[-1].strip()):
        rows.pop()  # comments above the next item
    text = "\n".join(rows)
    try:
        formatted = format_text(f"{head}{text}\n", str(path), workspace.limits)
    except (RulesError, FormattingError):
        return []
    before, after = text.split("\n"), formatted.removeprefix(head).rstrip("\n").split("\n")
    finished = line - first
    edits = []
    for kind, begin, end, new_begin, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal" and end <= finished:
            place = Span(str(path), first + begin, 1, first + end, 1)
            edits.append((place, "".join(f"{row}\n" for row in after[new_begin:new_end])))
    return edits


def _item_around(lines: list[str], line: int) -> tuple[int, int]:
    """The first and last line of the unindented item around a line, with its block."""
    first = line - 1
    while first > 1 and not _begins(lines[first - 1]):
        first -= 1
    last = line
    while last < len(lines) and not _begins(lines[last]):
        last += 1
    return first, last


def _begins(line: str) -> bool:
    return bool(line) and not line[0].isspace() and line[0] != "#"
