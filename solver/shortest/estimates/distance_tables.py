"""Admissible estimates of the moves to a goal, read off the rules: how many moves each tile, or each value, needs by itself.

For each tile on each cell (and each value of each variable that the goal reads) the abstract moves give where one move may
bring it, whatever else the state holds. Distances back from where the goal may hold are summed over all tiles and divided by
the most tiles that one move changes: no move lowers the sum by more, so the estimate is consistent. Tiles that contend for
places are assigned to them (contention.py). A tile that can never reach such a place is dead. For sliding tiles that is the
Manhattan distance; for pushed boxes, pushes and dead corners.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.model import effects, types
from rulewright.rules.model.game import Action, Variable
from rulewright.rules.model.terms import Closure, Term
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.abstract_values import exactly
from rulewright.rules.static.dataflow import DataflowAnalysis, flat, reads
from rulewright.solver.shortest.kernels.distance_words import DEAD

from .abstract_moves import OFF, AbstractMoves, MoveClass, Runs
from .guessing import GuessingEvaluator
from .partial_state import Frame, PartialState, Slot, Thing, partial_algebra, values_in
from .tiles import NO_SLOT, Tiles, tiles_of

SECONDS = 5.0
"""For deriving estimates of one kind: distances, patterns, landmarks. Measured: distances of boxes on 32 by 24 cells take 0.6
to 3.5 s of processor time."""


@frozen
class DistanceTable:
    """The least number of moves that each thing of one variable needs by itself; no move changes more than `most` of them."""

    variable: str
    most: int
    distances: Mapping[Thing, int]
    step: int = 1
    tiles: Tiles = field(factory=Tiles)


@frozen
class Distances:
    """Tables, and what they depend on: the tiles that stand still, and the cells that markers may reach."""

    tables: tuple[DistanceTable, ...]
    standing: Mapping[Slot, int]
    reached: Mapping[Slot, frozenset[int]]


class OutOfTime(Exception):
    """The time for tables has run out."""


@define
class DistanceTables:
    """Finds the tables of a question until `time.monotonic()` reaches the deadline. Raises `OutOfTime`."""

    engine: Engine
    root: State
    until: Term
    analysis: DataflowAnalysis
    deadline: float
    step: int = 1
    """What each move costs; if 0, the tables only tell what is dead."""
    others: frozenset[str] = frozenset()
    """Variables to follow although the goal does not read them."""
    merged: Mapping[str, Closure] = field(factory=dict)
    """Markers not to follow, since states may have other cells of them than play leads to, with the closures that read them."""
    counters: frozenset[str] = frozenset()
    """Variables that only count moves."""
    base: DistanceTables | None = None
    """The derivation without `others`: what it shows of every reachable state is not derived again."""

    @property
    def inputs(self) -> tuple[object, ...]:
        """All that the tables may depend on besides the rules and the question, except what `hold` checks."""
        read = reads(self.engine.game, self.until, self.analysis.offered) - self.analysis.changing_variables
        values = (v for v in sorted(read) if not self.engine.game.variables[v].is_zone)
        constants = [sorted(self.root_values(name).items()) for name in values]
        kinds = [sorted(Counter(self.root_tiles(board).values()).items()) for board in self.boards]
        return self.step, constants, kinds

    def hold(self, found: Distances) -> bool:
        """Whether distances found from another state with the same inputs are valid from this root too."""
        tiles = self._tiles
        known = {thing for table in found.tables for thing in table.distances}
        others = {(slot, kind) for slot, kind in tiles.items() if slot not in found.standing}
        values = {
            (slot, v)
            for table in found.tables
            for slot, v in self.root_values(table.variable).items()
            if self._is_somewhere(slot)
        }
        return self.holds(found.standing, found.reached) and (
            all(self.marker[1] in table.tiles.around.get(one, (self.marker[1],)) for table in found.tables for one in others)
            and all(thing in known for thing in others | {item for item in values if item[0][0] not in self.boards})
        )

    def holds(self, standing: Mapping[Slot, int], reached: Mapping[Slot, frozenset[int]]) -> bool:
        """Whether the tiles that stand still from another state with the same inputs, and the cells that markers reach from
        there, are those of this root too."""
        kinds = {(slot[0], kind) for slot, kind in standing.items()}
        return standing == {slot: kind for slot, kind in self._tiles.items() if (slot[0], kind) in kinds} and all(
            self.root_values(slot[0])[slot] in cells for slot, cells in reached.items()
        )

    def find(self) -> Distances:
        """The tables in which some distance is not 0."""
        tables = [self._table(variable) for variable in sorted(self.variables)] if self.variables else []
        useful = tuple(table for table in tables if table is not None and any(table.distances.values()))
        return Distances(useful, self.standing, self.frame.reached)

    @property
    def standing(self) -> Mapping[Slot, int]:
        """The tiles that never move."""
        return {slot: kind for slot, kind in self.frame.constant.items() if slot[0] in self.boards and kind}

    @cached_property
    def aims(self) -> frozenset[str]:
        """The boards and variables that the goal reads and that only actions change."""
        return self._followed(reads(self.engine.game, self.until))

    @cached_property
    def variables(self) -> frozenset[str]:
        """The boards and variables whose things are followed."""
        return self.aims | self.others

    def with_ancestors(self) -> DistanceTables:
        """The same, following also all that the moves of the followed depend on: their ancestors in the causal graph."""
        found = self.variables
        while True:
            movers = [action for action in self.analysis.offered if _changes(action, found)]
            guards = [(action.parameters, action.requirements) for action in movers]
            changes = [clause for action in movers for clause in action.effects if _is_changing(clause, found)]
            more = found | self._followed(reads(self.engine.game, guards, changes))
            if more == found:
                return evolve(self, others=found - self.aims, base=self)
            found = more

    def _followed(self, names: Collection[str]) -> frozenset[str]:
        changing = self.analysis.changing_variables - self._left_to_flow - self.merged.keys()
        variables = self.engine.game.variables
        return frozenset(name for name in names if name in changing and _has_values(variables[name]))

    @cached_property
    def _left_to_flow(self) -> frozenset[str]:
        """The variables that may change between moves."""
        return frozenset(name for clause in self.analysis.procedure_clauses for name in effects.changed_by(clause.effect))

    @cached_property
    def _actions(self) -> list[Action]:
        """The actions that may change what the goal reads."""
        return [action for action in self.analysis.offered if _changes(action, self.variables)]

    def ranges(self, tables: Iterable[DistanceTable]) -> dict[Slot, range]:
        """Between which values each slot of the variables of some tables is in every state that play reaches."""
        found = dict[Slot, range]()
        for table in tables:
            held = {slot: {value} for slot, value in self.root_values(table.variable).items()}
            is_board = table.variable in self.boards
            if is_board and self._laid(table.variable):
                continue
            for slot, value in table.distances:
                if slot in held:
                    held[slot] |= {value, 0} if is_board else {value}
            found |= {slot: range(min(values), max(values) + 1) for slot, values in held.items()}
        return found

    # Frames ----------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """What holds in every reachable state."""
        return self._framed[0]

    @property
    def classes(self) -> list[MoveClass]:
        """All that the actions can do in such states."""
        return self._framed[1]

    @cached_property
    def touching(self) -> Mapping[Slot, Sequence[int]]:
        """By slot: the numbers of the classes whose moves may change it, or depend on it."""
        found: dict[Slot, list[int]] = {}
        for number, moved in enumerate(self.classes):
            for slot in moved.touched:
                found.setdefault(slot, []).append(number)
        return found

    @property
    def abstract_moves(self) -> AbstractMoves:
        """Runs actions in such states."""
        return self.moves_in(self.frame)

    @cached_property
    def _framed(self) -> tuple[Frame, list[MoveClass]]:
        """The frame and its moves, by induction: the tiles of a kind stand still if no move moves one while they all do."""
        standing = self._tiles
        while True:
            frame = self._frame(standing)
            classes = self.moves_in(frame).classes(self._actions)
            slots = frozenset[Slot]().union(*(moved.slots for moved in classes))
            anywhere = frozenset[str]().union(*(moved.anywhere for moved in classes))
            moving = {(slot[0], kind) for slot, kind in standing.items() if slot in slots or slot[0] in anywhere}
            if not moving:
                return frame, classes
            standing = {slot: kind for slot, kind in standing.items() if (slot[0], kind) not in moving}

    @cached_property
    def boards(self) -> list[str]:
        return [name for name in sorted(self.variables) if self.engine.game.variables[name].is_board]

    def _frame(self, standing: Mapping[Slot, int]) -> Frame:
        engine = self.engine
        constant = dict(standing)
        for name, column in engine.layout.columns.items():
            if column.variable.is_zone:
                continue
            if name not in self.analysis.changing_variables:
                constant.update(self.root_values(name))
            elif column.over_cells:
                nowhere = len(self.root[column.start]) - 1
                constant[name, nowhere] = self.root[column.start][nowhere]
        lying, single = {}, set()
        for board in self.boards:
            laid = self._laid(board)
            moving = [kind for cell, kind in self.root_tiles(board).items() if (board, cell) not in standing]
            lying[board] = frozenset((0, *moving, *laid))
            single |= {(board, kind) for kind in set(moving) - set(laid) if moving.count(kind) == 1}
        frame = Frame(engine.instance, engine.layout, constant, lying, {}, frozenset(single))
        return evolve(frame, reached=self._reached(frame))

    def _reached(self, frame: Frame) -> dict[Slot, frozenset[int]]:
        """All cells that each marker that actions read may reach, each marker by itself."""
        game = self.engine.game
        read = reads(game, self.until, self._actions) & self.analysis.changing_variables - self._left_to_flow
        names = [name for name in read if _has_values(game.variables[name]) and _is_marker(game.variables[name])]
        moves = self.moves_in(frame)
        found = {} if self.base is None else dict(self.base.frame.reached)
        for name in names:
            movers = [action for action in self.analysis.offered if _changes(action, {name})]
            values = {slot: value for slot, value in self.root_values(name).items() if slot not in found}
            # Of many markers most runs move another one, so runs are told apart by what they move.
            classes = moves.classes(movers) if len(values) > 1 else ()
            for slot, value in values.items():
                own = [moved for moved in classes if slot in moved.slots or name in moved.anywhere]
                runs = own if classes else [Runs(action, {}) for action in movers]
                if (cells := _values_from(moves, runs, slot, value)) is not None:
                    found[slot] = cells
        return found

    @property
    def _tiles(self) -> dict[Slot, int]:
        return {(board, cell): kind for board in self.boards for cell, kind in self.root_tiles(board).items()}

    def root_tiles(self, board: str) -> dict[int, int]:
        return {slot[1]: tile for slot, tile in self.root_values(board).items() if tile}

    def root_values(self, variable: str) -> dict[Slot, int]:
        return values_in(self.engine.layout, self.root, variable)

    def _is_somewhere(self, slot: Slot) -> bool:
        """Whether a slot is on the board: not that of `nowhere`."""
        column = self.engine.layout.columns[slot[0]]
        return not column.over_cells or slot[1] < len(self.root[column.start]) - 1

    def _laid(self, board: str) -> range:
        """The kinds that may be put onto a board."""
        comes = any(effects.cell_laid(clause.effect, board) is not None for clause in self.analysis.clauses)
        return range(1, len(self.engine.game.tiles) + 1) if comes else range(0)

    def moves_in(self, frame: Frame) -> AbstractMoves:
        return AbstractMoves(frame, self.tick)

    def tick(self) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTime

    # Distances -------------------------------------------------------------------------------------

    def _table(self, variable: str) -> DistanceTable | None:
        """The table of a variable; None if the rules may change it at unknown places."""
        if any(variable in moved.anywhere for moved in self.classes):
            return None
        moved = self._graph(variable)
        after = {thing: {other for _, later in moves for other in later if other != thing} for thing, moves in moved.items()}
        before: dict[Thing, list[Thing]] = {}
        for thing, others in after.items():
            for other in others:
                before.setdefault(other, []).append(thing)
        goals = [thing for thing in after if self.may_be_goal(thing)]
        distances = dict.fromkeys(goals, 0)
        layer, distance = list(distances), 0
        while layer:
            distance += self.step
            layer = [thing for one in layer for thing in before.get(one, ()) if thing not in distances]
            distances.update(dict.fromkeys(layer, distance))
        most = max((moved.counts[variable] for moved in self.classes), default=0)
        all_distances = {thing: distances.get(thing, DEAD) for thing in after}
        is_followed = variable in self.boards and not self._laid(variable)
        tiles = tiles_of(self, variable, moved, goals, distances.keys()) if is_followed else Tiles()
        return DistanceTable(variable, max(most, 1), all_distances, self.step, tiles)

    def root_things(self, variable: str) -> list[Thing]:
        """The things of a variable at the root that may change."""
        values = self.root_values(variable).items()
        return [thing for thing in values if thing[0] not in self.frame.constant and (thing[1] or variable not in self.boards)]

    @property
    def marker(self) -> tuple[Slot, int]:
        """The only marker of which only the region matters, and its cell at the root; no slot if there is another number."""
        markers = [item for name in self.merged for item in self.root_values(name).items()]
        return markers[0] if len(markers) == 1 else (NO_SLOT, 0)

    @cached_property
    def marker_classes(self) -> list[MoveClass]:
        """All that the actions can do which may change a board or a marker."""
        names = {*self.boards, *(slot[0] for slot in self.frame.reached)}
        movers = [action for action in self.analysis.offered if _changes(action, names)]
        return self.classes if movers == self._actions else self.abstract_moves.classes(movers)

    def _graph(self, variable: str) -> dict[Thing, list[tuple[MoveClass, set[Thing]]]]:
        """All things that those at the root may become, each with the moves that may change it, and what it becomes by them."""
        by_slot: dict[Slot, list[MoveClass]] = {}
        for moved in self.classes:
            for slot in moved.slots:
                by_slot.setdefault(slot, []).append(moved)
        is_board = self.engine.game.variables[variable].is_board
        pending = self.root_things(variable)
        found: dict[Thing, list[tuple[MoveClass, set[Thing]]]] = {}
        moves = self.abstract_moves
        while pending:
            thing = pending.pop()
            if thing in found:
                continue
            slot, value = thing
            found[thing] = []
            for moved in by_slot.get(slot, ()):
                if is_board:
                    others = {((variable, cell), value) for cell in moves.cells_after(moved, slot, value)}
                else:
                    after = moves.values_after(moved, slot, (value,))
                    assert after is not None
                    others = {(slot, later) for later in after}
                found[thing].append((moved, others))
                pending += others
        return found

    def may_be_goal(self, thing: Thing, is_only: bool = False) -> bool:
        """Whether the condition may hold if a thing is there; `is_only`: and its value is nowhere else."""
        (variable, index), value = thing
        if index == OFF:
            return True
        absent = {variable: value} if is_only or (variable, value) in self.frame.single else {}
        state = PartialState(self.frame, {(variable, index): exactly(value)}, absent)
        evaluator = GuessingEvaluator(self.engine.instance, partial_algebra(state))
        while True:
            self.tick()
            if not evaluator.value(self.until, {}).never:
                return True
            if not evaluator.guesses.advance():
                return False


def _values_from(moves: AbstractMoves, all_runs: Iterable[Runs], slot: Slot, value: int) -> frozenset[int] | None:
    """All values that a slot may come to have; None if unknown. Those found last take as many runs as one where moves do not
    tell them apart."""
    found = last = frozenset((value,))
    while last:
        after = set[int]()
        for runs in all_runs:
            values = moves.values_after(runs, slot, last)
            if values is None:
                return None
            after |= values
        last = frozenset(after - found)
        found |= last
    return found


def _changes(action: Action, variables: Collection[str]) -> bool:
    return any(_is_changing(clause, variables) for clause in action.effects)


def _is_changing(clause: effects.EffectClause, variables: Collection[str]) -> bool:
    return any(name in variables for part in flat((clause,)) for name in effects.changed_by(part.effect))


def _is_marker(variable: Variable) -> bool:
    return isinstance(variable.type, types.Cell) and not isinstance(variable.index, types.Cell)


def _has_values(variable: Variable) -> bool:
    return not variable.is_zone and not variable.is_loop
