"""Saved games replayed, every choice of them written out: who, the position, what is legal, what is done.

`python -m tests.games.recorded.record` records the games anew, `just snapshots tests/games/recorded` what is seen in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import Ply
from rulewright.puzzles.saved_games import begin_saved_game, parse_saved_game, replay_saved_game, write_saved_game
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from tests.games.beacon_patrol.oracle import base_game as oracle
from tests.games.recorded.view import show

FOLDER = Path(__file__).parent
PLAYS = sorted(FOLDER.glob("*.play"))
FIRST, LAST = 12, 3
"""How many choices are shown of a long game."""


class Pages(SingleFileSnapshotExtension):
    """One page of text for each game."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue(Project(FOLDER))


def replayed(path: Path, catalogue: Catalogue) -> tuple[Engine, State, tuple[Ply, ...]]:
    play = parse_saved_game(path.read_text("utf-8"), path.name)
    engine, state = begin_saved_game(play, catalogue)
    return engine, state, replay_saved_game(play, engine, state)


def pages(engine: Engine, states: Sequence[State], steps: Sequence[Ply]) -> Iterator[str]:
    """A paragraph for each choice; of a long game those of the beginning and the end."""
    skipped = range(FIRST, len(states) - LAST)
    for number, state in enumerate(states):
        if number in skipped:
            if number == FIRST:
                yield f"… {len(skipped)} choices …\n"
            continue
        who = "the game is over" if engine.over(state) else f"player {engine.player(state)}"
        yield "\n".join([f"{number}. {who}, score {engine.score(state)}", *show(engine, state), *legal_lines(engine, state)])
        if number < len(steps):
            yield f"    > {steps[number].text}"
        yield ""


def legal_lines(engine: Engine, state: State) -> Iterator[str]:
    """The legal actions, a line for each kind."""
    texts = [format_move(engine, state, move) for move in engine.legal(state)]
    for _, same in groupby(texts, lambda text: text.rpartition(" ")[0].split(" ")[0]):
        yield f"    - {', '.join(same)}"


@pytest.mark.parametrize("path", PLAYS, ids=lambda path: path.stem)
def test_game(path: Path, catalogue: Catalogue, snapshot: SnapshotAssertion) -> None:
    engine, state, steps = replayed(path, catalogue)
    states = [state, *(step.state for step in steps)]
    assert "\n".join(pages(engine, states, steps)) == snapshot(extension_class=Pages)


@pytest.mark.parametrize("path", PLAYS, ids=lambda path: path.stem)
def test_the_file_is_as_we_write_it(path: Path) -> None:
    text = path.read_text("utf-8")
    assert write_saved_game(parse_saved_game(text, path.name)) == text


@pytest.mark.parametrize("name", ["alone", "two_captains", "three_captains", "four_captains"])
def test_the_judge_agrees(name: str, catalogue: Catalogue) -> None:
    """At every choice the same actions and score; and the game is played to its end."""
    engine, state, steps = replayed(FOLDER / f"{name}.play", catalogue)
    judged = oracle.set_up(engine.instance.players, dealt(engine, state))
    for step in steps:
        assert sorted(format_move(engine, state, move) for move in engine.legal(state)) == oracle.legal(judged)
        judged, state = oracle.successor(judged, step.text), step.state
        assert engine.score(state) == oracle.score(judged)
    assert oracle.over(judged) and engine.over(state)


def dealt(engine: Engine, state: State) -> tuple[str, ...]:
    """The pile before anybody drew from it: hands, first player first, then what is left."""
    hands = [tile for p in range(1, engine.instance.players + 1) for tile in state[engine.layout.position("hand", p)]]
    tiles = (*hands, *state[engine.layout.position("draw", None)])
    return tuple(engine.game.tiles[tile - 1].name for tile in tiles)
