"""The puzzles that ship for this game: well told, playable as they say, proved; between them everything is done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.grammar.formatter import format_text
from rulewright.grammar.tree.puzzles import Goal, PlanLine, Verdict
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.solver.answer import portfolio
from rulewright.solver.result import Limits
from rulewright.studies.verdicts import check_verdicts
from rulewright.studies.verified_plan import proved_answer
from tests.games.penguin_pirates.sailing import get

CATALOGUE = Catalogue(Project(SHIPPED))
ENTRIES = [entry for entry in CATALOGUE.puzzles if entry.path.parent.name == "penguin_pirates"]
NAMES = [entry.name for entry in ENTRIES]
QUICK = {"last_reach"}
"""What a loaded machine proves in a moment."""

DONE = {
    *("scout", "drop_anchor", "set_sail", "bail", "go_fishing", "turn_portside", "turn_starboard"),
    *("choose", "stand_in", "survey", "advance"),
}
SPECIAL = {"sextant", "bucket", "fish", "kraken", "whirl_r", "lost_bob", "home"}


def accepted(position: Position) -> list[PlanLine]:
    return [line for line in position.puzzle.plans if line.accepted]


def walked(position: Position) -> tuple[Counter[str], Counter[str]]:
    """The actions of the plan that the puzzle accepts, and the kinds of hexes that the ship enters on it."""
    here, state = position.engine, position.state
    names, actions, hexes = list(here.game.actions), Counter[str](), Counter[str]()
    for line in accepted(position):
        for step in replay(here, state, line.actions):
            before, after = get(here, state, "ship"), get(here, step.state, "ship")
            if before != after:
                hexes[here.game.tiles[get(here, step.state, "sea", after) - 1].name] += 1
            move = next(m for m in here.legal(state) if here.apply(state, m) == step.state)
            actions[names[move[0]]] += 1
            state = step.state
    return actions, hexes


@pytest.mark.parametrize("name", NAMES)
def test_puzzle_is_well_told(name: str) -> None:
    entry = next(entry for entry in ENTRIES if entry.name == name)
    position = CATALOGUE.position(name)
    assert entry.name == entry.path.stem
    assert entry.text.endswith((".", "!", "?")) and entry.answer is not None
    text = Path(entry.path).read_text(encoding="utf-8")
    assert format_text(text, entry.path.name) == text
    check_verdicts(position)


def test_between_them_everything_is_done() -> None:
    actions, hexes = Counter[str](), Counter[str]()
    for name in NAMES:
        done, entered = walked(CATALOGUE.position(name))
        actions, hexes = actions + done, hexes + entered
    assert set(actions) == DONE
    assert set(hexes) >= SPECIAL
    assert len(NAMES) >= 12


@pytest.mark.parametrize("name", NAMES)
def test_the_accepted_plan_comes_to_the_answer(name: str) -> None:
    position = CATALOGUE.position(name)
    ask, answer = position.puzzle.ask, position.puzzle.answer
    assert ask is not None and answer is not None and position.question is not None
    if answer is not Verdict.NO:
        assert len(accepted(position)) == 1
    for line in accepted(position):  # of what cannot be done, it shows only that play goes on
        state = replay(position.asked, position.state, line.actions)[-1].state
        value = sum(position.asked.value(term, state) for term in position.question.values)
        assert (value >= position.question.threshold) == (answer is Verdict.YES) if ask.goal is Goal.REACH else value == answer


def proved(name: str, seconds: float) -> None:
    position = CATALOGUE.position(name)
    assert position.question is not None
    result = portfolio.answer(position.asked, position.state, position.question, Limits(seconds))
    assert proved_answer(result, position.question) == position.puzzle.answer


@pytest.mark.parametrize("name", sorted(QUICK))
def test_answer(name: str) -> None:
    proved(name, 60)


@pytest.mark.campaign
@pytest.mark.parametrize("name", sorted(set(NAMES) - QUICK))
def test_answer_at_length(name: str) -> None:
    proved(name, 300)
