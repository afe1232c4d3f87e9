"""Questions for the fewest moves and turns, and for the least cost, until a condition holds."""

from __future__ import annotations

import random
import re
import threading
import time
from pathlib import Path

import pytest

from rulewright.base.choices import Engines
from rulewright.base.diagnostics import RulesError
from rulewright.base.hash_keys import HashKey
from rulewright.grammar.explain import explanation
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import replay
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.solver.answer.portfolio import answer, check_question
from rulewright.solver.answer.shortest_answer import answer_least
from rulewright.solver.kernel import run
from rulewright.solver.result import Limits, Listener, Result, Status
from rulewright.solver.shortest import game as known_states
from rulewright.solver.shortest.problem import ShortestPlanProblem, UniformCostSearch
from rulewright.solver.shortest.search import NO_MORE_STATES, NO_ROOM, ShortestSearch
from rulewright.studies.verified_plan import proved_answer, verified_steps
from rulewright.subset.program import Maker, Program
from rulewright.subset.refusal import CannotCompile
from tests.paths import ROOT
from tests.rules.playing import linked, shipped
from tests.solver.shortest.questions import asked, least, question, search_of

WALK = """
module walk:
    "Round a ring of huts in one's boots, with a pit that nobody leaves, and tolls."

space ring: ring 12

state:
    here:  cell of ring = origin of ring
    coins: 0..40
    tired: truth
    rests: 0..3

define at_home = column(here) = 7

action go(to in around(here)):
    require pit: column(here) != {pit} else "nobody leaves the pit"
    require fresh: not tired else "you are tired"
    require purse: coins < 30 else "no coin is left"
    effect go: here := to
    effect pay: coins += {toll}
    effect tire: tired := {tires}

action rest:
    require tired: tired else "you are not tired"
    require soon: rests < 3 else "there is no time to rest"
    effect wake: tired := no
    effect note: rests += 1

flow:
    for player in players:
        repeat:
            turn: repeat: choose go, rest, or stop

score worth: coins
"""

TOLLS = ("1", "column(to) mod 3", "(if column(to) < 6 then 3 else 0)", "0")
TIRES = ("no", "column(to) mod 2 = 0", "column(to) < 6")
ASKS = (
    "fewest moves until at_home",
    "fewest turns until at_home",
    "least coins until at_home",
    "least coins + 2 * rests until at_home",
)


def walk(rng: random.Random) -> Game:
    return linked(WALK.format(pit=rng.choice((2, 5, 9, 10)), toll=rng.choice(TOLLS), tires=rng.choice(TIRES)))


def by_everybody(engine: Engine, state: State, asks: Question) -> list[Result]:
    """By the kernel as Python and as machine code, and by the search over immutable states."""
    problem = ShortestPlanProblem(engine, state, asks)
    later = time.monotonic() + 60
    found = [UniformCostSearch(problem, later, Limits()).run()]
    found += [search_of(problem, is_optimised).answer() for is_optimised in (False, True)]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_search_finds_the_least(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under random tolls, rests and pits, with tables so small that they grow."""
    monkeypatch.setattr(known_states, "FIRST_TABLE", 1 << 4)
    rng = random.Random(seed)
    game = walk(rng)
    for ask in ASKS:
        position = asked(game, ask, f"\n    here: ({rng.choice((0, 3, 4, 11))})")
        engine, state, asks = position.asked, position.state, position.question
        assert asks is not None
        expected = least(engine, state, asks)
        for result in by_everybody(engine, state, asks):
            assert result.status is (Status.IMPOSSIBLE if expected is None else Status.OPTIMAL)
            assert result.score == expected
            verified_steps(engine, state, asks, result)


def test_what_others_settle_is_not_waited_for_by_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler here waits for ever, and is called off as soon as the question is settled elsewhere."""

    called_off = list[bool]()

    def waiting(deadline: float, cancelled: threading.Event) -> Maker:
        def make(sources: object, entries: object) -> Program:
            called_off.append(cancelled.wait(30))
            raise CannotCompile("it was called off")

        return make

    monkeypatch.setattr(run, "as_machine_code_by", waiting)
    position = asked(walk(random.Random(1)), ASKS[0], "\n    here: (0)")
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    looks = iter([False, False])
    search = search_of(problem, is_optimised=False, listener=Listener(is_settled=lambda best: next(looks, True)))
    search.run._baseline_ends = 0.0
    search.answer()
    assert called_off == [True]


def test_a_dead_end_is_no_end() -> None:
    """The way by the pit is shorter, and leads nowhere; from the pit itself there is no way at all."""
    game = linked(WALK.format(pit=5, toll="0", tires="no"))
    results = [answer(p.asked, p.state, p.question) for p in (asked(game, ASKS[0], f"\n    here: ({at})") for at in (4, 5, 7))]
    assert [(result.status, result.score) for result in results] == [
        (Status.OPTIMAL, 9), (Status.IMPOSSIBLE, None), (Status.OPTIMAL, 0),
    ]  # fmt: skip
    assert results[2].plan == ()


def test_the_end_of_the_game_may_be_the_goal() -> None:
    text = WALK.format(pit=9, toll="1", tires="no").replace("repeat:\n", "repeat until at_home:\n")
    position = asked(linked(text.replace("repeat: choose go, rest, or stop", "choose go")), ASKS[0], "\n    here: (4)")
    results = by_everybody(position.asked, position.root, position.question)
    assert [(result.status, result.score) for result in results] == 3 * [(Status.OPTIMAL, 3)]
    *_, last = replay(position.engine, position.state, ["go (5)", "go (6)", "go (7)"])
    assert position.engine.over(last.state)


@pytest.mark.parametrize("value", ["max(coins, 2 * rests)", "min(coins, rests) + coins"])
def test_a_cost_may_be_the_greater_of_two(value: str) -> None:
    game = linked(WALK.format(pit=5, toll="1", tires="no"))
    position = asked(game, f"least {value} until at_home", "\n    here: (4)")
    results = by_everybody(position.asked, position.root, position.question)
    assert {result.status for result in results} == {Status.OPTIMAL} and len({result.score for result in results}) == 1


@pytest.mark.parametrize("value", ["0 - coins", "max(coins, 0 - rests)", "coins * rests", "column(here)", "worth - 2 * rests"])
def test_a_cost_that_may_fall_is_refused(value: str) -> None:
    game = linked(WALK.format(pit=5, toll="1", tires="no"))
    position = asked(game, f"least {value} until at_home", "\n    here: (4)")
    with pytest.raises(RulesError) as caught:
        check_question(position.asked, position.root, position.question)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RW333" and diagnostic.span is not None and diagnostic.help


def test_a_point_that_is_not_there_cannot_be_counted() -> None:
    game = linked(WALK.format(pit=5, toll="1", tires="no"))
    with pytest.raises(RulesError) as caught:
        question(game, "fewest trns until at_home")
    assert [(d.code, d.help) for d in caught.value.diagnostics] == [("RW330", "did you mean `turn`?")]
    with pytest.raises(RulesError) as caught:
        question(game, "fewest moves until coins")
    assert caught.value.diagnostics[0].code == "RW200"


def test_what_is_known_when_the_time_is_up() -> None:
    """Of the fifteen puzzle turned by half a circle, which takes dozens of slides."""
    position = asked(shipped("classics.fifteen"), "fewest moves until solved")
    problem = ShortestPlanProblem(position.asked, position.root, position.question)

    def rises(result: Result) -> bool:
        assert result.status in (Status.UNKNOWN, Status.FEASIBLE) and result.proof == ""
        assert result.score == (len(result.plan) if result.status is Status.FEASIBLE else None)
        assert result.bound is not None and result.bound <= (result.score or 80)
        return result.bound > 5

    limits = (0.3, 1.2, 4.8, 19.2)  # a busy machine may need all of a short one to begin
    assert any(rises(answer_least(problem, Limits(seconds), Listener())) for seconds in limits)
    assert any(rises(UniformCostSearch(problem, time.monotonic() + seconds, Limits()).run()) for seconds in limits)


HARDEST = """
    board:
        eight  six    seven
        two    five   four
        three  .      one
"""


def test_the_hardest_position_of_the_eight_puzzle() -> None:
    """Thirty-one slides (Reinefeld 1993)."""
    position = asked(shipped("classics.sliding"), "fewest moves until solved", HARDEST)
    result = answer(position.asked, position.root, position.question, Limits(60))
    assert (result.status, result.score, result.proof) == (Status.OPTIMAL, 31, "search")
    verified_steps(position.asked, position.root, position.question, result)


LIBRARY = ROOT / "puzzles" / "library"
BY_HAND = (path for path in LIBRARY.rglob("*.puzzle") if path.parent.name != "made")
SHIPPED = sorted(path for path in BY_HAND if re.search("ask: (fewest|least) ", path.read_text("utf-8")))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_puzzles(path: Path) -> None:
    """Those that are asked so have the answer that they give, by the kernel and without it."""
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None and position.question.goal is Goal.LEAST
    result = answer(position.asked, position.root, position.question)
    assert proved_answer(result, position.question) == position.puzzle.answer
    verified_steps(position.asked, position.root, position.question, result)
    problem = ShortestPlanProblem(position.asked, position.root, position.question)
    assert UniformCostSearch(problem, time.monotonic() + 60, Limits()).run().score == result.score


def test_memory_is_kept_within_its_limit() -> None:
    position = asked(shipped("classics.fifteen"), "fewest moves until solved")
    problem = ShortestPlanProblem(position.asked, position.root, position.question)
    # With a key of its own, a search sets aside 288 MiB, whatever the process holds.
    result = answer_least(problem, Limits(3, memory_mib=292, hash_key=HashKey(bytes(32))), Listener())
    assert result.status is Status.FEASIBLE and result.remarks == (NO_MORE_STATES,)
    assert result.score is not None and result.bound is not None and 10 < result.bound <= 80 <= result.score + 10


def test_cp_sat_does_not_read_the_fewest_turns() -> None:
    position = asked(linked(WALK.format(pit=5, toll="1", tires="no")), ASKS[1], "\n    here: (9)")
    result = answer(position.asked, position.root, position.question, Limits(60, engines=Engines.BOTH))
    assert result.proof == "search"
    assert told(result) == [
        AS_SETS,
        "plans as rounds, the final board, whole plays: a question for the least",
        "all states listed: a question that counts turns",
        "plans of a number of moves: a question that does not count moves",
    ]


AS_SETS = "plans as sets: a choice that is repeated after no action was chosen"


def told(result: Result) -> list[str]:
    """The remarks, without what each refusal begins and ends with."""
    return [re.sub(r"^CP-SAT, |: unsupported|,( in)? line \d+ of [\w ]+$", "", remark) for remark in result.remarks]


def test_errors_of_the_rules_are_told_by_the_engine() -> None:
    text = WALK.format(pit=5, toll="9", tires="no").replace("coins < 30", "coins < 40")
    position = asked(linked(text), "fewest moves until column(here) = 6", "\n    here: (11)")
    with pytest.raises(PlayError):
        answer(position.asked, position.root, position.question)


def test_an_error_in_the_condition_is_no_dead_end() -> None:
    """The one move ends the game where the condition cannot be judged: nothing is proved to be out of reach."""
    clash = "define odd(c):\n    = 1\n    one: 2 when column(c) > 4\n    two: 3 when column(c) > 4\n\n"
    text = WALK.format(pit=9, toll="0", tires="no").replace("action go", clash + "action go")
    text = text.replace("purse: coins < 30", "purse: column(to) = 5").replace("repeat:\n", "repeat until column(here) = 5:\n")
    text = text.replace("repeat: choose go, rest, or stop", "choose go")
    position = asked(linked(text), "fewest moves until odd(here) = 9", "\n    here: (4)")
    with pytest.raises(PlayError):
        answer(position.asked, position.root, position.question)


def test_the_page_shows_it() -> None:
    page = explanation("RW333")
    assert page.bad is not None and page.good is not None
    paid = asked(linked(page.good.text), "least paid until days = 3")
    assert answer(paid.asked, paid.state, paid.question).score == 9
    owed = asked(linked(page.bad.text), "least debt until days = 3")
    with pytest.raises(RulesError, match="RW333"):
        answer(owed.asked, owed.state, owed.question)


LAMPS = """module asked:
    "Lamps that are lit in any order."

space board: square grid 4 x 1

state:
    lit of board: truth

action light(c in board):
    require dark: not lit of c
    effect light: lit of c := yes

flow:
    repeat:
        turn:
            choose light
"""


@pytest.fixture
def given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search gives up at once for want of memory."""
    result = Result(Status.UNKNOWN, None, None, (), 9, 0.1, remarks=(NO_ROOM,))
    monkeypatch.setattr(ShortestSearch, "answer", lambda search: result)


@pytest.mark.usefixtures("given_up")
def test_what_each_model_refuses_is_told_where_the_search_has_no_more_room() -> None:
    position = asked(linked(WALK.format(pit=5, toll="1", tires="no")), ASKS[0], "\n    here: (9)")
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(30, workers=2))
    assert told(result) == [NO_ROOM, AS_SETS, "the final board, whole plays: a question for the least"]


@pytest.mark.usefixtures("given_up")
def test_cpsat_goes_on_where_the_search_has_no_more_room() -> None:
    """The search gives up with half a minute left; plans as sets need none of its memory."""
    position = asked(linked(LAMPS), "fewest moves until every c in board: lit of c")
    assert position.question is not None
    found = answer(position.asked, position.root, position.question, Limits(30, workers=2))
    assert (found.status, found.score, found.remarks) == (Status.OPTIMAL, 4, ())
    alone = answer(position.asked, position.root, position.question, Limits(30, workers=1))
    assert (alone.status, alone.remarks) == (Status.UNKNOWN, (NO_ROOM,))
