"""What no model reads is refused where the rules have it: over shipped puzzles that ask something of players together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.base.spans import NO_SPAN
from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.model import abstract_graph
from rulewright.solver.cpsat.process import worker
from rulewright.solver.cpsat.process.job import Job, ModelKind
from rulewright.solver.cpsat.process.model_choice import ruled_out
from rulewright.solver.cpsat.process.worker import listed, model_of

CATALOGUE = Catalogue(Project(SHIPPED))


def by_rules() -> dict[tuple[str, ...], list[Path]]:
    """The puzzles by the modules of their rules."""
    found: dict[tuple[str, ...], list[Path]] = {}
    for summary in CATALOGUE.puzzles:
        if summary.asks:
            found.setdefault(summary.rules, []).append(summary.path)
    return found


def has_places(path: Path) -> None:
    position = CATALOGUE.position(path)
    question = position.question
    assert question is not None
    if question.is_against or question.in_expectation:
        return
    refused = ruled_out(position.asked, position.root, question)
    for kind, ending in refused.items():
        assert re.search(r"line \d+ of \w+\.(rules|puzzle)$", ending.message), (path.stem, kind, ending.message)
    for kind in set(ModelKind) - set(refused):
        floor = -3 if kind is ModelKind.SHORTEST else None
        job = Job(kind, position.asked, position.root, question, 1.0, floor=floor, most_variables=2_000)
        try:
            listed(job) if kind is ModelKind.STATES else model_of(job)
        except Refused as error:
            assert error.refusal.span != NO_SPAN and Path(error.refusal.span.source).exists(), (path.stem, kind, error)


@pytest.fixture(autouse=True)
def few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models are not built to the end: a few states and variables are enough to come upon most of what is refused."""
    monkeypatch.setattr(abstract_graph, "MOST_NODES", 20)
    monkeypatch.setattr(abstract_graph, "MOST_EDGES", 100)
    monkeypatch.setattr(worker, "MOST_STATES", 20)


def test_every_refusal_has_a_place() -> None:
    """Of the rules that are quick to link and to explore, one puzzle each."""
    for rules, (first, *_) in by_rules().items():
        if rules[0].startswith("classics."):
            has_places(first)


@pytest.mark.campaign
@pytest.mark.parametrize("rules", list(by_rules()), ids=" ".join)
def test_every_refusal_has_a_place_in_any_puzzle(rules: tuple[str, ...]) -> None:
    for path in by_rules()[rules]:
        has_places(path)
