"""Optimal mixed strategies of a two-player zero-sum game, by the sequence form (Koller, Megiddo and von Stengel 1996).

GLOP finds an optimal basis in floating point; its two linear systems are solved again in fractions. Nothing of that is
trusted: the value holds because an exact best response to each strategy gains no more than the value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulewright.base.records import define, field, frozen

from .information import ASKER, NOTHING, OPPONENT, SIDES, InformationTree

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
    return Equilibrium(_best_response(tree, OPPONENT, asker), _best_response(tree, ASKER, opponent), (asker, opponent))


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


def _best_response(tree: InformationTree, side: int, other: Behaviour) -> Fraction:
    """The most that a side gets (the opponent: the least it concedes) against a strategy of the other side."""
    weights = realisation(tree, 1 - side, other)
    gains = [Fraction(0)] * tree.sequences[side]
    for pair, gained in tree.payoffs.items():
        gains[pair[side]] += gained * weights[pair[1 - side]]
    best = max if side == ASKER else min
    for choice in reversed(tree.sets[side]):
        gains[choice.after] += best(gains[number] for number in choice.sequences)
    return gains[NOTHING]


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
