"""`every` over neighbours near a border: it covers fewer cells there, and a missing cell might not satisfy it.

The rules are interpreted without a position: in an unbounded space no cell is known except the origin. A game that is only
checked has sample windows. What holds for the single cell of an unbounded space need not hold for others.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import define
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.core.interpreter import Reading
from rulewright.rules.model import game as model
from rulewright.rules.model import terms, types
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import layout_of, least_value
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.model.types import Cell
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.cost_bounds import steps_of
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.set_evaluator import near_directions
from rulewright.rules.spaces.from_tree import sample_window
from rulewright.rules.spaces.window import Function, Window

from .abstract_algebra import AbstractAlgebra, anything
from .abstract_values import HUGE, AbstractSet, AbstractValue, exactly
from .expectations import Expectations

MOST_STEPS = 100_000
"""Conditions that take more steps to evaluate are not checked."""


@define
class _BeyondTheBorder(AbstractAlgebra):
    """Nothing is known except the values of variables beyond the border, which are their defaults."""

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        declared = self.instance.game.variables[variable]
        if not isinstance(declared.index, types.Cell) or index != exactly(self.instance.windows[declared.index.space].nowhere):
            return self.anything(variable)
        return exactly(least_value(self.instance, declared))


def check_borders(game: model.Game, expected: Expectations, sink: Sink) -> None:
    """RW269: a condition on every neighbour that a cell beyond the border would fail, so that it is weaker at the border.

    Not reported: a condition that excludes neighbours by `where`, or that a missing cell satisfies.
    """
    instance = sample_instance(game, game.players.low)
    for name, quantified, domain in _over_neighbours(game):
        window, here, types_of = instance.windows[domain.space], domain.neighbourhood, _types(quantified)
        if not _has_border(window, here) or steps_of(instance, quantified.body, types_of) > MOST_STEPS:
            continue
        env = {name: anything(instance, type) for name, type in types_of.items()}
        env[quantified.binder.name] = exactly(window.nowhere)
        algebra = _BeyondTheBorder(instance, layout_of(instance))
        is_met = not OpenSpaceEvaluator(instance, algebra).value(quantified.body, env).never
        if not is_met and not expected.meet("RW269", name):
            space, most = game.spaces[domain.space], len(near_directions(window, here))
            sink.warn(
                "RW269",
                f"`{here.value}` has fewer cells at the border of `{space.name}`, so this condition is weaker there",
                quantified.span,
                Label(space.span, f"`{space.name}` has a border"),
                help=f"require all {most} as well, as in `size({here.value}(c)) = {most} and every …`; "
                f'or accept the warning: `expect RW269 of {name}: "…"`',
            )


def _over_neighbours(game: model.Game) -> Iterator[tuple[str, terms.Fold, terms.Neighbours]]:
    """Every condition on all neighbours of a cell, with the name of its item; not if the item also counts the neighbours."""
    items: list[tuple[str, object]] = [*game.definitions.items(), *game.actions.items(), *game.procedures.items()]
    items += [(score.name, score) for score in game.scores] + [(rule.name, rule) for rule in game.invariants]
    for name, item in items:
        counted = [node.domain for node in nodes_of({}, item) if isinstance(node, terms.Size)]
        for node in nodes_of({}, item):
            match node:
                case terms.Fold(terms.Kind.EVERY, terms.Binder(_, terms.Neighbours() as domain, None)):
                    if domain not in counted:
                        yield name, node, domain


def _has_border(window: Window, neighbourhood: terms.Neighbourhood) -> bool:
    """Whether some cells of a grid have fewer neighbours than others; the shape of a graph does not count as a border."""
    steps = [window.steps[direction] for direction in near_directions(window, neighbourhood)]
    return (
        not window.unbounded
        and window.shape is not Shape.GRAPH
        and any(window.nowhere in step[: window.size] for step in steps)
    )


def _types(quantified: terms.Fold) -> dict[str, types.Type]:
    return {node.name: node.type for node in nodes_of({}, quantified) if isinstance(node, terms.Local)}


def sample_instance(game: model.Game, players: int) -> Instance:
    """A game for a number of players in the smallest windows of its spaces, in which rules are read without a position."""
    return Instance(game, players, {name: sample_window(space) for name, space in game.spaces.items()}, Reading)


class OpenSpaceEvaluator(Evaluator[AbstractValue, AbstractSet]):
    """An evaluator for `AbstractAlgebra` over sample windows, whose results hold in windows of any size."""

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The value of a term for cells anywhere."""
        match term:
            case terms.Lookup(terms.Coordinate(space)) if self._is_open(space):
                return AbstractValue(-HUGE, HUGE)
            case terms.Apply(Function.DISTANCE, space) if self._is_open(space):
                return AbstractValue(-1, HUGE)
            case terms.Lookup(terms.Step(space)) | terms.Apply(Function.LEAP, space) if self._is_open(space):
                return self._cell(space)
            case _:
                return Evaluator.value(self, term, env)

    def set(self, term: terms.Term, env: Env) -> AbstractSet:
        """The value of a set for cells anywhere."""
        match term:
            case terms.AllCells(space) | terms.Apply(Function.LINE, space) if self._is_open(space):
                return AbstractSet(None, self._cell(space))
            case terms.Neighbours(space) if self._is_open(space):
                return AbstractSet(None, self._cell(space), len(self.instance.windows[space].directions))
            case _:
                return Evaluator.set(self, term, env)

    def only_occupied(self, binder: terms.Binder) -> bool:
        """Always False for an open space, whose occupied cells are unknown."""
        open = isinstance(binder.domain, terms.AllCells) and self._is_open(binder.domain.space)
        return not open and Evaluator.only_occupied(self, binder)

    def _is_open(self, space: str) -> bool:
        return self.instance.windows[space].unbounded

    def _cell(self, space: str) -> AbstractValue:
        found = anything(self.instance, Cell(space))
        assert isinstance(found, AbstractValue)
        return found
