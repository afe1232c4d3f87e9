"""Best responses to policies, and mixed strategies as a policy: by every pure strategy, by both searches, and by play."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.puzzles.position import Position
from rulewright.rules.model.state import Move, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.playouts.policies import GREEDY, RANDOM, Policy, Weigh, policy_named, weighing
from rulewright.solver.result import Limits, Listener
from rulewright.solver.versus.expectimax import ExpectationProblem, answer_expected
from rulewright.solver.versus.mixed_policy import MixedPolicy
from rulewright.solver.versus.sequence_form import answer_mixed
from tests.solver.versus.mixed_values import MIXED, answered, position
from tests.solver.versus.test_mixed_play import GAMES

LIMITS = Limits(60.0)


def response(asked: Position, replies: Weigh) -> Fraction:
    assert asked.question is not None
    found = answer(asked.asked, asked.root, evolve(asked.question, replies=replies), LIMITS)
    assert found.expectation is not None
    return found.expectation.value


def mixed(asked: Position) -> Weigh:
    assert asked.question is not None
    return MixedPolicy(asked.question, asked.root)(asked.asked)


@pytest.mark.parametrize("policy", [RANDOM, GREEDY], ids=lambda policy: policy.name)
def test_no_pure_strategy_of_kuhn_does_better(policy: Policy) -> None:
    """The first player has three cards, each at two choices: 64 pure strategies, played out by hand."""
    asked = position("classics.kuhn_poker", f"maximise won of 1 {MIXED}")
    replies, engine = weighing(policy, asked.asked), asked.asked
    assert asked.question is not None
    problem = ExpectationProblem(engine, asked.root, asked.question)
    hand = engine.layout.columns["hand"].start

    def worth(state: State, own: dict[tuple[int, bool], Move]) -> Fraction:
        if engine.over(state):
            return Fraction(problem.worth(state))
        moves = engine.legal(state)
        if engine.player(state) == 1:
            bet = len({state[engine.layout.columns["laid"].start + at] for at in (0, 1)}) > 1
            return worth(engine.apply(state, own[state[hand], bet]), own)
        weights = replies(state, moves)
        gains = [weight * worth(engine.apply(state, move), own) for move, weight in zip(moves, weights, strict=True) if weight]
        return sum(gains, Fraction(0)) / sum(weights)

    moves = engine.legal(problem.roots[0][0])
    places = sorted({(state[hand], bet) for state, _ in problem.roots for bet in (False, True)})
    best = max(
        sum(share * worth(state, dict(zip(places, own, strict=True))) for state, share in problem.roots)
        for own in itertools.product(moves, repeat=len(places))
    )
    assert response(asked, replies) == best


@pytest.mark.parametrize("name", GAMES)
def test_nobody_gains_against_mixed_strategies(name: str) -> None:
    """The best response to optimal strategies is worth the value of the game, to the last fraction."""
    rules, ask, expected = GAMES[name]
    asked = position(rules, f"{ask} {MIXED}")
    assert response(asked, mixed(asked)) == expected


def test_who_knows_only_the_state_may_not_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy that gives something away is refused: here, one that always takes the first move."""
    from rulewright.solver.versus import mixed_policy

    def first(tree: object, side: int, strategy: Sequence[Sequence[Fraction]], together: object) -> object:
        return tuple(tuple(Fraction(at == 0) for at in range(len(moves))) for moves in strategy)

    asked = position("classics.kuhn_poker", f"maximise won of 1 {MIXED}")
    monkeypatch.setattr(mixed_policy, "_by_state", first)
    with pytest.raises(RulesError, match="sure of"):
        mixed(asked)


@pytest.mark.parametrize("seed", range(6))
def test_both_searches_agree_where_nothing_is_hidden(seed: int) -> None:
    """Expectimax joins equal states, the information tree keeps every line of play; and a third way is written here."""
    rng = random.Random(seed)
    policy = rng.choice([RANDOM, GREEDY, policy_named("search(2)") or GREEDY])
    asked = position("classics.noughts_and_crosses", "win for 1 against best play")
    assert asked.question is not None
    engine, state = asked.asked, asked.root
    for _ in range(4):
        state = engine.apply(state, rng.choice(engine.legal(state)))
    question = evolve(asked.question, in_expectation=True, player=rng.choice([1, 2]), replies=weighing(policy, engine))
    problem = ExpectationProblem(engine, state, question)
    joined, lines = answer_expected(problem, LIMITS, Listener()), answer_mixed(problem, LIMITS, Listener())
    assert joined.expectation is not None and lines.expectation is not None
    replies, player = question.replies, question.player
    assert replies is not None

    def worth(state: State) -> Fraction:
        if engine.over(state):
            return Fraction(problem.worth(state))
        moves = engine.legal(state)
        values = [worth(engine.apply(state, move)) for move in moves]
        if engine.player(state) == player:
            return max(values)
        weights = replies(state, moves)
        return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)

    assert joined.expectation.value == lines.expectation.value == worth(state)


def test_a_response_is_no_worse_than_best_play() -> None:
    """Against a player who errs at times, and sees no more than the rules show, one gets at least the value."""
    asked = position("classics.kuhn_poker", f"maximise won of 2 {MIXED}")
    value = answered(asked).expectation
    assert value is not None
    assert response(asked, weighing(RANDOM, asked.asked)) >= value.value
