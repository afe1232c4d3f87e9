"""The value of each move of a position under best play: each is proved, by the solver or by enumerating all states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from heapq import heappop, heappush
from itertools import count

from rulewright.base.choices import Engines
from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, evolve, field, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import COUNTED, STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.rng import mix
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.best.problem import Problem
from rulewright.solver.playouts.policies import seeds
from rulewright.solver.result import Limits, Result, Status
from rulewright.solver.shortest.all_states import AllStates
from rulewright.solver.shortest.problem import ShortestPlanProblem

from .commission import Commission

NO_PLAN = -(1 << 40)
"""The value of a state from which the goal is unreachable: less than any other."""


FEW_STATES = 20_000
"""The maximum number of states to enumerate once, instead of a search for each move."""


class Unproved(Exception):
    """A value was not proved in time."""


class Endless(Unproved):
    """There is no value, or nobody ends the game: play may repeat a position."""


REPEATED = "RW374"
"""The diagnostic code for repetition."""


MOST_LONG_PROOFS = 10
"""The values of a position may take as long as this many proofs that use all of their time."""


@define(eq=False)
class MoveValues:
    """Values as the question counts them, but signed so that more is better. `seconds` limits each of them."""

    position: Position
    seconds: float
    memory_mib: int
    _spent: float = field(default=0.0, init=False)

    @classmethod
    def of(cls, position: Position, commission: Commission) -> MoveValues:
        """The values of a position with a question."""
        return cls(position, commission.seconds, commission.memory_mib)

    @cached_property
    def question(self) -> Question:
        """The question; against best play it is for one player, the same in every state."""
        question = self.position.question
        assert question is not None
        if not question.is_against or question.player is not None:
            return question
        return evolve(question, player=self.engine.player(self.position.root))

    @cached_property
    def engine(self) -> Engine:
        return self.position.asked

    @property
    def sign(self) -> int:
        return self.question.sign

    @cached_property
    def standing(self) -> Callable[[State], int]:
        """The static value of a state, without lookahead; for a shortest plan, by the score of the game."""
        if self.question.goal is Goal.LEAST:
            return self.engine.score
        return Problem(self.engine, self.position.root, self.question).value

    @cached_property
    def shortest(self) -> ShortestPlanProblem | None:
        """The problem of a question for the least cost."""
        is_least = self.question.goal is Goal.LEAST
        return ShortestPlanProblem(self.engine, self.position.root, self.question) if is_least else None

    @cached_property
    def optimum(self) -> int:
        """The value of the position, always from the solver. Raises `Unproved`."""
        return self._best[0]

    @property
    def plan(self) -> tuple[Move, ...]:
        """A plan for the optimum, found by the solver; empty if there is none. Raises `Unproved`."""
        return self._best[1]

    @cached_property
    def _best(self) -> tuple[int, tuple[Move, ...]]:
        return self._solved(self.position.root)

    @cached_property
    def _table(self) -> AllStates | None:
        """The values of all states, if there are few and the question is for the best end of play or the fewest moves."""
        question, problem = self.question, self.shortest or Problem(self.engine, self.position.root, self.question)
        if question.is_against or (question.goal is Goal.LEAST and not question.counts_moves):
            return None
        table = AllStates.of_problem(problem, FEW_STATES)
        if not table.complete:
            return None
        found = table.of(self.position.root)
        assert (NO_PLAN if found is None else found) == self.optimum, "solver and enumeration disagree"
        return table

    def of_state(self, state: State) -> int:
        """The value under best play of a state that play reaches. Raises `Unproved`."""
        if self.shortest is None and self.engine.over(state):
            return self.standing(state)
        if self._table is not None:
            found = self._table.of(state)
            return NO_PLAN if found is None else found
        return self._solved(state)[0]

    def _solved(self, state: State, question: Question | None = None) -> tuple[int, tuple[Move, ...]]:
        """The value of a state, with a plan for it."""
        try:
            result = self._answer(state, question or self.question)
        except RulesError as error:
            if any(diagnostic.code == REPEATED for diagnostic in error.diagnostics):
                raise Endless from error
            return NO_PLAN, ()
        if result.status is Status.IMPOSSIBLE:
            return NO_PLAN, ()
        if result.status is not Status.OPTIMAL or result.score is None:
            raise Unproved
        if result.is_endless:
            raise Endless
        return self.sign * result.score, result.plan

    def after(self, state: State, move: Move) -> int:
        """The value of a move. Raises `Unproved`."""
        child = self.engine.apply(state, move)
        problem = self.shortest
        if problem is None and self.question.own_turns is not None and not self.engine.over(child):
            return self._solved(child, self._after_own_choice(state, child))[0]
        if problem is None:
            return self.of_state(child)
        if problem.reached(child):
            return -problem.cost_after(problem.root_cost, state, child)
        if self.engine.over(child):
            return NO_PLAN
        value = self.of_state(child)
        return value - 1 if self.question.counts_moves and value != NO_PLAN else value

    def _after_own_choice(self, state: State, child: State) -> Question:
        """The question after a choice of the player who asks: with a turn (or move) less, unless the turn goes on."""
        question, engine = self.question, self.engine
        goes_on = question.horizon is not None and engine.player(child) == question.player and state[COUNTED] == child[COUNTED]
        assert question.own_turns is not None
        return evolve(question, own_turns=question.own_turns - (not goes_on))

    def keeps(self, state: State, move: Move, best: int) -> bool:
        """Whether a move keeps the best value of a state, which is known. Raises `Unproved`."""
        question = self.question
        if self._table is not None or question.goal is not Goal.MAXIMISE or question.is_against:
            return self.after(state, move) == best
        child = self.engine.apply(state, move)
        if self.engine.over(child):
            return self.standing(child) == best
        try:
            result = self._answer(child, evolve(question, goal=Goal.REACH, threshold=best))
        except RulesError:
            return False
        if result.status not in (Status.OPTIMAL, Status.IMPOSSIBLE):
            raise Unproved
        return result.status is Status.OPTIMAL

    def _answer(self, state: State, question: Question) -> Result:
        """The answer to a question. Raises `Unproved` if earlier answers have taken too long."""
        if self._spent > MOST_LONG_PROOFS * self.seconds:
            raise Unproved
        result = answer(self.engine, state, question, Limits(self.seconds, 1, self.memory_mib, Engines.SEARCH))
        self._spent += result.seconds
        return result


# Naive players with a lookahead of a few moves ------------------------------------------------------------------------
# They rank states by static value, then by the number of tiles on the boards. Among equals they prefer acting to stopping,
# and choose at random among the rest, like `simulate --policy greedy`.


GREEDY, SHALLOW = 1, 2
"""By definition: the lookaheads of greedy and of shallow play, in moves."""

GAMES = 50
"""By definition of what naive play is worth: the number of its games that are counted."""

LONGEST_GAME = 200
"""A game with more moves counts as reaching nothing."""

MOST_STATES = 20_000
"""The maximum number of states in the enumeration of all games."""

Worth = tuple[int, int]
"""The static value of a state, then the number of tiles laid."""


@frozen
class NaiveResult:
    """The best result of naive play: over some games, and over all, whatever the tie-breaks (None: unknown)."""

    of_some: int
    of_all: int | None


@define(eq=False)
class NaivePlayer:
    """A player with a given lookahead."""

    values: MoveValues
    plies: int

    def choices(self, state: State, moves: Sequence[Move]) -> list[Move]:
        """The moves that look best; none if there are none."""
        looks = [(self._seen(state, move), move != STOP) for move in moves]
        best = max(looks, default=None)
        return [move for move, look in zip(moves, looks, strict=True) if look == best]

    def of_some(self) -> int:
        """The best result of some games of such play; ties are broken at random, always with the same seeds.

        Against best play only the first move is naive, over all tie-breaks, and the rest optimal. Raises `Unproved`.
        """
        values = self.values
        if values.question.is_against:
            root = values.position.root
            return max(values.after(root, move) for move in self.choices(root, values.engine.legal(root)))
        return max(self._game(seeds(number)) for number in range(GAMES))

    def of_all(self) -> int | None:
        """The best result of any game of such play; None if there are too many states. Raises `Unproved`."""
        values, engine, shortest = self.values, self.values.engine, self.values.shortest
        if values.question.is_against:
            return self.of_some()
        root = values.position.root
        best, numbers, done = NO_PLAN, count(), set[State]()
        pending = [(0 if shortest is None else shortest.root_cost, next(numbers), root)]
        while pending:  # least cost first, as in Dijkstra's algorithm
            cost, _, state = heappop(pending)
            if state in done:
                continue
            if shortest is not None and shortest.reached(state):
                return -cost
            done.add(state)
            if len(done) > MOST_STATES:
                return None
            if shortest is None and engine.over(state):
                best = max(best, values.standing(state))
            for move in self._choices_of(state):
                child = engine.apply(state, move)
                if child not in done:
                    heappush(
                        pending, (cost if shortest is None else shortest.cost_after(cost, state, child), next(numbers), child)
                    )
        return best

    def _game(self, chance: Iterator[int]) -> int:
        """The result of a game; `NO_PLAN` if it does not reach the goal."""
        values, engine, shortest = self.values, self.values.engine, self.values.shortest
        state = values.position.root
        cost = 0 if shortest is None else shortest.root_cost
        for _ in range(LONGEST_GAME):
            if shortest is not None and shortest.reached(state):
                return -cost
            likely = self._choices_of(state)
            if not likely:
                break
            child = engine.apply(state, likely[mix(next(chance)) % len(likely)])
            cost = cost if shortest is None else shortest.cost_after(cost, state, child)
            state = child
        return values.standing(state) if shortest is None and engine.over(state) else NO_PLAN

    @cached_property
    def _choices_of(self) -> Callable[[State], list[Move]]:
        """The choices among the legal moves of a state, kept for states that games reach again."""
        return cache(lambda state: self.choices(state, self.values.engine.legal(state)))

    def _seen(self, state: State, move: Move) -> Worth:
        return self._reached(self.values.engine.apply(state, move), self.plies - 1)

    def _reached(self, state: State, plies: int) -> Worth:
        engine = self.values.engine
        moves = engine.legal(state) if plies else []
        if not moves:
            return self.worth(state)
        found = [self._reached(engine.apply(state, move), plies - 1) for move in moves]
        return max(found) if self._is_own_turn(state) else min(found)

    def _is_own_turn(self, state: State) -> bool:
        question = self.values.question
        return not question.is_against or self.values.engine.chooser(state) == question.player

    def worth(self, state: State) -> Worth:
        """How good a state looks."""
        boards = [column.start for column in self.values.engine.layout.columns.values() if column.variable.is_board]
        return self.values.standing(state), sum(len(state[board]) - state[board].count(0) for board in boards)
