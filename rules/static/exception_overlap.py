"""Exceptions that stand side by side: which pairs of them can never apply at once, and which might.

Whether two conditions exclude each other is decided by trying every value of what they both speak of: the tile on a cell, a
number, a truth value, taken as unknowns that are independent of each other. What is excluded so never happens; what is not
might still never happen in play, so a position that shows it is looked for (rules/static/overlap_playouts.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, assert_never

from attrs import field

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import define, frozen
from rulewright.rules.linking.declarations import sample_window
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Case, Definition, Game
from rulewright.rules.model.inlining import TooLong, WriterOut, conjunction
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import State, layout_of
from rulewright.rules.model.traversal import parts_of
from rulewright.rules.semantics.cost_bounds import steps_of
from rulewright.rules.semantics.evaluator import Env

from .abstract_algebra import AbstractAlgebra, AbstractValue, anything, exactly
from .open_space_evaluator import OpenSpaceEvaluator

if TYPE_CHECKING:
    from rulewright.rules.play.engine import Engine

MOST_TRIED = 5_000
"""Values tried for one pair."""

MOST_SUSPECTS = 50
"""More of one game are nothing that anybody would read."""

MOST_STEPS = 300_000
"""Steps of evaluation for all pairs of a game; the pairs behind those that take so many are not looked at."""


@frozen
class CandidateOverlap:
    """Two exceptions of a definition that might apply at once; `above` are those that both are exceptions to."""

    definition: Definition
    one: Case
    other: Case
    above: tuple[Case, ...] = ()


@frozen
class OverlapWitness:
    """A position in which two exceptions apply at once: when its score is counted, its moves are listed or one is made."""

    suspect: CandidateOverlap
    engine: Engine
    state: State


def report_overlaps(candidates: Sequence[CandidateOverlap], clashes: Sequence[OverlapWitness], sink: Sink) -> None:
    """Report RW266 for pairs that clash in a position, and RW267, a warning, for pairs of which that is not known."""
    shown = [clash.suspect for clash in clashes]
    for suspect in candidates:
        one, other = suspect.one, suspect.other
        label = Label(one.span, "the other exception")
        if any(suspect is found for found in shown):
            sink.error("RW266", f"`{one.name}` and `{other.name}` apply at once in a position", other.span, label, help=HELP)
        else:
            message = f"cannot see that `{one.name}` and `{other.name}` never apply at once"
            sink.warn("RW267", message, other.span, label, help=HELP)


HELP = "make one an exception to the other, or let its `when` leave the other out"


def candidate_overlaps(game: Game) -> tuple[CandidateOverlap, ...]:
    """The pairs of exceptions of which it cannot be seen that they exclude each other."""
    look = _OverlapCheck(game)
    found: list[CandidateOverlap] = []
    for definition in game.definitions.values():
        for suspect in _pairs(definition, definition.cases, ()):
            if look.steps > MOST_STEPS or len(found) == MOST_SUSPECTS:
                return tuple(found)
            if look.may_clash(suspect):
                found.append(suspect)
    return tuple(found)


def _pairs(definition: Definition, cases: Sequence[Case], above: tuple[Case, ...]) -> Iterator[CandidateOverlap]:
    for one, other in combinations(cases, 2):
        yield CandidateOverlap(definition, one, other, above)
    for case in cases:
        yield from _pairs(definition, case.exceptions, (*above, case))


@define
class _OverlapCheck:
    """Looks at the pairs of a game, and counts the steps that it takes."""

    game: Game
    steps: int = field(default=0, init=False)

    def may_clash(self, suspect: CandidateOverlap) -> bool:
        """Whether both may apply at once, as far as can be seen."""
        writer = WriterOut(self.game.definitions)
        try:
            conditions = [writer.term(case.when, {}) for case in (*suspect.above, suspect.one, suspect.other)]
        except TooLong:
            return True
        finally:
            self.steps += writer.parts
        together = conjunction(conditions)
        counts = range(self.game.players.low, self.game.players.high + 1)
        told_apart = counts if _counts_players(together) else counts[:1]
        return any(self._is_possible(players, suspect, together) for players in told_apart)

    def _is_possible(self, players: int, suspect: CandidateOverlap, together: terms.Term) -> bool:
        spaces = self.game.spaces
        instance = Instance(self.game, players, {name: sample_window(space) for name, space in spaces.items()})
        cost = steps_of(instance, together, dict(suspect.definition.parameters))
        if cost > MOST_STEPS:
            return True
        reading = _AssumingEvaluator(instance, AbstractAlgebra(instance, layout_of(instance), {}, frozenset()))
        env = {name: anything(instance, type) for name, type in suspect.definition.parameters}
        trial = _CaseSplit(reading, together, env, min(MOST_TRIED, MOST_STEPS // cost))
        possible = trial.possible
        self.steps += cost * trial.tried
        return possible


def _counts_players(term: terms.Term) -> bool:
    """Whether it makes a difference to a condition how many play."""
    pending: list[object] = [term]
    while pending:
        here = pending.pop()
        if isinstance(here, terms.PlayerCount | terms.AllPlayers | types.Player):
            return True
        if isinstance(here, tuple):
            pending += here
        elif hasattr(here, "__attrs_attrs__"):
            pending += [getattr(here, a.name) for a in here.__attrs_attrs__ if a.name != "span"]
    return False


@define
class _AssumingEvaluator(OpenSpaceEvaluator):
    """The cautious reading, where some terms are taken to have certain values."""

    guesses: dict[terms.Term, int] = field(factory=dict)

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The guess, or what can be said."""
        if self.guesses and (guess := self.guesses.get(term)) is not None:
            return exactly(guess)
        return OpenSpaceEvaluator.value(self, term, env)


@define
class _CaseSplit:
    """Tries values for the unknowns of a condition, one after the other, until it cannot hold or all are chosen."""

    reading: _AssumingEvaluator
    condition: terms.Term
    env: Env
    most: int
    tried: int = field(default=0, init=False)

    @property
    def possible(self) -> bool:
        """Whether some values leave the condition possible; also when there are too many to try."""
        domains = [(unknown, values) for unknown in unknowns(self.condition) if (values := self._domain(unknown))]
        return self._holds(sorted(domains, key=lambda pair: len(pair[1])))

    def _domain(self, unknown: terms.Term) -> Sequence[int]:
        """What an unknown may be, when these are few; of a number that is only compared, a value on each side of what it is
        compared with stands for all others."""
        instance, found = self.reading.instance, self.reading.value(unknown, self.env)
        match unknown.type:
            case types.Number():
                few = found.values
                return sorted(few) if few is not None else self._landmarks(unknown)
            case types.Truth() | types.Enumeration() | types.Player() | types.Tile() | types.Direction():
                every = sorted({*instance.domain(unknown.type), instance.none(unknown.type)})
                return [value for value in every if found.low <= value <= found.high]
            case types.Cell() | types.Region() | types.SetOf():
                return ()
            case _:
                assert_never(unknown.type)

    def _landmarks(self, unknown: terms.Term) -> Sequence[int]:
        """The numbers around those that an unknown is compared with; none when it is used in any other way."""
        found: set[int] = set()
        pending: list[object] = [self.condition]
        while pending:
            here = pending.pop()
            match here:
                case terms.Compare(_, left, right) if unknown in (left, right) and left != right:
                    numbers = self.reading.value(right if left == unknown else left, self.env).values
                    if numbers is None:
                        return ()
                    found |= {number + off for number in numbers for off in (-1, 0, 1)}
                case terms.Membership(item, terms.Interval(terms.Constant(low), terms.Constant(high))) if item == unknown:
                    found |= {low - 1, low, high, high + 1}
                case _ if here == unknown:
                    return ()
                case _:
                    pending += parts_of(here)
        return sorted(found)

    def _holds(self, domains: Sequence[tuple[terms.Term, Sequence[int]]]) -> bool:
        self.tried += 1
        if self.reading.value(self.condition, self.env).never:
            return False
        if not domains or self.tried > self.most:
            return True
        (unknown, values), *others = domains
        for value in values:
            self.reading.guesses[unknown] = value
            if self._holds(others):
                return True
        del self.reading.guesses[unknown]
        return False


def unknowns(term: terms.Term) -> tuple[terms.Term, ...]:
    """The parts of a condition that its logic and arithmetic are about, each once."""
    found: dict[terms.Term, None] = {}
    pending = [term]
    while pending:
        here = pending.pop()
        match here:
            case terms.And(parts) | terms.Or(parts):
                pending += parts
            case terms.Not(operand):
                pending.append(operand)
            case terms.Compare(_, left, right):
                pending += [left, right]
            case terms.Arithmetic(first, rest):
                pending += [first, *(operand for _, operand in rest)]
            case terms.If(condition, then, otherwise):
                pending += [condition, then, otherwise]
            case terms.MarkerCount(bearer, marker):
                pending += [bearer, marker]
            case terms.Side(tile, direction):
                pending += [tile, direction]
            case terms.TableCell(_, _, key):
                pending.append(key)
            case terms.Membership(item, terms.Interval(low, high)):
                pending += [item, low, high]
            case terms.Membership(item, terms.SetLiteral(items)):
                pending += [item, *items]
            case terms.Constant() | terms.PlayerCount() | terms.Origin():
                pass
            case _:
                found[here] = None
    return tuple(found)
