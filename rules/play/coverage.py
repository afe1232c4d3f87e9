"""Clause coverage of play: requirements that failed, exceptions that applied, clauses that were carried out.

An instrumented reference engine records them. A clause is identified by its dotted name and the last module that defined it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.core.evaluator import name_of_set
from rulewright.rules.core.interpreter import Columns, Interpreter, Locals, MemoisingInterpreter, key_of
from rulewright.rules.core.player import Changing, CorePlayer
from rulewright.rules.core.program import Choose, Effect
from rulewright.rules.core.terms import Fault, Term
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Action, Case
from rulewright.rules.model.state import STOP, Move, State
from rulewright.rules.model.traversal import locals_in, nodes_of
from rulewright.rules.semantics.play_errors import PlayError

from .engine import Engine
from .reference_engine import ReferenceEngine

ClauseKey = tuple[str, str]
"""A clause: its dotted name, and the last module that defined it."""

FEW = 24
"""Most attempts at an action that are evaluated in a glance at a position."""


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


@define(eq=False)
class _CoverageInterpreter(MemoisingInterpreter):
    """An interpreter that records the definitions it evaluates and the exceptions whose value it takes."""

    shown: Coverage = field(kw_only=True)

    def value(self, term: Term, state: Columns, env: Locals = ()) -> Any:
        if not isinstance(term, Fault):
            self.shown.applied.update((case.name, case.module) for case in term.cases)
        return MemoisingInterpreter.value(self, term, state, env)

    def called(self, name: str, given: Locals, state: Columns) -> Any:
        if self.known is None or key_of(name, given) not in self.known:
            definition = self.instance.game.definitions[name_of_set(name) or name]
            kind = "rule" if definition.reasons else "define"
            self.shown.used.add((f"{kind} {definition.name}", definition.module))
            for part, reason in zip(self.lowering.definition(name).parts, definition.reasons, strict=False):
                if not self.value(part, state, given):
                    self.shown.failed.add((reason.name, reason.module))
        return MemoisingInterpreter.called(self, name, given, state)


@define(eq=False)
class _CoveragePlayer(CorePlayer):
    """A player that records the clauses that it carries out."""

    engine: Engine
    shown: Coverage

    @cached_property
    def interpreter(self) -> Interpreter:
        return _CoverageInterpreter(self.lowering, shown=self.shown, known=None)

    def moves(self, choice: Choose, state: Columns) -> Iterator[Move]:
        """The legal moves by the compiled engine: listing a legal move covers nothing."""
        return iter(self.engine.legal(tuple(state)))

    def run(self, effects: Sequence[Effect], changing: Changing, env: Locals) -> None:
        # The steps of a loop of the flow are in no module: they are no clauses.
        origins = (effect.origin for effect in effects if effect.origin is not None and effect.origin.module)
        self.shown.used.update((origin.name, origin.module) for origin in origins)
        super().run(effects, changing, env)


@frozen
class CoverageEngine(ReferenceEngine):
    """A reference engine that records its coverage in `shown`."""

    shown: Coverage = field(factory=Coverage, eq=False)
    compiled: dict[int, Callable[[State], int]] = field(factory=dict, init=False, eq=False, repr=False)
    looked: set[State] = field(factory=set, init=False, eq=False, repr=False)

    @cached_property
    def player(self) -> CorePlayer:
        return _CoveragePlayer(self.engine.interpreted.lowering, self.engine, self.shown)

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
        lowering = self.player.lowering
        interpreter = _CoverageInterpreter(lowering, shown=self.shown)
        for action in self._offered(state):
            lowered = lowering.action(self.engine.action_numbers[action.name])
            pairs = zip(action.requirements, lowered.requirements, strict=True)
            conditions = {one.condition: found.condition for one, found in pairs}
            own = {(r.name, r.module): r.condition for r in action.requirements}
            unseen = own | {said: condition for condition in own.values() for said in self._reached(condition)}
            unseen = {said: condition for said, condition in unseen.items() if not self._is_covered(said)}
            read = {said: locals_in(condition) for said, condition in unseen.items()}
            places = {said: [at for at, one in enumerate(action.parameters) if one.name in read[said]] for said in unseen}
            tried: set[tuple[Any, ...]] = set()
            for arguments in islice(self.player.bindings(lowered.parameters, state) if unseen else (), most):
                for said, condition in list(unseen.items()):
                    attempt = said, *(arguments[at] for at in places[said])
                    if self._is_covered(said):
                        del unseen[said]
                    elif attempt not in tried:
                        tried.add(attempt)
                        if not interpreter.value(conditions[condition], state, arguments) and said in own:
                            self.shown.failed.add(said)
                if not unseen:
                    break
        self._look_after(state, most)

    def _look_after(self, state: State, most: int | None) -> None:
        """Evaluate what actions require after their effects, in at most `most` attempts at each action."""
        player, value = self.engine.interpreted, self.player.interpreter.value
        for action in self._offered(state):
            number = self.engine.action_numbers[action.name]
            lowered = player.lowering.action(number)
            for arguments in islice(player.bindings(lowered.parameters, state) if action.afterwards else (), most):
                is_possible = all(player.interpreter.value(one.condition, state, arguments) for one in lowered.requirements)
                with suppress(PlayError):
                    after = player.after(state, number, arguments).columns if is_possible else None
                    if after is not None:
                        asked = zip(action.afterwards, lowered.afterwards, strict=True)
                        failed = (one for one, found in asked if not value(found.condition, after, arguments))
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
            violated: terms.Term = terms.Not(condition, type=truth, span=condition.span)
            for one in reversed(action.parameters):
                violated = terms.Fold(terms.Kind.SOME, one, violated, type=truth, span=condition.span)
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
        for score in self.engine.game.scores:
            self.shown.used.add((f"score {score.name}", score.module))
            self.player.interpreter.value(self.player.lowering.scores[score.name], state)
