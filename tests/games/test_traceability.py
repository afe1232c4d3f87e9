"""The rules that ship are complete in `trace`: every clause of their rulebooks, and all at work in puzzles and games."""

from __future__ import annotations

import re
import tomllib

import pytest

from rulewright.puzzles.catalogue import SHIPPED as PUZZLES
from rulewright.puzzles.saved_games import parse_saved_game, write_saved_game
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.studies.clause_traceability import traces
from rulewright.studies.evidence import EvidenceFinder

COMPLETE = ("beacon_patrol", "classics", "house", "penguin_pirates")

MODULES = [name for name in Project(SHIPPED).modules() if name.partition(".")[0] in COMPLETE]

BEHIND = re.compile(r"^module: (.+)$", re.MULTILINE)
"""The modules that an entry of a rulebook, or a whole rulebook, is about."""


def game_of(module: str) -> str:
    """The game of a module: classics have a module each."""
    return module if module.startswith("classics.") else module.partition(".")[0]


MARKS = {
    "penguin_pirates": pytest.mark.nightly,
    "classics.chess": pytest.mark.campaign,
    "classics.xiangqi": pytest.mark.campaign,
    "classics.go": pytest.mark.campaign,  # since go_nine's puzzles are evidence of it, too
    "classics.go_superko": pytest.mark.campaign,
    "classics.go_nine": pytest.mark.campaign,
}
"""Games whose coverage takes a minute or, with `campaign`, so long that a night did not end: chess was not done after an hour.
The reference engine counts coverage, and lists their moves slowly."""

GAMES = [pytest.param(game, marks=MARKS.get(game, ())) for game in sorted(set(map(game_of, MODULES)))]


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wanting_without_a_reason(game: str) -> None:
    finder = EvidenceFinder(Project(SHIPPED))
    found = {trace.module: trace for trace in traces([name for name in MODULES if game_of(name) == game], finder)}
    wanting = {module: [gap.name for gap in trace.unexplained] for module, trace in found.items()}
    assert {module: names for module, names in wanting.items() if names} == {}
    assert {module: trace.outdated for module, trace in found.items() if trace.outdated} == {}
    assert finder.faults == []
    assert {module for module, trace in found.items() if not trace.found} == set()
    books = "\n".join(book.read_text("utf-8") for book in SHIPPED.glob(f"{game}/clauses/*.md"))
    behind = {name.strip() for line in BEHIND.findall(books) for name in line.split(",")}
    assert {module for module, trace in found.items() if trace.rows} == behind


def test_the_games_that_ship_are_written_as_we_write_them() -> None:
    paths = sorted((PUZZLES / "games").glob("*.play"))
    assert len(paths) > 30
    for path in paths:
        text = path.read_text("utf-8")
        assert write_saved_game(parse_saved_game(text, path.name)) == text


def test_known_gaps_are_of_modules_that_there_are() -> None:
    for path in SHIPPED.rglob("gaps.toml"):
        for modules in tomllib.loads(path.read_text("utf-8")).values():
            assert set(modules) <= set(Project(SHIPPED).modules()), path
