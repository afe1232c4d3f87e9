"""Mutation, differences and traces of every construct: on the small modules that are there for one each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.explain import titles
from rulewright.grammar.tree import modules as tree
from rulewright.rules.clauses.clause_diff import Comparison
from rulewright.rules.clauses.mutants import Mutant, mutants
from rulewright.rules.linking.project import Project
from rulewright.studies.clause_traceability import CITES_NOTHING, Trace
from tests.paths import ROOT

FOLDERS = ("tests/cases/good", "tests/rules/modules")

FEW = 6
"""Mutants of a module that are tried in the ordinary suite, spread over it; the campaign tries all."""

RULEBOOK = "module: {name}\n\n### book.first\nsection: First\n\nAs the rulebook has it.\n"


@cache
def project(folder: str) -> Project:
    return Project(ROOT / folder)


def games() -> list[Path]:
    """The modules that are games; the others show how things are written."""
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.rules")):
            with suppress(RulesError):
                project(folder).load(path)
                found.append(path)
    return found


GAMES = games()


def of(path: Path) -> Project:
    return project(path.parent.relative_to(ROOT).as_posix())


def check(path: Path, tried: list[Mutant]) -> None:
    """Each mutant links, and the differences name the item that it changes, or it is refused as any text is."""
    before = of(path).combine(path)
    for mutant in tried:
        try:
            after = of(path).with_modules({path: mutant.module}).combine(path)
            _ = after.linked
        except RulesError as error:
            assert {diagnostic.code for diagnostic in error.diagnostics} <= titles().keys(), mutant.name
            continue
        named = {_item(str(difference.place)) for difference in Comparison.of(before.book, after.book).differences}
        words = named if "vocabulary" in mutant.change else {_item(mutant.clause)}  # which differ word by word
        assert words and words <= named, (mutant.name, named)


def _item(name: str) -> str:
    """The item that a clause belongs to: `worth` of `worth.lamp`, `go(c)`, `action go` and `rank#1` alike."""
    return re.split(r"[.(#\[]", name.rsplit(maxsplit=1)[-1])[0]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_some_mutants(path: Path) -> None:
    found = list(mutants(of(path).parse(path)))
    assert found
    check(path, found[:: -(-len(found) // FEW)])


@pytest.mark.campaign
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_all_mutants(path: Path) -> None:
    check(path, list(mutants(of(path).parse(path))))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_clause_that_could_cite_the_rulebook_is_traced(path: Path, tmp_path: Path) -> None:
    """With a rulebook at hand of which nothing is cited, each clause is named."""
    module = of(path).parse(path)
    name = module.header.name
    for other in path.parent.glob("*.rules"):
        (tmp_path / other.name).write_text(other.read_text("utf-8"), "utf-8")
    (tmp_path / "clauses").mkdir()
    (tmp_path / "clauses" / "book.md").write_text(RULEBOOK.format(name=name), "utf-8")
    trace = Trace(name, Project(tmp_path), [])
    named = {gap.name for gap in trace.gaps if gap.kind == CITES_NOTHING}
    missing = [clause for clause in _could_cite(module) if not any(_item(clause) == _item(place) for place in named)]
    assert missing == []


def _could_cite(module: tree.Module) -> Iterator[str]:
    """The names of the items in which something could cite a clause, and nothing does."""
    for item in module.items:
        cites = [node.cite for node in _nodes(item) if hasattr(node, "cite")]
        is_base = isinstance(item, tree.Action) and item.base
        if cites and not any(cites) and not isinstance(item, tree.Change | tree.State) and not is_base:
            yield next((getattr(item, name) for name in ("name", "label") if hasattr(item, name)), type(item).__name__.lower())


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for attribute in attrs.fields(type(node)):
        value = getattr(node, attribute.name)
        for part in value if isinstance(value, tuple) else (value,):
            if attrs.has(type(part)):
                yield from _nodes(part)
