"""The model of a question about one board on which markers lay tiles: plans as rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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

from .connections import Connections, Journeys
from .marker_moves import StepGraph, marker_moves
from .placements import Placements
from .realisation import Group, Realisation, TravelCuts
from .round_graph import round_layers
from .tallies import Tallies


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
    objective, encoder = board_objective(final_board, question), Encoder(circuit)
    graph = abstract_graph_of(engine, analysis, root)
    layers = round_layers(engine, graph, marker_moves(engine, analysis, board, graph.tracked))
    steps = StepGraph(final_board, movement)
    placements = Placements(final_board, steps, layers, [root[marker] for marker in movement.markers], circuit)
    Connections(placements, steps, circuit)
    journeys = Journeys(placements, steps, circuit)
    starts = {marker: root[marker] for marker in movement.markers}
    for marker, start in starts.items():
        journeys.add(marker, start)
    reader = RoundPlans(placements, Realisation(problem, board), journeys, TravelCuts(placements, steps, starts), encoder)
    return ConstraintModel(circuit, objective, reader, reader.exclude, Tallies(placements, circuit, objective).reaching)
