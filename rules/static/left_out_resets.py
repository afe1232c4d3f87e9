"""Resets that an iteration of the flow leaves out.

One way of an `if` lowers a flag and raises it again; the next iteration takes the other way and reads it, still raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import define, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects as ef
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.traversal import nodes_of, variables_in

from .expectations import Expectations


def check_resets(game: model.Game, expected: Expectations, sink: Sink) -> None:
    """RW270, a warning: a variable that one way of an `if` resets and changes, and the other way reads as it was left."""
    told: set[str] = set()
    for loop in _loops(game.flow):
        for way in _ways(loop.body, (), ()):
            for variable, reset in _resets_on(game, way.taken):
                life = _Life(game, variable)
                read = life.read_if_left_out(way)
                if read is not None and variable not in told and not expected.meet("RW270", variable):
                    told.add(variable)
                    sink.warn(
                        "RW270",
                        f"`{variable}` may keep its value of an earlier turn: nothing resets it if this is decided otherwise",
                        way.branch.condition.span,
                        Label(reset, "reset on one way only"),
                        Label(read, "read on the other way"),
                        help="reset it on every way, in a procedure that runs after this; "
                        f'or accept the warning: `expect RW270 of {variable}: "…"`',
                    )


@frozen
class _Way:
    """An iteration of a loop, at an `if`: what is done if it is decided one way, what instead, and what follows either."""

    branch: model.Branch
    before: tuple[model.Flow, ...]
    taken: tuple[model.Flow, ...]
    instead: tuple[model.Flow, ...]
    after: tuple[model.Flow, ...]


def _loops(flow: Sequence[model.Flow]) -> Iterator[model.Repeat | model.Each]:
    for node in flow:
        match node:
            case model.Repeat(_, body) | model.Each(body=body):
                yield node
                yield from _loops(body)
            case model.Branch(_, body, otherwise):
                yield from _loops((*body, *otherwise))
            case model.Point(_, body):
                yield from _loops(body)
            case model.Run() | model.Choose():
                pass
            case _:
                assert_never(node)


def _plain(flow: Sequence[model.Flow]) -> tuple[model.Flow, ...]:
    """The nodes without the points around them, which change nothing."""
    return tuple(inner for node in flow for inner in (_plain(node.body) if isinstance(node, model.Point) else (node,)))


def _ways(flow: Sequence[model.Flow], before: tuple[model.Flow, ...], after: tuple[model.Flow, ...]) -> Iterator[_Way]:
    """Both ways of each `if` that every iteration may come to; not of those in inner loops."""
    nodes = _plain(flow)
    for at, node in enumerate(nodes):
        if isinstance(node, model.Branch):
            earlier, later = (*before, *nodes[:at]), (*nodes[at + 1 :], *after)
            for taken, instead in ((node.body, node.otherwise), (node.otherwise, node.body)):
                yield _Way(node, earlier, _plain(taken), _plain(instead), later)
                yield from _ways(taken, earlier, later)


def _resets_on(game: model.Game, nodes: Sequence[model.Flow]) -> Iterator[tuple[str, Span]]:
    """The variables that procedures of these nodes reset, with the place."""
    for node in nodes:
        if isinstance(node, model.Run):
            for clause in game.procedures[node.procedure]:
                name = _reset_by(game, clause)
                if name is not None and clause.span is not None:
                    yield name, clause.span


def _reset_by(game: model.Game, clause: ef.EffectClause) -> str | None:
    """The variable that a clause gives the value with which it begins, for each element of a set if it ranges over one."""
    match clause.effect:
        case ef.Assign(target, Assignment.SET, terms.Constant(value)):
            variable = game.variables[target.variable]
            begins = variable.initial.value if isinstance(variable.initial, terms.Constant) else variable.low
            return variable.name if value == begins else None
        case ef.ForEach(binder, (inner,)):
            found = _reset_by(game, inner)
            return found if binder.where is None or variables_in({}, binder.where) == {found} else None
        case _:
            return None


@define
class _Life:
    """What reads, resets and changes one variable."""

    game: model.Game
    variable: str

    def read_if_left_out(self, way: _Way) -> Span | None:
        """Where an iteration that takes the other way reads what one that took this way has left; None if it never does."""
        if self.variable in variables_in(self.game.definitions, way.branch.condition):
            return None
        lasts = self._outlives(way.taken) and self._walk(way.after)[1] and self._walk(way.before)[1]
        return self._walk((*way.instead, *way.after))[0] if lasts else None

    def _outlives(self, nodes: Sequence[model.Flow]) -> bool:
        """Whether a change after a reset among the nodes lasts to their end."""
        is_reset = is_changed = False
        for node in nodes:
            if not self._walk((node,))[1]:
                is_reset, is_changed = True, False
            if is_reset and self._changes(node):
                is_changed = True
        return is_changed

    def _changes(self, node: model.Flow) -> bool:
        match node:
            case model.Run(procedure):
                return self._is_changed_by(self.game.procedures[procedure])
            case model.Repeat(_, body) | model.Each(body=body) | model.Point(_, body):
                return any(map(self._changes, body))
            case model.Branch(_, body, otherwise):
                return any(map(self._changes, (*body, *otherwise)))
            case model.Choose(actions):
                return any(self._is_changed_by(self.game.actions[name].effects) for name in actions)
            case _:
                assert_never(node)

    def _is_changed_by(self, clauses: Sequence[ef.EffectClause]) -> bool:
        return any(map(self._is_changed_in, clauses))

    def _is_changed_in(self, clause: ef.EffectClause) -> bool:
        if _reset_by(self.game, clause) == self.variable:
            return False
        match clause.effect:
            case ef.Assign(target):
                return target.variable == self.variable
            case ef.ForEach(_, body) | ef.Keep(_, _, body):
                return self._is_changed_by(body)
            case ef.When(_, body, otherwise):
                return self._is_changed_by((*body, *otherwise))
            case _:
                return False

    def _walk(self, nodes: Sequence[model.Flow]) -> tuple[Span | None, bool]:
        """Where some way through the nodes reads the variable before a reset, and whether some way passes without one."""
        return _in_a_row(map(self._node, nodes))

    def _node(self, node: model.Flow) -> tuple[Span | None, bool]:
        match node:
            case model.Run(procedure):
                return self._effects(self.game.procedures[procedure])
            case model.Repeat(until, body):
                return self._read_in(until) or self._walk(body)[0], True
            case model.Each(_, domain, start, where, body):
                read, passes = self._walk(body)
                return self._read_in(domain, start, where) or read, passes or where is not None
            case model.Branch(condition, body, otherwise):
                return self._either(condition, self._walk(body), self._walk(otherwise))
            case model.Point(_, body):
                return self._walk(body)
            case model.Choose(names, _, by):
                actions = [self.game.actions[name] for name in names]
                asked = self._read_in(by, *((one.parameters, one.every_requirement) for one in actions))
                return asked or next(filter(None, (self._effects(one.effects)[0] for one in actions)), None), True
            case _:
                assert_never(node)

    def _effects(self, clauses: Sequence[ef.EffectClause]) -> tuple[Span | None, bool]:
        return _in_a_row(
            (None, False) if _reset_by(self.game, clause) == self.variable else self._effect(clause.effect)
            for clause in clauses
        )

    def _effect(self, effect: ef.Effect) -> tuple[Span | None, bool]:
        match effect:
            case ef.When(condition, body, otherwise):
                return self._either(condition, self._effects(body), self._effects(otherwise))
            case ef.ForEach(binder, body):
                return self._read_in(binder.domain, binder.where) or self._effects(body)[0], True
            case ef.Keep(_, value, body):
                read, passes = self._effects(body)
                return self._read_in(value) or read, passes
            case _:
                return self._read_in(effect), True

    def _either(
        self, condition: terms.Term, one: tuple[Span | None, bool], other: tuple[Span | None, bool]
    ) -> tuple[Span | None, bool]:
        return self._read_in(condition) or one[0] or other[0], one[1] or other[1]

    def _read_in(self, *where: object) -> Span | None:
        """The first place where terms read the variable, in definitions that they invoke too."""
        reads = (node for node in nodes_of(self.game.definitions, *where) if isinstance(node, terms.Read))
        return next((node.span for node in reads if node.variable == self.variable), None)


def _in_a_row(steps: Iterable[tuple[Span | None, bool]]) -> tuple[Span | None, bool]:
    """What steps come to together: the first reading up to a reset, and whether none is sure to reset."""
    first: Span | None = None
    for read, passes in steps:
        first = first or read
        if not passes:
            return first, False
    return first, True
