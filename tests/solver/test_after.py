"""Requirements after the effects: searches answer as plain enumeration does, and what does not read them refuses early."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.symbolic.circuit import Refused
from rulewright.rules.symbolic.move_grounding import check_no_afterwards
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.cpsat.process.job import ModelKind
from rulewright.solver.cpsat.process.model_choice import ruled_out
from rulewright.solver.result import Limits, Result, Status
from tests.rules.playing import linked
from tests.solver.exhaustive import enumerate_all

HOPS = """
module hops:
    "Hop along a row without hopping far twice; only the effects read where the frog was before."

players 1..2

space pond: square grid 7 x 1

state:
    frog of player: cell of pond = origin of pond
    last:           0..9
    far:            0..9
    eaten of player: 0..40
    seen of pond:   truth
    bag:            pile of tiles, face down

tiles flies:
    fly  x6

action hop(to in pond):
    require away: to != frog of player
    require calm after: far <= 4 else "two long hops in a row"
    require new after: (count c in pond where seen of c) >= 1 + column(frog of player) div 3
    effect add_up: far := last + distance(frog of player, to)
    effect keep:   last := distance(frog of player, to)
    effect go:     frog of player := to
    effect see:    seen of to := yes
    effect eat:    eaten of player += last

action catch:
    require any: not empty(bag)
    require heavy after: size(bag) > 2
    effect take: move top(bag) to box from bag

procedure set_up:
    fill: move all box to bag
    mix:  shuffle bag

flow:
    set_up
    repeat:
        for player in players:
            turn:
                choose hop, catch

score flies: sum eaten of p for p in players
"""


def position(ask: str, players: int = 1, more: str = "") -> Position:
    text = f"puzzle p:\n    rules hops\n    players {players}\n    bag: fly x4\n    ask: {ask}\n{more}"
    return set_up_position(parse_puzzle(text, "p"), linked(HOPS))


def answered(asked: Position) -> Result:
    assert asked.question is not None
    return answer(asked.asked, asked.root, asked.question, Limits(20.0))


def test_the_best_value() -> None:
    asked = position("maximise score for 4 turns")
    found = answered(asked)
    assert found.status is Status.OPTIMAL
    assert found.score == enumerate_all(asked.asked, asked.root, asked.asked.score)


def test_the_fewest_moves() -> None:
    asked = position("fewest moves until frog of 1 = (6,0)")
    found = answered(asked)
    assert (found.status, found.score) == (Status.OPTIMAL, _fewest(asked.engine, asked.root))


def _fewest(engine: Engine, root: State) -> int:
    at, layer, depth = engine.layout.columns["frog"].start, {root}, 0
    while all(state[at] != 6 for state in layer):
        layer = {engine.apply(state, move) for state in layer for move in engine.legal(state)}
        depth += 1
    return depth


def test_best_play_against_another() -> None:
    asked = position("maximise eaten of 1 - eaten of 2 for 3 turns against best play", players=2)
    found = answered(asked)
    assert (found.status, found.score) == (Status.OPTIMAL, _best(asked.asked, asked.root))


def _best(engine: Engine, state: State) -> int:
    if engine.over(state):
        at = engine.layout.columns["eaten"].start
        return int(state[at] - state[at + 1])
    values = [_best(engine, engine.apply(state, move)) for move in engine.legal(state)]
    return max(values) if engine.player(state) == 1 else min(values)


def test_no_model_reads_them() -> None:
    asked = position("maximise score for 2 turns")
    assert asked.question is not None
    refusals = ruled_out(asked.asked, asked.root, asked.question)
    assert set(refusals) == set(ModelKind)
    assert all("a requirement `after` the effects, in `hop.calm`" in one.message for one in refusals.values())
    with pytest.raises(Refused):
        check_no_afterwards(asked.engine.game.actions.values())


@pytest.mark.parametrize(
    ("code", "ask", "more"),
    [
        ("RW388", "maximise score for 4 turns with their plans given", "    plan of 2: hop (1,0)\n"),
        ("RW383", "maximise score for 4 turns in expectation", ""),
    ],
)
def test_questions_that_are_refused(code: str, ask: str, more: str) -> None:
    with pytest.raises(RulesError) as caught:
        position(ask, 2, more)
    assert {found.code for found in caught.value.diagnostics} == {code}
