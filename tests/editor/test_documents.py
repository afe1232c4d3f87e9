"""Texts in an editor and what is wrong with them, over standard input and output."""

from __future__ import annotations

from pathlib import Path

from .client import Editor, in_editor
from .ponds import GAME, make_project, place_of


def test_errors_come_and_go_as_one_types(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.open(game)
        await editor.idle()
        assert {path: editor.codes(path) for path in (game, variant, puzzle)} == {game: [], variant: [], puzzle: []}
        await editor.change(game, GAME.replace("score hops_made: hops", "score hops_made: hopps"))
        await editor.idle()
        (error,) = editor.diagnostics[game]
        assert (error["code"], error["severity"], error["source"]) == ("RW110", 1, "rulewright")
        assert error["range"] == {"start": {"line": 32, "character": 17}, "end": {"line": 32, "character": 22}}
        assert "did you mean `hops`?" in error["message"]
        # What depends on the file is checked again, and says where the error is.
        assert editor.codes(variant) == editor.codes(puzzle) == ["RW110"]
        assert "ponds.rules, line 33" in editor.diagnostics[variant][0]["message"]
        await editor.change(game, GAME)
        await editor.idle()
        assert [editor.codes(path) for path in (game, variant, puzzle)] == [[], [], []]

    in_editor(tmp_path, work)


def test_a_line_that_cannot_be_read_does_not_hide_the_rest(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)
    damaged = GAME.replace("hops: 0..9", "hops: 0..").replace("not occupied(there)", "not ocupied(there)")

    async def work(editor: Editor) -> None:
        await editor.open(game, damaged)
        await editor.idle()
        # That nothing is called `hops` follows from the line that cannot be read, and is not said.
        assert editor.codes(game) == ["RW012", "RW111"]
        # One file drops the clause with the other error, the other is played by it.
        assert editor.codes(variant) == []
        assert editor.codes(puzzle) == ["RW111"]

    in_editor(tmp_path, work)


def test_a_text_that_is_closed_is_again_what_the_disk_has(tmp_path: Path) -> None:
    game, _, puzzle = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.open(game, GAME.replace("frog  x1", "toad  x1"))
        await editor.idle()
        assert editor.codes(game) == ["RW110"]
        await editor.close(game)
        await editor.idle()
        assert editor.codes(game) == editor.codes(puzzle) == []

    in_editor(tmp_path, work)


def test_files_that_come_and_go(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.idle()
        game.unlink()
        await editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": game.as_uri(), "type": 3}]})
        await editor.idle()
        assert editor.codes(variant) == ["RW100"]
        assert editor.codes(puzzle) == ["RW106"]
        game.write_text(GAME, encoding="utf-8")
        await editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": game.as_uri(), "type": 1}]})
        await editor.idle()
        assert editor.codes(variant) == editor.codes(puzzle) == []

    in_editor(tmp_path, work)


def test_columns_are_those_of_the_editor(tmp_path: Path) -> None:
    game, _, _ = make_project(tmp_path)
    text = GAME.replace('"there is somebody"', '"\U0001f438" + 1')

    async def work(editor: Editor) -> None:
        await editor.open(game, text)
        await editor.idle()
        line, character = place_of(text, "+ 1")
        # A frog is one character, and two units of UTF-16.
        assert editor.diagnostics[game][0]["range"]["start"] == {"line": line, "character": character + 1}

    in_editor(tmp_path, work)
