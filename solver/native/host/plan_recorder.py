"""All plans worth a goal, by the recording kernel: in baseline code first, then in optimised code if that takes too long."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property

from rulewright.base.records import define, field
from rulewright.rules.machine.from_game import GameText, write_game
from rulewright.rules.machine.machine_game import MachineGame, capacity_of
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.machine.state_hash import hash_tables
from rulewright.rules.model.state import OVER, POINT
from rulewright.rules.model.terms import Term
from rulewright.solver.budget import Limits
from rulewright.solver.native.kernels import plan_order, plan_recording
from rulewright.solver.native.kernels.plan_order import Neighbours
from rulewright.solver.native.kernels.plan_recording import Edge, Mark, PlanRecording
from rulewright.solver.native.kernels.uniform_cost import NUMBER, SearchEnd
from rulewright.solver.native.tables.orbit_words import orbits_of
from rulewright.solver.native.tables.search_tables import KeptSlots, bytes_of_state, first_tables, larger_tables, with_parts
from rulewright.solver.search.optimal_dag import NODE, Node, PlanGraph, Uncounted
from rulewright.solver.search.problem import Problem
from rulewright.solver.search.shortest_plan import CostOf, ShortestPlanProblem, truth_value
from rulewright.solver.symmetry.space_maps import Automorphism
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import parts_of
from rulewright.subset.lowering import Source
from rulewright.subset.program import Program, as_baseline_code, as_machine_code_by, is_kept
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from .shortest_search import IN_PYTHON, OPTIMISED, UNOPTIMISED
from .shortest_workers import KERNELS

ENTRIES = ("apply", "enter_root", "keep_useful", "know_again", "legal", "neighbours", "record_plans", "value")

EDGES = 6
"""Moves per state for which memory is reserved."""


@define(eq=False)
class PlanRecorder:
    """The graph of all plans of a problem that are worth a goal; baseline code searches first."""

    problem: Problem | ShortestPlanProblem
    goal: int
    """The least cost, or a value as the question counts it."""
    limits: Limits
    automorphisms: Sequence[Automorphism] = ()
    """One state of each orbit is recorded, so moves lead to the orbit of a node."""
    began: float = field(factory=time.monotonic)
    _program: Program = field(init=False)
    _machine: MachineGame = field(init=False)
    _kept_slots: KeptSlots = field(init=False)
    _recording: PlanRecording = field(init=False)
    _most_states: int = field(default=0, init=False)

    def graph(self, seconds_unoptimised: float) -> PlanGraph:
        """The graph found within the limits. Raises `CannotCompile` if the game does not fit the compiled subset, `GameFault`
        at an error of the rules."""
        problem = self.problem
        if isinstance(problem, ShortestPlanProblem) and problem.reached(problem.root):
            return self._end_at_once(is_goal=True)
        if problem.root[POINT] == OVER:
            return self._end_at_once(isinstance(problem, Problem))
        deadline = self.began + self.limits.seconds
        is_kept_code = self.is_compiled
        self._program = (as_machine_code_by(deadline) if is_kept_code else as_baseline_code)(self._sources, ENTRIES)
        self._begin()
        gap: Uncounted | None = Uncounted.TIME_UP
        pace = OPTIMISED
        if not is_kept_code:
            pace = UNOPTIMISED if self._program.is_compiled else IN_PYTHON
            gap = self._look(min(deadline, self.began + seconds_unoptimised), pace.slice)
        if gap is Uncounted.TIME_UP and time.monotonic() < deadline:
            if not is_kept_code and self._compiled(deadline):
                pace = OPTIMISED
            gap = self._look(deadline, pace.slice)
        return self._graph(gap)

    @property
    def neighbours(self) -> Neighbours:
        """Whether adjacent actions of the plans commute; the graph must be complete."""
        return Neighbours(self._program.neighbours(self._recording))

    @cached_property
    def is_compiled(self) -> bool:
        """Whether its machine code is in the cache."""
        return is_kept(self._sources, ENTRIES)

    @cached_property
    def _at_end(self) -> bool:
        return isinstance(self.problem, Problem)

    @cached_property
    def _slots(self) -> Slots:
        engine = self.problem.engine
        return Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, self.problem.root))

    @cached_property
    def _game(self) -> GameText:
        problem = self.problem
        values: Sequence[Term] = problem.question.values
        if isinstance(problem, ShortestPlanProblem):
            values = (*values, *values, truth_value(problem.until))
        engine = problem.engine
        return write_game(engine.instance, self._slots, engine.flow, tuple(values), engine.horizon)

    @cached_property
    def _sources(self) -> Sequence[Source]:
        return self._game.sources((*KERNELS, plan_recording, plan_order))

    def _compiled(self, deadline: float) -> bool:
        """Switch to machine code; whether that succeeded."""
        with suppress(CannotCompile, ImportError):
            self._program = self._machine.program = as_machine_code_by(deadline)(self._sources, ENTRIES)
            return True
        return False

    def _begin(self) -> None:
        problem, engine = self.problem, self.problem.engine
        arrangement = Arrangement(self._slots, engine.instance)
        counts = self._at_end and engine.horizon is not None
        variables = problem.analysis.live_variables if isinstance(problem, Problem) else problem.telling_variables
        hashes = hash_tables(arrangement, variables, counts, self.limits.hash_key)
        machine = self._machine = MachineGame.of(self._game, self._program, arrangement, hashes)
        self._kept_slots = KeptSlots.of(machine, problem.analysis, variables, counts)
        machine.load(problem.root)
        most = self._most_states = min(max(self.limits.room * 3 // 4 // self._bytes_of_state, 1), NUMBER)
        cost_of, least_step, root_cost = CostOf.MOVES, 0, 0
        if isinstance(problem, ShortestPlanProblem):
            cost_of, least_step, root_cost = problem.cost_of, problem.least_step, problem.root_cost
        search = first_tables(machine, self._kept_slots, most, cost_of, least_step, problem.analysis.uses_chance)
        self._recording = PlanRecording(
            search=with_parts(search, orbits=orbits_of(self.automorphisms, arrangement, variables)),
            edges=ints(most * EDGES * (size_of(Edge) + machine.game.width)),
            marks=ints(most),
            recording_words=longs(16),
            edge_room=most * EDGES,
            at_end=int(self._at_end),
            sign=problem.sign if isinstance(problem, Problem) else 1,
            goal=problem.sign * self.goal if isinstance(problem, Problem) else self.goal,
        )
        self._program.enter_root(self._recording.search, root_cost)

    @property
    def _bytes_of_state(self) -> int:
        """Bytes for a state, its mark and the moves from it."""
        return bytes_of_state(self._machine, self._kept_slots) + 4 * EDGES * (size_of(Edge) + self._machine.game.width) + 4

    def _look(self, deadline: float, states: int) -> Uncounted | None:
        """Continue until the deadline; returns why plans may be missing."""
        while time.monotonic() < deadline:
            search = self._recording.search
            search.expansion_limit = search.expanded + states
            match self._program.record_plans(self._recording):
                case SearchEnd.PROVED:
                    return None
                case SearchEnd.FAULTED:
                    raise self._machine.failure()
                case SearchEnd.FULL if not self._grow():
                    return Uncounted.NO_ROOM
        return Uncounted.TIME_UP

    def _grow(self) -> bool:
        """Make more room for states; False if there is none."""
        recording = self._recording
        if recording.search.room == self._most_states:
            return False
        parts = {name: getattr(recording, name) for name in parts_of(PlanRecording)}
        search = larger_tables(recording.search, self._most_states)
        self._recording = PlanRecording(**{**parts, "search": search})
        self._program.know_again(search)
        return True

    def _graph(self, gap: Uncounted | None) -> PlanGraph:
        """The useful states and the moves between them as nodes."""
        recording = self._recording
        count = self._program.keep_useful(recording)
        # The nodes get what the states leave: memory that was not written to is not taken.
        if gap is None and count * NODE > self.limits.room - recording.search.state_count * self._bytes_of_state:
            gap, count = Uncounted.NO_ROOM, 0
        edges, marks = recording.array_named("edges"), recording.array_named("marks")
        before_move = size_of(Edge)
        width = before_move + self._machine.game.width
        nodes: dict[int, Node] = {0: Node(None)}
        for at in range(0, count * width, width):
            parent, child = edges.items[at], edges.items[at + 1]
            for number in (parent, child):
                if number not in nodes:
                    nodes[number] = Node(None, is_goal=marks[number] == Mark.GOAL)
            move = self._machine.move_in(edges, at + before_move)
            nodes[parent].ways[move] = nodes[child]
            nodes[parent].useful = nodes[child].useful = True
        return PlanGraph.of(nodes[0], self._useful(nodes), gap)

    def _useful(self, nodes: Mapping[int, Node]) -> list[Node]:
        return [node for node in nodes.values() if node.useful]

    def _end_at_once(self, is_goal: bool) -> PlanGraph:
        root = Node(None, is_goal=is_goal, useful=is_goal)
        return PlanGraph.of(root, [root] if is_goal else [], None)
