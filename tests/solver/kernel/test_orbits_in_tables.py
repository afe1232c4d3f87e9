"""Tables that know the states of an orbit as one: best scores and best play against plain enumeration."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.solver.versus.kernel_search import KernelSearch
from tests.rules.playing import linked
from tests.solver.asking import at_length
from tests.solver.exhaustive import all_ends
from tests.solver.shortest.questions import asked
from tests.solver.versus.endgames import compare, random_endgames

MOLES = """
module moles:
    "Moles dig where no mole is next to them, and each may move once to the side."

space field: square grid {size} of tiles

tiles animals:
    mole  x{moles}

state:
    moved of field: truth

action dig(m in box, c in field where not occupied(c)):
    require room: (count n in around(c) where occupied(n)) {room}
    effect dig: put m at c

action shift(c in field where occupied(c) and not moved of c, d in directions(field)):
    require free: step(c, d) in field and not occupied(step(c, d)) and {free}
    effect mark: moved of step(c, d) := yes
    effect shift: slide c to step(c, d)

flow:
    repeat:
        turn:
            choose dig, shift

score field: {score}
"""


SCORES = (
    "count c in field where moved of c",
    "count c in field where occupied(c) and moved of c",
    "sum c in field where occupied(c): column(c)",
    "count c in field where occupied(c) and row(c) = column(c)",
)


def moles(rng: random.Random) -> Position:
    """What is dug, and where; some rules tell the cells apart."""
    text = MOLES.format(
        size=rng.choice(("2 x 2", "3 x 2", "3 x 2")),
        moles=rng.randint(2, 3),
        room=rng.choice(("= 0", "< 2")),
        free=rng.choice(("yes", "yes", "d != N", "column(c) = column(step(c, d))")),
        score=rng.choice(SCORES),
    )
    return asked(linked(text.replace(" and yes", "")), rng.choice(("maximise score until end", "minimise score until end")))


def test_best_scores() -> None:
    used = []
    for seed in range(5):
        position = moles(random.Random(seed))
        assert position.question is not None
        ends = all_ends(position.asked, position.root)
        assert ends is not None
        values = [sum(position.asked.value(term, end) for term in position.question.values) for end in ends]
        found = at_length(position).result(True)
        best = min if position.question.goal is Goal.MINIMISE else max
        assert found.score == best(values), seed
        used.append(found.automorphisms)
    assert 0 in used and max(used) >= 3


def test_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orbits from the first state on."""
    monkeypatch.setattr(KernelSearch, "without_orbits", 0)
    games = [game for game in random_endgames(3, 5) if game[0] in ("noughts_and_crosses", "connect_four")]
    assert games
    for name, state, question in games:
        compare(name, state, question)
