"""Columns, parts, leaps and cells by number: CP-SAT and the search against enumeration."""

from __future__ import annotations

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.process.job import ModelKind
from tests.rules.playing import linked
from tests.solver.asking import most
from tests.solver.cpsat.running import run
from tests.solver.exhaustive import best_value

SHAFTS = """
module stones:
    "Two stones of each kind are dropped, and after each stone a beetle may leap."

marker gem
players 1

space well: cube grid 2 x 2 x 2 of tiles
space walk: square grid 3 x 2, wrapped

partition half of c in well: column(c)

tiles stones:
    ruby   x2    gem
    slate  x1

state:
    hand:   set of tiles
    beetle: cell of walk
    drops:  0..3

procedure begin:
    take:   move all box to hand
    settle: beetle := cell(walk, 1, 0)

action drop(stone in hand, x in 0..1):
    require room: topmost(cell(well, x, 0, 0)) != cell(well, x, 0, 1)
    require apart: not some other in part(half, cell(well, x, 0, 0)) where at(other) = stone: level(other) = drops
    effect fall:
        if topmost(cell(well, x, 0, 0)) in column_of(cell(well, x, 0, 1)): put stone at cell(well, x, 0, 1)
        else: put stone at cell(well, x, 0, 0)
    effect hop: beetle := step(beetle, if x = 0 then E else S, 2 - 2 * drops - x)
    effect tell: drops += 1

flow:
    begin
    repeat: choose drop, or stop

score gems: sum (if at(step(c, U, -1)) = slate then 5 else level(c) + 1) for c in well where at(c) has gem
score near: count c in well where occupied(c) and every n in beside(c): not occupied(n)
score left: 2 * (sum number(t, gem) for t in hand)
score walked: column(beetle) * 2 + row(beetle)
"""


def test_all_readings_find_the_same() -> None:
    game = linked(SHAFTS)
    engine = Engine.of(game, 1)
    state = engine.start(0)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    best = best_value(engine, state, question)
    assert most(engine, state, game).score == best
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.value) == ("optimal", best)
