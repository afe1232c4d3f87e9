"""The puzzles that ship: what they accept and refuse, for the reason that is meant, and their answers by plain enumeration."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.formatter import format_text
from rulewright.grammar.tree.puzzles import Verdict
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.position import Position
from rulewright.rules.clauses.citations import read_catalogue
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
HAZARDS = {"dragon", "giant", "terror", "meteor", "sandstorm", "greatclaw"}

CLAUSES = SHIPPED / "castles_by_the_sea" / "clauses" / "castles_by_the_sea.md"
EXAMPLES = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "15"}
"""The rulebook's examples that a position can show. Of 12 to 14 (pieces of a set, chart, games alone), test_worked_examples.py
and test_games.py are about."""

MARK = re.compile(r"^    (accept|refuse|answer): .*?  # (.*)$", re.MULTILINE)
MOST_STATES = 3000


@cache
def position_of(name: str) -> Position:
    return CATALOGUE.position(name)


def words_of(accepted: bool) -> set[str]:
    """The second words of what is placed, flipped or moved in the plans: pieces and hazards."""
    plans = [line for name in ENTRIES for line in CATALOGUE.read(name).plans if line.accepted is accepted]
    return {action.split()[1] for line in plans for action in line.actions if len(action.split()) > 1}


def test_puzzles_are_well_told() -> None:
    assert len(ENTRIES) >= 45
    for entry in ENTRIES.values():
        text = Path(entry.path).read_text(encoding="utf-8")
        assert entry.name == entry.path.stem and entry.text.endswith((".", "?", ")"))
        assert format_text(text, entry.path.name) == text


def marked() -> dict[str, set[str]]:
    """What lines of puzzles are marked with, behind `#`, and what lines these are."""
    found: dict[str, set[str]] = {}
    for entry in ENTRIES.values():
        for kind, marks in MARK.findall(entry.path.read_text(encoding="utf-8")):
            for mark in marks.split(", "):
                found.setdefault(mark, set()).add(kind)
    return found


def test_each_answer_of_the_rulebook_to_a_question_is_shown() -> None:
    """By a plan that is accepted and one that is refused, or by a number where it is about what something is worth."""
    asked = {entry.name for entry in read_catalogue(CLAUSES) if entry.section == "FAQ"}
    assert len(asked) >= 35
    shown = {mark for mark, kinds in marked().items() if "answer" in kinds or kinds == {"accept", "refuse"}}
    assert asked - shown == set()
    assert {mark for mark in marked() if mark.startswith("cs.")} <= {entry.name for entry in read_catalogue(CLAUSES)}


def test_each_worked_example_is_shown() -> None:
    assert {mark.removeprefix("example ") for mark in marked() if mark.startswith("example ")} == EXAMPLES


def test_who_is_on_turn_calls_first() -> None:
    """Two rangers fall in the turn of the second player."""
    position = position_of("two_alarms")
    (line,) = (line for line in position.puzzle.plans if line.accepted)
    assert [ply.player for ply in replay(position.engine, position.state, line.actions)] == [2, 2, 1]


def test_each_piece_and_hazard_is_accepted_and_refused_somewhere() -> None:
    assert words_of(accepted=True) >= PIECES
    assert words_of(accepted=False) >= PIECES
    assert words_of(accepted=True) >= HAZARDS
    assert words_of(accepted=False) >= HAZARDS


CHALLENGES = {
    "to_the_last": [1, 0],
    "keep_away": [1, 0],
    "behind_the_prince": [1, 0],
    "threefold_shadow": [1, 0],
    "two_views": [0, 0],
    "a_quiet_year": [1, 0],
    "under_the_meteor": [1, 0, 0],
    "the_last_grain": [1, 0],
    "without_a_card": [34, 0, 0],
    "the_sixth_card": [4, 0],
    "the_last_weed": [1, 0],
    "the_eighth_board": [1, 0],
    "forgotten": [49, 0, 0],
    "an_archer_alone": [1, 0, 0],
    "only_sand_this_time": [0],
    "four_views": [113, 9],
    "the_first_year": [1198, 92],
    "the_last_year": [8498, 7392],
    "yesterdays_catch": [1],
    "one_bite_before": [0],
}
"""Challenges of the game alone: what each accepted plan comes to."""


def test_a_hunter_shoots_only_the_first_each_way() -> None:
    """Behind the enemy in the south stands another one."""
    position = position_of("three_at_most")
    (end,) = replay(position.engine, position.state, ("place_hunter hunter (1,4,1)",))
    assert position.question is not None
    assert sum(position.engine.value(value, end.state) for value in position.question.values) == 3


PARTS = 8
"""Of puzzles that are tested together: most of the time of each is taken to set it up, and each part is slow enough to wait for
its turn."""


@pytest.mark.parametrize("part", range(PARTS))
def test_a_plan_fulfils_a_challenge_and_another_does_not(part: int) -> None:
    for name in list(CHALLENGES)[part::PARTS]:
        position, found = position_of(name), []
        assert position.question is not None
        for line in position.puzzle.plans:
            if line.accepted:
                *_, last = replay(position.asked, position.state, line.actions)
                found.append(sum(position.asked.value(value, last.state) for value in position.question.values))
        assert found == CHALLENGES[name], name


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_accepted_can_be_played_and_what_is_refused_breaks_a_rule(part: int) -> None:
    """A refused plan is no slip of the pen: every action of it can be read."""
    for name in list(ENTRIES)[part::PARTS]:
        position = position_of(name)
        for line in position.puzzle.plans:
            if line.accepted:
                replay(position.engine, position.state, line.actions)
                continue
            with pytest.raises(RulesError) as caught:
                replay(position.engine, position.state, line.actions)
            assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"RW335"}, (name, line)


ENUMERATED = (
    *("the_tower_stays", "buried_alive", "dig", "never_the_lowest", "claws", "last_cry", "seven_a_turn", "no_way_out"),
    *("before_the_wind", "through_the_tunnel", "plucked_at_both_ends", "two_alarms", "worth_of_a_place", "three_at_most"),
    *("cleared_at_both_ends", "thief_on_the_doorstep", "prisoner_exchange", "first_the_ranger", "the_last_count"),
    *("round_the_corner", "one_flip_of_four", "let_down_your_hair", "look_on_my_works", "happily_ever_after"),
    *("all_at_once", "only_sand", "without_a_card", "the_sixth_card", "the_last_weed", "the_eighth_board"),
    *("forgotten", "the_die_is_cast", "an_archer_alone", "only_sand_this_time", "a_fallen_archer"),
    *("a_fallen_tower", "held_this_time", "sand_of_yesterday", "a_bitten_archer", "a_bitten_tower", "not_high_enough"),
    *("two_are_not_enough", "the_third_time", "four_tunnels_in_a_row", "he_finishes_first", "beside_the_bridge"),
    *("beside_the_water", "an_old_corner", "the_third_in_ambush", "the_third_card"),
    *("the_shield_is_lowered", "sand_without_a_shield", "an_alarm_after_the_giant", "the_alarm_is_not_lost"),
    *("beside_last_years_monument", "beside_last_years_aqueduct", "not_in_two_rounds", "one_in_the_other_lane"),
    *("an_arch_at_the_tower", "a_bridge_to_the_tower", "no_arch_at_a_ruined_tower"),
    *("three_new_alerts", "two_flights_in_one_turn", "back_on_its_card"),
)


@pytest.mark.parametrize("part", range(PARTS))
def test_answers_are_those_of_enumeration(part: int) -> None:
    for name in ENUMERATED[part::PARTS]:
        position = position_of(name)
        question, answer = position.question, position.puzzle.answer
        assert question is not None and answer is not None
        here = position.engine.with_horizon(question.horizon)
        expected = int(answer is Verdict.YES) if isinstance(answer, Verdict) else answer
        assert best_value(here, position.state, question, MOST_STATES) == expected, name
