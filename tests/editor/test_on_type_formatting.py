"""Formatting while one types: the item above the cursor, nothing else, and only where it can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.editor.features.on_type_formatting import format_above
from rulewright.editor.project.workspace import Workspace
from rulewright.grammar.formatter import format_text
from rulewright.rules.linking.project import SHIPPED

from .client import Editor, in_editor
from .ponds import GAME, PUZZLE, make_project


def after_typing(workspace: Workspace, path: Path, text: str) -> str:
    """A text in which a line ends at `|`, after that line was broken there and formatted."""
    before, _, behind = text.partition("|")
    workspace.open[path] = before + "\n" + behind
    lines = (before + "\n" + behind).split("\n")
    edits = format_above(workspace, path, before.count("\n") + 2)
    for span, new in sorted(edits, key=lambda edit: -edit[0].line):
        assert span.column == span.end_column == 1
        lines[span.line - 1 : span.end_line - 1] = new.split("\n")[:-1]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("typed", "formatted"),
    [
        (
            "define  near( c )=count n in around(c) where occupied(n)|\n",
            "define near(c) = count n in around(c) where occupied(n)\n\n",
        ),
        ("score   total:1+2|\n\ndefine  odd=1\n", "score total: 1 + 2\n\n\ndefine  odd=1\n"),
        (
            "action hop:\n  require  free:yes   # why\n  effect go:hops+=1|\n",
            "action hop:\n    require free: yes  # why\n    effect go: hops += 1\n\n",
        ),
        ("define near(c = count n|\n", "define near(c = count n\n\n"),
        ("action hop:|\n", "action hop:\n\n"),
        ("# a  note|\ndefine  odd=1\n", "# a  note\n\ndefine  odd=1\n"),
    ],
)
def test_the_item_above_is_formatted(tmp_path: Path, typed: str, formatted: str) -> None:
    path = tmp_path / "some.rules"
    found = after_typing(Workspace(tmp_path), path, "module some:\n\nspace a: ring 3\n\n" + typed)
    assert found.removeprefix("module some:\n\nspace a: ring 3\n\n") == formatted


def test_what_is_formatted_stays(tmp_path: Path) -> None:
    """At the end of every line of shipped modules, a new line changes nothing."""
    workspace = Workspace(tmp_path)
    path = tmp_path / "some.rules"
    for file in sorted(SHIPPED.rglob("*.rules"))[::12]:
        lines = format_text(file.read_text("utf-8"), str(file)).split("\n")
        for number in range(1, len(lines) - 1, 4):
            text = "\n".join(lines[:number]) + "|\n" + "\n".join(lines[number:])
            assert after_typing(workspace, path, text) == text.replace("|", "\n"), (file.name, number)


def test_by_the_protocol(tmp_path: Path) -> None:
    game, _, puzzle = make_project(tmp_path)
    loose = GAME.replace("score hops_made: hops\n", "score   hops_made:hops\n\n")

    async def work(editor: Editor) -> None:
        await editor.open(game, loose)
        options = {"ch": "\n", "options": {"tabSize": 4, "insertSpaces": True}}
        (edit,) = await editor.at("onTypeFormatting", game, loose.count("\n") - 1, 0, **options)
        assert edit["newText"] == "score hops_made: hops\n"
        await editor.open(puzzle, PUZZLE + "\n")
        (edit,) = await editor.at("onTypeFormatting", puzzle, PUZZLE.count("\n"), 0, **options)
        assert edit["newText"].split("\n")[1] == "        .     frog  .     ."

    in_editor(tmp_path, work)
