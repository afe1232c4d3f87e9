"""Looking all through terms, and through the definitions that they invoke."""

from __future__ import annotations

import time

from rulewright.rules.model import terms
from rulewright.rules.model.traversal import nodes_of, variables_in
from tests.rules.playing import linked

DOUBLING = """
module doubling:
    "Every definition invokes the one before it twice."

players 1

state:
    a: 0..3
    b: 0..3

define d0(n) = n + a

{definitions}

action up:
    require room: a < 3
    effect more: a += 1

flow:
    repeat: choose up, or stop

score worth: b

rank by score + {rank}:
    "few"  ..3
    "many" 4..
"""


def doubling(many: int, rank: str) -> str:
    lines = [f"define d{n}(n) = d{n - 1}(n) + d{n - 1}(n)" for n in range(1, many + 1)]
    return DOUBLING.format(definitions="\n\n".join(lines), rank=rank)


def test_each_definition_is_looked_into_once() -> None:
    game = linked(doubling(60, "2"))
    top = game.definitions["d60"].value
    nodes = list(nodes_of(game.definitions, top))
    assert sum(isinstance(node, terms.Invoke) for node in nodes) == 2 * 60
    assert variables_in(game.definitions, top) == {"a"}
    assert variables_in(game.definitions, top, game.scores[0].value) == {"a", "b"}


def test_definitions_that_double_take_no_time() -> None:
    """A rank is looked all through for what changes in play; written out, this one has 2 to the power of 60 parts."""
    text = doubling(60, "d60(0)").replace("n + a", "n")
    began = time.process_time()
    linked(text)
    assert time.process_time() - began < 5
