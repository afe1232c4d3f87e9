"""Overlap of a definition's exceptions: which pairs can never apply at once, and which might.

Case splitting over abstract interpretation tries every value of the unknowns in the conditions (the tile on a cell, a number, a
truth value) as if they were independent. An excluded pair therefore never applies at once; one that is not excluded may still
never do so in play. overlap_search.py looks for a position that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import assert_never

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import define, field, frozen
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Case, Definition, Game
from rulewright.rules.model.state import State, layout_of
from rulewright.rules.model.traversal import Inliner, TooLong, conjunction, nodes_of, operands, parts_of
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.cost_bounds import steps_of

from .abstract_algebra import AbstractAlgebra, anything
from .abstract_values import AbstractValue, exactly
from .borders import OpenSpaceEvaluator, sample_instance
from .expectations import Expectations

MOST_TRIED = 5_000
"""Most values tried for one pair."""

MOST_SUSPECTS = 50
"""Most pairs reported for one game."""

MOST_STEPS = 300_000
"""Evaluation steps for all pairs of a game; further pairs are not checked."""


@frozen
class CandidateOverlap:
    """Two exceptions of a definition that might apply at once; `above` are the exceptions that enclose both."""

    definition: Definition
    one: Case
    other: Case
    above: tuple[Case, ...] = ()


@frozen
class OverlapWitness:
    """A position where two exceptions apply at once: when its score is counted, its moves are listed or one is made."""

    suspect: CandidateOverlap
    engine: Engine
    state: State


def report_overlaps(
    candidates: Sequence[CandidateOverlap], clashes: Sequence[OverlapWitness], expected: Expectations, sink: Sink
) -> None:
    """Report RW266 for pairs with a witness, and RW267, a warning, for the others."""
    shown = [clash.suspect for clash in clashes]
    for suspect in candidates:
        one, other = suspect.one, suspect.other
        label = Label(one.span, "the other exception")
        if any(suspect is found for found in shown):
            sink.error(
                "RW266",
                f"the exceptions `{one.name}` and `{other.name}` both apply in a position",
                other.span,
                label,
                help=HELP,
            )
        elif not expected.meet("RW267", suspect.definition.name):
            message = f"cannot prove that `{one.name}` and `{other.name}` never both apply"
            sink.warn("RW267", message, other.span, label, help=HELP)


HELP = "make one an exception to the other, or exclude the other in its `when`"


def candidate_overlaps(game: Game) -> tuple[CandidateOverlap, ...]:
    """The pairs of exceptions not proved to exclude each other."""
    check = _OverlapCheck(game)
    found: list[CandidateOverlap] = []
    for definition in game.definitions.values():
        for suspect in _pairs(definition, definition.cases, ()):
            if check.steps > MOST_STEPS or len(found) == MOST_SUSPECTS:
                return tuple(found)
            if check.may_overlap(suspect):
                found.append(suspect)
    return tuple(found)


def _pairs(definition: Definition, cases: Sequence[Case], above: tuple[Case, ...]) -> Iterator[CandidateOverlap]:
    for one, other in combinations(cases, 2):
        yield CandidateOverlap(definition, one, other, above)
    for case in cases:
        yield from _pairs(definition, case.exceptions, (*above, case))


@define
class _OverlapCheck:
    """Checks the pairs of one game; `steps` counts the effort."""

    game: Game
    steps: int = field(default=0, init=False)

    def may_overlap(self, suspect: CandidateOverlap) -> bool:
        """Whether both may apply at once; False is a proof that they cannot."""
        inliner = Inliner(self.game.definitions)
        try:
            conditions = [inliner.term(case.when, {}) for case in (*suspect.above, suspect.one, suspect.other)]
        except TooLong:
            return True
        finally:
            self.steps += inliner.parts
        together = conjunction(conditions)
        counts = range(self.game.players.low, self.game.players.high + 1)
        told_apart = counts if _counts_players(together) else counts[:1]
        return any(self._is_possible(players, suspect, together) for players in told_apart)

    def _is_possible(self, players: int, suspect: CandidateOverlap, together: terms.Term) -> bool:
        instance = sample_instance(self.game, players)
        cost = steps_of(instance, together, dict(suspect.definition.parameters))
        if cost > MOST_STEPS:
            return True
        evaluator = _AssumingEvaluator(instance, AbstractAlgebra(instance, layout_of(instance)))
        env = {name: anything(instance, type) for name, type in suspect.definition.parameters}
        trial = _CaseSplit(evaluator, together, env, min(MOST_TRIED, MOST_STEPS // cost))
        possible = trial.possible
        self.steps += cost * trial.tried
        return possible


def _counts_players(term: terms.Term) -> bool:
    """Whether a condition depends on the number of players."""
    players = (types.Player(), types.SetOf(types.Player()))
    return any(isinstance(node, terms.PlayerCount) or getattr(node, "type", None) in players for node in nodes_of({}, term))


@define
class _AssumingEvaluator(OpenSpaceEvaluator):
    """Abstract interpretation under assumptions: `guesses` maps terms to assumed values."""

    guesses: dict[terms.Term, int] = field(factory=dict)

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The assumed value, else the abstract one."""
        if self.guesses and (guess := self.guesses.get(term)) is not None:
            return exactly(guess)
        return OpenSpaceEvaluator.value(self, term, env)


@define
class _CaseSplit:
    """Backtracking over values of the unknowns of a condition, at most `most` nodes."""

    evaluator: _AssumingEvaluator
    condition: terms.Term
    env: Env
    most: int
    tried: int = field(default=0, init=False)

    @property
    def possible(self) -> bool:
        """Whether some values may satisfy the condition; also True if there are too many to try."""
        domains = [(unknown, values) for unknown in unknowns(self.condition) if (values := self._domain(unknown))]
        return self._holds(sorted(domains, key=lambda pair: len(pair[1])))

    def _domain(self, unknown: terms.Term) -> Sequence[int]:
        """The values of an unknown, if few. For a number that is only compared: the numbers that it is compared with, and their
        neighbours. Otherwise empty."""
        instance, found = self.evaluator.instance, self.evaluator.value(unknown, self.env)
        match unknown.type:
            case types.Number():
                few = found.values
                return sorted(few) if few is not None else self._landmarks(unknown)
            case types.Truth() | types.Enumeration() | types.Player() | types.Tile() | types.Direction():
                every = sorted({*instance.domain(unknown.type), instance.none(unknown.type), instance.absent(unknown.type)})
                return [value for value in every if found.low <= value <= found.high]
            case types.Cell() | types.Region() | types.Place() | types.Pair() | types.SetOf():
                return ()
            case _:
                assert_never(unknown.type)

    def _landmarks(self, unknown: terms.Term) -> Sequence[int]:
        """The numbers that an unknown is compared with, and their neighbours; empty if it is used in any other way."""
        found: set[int] = set()
        pending: list[object] = [self.condition]
        while pending:
            here = pending.pop()
            match here:
                case terms.Compare(_, left, right) if unknown in (left, right) and left != right:
                    numbers = self.evaluator.value(right if left == unknown else left, self.env).values
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
        if self.evaluator.value(self.condition, self.env).never:
            return False
        if not domains or self.tried > self.most:
            return True
        (unknown, values), *others = domains
        for value in values:
            self.evaluator.guesses[unknown] = value
            if self._holds(others):
                return True
        del self.evaluator.guesses[unknown]
        return False


def unknowns(term: terms.Term) -> tuple[terms.Term, ...]:
    """The atoms of a condition: the parts that its logic and arithmetic combine, each once."""
    found: dict[terms.Term, None] = {}
    pending = [term]
    while pending:
        here = pending.pop()
        match here:
            case terms.And() | terms.Or() | terms.Not() | terms.Compare() | terms.Arithmetic() | terms.If():
                pending += operands(here)
            case terms.Lookup(terms.Markers() | terms.Side()):
                pending += operands(here)
            case terms.Lookup(terms.Column(), key) if not isinstance(key.type, types.Cell | types.Place):
                pending.append(key)
            case terms.Membership(item, terms.Interval() | terms.SetLiteral() as domain):
                pending += [item, *operands(domain)]
            case terms.Constant() | terms.Absent() | terms.PlayerCount() | terms.Origin():
                pass
            case _:
                found[here] = None
    return tuple(found)
