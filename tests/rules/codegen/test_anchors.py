"""Marked cells and parameters near them: in large spaces loops search only these, in order, and all readings agree."""

from __future__ import annotations

import random
from functools import cache

import pytest

from rulewright.rules.codegen.anchors import Anchor, anchor_of
from rulewright.rules.machine.runtime import WORD, count_marked, next_marked, words_of
from rulewright.rules.model import terms
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.cell_test import marks_sought
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked, lively, play_in_step

STRAND = """
module strand:
    "Sand is heaped beside what was heaped last, flags are set on it, a dog is led about."

space shore: cube grid 5 x 5 x 3 of tiles
tiles heaps:
    sand  x40
pieces flags in shore, turned:
    pole   x3
    fence  x2   post post
state:
    bag:   set of tiles
    mast:  set of tiles
    torn:  set of tiles
    fresh: set of cells of shore
    dog:   cell of shore
    last:  cell of shore
    ways:  0..99

partition half of c in shore: column(c) div 3

define below(c in shore) = step(c, D)
define pole_there(c in shore) = covered(c) and kind(piece_at(flags, c)) = pole
define near_fresh(c in shore) = some n in around(c): n in fresh

action heap(to in shore where not occupied(to) and not covered(to)):
    require there: sand in bag
    require joined: empty(fresh) or near_fresh(to)
    require stands: level(to) = 0 or occupied(below(to))
    effect heap: put sand at to from bag
    effect fresh: add to to fresh
    effect last: last := to
action fly(to in places(flags, pole)):
    require fresh: below(cell(to)) in fresh
    require there: pole in mast
    require room: not occupied(cell(to)) and not covered(cell(to))
    require alone: not some n in part(half, cell(to)): pole_there(n)
    effect fly: put pole at to from mast
action fence(to in places(flags, fence), way in directions(shore)):
    require fresh: some turns in 1..3: step(cell(to), turn(way, turns)) in fresh or step(cell(to), U, -1) in fresh
    require there: fence in mast
    require room: every c in cells(to): not occupied(c) and not covered(c)
    effect fence: put fence at to from mast
    effect way: ways += 1
action tear(c in shore where pole_there(c)):
    effect tear: take piece_at(flags, c) to torn
action lead(to in shore):
    require near: to in fresh or to = last
    effect lead: dog := to
action dig(c in fresh):
    effect dig: remove c from fresh
action leave:
    effect leave: clear fresh

procedure set_up:
    flags: for i in 1..3: move pole to mast from box
    walls: for i in 1..2: move fence to mast from box
    sand:  move all box to bag
    none:  last := step((0,0,0), N)

flow:
    set_up
    repeat until ways > 6: choose heap, fly, fence, tear, lead, dig, leave, or stop

score marks: size(fresh) * 100 + count p in pieces(flags)
score first: if empty(fresh) then 0 else column(least c in fresh by distance(c, last))
score parts: count c in part(half, (0,0,0)) where c in fresh
"""


@cache
def strand() -> Engine:
    return Engine.of(linked(STRAND), 1)


def anchor(name: str, place: int = 0) -> Anchor | None:
    engine = strand()
    action = engine.game.actions[name]
    return anchor_of(engine.instance, action, action.parameters[place])


def cell(*coordinate: int) -> int:
    return strand().instance.windows["shore"].cell(coordinate)


def near(anchor: Anchor, *coordinate: int) -> set[tuple[int, ...]]:
    """Where pieces that a cell allows have their first cells; or the cells that it allows."""
    shore, places = strand().instance.windows["shore"], strand().game.patterns["flags"].places
    allowed = (anchor.values[number] for number in anchor.near(cell(*coordinate)))
    return {shore.coordinates[at if isinstance(anchor.values, range) else places[at].cell] for at in allowed}


def test_a_figure_is_asked_to_stand_on_a_set() -> None:
    found = anchor("fly")
    assert found is not None and found.variable == "fresh" and not found.otherwise
    assert near(found, 2, 3, 0) == {(2, 3, 1)}
    assert near(found, 2, 3, 2) == set()


def test_an_empty_set_allows_all() -> None:
    found = anchor("heap")
    assert found is not None and len(found.otherwise) == 1
    assert near(found, 0, 0, 0) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_directions_of_another_parameter_are_all_taken_together() -> None:
    found = anchor("fence")
    assert found is not None
    beside_or_above = {(1, 2, 0), (3, 2, 0), (2, 1, 0), (2, 3, 0), (2, 2, 1)}
    assert beside_or_above - {(4, 2, 0)} <= near(found, 2, 2, 0)


@pytest.mark.parametrize("name", ["tear", "lead", "dig"])
def test_what_is_asked_of_no_set_or_of_a_cell_besides_has_no_anchor(name: str) -> None:
    assert anchor(name) is None


def bounds() -> dict[str, terms.Binder]:
    """Bounds over cells, by what they are said of."""
    game = strand().game
    nodes = nodes_of(game.definitions, list(game.actions.values()), [score.value for score in game.scores])
    return {node.name: node for node in nodes if isinstance(node, terms.Binder) and node.where is not None}


def test_what_alone_can_pass_a_test() -> None:
    found = {name: marks_sought(strand().instance, binder) for name, binder in bounds().items()}
    assert found["an element"] == "fresh"
    assert found["cell of pieces"] == "flags_lie"
    tear = strand().game.actions["tear"].parameters[0]
    assert marks_sought(strand().instance, terms.Binder("c", tear.domain, tear.where, tear.type)) == "flags_lie"
    heap = strand().game.actions["heap"].parameters[0]
    assert marks_sought(strand().instance, terms.Binder("to", heap.domain, heap.where, heap.type)) is None


def test_both_readings_of_engines_agree() -> None:
    states = sum(1 for seed in (1, 4) for _ in play_in_step(strand(), seed, lively, 9))
    assert states > 11


def test_machine_code_agrees() -> None:
    agreement = Agreement(strand(), compiled=True)
    assert {name for name, place in agreement.slots.places.items() if place.marks} == {"fresh", "flags_lie"}
    for seed in range(12):
        agreement.game_of(seed, 40)
    assert agreement.moves > 300 and agreement.faults == 0


@pytest.mark.parametrize("size", [1, WORD - 1, WORD, WORD + 1, 3 * WORD])
def test_marked_cells_are_found_one_after_the_other(size: int) -> None:
    dice = random.Random(size)
    for _ in range(50):
        cells = sorted(dice.sample(range(size), dice.randint(0, size)))
        words = [7] + [sum(1 << at % WORD for at in cells if at // WORD == word) for word in range(words_of(size))] + [7]
        found, at = [], next_marked(words, 1, size, 0)
        while at < size:
            found.append(at)
            at = next_marked(words, 1, size, at + 1)
        assert found == cells and count_marked(words, 1, size) == len(cells)
