"""The solver against plain enumeration: every state once, no bound, no dominance, no order.

python -m tests.penguin_pirates.agreement ROUNDS [--first 0] [--count 200] [--engine search]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from attrs import frozen

from rulewright.grammar.from_text import parse_expression
from rulewright.grammar.scenarios import Goal
from rulewright.rules.compile import compile_value
from rulewright.rules.engine import Engine, Horizon, State
from rulewright.rules.faults import PlayError
from rulewright.rules.questions import Question, resolve_question
from rulewright.solver import portfolio
from rulewright.solver.exact import search
from rulewright.solver.limits import Limits
from rulewright.solver.result import Status
from tests.penguin_pirates.sailing import engine
from tests.solver.asking import all_ends

ASKED = (
    (Goal.MAXIMISE, "fish"),
    (Goal.MINIMISE, "water_afloat"),
    (Goal.MAXIMISE, "lead"),
    (Goal.MAXIMISE, "20 * rescues + 3 * column(ship) - speed"),
    (Goal.MINIMISE, "100 * days_home + distance(ship, pier)"),
    (Goal.MAXIMISE, "size(turned_up) + sails"),
)
MOST_STATES = 100_000
SECONDS = 240.0


@frozen
class Case:
    """A position of a random game, and what is asked of it."""

    number: int
    engine: Engine
    state: State
    question: Question
    text: str


def case(number: int, rounds: int) -> Case:
    """Three or four players, some way into a game; of two rounds, the first is on its way."""
    dice = random.Random(f"{rounds} rounds, case {number}")
    here = engine(3 + number % 2)
    while True:
        state = here.start(dice.randrange(10**6))
        for _ in range(dice.randrange(2, 60)):
            if here.over(state):
                break
            state = here.apply(state, dice.choice(here.legal(state)))
        choice = here.choice(state)
        if choice is not None and (rounds == 1 or "movement" in choice.points):
            break
    goal, text = dice.choice(ASKED)
    value = resolve_question(here.game, parse_expression(text, "asked"))
    question = Question(goal, (value,), horizon=Horizon("round", rounds))
    return Case(number, here.with_horizon(question.horizon), state, question, text)


def enumerated(case: Case) -> int | None:
    """The best there is; None when there are too many states."""
    here, value = case.engine, compile_value(case.engine.ground, case.engine.layout, case.question.values[0])
    best = max if case.question.goal is Goal.MAXIMISE else min
    ends = all_ends(here, case.state, MOST_STATES)
    return None if ends is None else best(map(value, ends))


def verdict(case: Case, portfolio_too: bool) -> str:
    """`agreed`, or what is wrong; `too large` for what enumeration cannot do."""
    expected = enumerated(case)
    if expected is None:
        return "too large"
    if portfolio_too:
        result = portfolio.answer(case.engine, case.state, case.question, Limits(SECONDS))
    else:
        result = search(case.engine, case.state, case.question, SECONDS)
    if result.status is not Status.OPTIMAL:
        return "not proved in time"
    return "agreed" if result.score == expected else f"case {case.number}: {result.score} for {expected}, {case.text}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--engine", choices=("search", "portfolio"), default="search")
    wish = parser.parse_args()
    tally: Counter[str] = Counter()
    began, number = time.monotonic(), wish.first
    while sum(tally.values()) - tally["too large"] < wish.count:
        try:
            tally[verdict(case(number, wish.rounds), wish.engine == "portfolio")] += 1
        except PlayError as error:
            tally[f"case {number}: {error}"] += 1
        number += 1
        if number % 10 == 0:
            print(number, dict(tally), flush=True)
    print(dict(tally), f"cases {wish.first}..{number - 1}, {time.monotonic() - began:.0f} s")
    return int(set(tally) > {"agreed", "too large"})


if __name__ == "__main__":
    sys.exit(main())
