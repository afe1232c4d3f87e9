"""The pictures of the documentation are those that the program draws now.

Set RULEWRIGHT_RECORD=1 to draw them anew, and look at them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from rulewright.cli.names import named
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.svg import Element, to_text
from rulewright.puzzles.plan_replay import replay
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Status
from tests.docs.pages import DOCS, FILE, blocks
from tests.paths import ROOT


def test_the_first_picture_is_a_solved_puzzle():
    position = named("overboard").position
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(60.0))
    assert result.status is Status.OPTIMAL
    state = position.root
    for move in result.plan:
        state = position.asked.apply(state, move)
    scene = Scene(position.asked, named("overboard").start(None, 0).viewer, "overboard, solved", PictureOptions(40, None))
    compared_with_the_files(
        {
            "overboard.svg": picture(Scene(scene.engine, scene.viewer, "overboard", scene.options, (state,)), position.root),
            "overboard_solved.svg": picture(
                Scene(scene.engine, scene.viewer, scene.title, scene.options, (position.root,)), state
            ),
        }
    )


UNDER_FIVE_TOKENS = (
    *("sail west", "sail west", "sail south", "sail west", "place es_house south", "place nsw_house west"),
    *("place esw_light north", "stop", "place e_village north", "sail south", "place ew west", "stop"),
)
"""One of the best plans for `overboard` under the README's variant."""


def test_the_same_puzzle_under_the_changed_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (block,) = (block for block in blocks(ROOT / "README.md") if block.kind == "rules five_tokens.rules")
    Path("five_tokens.rules").write_text(block.text, "utf-8")
    session = named("overboard", "five_tokens.rules")
    position = session.position
    end = replay(position.asked, position.root, UNDER_FIVE_TOKENS)[-1].state
    assert position.engine.score(end) == 10  # the answer in the README
    options = PictureOptions(40, None)
    scene = Scene(position.asked, session.start(None, 0).viewer, "overboard, five tokens", options, (position.root,))
    compared_with_the_files({"overboard_five_tokens.svg": picture(scene, end)})


def test_a_new_game_has_a_picture_with_and_without_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for block in blocks(DOCS / "pictures.md"):
        if found := FILE.fullmatch(block.kind):
            Path(found["name"]).write_text(block.text, "utf-8")
    drawn = {}
    for variant, name in ("", "garden_plain.svg"), ("terraces_look.rules", "garden.svg"):
        start = named("garden.puzzle", variant).start(None, 0)
        scene = Scene(start.engine, start.viewer, "garden", PictureOptions(40, None))
        drawn[name] = picture(scene, start.state)
    compared_with_the_files(drawn)


def test_the_tutorial_shows_what_it_comes_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    drawn = {}
    for block in blocks(DOCS / "tutorial.md"):
        if found := FILE.fullmatch(block.kind):
            Path(found["name"]).write_text(block.text, "utf-8")
        name = {"puzzle first.puzzle": "first", "puzzle three.puzzle": "three_across"}.get(block.kind)
        if name is not None and f"{name}.svg" not in drawn:
            start = named(name).start(None, 0)
            scene = Scene(start.engine, start.viewer, name, PictureOptions(40, None))
            drawn[f"{name}.svg"] = picture(scene, start.state)
    compared_with_the_files(drawn)
    assert len(drawn) == 2


def compared_with_the_files(drawn: Mapping[str, Element]) -> None:
    for name, element in drawn.items():
        text = to_text(element)
        path = DOCS / "pictures" / name
        if os.environ.get("RULEWRIGHT_RECORD"):
            path.write_text(text, "utf-8")
        assert path.read_text("utf-8") == text, name
