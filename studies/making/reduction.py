"""Reduces puzzles: removes a tile, a token or a turn as long as the point of the puzzle stays.

The point stays if the gain is unchanged, the key is the same first action, and everything proved still holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import define, evolve
from rulewright.grammar.tree import puzzles
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.model import types
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.static.dataflow import feeding_zones
from rulewright.rules.static.resources import resources_of

from .commission import Commission
from .composition import Composer, analysis_of
from .move_values import NO_PLAN, MoveValues, Unproved
from .proof import Faulty, Proof, is_used, proved
from .sources import CandidateSource

MOST_PROOFS = 12
"""The maximum number of reductions of one puzzle that are fully proved."""


@define(eq=False)
class Reducer:
    """Reduces positions, one thing at a time, as long as anything can be removed."""

    composer: Composer
    project: Project

    @property
    def commission(self) -> Commission:
        return self.composer.commission

    def reduced(self, position: Position, proof: Proof) -> tuple[Position, Proof, int]:
        """The reduced position, its proof, and the number of reductions."""
        removed = proofs = 0
        gain = _gain(MoveValues.of(position, self.commission))
        pending = list(_smaller(position))
        while pending and proofs < MOST_PROOFS:
            other = self._candidate(pending.pop(0), position, gain)
            if other is None:
                continue
            proofs += 1
            found = self._proved(other, position, proof)
            if found is not None:
                left = len(pending)
                position, proof, removed = other, found, removed + 1
                pending = list(_smaller(position))[-left:] if left else []
        return position, proof, removed

    def _candidate(self, puzzle: puzzles.Puzzle, now: Position, gain: int) -> Position | None:
        """The position of a smaller puzzle; None if it is invalid or has less to gain."""
        other = self.composer.position(puzzle)
        if other is None or not _is_as_joined(other, now):
            return None
        tiles = self.commission.tiles
        if tiles is not None and CandidateSource(other.engine, None, None).tiles_to_come(other.state) not in tiles:
            return None
        try:
            values = MoveValues.of(other, self.commission)
            return other if values.optimum != NO_PLAN and _gain(values) == gain else None
        except Unproved:
            return None

    def _proved(self, other: Position, now: Position, proof: Proof) -> Proof | None:
        try:
            found = proved(other, self.commission)
            if not all(is_used(name, other, found.optimum, self.project, self.commission) for name in self.commission.uses):
                return None
        except (Faulty, Unproved):
            return None
        keys = [_written(position, one) for position, one in ((now, proof), (other, found))]
        return found if keys[0] == keys[1] else None


def _gain(values: MoveValues) -> int:
    """The gain over the initial value; for a shortest plan, its cost."""
    root = values.position.root
    return values.optimum if values.shortest is not None else values.optimum - values.standing(root)


def _written(position: Position, proof: Proof) -> set[str]:
    return {format_move(position.asked, position.root, key) for key in proof.keys}


def _smaller(position: Position) -> Iterator[puzzles.Puzzle]:
    """The puzzle with one thing removed: a needless setting, a tile, a unit of a resource, a turn."""
    yield from _without_settings(position)
    yield from _without_laid_tiles(position)
    yield from _with_less_to_come(position)
    puzzle = position.puzzle
    if puzzle.ask is not None and puzzle.ask.turns is not None and puzzle.ask.turns > 1:
        yield evolve(puzzle, ask=evolve(puzzle.ask, turns=puzzle.ask.turns - 1))


def _without_settings(position: Position) -> Iterator[puzzles.Puzzle]:
    """Without a number or the like left over from play, or a zone that no tile is laid from: reset to its set-up value."""
    puzzle, variables = position.puzzle, position.engine.game.variables
    resources, feeding = resources_of(analysis_of(position)), feeding_zones(position.engine.game)
    for setting in puzzle.settings:
        variable = variables.get(setting.name)
        said = isinstance(variable.index, types.Cell) if variable is not None else True
        if not said and setting.name not in resources and setting.name not in feeding:
            yield evolve(puzzle, settings=tuple(other for other in puzzle.settings if other is not setting))


def _without_laid_tiles(position: Position) -> Iterator[puzzles.Puzzle]:
    """Without one tile of a board on which more are laid; other boards keep theirs."""
    puzzle, analysis = position.puzzle, analysis_of(position)
    growing = analysis.append_only_boards if analysis.feeding else frozenset[str]()
    for number, drawing in enumerate(puzzle.drawings):
        for at, row in enumerate(drawing.rows if drawing.space in growing else ()):
            for place, cell in enumerate(row):
                if cell.tile and not cell.players:
                    cells = (*row[:place], puzzles.DrawnCell(""), *row[place + 1 :])
                    smaller = evolve(drawing, rows=(*drawing.rows[:at], cells, *drawing.rows[at + 1 :]))
                    yield evolve(puzzle, drawings=(*puzzle.drawings[:number], smaller, *puzzle.drawings[number + 1 :]))


def _with_less_to_come(position: Position) -> Iterator[puzzles.Puzzle]:
    """With one tile fewer in a zone that tiles are laid from, the last ones first, or one unit less of a resource."""
    puzzle, game, resources = position.puzzle, position.engine.game, resources_of(analysis_of(position))
    feeding = feeding_zones(game)
    for number, setting in enumerate(puzzle.settings):
        for place, value in reversed(list(enumerate(setting.values))):
            match value:
                case puzzles.Piece(_, count) if setting.name in feeding:
                    less: tuple[puzzles.Value, ...] = (evolve(value, count=count - 1),) if count > 1 else ()
                case puzzles.Amount(amount) if amount > 0 and resources.get(setting.name):
                    less = (puzzles.Amount(amount - 1),)
                case _:
                    continue
            changed = evolve(setting, values=(*setting.values[:place], *less, *setting.values[place + 1 :]))
            yield evolve(puzzle, settings=(*puzzle.settings[:number], changed, *puzzle.settings[number + 1 :]))


def _is_as_joined(one: Position, other: Position) -> bool:
    """Whether the tiles on each board of one position form no more connected parts than those of the other."""
    return all(here <= there for here, there in zip(_parts(one), _parts(other), strict=True))


def _parts(position: Position) -> list[int]:
    """The number of connected parts of tiles, by board."""
    found: list[int] = []
    for name, column in position.engine.layout.columns.items():
        if not column.variable.is_board:
            continue
        window, tiles = position.engine.instance.windows[name], position.state[column.start]
        left = {cell for cell in range(window.size) if tiles[cell]}
        parts = 0
        while left:
            parts += 1
            front = [left.pop()]
            for cell in front:
                beside = {window.steps[way][cell] for way in window.around} & left
                left -= beside
                front += beside
        found.append(parts)
    return found
