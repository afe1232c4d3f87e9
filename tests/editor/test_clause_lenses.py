"""Above each clause of a module stands which puzzles show it, once that was asked for, and until a text changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .client import Editor, in_editor
from .ponds import GAME, PUZZLE, VARIANT, make_project

CITING = GAME.replace('else "there is somebody"', 'else "there is somebody" cite ponds.hop')


def test_clauses_say_what_shows_them(tmp_path: Path) -> None:
    game, _, _ = make_project(tmp_path)
    (tmp_path / "again.puzzle").write_text(PUZZLE.replace("one_hop", "again"), "utf-8")

    async def lenses(editor: Editor, path: Path) -> dict[int, dict[str, Any]]:
        return {one["range"]["start"]["line"] + 1: one["command"] for one in await editor.of("codeLens", path)}

    async def run(editor: Editor, command: dict[str, Any]) -> Any:
        return await editor.request("workspace/executeCommand", command)

    async def work(editor: Editor) -> None:
        await editor.open(game, CITING)
        offered = await lenses(editor, game)
        assert [one["title"] for one in offered.values()] == ["which puzzles show each clause?"]
        assert await run(editor, offered[1]) == ""
        shown = await lenses(editor, game)
        by_line = {CITING.split("\n")[number - 1].strip().split(" ")[0]: one["title"] for number, one in shown.items()}
        assert by_line["effect"] == "exercised by 2 puzzles and games"
        assert by_line["far:"] == "exercised by 2 puzzles and games"
        assert by_line["require"] == "not exercised, cites ponds.hop"
        (far,) = [one for one in shown.values() if one["arguments"][0].startswith("worth.far: ")]
        assert await run(editor, far) == "worth.far: again, one_hop"
        puzzle = tmp_path / "again.puzzle"
        await editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": puzzle.as_uri(), "type": 2}]})
        assert [one["title"] for one in (await lenses(editor, game)).values()] == ["which puzzles show each clause?"]
        assert await run(editor, offered[1]) == ""
        assert len(await lenses(editor, game)) > 1
        await editor.change(game, CITING + "\n# another text\n")
        assert [one["title"] for one in (await lenses(editor, game)).values()] == ["which puzzles show each clause?"]

    in_editor(tmp_path, work)


def test_what_cannot_be_played_says_why(tmp_path: Path) -> None:
    _, variant, _ = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.open(variant, VARIANT.replace("drop free", "drop freed"))
        (offer,) = await editor.of("codeLens", variant)
        said = await editor.request("workspace/executeCommand", offer["command"])
        assert "`freed`" in said
        await editor.open(variant, VARIANT)

    in_editor(tmp_path, work)
