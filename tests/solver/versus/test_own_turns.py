"""Questions in a number of own turns, against plain enumeration: who wins, keys, tries and every line of the solution."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import COUNTED, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Status
from rulewright.solver.versus import kernel
from rulewright.solver.versus import problem as problems
from rulewright.solver.versus.kernel_search import KernelSearch
from rulewright.solver.versus.plain_search import PlainSearch
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.solver.versus.solution import Line, Solving
from rulewright.studies.verified_plan import verified_steps
from tests.solver.planting import Fault, plant_in_kernels
from tests.solver.versus import endgames
from tests.solver.versus.endgames import endgame, engine_of, question

AGAIN = """module again:
    "Take stones, and again while their number is odd; a player who is stuck is passed over."

players 2

state:
    heap:            0..12 = 9
    won of player:   0..12
    stuck of player: truth

action take(n in 1..2):
    require enough: heap >= n
    require free: not stuck of player
    effect take: heap -= n
    effect gain: won of player += n

action stick:
    require first: not stuck of player and heap < 6
    effect set: stuck of player := yes

flow:
    repeat until heap = 0 or (every p in players: stuck of p):
        for player in players where heap > 0:
            turn:
                first: choose take, stick
                repeat until heap mod 2 = 0 or stuck of player:
                    more: choose take, stick

score takings of player: won of player

winner: most takings
"""

GAMES = ("noughts_and_crosses", "auction", "goose", "again")
UNITS = {"noughts_and_crosses": ("moves",)}
ASKED = ("win for {} in {} {}", "lose for {} in {} {}", "win for {} in {} {} together")


@pytest.fixture(autouse=True)
def _own_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(endgames.OWN, "again", AGAIN)


def used_in(engine: Engine, asked: Question, line: tuple[State, ...]) -> int:
    """The own turns, or moves, that a line begins."""
    own = [at[COUNTED] for at in line if engine.chooser(at) == asked.player]
    return len(own if asked.horizon is None else set(own))


def solves(engine: Engine, asked: Question, path: tuple[State, ...], state: State, turns: int) -> bool:
    """Whether what is asked comes about in so many own turns of the whole line, by trying everything."""
    if engine.over(state):
        return sum(engine.value(value, state) for value in asked.values) >= asked.threshold
    moves = engine.legal(state)
    if not moves:
        return sum(engine.value(value, state) for value in asked.values) >= asked.threshold
    line = (*path, state)
    if used_in(engine, asked, line) > turns:
        return False
    results = (solves(engine, asked, line, engine.apply(state, move), turns) for move in moves)
    helps = asked.others.value == "together" or engine.chooser(state) == asked.player
    return any(results) if helps else all(results)


def asked_at_random(name: str, rng: random.Random) -> tuple[State, Question]:
    players = endgames.PLAYERS.get(name, 2)
    unit = rng.choice(UNITS.get(name, ("turns", "moves")))
    text = rng.choice(ASKED).format(rng.randint(1, players), rng.randint(1, 3), unit)
    return endgame(name, rng, 120), question(name, text)


def checked(name: str, rng: random.Random) -> bool:
    """Both searches agree with the enumeration; gives what it says."""
    state, asked = asked_at_random(name, rng)
    engine = engine_of(name).with_horizon(asked.horizon)
    assert asked.own_turns is not None
    expected = solves(engine, asked, (), state, asked.own_turns)
    problem, deadline = MinimaxProblem(engine, state, asked), time.monotonic() + 60
    for judge in (PlainSearch(problem, deadline, Limits()), KernelSearch(problem, deadline, Limits())):
        bound = judge.judge((), 1, lambda: None)
        assert bound is not None and (bound >= 1) == expected
    result = answer(engine, state, asked, Limits(30))
    assert result.status is (Status.OPTIMAL if expected else Status.IMPOSSIBLE)
    assert bool(verified_steps(engine, state, asked, result)) == (expected and not engine.over(state))
    return expected


@pytest.mark.parametrize("name", GAMES)
def test_against_enumeration(name: str) -> None:
    rng = random.Random(name)
    found = [checked(name, rng) for _ in range(12)]
    assert {True, False} == set(found)


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_many_against_enumeration(name: str) -> None:
    rng = random.Random(f"many {name}")
    for _ in range(400):
        checked(name, rng)


def lines_of(lines: tuple[Line, ...]) -> Iterator[tuple[Move, ...]]:
    for line in lines:
        for rest in lines_of(line.replies) if line.replies else ((),):
            yield (line.move, *rest)


def enumerated(engine: Engine, asked: Question, path: tuple[State, ...], state: State, most: int) -> Iterator[tuple[Move, ...]]:
    """The lines of a solution by trying everything: all defences, and the continuations that take the fewest turns."""
    if engine.over(state) or not (moves := engine.legal(state)):
        yield ()
        return
    line = (*path, state)
    together = asked.others.value == "together"
    used = used_in(engine, asked, line)
    chosen = moves
    if together or engine.chooser(state) == asked.player:
        fewest = range(used, most) if path and not together else ()
        for turns in (*fewest, most):
            chosen = [move for move in moves if solves(engine, asked, line, engine.apply(state, move), turns)]
            if chosen:
                break
    for move in chosen:
        for rest in enumerated(engine, asked, line, engine.apply(state, move), most):
            yield (move, *rest)


def compare_solution(name: str, rng: random.Random) -> int:
    """The lines of a solution and its tries are those of the enumeration; gives how many lines there are."""
    state, asked = asked_at_random(name, rng)
    engine = engine_of(name).with_horizon(asked.horizon)
    most = asked.own_turns
    assert most is not None
    if engine.over(state) or not solves(engine, asked, (), state, most):
        return 0
    problem = MinimaxProblem(engine, state, asked)
    expected = sorted(enumerated(engine, asked, (), state, most))
    for judge in (
        PlainSearch(problem, time.monotonic() + 60, Limits()),
        KernelSearch(problem, time.monotonic() + 60, Limits()),
    ):
        found = Solving(problem, judge).solution(99)
        assert sorted(lines_of(found.lines)) == expected
        if problem.is_together or not problem.is_own(state):
            assert found.tries == ()
            continue
        keys, tries = {line.move for line in found.lines}, {}
        for move in engine.legal(state):
            after = engine.apply(state, move)
            if move in keys or engine.over(after) or problem.is_own(after):
                continue
            line = (state, after)
            refuting = [
                reply for reply in engine.legal(after) if not solves(engine, asked, line, engine.apply(after, reply), most)
            ]
            if len(refuting) == 1:
                tries[move] = refuting[0]
        assert {one.move: one.refutation for one in found.tries} == tries
    return len(expected)


@pytest.mark.parametrize("name", GAMES)
def test_solutions(name: str) -> None:
    rng = random.Random(f"solutions {name}")
    lines = 0
    while lines < 4:
        lines += compare_solution(name, rng)


def test_a_clock_that_ticks_at_every_choice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def ticked(problem: MinimaxProblem, clock: problems.Clock, state: State) -> problems.Clock:
        return problems.Clock(clock.left - 1, state[COUNTED])

    monkeypatch.setattr(MinimaxProblem, "ticked", ticked)
    with pytest.raises(AssertionError):
        test_against_enumeration("again")


FAULTS = (
    Fault("no turn is ever taken", kernel, "        search.left -= 1\n", ""),
    Fault(
        "each choice takes a turn", kernel, "search.limited == TURNS and game.counted != search.turn", "search.limited == TURNS"
    ),
    Fault("a table that knows no clock", kernel, "if search.limited != NOTHING:", "if search.limited < NOTHING:"),
    Fault("a clock that is not put back", kernel, "    search.left = frame.left\n", ""),
    Fault("a turn too many", kernel, "    if search.left < 0:\n", "    if search.left < -1:\n"),
    Fault("nobody helps", kernel, "if is_asked or search.is_together == 1:", "if is_asked:"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(fault, monkeypatch)
    with pytest.raises((AssertionError, RulesError)):
        rng = random.Random("faults")
        for _ in range(40):
            for name in ("again", "goose", "auction"):
                checked(name, rng)
                compare_solution(name, rng)


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ("win for 1 in 0 moves", "RW330"),
        ("win for 1 in 2 rounds", "RW330"),
        ("win for 3 in 2 moves", "RW370"),
        ("win for 1 in 2 moves in expectation", "RW382"),
        ("win for 1 in 2 moves with their plans given", "RW372"),
    ],
)
def test_refused(ask: str, code: str) -> None:
    with pytest.raises(RulesError) as refused:
        question("noughts_and_crosses", ask)
    assert refused.value.diagnostics[0].code == code


@pytest.mark.parametrize("ask", ["win for 1 in 2 turns", "lose for 2 in 1 turn together", "lose for 1", "win for 2 in 1 turn"])
def test_printed_as_read(ask: str) -> None:
    text = f"puzzle asked:\n    rules asked\n\n    ask: {ask}\n"
    assert print_puzzle(parse_puzzle(text, "asked")) == text


@pytest.mark.parametrize(
    ("ask", "status"), [("lose for 1", Status.IMPOSSIBLE), ("lose for 1 in 4 moves together", Status.OPTIMAL)]
)
def test_to_lose(ask: str, status: Status) -> None:
    """At noughts and crosses nobody is made to win, but both together can see to it."""
    engine = engine_of("noughts_and_crosses")
    assert answer(engine, engine.start(), question("noughts_and_crosses", ask), Limits(30)).status is status


TO_AND_FRO = """module to_and_fro:
    "A turn ends when the player has reached the other bank, and may go on for ever."

players 2

state:
    bank:            0..2
    got of player:   truth

action cross(to in 0..2):
    require other: to != bank
    effect go:  bank := to
    effect win: if bank = 2: got of player := yes

flow:
    for player in players:
        turn:
            repeat until bank = 2:
                step: choose cross

score crossed of player: if got of player then 1 else 0

winner: most crossed
"""


def test_a_turn_that_need_not_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search comes to a position again, and what is found for any number of turns would not answer the question."""
    monkeypatch.setitem(endgames.OWN, "to_and_fro", TO_AND_FRO)
    asked = question("to_and_fro", "lose for 1 in 1 turn")
    engine = engine_of("to_and_fro").with_horizon(asked.horizon)
    with pytest.raises(RulesError) as refused:
        answer(engine, engine.start(), asked, Limits(30))
    assert refused.value.diagnostics[0].code == "RW374"
