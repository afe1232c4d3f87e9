"""Turns a state of play into a puzzle tree and its position, leaving out what can no longer matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, evolve, field, frozen
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.declarations import Visibility
from rulewright.grammar.tree.puzzles import Goal, Puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Storage, TileKind, Variable
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.coordinates import Coordinate, CoordinateState, Value, cells_in_use, to_coordinates
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import action_of
from rulewright.rules.play.scores import score_items
from rulewright.rules.spaces.pattern import TURNS, Symmetry, mapped_directions, symmetries_of
from rulewright.rules.spaces.window import NO_DIRECTION, Window, linear
from rulewright.rules.static.dataflow import DataflowAnalysis

from .commission import Commission
from .solution import Solution

# The canonical form of a position -------------------------------------------------------------------------------------
# The same for positions that a symmetry of their spaces maps onto each other.
#
# A symmetry maps cells, directions, and kinds of tile whose faces it maps onto each other; positions in unbounded spaces are
# translated to one place. Whether the rules respect the symmetry is not checked, which at worst drops a new puzzle.


class _Unmapped(Exception):
    """A symmetry maps something to no cell, kind of tile or direction."""


def canonical_digest(position: Position) -> str:
    """A digest shared by positions with the same question that a symmetry maps onto each other."""
    has_turns = any(variable.is_turn for variable in position.engine.game.variables.values())
    windows = position.engine.instance.windows.values()
    forms: list[str] = []
    for symmetry in (Symmetry(),) if has_turns else symmetries_of(windows):
        try:
            forms.append(repr(_MappedPosition(position, symmetry).form))
        except _Unmapped:
            continue
    return sha256(min(forms).encode()).hexdigest()[:20]


@define(eq=False)
class _MappedPosition:
    """A position under a symmetry."""

    position: Position
    symmetry: Symmetry

    @property
    def form(self) -> object:
        """Everything relevant in the position, in an order independent of its place. Raises `_Unmapped`."""
        engine, live, state = self.position.engine, live_variables(self.position), self._state
        variables = engine.game.variables
        values = {key: self._value(variables[key[0]], value) for key, value in state.values.items() if key[0] in live}
        zones = {key: self._zone(variables[key[0]], zone) for key, zone in state.zones.items() if key[0] in live}
        fields = {
            name: sorted((self._cell(variables[name].space, at), self._value(variables[name], value)) for at, value in cells)
            for name, cells in ((name, state.fields[name].items()) for name in state.fields if name in live)
        }
        contents = [sorted(part.items(), key=repr) for part in (values, zones, fields)]
        return engine.game.roots, engine.instance.players, state.point, self.position.puzzle.ask, contents

    @cached_property
    def _state(self) -> CoordinateState:
        return to_coordinates(self.position.engine, self.position.state)

    @cached_property
    def _windows(self) -> Mapping[str, Window]:
        return self.position.engine.instance.windows

    def _value(self, variable: Variable, value: Value) -> Value:
        match variable.type, value:
            case types.Cell(space), (_, *_):
                return self._cell(space, tuple(value))
            case types.Direction(space), int() if value != NO_DIRECTION:
                return self._directions[space][value]
            case types.Tile(), int() if value:
                return self._tile(value)
            case _:
                return value

    def _zone(self, variable: Variable, zone: tuple[int, ...]) -> tuple[int, ...]:
        tiles = map(self._tile, zone)
        return tuple(tiles if variable.storage is Storage.PILE else sorted(tiles))

    def _cell(self, space: str, at: Coordinate) -> Coordinate:
        return tuple(number - least for number, least in zip(self._moved(space, at), self._corners[space], strict=True))

    def _moved(self, space: str, at: Coordinate) -> Coordinate:
        window = self._windows[space]
        return self.symmetry.applied(window.shape, linear(window, at))

    def _tile(self, tile: int) -> int:
        if tile not in self._kinds:
            raise _Unmapped
        return self._kinds[tile]

    @cached_property
    def _kinds(self) -> dict[int, int]:
        kinds = self.position.engine.game.tiles
        faced = [window for window in self._windows.values() if window.shape in TURNS]
        return _mapped_kinds(kinds, faced[0], self.symmetry) if faced else {n: n for n in range(1, len(kinds) + 1)}

    @cached_property
    def _directions(self) -> Mapping[str, tuple[int, ...]]:
        try:
            return {name: mapped_directions(window, self.symmetry) for name, window in self._windows.items()}
        except ValueError as error:
            raise _Unmapped from error

    @cached_property
    def _corners(self) -> Mapping[str, Coordinate]:
        """The corner of each mapped space's contents; for a bounded space, that of the space."""
        used: dict[str, list[Coordinate]] = {name: [] for name in self._windows}
        for name, at in cells_in_use(self.position.engine.game, self._state):
            used[name].append(self._moved(name, at))
        found: dict[str, Coordinate] = {}
        for name, window in self._windows.items():
            if window.unbounded:
                column, row, *levels = _low(used[name]) or (0,) * len(window.coordinates[0])
                found[name] = (column, row, *(0 for _ in levels))
                continue
            before = {linear(window, at) for at in window.coordinates}
            after = {self._moved(name, at) for at in window.coordinates}
            shift = tuple(there - here for here, there in zip(_low(before), _low(after), strict=True))
            if {tuple(number - by for number, by in zip(at, shift, strict=True)) for at in after} != before:
                raise _Unmapped
            found[name] = shift
        return found


def _low(cells: list[Coordinate] | set[Coordinate]) -> Coordinate:
    """The componentwise minimum."""
    return tuple(map(min, zip(*cells, strict=True))) if cells else ()


def _mapped_kinds(kinds: tuple[TileKind, ...], window: Window, symmetry: Symmetry) -> dict[int, int]:
    """The kind of tile (from 1) that each kind maps to: one of its set with the mapped face, itself if possible.

    Kinds whose mapped face no kind has are left out.
    """
    ways = mapped_directions(window, symmetry)
    names = {name: window.directions[ways[number]] for number, name in enumerate(window.directions)}
    faces = [_face(kind, {}) for kind in kinds]
    found: dict[int, int] = {}
    for number, kind in enumerate(kinds):
        face = _face(kind, names)
        alike = [other for other, there in enumerate(faces) if there == face and kinds[other].group == kind.group]
        if alike:
            found[number + 1] = 1 + (number if number in alike else alike[0])
    return found


def _face(kind: TileKind, names: dict[str, str]) -> object:
    """The face of a tile, with its sides renamed."""
    regions = [
        (region.terrain, tuple(sorted(names.get(side, side) for side in region.sides)), tuple(sorted(region.markers)))
        for region in kind.regions
    ]
    return tuple(regions[:1]), tuple(sorted(regions[1:]))


# Turns a state of play into a puzzle tree and its position ------------------------------------------------------------


@define(eq=False)
class Composer:
    """Writes states of a game as puzzles with the question of a commission."""

    game: Game
    commission: Commission

    def puzzle(self, engine: Engine, state: State, name: str) -> Puzzle:
        """The tree of a puzzle that denotes a state."""
        text = write_position(engine, state, name, self.commission.rules, ask=self.commission.ask)
        return parse_puzzle(text, name)

    def position(self, puzzle: Puzzle) -> Position | None:
        """The position of a puzzle without the settings that can no longer matter; None if it has no valid position."""
        if puzzle.allow_impossible:
            return None
        found = self._set_up(puzzle)
        if found is None:
            return None
        needless = self.game.variables.keys() - live_variables(found)
        kept = tuple(setting for setting in puzzle.settings if setting.name not in needless)
        return found if kept == puzzle.settings else self._set_up(evolve(puzzle, settings=kept)) or found

    def _set_up(self, puzzle: Puzzle) -> Position | None:
        try:
            return set_up_position(puzzle, self.game)
        except RulesError:
            return None


def laid_open(puzzle: Puzzle, game: Game) -> Puzzle:
    """The puzzle with everything face down shown, because its answer depends on what comes."""
    hidden = {
        name for name, variable in game.variables.items() if variable.is_zone and variable.visibility is not Visibility.OPEN
    }
    settings = tuple(evolve(one, open_to_all=True) if one.name in hidden else one for one in puzzle.settings)
    return evolve(puzzle, settings=settings)


def live_variables(position: Position) -> frozenset[str]:
    """The variables on which play from a position, or its question, may still depend."""
    return analysis_of(position).live_variables


def analysis_of(position: Position) -> DataflowAnalysis:
    """The data flow analysis of a position, restricted to what its question depends on."""
    question = position.question
    assert question is not None
    return DataflowAnalysis(position.asked, question.terms, position.root)


# Selects the puzzles of a run to keep ---------------------------------------------------------------------------------
# Those least like the ones kept already.
#
# The traits of a puzzle are derived from its solution, in terms that any game has: actions, markers, scores and their
# clauses.


SHARE_ASIDE = 2
"""By definition of a composed set: for this many kept puzzles, one is set aside to choose from."""


@frozen
class Traits:
    """The traits of a puzzle: the action of its key, those of the first turn, the markers on the first piece named, the
    score or clause that gains most, and the lead over the second best key."""

    key: str
    turn: str
    markers: str
    gain: str
    lead: int

    def likeness(self, kept: Sequence[Traits]) -> float:
        """The frequency of the same traits among the kept puzzles; the key counts as much as all the rest."""
        return sum(
            4 * (self.key == other.key)
            + (self.turn == other.turn)
            + (self.markers == other.markers)
            + (self.gain == other.gain)
            + (self.lead == other.lead)
            for other in kept
        )


@frozen
class WrittenPuzzle:
    """A puzzle as written: name, canonical form, grade, answer, description, shareable line and file."""

    attempt: int
    puzzle: str
    canonical: str
    grade: int
    answer: str
    told: str
    line: str
    traits: Traits
    text: str


@define
class Selection:
    """The kept puzzles, and attempts set aside; of one attempt only one puzzle is kept.

    It depends only on the offers so far: a longer run never changes the first puzzles of a shorter one.
    """

    kept: list[WrittenPuzzle] = field(factory=list)
    aside: list[tuple[WrittenPuzzle, ...]] = field(factory=list)

    def offer(self, choices: tuple[WrittenPuzzle, ...]) -> WrittenPuzzle | None:
        """Take the puzzles of an attempt; returns the puzzle kept now, if any."""
        if choices:
            self.aside.append(choices)
        if len(self.aside) <= len(self.kept) // SHARE_ASIDE:
            return None
        traits = [one.traits for one in self.kept]
        choices, found = min(
            ((choices, one) for choices in self.aside for one in choices), key=lambda pair: pair[1].traits.likeness(traits)
        )
        self.aside.remove(choices)
        self.kept.append(found)
        return found

    def holds(self, canonical: str) -> bool:
        """Whether this puzzle is kept or set aside."""
        return any(one.canonical == canonical for one in (*self.kept, *(one for choices in self.aside for one in choices)))


def traits_of(solution: Solution, lead: int) -> Traits:
    """The traits of the puzzle with this solution."""
    engine, plan = solution.values.engine, solution.plan
    turn = sorted({action_of(engine, decision.move) for decision in solution.first_turn()})
    markers = next((found for move in plan if (found := _markers(engine, move)) is not None), "")
    return Traits(action_of(engine, plan[0]), " ".join(turn), markers, _gain(solution), lead)


def _markers(engine: Engine, move: Move) -> str | None:
    """The markers on the piece that a move names; None if it names none."""
    if move == STOP:
        return None
    game = engine.game
    for parameter, value in zip(list(game.actions.values())[move[0]].parameters, move[1:], strict=True):
        if isinstance(parameter.type, types.Tile) and 0 < value <= len(game.tiles):
            regions = game.tiles[value - 1].regions
            return " ".join(sorted(str(marker) for region in regions for marker, _ in region.markers))
    return None


def _gain(solution: Solution) -> str:
    """The score, or the clause within it, that the solution gains most by; empty if the question is not about the score."""
    values = solution.values
    if values.question.goal is Goal.LEAST:
        return ""
    last = solution.decisions[-1]
    found = _points(values.engine, values.engine.apply(last.state, last.move))
    found.subtract(_points(values.engine, values.position.root))
    return max(sorted(found), key=found.__getitem__, default="")


def _points(engine: Engine, state: State) -> Counter[str]:
    points: Counter[str] = Counter()
    for item in score_items(engine, state):
        points[item.case or item.rule] += item.points
    return points
