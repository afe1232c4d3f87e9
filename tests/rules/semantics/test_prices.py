"""What rules may cost is monotone: a smaller range, set, box or board never costs more."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, pairwise

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.base.diagnostics import RulesError
from rulewright.rules.semantics.cost_analysis import CostAnalysis
from rulewright.rules.semantics.cost_bounds import check_cost
from rulewright.rules.static.borders import sample_instance
from tests.rules.playing import linked

GAME = """module priced:
    "Rules of any size."

space field: square grid {side} x {side} of tiles, 8 neighbours

tiles men:
    stone   x{stones}
    marble  x{marbles}

state:
    n:   0..{most}
    bag: set of tiles

define half(a) = {half}
define near(c in field, a) = those x in around(c) where occupied(x) and {near}

action go(a in {first}, b in {second} where {where}):
    require first: {require}
    require other: {other}
    effect each: for z in {loop}: n := ({effect}) mod 2

flow:
    repeat: choose go, or stop

score points: {score}
"""

Sizes = tuple[int, ...]


class Text:
    """Draws the text of a game with `@` for each size."""

    def __init__(self, data: st.DataObject) -> None:
        self.data, self.names = data, count()

    def one_of(self, *forms: Callable[[], str]) -> str:
        return self.data.draw(st.sampled_from(forms))()

    def bound(self) -> str:
        return f"x{next(self.names)}"

    def number(self, depth: int, names: tuple[str, ...] = ()) -> str:
        if depth == 0:
            return self.data.draw(st.sampled_from(("n", "2", *names)))
        x = self.bound()
        inner = (*names, x)
        return self.one_of(
            lambda: f"(sum {self.number(depth - 1, inner)} for {x} in {self.numbers(depth - 1, names)})",
            lambda: f"(count {x} in {self.numbers(depth - 1, names)} where {self.truth(depth - 1, inner)})",
            lambda: f"(least {self.number(depth - 1, inner)} for {x} in {self.numbers(depth - 1, names)})",
            lambda: f"size({self.numbers(depth - 1, names)})",
            lambda: f"(count {x} in field where at({x}) = stone and {self.truth(depth - 1, names)})",
            lambda: f"size(near((0,0), {self.number(depth - 1, names)}))",
            lambda: f"half({self.number(depth - 1, names)})",
            lambda: f"({self.number(depth - 1, names)} * {self.number(depth - 1, names)} mod 9)",
        )

    def truth(self, depth: int, names: tuple[str, ...] = ()) -> str:
        if depth == 0:
            return f"{self.number(0, names)} > {self.number(0, names)}"
        x = self.bound()
        return self.one_of(
            lambda: f"(every {x} in {self.numbers(depth - 1, names)}: {self.truth(depth - 1, (*names, x))})",
            lambda: f"(some {x} in field where occupied({x}): {self.truth(depth - 1, names)})",
            lambda: f"(some {x} in (field - {{(0,0)}}) where at({x}) in men: {self.truth(depth - 1, names)})",
            lambda: f"{self.number(depth - 1, names)} in ({self.numbers(depth - 1, names)})",
            lambda: f"({self.truth(depth - 1, names)} and {self.truth(depth - 1, names)})",
        )

    def numbers(self, depth: int, names: tuple[str, ...] = ()) -> str:
        """A set of numbers to range over."""
        x = self.bound()
        if depth <= 0:
            return self.data.draw(st.sampled_from(("1..@", "{@}", "0..n")))
        return self.one_of(
            lambda: f"({self.set(depth - 1, names)} or {self.set(depth - 1, names)})",
            lambda: f"({self.set(depth - 1, names)} - {self.set(depth - 1, names)})",
            lambda: f"(if {self.truth(0, names)} then {self.set(depth - 1, names)} else {self.set(depth - 1, names)})",
            lambda: f"(those {self.number(depth - 1, (*names, x))} for {x} in {self.numbers(depth - 1, names)})",
        )

    def set(self, depth: int, names: tuple[str, ...]) -> str:
        """A set of numbers in brackets."""
        x = self.bound()
        return f"(those {x} in {self.numbers(depth, names)} where {self.truth(max(depth, 0), (*names, x))})"

    def form(self) -> str:
        return GAME.format(
            side="@", stones="@", marbles="@", most="@", half="(sum y for y in 1..@) + a", near="(a in {@} or at(x) = stone)",
            first=self.numbers(1), second=self.numbers(1, ("a",)), where=self.truth(1, ("a", "b")),
            require=self.truth(2, ("a", "b")), other=self.truth(2, ("a",)), loop=self.numbers(1, ("a",)),
            effect=self.number(1, ("a", "z")), score=self.number(2),
        ).replace("{{", "{").replace("}}", "}")  # fmt: skip


def filled(form: str, sizes: Sizes) -> str:
    """The text with sizes; a set of that many numbers in braces."""
    first, *others = form.split("@")
    for size, part in zip(sizes, others, strict=True):
        in_braces = first.endswith("{") and part.startswith("}")
        first += (", ".join(map(str, range(size))) if in_braces else str(size)) + part
    return first


def prices(text: str) -> dict[str, int]:
    """What each part of a game may cost."""
    game = linked(text)
    game = evolve(game, limits=evolve(game.limits, steps=10**60, moves=10**60))
    analysis = CostAnalysis(sample_instance(game, 1))
    found = {name: analysis.steps((action,)) for name, action in game.actions.items()}
    found |= {score.name: analysis.term(score.value, {}).steps for score in game.scores}
    return found | {f"moves of {name}": moves for name, moves in analysis.moves.items()}


@settings(max_examples=60)
@given(st.data())
def test_what_is_smaller_never_costs_more(data: st.DataObject) -> None:
    form = Text(data).form()
    pairs = st.tuples(st.integers(1, 12), st.integers(0, 11)).map(lambda pair: (max(1, pair[0] - pair[1]), pair[0]))
    sizes = data.draw(st.lists(pairs, min_size=form.count("@"), max_size=form.count("@")))
    small, large = (prices(filled(form, tuple(pair[at] for pair in sizes))) for at in (0, 1))
    assert {name: price for name, price in small.items() if price > large[name]} == {}


STEPS = """module wandering:
    "A rider goes on in a line."

space field: square grid 8 x 8 of tiles, 8 neighbours
tiles men:
    rider  x16

define free(c in field, way, n) = every m in 1..{most} where m < n: not occupied(step(c, way, m))
define seen(c in field) = some way in directions(field): some n in 1..{most}: free(c, way, n) and occupied(step(c, way, n))

action ride(c in field where occupied(c), way in directions(field), n in 1..{most}):
    require free: free(c, way, n)
    require unseen: not seen(step(c, way, n))
    effect ride: slide c to step(c, way, n)

flow:
    repeat: choose ride, or stop
"""


def test_fewer_steps_of_a_rider_cost_less() -> None:
    """Each range from 1 to 7, as for the men of chess."""
    found = [prices(STEPS.format(most=most))["ride"] for most in range(1, 8)]
    assert found == sorted(set(found))


CHAIN = """module doubling:
    "Each definition calls the one before it twice."

state:
    n: 0..9

define d0(a) = n + a
{chain}
action go:
    effect go: n := d{last}(1) mod 9

flow:
    repeat: choose go, or stop
"""


def chain(length: int) -> str:
    text = "".join(f"define d{n}(a) = (d{n - 1}(a) + d{n - 1}(a + 1)) mod 9\n" for n in range(1, length + 1))
    return CHAIN.format(chain=text, last=length)


def test_a_call_costs_its_definition_each_time_it_runs() -> None:
    costs = [prices(chain(length))["go"] for length in (8, 9, 10)]
    assert all(1.9 < more / less < 2.1 for less, more in pairwise(costs))
    with pytest.raises(RulesError, match="steps"):
        game = linked(chain(30))
        check_cost(sample_instance(game, 1))
