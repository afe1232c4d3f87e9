"""What docs/five_minutes.md tells a newcomer to do, done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from .client import Editor, in_editor
from .ponds import place_of
from .test_requests import applied

TYPED = "\nchange captures:\n    replace value: 2 * size(captred)\n"


def test_what_the_page_says_happens(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rulewright", "new", "mine", "--of", "classics.peg_solitaire"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    rules, puzzle = tmp_path / "mine" / "mine.rules", tmp_path / "mine" / "first.puzzle"
    texts = {path: path.read_text("utf-8") for path in (rules, puzzle)}

    async def type_in(editor: Editor, path: Path, text: str) -> None:
        texts[path] = text
        await editor.change(path, text)

    async def labels_behind(editor: Editor, text: str) -> list[str]:
        await type_in(editor, rules, text)
        found = await editor.at("completion", rules, text.count("\n"), len(text) - text.rfind("\n") - 1)
        return [one["label"] for one in found["items"]]

    async def update_answer(editor: Editor) -> None:
        lenses = {one["command"]["title"]: one["command"] for one in await editor.of("codeLens", puzzle)}
        await editor.request("workspace/executeCommand", lenses["solve and update the answer"])
        edit: dict[str, Any] = editor.notifications[-2]["params"]["edit"]
        await type_in(editor, puzzle, applied(texts[puzzle], edit["changes"][puzzle.as_uri()]))

    async def work(editor: Editor) -> None:
        for path in texts:
            await editor.open(path)
        await update_answer(editor)
        assert texts[puzzle].endswith("    answer: 21\n")
        begun = texts[rules]
        assert "captures" in await labels_behind(editor, begun + "\nchange c")
        assert "value" in await labels_behind(editor, begun + "\nchange captures:\n    replace v")
        await type_in(editor, rules, begun + TYPED)
        line, character = place_of(texts[rules], "captred")
        place = {"line": line, "character": character}
        # Asked at once: the fixes are those of this text, not of the one before.
        fixes = await editor.of("codeAction", rules, range={"start": place, "end": place}, context={"diagnostics": []})
        assert editor.codes(rules) == ["RW110"]
        (fix,) = [one for one in fixes if one["title"] == "Change to `captured`"]
        await type_in(editor, rules, applied(texts[rules], fix["edit"]["changes"][rules.as_uri()]))
        await editor.idle()
        assert editor.codes(rules) == []
        hover = await editor.at("hover", rules, *place_of(texts[rules], "captures:\n    replace value: 2 * size(captured)\n"))
        assert "classics.jumping" in hover["contents"]["value"]
        assert "# mine:" in hover["contents"]["value"]
        await update_answer(editor)
        assert texts[puzzle].endswith("    answer: 42\n")

    in_editor(tmp_path / "mine", work)
