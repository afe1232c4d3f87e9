"""Modules of random changes: in any order they link to the same game, and changes that do not touch commute."""

from __future__ import annotations

from typing import Any

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.base.diagnostics import RulesError, Sink
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree.modules import Module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.merging.merge import merge
from rulewright.rules.merging.rulebook import Rulebook, order
from tests.rules.port import BASE, module

# No two of these touch. Each list is about one clause or another of one item.
APART = {
    "cost": (
        "replace value: n + 1",
        "replace dear: 7 when n > 2",
        "replace dear.whole: 6 when n = 3",
        "dear.half: 1 when n = 4",
        "cheap: 1 when n = 1",
    ),
    "action buy": (
        "drop paid",
        "replace room: fleet < 5",
        "replace pay: purse := 0",
        "replace more: fleet += 1",
        "require odd: n mod 2 = 1",
        "add parameter tip in 0..1",
        "replace parameter n in 1..2",
    ),
    "borrow": ("drop room", "replace pay: purse += 1"),
    "pray": ("drop once", "replace luck: purse += 2", 'notation "hope"'),
    "price": ("coins[1] = 5", "ships[1] = 1", "coins[2] = 4", "add row 3: 1 1"),
    "kinds": ("open x1", "shore x4  land S", "add reef x1  buoy"),
    "open_up": ("drop fill", "replace start: fleet := 2"),
    "tolls": ("replace all.toll: purse := 1",),
    "flow": ("add borrow to day", "drop pray from day", "before day: tolls", "after day: ebb"),
    "wealth": ("replace value: purse",),
    "afloat": ("replace value: fleet >= 1",),
    "half": ("replace value: 1",),
}
# Each of these touches some of those, and some of the others here.
CLASHING = {
    "cost": ("drop dear", "replace value: 2", "drop dear.whole"),
    "action buy": ("replace paid: yes", "drop pay"),
    "flow": ("replace day:\n        choose borrow", "drop ebb"),
    "kinds": ("drop open",),
    "tolls": ("drop all",),
}
ITEMS = ("drop action pray", "drop procedure tolls", "drop partition half\npartition half of c in sea: 0", "players 1..2")

Edit = tuple[str, str]
apart = [(target, edit) for target, edits in APART.items() for edit in edits]
clashing = [(target, edit) for target, edits in CLASHING.items() for edit in edits]


def written(edits: list[Edit], items: tuple[str, ...] = ()) -> str:
    changes = [f"change {target}:\n    {edit}" for target, edit in edits]
    return "\n\n".join([*changes, *items])


@st.composite
def families(draw: st.DrawFn) -> list[Module]:
    """The port and up to five modules, each with a few changes, that extend the port or one before them or several."""
    names = draw(st.permutations(["amber", "brig", "cove", "dune", "eddy"]))[: draw(st.integers(1, 5))]
    modules = [parse_module(BASE, "port")]
    for at, name in enumerate(names):
        above = draw(st.lists(st.sampled_from(["port", *names[:at]]), min_size=1, max_size=3, unique=True))
        edits = draw(st.lists(st.sampled_from(apart + clashing), max_size=4, unique=True))
        items = draw(st.lists(st.sampled_from(ITEMS), max_size=1))
        modules.append(parse_module(module(name, written(edits, tuple(items)), ", ".join(above)), name))
    return modules


def outcome(modules: list[Module], roots: list[str]) -> Any:
    try:
        return link({m.header.name: m for m in modules}, roots)
    except RulesError as error:
        return [(d.code, d.message, d.labels, d.help) for d in error.diagnostics]


@settings(max_examples=150)
@given(families(), st.data())
def test_modules_in_any_order_give_the_same_game(modules: list[Module], data: st.DataObject) -> None:
    """Equal trees, or the same errors at the same places."""
    roots = [m.header.name for m in modules]
    shuffled = data.draw(st.permutations(modules))
    again = data.draw(st.permutations(roots))
    assert outcome(modules, roots) == outcome(shuffled, again)


def merged(texts: list[str]) -> Rulebook:
    sink = Sink()
    modules = [parse_module(text, str(number)) for number, text in enumerate([BASE, *texts])]
    book = merge(order({m.header.name: m for m in modules}, sink), sink)
    sink.stop()
    return book


@settings(max_examples=150)
@given(st.permutations(apart), st.lists(st.integers(0, len(apart)), min_size=3, max_size=3), st.permutations("wxyz"))
def test_changes_that_do_not_touch_commute(edits: list[Edit], cuts: list[int], names: list[str]) -> None:
    """All the changes there are, dealt out to four modules at random: who says what does not matter."""
    first, second, third = sorted(cuts)
    shares = edits[:first], edits[first:second], edits[second:third], edits[third:]
    dealt = merged([module(name, written(share)) for name, share in zip(names, shares, strict=True)])
    assert in_any_order(dealt) == in_any_order(merged([module("one", written(apart))]))


def in_any_order(book: Rulebook) -> Rulebook:
    """Clauses that were added stand in the order of the modules: here, requirements and exceptions are put in another."""
    for name, action in book.actions.items():
        requirements = sorted(action.requirements, key=lambda r: r.label)
        book.actions[name] = attrs.evolve(action, requirements=tuple(requirements))
    for name, definition in book.defines.items():
        book.defines[name] = attrs.evolve(definition, cases=tuple(sorted(definition.cases, key=lambda c: c.label)))
    return book
