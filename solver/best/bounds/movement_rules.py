"""Where a marker may move, derived from the requirements of actions, on boards where every tile is laid next to a marker.

A marker moves from a cell to an adjacent one; whether it may depends on the tiles on both. On an append-only board a step that
the tiles already laid forbid stays forbidden. The cost of a step, the player to move and all else are abstracted away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.analysis.tile_domains import unknown_parameters
from rulewright.rules.analysis.translation import RecordingBoard, is_within, translatable_cells
from rulewright.rules.model import effects, terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.set_evaluator import near_directions
from rulewright.rules.spaces.window import Window
from rulewright.rules.static.abstract_algebra import AbstractAlgebra
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis, flat


@frozen
class MarkerStep:
    """An action that moves a marker to an adjacent cell, or that lays a tile there.

    `cell` and `tile` name the parameters for the cell and the tile.
    """

    action: Action
    cell: str
    marker: terms.Read
    directions: tuple[int, ...]
    lays: bool
    tile: str | None = None

    @property
    def conditions(self) -> list[terms.Term]:
        """The requirements of the action and of its parameters."""
        return [r.condition for r in self.action.requirements] + [p.where for p in self.action.parameters if p.where]


@frozen
class MovementRules:
    """For each direction: the kinds that may be laid on the adjacent cell, and the tiles that a marker may leave and enter
    without laying one.

    They hold between `translatable` cells; nothing is known of other cells. `markers` are columns of a state.
    """

    directions: tuple[int, ...]
    markers: tuple[int, ...]
    lays: tuple[frozenset[int], ...]
    leaves: tuple[frozenset[int], ...]
    enters: tuple[frozenset[int], ...]
    translatable: frozenset[int]


def movement_rules(states: ReachableStates, space: str) -> MovementRules | None:
    """How tiles, laid or still to come, restrict the markers; None if that cannot be derived."""
    engine = states.engine
    if states.lays_beside[space] is None:
        return None
    steps = _marker_steps(engine, states.analysis, space)
    translatable = translatable_cells(engine, space, [condition for step in steps for condition in step.conditions])
    if not steps or not translatable:
        return None
    window = engine.instance.windows[space]
    directions = tuple(sorted({direction for step in steps for direction in step.directions}))
    start = min(translatable, key=lambda cell: abs(cell - window.size // 2))
    tiles = bytearray(window.size + 1)
    board, wanted = RecordingBoard(tiles), sorted({*states.tiles(space), *states.kinds_to_come} - {0})
    evaluators = [_StepEvaluator.of(engine, space, step, start, board) for step in steps]
    laying = [evaluator for evaluator in evaluators if evaluator.step.lays]
    moving = [evaluator for evaluator in evaluators if not evaluator.step.lays]

    def passable(cell: int, direction: int) -> frozenset[int]:
        """The tiles on a cell that let a marker move in a direction."""
        found = set()
        for kind in wanted:
            tiles[cell] = kind
            if any(evaluator.may_hold(direction) for evaluator in moving):
                found.add(kind)
        tiles[cell] = 0
        return frozenset(found)

    lays = tuple(frozenset(k for k in wanted if any(e.may_hold(d, k) for e in laying)) for d in directions)
    leaves = tuple(passable(start, d) for d in directions)
    enters = tuple(passable(window.steps[d][start], d) for d in directions)
    if not all(is_within(window, start, cell) for cell in board.cells_read):
        return None
    columns = [engine.layout.columns[name] for name in sorted({step.marker.variable for step in steps})]
    markers = tuple(at for column in columns for at in range(column.start, column.start + column.count))
    return MovementRules(directions, markers, lays, leaves, enters, translatable)


def _marker_steps(engine: Engine, analysis: DataflowAnalysis, space: str) -> list[MarkerStep]:
    """Every possible step of a marker beside which tiles are laid; empty if one of them cannot be derived."""
    window = engine.instance.windows[space]
    found: list[MarkerStep] = []
    moved: list[tuple[Action, str, terms.Term]] = []
    for action in analysis.offered:
        laid: set[terms.Term] = set()
        for clause in flat(action.effects):
            match clause.effect:
                case effects.Transfer(tile, _, effects.Location(where, (terms.Local(name) as cell,))) if where == space:
                    laid.add(cell)
                    if (near := _beside_marker(window, action, name)) is None:
                        return []
                    found.append(MarkerStep(action, name, *near, True, tile.name if isinstance(tile, terms.Local) else None))
                case effects.Assign(target, Assignment.SET, value) if value not in laid:
                    moved.append((action, target.variable, value))
    markers = {step.marker.variable for step in found}
    for action, variable, value in moved:
        if variable in markers:
            if not isinstance(value, terms.Local):
                return []
            near = _beside_marker(window, action, value.name)
            if near is None or near[0].variable not in markers:
                return []
            found.append(MarkerStep(action, value.name, *near, False))
    return found


def _beside_marker(window: Window, action: Action, name: str) -> tuple[terms.Read, tuple[int, ...]] | None:
    """The marker that a parameter is adjacent to, and the directions from it; None if it depends on other parameters."""
    domain = next((p.domain for p in action.parameters if p.name == name), None)
    match domain:
        case terms.Neighbours(_, neighbourhood, terms.Read() as marker) if not locals_in(marker):
            return marker, near_directions(window, neighbourhood)
        case _:
            return None


@define
class _StepEvaluator(Evaluator[AbstractValue, AbstractSet]):
    """Abstract values with the step's marker on cell `start`; `ends` are its adjacent cells, by direction."""

    step: MarkerStep
    start: int
    ends: Mapping[int, int]
    parameters: Env

    @classmethod
    def of(cls, engine: Engine, space: str, step: MarkerStep, start: int, board: Sequence[int]) -> _StepEvaluator:
        """An evaluator in which vacant cells of the board may hold any tile."""
        instance = engine.instance
        algebra = AbstractAlgebra(instance, engine.layout, {space: board}, frozenset(range(1, len(engine.game.tiles) + 1)))
        ends = {direction: instance.windows[space].steps[direction][start] for direction in step.directions}
        return cls(instance, algebra, step, start, ends, unknown_parameters(engine, step.action))

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The abstract value of a term with the marker on `start`."""
        is_marker = isinstance(term, terms.Read) and term == self.step.marker
        return exactly(self.start) if is_marker else Evaluator.value(self, term, env)

    def may_hold(self, direction: int, kind: int | None = None) -> bool:
        """Whether the step may be legal in a direction (if it lays a tile: of kind `kind`)."""
        step = self.step
        if direction not in self.ends:
            return False
        environment = {**self.parameters, step.cell: exactly(self.ends[direction])}
        if step.tile is not None and kind is not None:
            environment[step.tile] = exactly(kind)
        return not any(self.value(condition, environment).never for condition in step.conditions)
