"""All plans worth a goal, by the recording kernel."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, field
from rulewright.rules.analysis.space_maps import Automorphism
from rulewright.rules.model.state import OVER, POINT
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.kernel.run import Run
from rulewright.solver.result import STATE_BYTES, Limits
from rulewright.solver.shortest.game import KERNELS, CostGame, KnownStates, bytes_of_state, most_states_in
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import with_parts
from rulewright.subset.records import size_of

from . import plan_order, plan_recording
from .plan_graph import Node, PlanGraph, Uncounted
from .plan_order import Neighbours
from .plan_recording import Edge, Mark, PlanRecording

ENTRIES = ("apply", "enter_root", "keep_useful", "legal", "move_table", "neighbours", "record_plans", "value")

EDGES = 6
"""Moves per state for which memory is reserved."""


@define(eq=False)
class PlanRecorder:
    """The graph of all plans of a problem that are worth a goal: the least cost, or a value as the question counts it."""

    problem: Problem | ShortestPlanProblem
    goal: int
    limits: Limits
    automorphisms: Sequence[Automorphism] = ()
    """One state of each orbit is recorded, so moves lead to the orbit of a node."""
    began: float = field(factory=time.monotonic)
    _states: KnownStates = field(init=False)
    _recording: PlanRecording = field(init=False)

    def graph(self) -> PlanGraph:
        """The graph found within the limits. Raises `CannotCompile` if the game does not fit the compiled subset, `GameFault`
        at an error of the rules."""
        problem = self.problem
        if isinstance(problem, ShortestPlanProblem) and problem.reached(problem.root):
            return self._end_at_once(is_goal=True)
        if problem.root[POINT] == OVER:
            return self._end_at_once(isinstance(problem, Problem))
        self._begin()
        return self._graph(self._gap())

    @property
    def neighbours(self) -> Neighbours:
        """Whether adjacent actions of the plans commute; the graph must be complete."""
        return Neighbours(self._run.program.neighbours(self._recording))

    @property
    def is_kept(self) -> bool:
        """Whether its machine code is in the cache."""
        return self._game.compiled.is_kept

    @cached_property
    def _game(self) -> CostGame:
        return CostGame(self.problem, (*KERNELS, plan_recording, plan_order), ENTRIES)

    @cached_property
    def _run(self) -> Run:
        return Run.of(self._game.compiled, self.began + self.limits.seconds)

    def _begin(self) -> None:
        problem, game, machine = self.problem, self._game, self._run.machine()
        most = most_states_in(self.limits.room * 3 // 4, self._bytes_of_state)
        states = self._states = game.states(machine, most)
        states.search = with_parts(states.search, orbits=game.orbits(self.automorphisms))
        at_end = isinstance(problem, Problem)
        sign = problem.sign if isinstance(problem, Problem) else 1
        self._recording = PlanRecording(
            search=states.search,
            edges=ints(most * EDGES * (size_of(Edge) + machine.game.width)),
            marks=ints(most),
            recording_words=longs(16),
            edge_room=most * EDGES,
            at_end=int(at_end),
            sign=sign,
            goal=sign * self.goal,
        )
        self._run.program.enter_root(states.search, problem.root_cost if isinstance(problem, ShortestPlanProblem) else 0)

    @cached_property
    def _bytes_of_state(self) -> int:
        """Bytes for a state, its mark and the moves from it."""
        edges = EDGES * (size_of(Edge) + self._game.compiled.text.width)
        return bytes_of_state(self._game.layout) + 4 * edges + 4

    def _gap(self) -> Uncounted | None:
        """Record plans until the deadline; why some may be missing."""
        for states in self._run.slices():
            search = self._recording.search
            search.expansion_limit = search.expanded + states
            match self._run.call(self._run.program.record_plans, self._recording):
                case SearchEnd.DONE:
                    return None
                case SearchEnd.FAULTED:
                    raise self._states.machine.failure()
                case SearchEnd.FULL:
                    if not self._states.grow():
                        return Uncounted.NO_ROOM
                    self._recording = with_parts(self._recording, search=self._states.search)
        return Uncounted.TIME_UP

    def _graph(self, gap: Uncounted | None) -> PlanGraph:
        """The useful states and the moves between them as nodes."""
        recording, machine = self._recording, self._states.machine
        count = self._run.program.keep_useful(recording)
        before_move = size_of(Edge)
        width = before_move + machine.game.width
        # The nodes get what the states leave: memory that was not written to is not taken.
        left = self.limits.room - recording.search.state_count * self._bytes_of_state
        if gap is None and count * STATE_BYTES > left:
            gap, count = Uncounted.NO_ROOM, 0
        edges, marks = recording.array_named("edges"), recording.array_named("marks")
        nodes: dict[int, Node] = {0: Node(None)}
        for at in range(0, count * width, width):
            parent, child = edges.items[at], edges.items[at + 1]
            for number in (parent, child):
                if number not in nodes:
                    nodes[number] = Node(None, is_goal=marks[number] == Mark.GOAL)
            move = machine.move_in(edges, at + before_move)
            nodes[parent].ways[move] = nodes[child]
            nodes[parent].useful = nodes[child].useful = True
        return PlanGraph.of(nodes[0], self._useful(nodes), gap)

    def _useful(self, nodes: Mapping[int, Node]) -> list[Node]:
        return [node for node in nodes.values() if node.useful]

    def _end_at_once(self, is_goal: bool) -> PlanGraph:
        root = Node(None, is_goal=is_goal, useful=is_goal)
        return PlanGraph.of(root, [root] if is_goal else [], None)
