"""One turn to its end, from random positions of random games: the solver finds what plain enumeration finds.

python -m tests.games.castles_by_the_sea.test_against_enumeration PLAYERS POSITIONS [TURNS], with 0 PLAYERS for best play
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

import pytest

from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from tests.expressions import parse_expression
from tests.games.castles_by_the_sea.beach import COMBINATIONS, FOR_ONE, engine, get, point, random_game
from tests.solver.asking import searched
from tests.solver.best_play import best_play_value
from tests.solver.exhaustive import best_value

MOST_STATES = 3_000
MOST_OF_TWO = 20_000
SECONDS = 600.0
ASKED = ("dollars of {player}", "wealth of {player} + size(mat of {player})", "income({player}) + size(supply)")
"""What is asked to be greatest: what is earned, what is kept, what the hazards leave."""


def positions(players: int, seed: int, turns: int = 1) -> Iterator[tuple[str, Engine, State, Question]]:
    """Positions of random games, one of each game: at a choice of the place step or of the hazard step."""
    dice = random.Random(seed)
    while True:
        combination = dice.choice(FOR_ONE if players == 1 else COMBINATIONS)
        here = engine(players, combination)
        wanted = dice.choice(("piece", "moving", "flipping")) if players > 1 else "piece"
        states = [state for state, _, _ in random_game(here, dice.randrange(10**6)) if point(here, state) == wanted]
        late = [state for state in states if len(get(here, state, "shown", 0)) > 0 or get(here, state, "sun") > 0]
        state = dice.choice(late or states)
        text = dice.choice(ASKED).format(player=here.player(state))
        horizon = Horizon("turn", turns)
        term = resolve_question(here.game, parse_expression(text, "asked"), players=players)
        yield combination, here.with_horizon(horizon), state, Question(Goal.MAXIMISE, (term,), horizon=horizon)


def compared(players: int, number: int, turns: int = 1, seed: int = 1) -> Iterator[tuple[str, int | None, int]]:
    """The combination, what the search proves and what enumeration finds, of positions that are small enough for it."""
    found = 0
    for combination, here, state, question in positions(players, seed, turns):
        expected = best_value(here, state, question, MOST_STATES)
        if expected is None:
            continue
        result = searched(here, state, question, SECONDS)
        yield combination, result.value if result.status.value == "optimal" else None, expected
        found += 1
        if found == number:
            return


def against_best_play(number: int, seed: int = 1) -> Iterator[tuple[str, int | None, int]]:
    """The same of a turn of each of two players, one against the other: most of them of the special round."""
    dice, found = random.Random(seed), 0
    while found < number:
        combination = dice.choice(COMBINATIONS)
        here = engine(2, combination)
        states = [
            state
            for state, _, _ in random_game(here, dice.randrange(10**6))
            if here.player(state) == 1 and point(here, state) in ("moving", "flipping") and get(here, state, "sun") >= 5
        ]
        state = dice.choice(states)
        text = dice.choice(("wealth of 1 - wealth of 2", "income(1) - income(2)", "income(1)"))
        term = resolve_question(here.game, parse_expression(text, "asked"), players=2)
        horizon = Horizon("turn", 2)
        cut = here.with_horizon(horizon)
        expected = best_play_value(cut, state, 1, cut.compile_value(term), MOST_OF_TWO)
        if expected is None:
            continue
        question = Question(Goal.MAXIMISE, (term,), horizon=horizon, others=Others.AGAINST, player=1)
        result = answer(cut, state, question, Limits(SECONDS))
        yield combination, result.value if result.status.value == "optimal" else None, expected
        found += 1


@pytest.mark.campaign
def test_best_play_is_what_enumeration_finds() -> None:
    assert [(name, found, expected) for name, found, expected in against_best_play(50) if found != expected] == []


@pytest.mark.campaign
@pytest.mark.parametrize("players", [1, 2])
def test_the_solver_finds_what_enumeration_finds(players: int) -> None:
    assert [(name, found, expected) for name, found, expected in compared(players, 100) if found != expected] == []


def main() -> int:
    players, number, *turns = map(int, sys.argv[1:])
    began, wrong = time.process_time(), 0
    found_so_far = compared(players, number, *turns) if players else against_best_play(number)
    for at, (name, found, expected) in enumerate(found_so_far, 1):
        wrong += found != expected
        print(
            at, name, found, expected, "" if found == expected else "WRONG", f"{time.process_time() - began:.0f} s", flush=True
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
