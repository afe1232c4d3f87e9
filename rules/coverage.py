"""What of the rules a line of play shows: requirements that failed, exceptions that applied, clauses that were carried out.

The reference reading is listened to; what a clause is called is its dotted name and the module that last said it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import field

from ..grammar.classes import define, frozen
from . import terms as t
from .compile import STOP, Move
from .concrete import Concrete, Values
from .effects import Clause
from .evaluator import Env, Evaluator
from .executor import Executor
from .flowgraph import Choice
from .game import Case, Definition, Game
from .layout import State
from .reference import Bindings, Reference, bindings_of
from .store import ConcreteStore

Said = tuple[str, str]
"""A clause: its dotted name, and the module that said it last."""


@define
class Shown:
    """`failed` are requirements, `applied` exceptions whose value was taken, `used` anything else."""

    failed: set[Said] = field(factory=set)
    applied: set[Said] = field(factory=set)
    used: set[Said] = field(factory=set)

    def __or__(self, other: Shown) -> Shown:
        return Shown(self.failed | other.failed, self.applied | other.applied, self.used | other.used)

    @property
    def all(self) -> set[Said]:
        return self.failed | self.applied | self.used


@define
class _Listening(Evaluator[int, Values]):
    """An evaluator that notes which definitions are asked, and which exceptions have the last word."""

    shown: Shown = field(kw_only=True)
    cases: dict[int, Case] = field(kw_only=True)

    def _thunk(self, term: t.Term, env: Env) -> Callable[[], int]:
        case = self.cases.get(id(term))
        if case is None:
            return super()._thunk(term, env)

        def applied() -> int:
            self.shown.applied.add((case.name, case.module))
            return self.value(term, env)

        return applied

    def _definition(self, definition: Definition, arguments: Sequence[Any]) -> int:
        self.shown.used.add((f"define {definition.name}", definition.module))
        return super()._definition(definition, arguments)

    def set(self, term: t.Term, env: Env) -> Values:
        if isinstance(term, t.Invoke):
            definition = self.ground.game.definitions[term.definition]
            self.shown.used.add((f"define {definition.name}", definition.module))
        return super().set(term, env)


@define
class _Noting(Executor[int, Values]):
    """An executor that notes which clauses it carries out."""

    shown: Shown = field(kw_only=True)

    def _effect(self, clause: Clause, env: Env) -> None:
        self.shown.used.add((clause.name, clause.module))
        super()._effect(clause, env)


@frozen
class Observer(Reference):
    """Plays as the reference does, and notes what it comes across in `shown`."""

    shown: Shown = field(factory=Shown, eq=False)
    cases: dict[int, Case] = field(init=False, eq=False, repr=False)

    @cases.default
    def _by_value(self) -> dict[int, Case]:
        return {id(case.value): case for case in _cases(self.engine.game)}

    def look(self, state: State) -> None:
        """Note what a position shows: what is asked of every action that is offered, and what it is worth."""
        self._score(state)
        if self.engine.over(state):
            self.shown.used.add(("rank", ""))
        choice, evaluator = self.engine.choice(state), self._evaluator(state)
        for name in choice.actions if choice else ():
            action = self.engine.game.actions[name]
            unseen = {(r.name, r.module): r.condition for r in action.requirements}
            unseen = {said: condition for said, condition in unseen.items() if said not in self.shown.failed}
            for bindings in bindings_of(evaluator, action.parameters, {}) if unseen else ():
                for said in [said for said, condition in unseen.items() if not evaluator.value(condition, bindings)]:
                    self.shown.failed.add(said)
                    del unseen[said]

    def act(self, state: State, move: Move) -> State:
        """Note what a legal move comes to. The state after it."""
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
        return self._listening(Concrete(self.engine.layout, columns))

    def _listening(self, algebra: Concrete) -> Evaluator[int, Values]:
        return _Listening(self.engine.ground, algebra, shown=self.shown, cases=self.cases)

    def _moves(self, columns: Sequence[Any], choice: Choice) -> Iterator[Move]:
        """By the compiled reading: that something is legal shows nothing."""
        return iter(self.engine.legal(tuple(columns)))

    def _carry_out(self, clauses: tuple[Clause, ...], columns: list[Any], bindings: Bindings) -> ConcreteStore:
        store = ConcreteStore(self.engine.ground, self.engine.layout, columns)
        _Noting(self._listening(store.algebra), store, shown=self.shown).run(clauses, bindings)
        return store


def _cases(game: Game) -> Iterator[Case]:
    pending = [case for definition in game.definitions.values() for case in definition.cases]
    while pending:
        case = pending.pop()
        yield case
        pending += case.exceptions
