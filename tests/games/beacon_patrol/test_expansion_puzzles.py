"""The puzzles of the expansions, the ships and the house rules: proved, found again by looking at everything, and what
each changes.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from attrs import evolve

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.puzzles.catalogue import PuzzleSummary
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.solver.result import Status
from rulewright.studies.verdicts import check_verdicts
from tests.games.beacon_patrol.oracle.ships_positions import best_score
from tests.games.beacon_patrol.oracle.ships_puzzles import parse_puzzle as judged
from tests.games.beacon_patrol.oracle.shores import MODULE_TILES
from tests.puzzles.positions import CATALOGUE, PROJECT, SEA
from tests.rules.playing import linked
from tests.solver.asking import searched
from tests.solver.exhaustive import enumerate_all

ENTRIES = {
    summary.name: summary for summary in CATALOGUE.puzzles if summary.path.parent.name in ("expansions", "ships", "house")
}
MODULES = [name for name in PROJECT.modules() if name.startswith(("house.", f"{SEA}."))]
CARRIES = (f"{SEA}.landmasses", f"{SEA}.tiles", f"{SEA}.ships")
"""Modules that others carry on and nobody plays alone."""

ELSEWHERE = {
    "coast_guard_home_for_a_token": (SEA, 3),
    "construction_round_the_quarters": (SEA, 0),
    "ferry_long_haul": (SEA, 0),
    "hovercraft_over_the_isle": (SEA, 0),
    "pilot_boat_three_from_one_deck": (SEA, 5),
    "research_second_swap": (SEA, 2),
    "submarine_marked_wreck": (SEA, 0),
    "windmills_buoys_all_round": (SEA, 0),
    "windmills_side_by_side": (SEA, 0),
    "piers_where_the_houses_are": (SEA, 1),
    "diagonal_exploring_corners": (SEA, 7),
    "diagonal_sailing_round_the_cape": (SEA, 1),
    "five_tokens_last_mile": (SEA, 0),
    "fog_side_by_side": (SEA, 4),
    "homecoming_last_light": (SEA, 4),
    "leading_lights_in_line": (SEA, 5),
    "longer_keep_for_the_morning": (SEA, 2),
    "rotating_the_right_way_round": (SEA, 0),
    "round_sea_the_other_way": (SEA, 0),
    "storm_along_the_coast": (SEA, 6),
    "tide_against_the_ship": (SEA, 3),
    "towing_a_tired_captain": (SEA, 3),
}
"""The same position by other rules, with what is best there; tiles that they do not have stay in the box."""

ENGLISH = """module english:
    extends {modules}

drop action jettison

action jettison(tile in hand of player, to in around(ship of player)):
    like sail:
        drop token
        replace pay: move tile to discarded
"""
EDITIONS = {
    "german_discards_for_the_ferry": -20,
    "german_discards_over_land": -20,
    "coast_guard_called_for_a_tile": -20,
    "research_swap_for_a_tile": 3,
    "submarine_order_of_its_own": 4,
}
"""What is best with the discard of the 2023 edition, which is a move of one space. Without a ship that uses tokens for more, or
raises what is discarded, the edition never changes what is best: a discarded tile is one move in either."""


LARGE = ("four_ships_one_coast",)
"""What takes the judge half a minute."""


def text_of(summary: PuzzleSummary) -> str:
    return summary.path.read_text(encoding="utf-8")


ASKING = [one for one in ENTRIES.values() if one.answer is not None and "ask: fewest" not in text_of(one)]
"""Those for the fewest moves are in test_german_discard.py."""


def named(summary: PuzzleSummary) -> str:
    return summary.name


def best(position: Position) -> int | None:
    assert position.question is not None
    result = searched(position.asked, position.state, position.question, seconds=60)
    assert result.status is Status.OPTIMAL
    return result.score


def enumerated(text: str, position: Position) -> int | None:
    """By the judge; what it does not know, house rules and other questions than the score, by every state of the engine."""
    engine, question = position.asked, position.question
    assert question is not None
    scores = tuple(score.value for score in engine.game.scores)
    if question.values == scores and not any(name.startswith("house.") for name, _ in position.puzzle.rules):
        return best_score(judged(text, tuple(kind.name for kind in engine.game.tiles)))
    values = [engine.compile_value(term) for term in question.values]
    return enumerate_all(engine, position.state, lambda state: sum(value(state) for value in values))


def elsewhere(text: str, rules: str) -> str:
    """The puzzle's position under other rules of these seas."""
    game = PROJECT.load(rules)
    unknown = MODULE_TILES.keys() - {kind.name for kind in game.tiles}

    def said(line: str) -> str | None:
        match line.split():
            case ["accept:" | "refuse:" | "positions:", *_]:
                return None
            case ["vessel", *_] if "vessel" not in game.variables:
                return None
            case ["rules", *_]:
                return f"    rules {rules}"
            case ["hand", _, *_] | ["draw:" | "discarded:", *_]:
                zone, _, tiles = line.partition(": ")
                return f"{zone}: " + (", ".join(tile for tile in tiles.split(", ") if tile.split()[0] not in unknown) or "none")
            case ["tokens", player, "5"] if "ferry" not in rules:
                return f"    tokens {player} 4"
        return line

    return "".join(f"{line}\n" for line in map(said, text.splitlines()) if line is not None)


def position_of(text: str) -> Position:
    puzzle = parse_puzzle(text, "here.puzzle")
    return set_up_position(puzzle, PROJECT.load_names(puzzle.rules))


@pytest.mark.parametrize("summary", ENTRIES.values(), ids=named)
def test_puzzle_is_well_told(summary: PuzzleSummary) -> None:
    position = CATALOGUE.position(summary.name)
    assert summary.name == summary.path.stem == position.puzzle.name
    assert summary.text.endswith((".", "!", "?")) and position.puzzle.text == summary.text
    assert print_puzzle(position.puzzle) == text_of(summary)
    check_verdicts(position)


@pytest.mark.parametrize(
    "summary",
    [
        pytest.param(summary, marks=pytest.mark.campaign) if summary.name in LARGE or number % 3 else summary
        for number, summary in enumerate(ASKING)
    ],
    ids=named,
)
def test_answer(summary: PuzzleSummary) -> None:
    """Proved by the search, and the most that anybody finds who looks at everything."""
    position = CATALOGUE.position(summary.name)
    assert best(position) == summary.answer == enumerated(text_of(summary), position)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_the_rules_change(name: str) -> None:
    """The answer by other rules is another one, the points that each captain gives up for a ship left aside."""
    rules, answer = ELSEWHERE[name]
    summary = ENTRIES[name]
    text = elsewhere(text_of(summary), rules)
    other = position_of(text)
    assert best(other) == answer == enumerated(text, other)
    given_up = 10 * other.engine.instance.players if rules == SEA and summary.path.parent.name == "ships" else 0
    assert summary.answer is not None and summary.answer + given_up != answer


@pytest.mark.parametrize("name", EDITIONS)
def test_what_the_edition_changes(name: str) -> None:
    puzzle = parse_puzzle(text_of(ENTRIES[name]), f"{name}.puzzle")
    english = linked(ENGLISH.format(modules=", ".join(module for module, _ in puzzle.rules)))
    other = set_up_position(evolve(puzzle, plans=()), english)
    assert best(other) == EDITIONS[name] != ENTRIES[name].answer


def test_everybody_has_puzzles() -> None:
    """Three of each expansion and ship and one of each house rule; of each, one with another answer without it."""
    proved = Counter(name for summary in ASKING for name in summary.rules)
    telling = {name for puzzle in (*ELSEWHERE, *EDITIONS) for name in ENTRIES[puzzle].rules}
    for module in MODULES:
        if module not in CARRIES:
            assert proved[module] >= (1 if module.startswith("house.") else 3), module
            assert module in telling, module


def test_captains_in_company() -> None:
    """Two of them, in some puzzle of each expansion and ship."""
    together = {name for summary in ASKING if re.search("players 2", text_of(summary)) for name in summary.rules}
    assert {module for module in MODULES if module.startswith(f"{SEA}.") and module not in CARRIES} <= together
