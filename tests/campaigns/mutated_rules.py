"""Small games under random mutations of their rules: every search, estimate, reduction and model against enumeration.

One or two mutations (`rules/clauses/mutants.py`) of a module of the game stand for what an author changes, on purpose or not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.modules import Module
from rulewright.puzzles.position import Position
from rulewright.rules.clauses.mutants import mutants
from rulewright.rules.linking.from_modules import link
from rulewright.rules.model.game import Game
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.answer.shortest_answer import answer_least
from rulewright.solver.cpsat.order_free.from_question import may_be_sets, order_free_model
from rulewright.solver.result import Listener, Status
from rulewright.solver.shortest.estimates.distance_tables import OutOfTime
from rulewright.solver.shortest.problem import ShortestPlanProblem
from tests.campaigns import orders
from tests.rules import playing
from tests.rules.analysis.test_automorphisms import agree
from tests.solver.cpsat.running import solved_here
from tests.solver.shortest.estimates.spaces import Instance, by_tables, check, exact, finder, graph
from tests.solver.shortest.estimates.test_pattern_databases import by_patterns, databases, sized
from tests.solver.shortest.kernels.test_landmark_cut import by_landmarks
from tests.solver.shortest.test_informed_search import informed
from tests.solver.shortest.test_stubborn_sets import check as narrow
from tests.solver.shortest.test_workers import searched

MOST_STATES = 3_000


@contextmanager
def mutated_rules(rng: random.Random, names: list[str]) -> Iterator[None]:
    """A module of each game linked within is mutated; the mutants are added to `names`."""

    def link_mutated(modules: dict[str, Module], roots: Sequence[str]) -> Game:
        name = rng.choice([name for name in sorted(modules) if any(mutants(modules[name]))])
        for _ in range(rng.choice((1, 1, 2))):
            possible = list(mutants(modules[name]))
            if not possible:  # the first mutation took away what could be mutated
                break
            mutant = rng.choice(possible)
            modules = {**modules, name: mutant.module}
            names.append(f"{name}: {mutant.name}")
        return link(modules, roots)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "link", link_mutated)
        playing.shipped.cache_clear()
        try:
            yield
        finally:
            playing.shipped.cache_clear()


def mutated(make: Instance, seed: int) -> tuple[Position | None, list[str]]:
    """An instance of a game with mutated rules, None if these do not link; and the mutants."""
    rng, names = random.Random(f"mutated {make.__name__} {seed}"), list[str]()
    with mutated_rules(rng, names):
        try:
            return make(rng), names
        except RulesError:
            return None, names


def checked(make: Instance, seed: int, check: Callable[[Position], Counter[str]]) -> Counter[str]:
    """What a check says of an instance of a game with mutated rules; raises `AssertionError` as it does, with the mutants."""
    position, names = mutated(make, seed)
    if position is None:
        return Counter(broken=1)
    try:
        return check(position)
    except AssertionError as wrong:
        raise AssertionError(f"{make.__name__} {seed}: {', '.join(names)}: {wrong}") from wrong


def fewest_moves(make: Instance, seed: int) -> Counter[str]:
    """What agrees with enumeration of a question for the fewest moves; raises `AssertionError`, with the mutants."""
    return checked(make, seed, lambda position: _fewest_moves(position, seed))


def _fewest_moves(position: Position, seed: int) -> Counter[str]:
    engine, question = position.asked, position.question
    assert question is not None and question.until is not None
    try:
        after = graph(engine, position.root, MOST_STATES)
        expected = exact(after, {here for here in after if engine.value(question.until, here)}).get(position.root)
    except (PlayError, RulesError):
        return Counter(stops=1)
    except AssertionError:
        return Counter(large=1)
    problem = ShortestPlanProblem(engine, position.root, question)
    for found in (answer_least(problem, orders.ALONE, Listener()), informed(position, 0), informed(position, 7)):
        assert (found.status, found.score) == (Status.IMPOSSIBLE if expected is None else Status.OPTIMAL, expected)
    came = Counter({"answers": 1, "with a plan": expected is not None})
    if engine.over(position.root) or expected == 0:
        return +came
    narrowed = narrow(position, MOST_STATES)
    came += Counter({f"stubborn sets, {what}": narrowed[what] for what in ("states", "narrowed")})
    came["with orbits"] = agree(position, seed % 5) > 0
    with suppress(OutOfTime):
        came["states, distances"] = check(position, by_tables(position, finder(position).find()), MOST_STATES)[0]
        came["states, patterns"] = check(position, by_patterns(position, databases(position, sized(500))), MOST_STATES)[0]
        came["states, landmarks"] = check(position, by_landmarks(position), MOST_STATES, is_consistent=False)[0]
        found, _ = searched(position, 1 + seed % 2, 1, False, by_landmarks=True)
        assert (found.status, found.score) == (Status.IMPOSSIBLE if expected is None else Status.OPTIMAL, expected)
    came["sets"] = _fewest_by_sets(position, expected)
    return +came


def _fewest_by_sets(position: Position, expected: int | None) -> bool:
    """Whether CP-SAT reads the plans as sets of actions; then it finds the expected number of moves."""
    engine, root, question = position.asked, position.root, position.question
    assert question is not None
    try:
        model = order_free_model(engine, root, question)
    except Refused:
        return False
    assert may_be_sets(engine, root, question)
    found = solved_here(model, engine, root, question)
    assert (None if found.plan is None else abs(found.value or 0)) == expected, found
    return True


def any_goal(make: Instance, seed: int) -> Counter[str]:
    """What agrees with enumeration, counts included; raises `AssertionError`, with the mutants."""
    return checked(make, seed, lambda position: orders.checks_of(position, f"{make.__name__} {seed}"))
