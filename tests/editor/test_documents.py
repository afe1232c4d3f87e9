"""Texts in an editor and what is wrong with them, over standard input and output."""

from __future__ import annotations

from pathlib import Path

from .client import Editor, in_editor

GAME = """module ponds:
    "A frog that hops."

space pond: square grid 4 x 4 of tiles

tiles animals:
    frog  x1

state:
    hops: 0..9

action hop(here in pond where occupied(here), there in around(here)):
    require free: not occupied(there)
    effect go: slide here to there
    effect note: hops += 1

procedure set_up:
    sit: put frog at origin of pond from box

flow:
    set_up
    turn:
        choose hop

score hops: hops
"""

VARIANT = """module ponds.twice:
    extends ponds

change hop:
    drop free
"""

PUZZLE = """puzzle one_hop:
    rules ponds

    pond:
        .  .  .  .
        .  frog  .  .
        .  .  .  .
        .  .  .  .

    start: turn of 1
    ask: maximise score until end
    answer: 1
    accept: hop (1,1) (1,2)
"""


def project(folder: Path) -> tuple[Path, Path, Path]:
    files = folder / "ponds.rules", folder / "twice.rules", folder / "one_hop.puzzle"
    for path, text in zip(files, (GAME, VARIANT, PUZZLE), strict=True):
        path.write_text(text, encoding="utf-8")
    return files


def test_errors_come_and_go_as_one_types(tmp_path: Path) -> None:
    game, variant, puzzle = project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.open(game)
        await editor.idle()
        assert {path: editor.codes(path) for path in (game, variant, puzzle)} == {game: [], variant: [], puzzle: []}
        await editor.change(game, GAME.replace("score hops: hops", "score hops: hopps"))
        await editor.idle()
        (error,) = editor.diagnostics[game]
        assert (error["code"], error["severity"], error["source"]) == ("RW110", 1, "rulewright")
        assert error["range"] == {"start": {"line": 24, "character": 12}, "end": {"line": 24, "character": 17}}
        assert "did you mean `hops`?" in error["message"]
        # What depends on the file is checked again, and says where the error is.
        assert editor.codes(variant) == editor.codes(puzzle) == ["RW110"]
        assert "ponds.rules, line 25" in editor.diagnostics[variant][0]["message"]
        await editor.change(game, GAME)
        await editor.idle()
        assert [editor.codes(path) for path in (game, variant, puzzle)] == [[], [], []]

    in_editor(tmp_path, work)


def test_a_line_that_cannot_be_read_does_not_hide_the_rest(tmp_path: Path) -> None:
    game, variant, puzzle = project(tmp_path)
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
    game, _, puzzle = project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.open(game, GAME.replace("frog  x1", "toad  x1"))
        await editor.idle()
        assert editor.codes(game) == ["RW110"]
        await editor.close(game)
        await editor.idle()
        assert editor.codes(game) == editor.codes(puzzle) == []

    in_editor(tmp_path, work)


def test_files_that_come_and_go(tmp_path: Path) -> None:
    game, variant, puzzle = project(tmp_path)

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
    game, _, _ = project(tmp_path)
    text = (
        GAME.replace("= hops", "")
        .replace("score hops: hops", "score hops: hopps  # \U0001f438")
        .replace("require free: not occupied(there)", 'require free: not occupied(there) else "\U0001f438" + 1')
    )

    async def work(editor: Editor) -> None:
        await editor.open(game, text)
        await editor.idle()
        line = text.split("\n")[12]
        start = line.index("+")
        # A frog is one character, and two units of UTF-16.
        assert editor.diagnostics[game][0]["range"]["start"] == {"line": 12, "character": start + 1}

    in_editor(tmp_path, work)
