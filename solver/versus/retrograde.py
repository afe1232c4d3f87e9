"""Best play where positions can repeat: retrograde analysis of all positions that play can reach (Thompson 1986).

Play that never ends is a draw, and never reaches what is asked. From the ends of the game backwards, a position is won in n
moves if its player can move to one that is won in n - 1, or if the other player can only move to such; what is left is drawn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.base.records import define, field
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import State
from rulewright.solver.best.incumbent import Listener
from rulewright.solver.result import LISTENING, Limits, Result, Status

from .problem import MinimaxProblem, TooLarge

POSITION_BYTES = 1000
"""Approximate memory of a position, its moves and those that lead to it: about 750 for 386,582 of draughts."""

ENDLESS = "positions can repeat: with best play nobody wins, and this line of play goes on for ever"
"""A remark."""


@define(eq=False)
class Positions:
    """The positions that play can reach, numbered as they are met; the root is 0.

    `moves` are the legal moves of each with the positions that they lead to, none at an end; `before` the positions from which
    a move leads to it.
    """

    problem: MinimaxProblem
    states: list[State] = field(factory=list)
    moves: list[list[tuple[Move, int]]] = field(factory=list)
    before: list[list[int]] = field(factory=list)
    values: dict[int, int] = field(factory=dict)
    _numbers: dict[Any, int] = field(factory=dict)

    def find(self, may_go_on: Callable[[int], bool]) -> None:
        """Find all positions. Raises `TooLarge` where `may_go_on` says no to their number, and any error of play."""
        engine, state_of = self.problem.engine, self.states
        self._number(self.problem.root)
        done = 0
        while done < len(state_of):
            if done % LISTENING == 0 and not may_go_on(len(state_of)):
                raise TooLarge
            state = state_of[done]
            legal = [] if engine.over(state) else engine.legal(state)
            if not legal:
                self.values[done] = self.problem.value(state)
            for move in legal:
                after = self._number(engine.apply(state, move))
                self.moves[done].append((move, after))
                self.before[after].append(done)
            done += 1

    def _number(self, state: State) -> int:
        found = self._numbers.setdefault(self.problem.key(state), len(self.states))
        if found == len(self.states):
            self.states.append(state)
            self.moves.append([])
            self.before.append([])
        return found

    def is_own(self, number: int) -> bool:
        """Whether the player who asks moves at a position."""
        return self.problem.chooser(self.states[number]) == self.problem.player

    def won(self, ends: list[int], by_asker: bool) -> dict[int, int]:
        """The positions from which a side can force play to one of these ends, and in how many moves."""
        distances = dict.fromkeys(ends, 0)
        left = [len(moves) for moves in self.moves]
        waiting = list(ends)
        for number in waiting:
            for earlier in self.before[number]:
                left[earlier] -= 1
                if earlier not in distances and (self.is_own(earlier) == by_asker or not left[earlier]):
                    distances[earlier] = distances[number] + 1
                    waiting.append(earlier)
        return distances


def answer_endless(problem: MinimaxProblem, limits: Limits, listener: Listener, remarks: tuple[str, ...]) -> Result:
    """Who wins, or whether a condition is reached, where play may go on for ever. Raises any error of play."""
    began = time.monotonic()
    deadline = began + limits.seconds
    positions = Positions(problem)

    def result(status: Status, bound: int | None, plan: tuple[Move, ...] | None, *more: str) -> Result:
        proof = "" if status is Status.UNKNOWN else "search"
        seconds, said, states = time.monotonic() - began, (*remarks, *more), len(positions.states)
        if plan is None:
            return Result(status, None, bound, (), states, seconds, proof, said)
        end = problem.root
        for move in plan:
            end = problem.engine.apply(end, move)
        if not problem.engine.over(end):
            return Result(status, 0, 0, plan, states, seconds, proof, (*said, ENDLESS), is_endless=True)
        return Result(status, problem.value(end), bound, plan, states, seconds, proof, said)

    def stopped() -> Result:
        met = f"positions can repeat, and {len(positions.states):,} were met before time or memory ran out"
        return result(Status.UNKNOWN, None, None, met)

    def may_go_on(count: int) -> bool:
        listener.progress(None, None, count)
        return time.monotonic() < deadline and count < limits.states_of(POSITION_BYTES)

    listener.on_stop(stopped)
    try:
        positions.find(may_go_on)
    except TooLarge:
        return stopped()
    question = problem.question
    least = question.threshold if question.goal is Goal.REACH else 1
    won = positions.won([number for number, value in positions.values.items() if value >= least], by_asker=True)
    if 0 in won:
        return result(Status.OPTIMAL, least, _line(positions, won, is_won=True))
    if question.goal is Goal.REACH:
        return result(Status.IMPOSSIBLE, least - 1, None)
    lost = positions.won([number for number, value in positions.values.items() if value < 0], by_asker=False)
    if 0 in lost:
        return result(Status.OPTIMAL, -1, _line(positions, lost, is_won=False))
    drawn = dict.fromkeys(set(range(len(positions.states))) - won.keys() - lost.keys(), 0)
    return result(Status.OPTIMAL, 0, _line(positions, drawn, is_won=True))


def _line(positions: Positions, distances: Mapping[int, int], is_won: bool) -> tuple[Move, ...]:
    """Best play from the root: the winner takes the shortest way, the loser the longest; ends where a position comes again."""
    plan, here, met = list[Move](), 0, {0}
    while positions.moves[here]:
        ways = [(distances[after], move, after) for move, after in positions.moves[here] if after in distances]
        wants_short = positions.is_own(here) == is_won
        _, move, here = (min if wants_short else max)(ways, key=lambda way: way[0])
        plan.append(move)
        if here in met:
            break
        met.add(here)
    return tuple(plan)
