"""What the rules never look at again, only ever add to, or only ever spend: facts read off the text of a game, for search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import assert_never

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action, Game, Storage
from rulewright.rules.model.terms import Neighbourhood
from rulewright.rules.model.traversal import variables_in
from rulewright.rules.model.types import Cell
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    JumpIfFalse,
    LoopNext,
    LoopStart,
    RunProcedure,
    reachable_from_choices,
)


def reads(game: Game, *where: object) -> set[str]:
    """The state variables that terms read, through the definitions that they invoke."""
    return variables_in(game.definitions, *where)


def feeding_zones(game: Game) -> frozenset[str]:
    """The zones from which a tile may come to lie on a board, at once or by way of other zones."""
    bodies = [action.effects for action in game.actions.values()] + list(game.procedures.values())
    ways: set[tuple[str, str]] = set()
    for clause in (clause for body in bodies for clause in flat(body)):
        match clause.effect:
            case ef.Put(_, space, _, source):
                ways.add((source.variable, space))
            case ef.Move(_, source, target) | ef.MoveAll(source, target) | ef.Deal(_, source, target):
                ways.add((source.variable, target.variable))
            case _:
                pass
    found = {v.name for v in game.variables.values() if v.is_board}
    while True:
        more = {source for source, target in ways if target in found} - found
        if not more:
            return frozenset(name for name in found if not game.variables[name].is_board)
        found |= more


@define
class DataflowAnalysis:
    """Facts about play from any choice on, given the terms that it is judged by."""

    engine: Engine
    objective: tuple[terms.Term, ...]

    @cached_property
    def clauses(self) -> tuple[ef.EffectClause, ...]:
        """Every effect that may still happen, those inside loops and conditions too."""
        game = self.engine.game
        bodies: list[Sequence[ef.EffectClause]] = [
            game.actions[name].effects for choice in self.engine.choices for name in choice.actions
        ]
        bodies += [
            game.procedures[instruction.procedure]
            for at in self.reachable
            if isinstance(instruction := self.engine.flow[at], RunProcedure)
        ]
        return tuple(clause for body in bodies for clause in flat(body))

    @cached_property
    def reachable(self) -> set[int]:
        """The instructions of the flow that may still run."""
        flow = self.engine.flow
        return {at for at, instruction in enumerate(flow) if isinstance(instruction, ChoicePoint)}.union(
            reachable_from_choices(flow)
        )

    @cached_property
    def conditions(self) -> tuple[terms.Term, ...]:
        """What decides which moves there are and where the flow goes."""
        game, found = self.engine.game, []
        for choice in self.engine.choices:
            for name in choice.actions:
                action = game.actions[name]
                found += [r.condition for r in action.requirements]
                found += [p.domain for p in action.parameters] + [p.where for p in action.parameters if p.where]
            if choice.by is not None:
                found.append(choice.by)
        for at in self.reachable:
            instruction = self.engine.flow[at]
            if isinstance(instruction, JumpIfFalse):
                found.append(instruction.condition)
            elif isinstance(instruction, LoopStart | LoopNext) and instruction.start is not None:
                found.append(instruction.start)
        for clause in self.clauses:
            match clause.effect:
                case ef.When(condition):
                    found.append(condition)
                case ef.ForEach(binder):
                    found += [binder.domain] + ([binder.where] if binder.where else [])
                case _:
                    pass
        return tuple(found)

    @cached_property
    def live_variables(self) -> frozenset[str]:
        """The variables that can still matter to a move, to the flow or to the objective."""
        return self._live(self.objective)

    @cached_property
    def deciding_variables(self) -> frozenset[str]:
        """The variables that can still matter to a move or to the flow."""
        return self._live(())

    def _live(self, objective: tuple[terms.Term, ...]) -> frozenset[str]:
        game = self.engine.game
        live = reads(game, self.conditions, objective)
        live |= {v.name for v in game.variables.values() if v.is_loop}
        flows = [flow for clause in self.clauses for flow in _flows(game, clause.effect)]
        while True:
            before = len(live)
            for target, needed in flows:
                if target is None or target in live:
                    live |= needed
            if len(live) == before:
                return frozenset(live)

    @cached_property
    def feeding(self) -> frozenset[str]:
        """The zones from which a tile may come to lie on a board."""
        return feeding_zones(self.engine.game)

    @cached_property
    def append_only_boards(self) -> frozenset[str]:
        """The boards on which tiles are laid and never moved or taken."""
        boards = {v.name for v in self.engine.game.variables.values() if v.is_board}
        for clause in self.clauses:
            match clause.effect:
                case ef.Take(space) | ef.Slide(space):
                    boards.discard(space)
                case _:
                    pass
        return frozenset(boards)

    def lays_beside(self, space: str, state: State) -> Neighbourhood | None:
        """How near to a tile every further tile is laid, when the rules show it; None when they do not.

        By induction: every tile goes beside a marker (a variable that is a cell), and a marker only ever goes to a cell that
        must hold a tile or is given one in the same action. In `state` all those markers stand on tiles.
        """
        markers: set[str] = set()
        found: set[Neighbourhood] = set()
        for action in self.offered:
            for clause in flat(action.effects):
                if isinstance(clause.effect, ef.Put) and clause.effect.space == space:
                    domain = next(
                        (p.domain for p in action.parameters if terms.Local(p.name, p.type) == clause.effect.cell), None
                    )
                    match domain:
                        case terms.Neighbours(_, neighbourhood, terms.Read(marker)):
                            markers.add(marker)
                            found.add(neighbourhood)
                        case _:
                            return None
        elsewhere = [c.effect for c in self.clauses if c not in [d for a in self.offered for d in flat(a.effects)]]
        if any(isinstance(effect, ef.Put) and effect.space == space for effect in elsewhere) or len(found) != 1:
            return None
        if any(isinstance(effect, ef.Assign) and effect.target.variable in markers for effect in elsewhere):
            return None
        if not all(self._goes_to_tiles(action, markers, space) for action in self.offered):
            return None
        board = state[self.engine.layout.columns[space].start]
        places = [self.engine.layout.columns[marker] for marker in markers]
        standing = all(board[state[at]] for place in places for at in range(place.start, place.start + place.count))
        return found.pop() if standing else None

    @property
    def offered(self) -> list[Action]:
        """The actions that a choice may list."""
        names = dict.fromkeys(name for choice in self.engine.choices for name in choice.actions)
        return [self.engine.game.actions[name] for name in names]

    def _goes_to_tiles(self, action: Action, markers: set[str], space: str) -> bool:
        """Whether an action sets markers only to cells that hold a tile, or get one from it."""
        charted = [
            part
            for r in action.requirements
            for part in (r.condition.parts if isinstance(r.condition, terms.And) else (r.condition,))
        ]
        laid = [clause.effect.cell for clause in action.effects if isinstance(clause.effect, ef.Put)]
        for clause in flat(action.effects):
            match clause.effect:
                case ef.Assign(target, Assignment.SET, value) if target.variable in markers:
                    held = any(
                        isinstance(part, terms.Compare)
                        and part.operator is Comparison.UNEQUAL
                        and part.left == terms.Read(space, (value,), part.left.type)
                        and isinstance(part.right, terms.Constant)
                        and part.right.value == 0
                        for part in charted
                    )
                    if not held and value not in laid:
                        return False
                case ef.Assign(target) if target.variable in markers:
                    return False
                case _:
                    pass
        return True

    @cached_property
    def uses_chance(self) -> bool:
        return any(isinstance(clause.effect, ef.Shuffle) for clause in self.clauses)

    @cached_property
    def resources(self) -> dict[str, bool]:
        """Variables of which more (True) or less (False) is never worse: nothing but requirements look at them.

        None where a choice without `stop` ends by having nothing to choose: there, more moves may be worse.
        """
        if not all(choice.stop for choice in self.engine.choices):
            return {}
        game = self.engine.game
        conditions = [r.condition for c in self.engine.choices for a in c.actions for r in game.actions[a].requirements]
        others = reads(game, [term for term in self.conditions if term not in conditions], self.objective)
        parts = [part for c in conditions for part in (c.parts if isinstance(c, terms.And) else (c,))]
        uses = _RequirementUses(
            [(part, reads(game, part)) for part in parts], [_use(game, clause.effect) for clause in self.clauses]
        )
        found: dict[str, bool] = {}
        for variable in game.variables.values():
            if variable.storage is Storage.VALUE and not variable.is_loop and not isinstance(variable.index, Cell):
                better = None if variable.name in others else uses.better(variable.name)
                if better is not None:
                    found[variable.name] = better
        return found


@frozen
class _RequirementUses:
    """The parts of all requirements with what they read; what effects add to, and what they read."""

    parts: list[tuple[terms.Term, set[str]]]
    effects: list[tuple[str | None, set[str]]]

    def better(self, name: str) -> bool | None:
        """Whether more (True) or less (False) of a variable is never worse, as far as they show."""
        ways = {_way(part, name) for part, read in self.parts if name in read}
        if any(name == raised or name in read for raised, read in self.effects):
            return None
        return ways.pop() if len(ways) == 1 else None


def _use(game: Game, effect: ef.Effect) -> tuple[str | None, set[str]]:
    match effect:
        case ef.Assign(target, assignment, value):
            return (target.variable if assignment is Assignment.ADD else None, reads(game, value, target.index))
        case _:
            return (None, reads(game, effect))


def _way(part: terms.Term, name: str) -> bool | None:
    match part:
        case terms.Read(variable, index) if (variable == name and not index) or _static(part, name):
            return True
        case terms.Not(inner) if _static(inner, name):
            return False
        case terms.Compare(Comparison.AT_LEAST | Comparison.GREATER, left, terms.Constant()) if _static(left, name):
            return True
        case terms.Compare(Comparison.AT_MOST | Comparison.LESS, left, terms.Constant()) if _static(left, name):
            return False
        case _:
            return None


def _static(term: terms.Term, name: str) -> bool:
    """Whether a term is the variable itself, at an index that does not read it."""
    return isinstance(term, terms.Read) and term.variable == name and not any(_mentions(i, name) for i in term.index)


def _mentions(term: terms.Term, name: str) -> bool:
    return isinstance(term, terms.Read) and term.variable == name


def flat(body: Sequence[ef.EffectClause]) -> Iterator[ef.EffectClause]:
    """Clauses of effects, each followed by those inside of it."""
    for clause in body:
        yield clause
        match clause.effect:
            case ef.ForEach(_, inner):
                yield from flat(inner)
            case ef.When(_, then, otherwise):
                yield from flat(then)
                yield from flat(otherwise)
            case _:
                pass


def _flows(game: Game, effect: ef.Effect) -> list[tuple[str | None, set[str]]]:
    """What each variable that an effect changes comes from; None stands for what matters in any case."""
    match effect:
        case ef.Put(piece, space, cell, source):
            needed = reads(game, piece, cell, source.index) | {source.variable}
            return [(space, needed), (None, {source.variable})]
        case ef.Take(space, cell, target):
            return [(None, {space} | reads(game, cell)), (target.variable, reads(game, target.index))]
        case ef.Slide(space, cell, target_cell):
            return [(None, {space} | reads(game, cell, target_cell))]
        case ef.Move(piece, source, target):
            return [(None, {source.variable} | reads(game, piece, source.index, target.index))]
        case ef.MoveAll(source, target):
            return [(target.variable, {source.variable} | reads(game, source.index, target.index))]
        case ef.Deal(number, source, target):
            return [(target.variable, {source.variable} | reads(game, number, source.index, target.index))]
        case ef.Shuffle():
            return []
        case ef.Assign(target, _, value):
            return [(target.variable, reads(game, value, target.index))]
        case ef.Stop() | ef.Finish() | ef.ForEach() | ef.When():
            return []
        case _:
            assert_never(effect)
