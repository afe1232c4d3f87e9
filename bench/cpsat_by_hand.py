"""A peer: CP-SAT on a model written by hand for this one game, solo Beacon Patrol with a known order of tiles.

`python bench/cpsat_by_hand.py PUZZLE GOAL [--seconds 60] [--workers 2]` decides whether a score can be reached: by the last
board, time stamps and clocks, and a walk through each solution, which is excluded if it has none.

Each cell within reach gets at most one tile, edges match, and each tile is entered by water from an earlier one. A turn lays
some tiles of the hand, may keep one tile, and has as many steps as tokens and tiles not kept. The ship's place after each turn,
and the distance of each tile of the turn from there, are bounded by shortest paths over all possible tiles.

Tried and rejected: presolve with probing (1.5 to 3 times the time), inprocessing, linear relaxations, ranks of tiles (no gain),
leaving out that what is far off needs tiles on the way (1.7 times).
"""

from __future__ import annotations

import argparse
import heapq
import json
import time
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, field, frozen, mutable
from ortools.sat.python import cp_model
from solo_by_hand import Cell, Task, Turn, Walk, beside, turns

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.project import Project

FAR = 1 << 20

PARAMETERS: Mapping[str, Any] = {
    "keep_all_feasible_solutions_in_presolve": True,
    "linearization_level": 0,
    "cp_model_presolve": False,
    "inprocessing_dtime_ratio": 0.0,
    "inprocessing_minimization_dtime": 0.0,
    "use_phase_saving": False,
}


@mutable
class Model:
    """The model of a task, without its goal."""

    task: Task
    model: cp_model.CpModel = field(factory=cp_model.CpModel)
    layers: list[list[Turn]] = field(init=False)
    fits: dict[Cell, list[str]] = field(factory=dict)
    needed: dict[Cell, int] = field(factory=dict)
    laid: dict[Cell, dict[str, Any]] = field(factory=dict)
    on: dict[Cell, Any] = field(factory=dict)
    turn: list[dict[Turn, Any]] = field(factory=list)
    within: dict[Cell, list[Any]] = field(factory=dict)
    by: dict[Cell, list[Any]] = field(factory=dict)
    out: dict[Cell, list[Cell]] = field(factory=dict)
    value: Any = None
    _distances: dict[Cell, dict[Cell, int]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.layers = turns(self.task)
        self._find_cells()
        self._add_board()
        self._add_score()
        self._add_turns()
        self._add_stamps()
        self._add_entrances()
        self._add_reach()
        self._add_journeys()

    # Cells within reach ------------------------------------------------------------------------------------------------

    def _find_cells(self) -> None:
        task = self.task
        self.fits = {cell: [kind] for cell, kind in task.lying.items()}
        ring = set(task.lying)
        for _ in task.coming:
            ring = {near for cell in ring for near in beside(cell)} - self.fits.keys()
            for cell in ring:
                kinds = [kind for kind in dict.fromkeys(task.coming) if self._may_lie(kind, cell)]
                if kinds:
                    self.fits[cell] = kinds
            ring &= self.fits.keys()
        self._join()
        self.needed = self._tiles_needed()
        for cell in [cell for cell in self.fits if self.needed.get(cell, FAR) > len(task.coming) and cell not in task.lying]:
            del self.fits[cell]
        self._join()

    def _may_lie(self, kind: str, cell: Cell) -> bool:
        lying, land = self.task.lying, self.task.land
        return all(
            near not in lying or land[kind][side] == land[lying[near]][(side + 2) % 4] for side, near in enumerate(beside(cell))
        )

    def _join(self) -> None:
        """Add the steps by water that some tiles allow."""
        land = self.task.land
        self.out = {
            cell: [
                near
                for side, near in enumerate(beside(cell))
                if near in self.fits
                and any(not land[kind][side] for kind in kinds)
                and any(not land[kind][(side + 2) % 4] for kind in self.fits[near])
            ]
            for cell, kinds in self.fits.items()
        }

    def _tiles_needed(self) -> dict[Cell, int]:
        found, heap = {self.task.ship: 0}, [(0, self.task.ship)]
        while heap:
            needed, cell = heapq.heappop(heap)
            for near in self.out[cell] if needed == found[cell] else ():
                more = needed + (near not in self.task.lying)
                if more < found.get(near, FAR):
                    found[near] = more
                    heapq.heappush(heap, (more, near))
        return found

    def distances(self, start: Cell) -> dict[Cell, int]:
        """The least number of steps from a cell."""
        found = self._distances.get(start)
        if found is None:
            found = self._distances[start] = {start: 0}
            front = deque([start])
            while front:
                cell = front.popleft()
                for near in self.out[cell]:
                    if near not in found:
                        found[near] = found[cell] + 1
                        front.append(near)
        return found

    def distance(self, start: Cell, end: Cell) -> int:
        return self.distances(start).get(end, FAR)

    # The last board ----------------------------------------------------------------------------------------------------

    def _new(self) -> Any:
        return self.model.new_bool_var("")

    def _add_board(self) -> None:
        task, model = self.task, self.model
        vacant = [cell for cell in self.fits if cell not in task.lying]
        for cell in vacant:
            self.laid[cell] = {kind: self._new() for kind in self.fits[cell]}
            self.on[cell] = self._new()
            model.add(sum(self.laid[cell].values()) == self.on[cell])
        for kind, number in Counter(task.coming).items():
            model.add(sum(kinds[kind] for kinds in self.laid.values() if kind in kinds) <= number)
        for cell in vacant:
            for side, near in ((1, beside(cell)[1]), (2, beside(cell)[2])):
                if near in self.on:
                    one, other = self._land(cell, side), self._land(near, (side + 2) % 4)
                    model.add(sum(one) + self.on[near] - sum(other) <= 1)
                    model.add(sum(other) + self.on[cell] - sum(one) <= 1)

    def _land(self, cell: Cell, side: int) -> list[Any]:
        return [lit for kind, lit in self.laid[cell].items() if self.task.land[kind][side]]

    def _water(self, cell: Cell, side: int) -> list[Any]:
        return [lit for kind, lit in self.laid[cell].items() if not self.task.land[kind][side]]

    def _add_score(self) -> None:
        task, model = self.task, self.model
        terms: list[Any] = []
        for cell in self.fits:
            around = [near for near in beside(cell) if near not in task.lying]
            if len(around) + (cell not in task.lying) > len(task.coming) or any(near not in self.on for near in around):
                continue
            if not around and cell in task.lying:
                terms.append(task.worth[task.lying[cell]])
                continue
            lit = self._new()
            for near in around:
                model.add_implication(lit, self.on[near])
            if cell in task.lying:
                terms.append(task.worth[task.lying[cell]] * lit)
                continue
            model.add_implication(lit, self.on[cell])
            terms.append(lit)
            for worth in sorted({task.worth[kind] for kind in self.laid[cell]} - {1}):
                more = self._new()
                model.add_implication(more, lit)
                model.add(more <= sum(on for kind, on in self.laid[cell].items() if task.worth[kind] == worth))
                terms.append((worth - 1) * more)
        self.value = sum(terms)

    # Turns and time stamps ---------------------------------------------------------------------------------------------

    def _add_turns(self) -> None:
        arriving: dict[Any, list[Any]] = {self.layers[0][0].source: [1]}
        for layer in self.layers:
            lits = {turn: self._new() for turn in layer}
            leaving, after = defaultdict(list), defaultdict(list)
            for turn, lit in lits.items():
                leaving[turn.source].append(lit)
                after[turn.target].append(lit)
            for node, found in leaving.items():
                self.model.add(sum(found) == sum(arriving[node]))
            arriving = after
            self.turn.append(lits)

    def _add_stamps(self) -> None:
        """`within[cell][n]`: laid in turn n; `by[cell][n]`: in turn n or before. Kinds take turns as their tiles do."""
        model, number = self.model, len(self.layers)
        for cell, on in self.on.items():
            self.within[cell] = [self._new() for _ in range(number)]
            model.add(sum(self.within[cell]) == on)
            self.by[cell] = [self.within[cell][0], *(self._new() for _ in range(number - 2)), on][:number]
            for place in range(1, number - 1):
                model.add(self.by[cell][place] == self.by[cell][place - 1] + self.within[cell][place])
        kinds = Counter(self.task.coming)
        for n, lits in enumerate(self.turn):
            model.add(
                sum(within[n] for within in self.within.values()) == sum(len(turn.laid) * lit for turn, lit in lits.items())
            )
        for kind, copies in kinds.items():
            taking = [[(turn.laid.count(kind), lit) for turn, lit in lits.items() if kind in turn.laid] for lits in self.turn]
            cells = [cell for cell, found in self.laid.items() if kind in found]
            model.add(sum(self.laid[cell][kind] for cell in cells) == sum(n * lit for lits in taking for n, lit in lits))
            for n, lits in enumerate(taking):
                taken = self._any([lit for _, lit in lits])
                for cell in cells:
                    model.add_bool_or([~self.laid[cell][kind], ~self.within[cell][n], taken])
                    if copies == 1:
                        model.add_bool_or([~self.laid[cell][kind], ~taken, self.within[cell][n]])

    def _any(self, lits: Sequence[Any]) -> Any:
        """A literal for the disjunction of some literals of which at most one holds."""
        found = self._new()
        self.model.add(sum(lits) == found)
        return found

    def _add_entrances(self) -> None:
        """Each tile is entered from an earlier one, and no two from each other."""
        model = self.model
        entering: dict[tuple[Cell, Cell], Any] = {}
        for cell in self.on:
            ways: list[Any] = []
            for side, near in enumerate(beside(cell)):
                if near not in self.fits or cell not in self.out[near]:
                    continue
                lit = self._new()
                ways.append(lit)
                model.add_bool_or([~lit, *self._water(cell, side)])
                if near in self.on:
                    model.add_bool_or([~lit, *self._water(near, (side + 2) % 4)])
                    entering[near, cell] = lit
                    if (cell, near) in entering:
                        model.add_bool_or([~lit, ~entering[cell, near]])
                    for n in range(len(self.layers)):
                        model.add_bool_or([~lit, ~self.by[cell][n], self.by[near][n]])
            model.add(sum(ways) == self.on[cell])

    def _add_reach(self) -> None:
        """Of the tiles laid by a turn, at least one is on the path for each further tile that a cell needs."""
        layers, laid = self.layers, 0
        for n, layer in enumerate(layers):
            laid += max(len(turn.laid) for turn in layer)
            most = min(laid, len(self.task.coming))
            for least in range(2, max(self.needed.values()) + 1):
                far = [self.by[cell][n] for cell in self.on if self.needed[cell] >= least]
                self.model.add(sum(far) <= max(0, most - least + 1))

    # Journeys ----------------------------------------------------------------------------------------------------------

    def _add_journeys(self) -> None:
        model, before = self.model, {self.task.ship: 1}
        laid = walked = 0
        for n, lits in enumerate(self.turn):
            laid += max(len(turn.laid) for turn in lits)
            longest = max(turn.steps for turn in lits)
            walked += longest
            cells = {
                cell
                for start in before
                for cell, steps in self.distances(start).items()
                if steps <= longest and self.needed.get(cell, FAR) <= laid and self.distance(self.task.ship, cell) <= walked
            }
            after = {cell: self._new() for cell in sorted(cells)}
            model.add_exactly_one(after.values())
            for cell, lit in after.items():
                if cell in self.by:
                    model.add_implication(lit, self.by[cell][n])
            for cell in self.on:
                if self.needed[cell] > laid or self.distance(self.task.ship, cell) > walked:
                    model.add(self.within[cell][n] == 0)
            for limit in sorted({turn.steps for turn in lits}):
                longer = [lit for turn, lit in lits.items() if turn.steps > limit]
                self._add_ways(n, limit, before, after, longer)
            before = after

    def _add_ways(
        self, turn: int, limit: int, before: Mapping[Cell, Any], after: Mapping[Cell, Any], longer: list[Any]
    ) -> None:
        for cell, lit in after.items():
            self._post([lit], [on for start, on in before.items() if self.distance(start, cell) <= limit], before, longer)
        for cell, within in self.within.items():
            coming = {start: self.distance(start, cell) for start in before}
            for farther in sorted({steps for steps in coming.values() if steps <= limit} | {limit + 1}):
                near = [on for start, on in before.items() if coming[start] < farther]
                ends = [on for end, on in after.items() if self.distance(cell, end) <= limit - farther]
                if len(near) < len(before):
                    self._post([within[turn]], near + ends, before, longer)

    def _post(self, holds: list[Any], needs: list[Any], before: Mapping[Cell, Any], longer: list[Any]) -> None:
        if 1 in [need for need in needs if isinstance(need, int)]:
            return
        self.model.add_bool_or([*(~lit for lit in holds), *needs, *longer])


@frozen
class Answer:
    """Whether the score can be reached (None: unknown within the time), the seconds and the effort."""

    reached: bool | None
    building: float
    seconds: float
    variables: int
    constraints: int
    cuts: int
    conflicts: int


def ask(task: Task, goal: int, seconds: float, parameters: Mapping[str, Any]) -> Answer:
    """Whether a score can be reached."""
    began = time.perf_counter()
    model = Model(task)
    model.model.add(model.value >= goal)
    building, cuts, conflicts = time.perf_counter() - began, 0, 0
    while True:
        solver = cp_model.CpSolver()
        left = seconds - (time.perf_counter() - began)
        for name, value in {**PARAMETERS, "max_time_in_seconds": max(left, 0.05), **parameters}.items():
            setattr(solver.parameters, name, value)
        status = solver.solve(model.model)
        conflicts += solver.num_conflicts
        reached: bool | None = None if status == cp_model.UNKNOWN else False
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            lits = {
                (cell, kind): lit
                for cell, kinds in model.laid.items()
                for kind, lit in kinds.items()
                if solver.boolean_value(lit)
            }
            reached = Walk(task, dict(lits)).exists()
            if not reached:
                cuts += 1
                board = {cell for cell, _ in lits}
                others = (on for cell, on in model.on.items() if cell not in board)
                model.model.add_bool_or([*(~lit for lit in lits.values()), *others])
                continue
        size = len(model.model.proto.variables), len(model.model.proto.constraints)
        return Answer(reached, building, time.perf_counter() - began, *size, cuts, conflicts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzle", type=Path)
    parser.add_argument("goal", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    wish = parser.parse_args()
    puzzle = parse_puzzle(wish.puzzle.read_text("utf-8"), str(wish.puzzle))
    game = Project(wish.puzzle.parent).load_names(puzzle.rules, wish.puzzle.parent)
    task = Task.of(set_up_position(puzzle, game))
    print(json.dumps(asdict(ask(task, wish.goal, wish.seconds, {"num_workers": wish.workers}))))


if __name__ == "__main__":
    main()
