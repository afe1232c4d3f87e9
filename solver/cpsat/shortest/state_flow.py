"""Shortest plans as a unit flow through the state graph, where that holds the whole state: its linear relaxation is exact."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import define, field
from rulewright.rules.model.moves import Move
from rulewright.rules.model.terms import Term
from rulewright.solver.cpsat.model.abstract_graph import Exploration
from rulewright.solver.cpsat.model.circuit import Circuit, LinearExpression, Lit, holds
from rulewright.solver.cpsat.model.state_graph import SKIP, Edge


@define
class StateFlow:
    """The unit flow from the root to a state where the condition holds; a cycle beside the path only adds moves.

    `moves` are the edges that leave each state, `ends` the states where a plan may end, each with its literal.
    """

    circuit: Circuit
    moves: dict[int, list[tuple[Edge, Lit]]] = field(factory=dict)
    ends: dict[int, Lit] = field(factory=dict)

    @classmethod
    def of(cls, exploration: Exploration, until: Term, circuit: Circuit) -> StateFlow | None:
        """The flow through all states; None if the abstract states leave open what a move does or whether a plan may end."""
        exploration.explore()
        found = [exploration.value(until, state) for state in range(len(exploration.nodes))]
        if not exploration.is_exact or not all(holds_there.always or holds_there.never for holds_there in found):
            return None
        flow = cls(circuit, ends={state: circuit.new_literal() for state, here in enumerate(found) if here.always})
        into: dict[int, list[Lit]] = {}
        for edge in exploration.edges:
            lit = circuit.new_literal()
            flow.moves.setdefault(edge.source, []).append((edge, lit))
            into.setdefault(edge.target, []).append(lit)
        circuit.add_linear([(1, lit) for lit in flow.ends.values()], 1, 1)
        for state in range(len(exploration.nodes)):
            entering = [(-1, lit) for lit in into.get(state, ())]
            leaving = [(1, lit) for _, lit in flow.moves.get(state, ())]
            leaving += [(1, flow.ends[state])] if state in flow.ends else []
            begun = int(state == 0)
            circuit.add_linear(leaving, None, 1)
            circuit.add_linear([*leaving, *entering], begun, begun)
        return flow

    @property
    def objective(self) -> LinearExpression:
        """The number of moves, negated."""
        moves = (move for leaving in self.moves.values() for move in leaving)
        return LinearExpression.of({lit: -1 for edge, lit in moves if edge.move != SKIP}, 0)

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...]:
        """The moves along the path from the root."""
        state, plan = 0, list[Move]()
        while state not in self.ends or not holds(self.ends[state], solution):
            edge = next(edge for edge, lit in self.moves[state] if holds(lit, solution))
            if edge.move != SKIP:
                plan.append(tuple(argument for argument in edge.move if argument is not None))
            state = edge.target
        return tuple(plan)
