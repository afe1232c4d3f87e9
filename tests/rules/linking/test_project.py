"""Modules found by name, in a folder and among those that ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.limits import Limits
from rulewright.base.spans import Span
from rulewright.rules.linking.project import Project

HOUSE = """\
# A house rule.

module house:
    extends beacon_patrol

change allowance: tokens[1] = 5
"""
CALM = "module calm:\n    extends house\n"
GAME = 'module {name}:\n    "{text}"\n\nflow:\n    wait\nprocedure wait:\n    done: end game\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "house.rules").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "deep" / "deeper" / "calm.rules").write_text(CALM, encoding="utf-8")
    return tmp_path


def flaw(project: Project, argument: str | Path | list[str | Path]) -> Diagnostic:
    with pytest.raises(RulesError) as caught:
        project.load(argument)
    (found,) = caught.value.diagnostics
    return found


def test_a_folder_and_what_ships(folder: Path) -> None:
    modules = Project(folder).modules()
    assert modules["house"] == folder / "house.rules"
    assert modules["calm"] == folder / "deep" / "deeper" / "calm.rules"
    assert "beacon_patrol" in modules


def test_names_paths_and_sums_are_loaded(folder: Path) -> None:
    project = Project(folder)
    by_name = project.load("calm")
    assert by_name.modules[-2:] == ("house", "calm")
    assert project.load("house + calm").modules == by_name.modules
    assert project.load(folder / "house.rules").roots == ("house",)
    assert project.load("deep/deeper/calm.rules").roots == ("calm",)
    assert project.load(["house", folder / "deep/deeper/calm.rules"]).roots == ("calm", "house")
    assert project.load("calm") is by_name
    assert dict(by_name.tables["allowance"].columns)["tokens"][0] == 5


def test_a_module_cannot_take_the_name_of_one_that_ships(folder: Path) -> None:
    mine = folder / "mine.rules"
    mine.write_text(GAME.format(name="beacon_patrol", text="Mine."), encoding="utf-8")
    for argument in ("beacon_patrol", "house", mine):
        found = flaw(Project(folder), argument)
        assert (found.code, found.span and found.span.source) == ("RW117", str(mine))
        assert found.help.startswith("rename it, as in `house.beacon_patrol`")


def test_a_copy_of_what_ships_is_no_other_module(folder: Path) -> None:
    [shipped] = Project(folder).found["house.tide"]
    (folder / "tide.rules").write_text(shipped.read_text("utf-8"), encoding="utf-8")
    assert Project(folder).load("house.tide").modules[-1] == "house.tide"


def test_a_file_elsewhere_is_loaded_where_it_is_named(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "windy.rules").write_text("module windy:\n    extends house, breeze\n", encoding="utf-8")
    (elsewhere / "breeze.rules").write_text("module breeze:\n    extends beacon_patrol\n", encoding="utf-8")
    windy = elsewhere / "windy.rules"
    assert flaw(Project(folder), windy).code == "RW108"
    project = Project(folder, named=(windy,))
    assert project.load(windy).modules[-3:] == ("breeze", "house", "windy")
    assert flaw(project, elsewhere / "breeze.rules").code == "RW108"
    assert "windy" not in project.modules()


def test_hidden_folders_and_environments_are_left_out(folder: Path) -> None:
    for name in (".hidden", "__pycache__", "env"):
        (folder / name).mkdir()
        (folder / name / "other.rules").write_text("module other:\n", encoding="utf-8")
    (folder / "env" / "pyvenv.cfg").write_text("", encoding="utf-8")
    assert "other" not in Project(folder).modules()


def test_the_build_of_a_python_project_is_left_out(folder: Path) -> None:
    (folder / "build" / "lib").mkdir(parents=True)
    (folder / "build" / "lib" / "other.rules").write_text("module other:\n", encoding="utf-8")
    assert "other" in Project(folder).modules()
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    assert "other" not in Project(folder).modules()


def test_links_to_elsewhere_are_left_out(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "other.rules"
    outside.write_text("module other:\n", encoding="utf-8")
    (folder / "other.rules").symlink_to(outside)
    project = Project(folder)
    assert "other" not in project.modules()
    assert flaw(project, folder / "other.rules").code == "RW108"
    assert flaw(project, outside).code == "RW108"


@pytest.mark.usefixtures("no_library")
def test_a_missing_module_is_named_with_its_neighbour(folder: Path) -> None:
    found = flaw(Project(folder), "hause")
    assert (found.code, found.help, found.span) == ("RW106", "did you mean `house`?", None)
    assert flaw(Project(folder), "deep/calm.rules").code == "RW106"


@pytest.mark.usefixtures("no_library")
def test_a_missing_file_is_named_with_its_neighbour_which_the_suffix_alone_makes_none(folder: Path) -> None:
    assert flaw(Project(folder), "hause.rules").help == "did you mean `house.rules`?"
    assert flaw(Project(folder), "qqqqqqq.rules").help == ""


@pytest.mark.usefixtures("no_library")
def test_a_missing_module_in_a_text_has_its_place(folder: Path) -> None:
    (folder / "lost.rules").write_text("module lost:\n    extends hause\n", encoding="utf-8")
    found = flaw(Project(folder), "lost")
    assert (found.code, found.help) == ("RW100", "did you mean `house`?")
    assert found.span is not None and (found.span.line, found.span.column) == (2, 13)
    span = Span("here", 3, 4, 3, 9)
    with pytest.raises(RulesError) as caught:
        Project(folder).load_names([("hause", span)])
    assert caught.value.diagnostics[0].code == "RW106" and caught.value.diagnostics[0].span == span


def test_of_two_files_that_beside_the_asker_is_meant(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        text = GAME.format(name="same", text=f"Number {name}.")
        (folder / name / "same.rules").write_text(text, encoding="utf-8")
        (folder / name / "user.rules").write_text(f"module user_{name}:\n    extends same\n", encoding="utf-8")
    project = Project(folder)
    assert flaw(project, "same").code == "RW107"
    assert project.load("user_two").modules == ("same", "user_two")
    assert project.load("one/same.rules").text == "Number one."
    assert project.load_names([("same", Span("", 1, 1, 1, 1))], beside=folder / "two").text == "Number two."


def test_limits(folder: Path) -> None:
    for number in range(20):
        text = f"module m{number}:\n    extends m{number - 1}\n" if number else GAME.format(name="m0", text="The first.")
        (folder / f"m{number}.rules").write_text(text, encoding="utf-8")
    assert flaw(Project(folder), "m19").code == "RW057"
    assert flaw(Project(folder, Limits(files=3)), "m1").code == "RW058"
    assert flaw(Project(folder, Limits(modules=3)), "m9").code == "RW058"
    assert Project(folder, Limits(modules=3)).load("m2").modules == ("m0", "m1", "m2")
    assert flaw(Project(folder, Limits(file_bytes=20)), "m1").code == "RW050"


def test_a_file_that_is_not_utf8_is_refused(folder: Path) -> None:
    (folder / "odd.rules").write_bytes(b'module odd:\n    "\xff\xfe"\n')
    assert flaw(Project(folder), "odd").code == "RW025"
