"""The actions that move a marker: one step, onto a tile already there or laid by the same action.

Plans by rounds depend on what is required here: each action lays at most one tile, and its marker moves there.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces.window import Window
from rulewright.rules.static.dataflow import DataflowAnalysis, flat, reads
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.best.bounds.movement_rules import MovementRules
from rulewright.solver.cpsat.model.final_board import FinalBoard


@frozen
class MarkerMove:
    """An action's move of a marker. `tile` is the place among the parameters of the tile laid; None if none is."""

    marker: terms.Read
    tile: int | None

    def column(self, engine: Engine, columns: Sequence[Any]) -> int:
        """The column of the moving marker, in an abstract state that tells whose it is."""
        if not self.marker.index:
            return engine.layout.position(self.marker.variable, None)
        return engine.layout.position(self.marker.variable, engine.value(self.marker.index[0], tuple(columns)))


def marker_moves(engine: Engine, analysis: DataflowAnalysis, board: str, tracked: frozenset[str]) -> dict[int, MarkerMove]:
    """By number, the actions that lay tiles on a board or move the markers beside which tiles are laid.

    Raises `Refused` if an action does more than one step, or if `tracked` variables do not tell whose marker moves.
    """
    markers = {marker for action in analysis.offered for marker in _laid_beside(action, board)}
    found: dict[int, MarkerMove] = {}
    for action in analysis.offered:
        move = _move(action, board, markers)
        if move is None:
            continue
        if not reads(engine.game, *move.marker.index) <= tracked:
            raise Refused(f"`{move.marker.variable}`, whose owner is unknown", action.span, action.name)
        found[engine.action_numbers[action.name]] = move
    return found


def _laid_beside(action: Action, board: str) -> Iterator[str]:
    """The variables beside which an action lays tiles on a board."""
    for clause in flat(action.effects):
        if (cell := ef.cell_laid(clause.effect, board)) is not None:
            match _domains(action).get(cell):
                case terms.Neighbours(_, _, terms.Read(marker)):
                    yield marker
                case _:
                    raise Refused("tiles that are not laid beside a marker", clause.span, clause.name)


def _domains(action: Action) -> Mapping[terms.Term, terms.Term]:
    """The domains of an action's parameters."""
    return {terms.Local(parameter.name, parameter.type): parameter.domain for parameter in action.parameters}


def _move(action: Action, board: str, markers: set[str]) -> MarkerMove | None:
    """The step that an action takes; None if it neither lays a tile nor moves a marker. Raises `Refused`."""
    every = [clause.effect for clause in flat(action.effects)]
    puts = [effect for effect in every if isinstance(effect, ef.Transfer) and ef.cell_laid(effect, board) is not None]
    moves = [effect for effect in every if isinstance(effect, ef.Assign) and effect.target.variable in markers]
    if not puts and not moves:
        return None
    certain = [clause.effect for clause in action.effects]
    if len(puts) <= 1 and len(moves) == 1 and all(effect in certain for effect in (*puts, *moves)):
        marker, tile = _stepping(action, moves[0].value, moves[0].target), _tile(action, puts)
        if marker is not None and all(put.target.index == (moves[0].value,) for put in puts) and (tile is not None or not puts):
            return MarkerMove(marker, tile)
    raise Refused("an action that does more than lay a tile and move onto it, or move one step", action.span, action.name)


def _stepping(action: Action, goal: terms.Term, target: ef.Location) -> terms.Read | None:
    """The marker, if it moves to a cell beside it; else None."""
    match _domains(action).get(goal):
        case terms.Neighbours(_, _, terms.Read(variable, index) as marker) if (variable, index) == (
            target.variable,
            target.index,
        ):
            return marker
        case _:
            return None


def _tile(action: Action, puts: Sequence[ef.Transfer]) -> int | None:
    """The place among the parameters of the tile laid; None if no single parameter is laid."""
    names = [parameter.name for parameter in action.parameters]
    match puts:
        case [ef.Transfer(terms.Local(name))] if name in names:
            return names.index(name)
        case _:
            return None


FAR = 1 << 20
"""Stands for a distance greater than any other."""


@frozen
class Step:
    """A step between two cells: one of the `leaving` kinds must be on the start, and of the `entering` on the end, finally."""

    start: int
    end: int
    leaving: frozenset[int]
    entering: frozenset[int]


@define
class StepGraph:
    """The steps from and to each cell that holds a tile or may get one."""

    board: FinalBoard
    movement: MovementRules
    out: dict[int, list[Step]] = field(factory=dict)
    into: dict[int, list[Step]] = field(factory=dict)
    _distances: dict[int, dict[int, int]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        window, tiles = self.window, self.board.tiles
        cells = [cell for cell in range(window.size) if tiles[cell] or cell in self.board.laid]
        self.out = {cell: [] for cell in cells}
        self.into = {cell: [] for cell in cells}
        for cell in cells:
            for place, way in enumerate(self.movement.directions):
                end = window.steps[way][cell]
                step = self._step(cell, end, place) if end in self.into else None
                if step is not None:
                    self.out[cell].append(step)
                    self.into[end].append(step)

    @property
    def window(self) -> Window:
        return self.board.engine.instance.windows[self.board.board]

    def kinds(self, cell: int) -> Sequence[int]:
        """The kinds that may be on a cell in the end, if it has a tile then."""
        return list(self.board.laid.get(cell, ())) or [self.board.tiles[cell]]

    def _step(self, start: int, end: int, place: int) -> Step | None:
        """The step between two cells in one of the directions; None if no tiles allow it."""
        firsts, seconds = self.kinds(start), self.kinds(end)
        if start in self.movement.translatable and end in self.movement.translatable:
            pairs = {(one, other) for one in firsts for other in seconds if self._is_possible(start, one, end, other, place)}
            firsts, seconds = [one for one, _ in pairs], [other for _, other in pairs]
        return Step(start, end, frozenset(firsts), frozenset(seconds)) if firsts else None

    def _is_possible(self, start: int, one: int, end: int, other: int, place: int) -> bool:
        """Whether a marker may step from a tile to another that is there already, or is laid by the step."""
        rules, laid = self.movement, self.board.laid
        if start in laid and end in laid and not self.board.may_be_beside(start, one, end, other):
            return False
        return (one in rules.leaves[place] and other in rules.enters[place]) or (end in laid and other in rules.lays[place])

    def distances(self, start: int) -> dict[int, int]:
        """The least number of steps from a cell to each reachable cell, whatever tiles are laid."""
        found = self._distances.get(start)
        if found is None:
            found = self._distances[start] = {start: 0}
            front = deque([start])
            while front:
                cell = front.popleft()
                for step in self.out[cell]:
                    if step.end not in found:
                        found[step.end] = found[cell] + 1
                        front.append(step.end)
        return found

    def distance(self, start: int, end: int) -> int:
        """The least number of steps between two cells; `FAR` if there is no way."""
        return self.distances(start).get(end, FAR)

    def tiles_needed(self, starts: Iterable[int]) -> dict[int, int]:
        """The least number of tiles that must be laid before a marker stands on a cell, including the tile there."""
        found = dict.fromkeys(starts, 0)
        heap = [(0, cell) for cell in found]
        while heap:
            needed, cell = heapq.heappop(heap)
            if needed > found[cell]:
                continue
            for step in self.out[cell]:
                more = needed + (step.end in self.board.laid)
                if more < found.get(step.end, FAR):
                    found[step.end] = more
                    heapq.heappush(heap, (more, step.end))
        return found
