"""Clause coverage of play: requirements that failed, exceptions that applied, clauses that were carried out.

An instrumented reference engine records them. A clause is identified by its dotted name and the last module that defined it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.expressions import Quantifier
from rulewright.rules.model import terms, types
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Action, Case, Definition, Game
from rulewright.rules.model.state import STOP, Move, State
from rulewright.rules.model.traversal import locals_in, nodes_of
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.concrete_algebra import ConcreteAlgebra, Values
from rulewright.rules.semantics.concrete_store import ConcreteStore
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.executor import Executor
from rulewright.rules.semantics.flow_graph import ChoicePoint

from .reference_engine import Bindings, ReferenceEngine, bindings_of

ClauseKey = tuple[str, str]
"""A clause: its dotted name, and the last module that defined it."""

FEW = 24
"""Attempts at an action that are evaluated in a glance at a position."""


@define
class Coverage:
    """Clauses exercised by play: `failed` requirements, exceptions `applied` (their value was taken), and others `used`."""

    failed: set[ClauseKey] = field(factory=set)
    applied: set[ClauseKey] = field(factory=set)
    used: set[ClauseKey] = field(factory=set)

    def __or__(self, other: Coverage) -> Coverage:
        return Coverage(self.failed | other.failed, self.applied | other.applied, self.used | other.used)

    @property
    def all(self) -> set[ClauseKey]:
        return self.failed | self.applied | self.used


@define
class _CoverageEvaluator(Evaluator[int, Values]):
    """An evaluator that records the definitions it evaluates and the exceptions whose value it takes.

    While the state does not change, `known` caches the values of definitions by arguments.
    """

    shown: Coverage = field(kw_only=True)
    cases: dict[int, Case] = field(kw_only=True)
    known: dict[tuple[Any, ...], int] | None = field(default=None, kw_only=True)

    def _thunk(self, term: terms.Term, env: Env) -> Callable[[], int]:
        case = self.cases.get(id(term))
        if case is None:
            return super()._thunk(term, env)

        def applied() -> int:
            self.shown.applied.add((case.name, case.module))
            return self.value(term, env)

        return applied

    def definition(self, definition: Definition, arguments: Sequence[Any]) -> int:
        if self.known is None:
            return self._recorded(definition, arguments)
        key = (definition.name, *(one if isinstance(one, int) else tuple(one) for one in arguments))
        if key not in self.known:
            self.known[key] = self._recorded(definition, arguments)
        return self.known[key]

    def _recorded(self, definition: Definition, arguments: Sequence[Any]) -> int:
        kind = "rule" if definition.reasons else "define"
        self.shown.used.add((f"{kind} {definition.name}", definition.module))
        if definition.reasons and isinstance(definition.value, terms.And):
            env = dict(zip((name for name, _ in definition.parameters), arguments, strict=True))
            for part, reason in zip(definition.value.parts, definition.reasons, strict=True):
                if not self.value(part, env):
                    self.shown.failed.add((reason.name, reason.module))
        return super().definition(definition, arguments)

    def set(self, term: terms.Term, env: Env) -> Values:
        if isinstance(term, terms.Invoke):
            definition = self.instance.game.definitions[term.definition]
            self.shown.used.add((f"define {definition.name}", definition.module))
        return super().set(term, env)


@define
class _CoverageExecutor(Executor[int, Values]):
    """An executor that records the clauses it carries out."""

    shown: Coverage = field(kw_only=True)

    def _effect(self, clause: EffectClause, env: Env) -> None:
        self.shown.used.add((clause.name, clause.module))
        super()._effect(clause, env)


@frozen
class CoverageEngine(ReferenceEngine):
    """A reference engine that records its coverage in `shown`."""

    shown: Coverage = field(factory=Coverage, eq=False)
    cases: dict[int, Case] = field(init=False, eq=False, repr=False)
    compiled: dict[int, Callable[[State], int]] = field(factory=dict, init=False, eq=False, repr=False)
    looked: set[State] = field(factory=set, init=False, eq=False, repr=False)

    @cases.default
    def _by_value(self) -> dict[int, Case]:
        return {id(case.value): case for case in _cases(self.engine.game)}

    def look(self, state: State) -> None:
        """Record the coverage of a position, once: the requirements of every action on offer, and the score."""
        if state not in self.looked:
            self.looked.add(state)
            self._look(state, None)

    def glance(self, state: State) -> None:
        """Like `look`, but faster: compiled code finds failing requirements, and only a few attempts are evaluated."""
        self._look(state, FEW)
        for action in self._offered(state):
            for one in action.requirements:
                said = (one.name, one.module)
                if said not in self.shown.failed and self._violates(action, one.condition)(state):
                    self.shown.failed.add(said)

    def _look(self, state: State, most: int | None) -> None:
        """Evaluate the requirements of each action that reach uncovered clauses, in at most `most` attempts."""
        evaluator = self._listening(ConcreteAlgebra(self.engine.layout, state), {})
        for action in self._offered(state):
            own = {(r.name, r.module): r.condition for r in action.requirements}
            unseen = own | {said: condition for condition in own.values() for said in self._reached(condition)}
            unseen = {said: condition for said, condition in unseen.items() if not self._is_covered(said)}
            names = {said: sorted(locals_in(condition)) for said, condition in unseen.items()}
            tried: set[tuple[Any, ...]] = set()
            for bindings in islice(bindings_of(evaluator, action.parameters, {}) if unseen else (), most):
                for said, condition in list(unseen.items()):
                    attempt = said, *(bindings.get(name) for name in names[said])
                    if self._is_covered(said):
                        del unseen[said]
                    elif attempt not in tried:
                        tried.add(attempt)
                        if not evaluator.value(condition, bindings) and said in own:
                            self.shown.failed.add(said)
                if not unseen:
                    break
        self._look_after(state, most)

    def _look_after(self, state: State, most: int | None) -> None:
        """Evaluate what actions require after their effects, in at most `most` attempts at each action."""
        evaluator = self.engine.evaluator(state)
        for action in self._offered(state):
            for bindings in islice(bindings_of(evaluator, action.parameters, {}) if action.afterwards else (), most):
                is_possible = all(evaluator.value(one.condition, bindings) for one in action.requirements)
                after = self.engine.after(state, action, bindings) if is_possible else None
                if after is not None:
                    listening = self._evaluator(after)
                    failed = (one for one in action.afterwards if not listening.value(one.condition, bindings))
                    self.shown.failed |= {(one.name, one.module) for one in failed}

    def _offered(self, state: State) -> list[Action]:
        """The actions on offer. Also records what else a position covers."""
        self._score(state)
        if self.engine.over(state):
            self.shown.used |= {("rank", ""), ("winner", "")}
        choice = self.engine.choice(state)
        self.shown.used |= {(f"phase {point}", "") for point in (choice.points if choice else ())}
        return [self.engine.game.actions[name] for name in (choice.actions if choice else ())]

    def _violates(self, action: Action, condition: terms.Term) -> Callable[[State], int]:
        """A compiled test whether an action violates a requirement for some of its parameters."""
        known = self.compiled.get(id(condition))
        if known is None:
            truth = types.Truth()
            violated: terms.Term = terms.Not(condition, truth, span=condition.span)
            for one in reversed(action.parameters):
                binder = terms.Binder(one.name, one.domain, one.where, one.type)
                violated = terms.Quantified(Quantifier.SOME, binder, violated, truth, span=condition.span)
            known = self.compiled[id(condition)] = self.engine.compile_value(violated)
        return known

    def _is_covered(self, said: ClauseKey) -> bool:
        return said in self.shown.failed or said in self.shown.applied

    def _reached(self, condition: terms.Term) -> Iterator[ClauseKey]:
        """The exceptions that a condition reaches, and the requirements of rules and patterns; the evaluator records them."""
        definitions = self.engine.game.definitions
        for node in nodes_of(definitions, condition):
            if isinstance(node, terms.Invoke):
                yield from ((reason.name, reason.module) for reason in definitions[node.definition].reasons)
            elif isinstance(node, Case):
                yield node.name, node.module

    def act(self, state: State, move: Move) -> State:
        """Record the coverage of a legal move; returns the state after it."""
        if move != STOP:
            action = list(self.engine.game.actions.values())[move[0]]
            self.shown.used.add((f"action {action.name}", action.module))
        return self.apply(state, move)

    def _score(self, state: State) -> None:
        evaluator = self._evaluator(state)
        for score in self.engine.game.scores:
            self.shown.used.add((f"score {score.name}", score.module))
            evaluator.value(score.value, {})

    def _evaluator(self, columns: Sequence[Any]) -> Evaluator[int, Values]:
        return self._listening(ConcreteAlgebra(self.engine.layout, columns))

    def _listening(self, algebra: ConcreteAlgebra, known: dict[tuple[Any, ...], int] | None = None) -> Evaluator[int, Values]:
        return _CoverageEvaluator(self.engine.instance, algebra, shown=self.shown, cases=self.cases, known=known)

    def _moves(self, columns: Sequence[Any], choice: ChoicePoint) -> Iterator[Move]:
        """The legal moves by the compiled engine: listing a legal move covers nothing."""
        return iter(self.engine.legal(tuple(columns)))

    def _carry_out(self, clauses: tuple[EffectClause, ...], columns: list[Any], bindings: Bindings) -> ConcreteStore:
        store = ConcreteStore(self.engine.instance, self.engine.layout, columns)
        _CoverageExecutor(self._listening(store.algebra), store, shown=self.shown).run(clauses, bindings)
        return store


def _cases(game: Game) -> Iterator[Case]:
    pending = [case for definition in game.definitions.values() for case in definition.cases]
    while pending:
        case = pending.pop()
        yield case
        pending += case.exceptions
