"""Questions with the plans of other players given, against plain enumeration under the rules as they stand."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import pytest
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.explain import titles
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.tree.puzzles import GivenPlan, Others, Puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.plan_replay import PlanError, replay
from rulewright.puzzles.position import Position
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import SHIPPED
from rulewright.rules.model.game import Game
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.best.fallback import FallbackSearch
from rulewright.solver.best.problem import Problem
from rulewright.solver.cpsat.process.standalone import refuted
from rulewright.solver.result import Limits, Result, Status
from rulewright.studies.verified_plan import verified_steps
from tests.solver.asking import by_kernels

POND = """module pond:
    "Frogs hop and eat flies; whoever is followed may be croaked at, where there is something to croak about."

players 2..3

space pond: square grid 3 x 2

state:
    frog of player:  cell of pond
    flies of player: 0..9
    eaten of pond:   truth
    hops:            0..9
    rounds:          0..9
    behind of player: player
    last:            player

action hop(to in around(frog of player)):
    require free: every p in players: frog of p != to else "a frog sits there"
    require fresh: hops < 2 else "it is tired"
    effect hop: frog of player := to
    effect tire: hops += 1

action eat:
    require fly: not eaten of (frog of player) else "there is no fly"
    effect eat: eaten of (frog of player) := yes
    effect gain: flies of player += 1

action croak:
    require more: flies of player > flies of behind of player else "there is nothing to croak about"
    effect scare: flies of player -= 1

procedure set_up:
    sit: for p in players:
        frog of p := step(cell(0, 0), E, hops)
        hops += 1
        last := p
    awake: hops := 0
    order: for p in players:
        behind of p := last
        last := p

procedure rest:
    rest: hops := 0

procedure evening:
    night: rounds += 1

flow:
    set_up
    repeat until rounds = 2:
        for player in players:
            turn:
                repeat: choose hop, eat, or stop
                rest
            repeat: choose croak by behind of player
        evening

score feast of player: flies of player

winner: most feast
"""

ASKS = {
    "pond": (
        "maximise flies of 1 - flies of 2 for 2 turns",
        "minimise 10 * flies of 2 + row(frog of 1) for 3 turns",
        "reach flies of 1 >= 2 for 3 turns",
        "fewest moves until flies of 1 >= 2",
        "win for 1",
    ),
    "noughts_and_crosses": ("win for 1", "maximise rows of 1 - rows of 2 until end", "fewest moves until row_of_three(1)"),
    "worker_placement": ("maximise wealth of 1 - wealth of 2 until end", "reach wealth of 1 >= 8 until end"),
}


@cache
def game(name: str) -> Game:
    text = POND if name == "pond" else (SHIPPED / "classics" / f"{name}.rules").read_text("utf-8")
    module = parse_module(text, name)
    return link({module.header.name: module}, [module.header.name])


def puzzle(name: str, players: int, ask: str) -> Puzzle:
    return parse_puzzle(f"puzzle asked:\n    rules {name}\n    players {players}\n    ask: {ask}\n", "a puzzle")


def position(name: str, players: int, ask: str, plans: Mapping[int, Sequence[str]], state: State | None = None) -> Position:
    """The set-up, or another state, with these plans given."""
    given = tuple(GivenPlan(player, tuple(plan)) for player, plan in plans.items())
    found = set_up_position(evolve(puzzle(name, players, f"{ask} {Others.GIVEN.value}"), given=given), game(name))
    return found if state is None else evolve(found, state=state)


Ends = list[tuple[int, State]]


def ends(engine: Engine, state: State, plans: Mapping[int, Sequence[str]], until: Term | None = None) -> Ends:
    """Every end of a line of play that keeps to the plans, with its number of moves, by the rules as they stand."""
    found: Ends = []
    pending: list[tuple[int, State, dict[int, int]]] = [(0, state, dict.fromkeys(plans, 0))]
    while pending:
        length, here, done = pending.pop()
        if engine.over(here) or (until is not None and engine.value(until, here)):
            found.append((length, here))
            continue
        player = engine.player(here)
        for move in engine.legal(here):
            if player in plans:
                plan = plans[player]
                if done[player] == len(plan) or format_move(engine, here, move) != plan[done[player]]:
                    continue
            after = {**done, player: done[player] + 1} if player in plans else done
            pending.append((length + 1, engine.apply(here, move), after))
    return found


def expected(name: str, players: int, ask: str, plans: Mapping[int, Sequence[str]], state: State) -> int | bool | None:
    """The answer by enumeration; None where no line of play keeps to the plans."""
    plain = set_up_position(puzzle(name, players, ask), game(name))
    question = plain.question
    assert question is not None
    found = ends(plain.asked, state, plans, question.until)
    if question.until is not None:
        return min((n for n, end in found if plain.engine.value(question.until, end)), default=None)
    values = [sum(plain.engine.value(value, end) for value in question.values) for _, end in found]
    if ask.startswith("reach"):
        return any(value >= question.threshold for value in values)
    return (min if ask.startswith("minimise") else max)(values, default=None)


def given(here: Position, limits: Limits = Limits(20)) -> int | bool | None:  # noqa: B008
    """What the solver answers; its plan has been replayed by the rules as they stand."""
    assert here.question is not None
    try:
        result = answer(here.asked, here.root, here.question, limits)
    except RulesError as error:
        assert [diagnostic.code for diagnostic in error.diagnostics] == ["RW386"]
        return None
    return checked(here, result)


def checked(here: Position, result: Result) -> int | bool | None:
    question, puzzle = here.question, here.puzzle
    assert question is not None
    assert puzzle.ask is not None
    is_reach = question.threshold > 0
    if result.status is Status.IMPOSSIBLE:
        return False if is_reach else None
    steps = verified_steps(here.asked, here.root, question, result)
    plies = replay(here.played, here.begun, [step.text for step in steps])
    for plan in puzzle.given:
        own = [ply.text for ply in plies if ply.player == plan.player]
        assert own == list(plan.actions[: len(own)])
    return is_reach or result.score


def random_plans(engine: Engine, state: State, players: Sequence[int], rng: random.Random) -> dict[int, list[str]]:
    """What some players did in a random game; now and then something is left out or done twice."""
    plans: dict[int, list[str]] = {player: [] for player in players}
    while not engine.over(state):
        move, player = rng.choice(engine.legal(state)), engine.player(state)
        if player in plans:
            plans[player].append(format_move(engine, state, move))
        state = engine.apply(state, move)
    for plan in plans.values():
        if plan and rng.random() < 0.3:
            plan.pop(rng.randrange(len(plan)))
        if plan and rng.random() < 0.3:
            plan.insert(rng.randrange(len(plan)), rng.choice(plan))
        plan.append("croak" if "pond" in engine.game.modules else plan[-1] if plan else "send forest")
    return plans


def cases(name: str, number: int, seed: int) -> Iterator[tuple[int, str, dict[int, list[str]], State]]:
    rng = random.Random(seed)
    for _ in range(number):
        players = rng.choice((2, 3)) if name == "pond" else 2
        ask = rng.choice(ASKS[name])
        here = set_up_position(puzzle(name, players, ask), game(name))
        engine, state, line = here.asked, here.root, []
        while not engine.over(state):
            line.append(state)
            state = engine.apply(state, rng.choice(engine.legal(state)))
        begun = rng.choice(line[-8:]) if name != "pond" else rng.choice(line)
        followers = sorted(rng.sample(range(1, players + 1), rng.randint(1, players - 1)))
        plans = {player: plan for player, plan in random_plans(engine, begun, followers, rng).items() if plan}
        if name == "noughts_and_crosses" and any("send forest" in plan for plan in plans.values()):
            continue
        yield players, ask, plans, begun


def compare(name: str, number: int, seed: int) -> set[bool]:
    """Compares so many random cases; gives whether there was one where no line of play keeps to the plans, and another."""
    found = set()
    for players, ask, plans, state in cases(name, number, seed):
        value = expected(name, players, ask, plans, state)
        assert given(position(name, players, ask, plans, state)) == value, (ask, plans)
        found.add(value is None)
    return found


@pytest.mark.parametrize("name", ASKS)
def test_random_plans(name: str) -> None:
    compare(name, 5, 1)


@pytest.mark.campaign
@pytest.mark.parametrize("name", ASKS)
def test_many_random_plans(name: str) -> None:
    assert compare(name, 60, 2) == {True, False}


POND_PLANS = {2: ("hop south", "eat", "stop", "hop east", "eat", "stop")}
POND_ASK = "maximise 10 * flies of 1 - flies of 2 for 3 turns"


def test_all_engines_agree() -> None:
    here = position("pond", 2, POND_ASK, POND_PLANS)
    value = expected("pond", 2, POND_ASK, POND_PLANS, here.state)
    assert isinstance(value, int)
    assert here.question is not None
    problem = Problem(here.asked, here.root, here.question)
    assert by_kernels(problem).score == value
    assert FallbackSearch(problem, time.monotonic() + 60).run().score == value
    shown, _, remark = refuted(here.asked, here.root, here.question, value + 1, 60, Limits(60))
    assert shown is True or remark


def test_the_message_says_where_plans_fail() -> None:
    here = position("pond", 2, "maximise flies of 1 for 4 turns", {2: ("stop", "hop north", "stop")})
    assert here.question is not None
    with pytest.raises(RulesError) as caught:
        answer(here.asked, here.root, here.question, Limits(20))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RW386"
    assert diagnostic.help.endswith("the plan of player 2 continues with action 2, which is not legal there")
    short = position("pond", 2, "maximise flies of 1 for 4 turns", {2: ("stop",)})
    assert short.question is not None
    with pytest.raises(RulesError) as caught:
        answer(short.asked, short.root, short.question, Limits(20))
    assert caught.value.diagnostics[0].help.endswith("the plan of player 2 has ended")


def test_who_is_free_to_play_is_not_held_to_a_plan() -> None:
    here = position("pond", 2, "maximise flies of 1 for 2 turns", {2: ("stop",)})
    assert "break" not in "".join(here.played.game.actions)
    with pytest.raises(PlanError):
        replay(here.played, here.begun, ["stop", "hop north"])
    replay(here.played, here.begun, ["stop", "hop south"])


@pytest.mark.parametrize(
    ("ask", "plans", "code"),
    [
        ("maximise score until end with their plans given", "", "RW373"),
        ("maximise score until end", "plan of 2: stop", "RW373"),
        ("maximise score until end with their plans given", "plan of 4: stop", "RW370"),
        ("maximise score until end with their plans given", "plan of 2: hop nowhere", "RW351"),
        ("maximise score until end with their plans given", "plan of 2: jump", "RW350"),
        ("maximise score until end with their plans given in expectation", "plan of 2: stop", "RW382"),
    ],
)
def test_plans_that_are_refused(ask: str, plans: str, code: str) -> None:
    text = f"puzzle asked:\n    rules pond\n    players 2\n    ask: {ask}\n    {plans}\n"
    with pytest.raises(RulesError) as caught:
        set_up_position(parse_puzzle(text, "a puzzle"), game("pond"))
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]


def test_the_codes_have_pages() -> None:
    assert "RW386" in titles()
