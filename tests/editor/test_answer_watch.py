"""Answers that no longer hold are said without being asked for, and never of a text that is gone."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from .client import Editor, in_editor
from .ponds import GAME, PUZZLE, make_project


async def settled(editor: Editor) -> None:
    await editor.request("rulewright/settled", {})


def test_an_answer_that_a_rule_changes_is_said_until_it_is_right_again(tmp_path: Path) -> None:
    game, _, puzzle = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.open(puzzle)
        await editor.open(game)
        await settled(editor)
        assert editor.codes(puzzle) == []
        await editor.change(game, GAME.replace("far: 2", "far: 5"))
        await settled(editor)
        (wrong,) = editor.diagnostics[puzzle]
        assert wrong["code"] == "answer"
        assert wrong["message"].startswith("the proved answer is 5, not 2")
        assert wrong["range"]["start"] == {"line": 12, "character": 4}
        # What was said is taken back at once, before anything is searched for.
        await editor.change(game, GAME)
        await editor.idle()
        assert editor.codes(puzzle) == []
        await settled(editor)
        assert editor.codes(puzzle) == []
        await editor.change(puzzle, PUZZLE.replace("answer: 2", "answer: 3"))
        await settled(editor)
        assert editor.codes(puzzle) == ["answer"]
        await editor.close(puzzle)
        await settled(editor)

    in_editor(tmp_path, work)


def children(process: int) -> int:
    """The processes that a process started and that run."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            found += int(status.read_text().rpartition(")")[2].split()[1]) == process
        except OSError:
            continue
    return found


def test_a_search_is_given_up_when_a_text_changes_and_blocks_no_request(tmp_path: Path) -> None:
    make_project(tmp_path)
    puzzle = tmp_path / "asked.puzzle"
    (tmp_path / "endless.rules").write_text(ENDLESS, "utf-8")
    puzzle.write_text(ASKED, "utf-8")

    async def work(editor: Editor) -> None:
        await editor.open(puzzle)
        began = time.monotonic()
        while not children(editor.process.pid):
            await asyncio.sleep(0.05)
            assert time.monotonic() - began < 60
        asked = time.monotonic()
        await editor.at("hover", puzzle, 1, 12)
        answered = time.monotonic() - asked
        await editor.change(puzzle, ASKED.replace("    answer: 7\n", ""))
        while children(editor.process.pid):
            await asyncio.sleep(0.05)
            assert time.monotonic() - began < 90
        await settled(editor)
        assert editor.codes(puzzle) == []
        assert answered < 30

    in_editor(tmp_path, work)


ENDLESS = """module endless:

space field: square grid 6 x 6

state:
    level of field: 0..9

action raise(c in field where level of c < 9):
    effect lift: level of c += 1

flow:
    turn:
        repeat: choose raise, or stop

score heights: sum (level of c * level of c + level of c * column(c)) mod 7 for c in field
"""

ASKED = """puzzle asked:
    rules endless

    ask: maximise score until end
    answer: 7
"""


def test_it_can_be_turned_off(tmp_path: Path) -> None:
    _, _, puzzle = make_project(tmp_path)

    async def work() -> None:
        editor = await Editor.start(tmp_path, initializationOptions={"answers": False})
        await editor.open(puzzle, PUZZLE.replace("answer: 2", "answer: 3"))
        await editor.idle()
        await settled(editor)
        assert editor.codes(puzzle) == []
        assert await editor.stop() == 0

    asyncio.run(work())
