"""Stubborn sets against enumeration: from each state that has a plan, some move that is tried leads nearer to the goal."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.puzzles.position import Position
from rulewright.rules.analysis.commutation import CommutingActions
from rulewright.rules.analysis.stubborn_sets import StubbornSets
from rulewright.rules.play.engine import State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.symbolic.circuit import Refused
from rulewright.rules.symbolic.symbolic_state import Slot
from rulewright.solver.kernel import run
from rulewright.solver.result import Status
from rulewright.solver.shortest import boosters
from rulewright.solver.shortest.game import ENTRIES, CostGame
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.solver.shortest.stubborn_layout import stubborn_words
from rulewright.studies.verified_plan import verified_steps
from rulewright.subset.program import as_python
from tests.rules.playing import linked
from tests.solver.shortest.estimates.carriers import lifts
from tests.solver.shortest.estimates.spaces import LAMPS, Instance, exact, graph, lamps
from tests.solver.shortest.questions import asked, search_of

MOST_STATES = 3_000

GAME = """
module signs:
    "Lamps, flags and shades, changed by two actions that may be in each other's way."

space board: square grid {width} x {height}

state:
    lit of board: truth
    flag of board: truth
    shade of board: 0..2
    gone: 0..9

define goal:
    = {goal}

action press(to in board):
    require free: {first}
    effect act: {press}
    effect tally: gone += {step}

action drop(to in board):
    require free: {second}
    effect act: {drop}
    effect tally: gone += {step}

flow:
    repeat until goal{until}:
        turn:
            choose press, drop

score none: 0
"""
NEEDS = (
    "gone < 9",
    "gone < 2",
    "gone >= 2",
    "not flag of to",
    "not flag of to",
    "flag of to",
    "shade of to < 2",
    "not lit of to",
    "every c in around(to): not flag of c",
    "every c in around(to): shade of c != 1",
    "column(to) = 0 or lit of step(to, W)",
    "not flag of step(to, E)",
)
EFFECTS = {
    "lit": (
        "lit of to := not lit of to",
        "lit of to := not lit of to\n    effect spread: for c in around(to): lit of c := not lit of c",
        "lit of to := yes\n    effect next: for c in around(to) where column(c) > column(to): flag of c := yes",
    ),
    "flag": (
        "flag of to := yes",
        "flag of to := not flag of to",
        "for c in around(to): flag of c := yes",
    ),
    "shade": (
        "shade of to := (shade of to + 1) mod 3",
        "shade of to := 2",
        "for c in around(to): shade of c := (shade of c + 1) mod 3",
    ),
}
GOALS = (
    ("lit", "flag", "every c in board: lit of c"),
    ("flag", "lit", "every c in board: flag of c"),
    ("shade", "flag", "every c in board: shade of c = 2"),
    ("lit", "flag", "(every c in board: lit of c) and (every c in board: flag of c)"),
    ("lit", "flag", "(every c in board: lit of c) and gone != 2"),
    ("shade", "lit", "(every c in board: not lit of c) and (every c in board: shade of c != 0)"),
    ("flag", "lit", "(every c in board where column(c) = 0: flag of c) and (count c in board where lit of c) >= 2"),
)


def signs(rng: random.Random) -> Position:
    width, height = rng.choice(((2, 1), (3, 1), (2, 2)))
    press, drop, goal = rng.choice(GOALS)
    until = rng.choice(("", "", " or gone >= 5"))
    text = GAME.format(
        width=width,
        height=height,
        goal=goal,
        first=rng.choice(NEEDS),
        second=rng.choice(NEEDS),
        press=rng.choice(EFFECTS[press]),
        drop=rng.choice(EFFECTS[drop]),
        step=int(bool(until)),
        until=until,
    )
    cells = [(column, row) for column in range(width) for row in range(height)]
    body = "".join(
        f"\n    {name}: {', '.join(f'({column},{row})' for column, row in rng.sample(cells, rng.randint(1, len(cells))))}"
        for name in ("lit", "flag")
        if rng.random() < 0.5
    )
    return asked(linked(text), "fewest moves until goal", body + "\n")


def sets_of(position: Position) -> StubbornSets:
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    return StubbornSets.of(problem.engine, problem.analysis, problem.root, problem.until, 60)


def tried_moves(position: Position, sets: StubbornSets) -> Callable[[State], Sequence[tuple[int, ...]]]:
    """The moves that the kernel tries in a state."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    kernel = CostGame(problem, entries=(*ENTRIES, "keep_tried")).compiled
    machine = kernel.machine(kernel.program(as_python))
    words = stubborn_words(sets, machine)

    def tried(state: State) -> Sequence[tuple[int, ...]]:
        machine.load(state)
        width, count = machine.game.width, len(machine.legal())
        end = machine.program.keep_tried(words, machine.memory, machine.moves, 0, width * count, width)
        return [machine.move_in(machine.moves, at) for at in range(0, end, width)]

    return tried


def check(position: Position, most: int = MOST_STATES) -> Counter[str]:
    """What came of an instance; raises `AssertionError` if a state loses its shortest plans."""
    engine, question = position.asked, position.question
    assert question is not None and question.until is not None
    try:
        sets = sets_of(position)
    except Refused:
        return Counter(refused=1)
    try:
        after = graph(engine, position.root, most)
    except PlayError:
        return Counter(stops=1)
    left = exact(after, {here for here in after if engine.value(question.until, here)})
    tried = tried_moves(position, sets)
    came = Counter(commute=1)
    for state, distance in left.items():
        if distance:
            moves = tried(state)
            legal = engine.legal(state)
            assert set(moves) <= set(legal)
            assert any(left.get(engine.apply(state, move)) == distance - 1 for move in moves), state
            came["states"] += 1
            came["narrowed"] += len(moves) < len(legal)
    return came


def checked(make: Instance, seeds: range) -> Counter[str]:
    found = Counter[str]()
    for seed in seeds:
        try:
            found += check(make(random.Random(f"{make.__name__} {seed}")))
        except AssertionError as wrong:
            if "more than" not in str(wrong):
                raise AssertionError(f"{make.__name__} {seed}: {wrong}") from wrong
            found["large"] += 1
    return found


@pytest.mark.parametrize("make", [signs, lamps], ids=lambda make: make.__name__)
def test_a_shortest_plan_is_kept_from_each_state(make: Instance) -> None:
    found = checked(make, range(80 if make is signs else 6))
    assert found["narrowed"] > found["states"] / 2 > 100, found
    if make is signs:
        assert found["commute"] > 10 and found["refused"] > 10, found


def test_no_set_is_found_for_lifts() -> None:
    """Whose moves make each other legal."""
    assert checked(lifts, range(6)) == Counter(refused=6)


@pytest.mark.campaign
def test_many_games() -> None:
    found = checked(signs, range(80, 1500))
    print(dict(found))
    assert found["states"] > 5_000


def one_writer(found: StubbornSets) -> StubbornSets:
    """Of each slot only one action is known to write it."""
    seen = set[Slot]()
    actions = []
    for action in found.actions:
        accesses = {slot: access for slot, access in action.accesses.items() if not (access.writes and slot in seen)}
        seen |= {slot for slot, access in accesses.items() if access.writes}
        actions.append(evolve(action, accesses=accesses))
    return evolve(found, actions=tuple(actions))


FAULTS: dict[str, Callable[[StubbornSets], StubbornSets]] = {
    "goals are taken for their contrary": lambda found: evolve(
        found, goals={slot: frozenset(range(3)) - values for slot, values in found.goals.items()}
    ),
    "one writer of each slot": one_writer,
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    find = sets_of
    monkeypatch.setattr(sys.modules[__name__], "sets_of", lambda position: FAULTS[name](find(position)))
    with pytest.raises(AssertionError, match="signs"):
        checked(signs, range(60))


def test_it_is_noticed_if_actions_do_not_commute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CommutingActions, "_check_readers", lambda found: None)
    with pytest.raises(AssertionError, match="signs"):
        checked(signs, range(60))


def test_an_end_that_only_some_actions_bring_about_is_refused() -> None:
    text = signs_text(until=" or (some c in board: flag of c)")
    with pytest.raises(Refused, match="play that ends before the goal"):
        sets_of(asked(linked(text), "fewest moves until goal"))


def test_an_end_that_each_action_counts_towards_does_not_matter() -> None:
    text = signs_text(until=" or gone >= 5", step=1)
    found = sets_of(asked(linked(text), "fewest moves until goal"))
    assert not any(slot[0] == "gone" for action in found.actions for slot in action.accesses)


def test_what_all_actions_count_towards_is_no_slot_of_the_goal() -> None:
    text = signs_text(goal="(every c in board: lit of c) and gone >= 4", until=" or gone >= 5", step=1)
    position = asked(linked(text), "fewest moves until goal")
    assert {slot[0] for slot in sets_of(position).goals} == {"lit"}
    assert check(position)["narrowed"]


@pytest.mark.parametrize("need", ["gone < 2", "gone >= 2"])
def test_an_action_with_its_own_hours_is_not_moved_out_of_them(need: str) -> None:
    """What all actions count ends play; here only one of them also needs it to be small or great."""
    text = signs_text(until=" or gone >= 5", step=1, second=need)
    with pytest.raises(Refused, match="play that ends before the goal"):
        sets_of(asked(linked(text), "fewest moves until goal"))


def test_a_goal_of_no_single_slot_is_refused() -> None:
    text = signs_text(goal="every c in board: lit of c or flag of c")
    with pytest.raises(Refused, match="joins several variables"):
        sets_of(asked(linked(text), "fewest moves until goal"))


def signs_text(**changed: object) -> str:
    given: dict[str, object] = {
        "width": 2,
        "height": 2,
        "goal": "every c in board: lit of c",
        "first": "shade of to < 2",
        "second": "not flag of to",
        "press": "lit of to := not lit of to",
        "drop": "flag of to := yes",
        "step": 0,
        "until": "",
    }
    return GAME.format(**{**given, **changed})


def test_a_board_of_lamps_takes_fewer_states_with_one_worker_or_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    rules = LAMPS.replace("3 x 3", "4 x 4")
    lit = set[tuple[int, int]]()
    for column, row in ((0, 0), (2, 0), (1, 1), (3, 1), (2, 3), (3, 3)):
        lit ^= {(column, row), (column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
    cells = ", ".join(f"({column},{row})" for column, row in sorted(lit) if 0 <= column < 4 and 0 <= row < 4)
    position = asked(linked(rules), "fewest moves until dark", f"\n    lit: {cells}\n")
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    monkeypatch.setattr(run, "OPTIMISED", 1)
    monkeypatch.setattr(boosters, "MANY", 3)
    found = {}
    for narrows, workers in ((False, 1), (True, 1), (True, 2)):
        search = search_of(problem, workers=workers)
        search.boosters = [*([boosters.StubbornMoves()] if narrows else []), boosters.Division()]
        result = search.answer()
        verified_steps(position.asked, position.state, position.question, result)
        assert len(search.workers.members) == workers
        found[narrows, workers] = result
    assert {result.status for result in found.values()} == {Status.OPTIMAL}
    assert len({result.score for result in found.values()}) == 1
    assert found[True, 1].states < found[False, 1].states / 2
    assert found[True, 2].states < found[False, 1].states
