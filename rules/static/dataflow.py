"""Data-flow analysis of a game for the searches: liveness of variables, append-only boards, chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import assert_never

from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action, Game
from rulewright.rules.model.state import POINT
from rulewright.rules.model.terms import Neighbourhood
from rulewright.rules.model.traversal import conjuncts, operands, variables_in
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics import flow_graph


def reads(game: Game, *where: object) -> set[str]:
    """The state variables that terms read, including through the definitions that they invoke."""
    return variables_in(game.definitions, *where)


def feeding_zones(game: Game, clauses: Iterable[ef.EffectClause] | None = None) -> frozenset[str]:
    """The zones from which a tile may come to lie on a board, directly or through other zones; by `clauses` only, if
    given."""
    if clauses is None:
        bodies = [action.effects for action in game.actions.values()] + list(game.procedures.values())
        clauses = (clause for body in bodies for clause in flat(body))
    moves = tile_moves(clauses)
    zones = {v.name for v in game.variables.values() if not v.is_board}
    boards = {v.name for v in game.variables.values() if v.is_board}
    onward = {(source, target) for source, target in moves if source not in boards}
    return frozenset(name for board in boards for name in sources_of(board, onward) if name in zones)


def tile_moves(clauses: Iterable[ef.EffectClause]) -> set[tuple[str, str]]:
    """The moves of tiles by effects, as pairs of zones or boards."""
    moving = (clause.effect for clause in clauses if isinstance(clause.effect, ef.Transfer | ef.Deal))
    return {(effect.source.variable, effect.target.variable) for effect in moving}


def sources_of(variable: str, moves: set[tuple[str, str]]) -> set[str]:
    """The zones and boards from which a tile may reach `variable`, directly or not; includes `variable`."""
    found = {variable}
    while more := {source for source, target in moves if target in found} - found:
        found |= more
    return found


@define
class DataflowAnalysis:
    """Facts about play from a state on, by default from any choice on, given the terms of the objective; from an instruction of
    the flow on, if it is the `entry`."""

    engine: Engine
    objective: tuple[terms.Term, ...]
    root: State | None = None
    entry: int | None = None

    @classmethod
    def of(cls, engine: Engine, question: Question, root: State) -> DataflowAnalysis:
        """Of what a question reads, from the root or, where nobody knows what chance does before it, from there on."""
        before = question.before if question.in_expectation else None
        entry = None if before is None else flow_graph.entries_of(engine.instance, engine.layout)[before.point]
        return cls(engine, question.terms, root, entry)

    @cached_property
    def choices(self) -> tuple[flow_graph.ChoicePoint, ...]:
        """The choices to which play may still come."""
        flow = self.engine.flow
        return tuple(choice for at in sorted(self.reachable) if isinstance(choice := flow[at], flow_graph.ChoicePoint))

    @cached_property
    def clauses(self) -> tuple[ef.EffectClause, ...]:
        """Every effect that may still happen, including those inside loops and conditions."""
        actions = [self.engine.game.actions[name] for choice in self.choices for name in choice.actions]
        return (*(clause for action in actions for clause in flat(action.effects)), *self.procedure_clauses)

    @cached_property
    def changing_variables(self) -> frozenset[str]:
        """The variables, boards and zones that play may change."""
        loops = (variable.name for variable in self.engine.game.variables.values() if variable.is_loop)
        return frozenset(loops).union(*(ef.changed_by(clause.effect) for clause in self.clauses))

    @cached_property
    def procedure_clauses(self) -> tuple[ef.EffectClause, ...]:
        """Every effect of a procedure that may still run."""
        return tuple(clause for body in self.procedures for clause in flat(body))

    @cached_property
    def procedures(self) -> tuple[Sequence[ef.EffectClause], ...]:
        """The effects of each procedure that may still run."""
        runs = (run for at in self.reachable if isinstance(run := self.engine.flow[at], flow_graph.RunProcedure))
        return tuple(self.engine.game.procedures[run.procedure] for run in runs)

    @cached_property
    def reachable(self) -> set[int]:
        """The instructions of the flow that may still run."""
        flow = self.engine.flow
        if self.entry is not None:
            return set(flow_graph.reachable_in_play(flow, self.entry))
        if self.root is not None:
            return set(flow_graph.reachable_after(flow, self.root[POINT]))
        return {at for at, instruction in enumerate(flow) if isinstance(instruction, flow_graph.ChoicePoint)}.union(
            flow_graph.reachable_from_choices(flow)
        )

    @cached_property
    def conditions(self) -> tuple[terms.Term, ...]:
        """The terms that decide the legal moves, the course of the flow, and which effects happen."""
        found = list(self.choosing)
        for clause in self.clauses:
            match clause.effect:
                case ef.When(condition):
                    found.append(condition)
                case ef.ForEach(binder):
                    found += operands(binder)
                case ef.Keep(_, value):
                    found.append(value)
        return tuple(found)

    @cached_property
    def choosing(self) -> tuple[terms.Term, ...]:
        """The terms that decide the legal moves and the course of the flow."""
        asked = [(action.every_requirement, action.parameters) for action in self.offered]
        return tuple(operands((asked, [self.engine.flow[at] for at in sorted(self.reachable)])))

    @cached_property
    def live_variables(self) -> frozenset[str]:
        """The variables that a move, the flow or the objective may still depend on."""
        return self._live(self.objective)

    @cached_property
    def lasting_variables(self) -> frozenset[str]:
        """The live variables without those whose values never outlive a move: they are always set before they are read."""
        game = self.engine.game
        bodies = (*(action.effects for action in self.offered), *self.procedures)
        known = reads(game, self.choosing, self.objective)
        plain = (v for v in game.variables.values() if not v.is_zone and v.index is None and not v.is_loop)
        passing = {v.name for v in plain if v.name not in known and all(_sets_first(game, body, v.name) for body in bodies)}
        return self.live_variables - passing

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
        """The zones from which a tile may still come to lie on a board."""
        return feeding_zones(self.engine.game, self.clauses)

    @cached_property
    def append_only_boards(self) -> frozenset[str]:
        """The boards on which tiles are laid and never moved or taken."""
        boards = frozenset(v.name for v in self.engine.game.variables.values() if v.is_board)
        return boards - {source for source, _ in tile_moves(self.clauses)}

    def lays_beside(self, space: str, state: State) -> Neighbourhood | None:
        """The neighbourhood of a tile in which every further tile is laid; None if the rules do not show one.

        By induction: every tile is laid beside a marker (a variable that holds a cell), and a marker only moves to a cell that
        must hold a tile or gets one in the same action. In `state` all those markers stand on tiles.
        """
        markers: set[str] = set()
        found: set[Neighbourhood] = set()
        for action in self.offered:
            domains: dict[terms.Term, terms.Term] = {
                terms.Local(parameter.name, parameter.type): parameter.domain for parameter in action.parameters
            }
            for clause in flat(action.effects):
                if (cell := ef.cell_laid(clause.effect, space)) is not None:
                    match domains.get(cell):
                        case terms.Neighbours(_, neighbourhood, terms.Read(marker)):
                            markers.add(marker)
                            found.add(neighbourhood)
                        case _:
                            return None
        for clause in self.procedure_clauses:
            if ef.cell_laid(clause.effect, space) is not None or ef.changed_by(clause.effect) & markers:
                return None
        if len(found) != 1 or not all(_moves_to_tiles(action, markers, space) for action in self.offered):
            return None
        board = state[self.engine.layout.columns[space].start]
        places = [self.engine.layout.columns[marker] for marker in markers]
        standing = all(board[state[at]] for place in places for at in range(place.start, place.start + place.count))
        return found.pop() if standing else None

    @property
    def offered(self) -> list[Action]:
        """The actions that a choice may list."""
        names = dict.fromkeys(name for choice in self.choices for name in choice.actions)
        return [self.engine.game.actions[name] for name in names]

    @cached_property
    def uses_chance(self) -> bool:
        return bool(self.chances)

    @cached_property
    def chances(self) -> tuple[ef.EffectClause, ...]:
        """The effects that depend on chance."""
        return tuple(clause for clause in self.clauses if is_chance(clause.effect))

    @cached_property
    def chance_matters(self) -> bool:
        """Whether the outcome of chance may matter to a move, to the flow or to the objective."""
        return any(ef.changed_by(clause.effect) & self.live_variables for clause in self.chances)


def is_chance(effect: ef.Effect) -> bool:
    """Whether an effect depends on chance."""
    match effect:
        case ef.Shuffle() | ef.Assign(_, _, terms.Drawn()):
            return True
        case _:
            return False


def _sets_first(game: Game, body: Sequence[ef.EffectClause], name: str) -> bool:
    """Whether the effects set a variable unconditionally before any of them reads it."""
    for clause in body:
        match clause.effect:
            case ef.Assign(ef.Location(variable), Assignment.SET, value) if variable == name and name not in reads(game, value):
                return True
            case _:
                counted = [c.effect for c in flat([clause]) if isinstance(c.effect, ef.Assign)]
                adds = any(e.target.variable == name and e.assignment is not Assignment.SET for e in counted)
                if adds or name in reads(game, clause.effect):
                    return False
    return True


def _moves_to_tiles(action: Action, markers: set[str], space: str) -> bool:
    """Whether an action sets markers only to cells that hold a tile or that it puts one on."""
    occupied = [ef.cell_laid(clause.effect, space) for clause in action.effects]
    for part in (part for requirement in action.requirements for part in conjuncts(requirement.condition)):
        match part:
            case terms.Compare(Comparison.UNEQUAL, terms.Read(variable, (cell,)), terms.Constant(0)) if variable == space:
                occupied.append(cell)
    assigned = [clause.effect for clause in flat(action.effects) if isinstance(clause.effect, ef.Assign)]
    changes = [effect for effect in assigned if effect.target.variable in markers]
    return all(change.assignment is Assignment.SET and change.value in occupied for change in changes)


def flat(body: Sequence[ef.EffectClause]) -> Iterator[ef.EffectClause]:
    """Effect clauses, each followed by its nested clauses."""
    for clause in body:
        yield clause
        match clause.effect:
            case ef.ForEach(_, inner) | ef.Keep(_, _, inner):
                yield from flat(inner)
            case ef.When(_, then, otherwise):
                yield from flat(then)
                yield from flat(otherwise)


def _flows(game: Game, effect: ef.Effect) -> list[tuple[str | None, set[str]]]:
    """For each variable that an effect changes, those it depends on; None stands for variables that are always live."""
    match effect:
        case ef.Transfer(piece, source, target):
            return [(None, {source.variable} | reads(game, piece, source.index)), (target.variable, reads(game, target.index))]
        case ef.Deal(number, source, target):
            left = {source.variable} | reads(game, number, source.index)
            return [(source.variable, left), (target.variable, left | reads(game, target.index))]
        case ef.Assign(target, _, value):
            return [(target.variable, reads(game, value, target.index))]
        case ef.Shuffle() | ef.End() | ef.ForEach() | ef.Keep() | ef.When():
            return []
        case _:
            assert_never(effect)
