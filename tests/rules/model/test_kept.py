"""Generated code that is kept: it plays as code generated anew, and is generated anew for anything that it depends on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulewright.api.named import Named
from rulewright.base import cache
from rulewright.base.diagnostics import RulesError
from rulewright.rules.linking.project import Project
from rulewright.rules.machine import from_game as subset
from rulewright.rules.model import kept
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.rules.pycode import from_game as python
from rulewright.solver.kernel.compiled_game import CompiledGame

GAMES = ["classics.connect_four", "classics.othello", "classics.pig", "classics.noughts_and_crosses"]

STEPS = """module steps:
    "steps"

players 1..2
state:
    n: 0..9 = 0
action up:
    effect up: n += 1
score n: n
flow:
    for round in 1..4:
        turn:
            choose up
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is really generated."""
    found: list[object] = []

    def counting(write: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any) -> Any:
            found.append(given[-1])
            return write(*given)

        return counted

    monkeypatch.setattr(python, "write", counting(python.write))
    monkeypatch.setattr(subset, "write_game", counting(subset.write_game))
    return found


def engine(folder: Path, name: str) -> Engine:
    game = Project(folder).load(name)
    return Engine.of(game, game.players.low)


def game_from(engine: Engine, seed: int) -> list[object]:
    """A random game: moves, states and scores."""
    rng, state, told = random.Random(seed), engine.start(seed), []
    for _ in range(30):
        told.append((state, engine.score(state)))
        if not (moves := engine.legal(state)):
            break
        told.append(moves)
        state = engine.apply(state, rng.choice(moves))
    return told


@pytest.mark.parametrize("name", GAMES)
def test_kept_code_plays_as_code_generated_anew(folder: Path, name: str, written: list[object]) -> None:
    engine(folder, name).start(0)  # linked here, read from the cache below: their pickles need not be the same
    first = [game_from(engine(folder, name), seed) for seed in range(3)]
    written.clear()
    assert [game_from(engine(folder, name), seed) for seed in range(3)] == first
    assert not written


GROUPS = ("classics.a", "classics.b", "classics.c", "classics.", "beacon_patrol", "penguin_pirates", "house")


@pytest.mark.parametrize("group", GROUPS)
def test_the_code_of_every_game_can_be_kept(folder: Path, written: list[object], group: str) -> None:
    names = Project(folder).modules()
    of_group = [name for name in names if max((one for one in GROUPS if name.startswith(one)), key=len, default="") == group]
    assert of_group
    for name in of_group:
        try:
            game = Project(folder).load(name)
        except RulesError:  # a part of games
            continue
        written.clear()
        Engine.of(game, game.players.low).compile()
        assert len(written) == 2
        again = engine(folder, name)
        written.clear()
        again.compile()
        assert not written, name


def test_what_code_depends_on_is_generated_anew(folder: Path, written: list[object]) -> None:
    rules = folder / "steps.rules"
    rules.write_text(STEPS)
    for _ in range(3):
        game = Project(folder).load("steps")
        game_from(Engine.of(game, 1), 0)
    known = len(written)
    game_from(Engine.of(Project(folder).load("steps"), 1), 0)
    assert len(written) == known
    game_from(Engine.of(Project(folder).load("steps"), 2), 0)  # other players
    assert len(written) > known
    counted = len(written)
    horizon = Horizon("turn", 2)
    assert len(game_from(Engine.of(Project(folder).load("steps"), 1).with_horizon(horizon), 0)) < 9
    assert len(written) > counted
    counted = len(written)
    rules.write_text(STEPS.replace("+= 1", "+= 2"))
    found = game_from(Engine.of(Project(folder).load("steps"), 1), 0)
    assert len(written) > counted and found[-1][1] == 8  # type: ignore[index]


def test_a_text_that_is_edited_is_not_kept(folder: Path, written: list[object]) -> None:
    (folder / "small.rules").write_text("")
    texts = Project(folder).texts.over(
        {folder / "small.rules": 'module small:\n    "s"\n    extends classics.noughts_and_crosses\n'}
    )
    for _ in range(2):
        game = Project.of(texts).load("small")
        Engine.of(game, game.players.low).compile()
    assert len(written) == 4 and not (folder / "cache" / kept.CODE).exists()


def test_the_subset_source_of_a_position_is_kept(folder: Path, written: list[object]) -> None:
    def text() -> CompiledGame:
        position = Named("red_donkey", folder=folder).position
        return CompiledGame(position.asked, position.root, [], (), ())

    text(), text().text
    anew = text().text
    written.clear()
    again = text().text
    assert not written and (again.text, again.constants, again.width) == (anew.text, anew.constants, anew.width)
    arrangement = text().arrangement
    assert again.tables.fill(arrangement) == anew.tables.fill(arrangement) and again.tables.scratch == anew.tables.scratch


def test_the_same_question_of_two_files_has_the_same_code(folder: Path, written: list[object]) -> None:
    asked = "puzzle {name}:\n{text}    rules classics.hanoi\n\n    ask: fewest moves until {goal}\n"
    for name, text, goal in (("one", "", "solved"), ("two", '    "Two."\n', "solved"), ("other", "", "not solved")):
        (folder / f"{name}.puzzle").write_text(asked.format(name=name, text=text, goal=goal))
    found = []
    for name in ("one", "one", "two", "other"):
        position = Named(name, folder=folder).position
        written.clear()
        assert (question := position.question) is not None and question.until is not None
        assert CompiledGame(position.asked, position.root, [question.until], (), ()).text
        found.append(len(written))
    assert found[1:] == [0, 0, 1]


def test_another_process_finds_what_one_has_kept(folder: Path) -> None:
    """Whatever the order of sets there."""

    def files(seed: int) -> set[str]:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-m", "rulewright", "show", "red_donkey"]
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, timeout=60)
        return {path.name for path in (folder / "cache" / kept.CODE).iterdir()}

    files(1)
    found = files(2)  # reads the game that the first has linked
    assert found and files(3) == files(4) == found


def test_a_key_without_the_horizon_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: as if only the game told its code apart."""
    monkeypatch.setattr(kept, "digest_of", lambda given: cache.digest_of(given[:2] if given[0] == "python" else given))
    found = engine(folder, "classics.noughts_and_crosses")
    with pytest.raises(KeyError):
        found.compile()


def test_what_pickle_cannot_follow_is_made_anew(folder: Path) -> None:
    game, deep = Project(folder).load("classics.noughts_and_crosses"), tuple[object, ...]()
    for _ in range(100_000):
        deep = (deep,)
    for given, found in ((deep, [1, 2]), ("flat", [1, 1])):
        made = iter((1, 2))
        assert [kept.kept_of(game, kept.CODE, partial(tuple, (given,)), partial(next, made)) for _ in range(2)] == found
