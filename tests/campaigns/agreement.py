"""Two independent ways to one answer: the solver, and whoever looks at everything there is.

On random positions of the shipped game the second way is the solver of the independent judge, which shares
nothing with the project. On random variants of the rules it is plain enumeration by the engine: every state once, no bound,
no dominance, no order.

python -m tests.campaigns.agreement positions|variants [--first 0] [--count 100] [--only 3] [--engine search] [--workers 1]
python -m tests.campaigns.agreement show NUMBER            (the rules and the puzzle of a variant)
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from functools import partial

from attrs import define, field, frozen

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import Ask, Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.solver.answer import portfolio
from rulewright.solver.best.parallel_search import Unfit
from rulewright.solver.best.problem import Problem
from rulewright.solver.cpsat.process.standalone import NOT_SETTLED
from rulewright.solver.cpsat.process.standalone import solve as read_alone
from rulewright.solver.result import Limits, Result, Status
from rulewright.subset.program import as_machine_code
from rulewright.subset.refusal import CannotCompile
from tests.campaigns.random_play import choose
from tests.campaigns.variants import GAME, Variant, variant
from tests.games.beacon_patrol.oracle import base_game as judge
from tests.games.beacon_patrol.oracle.exact_solver import solve
from tests.rules.playing import linked, shipped
from tests.solver.asking import by_kernels, searched
from tests.solver.exhaustive import all_ends

Solver = Callable[[Engine, State, Question], Result]

SECONDS = 60.0
MOST_STATES = 150_000
"""Of an enumeration; what is larger is asked again with fewer tiles to come."""


def _portfolio(engine: Engine, state: State, question: Question) -> Result:
    return portfolio.answer(engine, state, question, Limits(SECONDS))


def _cpsat(engine: Engine, state: State, question: Question) -> Result:
    return read_alone(engine, state, question, Limits(SECONDS))


def _search(engine: Engine, state: State, question: Question) -> Result:
    return searched(engine, state, question, SECONDS)


def _native(engine: Engine, state: State, question: Question) -> Result:
    """The search in machine code alone; what is not for it is left to the fallback."""
    try:
        return by_kernels(Problem(engine, state, question), SECONDS, workers=2, room=0, make=as_machine_code)
    except (CannotCompile, Unfit):
        return searched(engine, state, question, SECONDS)


ENGINES: dict[str, Solver] = {"portfolio": _portfolio, "search": _search, "cpsat": _cpsat, "native": _native}


class Verdict(Enum):
    AGREED = "agreed"
    DIFFERS = "differs"
    OPEN = "not proved in time"
    REFUSED = "outside of what the engine reads"
    TOO_LARGE = "too large to enumerate"
    FAULT = "the rules stop the game"


@define
class Tally:
    """How many cases came to what; every case that differs, in words."""

    verdicts: Counter[Verdict] = field(factory=Counter)
    differences: list[str] = field(factory=list)

    def note(self, verdict: Verdict, said: str = "") -> None:
        self.verdicts[verdict] += 1
        if verdict is Verdict.DIFFERS:
            self.differences.append(said)

    def add(self, other: Tally) -> None:
        self.verdicts += other.verdicts
        self.differences += other.differences

    def line(self, kind: str, cases: int, engine: str, seconds: float) -> str:
        counts = {verdict.value: number for verdict, number in self.verdicts.items()}
        return json.dumps({kind: cases, "engine": engine, **counts, "seconds": round(seconds)})


# Positions of the shipped game, against the judge ---------------------------------------------------


def position_case(number: int, answer: Solver, most: int = 6) -> Tally:
    """One or two players, three tiles to come or more, two to sixteen on the board."""
    rng, tally = random.Random(f"position {number}"), Tally()
    there = judge.random_position(rng, 1 + number % 2, rng.randrange(2, 17), min(coming_in(number), most))
    game = shipped(GAME)
    position = set_up_position(parse_puzzle(judge.to_puzzle(there, "here"), "here"), game)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    result = answer(position.engine, position.state, question)
    tally.note(*_verdict(f"position {number}", position.engine, position.state, question, result, solve(there)))
    return tally


def coming_in(number: int) -> int:
    """How many tiles are to come in the position of that number, unless fewer are asked for."""
    return 3 + number // 2 % 4


# Variants of the rules, against enumeration ---------------------------------------------------------


@frozen
class Case:
    """A variant, a position of it, and what is asked."""

    variant: Variant
    text: str
    engine: Engine
    state: State
    question: Question


def variant_case(number: int, answer: Solver, most: int = 4) -> Tally:
    """One position under a variant of the rules, with as many tiles to come as can be enumerated: so many at most."""
    tally = Tally()
    try:
        for coming in range(most, 0, -1):
            case = made(number, coming)
            ends = enumerate_ends(case)
            if ends is not None:
                _ask(tally, number, case, ends, answer)
                return tally
        tally.note(Verdict.TOO_LARGE)
    except PlayError:
        tally.note(Verdict.FAULT)
    return tally


def made(number: int, coming: int) -> Case:
    """The case of that number: the same rules, board and question whatever the number of tiles to come."""
    rng = random.Random(f"variant {number}")
    changed = variant(rng)
    game = linked(*changed.texts, roots=changed.roots)
    engine = Engine.of(game, rng.choice((1, 1, 1, 2)))
    goal = rng.choice((Goal.MAXIMISE, Goal.MAXIMISE, Goal.MAXIMISE, Goal.MINIMISE))
    ask = Ask(goal, None, None, rng.choice((None, None, None, 1, 2)))
    state = _cut(engine, _played(engine, rng), coming)
    text = write_position(engine, state, "here", changed.roots, ask=ask)
    position: Position = set_up_position(parse_puzzle(text, "here"), game)
    assert position.question is not None
    return Case(changed, text, position.asked, position.state, position.question)


def _played(engine: Engine, rng: random.Random) -> State:
    """A state of a random game, after a few tiles have been laid; any choice of the flow."""
    while True:
        state, wished = engine.start(rng.randrange(1 << 30)), rng.randrange(2, 13)
        for _ in range(200):
            sea = state[engine.layout.position("sea", None)]
            if engine.over(state) or len(sea) - sea.count(0) >= wished:
                break
            state = engine.apply(state, choose(rng, engine.legal(state), busy=True))
        if not engine.over(state):
            return state


def _cut(engine: Engine, state: State, coming: int) -> State:
    """So many tiles to come, those of the hands first; the others are discarded."""
    columns = list(state)
    draw, discarded = engine.layout.position("draw", None), engine.layout.position("discarded", None)
    gone: list[int] = []
    for at in (*(engine.layout.position("hand", p) for p in range(1, engine.instance.players + 1)), draw):
        kept, rest = columns[at][:coming], columns[at][coming:]
        columns[at], coming = kept, coming - len(kept)
        gone += rest
    columns[discarded] = (*gone, *columns[discarded])
    return tuple(columns)


def enumerate_ends(case: Case) -> set[int] | None:
    """What play can be worth at its end, over every way to play on; None when there are too many states."""
    engine = case.engine
    values = [engine.compile_value(term) for term in case.question.values]
    ends = all_ends(engine, case.state, MOST_STATES)
    return None if ends is None else {sum(value(end) for value in values) for end in ends}


def _ask(tally: Tally, number: int, case: Case, ends: set[int], answer: Solver) -> None:
    """The question itself and, of a greatest value, whether it and one more can be reached."""
    questions: list[tuple[Question, int | None]] = []
    plain, values, horizon = case.question, case.question.values, case.question.horizon
    best = None if not ends else max(ends) if plain.goal is Goal.MAXIMISE else min(ends)
    questions.append((plain, best))
    if best is not None and plain.goal is Goal.MAXIMISE and number % 3 == 0:
        questions.append((Question(Goal.REACH, values, best, horizon), best))
        questions.append((Question(Goal.REACH, values, best + 1, horizon), None))
    for question, known in questions:
        name = f"variant {number}, {question.goal.value}"
        try:
            result = answer(case.engine, case.state, question)
        except RulesError as error:
            codes = [diagnostic.code for diagnostic in error.diagnostics]
            tally.note(
                Verdict.AGREED if known is None and codes == ["RW331"] else Verdict.DIFFERS, f"{name}: {codes}, not {known}"
            )
            continue
        tally.note(*_verdict(name, case.engine, case.state, question, result, known))


def _verdict(
    name: str, engine: Engine, state: State, question: Question, result: Result, known: int | None
) -> tuple[Verdict, str]:
    """Whether the solver says what is known (None: it cannot be reached) and its plan is worth what it says."""
    said = f"{name}: {result.status.value} {result.score} (bound {result.bound}), not {known}"
    if result.score is not None and replayed(engine, state, question, result) != result.score:
        return Verdict.DIFFERS, f"{name}: the plan is not worth {result.score}"
    match result.status:
        case Status.IMPOSSIBLE:
            return (Verdict.AGREED if known is None else Verdict.DIFFERS), said
        case Status.OPTIMAL if question.goal is Goal.REACH:
            reached = result.score is not None and known is not None and question.threshold <= result.score <= known
            return (Verdict.AGREED if reached else Verdict.DIFFERS), said
        case Status.OPTIMAL:
            return (Verdict.AGREED if result.score == known else Verdict.DIFFERS), said
        case Status.UNKNOWN if result.remarks and NOT_SETTLED not in result.remarks:
            return Verdict.REFUSED, said
        case Status.FEASIBLE | Status.UNKNOWN:
            return (Verdict.OPEN if _between(question, result, known) else Verdict.DIFFERS), said


def _between(question: Question, result: Result, known: int | None) -> bool:
    """Whether an answer without a proof leaves room for what is known."""
    if known is None:
        return result.score is None or question.goal is Goal.REACH
    sign = -1 if question.goal is Goal.MINIMISE else 1
    return (result.score is None or sign * result.score <= sign * known) and (
        result.bound is None or sign * known <= sign * result.bound
    )


def replayed(engine: Engine, state: State, question: Question, result: Result) -> int:
    """The value at the end of a plan by the reference reading, every move of it legal. Raises `AssertionError`."""
    for move in result.plan:
        assert move in engine.legal(state), "a move of the plan is not legal"
        state = engine.apply(state, move)
    assert engine.over(state) or question.goal is Goal.REACH, "the plan does not come to the end"
    return sum(engine.value(term, state) for term in question.values)


# Many ----------------------------------------------------------------------------------------------

TELLING = 50
"""After so many cases a campaign says what it has found."""

CASES = {"positions": position_case, "variants": variant_case}
COMING = {"positions": 6, "variants": 4}
"""How many tiles are to come at most, unless fewer are asked for: of variants because all is enumerated."""


def _one(kind: str, engine: str, coming: int, number: int) -> Tally:
    try:
        return CASES[kind](number, ENGINES[engine], coming)
    except Exception as error:
        tally = Tally()
        tally.note(Verdict.DIFFERS, f"{kind} {number}: {type(error).__name__}: {error}")
        return tally


def campaign(kind: str, numbers: Sequence[int], engine: str = "portfolio", workers: int = 2, coming: int = 0) -> Tally:
    """So many cases of a kind. Tells how far it is, so that something is known of one that is cut off."""
    tally, began = Tally(), time.perf_counter()
    one = partial(_one, kind, engine, coming or COMING[kind])
    with ProcessPoolExecutor(workers) as pool:
        for done, part in enumerate(pool.map(one, numbers, chunksize=4), 1):
            for difference in part.differences:
                print(difference, flush=True)
            tally.add(part)
            if done % TELLING == 0:
                print(tally.line(kind, done, engine, time.perf_counter() - began), flush=True)
    return tally


def a_few(kind: str, numbers: range, engine: str = "portfolio", coming: int = 0) -> Tally:
    """The same here and now, in this process."""
    tally = Tally()
    for number in numbers:
        tally.add(_one(kind, engine, coming or COMING[kind], number))
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=(*CASES, "show"))
    parser.add_argument("number", type=int, nargs="?", default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--coming", type=int, default=0, help="tiles to come at most")
    parser.add_argument("--only", type=int, action="append", help="of the positions those with so many tiles to come")
    parser.add_argument("--engine", choices=list(ENGINES), default="portfolio")
    parser.add_argument("--workers", type=int, default=1)
    wish = parser.parse_args()
    if wish.only and wish.kind != "positions":
        parser.error("--only picks positions")
    if wish.kind == "show":
        case = made(wish.number, wish.coming or COMING["variants"])
        print("\n".join((*case.variant.texts, case.text)))
        return 0
    began = time.perf_counter()
    numbers = [n for n in range(wish.first, wish.first + wish.count) if not wish.only or coming_in(n) in wish.only]
    tally = campaign(wish.kind, numbers, wish.engine, wish.workers, wish.coming)
    print(tally.line(wish.kind, len(numbers), wish.engine, time.perf_counter() - began))
    return int(bool(tally.differences))


if __name__ == "__main__":
    sys.exit(main())
