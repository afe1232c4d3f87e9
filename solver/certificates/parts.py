"""The parts of a certificate: which closed sets show a claim, and their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import islice

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model.state import COUNTED, State
from rulewright.solver.inquiry import Inquiry
from rulewright.solver.shortest.problem import ShortestPlanProblem, truth_value
from rulewright.solver.versus.expectimax import ExpectationProblem
from rulewright.solver.versus.problem import MinimaxProblem

from .claims import Claim, Claimed
from .clocked_play import ClockedPlay, Play
from .closed_sets import Room, closed_set
from .estimates import CertifiedEstimate, Document, estimates_of_moves, estimates_of_value
from .play_graph import PlayGraph
from .strategies import StrategySearch

FEW = 10_000
"""States that are enumerated in less time than it takes to prove an estimate: about a second, or six to refuse one."""


After = Callable[[State], Iterator[State]]
"""The states to which the moves of a state lead, as far as they count."""


class Kind(Enum):
    """What the labels of a part bound or count."""

    UPPER = "upper"
    LOWER = "lower"
    LEAST = "least"
    COUNT = "count"


@frozen
class Part:
    """The lines of a part, made as they are read."""

    kind: Kind
    lines: Iterator[str]


@define(eq=False)
class Proof(Inquiry):
    """The parts that show a claim about a question. `core` is the document of the core.

    Their lines are made by playing every state, so they show whether the claim is wrong: AssertionError. While they are
    made, `Uncertified` says that there is no certificate, and errors of play pass through.
    """

    claim: Claim
    room: Room
    core: Document

    def parts(self) -> Iterator[Part]:
        """The parts in order."""
        question, claim = self.question, self.claim
        if question.until is not None:
            if claim.status is Claimed.IMPOSSIBLE:
                yield Part(Kind.LEAST, self._never())
            elif not self._reached(self.root):
                yield Part(Kind.LEAST, self._least(self.estimates))
            if claim.count is not None:
                yield Part(Kind.COUNT, self._counted_at_least_cost())
        elif question.in_expectation:
            yield from self._in_expectation()
        else:
            yield from (Part(kind, self._bounded(kind, self.estimates)) for kind in self._bounds())
            if claim.count is not None:
                yield Part(Kind.COUNT, self._counted(self.root, self._after, lambda state: self._value(state) == claim.value))

    def _bounds(self) -> tuple[Kind, ...]:
        """The bounds that the claim needs besides its plan."""
        match self.claim.status:
            case Claimed.REACHED:
                return (Kind.LOWER,) if self.question.is_against else ()
            case Claimed.NOT_REACHED:
                return (Kind.UPPER,)
            case _ if self.question.is_against:
                return (Kind.UPPER, Kind.LOWER)
            case _:
                return (Kind.LOWER,) if self.question.goal is Goal.MINIMISE else (Kind.UPPER,)

    # What the question asks ---------------------------------------------------------------------------------------

    @cached_property
    def _clocked(self) -> ClockedPlay | None:
        """Play with a clock, if the question counts own turns."""
        if self.question.own_turns is None:
            return None
        return ClockedPlay(MinimaxProblem(self.engine, self.root, self.question))

    @property
    def _play(self) -> Play:
        return self._clocked or self.engine

    @property
    def _first(self) -> State:
        return self.root if self._clocked is None else self._clocked.root

    @cached_property
    def _value(self) -> Callable[[State], int]:
        """The value of a state; below the threshold where own turns are used up."""
        values = [self.engine.compile_value(value) for value in self.question.values]
        clocked, late = self._clocked, self.question.threshold - 1
        if clocked is None:
            return lambda state: sum(value(state) for value in values)
        return lambda state: late if clocked.is_late(state) else sum(value(state[:-1]) for value in values)

    @cached_property
    def _reached(self) -> Callable[[State], int]:
        assert self.question.until is not None
        return self.engine.compile_value(truth_value(self.question.until))

    def _wants_most(self, state: State) -> bool:
        """Whether the player to choose wants a great value."""
        is_opposed = self.question.is_against and self._play.chooser(state) != self.player
        return (self.question.goal is Goal.MINIMISE) is is_opposed

    def _has_strategy(self, kind: Kind, state: State) -> bool:
        """Whether only one move of the player to choose matters to a bound."""
        return self._wants_most(state) is (kind is Kind.LOWER)

    def _after(self, state: State) -> Iterator[State]:
        """The states to which the moves lead."""
        if self._play.over(state):
            return iter(())
        apply = self._play.apply
        return (apply(state, move) for move in self._play.legal(state))

    # Estimates ------------------------------------------------------------------------------------------------------

    @cached_property
    def estimates(self) -> Sequence[CertifiedEstimate]:
        """Bounds on the moves that are left, or on the value at the end, if there are more than few states without."""
        question = self.question
        if question.counts_moves and self.claim.status is Claimed.OPTIMAL and not self._reached(self.root):
            problem = ShortestPlanProblem(self.engine, self.root, question)
            return estimates_of_moves(problem, self.core) if _are_many(self._least(())) else ()
        has_values = question.in_expectation or question.is_against or self.claim.count is not None
        if has_values or question.own_turns is not None or question.until is not None:
            return ()
        are_many = any(_are_many(self._bounded(kind, ())) for kind in self._bounds())
        return estimates_of_value(self.engine, self.core, self._bound) if are_many else ()

    # Bounds ---------------------------------------------------------------------------------------------------------

    @property
    def _bound(self) -> int:
        """The value that no end exceeds, or falls below: the label of every state."""
        match self.claim.status:
            case Claimed.REACHED:
                return self.question.threshold
            case Claimed.NOT_REACHED:
                return self.question.threshold - 1
            case _:
                assert isinstance(self.claim.value, int)
                return self.claim.value

    def _bounded(self, kind: Kind, estimates: Sequence[CertifiedEstimate]) -> Iterator[str]:
        """One label for all states: no end that play comes to is beyond it."""
        bound, value = self._bound, self._value

        def fits(value: float) -> bool:
            return value <= bound if kind is Kind.UPPER else value >= bound

        def holds(state: State) -> bool:
            return fits(value(state))

        chosen: Mapping[State, int] = {}
        if self.question.is_against:
            search = StrategySearch(self._play, lambda state: self._has_strategy(kind, state), holds, self.room)
            assert search.secures(self._first), "play that was said to be best can be bettered"
            chosen = search.chosen

        def expand(state: State, depth: int) -> Iterable[State]:
            if (at := chosen.get(state)) is not None:
                return (self._play.apply(state, self._play.legal(state)[at]),)
            return (child for child in self._after(state) if not any(fits(one.of(child)) for one in estimates))

        for state, _ in closed_set(self._first, expand, self.room):
            assert holds(state) or not self._play.over(state), "an end of play is beyond the bound that was proved"
            yield _line(bound, chosen.get(state))

    # Least costs ------------------------------------------------------------------------------------------------------

    def _never(self) -> Iterator[str]:
        """The condition holds nowhere."""
        for state, _ in closed_set(self.root, lambda state, _: self._after(state), self.room):
            assert not self._reached(state), "play comes to what was proved impossible"
            yield "."

    def _least(self, estimates: Sequence[CertifiedEstimate]) -> Iterator[str]:
        """The cost that no plan through a state falls below; of moves, those that are left of it."""
        cost, is_whole = self._bound, bool(self.question.values)

        def expand(state: State, depth: int) -> Iterator[State]:
            for child in () if self._reached(state) else self._after(state):
                least = self._plain_cost(state, child, depth + 1, estimates)
                assert least is None or least >= cost or not self._reached(child), "a plan costs less than was proved"
                if is_whole or least is None or least < cost:
                    yield child

        for _, depth in closed_set(self.root, expand, self.room):
            yield _line(cost - depth if self.question.counts_moves else cost)

    def _plain_cost(self, before: State, state: State, moves: int, estimates: Sequence[CertifiedEstimate]) -> float | None:
        """What any plan through a state costs at least, as can be seen there, if it can: it is met by so many moves."""
        is_goal = self._reached(state)
        if self.question.counts_moves:
            return moves + (0 if is_goal else max((0, *(one.of(state) for one in estimates))))
        if self.question.counts_turns:
            return (before if is_goal else state)[COUNTED] + 1  # type: ignore[no-any-return]
        return self._value(state) if is_goal else None

    # Sums over play ---------------------------------------------------------------------------------------------------

    def _counted(self, root: State, after: After, is_best: Callable[[State], int]) -> Iterator[str]:
        """From each state, the number of ways to play on to the best value."""
        certain = Fraction(1)
        graph = PlayGraph.of(root, lambda state: (((child, certain),) for child in after(state)), self.room)
        counts = graph.counts(is_best)
        assert counts[0] == self.claim.count, f"there are {counts[0]} best plans, not {self.claim.count}"
        return map(str, counts)

    def _counted_at_least_cost(self) -> Iterator[str]:
        """From each state, the number of ways to go on to the least cost; a last column of states counts the moves made."""

        def after(state: State) -> Iterator[State]:
            before, made = state[:-1], state[-1] + 1
            for child in () if self._reached(before) else self._after(before):
                least = self._plain_cost(before, child, made, self.estimates)
                if least is None or least <= self._bound:
                    yield (*child, made if self.question.counts_moves and not self.engine.over(child) else 0)

        return self._counted((*self.root, 0), after, lambda state: self._reached(state[:-1]))

    def _in_expectation(self) -> Iterator[Part]:
        """Both bounds, by the exact value of each state."""
        problem = ExpectationProblem(self.engine, self.root, self.question)

        def played(state: State) -> Iterator[tuple[tuple[State, Fraction], ...]]:
            moves = [] if self.engine.over(state) else self.engine.legal(state)
            return (problem.outcomes(state, move) for move in moves)

        graph = PlayGraph.of(problem.root, played, self.room)
        values, best = graph.expected(problem.worth, self._wants_most)
        assert values[0] == self.claim.value, f"the expected value is {values[0]}, not {self.claim.value}"
        number_of = {state: at for at, state in enumerate(graph.states)}

        def lines(kind: Kind) -> Iterator[str]:
            def chosen(state: State) -> int | None:
                has_choice = not self.engine.over(state) and self._has_strategy(kind, state)
                return best[number_of[state]] if has_choice else None

            def expand(state: State, depth: int) -> Iterator[State]:
                at, moves = chosen(state), graph.moves[number_of[state]]
                expanded = moves if at is None else (moves[at],)
                return (graph.states[child] for outcomes in expanded for child, _ in outcomes)

            for state, _ in closed_set(problem.root, expand, self.room):
                yield _line(values[number_of[state]], chosen(state))

        yield from (Part(kind, lines(kind)) for kind in (Kind.UPPER, Kind.LOWER))


def _are_many(lines: Iterator[str]) -> bool:
    return next(islice(lines, FEW, None), None) is not None


def _line(label: int | Fraction, chosen: int | None = None) -> str:
    """The label of a state and, with a strategy, the move chosen."""
    return f"{label}" if chosen is None else f"{label} {chosen}"
