"""Near misses: illegal actions that a player would try, each forbidden by one requirement, for `refuse:` in puzzles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from itertools import islice, product

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import frozen
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import SEED, STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_attempt
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import AbstractAlgebra
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly

MOST_TRIED = 300
"""The maximum number of attempts examined."""


@frozen
class NearMisses:
    """The near misses in a state. `is_tempting` tells whether a player who disregards the rules would like a state."""

    engine: Engine
    state: State
    is_tempting: Callable[[State], bool]

    def texts(self, most: int, known: Collection[str] = ()) -> tuple[str, ...]:
        """At most `most` actions as texts, no two forbidden by the same requirement, none by one of the `known` ones."""
        found: dict[str, str] = {}
        for move in islice(self._attempts(), MOST_TRIED):
            if len(found) == most:
                break
            if (name := self._forbidden_by(move, {*known, *found})) and self._would_be_tried(move):
                found[name] = format_move(self.engine, self.state, move)
        return tuple(found.values())

    def _attempts(self) -> Iterator[Move]:
        """Illegal combinations of an offered action with arguments that occur in legal moves."""
        engine, choice = self.engine, self.engine.choice(self.state)
        if choice is None:
            return
        legal = engine.legal(self.state)
        actions = list(engine.game.actions.values())
        seen: dict[object, dict[int, None]] = {}
        for move in legal:
            if move != STOP:
                for parameter, value in zip(actions[move[0]].parameters, move[1:], strict=True):
                    seen.setdefault(parameter.type, {})[value] = None
        known = set(legal)
        for name in choice.actions:
            action, number = engine.game.actions[name], engine.action_numbers[name]
            for arguments in product(*(seen.get(parameter.type, {}) for parameter in action.parameters)):
                if (number, *arguments) not in known:
                    yield number, *arguments

    def _forbidden_by(self, move: Move, known: Collection[str]) -> str:
        """The only requirement that fails, if it can hold in another position; empty if there is none, or it is known."""
        engine, action, evaluator = self.engine, self._action(move), self.engine.evaluator(self.state)
        env: dict[str, int] = {}
        for parameter, value in zip(action.parameters, move[1:], strict=True):
            offered = tuple(evaluator.value(parameter.domain, env))
            env[parameter.name] = value
            if value not in offered or (parameter.where is not None and not evaluator.value(parameter.where, env)):
                return ""
        failed = [one for one in action.requirements if not evaluator.value(one.condition, env)]
        if not failed and action.afterwards and (after := engine.after(self.state, action, env)) is not None:
            failed = [one for one in action.afterwards if not engine.evaluator(after).value(one.condition, env)]
        if len(failed) != 1 or not failed[0].message or failed[0].name in known or not self._is_read(move):
            return ""
        values = {name: exactly(value) for name, value in env.items()}
        return "" if self._anywhere.value(failed[0].condition, values).never else failed[0].name

    def _is_read(self, move: Move) -> bool:
        """Whether a player can write an illegal move."""
        try:
            return parse_attempt(self.engine, self.state, format_move(self.engine, self.state, move)) is not None
        except RulesError:
            return False

    def _would_be_tried(self, move: Move) -> bool:
        """Whether the effects of an illegal move are possible, change something, and look good."""
        try:
            after = ReferenceEngine(self.engine).apply(self.state, move)
        except RulesError:
            return False
        return after[SEED:] != self.state[SEED:] and self.is_tempting(after)

    def _action(self, move: Move) -> Action:
        return list(self.engine.game.actions.values())[move[0]]

    @cached_property
    def _anywhere(self) -> Evaluator[AbstractValue, AbstractSet]:
        """Evaluates terms for all positions at once."""
        instance, tiles = self.engine.instance, frozenset(range(1, len(self.engine.game.tiles) + 1))
        return Evaluator(instance, AbstractAlgebra(instance, self.engine.layout, {}, tiles))
