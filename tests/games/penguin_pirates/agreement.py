"""The solver, as users ask it, against plain enumeration: every state once, no bound, no dominance, no order.

python -m tests.games.penguin_pirates.agreement ROUNDS [--first 0] [--count 200] [--seconds 600] [--engine portfolio]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from attrs import frozen

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.solver.answer import portfolio
from rulewright.solver.result import Limits, Result, Status
from tests.expressions import parse_expression
from tests.games.penguin_pirates.sailing import engine, get
from tests.solver.asking import searched
from tests.solver.exhaustive import all_ends

ASKED = (
    (Goal.MAXIMISE, "fish"),
    (Goal.MINIMISE, "water_afloat"),
    (Goal.MAXIMISE, "lead"),
    (Goal.MAXIMISE, "20 * rescues + 3 * column(ship) - speed"),
    (Goal.MINIMISE, "100 * days_home + distance(ship, pier)"),
    (Goal.MAXIMISE, "size(turned_up) + sails"),
)
MOST_STATES = {1: 100_000, 2: 400_000}
"""By rounds; what is larger is left out, and counted."""

SECONDS = 240.0
LATE = 2
"""Penguins still on their cards, at most, in the first of two rounds."""


@frozen
class Case:
    """A position of a random game, and what is asked of it."""

    number: int
    rounds: int
    engine: Engine
    state: State
    question: Question
    text: str


def case(number: int, rounds: int) -> Case:
    """Three or four players, some way into a game; of two rounds, the first is nearly over."""
    dice = random.Random(f"{rounds} rounds, case {number}")
    here = engine(3 + number % 2)
    while True:
        state = here.start(dice.randrange(10**6))
        for _ in range(dice.randrange(2, 60)):
            if here.over(state):
                break
            state = here.apply(state, dice.choice(here.legal(state)))
        if not here.over(state) and (rounds == 1 or _is_late(here, state)):
            break
    goal, text = dice.choice(ASKED)
    value = resolve_question(here.game, parse_expression(text, "asked"))
    question = Question(goal, (value,), horizon=Horizon("round", rounds))
    return Case(number, rounds, here.with_horizon(question.horizon), state, question, text)


def _is_late(here: Engine, state: State) -> bool:
    choice = here.choice(state)
    waiting = sum(get(here, state, "waiting", order) for order in range(len(here.game.enumerations["order"])))
    return choice is not None and "movement" in choice.points and waiting <= LATE


def enumerated(case: Case) -> int | None:
    """The best there is; None when there are too many states."""
    here, value = case.engine, case.engine.compile_value(case.question.values[0])
    ends = all_ends(here, case.state, MOST_STATES[case.rounds])
    if ends is None:
        return None
    return (max if case.question.goal is Goal.MAXIMISE else min)(map(value, ends))


def answered(case: Case, how: str) -> Result:
    """What the solver says: as users get it, or the exact search alone."""
    if how == "portfolio":
        return portfolio.answer(case.engine, case.state, case.question, Limits(SECONDS))
    return searched(case.engine, case.state, case.question, SECONDS)


def verdict(case: Case, how: str = "portfolio") -> str:
    """`agreed`, or what is wrong; `too large` for what enumeration cannot do."""
    expected = enumerated(case)
    if expected is None:
        return "too large"
    result = answered(case, how)
    if result.status is not Status.OPTIMAL:
        return f"case {case.number}: not proved in time"
    return "agreed" if result.score == expected else f"case {case.number}: {result.score} for {expected}, {case.text}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600.0, help="no new case after so much processor time")
    parser.add_argument("--engine", choices=("search", "portfolio"), default="portfolio")
    wish = parser.parse_args()
    tally: Counter[str] = Counter()
    number = wish.first
    while tally["agreed"] < wish.count and time.process_time() < wish.seconds:
        try:
            said = verdict(case(number, wish.rounds), wish.engine)
        except PlayError as error:
            said = f"case {number}: {error}"
        tally[said] += 1
        number += 1
        print(number, said, f"{time.process_time():.0f} s", flush=True)
    print(dict(tally), f"cases {wish.first}..{number - 1}, {time.process_time():.0f} s of processor time")
    return int(set(tally) > {"agreed", "too large"})


if __name__ == "__main__":
    sys.exit(main())
