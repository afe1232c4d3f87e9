"""Mutants: each has one fault and a name of its own."""

from __future__ import annotations

import attrs
import pytest

from rulewright.grammar.from_text import parse_module
from rulewright.grammar.to_text import print_module
from rulewright.grammar.tree.modules import Look, Module, Restyle
from rulewright.rules.clauses.mutants import mutants
from rulewright.rules.linking.project import SHIPPED, Project
from tests.rules.port import BASE

TEXT = """\
module small:
    extends port

change cost:
    cheap: 1 when n = 1 and purse < 5

change buy:
    require often: purse >= 3
    drop room

change price: coins[1] = 4

action wait:
    effect rest: if purse > 0: purse -= 1

change flow:
    add wait to day

tiles more:
    pier  x2    land N, buoy
"""


def texts(text: str) -> dict[str, str]:
    return {mutant.name: print_module(mutant.module) for mutant in mutants(parse_module(text, "small"))}


def changed_line(name: str) -> tuple[str, str]:
    """The line that a mutant changes, as it was and as it is; empty where it is gone."""
    before, after = TEXT.splitlines(), texts(TEXT)[name].splitlines()
    printed = print_module(parse_module(TEXT, "small")).splitlines()
    assert len(before) >= len(after)
    old = [line.strip() for line in printed if line not in after]
    new = [line.strip() for line in after if line not in printed]
    return " | ".join(old), " | ".join(new)


def test_names() -> None:
    assert list(texts(TEXT)) == [
        *("cost.cheap: 1 -> 2", "cost.cheap: 1 -> 0", "cost.cheap: `when` negated", "cost.cheap: `=` -> `!=`"),
        *("cost.cheap: 1 -> 2 (2)", "cost.cheap: 1 -> 0 (2)", "cost.cheap: `<` -> `<=`", "cost.cheap: 5 -> 6"),
        *("cost.cheap: 5 -> 4", "cost.cheap: case dropped", "cost: change dropped"),
        *("buy.often: `condition` negated", "buy.often: `>=` -> `>`", "buy.often: 3 -> 4", "buy.often: 3 -> 2"),
        *("buy.often: requirement dropped", "buy.room: `drop room` dropped", "buy: change dropped"),
        *("price.coins[1]: 1 -> 2", "price.coins[1]: 1 -> 0", "price.coins[1]: 4 -> 5", "price.coins[1]: 4 -> 3"),
        *("price.coins[1]: set cell dropped", "price: change dropped"),
        *("wait.rest: `condition` negated", "wait.rest: `>` -> `>=`", "wait.rest: 0 -> 1", "wait.rest: 0 -> -1"),
        *("wait.rest: 1 -> 2", "wait.rest: 1 -> 0", "wait.rest: labelled dropped", "wait.rest: effect dropped"),
        *("wait: action dropped", "flow.day.wait: add choice dropped", "flow: change dropped"),
        *("more.pier: 2 -> 3", "more.pier: 2 -> 1", "more.pier: tile line dropped", "more: tiles dropped"),
    ]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("cost.cheap: 1 -> 0", "cheap: 1 when n = 1 and purse < 5", "cheap: 0 when n = 1 and purse < 5"),
        ("cost.cheap: `<` -> `<=`", "cheap: 1 when n = 1 and purse < 5", "cheap: 1 when n = 1 and purse <= 5"),
        ("buy.often: `condition` negated", "require often: purse >= 3", "require often: not purse >= 3"),
        ("buy.room: `drop room` dropped", "drop room", ""),
        ("price.coins[1]: 4 -> 5", "change price: coins[1] = 4", "change price: coins[1] = 5"),
        ("more.pier: 2 -> 3", "pier  x2    land N, buoy", "pier  x3    land N, buoy"),
    ],
)
def test_one_fault_each(name: str, before: str, after: str) -> None:
    assert changed_line(name) == (before, after)


def test_a_whole_module() -> None:
    found = texts(BASE)
    original = print_module(parse_module(BASE, "port"))
    assert len(found) > 60
    assert original not in found.values()
    assert {"buy.paid: requirement dropped", "invariant afloat: invariant dropped", "rank.Poor: 9 -> 10"} <= set(found)


def test_every_shipped_module_has_mutants_of_different_names() -> None:
    project = Project(SHIPPED)
    for path in project.modules().values():
        module = project.parse(path)
        names = [mutant.name for mutant in mutants(module)]
        assert len(names) == len(set(names))
        assert names or not module.items  # which only puts others together
        assert all(mutant.module != module for mutant in mutants(module))


def looks_of(module: Module) -> list[Look | Restyle]:
    return [item for item in module.items if isinstance(item, Look | Restyle)]


def test_looks_are_not_mutated() -> None:
    """They have no effect on play, so that no puzzle could notice."""
    project, with_looks = Project(SHIPPED), 0
    for path in project.modules().values():
        module = project.parse(path)
        plain = attrs.evolve(module, items=tuple(item for item in module.items if item not in looks_of(module)))
        with_looks += plain != module
        assert all(looks_of(mutant.module) == looks_of(module) for mutant in mutants(module))
        assert [mutant.name for mutant in mutants(module)] == [mutant.name for mutant in mutants(plain)]
    assert with_looks > 20


def test_a_variable_that_lasts_beyond_its_scope() -> None:
    text = "module small:\n    extends port\n\nstate:\n    calm: truth, for this day\n"
    assert texts(text)["calm: `for this day` dropped"] == text.replace(", for this day", "")
