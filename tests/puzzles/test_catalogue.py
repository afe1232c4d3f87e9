"""Puzzles found by name and by path."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles import from_tree
from rulewright.puzzles.catalogue import Catalogue, PuzzleSummary
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Game

HOUSE = "module house:\n    extends beacon_patrol\nchange allowance: tokens[1] = 5\n"
OURS = """\
# Ours.
puzzle ours:
    "By our rules."
    rules beacon_patrol + house   # both
    players 1

    sea:
        hq@1

    tokens 1: 5
    answer: -3
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "ours.puzzle").write_text(OURS, encoding="utf-8")
    (tmp_path / "deep" / "house.rules").write_text(HOUSE, encoding="utf-8")
    return Catalogue(Project(tmp_path))


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The puzzles that are really set up, with a cache of their own."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    found: list[str] = []
    make = from_tree.set_up_position

    def counting(puzzle: Puzzle, game: Game) -> Position:
        found.append(puzzle.name)
        return make(puzzle, game)

    monkeypatch.setattr(from_tree, "set_up_position", counting)
    return found


def test_a_kept_position_is_the_position(set_up: list[str], tmp_path: Path) -> None:
    for name in ("fourth_paw", "overboard", "red_donkey", "pig_turn"):
        project = Project(tmp_path)
        anew = Catalogue(project).position(name)
        again = Catalogue(Project(tmp_path)).position(name)
        assert again == anew and again.engine.legal(again.state) == anew.engine.legal(anew.state)
        assert again.engine.game is not anew.engine.game
        found = Catalogue(project).position(name)
        assert project.roots_of(found.engine.game)  # the game that the project has loaded, not a copy
    assert set_up == ["fourth_paw", "overboard", "red_donkey", "pig_turn"]


def test_what_differs_is_set_up_anew(set_up: list[str], catalogue: Catalogue, tmp_path: Path) -> None:
    def ours() -> Position:
        return Catalogue(Project(tmp_path)).position("ours")

    assert ours() == ours() and len(set_up) == 1
    (tmp_path / "deep" / "house.rules").write_text(HOUSE.replace("= 5", "= 6"))
    (tmp_path / "deep" / "ours.puzzle").write_text(OURS.replace("tokens 1: 5", "tokens 1: 6"))
    assert ours() and len(set_up) == 2
    Catalogue(Project(tmp_path)).position("ours", variant="beacon_patrol.windmills")
    assert len(set_up) == 3
    with pytest.raises(RulesError):  # a fault is told each time
        (tmp_path / "deep" / "ours.puzzle").write_text(OURS.replace("tokens 1: 5", "tokens 1: 99"))
        ours()
    path = tmp_path / "deep" / "ours.puzzle"
    for _ in range(2):  # an edited text is not kept
        texts = Project(tmp_path).texts.over({path: OURS})
        Catalogue(Project.of(texts)).position("ours")
    assert set_up == ["ours"] * 6


def code_of(catalogue: Catalogue, argument: str | Path) -> str:
    with pytest.raises(RulesError) as caught:
        catalogue.texts.find(argument)
    return caught.value.diagnostics[0].code


def test_a_glance_at_every_puzzle(catalogue: Catalogue) -> None:
    summaries = {summary.name: summary for summary in catalogue.puzzles}
    path = catalogue.project.folder / "deep" / "ours.puzzle"
    assert summaries["ours"] == PuzzleSummary("ours", path, "By our rules.", ("beacon_patrol", "house"), False, -3)
    assert summaries["overboard"].answer == 7
    assert list(summaries) == sorted(summaries)


def test_rules_that_go_on_in_the_next_line_and_a_question(catalogue: Catalogue) -> None:
    path = catalogue.project.folder / "long.puzzle"
    path.write_text(
        "puzzle long:\n    rules house +  # ours\n        beacon_patrol\n    ask: maximise score until end\n", "utf-8"
    )
    (found,) = (puzzle for puzzle in catalogue.puzzles if puzzle.name == "long")
    assert (found.rules, found.asks, found.answer) == (("house", "beacon_patrol"), True, None)


def test_a_puzzle_belongs_to_the_most_basic_module_that_puzzles_name(catalogue: Catalogue) -> None:
    folder = catalogue.project.folder
    (folder / "own.rules").write_text("module own.parts:\n", "utf-8")
    (folder / "game.rules").write_text("module own.game:\n    extends own.parts\n", "utf-8")
    (folder / "twist.rules").write_text("module own.twist:\n    extends own.game, own.twist\n", "utf-8")
    (folder / "a.puzzle").write_text("puzzle a:\n    rules own.game\n", "utf-8")
    (folder / "b.puzzle").write_text("puzzle b:\n    rules own.twist\n", "utf-8")
    (folder / "c.puzzle").write_text("puzzle c:\n    rules nobody.knows\n", "utf-8")
    (folder / "d.puzzle").write_text("puzzle d:\n", "utf-8")
    (folder / "base.rules").write_text("module base:\n", "utf-8")
    (folder / "more.rules").write_text("module base.more:\n    extends base\n", "utf-8")
    (folder / "e.puzzle").write_text("puzzle e:\n    rules base.more\n", "utf-8")
    games = {puzzle.name: catalogue.game_of(puzzle.rules) for puzzle in catalogue.puzzles}
    assert {name: games[name] for name in "abcde"} == {
        "a": "own.game",
        "b": "own.game",
        "c": "nobody.knows",
        "d": "",
        "e": "base",
    }
    assert games["ours"] == games["overboard"] == games["ferry_long_haul"] == "beacon_patrol"


def test_by_name_and_by_path(catalogue: Catalogue) -> None:
    path = catalogue.project.folder / "deep" / "ours.puzzle"
    assert catalogue.texts.find("ours") == catalogue.texts.find(path) == catalogue.texts.find("deep/ours.puzzle") == path
    assert catalogue.read("ours").name == "ours"
    assert catalogue.position("ours").engine.game.modules[-1] == "house"
    assert catalogue.position("overboard").puzzle.answer == 7


def test_the_folder_goes_before_what_ships(catalogue: Catalogue) -> None:
    path = catalogue.project.folder / "mine.puzzle"
    path.write_text("puzzle overboard:\n    rules house\n", encoding="utf-8")
    assert catalogue.texts.find("overboard") == path


def test_what_cannot_be_found(catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "other.puzzle"
    outside.write_text("puzzle other:\n    rules house\n", encoding="utf-8")
    (catalogue.project.folder / "twin.puzzle").write_text(OURS, encoding="utf-8")
    assert code_of(catalogue, "our") == "RW346"
    assert code_of(catalogue, "our.puzzle") == "RW346"
    assert code_of(catalogue, "ours") == "RW347"
    assert code_of(catalogue, outside) == "RW348"
