"""Whether tiles move in any order as long as none is in another's way, so that some may come first (kernels/first_moves.py).

That is so if nothing tells states apart but the tiles and the region of a marker; if each action moves one tile, for certain
if the marker can come to where it begins and no tile bars the way; and if only a goal, or a count of moves, ends play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rulewright.base.records import define
from rulewright.rules.model import terms
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import reads

from .abstract_moves import AbstractMoves, MoveClass
from .contention import Moved, Regions
from .guessing import NO_EFFECT, Guesses, GuessingEvaluator, GuessKey
from .partial_state import PartialState, Slot, Thing, partial_algebra
from .stuck_tiles import Way, Ways

if TYPE_CHECKING:
    from .distance_tables import DistanceTables


@define
class FreeOrder:
    """Asks it of the tiles of a board, whose `ways` are all ways on which a goal can be reached."""

    finder: DistanceTables
    board: str
    moves: AbstractMoves
    regions: Regions
    ways: Ways

    def holds(self, moved: Mapping[Thing, Moved]) -> bool:
        """Whether it is so; `moved` are the moves of each tile."""
        finder, classes = self.finder, self.regions.classes
        analysis, game = finder.analysis, finder.engine.game
        telling = analysis.live_variables & analysis.changing_variables - finder.counters
        told = {name for name in telling if not game.variables[name].is_loop}
        return (
            finder.step == 1
            and told <= self._changed
            and not analysis.uses_chance
            and {action.name for action in analysis.offered} <= {one.action.name for one in classes}
            and all(any(slot[0] == self.board for slot in one.slots) and self._changes_little(one) for one in classes)
            and self._ends_by_goal()
            and self._are_steps_certain()
            and all(self._is_certain(thing, way, moves) for thing, moves in moved.items() for way in self.ways[thing])
            and all(len(after) == 1 for moves in moved.values() for _, after in moves)
        )

    def words(self, moved: Mapping[Thing, Moved]) -> Sequence[tuple[int, int]]:
        """The words of a move of each action that give the tile, and the cell at which the marker begins; none if the tile is
        not given."""
        found = list[tuple[int, int]]()
        for action in self.finder.engine.game.actions.values():
            names = [parameter.name for parameter in action.parameters]
            cells = [(thing[0][1], one.guesses) for thing, moves in moved.items() for one, _ in moves if one.action == action]
            telling = [at for at, name in enumerate(names) if all(cell == made.get(_key(name)) for cell, made in cells)]
            stand = next((at for at, one in enumerate(action.parameters) if one.domain == self.regions.closure), 0)
            if cells and not telling:
                return ()
            found.append((1 + telling[0] if cells else 0, 1 + stand))
        return found

    @property
    def _changed(self) -> frozenset[str]:
        return self.finder.counters | {self.board, self.regions.marker[0]}

    def _changes_little(self, one: MoveClass) -> bool:
        """Whether moves of a class change nothing that counts but a tile and the marker."""
        return not one.anywhere and not one.action.afterwards and {slot[0] for slot in one.slots | one.laid} <= self._changed

    def _ends_by_goal(self) -> bool:
        """Whether only a goal, or a number of moves, ends play."""
        # Imported when needed: most questions are answered sooner.
        from rulewright.rules.analysis.commuting_loop import PlayLoop
        from rulewright.rules.symbolic.circuit import Refused

        try:
            loop = PlayLoop.of(self.finder.engine, self.finder.root)
        except Refused:
            return False
        return (
            loop.most_turns is None
            and not loop.choice.stop
            and all(any(self._tells_goal(term, held) for term, held in path) for path in loop.endings)
        )

    def _tells_goal(self, term: terms.Term, holds: bool) -> bool:
        """Whether a term can only be true, or false, at a goal or after a number of moves."""
        match term:
            case terms.Not(operand):
                return self._tells_goal(operand, not holds)
            case terms.Or(parts) | terms.And(parts):
                tell = (self._tells_goal(part, holds) for part in parts)
                return all(tell) if isinstance(term, terms.Or) == holds else any(tell)
            case _:
                changing = self.finder.analysis.changing_variables - self.finder.counters
                return (holds and term == self.finder.until) or not reads(self.finder.engine.game, term) & changing

    def _are_steps_certain(self) -> bool:
        """Whether the marker can make each of its steps onto a cell without a tile."""
        return all(
            _contains(self._evaluator({(self.board, end): exactly(0)}).following(self.regions.closure, exactly(cell), {}), end)
            for cell, ends in self.regions.steps.items()
            for end in ends
        )

    def _is_certain(self, thing: Thing, way: Way, moves: Moved) -> bool:
        """Whether a tile can move on a way for certain if nothing bars it. Whatever does must be next to the tile, which is
        next to where the marker begins."""
        end, stand, bars = way
        slots, steps = {slot for slot, _ in bars}, self.regions.steps
        kinds = self.moves.frame.lying[self.board] - {0}
        known = {thing[0]: exactly(thing[1]), **dict.fromkeys(slots, exactly(0))}
        return (
            len(bars) == len(slots) * len(kinds)
            and thing[0][1] in steps.get(stand, ())
            and all(cell == stand or cell in steps.get(thing[0][1], ()) for _, cell in slots)
            and any(set(after) == {end} and self.regions.stand(one) == stand and self._may(one, known) for one, after in moves)
        )

    def _may(self, one: MoveClass, known: Mapping[Slot, AbstractValue]) -> bool:
        """Whether moves of a class are legal for certain where something is known, if the marker may come to where they
        begin."""
        evaluator, env = self._evaluator(known), dict[str, AbstractValue]()
        for parameter in one.action.parameters:
            made = one.guesses.get(_key(parameter.name))
            if made is None:
                return False
            is_given = parameter.domain == self.regions.closure
            if not is_given and not _contains(evaluator.set(parameter.domain, env), made):
                return False
            env[parameter.name] = exactly(made)
            if parameter.where is not None and not evaluator.value(parameter.where, env).always:
                return False
        met = all(evaluator.value(requirement.condition, env).always for requirement in one.action.requirements)
        return met and not evaluator.guesses.forks

    def _evaluator(self, known: Mapping[Slot, AbstractValue]) -> GuessingEvaluator:
        state = PartialState(self.moves.frame, dict(known))
        return GuessingEvaluator(self.moves.frame.instance, partial_algebra(state), Guesses())


def _contains(found: AbstractSet, item: int) -> bool:
    """Whether a set contains an item for certain."""
    return any(one.low == one.high == item and inside.always for one, inside in found.items or ())


def _key(parameter: str) -> GuessKey:
    return parameter, (), NO_EFFECT
