"""What the tests of the solver share: positions as engine and state, and plain enumeration to hold the search against."""

from __future__ import annotations

import random
from collections.abc import Callable

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.scenarios import Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.engine import Engine, State
from rulewright.rules.game import Game
from rulewright.rules.questions import Question
from rulewright.solver.exact import search
from rulewright.solver.result import Result
from tests.oracle import beacon_patrol as oracle


def engine_and_state(text: str, game: Game) -> tuple[Engine, State]:
    """A puzzle's position, with its horizon if it has one."""
    position = set_up_position(parse_puzzle(text, "a puzzle"), game)
    return position.asked, position.state


def random_puzzle(rng: random.Random, players: int, coming: int) -> tuple[str, oracle.State]:
    """A random position of the game that the judge knows, as text and as the judge keeps it."""
    board = rng.randrange(2, 17)
    state = oracle.random_position(rng, players, board, coming)
    return oracle.to_puzzle(state, "random_position"), state


def random_position(rng: random.Random, game: Game, players: int, coming: int) -> tuple[Engine, State]:
    """The same under changed rules: each captain has as many tokens as those give."""
    text, _ = random_puzzle(rng, players, coming)
    return engine_and_state("\n".join(line for line in text.splitlines() if not line.strip().startswith("tokens")), game)


def most(engine: Engine, state: State, game: Game, seconds: float = 120) -> Result:
    """The greatest score."""
    values = tuple(score.value for score in game.scores)
    return search(engine, state, Question(Goal.MAXIMISE, values), seconds)


def enumerate_all(engine: Engine, state: State, value: Callable[[State], int], best: Callable[..., int] = max) -> int:
    """The best value over every way to play on."""
    ends = all_ends(engine, state)
    assert ends is not None
    return best(map(value, ends))


def all_ends(engine: Engine, state: State, most: int | None = None) -> list[State] | None:
    """Where play can end: each state looked at once, nothing left out. None where there are more states than `most`."""
    seen, pending, found = {state}, [state], []
    while pending:
        here = pending.pop()
        if engine.over(here):
            found.append(here)
        for move in engine.legal(here):
            child = engine.apply(here, move)
            if child not in seen:
                seen.add(child)
                pending.append(child)
        if most is not None and len(seen) > most:
            return None
    return found


def replayed(engine: Engine, state: State, result: Result) -> int:
    """The score at the end of a result's plan, every move of it legal."""
    for move in result.plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state)
    return engine.score(state)
