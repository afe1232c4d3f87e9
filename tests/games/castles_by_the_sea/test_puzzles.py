"""The puzzles that ship: what they accept and refuse, for the reason that is meant, and their answers by plain enumeration."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.formatter import format_text
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import SHIPPED, Project
from tests.solver.exhaustive import best_value

CATALOGUE = Catalogue(Project(SHIPPED))
ENTRIES = {entry.name: entry for entry in CATALOGUE.puzzles if entry.path.parent.name == "castles_by_the_sea"}
PIECES = {
    *("arch", "monument", "tower", "outpost", "door", "window", "aqueduct", "bridge", "watchtower", "keep", "tunnel", "prison"),
    *(
        "princess",
        "wizard",
        "witch",
        "sorceress",
        "archer",
        "thief",
        "ranger",
        "hunter",
        "guard",
        "duelist",
        "captain",
        "prince",
    ),
}
PLACED_IN_GAMES = {"witch", "ranger"}
"""What the puzzles only refuse to place: they begin with it on the beach."""

HAZARDS = {"dragon", "giant", "terror", "sandstorm", "greatclaw"}
MOST_STATES = 3000


@pytest.fixture(scope="module")
def positions() -> dict[str, Position]:
    return {name: CATALOGUE.position(name) for name in ENTRIES}


def words_of(positions: dict[str, Position], accepted: bool) -> set[str]:
    """The second words of what is placed, flipped or moved in the plans: pieces and hazards."""
    plans = [line for position in positions.values() for line in position.puzzle.plans if line.accepted is accepted]
    return {action.split()[1] for line in plans for action in line.actions if len(action.split()) > 1}


def test_puzzles_are_well_told(positions: dict[str, Position]) -> None:
    assert len(positions) >= 25
    for entry in ENTRIES.values():
        text = Path(entry.path).read_text(encoding="utf-8")
        assert entry.name == entry.path.stem and entry.text.endswith((".", "?", ")"))
        assert format_text(text, entry.path.name) == text


def test_each_piece_and_hazard_is_accepted_and_refused_somewhere(positions: dict[str, Position]) -> None:
    assert words_of(positions, accepted=True) >= PIECES - PLACED_IN_GAMES
    assert words_of(positions, accepted=False) >= PIECES
    assert words_of(positions, accepted=True) >= HAZARDS


def test_what_is_accepted_can_be_played_and_what_is_refused_breaks_a_rule(positions: dict[str, Position]) -> None:
    """A refused plan is no slip of the pen: every action of it can be read."""
    for name, position in positions.items():
        for line in position.puzzle.plans:
            if line.accepted:
                replay(position.engine, position.state, line.actions)
                continue
            with pytest.raises(RulesError) as caught:
                replay(position.engine, position.state, line.actions)
            assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"RW335"}, (name, line)


@pytest.mark.parametrize(
    "name", ["the_tower_stays", "buried_alive", "dig", "never_the_lowest", "claws", "last_cry", "seven_a_turn"]
)
def test_answers_are_those_of_enumeration(name: str, positions: dict[str, Position]) -> None:
    position = positions[name]
    question = position.question
    assert question is not None and position.puzzle.answer is not None
    here = position.engine.with_horizon(question.horizon)
    assert best_value(here, position.state, question, MOST_STATES) == position.puzzle.answer
