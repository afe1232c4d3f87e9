"""Flows that count: a variable of a loop over numbers takes its values in bounds, kernels and enumeration alike."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine
from rulewright.solver.best.bounds.gain_bound import gain_bound
from rulewright.solver.best.problem import Problem
from tests.rules.playing import linked
from tests.solver.asking import greatest_score, searched
from tests.solver.exhaustive import all_ends, best_value

FLOWS = (
    "for n in 1..4:\n        choose {all}",
    "for n in -2..1:\n        choose {all}",
    "for n in 1..5 where n != 3:\n        choose {all} or stop",
    "for n in 2..3:\n        choose {all}\n    for n in 5..6:\n        choose earn, rest",
    "for n in 1..2:\n        for m in 3..4:\n            turn:\n                choose {all}",
    "for n in 1..3:\n        if n = 2:\n            choose prepare, rest\n        choose {all}\n    choose {all} or stop",
    "for n in 1..2:\n        for player in players:\n            turn:\n"
    "                repeat until done:\n                    choose {all} or stop",
)

RULES = """
module counted:
    "One prepares, and earns more later."

players {players}

state:
    won:  -60..99 = 0
    lot:  {lot}..3
    done: truth = yes

action earn:
    effect win: won += {win}

action prepare(to in 0..{most}):
    require other: to != lot
    effect pay: won -= {pay}
    effect lot: lot := to

action rest:
    effect win: won += {small}

flow:
    {flow}

score won: won
"""


def drawn(seed: int) -> str:
    rng = random.Random(seed)
    flow = FLOWS[seed % len(FLOWS)].format(all=rng.choice(("earn, prepare", "earn, prepare, rest", "prepare, earn")))
    win = rng.choice(("1 + lot", "lot", "lot * 2", "if lot > 1 then 3 else 1", "lot + n" if "n in" in flow else "lot"))
    return RULES.format(
        players=2 if "players" in flow else 1, flow=flow, win=win, lot=rng.choice((0, -1)), most=rng.randint(1, 3),
        pay=rng.choice((0, 0, 1, "lot")), small=rng.choice((0, 1)),
    )  # fmt: skip


def compare(seed: int) -> None:
    game = linked(drawn(seed))
    engine = Engine.of(game, 2 if "players 2" in drawn(seed) else 1)
    root, asked = engine.start(), greatest_score(game)
    for question in (asked, Question(Goal.MINIMISE, asked.values)):
        expected = best_value(engine, root, question, 20_000)
        assert expected is not None
        assert searched(engine, root, question).score == expected
        problem = Problem(engine, root, question)
        bound = gain_bound(problem.reachable, question.values, problem.sign, problem.value)
        state, rng = root, random.Random(seed)
        while bound is not None and not engine.over(state):
            assert problem.sign * (best_value(engine, state, question) or 0) <= bound.bound(state)
            state = engine.apply(state, rng.choice(engine.legal(state)))


@pytest.mark.parametrize("seed", range(len(FLOWS)))
def test_a_search_finds_what_enumeration_finds(seed: int) -> None:
    compare(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(len(FLOWS), 40 * len(FLOWS)))
def test_random_counting_flows(seed: int) -> None:
    compare(seed)


def test_values_of_a_loop_are_those_of_its_states() -> None:
    """Every state that play comes to has a value between those that bounds and tables are laid out for."""
    for seed in range(len(FLOWS)):
        game = linked(drawn(seed))
        engine = Engine.of(game, 2 if "players 2" in drawn(seed) else 1)
        for end in all_ends(engine, engine.start()) or ():
            for name, values in engine.instance.laps.items():
                assert end[engine.layout.columns[name].start] in values
