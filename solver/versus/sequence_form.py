"""Optimal mixed strategies of a two-player zero-sum game, by the sequence form (Koller, Megiddo and von Stengel 1996).

GLOP finds an optimal basis in floating point; its two linear systems are solved again in fractions. Nothing of that is
trusted: the value holds because an exact best response to each strategy gains no more than the value.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model.state import OVER, POINT, Move, State
from rulewright.rules.play.visibility import sight
from rulewright.solver.result import LISTENING, Expectation, Limits, Listener, MixedChoice, Result, Status

from .expectimax import ExpectationProblem, Outcomes
from .problem import TooLarge

# The tree of a game as its players know it ----------------------------------------------------------------------------
# Positions that a player cannot tell apart are one information set (Kuhn 1953).
#
# A player sees, after every move, what the rules show them, remembers it all (perfect recall), and knows which moves are
# legal.


ASKER, OPPONENT = SIDES = (0, 1)
"""Indices of the player who asks, for whom more is better, and the other one."""

NOTHING = 0
"""Index of the sequence of no moves."""


_Moved = tuple[int, Move, tuple[Move, ...]]
"""The side that moved, its move, and all that were legal."""


@frozen
class InformationSet:
    """What a player knows at a choice, shown by one of the positions that they cannot tell apart.

    `after` is the number of the player's sequence of own moves before it; their sequences with one of `moves` are numbered
    from `first` on.
    """

    player: int
    after: int
    first: int
    moves: tuple[Move, ...]
    state: State

    @property
    def sequences(self) -> range:
        return range(self.first, self.first + len(self.moves))


@define
class InformationTree:
    """For each side its information sets, each behind those that it follows, and its number of sequences; and the expected
    value of the ends of play, by the sequences of both, which chance may join in many ways."""

    sets: tuple[list[InformationSet], list[InformationSet]] = field(factory=lambda: ([], []))
    sequences: list[int] = field(factory=lambda: [1, 1])
    payoffs: dict[tuple[int, int], Fraction] = field(factory=dict)
    positions: int = 0


@define(eq=False)
class TreeBuilder:
    """Walks every line of play from the `roots`, each with its probability. A choice with one legal move is no choice, nor is
    that of a player who follows a policy. `known_as` are the numbers of the information sets that a state of a side is in."""

    problem: ExpectationProblem
    roots: Outcomes
    deadline: float
    most: int
    tree: InformationTree = field(factory=InformationTree, init=False)
    known_as: dict[State, set[int]] = field(factory=dict, init=False)
    _known: dict[tuple[Any, ...], int] = field(factory=dict, init=False)
    _numbers: dict[tuple[Any, ...], int] = field(factory=dict, init=False)

    @cached_property
    def _sights(self) -> tuple[Callable[[State], tuple[Any, ...]], ...]:
        engine = self.problem.engine
        others = [player for player in range(1, engine.instance.players + 1) if player != self.problem.player]
        return tuple(sight(engine, player) for player in (self.problem.player, *others))

    def run(self) -> InformationTree:
        """The tree. Raises `TooLarge`, `RulesError` RW384, and any error of play."""
        waiting = [(state, weight, (NOTHING, NOTHING), self._learned(SIDES, state, None)) for state, weight in self.roots]
        engine, tree = self.problem.engine, self.tree
        while waiting:
            state, weight, sequences, known = waiting.pop()
            tree.positions += 1
            if tree.positions % LISTENING == 0 and (time.monotonic() > self.deadline or tree.positions > self.most):
                raise TooLarge
            moves = [] if state[POINT] == OVER else engine.legal(state)
            if not moves:
                gained = weight * self.problem.sign * self.problem.worth(state)
                tree.payoffs[sequences] = tree.payoffs.get(sequences, Fraction(0)) + gained
                continue
            side = self.side(state)
            is_choice = len(moves) > 1 and not self.problem.is_replied(state)
            found = self._set(side, known[side], sequences[side], state, moves) if is_choice else None
            for number, (move, share) in reversed(list(enumerate(self.problem.likely(state, moves)))):
                after = sequences
                if found is not None:
                    own = found.first + number
                    after = (own, sequences[OPPONENT]) if side == ASKER else (sequences[ASKER], own)
                for next_state, probability in self.problem.outcomes(state, move):
                    learned = self._learned(known, next_state, (side, move, tuple(moves)))
                    waiting.append((next_state, weight * share * probability, after, learned))
        return tree

    def side(self, state: State) -> int:
        """Who chooses."""
        return ASKER if self.problem.engine.player(state) == self.problem.player else OPPONENT

    def _learned(self, known: tuple[int, ...], state: State, moved: _Moved | None) -> tuple[int, ...]:
        """The numbers of what the players know, once they also see a state, and who has moved what they did and could do."""
        found = []
        for side, (before, see) in enumerate(zip(known, self._sights, strict=False)):
            own = moved if moved is not None and moved[0] == side else None
            found.append(self._known.setdefault((before, own, see(state)), len(self._known) + len(SIDES)))
        return tuple(found)

    def _set(self, side: int, known: int, after: int, state: State, moves: list[Move]) -> InformationSet:
        """The set of a choice, by what its player knows."""
        tree = self.tree
        number = self._numbers.setdefault((known, tuple(moves)), len(tree.sets[side]))
        if number == len(tree.sets[side]):
            player = self.problem.engine.player(state)
            tree.sets[side].append(InformationSet(player, after, tree.sequences[side], tuple(moves), state))
            tree.sequences[side] += len(moves)
        found = tree.sets[side][number]
        assert found.after == after, "who knows the same has moved the same"
        self.known_as.setdefault(state, set()).add(number)
        return found


# Optimal mixed strategies of a two-player zero-sum game ---------------------------------------------------------------


Behaviour = tuple[tuple[Fraction, ...], ...]
"""The probability of each move at each information set of a side."""


@frozen
class Equilibrium:
    """What the asker is sure of, what the opponent concedes at most, and the strategies that show it."""

    lower: Fraction
    upper: Fraction
    strategies: tuple[Behaviour, Behaviour]


def equilibrium(tree: InformationTree) -> Equilibrium:
    """Optimal strategies of both sides; where rounding spoilt a basis, `lower` is less than `upper`."""
    basis = _Program(tree).solved()
    strategies = tuple(_behaviour(tree, side, basis[side]) for side in SIDES)
    asker, opponent = strategies
    lower, upper = best_response(tree, OPPONENT, asker)[0], best_response(tree, ASKER, opponent)[0]
    return Equilibrium(lower, upper, (asker, opponent))


def _behaviour(tree: InformationTree, side: int, weights: Mapping[int, Fraction]) -> Behaviour:
    """The probabilities of moves by the weights of sequences; where a strategy does not come, all moves are equally likely."""
    found = []
    for choice in tree.sets[side]:
        own = [max(Fraction(0), weights.get(number, Fraction(0))) for number in choice.sequences]
        whole = sum(own, Fraction(0))
        found.append(tuple(weight / whole if whole else Fraction(1, len(own)) for weight in own))
    return tuple(found)


def realisation(tree: InformationTree, side: int, strategy: Behaviour) -> list[Fraction]:
    """The probability of each of a side's sequences, as far as it is up to that side."""
    weights = [Fraction(1)] * tree.sequences[side]
    for choice, moves in zip(tree.sets[side], strategy, strict=True):
        for number, probability in zip(choice.sequences, moves, strict=True):
            weights[number] = weights[choice.after] * probability
    return weights


def best_response(tree: InformationTree, side: int, other: Behaviour) -> tuple[Fraction, Behaviour]:
    """The most that a side gets (the opponent: the least it concedes) against a strategy of the other side, and how."""
    weights = realisation(tree, 1 - side, other)
    gains = [Fraction(0)] * tree.sequences[side]
    for pair, gained in tree.payoffs.items():
        gains[pair[side]] += gained * weights[pair[1 - side]]
    best, chosen = max if side == ASKER else min, []
    for choice in reversed(tree.sets[side]):
        number = best(choice.sequences, key=gains.__getitem__)
        gains[choice.after] += gains[number]
        chosen.append(tuple(Fraction(at == number) for at in choice.sequences))
    return gains[NOTHING], tuple(reversed(chosen))


@define(eq=False)
class _Program:
    """The asker's linear program: the weights of sequences, and for each set of the opponent what it concedes at most there.

    A row for each sequence of the opponent, `conceded(its set) - conceded(sets that follow it) - gains <= 0`, whose dual is
    the weight of that sequence, and one for each set of the asker: the weights of its moves are that of what led there.
    Columns are the asker's sequences, then the opponent's whole game (0) and its sets.
    """

    tree: InformationTree
    rows: list[dict[int, Fraction]] = field(factory=list, init=False)
    right: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        tree = self.tree
        own = tree.sequences[ASKER]
        rows: list[dict[int, Fraction]] = [defaultdict(Fraction) for _ in range(tree.sequences[OPPONENT])]
        rows[NOTHING][own] += 1
        for number, choice in enumerate(tree.sets[OPPONENT], own + 1):
            rows[choice.after][number] -= 1
            for sequence in choice.sequences:
                rows[sequence][number] += 1
        for (asker, opponent), gained in tree.payoffs.items():
            rows[opponent][asker] -= gained
        kept = [{NOTHING: Fraction(1)}]
        for choice in tree.sets[ASKER]:
            kept.append({choice.after: Fraction(-1)} | {sequence: Fraction(1) for sequence in choice.sequences})
        self.rows = [*rows, *kept]
        self.right = [0] * len(rows) + [1] + [0] * (len(kept) - 1)

    def solved(self) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """The weights of the sequences of both sides, at an optimal basis."""
        from ortools.linear_solver import pywraplp

        solver = pywraplp.Solver.CreateSolver("GLOP")
        endless, own = solver.infinity(), self.tree.sequences[ASKER]
        count = own + 1 + len(self.tree.sets[OPPONENT])
        columns = [solver.NumVar(0 if at < own else -endless, endless, "") for at in range(count)]
        made: list[Any] = []
        for number, (row, right) in enumerate(zip(self.rows, self.right, strict=True)):
            made.append(solver.Constraint(-endless if number < self.tree.sequences[OPPONENT] else right, right, ""))
            for at, factor in row.items():
                made[-1].SetCoefficient(columns[at], float(factor))
        solver.Objective().SetCoefficient(columns[own], 1)
        solver.Objective().SetMaximization()
        solver.Solve()
        basic = [at for at, column in enumerate(columns) if column.basis_status() == solver.BASIC]
        tight = [number for number, row in enumerate(made) if row.basis_status() != solver.BASIC]
        places = {at: place for place, at in enumerate(basic)}
        matrix = [{places[at]: value for at, value in self.rows[number].items() if at in places and value} for number in tight]
        primal = _solution(matrix, [Fraction(self.right[number]) for number in tight])
        turned: list[dict[int, Fraction]] = [{} for _ in basic]
        for place, row in enumerate(matrix):
            for at, value in row.items():
                turned[at][place] = value
        dual = _solution(turned, [Fraction(at == own) for at in basic])
        return dict(zip(basic, primal, strict=False)), dict(zip(tight, dual, strict=False))


def _solution(matrix: Sequence[dict[int, Fraction]], right: Sequence[Fraction]) -> list[Fraction]:
    """The solution of a sparse system of equations by elimination, shortest rows first; zeros where it has none."""
    rows = [dict(row) for row in matrix]
    values, waiting = list(right), set(range(len(rows)))
    users: dict[int, set[int]] = defaultdict(set)
    for number, row in enumerate(rows):
        for at in row:
            users[at].add(number)
    pivots: list[tuple[int, int]] = []
    while waiting:
        number = min(waiting, key=lambda one: len(rows[one]))
        waiting.discard(number)
        row = rows[number]
        if not row:
            continue
        at = min(row, key=lambda one: len(users[one]))
        pivots.append((number, at))
        for other in [one for one in users[at] if one in waiting]:
            factor = rows[other][at] / row[at]
            values[other] -= factor * values[number]
            for place, value in row.items():
                left = rows[other].get(place, Fraction(0)) - factor * value
                if left:
                    rows[other][place] = left
                    users[place].add(other)
                else:
                    rows[other].pop(place, None)
                    users[place].discard(other)
    found = [Fraction(0)] * len(rows)
    for number, at in reversed(pivots):
        row = rows[number]
        known = sum((value * found[place] for place, value in row.items() if place != at), Fraction(0))
        found[at] = (values[number] - known) / row[at]
    return found


# Answers a question of one or two players who may not see everything --------------------------------------------------
# The value of the best mixed strategies.


TREE_BYTES = 1000
"""Approximate memory of a position of the tree and its share of the linear program. Measured: 760 for the 294,876 of
liar's dice."""


def answer_mixed(problem: ExpectationProblem, limits: Limits, listener: Listener) -> Result:
    """The value and optimal strategies; `UNKNOWN` if time or memory does not suffice. Raises `RulesError` RW384, and any error
    of play."""
    began = time.monotonic()
    builder = TreeBuilder(problem, problem.roots, began + limits.seconds, limits.states_of(TREE_BYTES))

    def unfinished(why: str) -> Result:
        return Result(Status.UNKNOWN, None, None, (), builder.tree.positions, time.monotonic() - began, remarks=(why,))

    def stopped() -> Result:
        large = f"all {builder.tree.positions:,} positions and more would have to be looked at together"
        return unfinished(f"{large}; `rulewright simulate` plays such a game by policies")

    listener.on_stop(stopped)
    try:
        tree = builder.run()
    except TooLarge:
        return stopped()
    if problem.question.replies is not None:
        gained, strategy = best_response(tree, ASKER, ())
        return _optimal(problem, builder, gained, _choices(tree, ASKER, strategy), began)
    try:
        found = equilibrium(tree)
    except ImportError:
        return unfinished("mixed strategies need OR-Tools, which is not installed here")
    if found.lower < found.upper:
        bounds = (found.lower, found.upper) if problem.sign > 0 else (-found.upper, -found.lower)
        return unfinished(f"the value lies between {bounds[0]} and {bounds[1]}")
    choices = [choice for side in SIDES for choice in _choices(tree, side, found.strategies[side])]
    return _optimal(problem, builder, found.lower, choices, began)


def _optimal(
    problem: ExpectationProblem, builder: TreeBuilder, gained: Fraction, choices: Sequence[MixedChoice], began: float
) -> Result:
    value, seconds = Expectation(problem.sign * gained, ()), time.monotonic() - began
    found = builder.tree.positions, seconds, "search"
    return Result(Status.OPTIMAL, None, None, (), *found, expectation=value, choices=tuple(choices))


def _choices(tree: InformationTree, side: int, strategy: Behaviour) -> list[MixedChoice]:
    """What a side does wherever its own strategy may come."""
    weights = realisation(tree, side, strategy)
    return [
        MixedChoice(known.player, known.state, tuple(zip(known.moves, moves, strict=True)))
        for known, moves in zip(tree.sets[side], strategy, strict=True)
        if weights[known.after] > Fraction(0)
    ]
