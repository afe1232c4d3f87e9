"""What did not change is not done again, and what changed is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.diagnostics import Diagnostic
from rulewright.editor.project.checks import check_file
from rulewright.editor.project.workspace import Workspace

from .ponds import GAME, make_project

HEAD = "define near(c) = count n in around(c) where occupied(n)"


def checked(workspace: Workspace, path: Path) -> tuple[tuple[Diagnostic, ...], int]:
    """What is wrong with a file, and the stages that it took to find that."""
    stages, check = 0, check_file(workspace, path)
    while True:
        try:
            next(check)
        except StopIteration as end:
            return end.value, stages
        stages += 1


def places(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, int, int]]:
    return [(one.code, one.span.line, one.span.column) for one in diagnostics if one.span is not None]


def test_a_comment_has_nothing_linked_or_checked_again(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)
    workspace = Workspace(tmp_path)
    workspace.open[game] = GAME
    before = workspace.link((game,))
    assert [checked(workspace, path)[1] for path in (game, variant, puzzle)] == [2, 2, 3]
    workspace.open[game] = GAME.replace(HEAD, f"{HEAD}   # who is there")
    assert workspace.link((game,)) is before
    assert [checked(workspace, path) for path in (game, variant, puzzle)] == [((), 1)] * 3
    workspace.open[game] = GAME.replace(HEAD, f"\n{HEAD}")
    assert workspace.link((game,)) is not before, "places are others a line further down"
    assert [checked(workspace, path)[1] for path in (game, variant, puzzle)] == [2, 2, 3]


@pytest.mark.parametrize(
    "wrong", ["define far(c) = naer(c)", "define far(c) = near(c) +", "define far(c) = near(c)  # \t", "drop nobody"]
)
def test_an_error_stands_where_it_is_whatever_was_typed_before(tmp_path: Path, wrong: str) -> None:
    game, *_ = make_project(tmp_path)
    workspace = Workspace(tmp_path)
    texts = [
        GAME,
        f"{GAME}\n{wrong}\n",
        GAME.replace(HEAD, f"{HEAD}  # said") + f"\n{wrong} # said\n",
        f"{GAME}\n {wrong}\n",
        GAME,
    ]
    for text in texts:
        workspace.open[game] = text
        fresh = Workspace(tmp_path)
        fresh.open[game] = text
        found, expected = checked(workspace, game)[0], checked(fresh, game)[0]
        assert (found, places(found)) == (expected, places(expected))
        assert bool(found) == (text != GAME)


def test_a_file_that_comes_has_the_others_checked_again(tmp_path: Path) -> None:
    game, variant, _ = make_project(tmp_path)
    game.unlink()
    workspace = Workspace(tmp_path)
    assert [one.code for one in checked(workspace, variant)[0]] == ["RW100"]
    game.write_text(GAME, "utf-8")
    workspace.files_changed()
    assert checked(workspace, variant)[0] == ()
