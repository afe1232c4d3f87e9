"""The cautious reading against the reference: whatever it says of a term holds in every state that it stands for."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model import terms
from rulewright.rules.model.types import SetOf
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.static.abstract_algebra import AbstractAlgebra
from rulewright.rules.static.abstract_values import AbstractValue, exactly
from tests.rules.odd_games import odd_game, random_state
from tests.rules.playing import linked

BOARD = "board"


def cautious(engine: Engine, state: State, known: bool) -> Evaluator:  # type: ignore[type-arg]
    """What is known of every state in which tiles were only added to the board; or of any state at all."""
    kinds = frozenset(range(1, len(engine.game.tiles) + 1))
    boards = {BOARD: state[engine.layout.columns[BOARD].start]} if known else {}
    return Evaluator(engine.instance, AbstractAlgebra(engine.instance, engine.layout, boards, kinds))


def later(engine: Engine, state: State, rng: random.Random) -> State:
    """The state with anything anywhere, but with every tile of the board where it is, and more of them."""
    at = engine.layout.columns[BOARD].start
    columns = list(random_state(engine, rng))
    kinds = range(1, len(engine.game.tiles) + 1)
    grown = [tile or (rng.choice(kinds) if rng.random() < 0.4 else 0) for tile in state[at][:-1]]
    columns[at] = bytes((*grown, 0))
    return tuple(columns)


def questions(engine: Engine, rng: random.Random) -> Iterator[tuple[terms.Term, dict[str, int]]]:
    """Terms of the rules with values for the names that are free in them."""
    for score in engine.game.scores:
        yield score.value, {}
    for action in engine.game.actions.values():
        for requirement in action.requirements:
            domains = {p.name: list(engine.instance.domain(p.type)) or range(-2, 5) for p in action.parameters}
            yield requirement.condition, {name: rng.choice(values) for name, values in domains.items()}
    for definition in engine.game.definitions.values():
        if len(definition.parameters) == 1 and not isinstance(definition.type, SetOf):
            domain = engine.instance.domain(definition.parameters[0][1]) or range(-2, 5)
            argument = terms.Constant(rng.choice(domain), type=definition.parameters[0][1])
            yield terms.Invoke(definition.name, (argument,), type=definition.type), {}


def holds(possible: AbstractValue, value: int, state: State, engine: Engine) -> bool:
    if not possible.low <= value <= possible.high or (possible.exact is not None and value not in possible.exact):
        return False
    return value == 0 or all(state[engine.layout.columns[space].start][cell] for space, cell in possible.needs)


def held_against(seed: int, states: int) -> int:
    """How many values were found to be among the possible ones."""
    rng, agreed = random.Random(seed), 0
    try:
        engine = Engine.of(linked(odd_game(seed)), seed % 3 + 1)
    except RulesError:
        return 0
    for number in range(states):
        root = random_state(engine, rng)
        reading = cautious(engine, root, number % 3 > 0)
        for term, env in questions(engine, rng):
            possible = reading.value(term, {name: exactly(value) for name, value in env.items()})
            for _ in range(4):
                state = later(engine, root, rng)
                try:
                    value = engine.value(term, state, env)
                except PlayError:
                    continue
                assert holds(possible, value, state, engine), (seed, term, env, possible, value)
                agreed += 1
    return agreed


@pytest.mark.parametrize("seed", range(12))
def test_what_is_possible(seed: int) -> None:
    held_against(seed, 6)


def test_most_is_held_against_something() -> None:
    assert sum(held_against(seed, 3) for seed in range(12, 16)) > 200


def test_to_be_among_what_is_known() -> None:
    """Asked at once of values that are known, and one by one."""
    rng, reading = random.Random(4), cautious(*_odd(5), False).algebra
    answers = set()
    for _ in range(400):
        domain = reading.known(rng.sample(range(-3, 90), rng.randrange(6)))
        low = rng.randrange(-4, 90)
        high = low + rng.choice((0, 0, 1, 5, 200))
        exact = frozenset(rng.sample(range(low, high + 1), 2)) | {low, high} if rng.random() < 0.5 and high > low + 2 else None
        value = AbstractValue(low, high, exact, cell=(BOARD, 0) if rng.random() < 0.2 else None)
        found = reading.member(value, domain)
        assert found == reading.member(value, evolve(domain, known=None))
        answers.add((found.never, found.always))
    assert len(answers) == 3


def _odd(seed: int) -> tuple[Engine, State]:
    engine = Engine.of(linked(odd_game(seed)), 1)
    return engine, random_state(engine, random.Random(seed))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(0, 1000, 100))
def test_what_is_possible_in_many_games(seed: int) -> None:
    for number in range(seed, seed + 100):
        held_against(number, 9)
