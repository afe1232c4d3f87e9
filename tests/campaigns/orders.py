"""Random small instances of twenty games for everything that leaves lines of play out: searches, sets of actions, dominance,
bounds by kind, counts. Each is held against plain enumeration."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.answer.shortest_answer import answer_least
from rulewright.solver.cpsat.order_free.from_question import may_be_sets, order_free_model
from rulewright.solver.plans.best_plans import best_plans_of
from rulewright.solver.plans.optimal_plans import Order
from rulewright.solver.result import Limits, Listener, Status
from rulewright.solver.shortest.problem import ShortestPlanProblem
from tests.rules.analysis.test_dominance import random_position
from tests.rules.playing import linked, shipped
from tests.solver.asking import searched
from tests.solver.best.bounds.test_sums_over_zones import CARDS, SCORES
from tests.solver.cpsat.order_free.test_against_enumeration import truth_of
from tests.solver.cpsat.order_free.test_counting import QUEENS, sets_of_best_plans
from tests.solver.cpsat.order_free.test_packings import packing
from tests.solver.cpsat.running import solved_here
from tests.solver.exhaustive import all_ends
from tests.solver.shortest.estimates.spaces import INSTANCES
from tests.solver.shortest.questions import asked

ALONE = Limits(600, workers=1)
"""No CP-SAT beside the search: each is held against enumeration by itself."""

MOST_STATES, MOST_PLANS = 6_000, 100_000


def queens(rng: random.Random) -> Position:
    text = QUEENS.replace("4 x 4", f"{rng.randint(2, 4)} x {rng.randint(2, 4)}")
    if rng.random() < 0.5:
        text = text.replace(" or row(q) = row(c)", "")
    return asked(linked(text), f"{rng.choice(('maximise', 'minimise'))} score until end")


def bishops(rng: random.Random) -> Position:
    text = QUEENS.replace("column(q) = column(c) or row(q) = row(c)", "q = c").replace(
        "\n        or column(q) - row", " or column(q) - row"
    )
    return asked(linked(text.replace("4 x 4", f"{rng.randint(2, 3)} x 3")), "maximise score until end")


def packings(rng: random.Random) -> Position:
    ask = rng.choice(("maximise score until end", "minimise score until end", f"reach score >= {rng.randint(3, 9)} until end"))
    return packing(rng.randint(3, 4), rng.randint(2, 3), rng.randint(0, 2) or 1, ask)


def lights(rng: random.Random) -> Position:
    """The most lights after some presses."""
    lit = ", ".join(f"({cell % 5},{cell // 5})" for cell in rng.sample(range(25), rng.randint(3, 22)))
    limit = rng.randint(1, 2)
    return asked(shipped("classics.lights_out"), "maximise score until end", f"\n    lit: {lit}\n    limit: {limit}\n")


def tours(rng: random.Random) -> Position:
    size = f"{rng.randint(3, 4)} x {rng.randint(3, 4)}"
    text = f"module tours:\n    extends classics.knights_tour\n\ndrop space board\nspace board: square grid {size}\n"
    return asked(linked(text), f"{rng.choice(('maximise', 'maximise', 'minimise'))} score until end")


def workshops(rng: random.Random) -> Position:
    return random_position(rng.randrange(10_000, 90_000))


def cards(rng: random.Random) -> Position:
    dealt = ["one", "one", "two", "two", "three", "three", "four"]
    rng.shuffle(dealt)
    size = rng.randint(1, 4)
    text = CARDS.format(score=rng.choice(SCORES), back=rng.choice(("hand", "kept")))
    body = f"    hand: {', '.join(dealt[:size])}\n    deck: {', '.join(dealt[size:])}\n"
    return asked(linked(text), "maximise score until end", body)


PEGS = """
module pegs:
    extends classics.jumping

space board: square grid {width} x 3 of tiles

tiles men:
    peg  x12
    rim  x1

define outside(c) = c not in board

procedure set_up:
    aim: for c in board where column(c) = 1 and row(c) = 1: target := c
"""


def pegs(rng: random.Random) -> Position:
    """Men on some cells of a small rectangle: as many captures as can be, or soon few men left."""
    width = rng.randint(3, 4)
    cells = [f"({x},{y})" for x in range(width) for y in range(3)]
    drawn = [[rng.choice((".", "peg", "peg")) for _ in range(width)] for _ in range(3)]
    board = "\n".join("        " + "  ".join(row) for row in drawn)
    ask = rng.choice(
        ("maximise score until end", "minimise score until end", f"fewest moves until men_left <= {rng.randint(1, 4)}")
    )
    return asked(linked(PEGS.format(width=width)), ask, f"\n    board:\n{board}\n\n    target: {rng.choice(cells)}\n")


GAMES: tuple[Callable[[random.Random], Position], ...] = (
    *INSTANCES,
    queens,
    bishops,
    packings,
    lights,
    tours,
    workshops,
    cards,
    pegs,
)


def checks(make: Callable[[random.Random], Position], seed: int) -> Counter[str]:
    """What was held against enumeration, and agreed; raises `AssertionError` where it does not."""
    name = f"{make.__name__} {seed}"
    return checks_of(make(random.Random(name)), name)


def checks_of(position: Position, name: str) -> Counter[str]:
    """The same of one position."""
    engine, root, question = position.asked, position.root, position.question
    assert question is not None
    try:
        small = question.goal is Goal.LEAST or all_ends(engine, root, MOST_STATES) is not None
        expected = truth_of(position) if small else None
    except (PlayError, RulesError):
        return Counter(stops=1)
    if not small or engine.over(root):
        return Counter(large=1)
    came = Counter(search=1)
    if question.goal is Goal.LEAST:
        found = answer_least(ShortestPlanProblem(engine, root, question), ALONE, Listener())
    else:
        found = searched(engine, root, question)
    answer = expected if found.status in (Status.OPTIMAL, Status.IMPOSSIBLE) else "open"
    value = None if found.status is Status.IMPOSSIBLE else question.threshold if question.goal is Goal.REACH else found.score
    assert (answer, value) == (expected, expected), (name, found, expected)
    came += _as_sets(position, expected, name)
    if expected is not None and question.goal is not Goal.LEAST:
        came += _counted(position, expected, name)
    return came


def _as_sets(position: Position, expected: int | None, name: str) -> Counter[str]:
    """CP-SAT on sets of actions, where the order is shown to be free."""
    engine, root, question = position.asked, position.root, position.question
    assert question is not None
    try:
        model = order_free_model(engine, root, question)
    except Refused:
        return Counter()
    assert may_be_sets(engine, root, question), name
    found = solved_here(model, engine, root, question, question.threshold if question.goal is Goal.REACH else None)
    if expected is None:
        assert found.plan is None, name
    elif question.goal is not Goal.REACH:
        sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
        assert sign * (found.value or 0) == expected, (name, found, expected)
    else:
        assert found.plan is not None, name
    return Counter(sets=1)


def _counted(position: Position, expected: int, name: str) -> Counter[str]:
    """The number of best plans: as sets, as sequences, or between the two."""
    engine, root, question = position.asked, position.root, position.question
    assert question is not None
    plans = best_plans_of(engine, root, question, expected, ALONE)
    if plans.number is None:
        return Counter(uncounted=1)
    sequences = _sequences(position, expected)
    if sequences is None or sequences > MOST_PLANS:  # no enumeration comes to an end
        return Counter(uncounted=1)
    sets = len(sets_of_best_plans(position, expected))
    match plans.order:
        case Order.FREE:
            assert plans.number == sets, (name, plans.number, sets)
        case Order.MATTERS:
            assert plans.number == sequences, (name, plans.number, sequences)
        case _:
            assert sets <= plans.number <= sequences, (name, plans.number, sets, sequences)
    assert len(plans.first(5)) == min(plans.number, 5), name
    return Counter({f"counted as {plans.order.value}" if plans.order else "?": 1})


def _sequences(position: Position, best: int) -> int | None:
    """How many lines of play are worth the best, each order counted; None if play can come back to a state."""
    engine, question = position.asked, position.question
    assert question is not None
    known: dict[State, int | None] = {}

    def from_here(state: State) -> int:
        if state not in known:
            known[state] = None
            value = sum(engine.value(term, state) for term in question.values)
            good = value >= question.threshold if question.goal is Goal.REACH else value == best
            children = [engine.apply(state, move) for move in engine.legal(state)]
            known[state] = int(good) if engine.over(state) else sum(map(from_here, children))
        found = known[state]
        if found is None:
            raise _Repeats
        return found

    try:
        return from_here(position.root)
    except _Repeats:
        return None


class _Repeats(Exception):
    """Play can come back to a state."""
