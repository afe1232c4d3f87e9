"""What the queue of checks does while nothing waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.editor.project.name_index import NameIndex
from rulewright.editor.project.workspace import Workspace
from rulewright.editor.server import check_queue
from rulewright.editor.server.check_queue import CheckQueue
from rulewright.puzzles.catalogue import PUZZLES

from .ponds import make_project


def test_names_are_read_ahead_until_something_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_queue, "REST", 0.0)
    game, _, _ = make_project(tmp_path)
    workspace = Workspace(tmp_path)
    steps = list[int]()

    def ahead() -> Iterator[None]:
        for step in range(9):
            steps.append(step)
            yield

    async def work() -> None:
        queue = CheckQueue(workspace, lambda path, found: None, lambda path, error: None, ahead)
        queue.files_changed()
        await queue.idle()
        while not steps:
            await asyncio.sleep(0)
        queue.text_changed(game)
        await queue.idle()
        assert len(steps) < 9
        while len(steps) < 9:
            await asyncio.sleep(0)
        queue.stop()

    asyncio.run(asyncio.wait_for(work(), 60))


def test_of_a_folder_of_the_library_only_what_is_open_is_checked() -> None:
    path, other, *_ = sorted((PUZZLES.shipped / "classics" / "tiles").glob("*.puzzle"))
    workspace = Workspace(path.parent, open={path: path.read_text("utf-8")})
    assert workspace.is_own(path) and not workspace.is_own(other)

    async def work() -> None:
        queue = CheckQueue(workspace, lambda path, found: None, lambda path, error: None)
        queue.files_changed()
        await queue.idle()
        del workspace.open[path]
        queue.files_changed()
        await queue.idle()
        queue.stop()
        assert list(queue.published) == [path]

    asyncio.run(asyncio.wait_for(work(), 60))


def test_all_modules_are_read_ahead(tmp_path: Path) -> None:
    make_project(tmp_path)
    workspace = Workspace(tmp_path)
    index = NameIndex(workspace)
    ahead = index.read_ahead()
    for _ in range(3):
        next(ahead)
    assert len(index._names) == 3
