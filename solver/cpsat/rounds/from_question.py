"""The model of a question about one board on which markers lay tiles: plans as rounds.

A plan that lays a given last board, found by playing: a depth-first search that visits each concrete state once.

The tiles come in groups; all of one group are laid before any of the next. So the rounds of a model are tried first, then the
board as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.symbolic.circuit import MOST_VARIABLES, Circuit, GivenUp, LinearExpression, Lit, Refused
from rulewright.rules.symbolic.guarded_values import Encoder
from rulewright.solver.best.problem import Problem
from rulewright.solver.cpsat.model.abstract_graph import abstract_graph_of
from rulewright.solver.cpsat.model.final_board import NO_SUM, FinalBoard, movement_of
from rulewright.solver.cpsat.model.from_question import ConstraintModel, board_objective

from .journeys import Connections, Journeys
from .marker_moves import StepGraph, marker_moves
from .placements import Placements
from .round_graph import round_layers
from .travel_cuts import TravelCuts


@define
class RoundPlans:
    """Reads plans off solutions: the tiles laid in each round, realised by playing."""

    placements: Placements
    realisation: Realisation
    journeys: Journeys
    travel: TravelCuts
    encoder: Encoder
    _number: LinearExpression = field(init=False)
    _plans: dict[tuple[Lit, ...], tuple[Move, ...] | None] = field(factory=dict)
    _cuts: dict[tuple[Lit, ...], tuple[Lit, ...]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        tiles = [lit for kinds in self.placements.board.laid.values() for lit in kinds.values()]
        self._number = LinearExpression.of(dict.fromkeys(tiles, 1), 0, 0, len(self.placements.board.coming))

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...] | None:
        """A plan that lays the last board of a solution; None if there is none. Raises `GivenUp`."""
        groups = self.placements.groups(solution)
        key = self._placed(groups)
        if key not in self._plans:
            self._plans[key] = self._realised(key, groups)
        return self._plans[key]

    def _realised(self, key: tuple[Lit, ...], groups: list[Group]) -> tuple[Move, ...] | None:
        by_rounds = True
        try:
            found = self.realisation.plan(groups)
            if found is not None:
                return found
        except GivenUp:
            by_rounds = False
        board = {cell: kind for group in groups for cell, kind in group.items()}
        lits = [self.placements.board.laid[cell][kind] for cell, kind in board.items()]
        try:
            found = self.realisation.plan([board])
        except GivenUp:
            if not by_rounds:
                raise
            found, lits = None, list(key)
        if found is None:
            self._cuts[key] = (*(-lit for lit in lits), self.encoder.at_least(self._number, sum(map(len, groups)) + 1))
        return found

    def exclude(self, solution: Sequence[int]) -> None:
        """Exclude a solution that encodes no plan: require other or more tiles.

        If a marker walks too far in it, exclude the facts that cause this too.
        """
        groups = self.placements.groups(solution)
        self.encoder.circuit.add_clause(*self._cuts[self._placed(groups)])
        too_far = self.travel.cut(solution)
        if too_far is not None:
            self.encoder.circuit.add_clause(*too_far)
            for number, group in enumerate(groups):
                for cell in group if len(group) > 1 else ():
                    self.journeys.add_pairs(number, cell)

    def _placed(self, groups: Iterable[Group]) -> tuple[Lit, ...]:
        placements = self.placements
        return tuple(
            lit
            for number, group in enumerate(groups)
            for cell, kind in sorted(group.items())
            for lit in (placements.board.laid[cell][kind], placements.in_round[cell][number])
        )


def rounds_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """A relaxation of all plays from a root, which bounds the value of every plan. Playing detects solutions without plans.

    Raises `Refused` if the rules do not show that tiles are laid beside markers, which move there, `Refused`,
    `ModelTooLarge`.
    """
    problem = Problem(engine, root, question)
    movement = movement_of(problem)
    assert problem.board_sums is not None
    board, analysis, circuit = problem.board_sums.board, problem.analysis, Circuit(most_variables)
    final_board = FinalBoard.of(engine, analysis, question, root, circuit, connected=False)
    if final_board is None:
        raise Refused(NO_SUM, question.span)
    graph = abstract_graph_of(engine, analysis, root)
    layers = round_layers(engine, graph, marker_moves(engine, analysis, board, graph.tracked))
    steps = StepGraph(final_board, movement)
    placements = Placements(final_board, steps, layers, [root[marker] for marker in movement.markers], circuit)
    Connections(placements, steps, circuit)
    journeys = Journeys(placements, steps, circuit)
    starts = {marker: root[marker] for marker in movement.markers}
    for marker, start in starts.items():
        journeys.add(marker, start)
    objective, encoder = board_objective(final_board, question), Encoder(circuit)
    reader = RoundPlans(placements, Realisation(problem, board), journeys, TravelCuts(placements, steps, starts), encoder)
    return ConstraintModel(circuit, objective, reader, reader.exclude)


MOST_STATES = 30_000
"""The number of states visited before a board is given up."""

Group = dict[int, int]
"""The kinds of some tiles by cell."""


@define
class Realisation:
    """A search for plays of a problem that lay given tiles on a board."""

    problem: Problem
    board: str
    _seen: dict[Any, list[tuple[int, ...]]] = field(factory=dict)
    _states: int = 0

    def plan(self, groups: Sequence[Group], most_states: int = MOST_STATES) -> tuple[Move, ...] | None:
        """A play to its end that lays these tiles and no others; None if there is none. Raises `GivenUp`."""
        self._seen.clear()
        self._states = most_states
        found = self._from(self.problem.root, [dict(group) for group in groups if group])
        return None if found is None else tuple(reversed(found))

    def _from(self, state: State, groups: list[Group]) -> list[Move] | None:
        """The moves from a state on, the last one first."""
        engine = self.problem.engine
        if engine.over(state):
            return None if groups else []
        if not self._is_worth_a_look(state, groups):
            return None
        self._states -= 1
        if self._states < 0:
            raise GivenUp
        before = state[self._column]
        children = [(move, engine.apply(state, move)) for move in engine.legal(state)]
        for move, child in sorted(children, key=lambda found: found[1][self._column] == before):
            left = self._left(before, child[self._column], groups)
            if left is None:
                continue
            found = self._from(child, left)
            if found is not None:
                found.append(move)
                return found
        return None

    @property
    def _column(self) -> int:
        return self.problem.engine.layout.columns[self.board].start

    def _left(self, before: Sequence[int], after: Sequence[int], groups: list[Group]) -> list[Group] | None:
        """The groups left to lay; None if something else was laid."""
        if before == after:
            return groups
        first = dict(groups[0]) if groups else {}
        for cell, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new and first.pop(cell, None) != new:
                return None
        return [first, *groups[1:]] if first else groups[1:]

    def _is_worth_a_look(self, state: State, groups: list[Group]) -> bool:
        """Whether the remaining tiles can still be supplied, and no state was seen that is equal or dominates this one."""
        needed = Counter(kind for group in groups for kind in group.values())
        if needed - Counter(tile for at in self.problem.reachable.supplies for tile in state[at]):
            return False
        key, spent = self.problem.key(state), self.problem.spent(state)
        seen = self._seen.setdefault(key, [])
        if any(all(map(int.__ge__, other, spent)) for other in seen):
            return False
        seen.append(spent)
        return True
