"""Distances to nowhere that pass as near: a distance is -1 where there is no way, which is less than any other.

Random playouts by the reference engine, whose distances to nowhere remember their places, show each such case: nothing is
reported that does not happen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from rulewright.base.deadline import TimeUp, check_deadline, deadline
from rulewright.base.diagnostics import RulesError, Sink
from rulewright.base.records import define, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.core import terms as core
from rulewright.rules.core.interpreter import Columns, Interpreter, Locals, Reading
from rulewright.rules.core.player import CorePlayer
from rulewright.rules.core.terms import Term
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.state import State
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.model.types import Number
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.algebra import compare
from rulewright.rules.spaces.window import Function

from .expectations import Expectations
from .overlap_search import random_move

SECONDS = 1.0
"""Most seconds for the playouts of all numbers of players."""

MOST_GAMES = 100
"""Most playouts for each number of players: what a hundred games do not show is rare."""

LONGEST = 60
"""Most actions of a playout: more games see more than longer ones."""

PASSES = "the distance to nowhere is -1, which passes here as near"
IS_WORTH = "the distance to nowhere is -1, which is the value of `{}` here"
HELP = 'test first that both are somewhere, as in `c in {}`; or accept the warning: `expect RW271 of {}: "…"`'


def check_distances(game: model.Game, expected: Expectations, sink: Sink) -> None:
    """RW271, a warning: a distance to nowhere passes as near, or is the value of a score or of a definition to be asked for."""
    owners = {distance.span: (name, distance.space) for name, distance in _distances(game)}
    if not owners:
        return
    asked, found = dict(_asked(game)), dict[Span, str]()
    share = SECONDS / (game.players.high - game.players.low + 1)
    for players in range(game.players.low, game.players.high + 1):
        marking = _MarkingEngine(Engine.of(game, players), found)
        _play(marking, marking.start, asked, share)
    for span, message in sorted(found.items(), key=lambda item: (item[0].source, item[0].line, item[0].column)):
        name, space = owners.get(span, ("", ""))
        if name and not expected.meet("RW271", name):
            sink.warn("RW271", message, span, help=HELP.format(space, name))


def asked_distances(engine: Engine, root: State, asked: Sequence[terms.Term]) -> tuple[Span, ...]:
    """The places of distances to nowhere that are the value of a term itself, in a state or in playouts from it."""
    applied = (node for node in nodes_of(engine.game.definitions, *asked) if isinstance(node, terms.Apply))
    if not any(node.function is Function.DISTANCE for node in applied):
        return ()
    found = dict[Span, str]()
    _play(_MarkingEngine(engine, found), lambda _: root, {str(at): term for at, term in enumerate(asked)}, SECONDS / 4)
    return tuple(span for span, message in found.items() if message != PASSES)


def _distances(game: model.Game) -> Iterator[tuple[str, terms.Apply]]:
    """The distances whose -1 could pass as near, with the items that they stand in.

    No cell is nowhere on a line from the other, or beside it; and equality tells -1 from any distance.
    """
    scores = {score.name: score for score in game.scores}
    for name, item in {**game.definitions, **game.actions, **game.procedures, **scores}.items():
        nodes = list(nodes_of({}, item))
        bound = {(node.name, node.domain) for node in nodes if isinstance(node, terms.Binder)}
        equal = {
            id(side)
            for node in nodes
            if isinstance(node, terms.Compare) and node.operator in (Comparison.EQUAL, Comparison.UNEQUAL)
            for side in (node.left, node.right)
        }
        for node in nodes:
            if isinstance(node, terms.Apply) and node.function is Function.DISTANCE and id(node) not in equal:
                one, other = node.arguments
                if not _is_beside(one, other, bound) and not _is_beside(other, one, bound):
                    yield name, node


def _is_beside(one: terms.Term, other: terms.Term, bound: set[tuple[str, terms.Term]]) -> bool:
    domains = [domain for name, domain in bound if isinstance(one, terms.Local) and name == one.name]
    return bool(domains) and all(_starts_of(domain) == other for domain in domains)


def _starts_of(domain: terms.Term) -> terms.Term | None:
    """The cell that a line goes out from, or whose neighbours a set has."""
    match domain:
        case terms.Apply(Function.LINE, _, (cell, _)) | terms.Neighbours(_, _, cell):
            return cell
        case _:
            return None


def _asked(game: model.Game) -> Iterator[tuple[str, terms.Term]]:
    """The scores, and the definitions of numbers without parameters that only questions can read."""
    used = {node.definition for node in nodes_of(game.definitions, *_rules(game)) if isinstance(node, terms.Invoke)}
    for score in game.scores:
        yield score.name, score.value
    for one in game.definitions.values():
        if not one.parameters and one.name not in used and one.type == Number():
            yield one.name, terms.Invoke(one.name, (), type=one.type, span=one.span)


def _rules(game: model.Game) -> tuple[object, ...]:
    bodies = [(one.value, one.cases) for one in game.definitions.values()]
    return (bodies, *game.actions.values(), *game.procedures.values(), game.flow, game.scores, game.invariants)


def _play(marking: _MarkingEngine, start: Callable[[int], State], asked: Mapping[str, terms.Term], seconds: float) -> None:
    """Play random games for a time, and note the distances to nowhere that pass as near, and those that are asked for."""
    reading = Reading(marking.engine.instance, partial(_MarkingInterpreter, found=marking.found))
    with suppress(TimeUp, RulesError), deadline(seconds):
        for seed in range(MOST_GAMES):
            rng, state = random.Random(seed), start(seed)
            for _ in range(LONGEST):
                check_deadline()
                for name, term in asked.items():
                    value = reading.value(term, state, {})
                    if isinstance(value, _NoWay):
                        marking.found.setdefault(value.span, IS_WORTH.format(name))
                moves = marking.legal(state)
                if not moves:
                    break
                state = marking.apply(state, random_move(moves, rng))


class _NoWay(int):
    """The distance to nowhere, with its place."""

    span: Span

    @classmethod
    def at(cls, span: Span) -> _NoWay:
        found = cls(-1)
        found.span = span
        return found


@frozen
class _MarkingEngine(ReferenceEngine):
    """A reference engine whose distances to nowhere are `_NoWay`; `found` gets the places of those that pass as near."""

    found: dict[Span, str]

    @cached_property
    def player(self) -> CorePlayer:
        return _MarkingPlayer(self.engine.interpreted.lowering, self.found)


@define(eq=False)
class _MarkingPlayer(CorePlayer):
    found: dict[Span, str]

    @cached_property
    def interpreter(self) -> Interpreter:
        return _MarkingInterpreter(self.lowering, self.found)


@define(eq=False)
class _MarkingInterpreter(Interpreter):
    found: dict[Span, str]

    def value(self, term: Term, state: Columns, env: Locals = ()) -> Any:
        match term:
            case core.Apply(Function.DISTANCE):
                found = Interpreter.value(self, term, state, env)
                return _NoWay.at(term.span) if found < 0 else found
            case core.And():
                return self._conjunction(term, state, env)
            case core.Compare(operator, left_term, right_term):
                left, right = self.value(left_term, state, env), self.value(right_term, state, env)
                self._compared(operator, left, right)
                return compare(operator, left, right)
            case core.Fold(_, domain, body, terms.Kind.LEAST | terms.Kind.FIRST_LEAST):
                self._least([self.value(body, state, (*env, one)) for one in self.value(domain, state, env)])
        return Interpreter.value(self, term, state, env)

    def _conjunction(self, term: Term, state: Columns, env: Locals) -> int:
        """What passes in a conjunction that does not hold changes nothing."""
        before = dict(self.found)
        if Interpreter.value(self, term, state, env):
            return 1
        self.found.clear()
        self.found |= before
        return 0

    def _compared(self, operator: Comparison, left: int, right: int) -> None:
        """Note a -1 that is less than a limit above 0: less than 0 is how rules ask whether there is no way."""
        match operator:
            case Comparison.LESS | Comparison.AT_MOST:
                less, limit = left, right + (operator is Comparison.AT_MOST)
            case Comparison.GREATER | Comparison.AT_LEAST:
                less, limit = right, left + (operator is Comparison.AT_LEAST)
            case Comparison.EQUAL | Comparison.UNEQUAL:
                return
        if isinstance(less, _NoWay) and limit > 0:
            self.found.setdefault(less.span, PASSES)

    def _least(self, values: Sequence[int]) -> None:
        """Note a -1 that is the least of several values."""
        if len(values) > 1:
            for value in values:
                if isinstance(value, _NoWay) and value == min(values):
                    self.found.setdefault(value.span, PASSES)
