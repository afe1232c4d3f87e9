"""Rulebooks taken apart and put together, written out as one module, compared, and crossed with each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.to_text import print_module
from rulewright.rules.clauses.clause_diff import Comparison
from rulewright.rules.clauses.clause_text import Clause, clauses_of
from rulewright.rules.clauses.decompose import book_of, module_of, parts_of
from rulewright.rules.linking.from_modules import combine, link_book
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.merging.rulebook import Family, Rulebook
from tests.rules.merging.test_module_order import Edit, apart, clashing, written
from tests.rules.port import BASE, module

PROJECT = Project(SHIPPED)


def book(*texts: str) -> tuple[Family, Rulebook]:
    modules = [parse_module(text, f"{number}.rules") for number, text in enumerate((BASE, *texts), 1)]
    return combine({m.header.name: m for m in modules})


def more(items: str) -> Rulebook:
    return book(module("more", items))[1]


shipped = pytest.mark.parametrize("name", PROJECT.modules())


@shipped
def test_what_is_taken_apart_is_put_together(name: str) -> None:
    combination = PROJECT.combine(name)
    assert book_of(parts_of(combination.book)) == combination.book


@shipped
def test_what_is_written_as_one_module_says_the_same(name: str) -> None:
    combination = PROJECT.combine(name)
    flat = parse_module(print_module(module_of(combination.book, "flat")), "flat.rules")
    assert combine({"flat": flat})[1] == combination.book


any_edits = st.lists(st.sampled_from(apart + clashing), max_size=5, unique=True)


def edited(edits: list[Edit]) -> Rulebook | None:
    try:
        return more(written(edits))
    except RulesError:
        return None


@settings(max_examples=60)
@given(any_edits)
def test_nothing_differs_from_itself(edits: list[Edit]) -> None:
    if (found := edited(edits)) is not None:
        assert Comparison.of(found, found).differences == ()
        assert book_of(parts_of(found)) == found


@settings(max_examples=60)
@given(any_edits, any_edits)
def test_all_differences_together_lead_from_one_to_the_other(ours: list[Edit], theirs: list[Edit]) -> None:
    one, other = edited(ours), edited(theirs)
    if one is None or other is None:
        return
    comparison = Comparison.of(one, other)
    everything = [difference.place for difference in comparison.differences]
    assert Comparison.of(comparison.between(everything), other).differences == ()
    nothing = Comparison.of(one, comparison.between(())).differences
    assert all(difference.before is None for difference in nothing), "only what nothing speaks of yet"


@settings(max_examples=60)
@given(any_edits)
def test_a_difference_is_what_was_edited(edits: list[Edit]) -> None:
    """Every clause that differs is of an item that was edited, or of one that is like it."""
    if (found := edited(edits)) is not None:
        items = {target.split()[-1] for target, _ in edits} | ({"borrow"} if any("buy" in t for t, _ in edits) else set())
        places = [d.place for d in Comparison.of(more(""), found).differences]
        assert {place.key.name or "flow" for place in places} <= items


def differing(items: str) -> dict[str, tuple[bool, bool]]:
    """What differs by name, and whether it was there before and is there now."""
    found = Comparison.of(more(""), more(items)).differences
    return {str(d.place): (d.before is not None, d.after is not None) for d in found}


ADDED, DROPPED, CHANGED = (False, True), (True, False), (True, True)


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ("change cost:\n    replace value: 1", {"cost.value": CHANGED}),
        ("change cost:\n    replace dear.whole: 9 when n = 3", {"cost.dear.whole": CHANGED}),
        ("change cost:\n    drop dear", {"cost.dear": DROPPED, "cost.dear.whole": DROPPED}),
        ("change cost:\n    dear.half: 1 when n = 3", {"cost.dear.half": ADDED}),
        ("change price: coins[2] = 9", {"price.coins[2]": CHANGED}),
        ("change price:\n    add row 3: 1 1", {"price.coins[3]": ADDED, "price.ships[3]": ADDED}),
        ("change kinds:\n    open x9", {"kinds.open": CHANGED}),
        ("change action pray:\n    drop once", {"pray.once": DROPPED}),
        ("change action pray:\n    add parameter n in 1..2", {"pray(n)": ADDED}),
        ('change action pray:\n    notation "hope"', {"pray notation": ADDED}),
        ("change buy:\n    replace room: yes", {"buy.room": CHANGED, "borrow.room": CHANGED}),
        ("change flow:\n    drop ebb", {"flow": CHANGED}),
        ("change flow:\n    drop buy from day", {"flow.day": CHANGED}),
        ("drop action pray", {"action pray": DROPPED, "pray.once": DROPPED, "pray.luck": DROPPED, "flow.day": CHANGED}),
        ("marker mill", {"marker mill": ADDED}),
        ("state:\n    wind: 0..3", {"state wind": ADDED}),
        ("change wealth:\n    replace value: 3", {"score wealth": CHANGED}),
        ("players 1..1", {"players": CHANGED}),
        ('rank by score:\n    "Poor" 0..9\n    "Rich" 10..20', {"rank#2": CHANGED}),
        ("drop space sea\nspace sea: square grid 4 x 1 of tiles", {"space sea": CHANGED}),
    ],
)
def test_what_differs(items: str, found: dict[str, tuple[bool, bool]]) -> None:
    assert differing(items) == found


def test_effects_in_another_order() -> None:
    swapped = more("change buy:\n    drop pay\n    effect pay: purse -= cost(n)")
    places = [str(d.place) for d in Comparison.of(more(""), swapped).differences]
    assert places == ["buy order", "borrow order"]


def test_steps_are_what_may_matter_by_itself() -> None:
    """A score that uses a new definition: the definition alone changes nothing and is no step of its own."""
    comparison = Comparison.of(
        more(""), more("define luck = 3\nchange wealth:\n    replace value: luck\nchange buy:\n    drop room")
    )
    assert [[str(place) for place in step] for step in comparison.steps()] == [["buy.room", "borrow.room"], ["score wealth"]]


@pytest.mark.parametrize("step", range(2))
def test_a_step_links_by_itself(step: int) -> None:
    family, other = book(module("more", "define luck = 3\nchange wealth:\n    replace value: luck\nchange buy:\n    drop room"))
    comparison = Comparison.of(more(""), other)
    chosen = list(comparison.steps())[step]
    game = link_book(family, comparison.between(chosen), ("port",))
    assert ("buy.room" not in [r.name for r in game.actions["buy"].requirements]) == (step == 0)
    assert game.scores[0].module == ("more" if step else "port")


# Clauses as people read them ------------------------------------------------------------------------------------------


def clauses(items: str = "") -> dict[str, Clause]:
    family, found = book(module("more", items))
    return {clause.name: clause for clause in clauses_of(found, family)}


def test_texts_of_clauses() -> None:
    found = clauses()
    said = {name: found[name].written for name in found}
    assert said["define cost"] == "define cost(n)"
    assert said["cost.value"] == "= n * price.coins(player_count)"
    assert said["cost.dear.whole"] == "whole: 15 when n = 3"
    assert said["buy(n)"] == "parameter n in 1..3"
    assert said["buy.paid"] == 'require paid: purse >= cost(n) else "too dear"'
    assert said["borrow.pay"] == "effect pay: purse := purse"
    assert said["pray.once"] == "once per day"
    assert said["kinds.shore"] == "shore x2 land N"
    assert said["price.coins[2]"] == "coins[2] = 1"
    assert said["state purse"] == "state purse: 0..99 = 10"
    assert said["flow"] == "flow: open_up; repeat: day: ebb"
    assert said["flow.day"] == "day: choose buy, pray, or stop"
    assert said["tolls.all"] == "all: for n in 1..2: toll: purse := max(0, purse - 1)"
    assert said["rank#2"] == '"Rich" 10..'
    assert said["space sea"] == "space sea: square grid 3 x 1 of tiles"
    assert said["partition half"] == "partition half of c in sea: column(c) div 2"


def test_who_had_the_last_word() -> None:
    found = clauses(
        "change cost:\n    replace dear.whole: 9 when n = 3\nchange price: coins[2] = 9\nchange flow:\n    add borrow to day"
    )
    words = {name: (clause.module, clause.span.line) for name, clause in found.items()}
    base = BASE.splitlines()
    assert words["cost.dear.whole"] == ("more", 5)
    assert words["price.coins[2]"] == ("more", 6)
    assert words["flow.day"] == ("more", 8)
    assert words["cost.dear"] == ("port", base.index("    dear: 20 when n > 2:") + 1)
    assert words["price.coins[1]"][0] == "port"
    assert words["flow"][0] == "port"
