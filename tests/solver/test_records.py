"""Records of positions: play, counts and searches under rules of history, against an interpreter that keeps all of it.

The interpreter plays the same rules without a record, and decides by the snapshots that it has taken itself.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest
from attrs import evolve, frozen

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.expressions import Quantified, TruthLiteral
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.merging import records
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.cpsat.process.job import ModelKind, WorkerStatus
from rulewright.solver.perft.count import LineCounter, total
from rulewright.solver.result import Limits, Status
from tests.rules.playing import linked
from tests.solver.cpsat.running import run

RULES = """
module again:
    "Whoever repeats too much may not, or ends the game."

players 2

space circle: ring 3
space board: square grid 2 x 1 of tiles
enum colour: red, green

tiles stones:
    stone  x1

state:
    at:              cell of circle = origin of circle
    lamp of colour:  truth
    shade:           colour
    height of board: 0..2
    met:             set of cells of circle
    points of player: 0..40
    past: last {most} positions of {names}

action walk(way in directions(circle)):
    {require}
    effect go: at := step(at, way)
    effect meet: if way = forward: add at to met
    effect gain: points of player += 2

action light(one in colour):
    {require}
    effect turn: lamp of one := not lamp of one
    effect shade: shade := one
    effect gain: points of player += 1

action grow(c in board):
    require low: height of c < 2
    effect grow: height of c += 1
    effect gain: points of player += 2

action lay(c in board):
    require bare: not occupied(c) and not empty(box)
    effect lay: put stone at c from box

action lift(c in board):
    require there: occupied(c)
    effect lift: take c to box
    effect gain: points of player += 3

procedure end:
    end game

flow:
    repeat:
        for player in players:
            turn:
                if past >= {limit}: end
                choose {offered}

score points of player: points of player

winner: most points
"""

NAMES = ("at", "lamp", "shade", "height", "met", "board", "player")
ACTIONS = ("walk", "light", "grow", "lay", "lift")


@frozen
class Case:
    """Random rules: what is kept, how much, what is forbidden, and when the game ends."""

    most: int
    names: tuple[str, ...]
    after: bool
    allowed: int
    limit: int
    offered: tuple[str, ...]

    @classmethod
    def of(cls, seed: int) -> Case:
        rng = random.Random(seed)
        names = tuple(rng.sample(NAMES, rng.randint(1, len(NAMES))))
        offered = tuple(rng.sample(ACTIONS, rng.randint(1, 3)))
        offered = offered if {"walk", "light"} & {*offered} else ("walk", *offered)
        return cls(rng.randint(1, 6), names, rng.random() < 0.5, rng.randint(0, 1), rng.randint(1, 3), offered)

    @cached_property
    def text(self) -> str:
        require = f"require rare{' after' if self.after else ''}: past <= {self.allowed}"
        names, offered = ", ".join(self.names), ", ".join(self.offered)
        return RULES.format(most=self.most, names=names, require=require, limit=self.limit, offered=offered)

    @property
    def plain(self) -> str:
        """The same rules without the record."""
        return re.sub(r"\n.*\bpast\b.*", "", self.text)


records_alike, records_write = records._alike, records._write


class Historian:
    """Plays the plain rules, and keeps the whole history."""

    def __init__(self, case: Case) -> None:
        self.case, self.engine = case, Engine.of(linked(case.plain), 2)

    def snapshot(self, state: State, player: int) -> tuple[object, ...]:
        columns = self.engine.layout.columns
        spans = (columns[name] for name in self.case.names if name != "player")
        parts = [tuple(state[column.start : column.start + column.count]) for column in spans]
        return (*parts, player) if "player" in self.case.names else tuple(parts)

    def times(self, past: tuple[object, ...], now: object) -> int:
        return past[-self.case.most :].count(now)

    def moves(self, state: State, past: tuple[object, ...]) -> Iterator[tuple[Move, State, tuple[object, ...]]]:
        """The legal moves, the states after them, and what is past then."""
        case, player = self.case, self.engine.player(state)
        here = self.snapshot(state, player)
        if self.times(past, here) >= case.limit:
            return
        for move in self.engine.legal(state):
            child, then = self.engine.apply(state, move), (*past, here)
            if format_move(self.engine, state, move).split()[0] in ("walk", "light"):
                number = self.times(then, self.snapshot(child, player)) if case.after else self.times(past, here)
                if number > case.allowed:
                    continue
            yield move, child, then

    def lines(self, state: State, past: tuple[object, ...], depth: int) -> int:
        return 1 if depth == 0 else sum(self.lines(child, then, depth - 1) for _, child, then in self.moves(state, past))

    def best(self, state: State, past: tuple[object, ...], turns: int) -> int:
        """The best lead of the first player after a number of turns, or where the game ends."""
        children = list(self.moves(state, past)) if turns else []
        if not children:
            first, second = (self.engine.layout.columns["points"].start + at for at in (0, 1))
            return int(state[first] - state[second])
        values = [self.best(child, then, turns - 1) for _, child, then in children]
        return max(values) if self.engine.player(state) == 1 else min(values)


def differs(seed: int) -> bool:
    """Plays random games of random rules in step: whether a reading offers other moves than the interpreter."""
    case = Case.of(seed)
    historian, engine, rng = Historian(case), Engine.of(linked(case.text), 2), random.Random(seed)
    reference = ReferenceEngine(engine)
    for _ in range(4):
        state, here, past = engine.start(), historian.engine.start(), ()
        for _ in range(25):
            known = {move: (child, then) for move, child, then in historian.moves(here, past)}
            moves = [] if engine.over(state) else engine.legal(state)
            if moves != list(known) or (moves and reference.legal(state) != moves):
                return True
            if not moves:
                break
            move = rng.choice(moves)
            after = engine.apply(state, move)
            assert reference.apply(state, move) == after
            state, (here, past) = after, known[move]
    return False


@pytest.mark.parametrize("seed", range(30))
def test_play_is_as_with_the_whole_history(seed: int) -> None:
    assert not differs(seed)


def one_part_less(part: Any, moment: Any) -> Any:
    kept = records_alike(part, moment)
    return evolve(kept, body=TruthLiteral(True, span=moment.span)) if isinstance(kept, Quantified) else kept


def one_moment_more(book: Any, name: str, record: Any, sink: Any) -> None:
    records_write(book, name, evolve(record, most=record.most + 1), sink)


@pytest.mark.parametrize("fault", ["whole boards not compared", "a longer record", "kept after the effects"])
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match fault:
        case "whole boards not compared":
            monkeypatch.setattr(records, "_alike", one_part_less)
        case "a longer record":
            monkeypatch.setattr(records, "_write", one_moment_more)
        case _:
            monkeypatch.setattr(records, "_begun", lambda action, keep: evolve(action, effects=(*action.effects, keep)))
    assert any(map(differs, range(30)))


@pytest.mark.parametrize("seed", range(12))
def test_lines_are_counted_with_the_whole_history(seed: int) -> None:
    """In machine code from the first line on."""
    case = Case.of(1_000 + seed)
    historian, engine = Historian(case), Engine.of(linked(case.text), 2)
    counter = LineCounter.of(engine, engine.start(), 5, math.inf)
    counter._quick = 0.0
    counts = total(list(counter.rows()), 5)
    assert counts == tuple(historian.lines(historian.engine.start(), (), depth) for depth in range(6))


@pytest.mark.parametrize("seed", range(12))
def test_searches_tell_positions_with_other_histories_apart(seed: int) -> None:
    case = Case.of(2_000 + seed)
    historian, game = Historian(case), linked(case.text)
    text = (
        "puzzle p:\n    rules again\n    players 2\n    ask: maximise points of 1 - points of 2 for 5 turns against best play\n"
    )
    asked = set_up_position(parse_puzzle(text, "p"), game)
    assert asked.question is not None
    found = answer(asked.asked, asked.root, asked.question, Limits(30.0))
    assert (found.status, found.score) == (Status.OPTIMAL, historian.best(historian.engine.start(), (), 5))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(6))
def test_models_read_records_like_any_other_state(seed: int) -> None:
    """CP-SAT alone, where no requirement is about the position after the effects."""
    case = evolve(Case.of(3_000 + seed), after=False)
    historian = Historian(case)
    text = "puzzle p:\n    rules again\n    players 2\n    ask: maximise score for 4 turns\n"
    asked = set_up_position(parse_puzzle(text, "p"), linked(case.text))
    assert asked.question is not None
    found = run(ModelKind.UNROLLED, asked.asked, asked.root, asked.question)

    def most(state: State, past: tuple[object, ...], turns: int) -> int:
        children = list(historian.moves(state, past)) if turns else []
        if not children:
            return historian.engine.score(state)
        return max(most(child, then, turns - 1) for _, child, then in children)

    expected = most(historian.engine.start(), (), 4)
    assert (found.status, found.value, found.bound) == (WorkerStatus.OPTIMAL, expected, expected)
