"""Near misses: illegal actions that a player would try, each forbidden by one requirement, for `refuse:` in puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice, product

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import frozen
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import SEED, STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_attempt
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.play.why_illegal import why_not
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

    def texts(self, most: int) -> tuple[str, ...]:
        """At most `most` actions as texts, no two forbidden by the same requirement."""
        found: dict[str, str] = {}
        for move in islice(self._attempts(), MOST_TRIED):
            if len(found) == most:
                break
            if (name := self._forbidden_by(move)) and name not in found and self._would_be_tried(move):
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

    def _forbidden_by(self, move: Move) -> str:
        """The only requirement that fails, if it can hold in another position; empty if there is none."""
        engine, action = self.engine, self._action(move)
        try:
            attempt = parse_attempt(engine, self.state, format_move(engine, self.state, move))
        except RulesError:
            return ""
        failures = () if attempt is None else why_not(engine, self.state, attempt)
        if len(failures) != 1 or not failures[0].message:
            return ""
        env = {parameter.name: exactly(value) for parameter, value in zip(action.parameters, move[1:], strict=True)}
        failed = [one for one in action.requirements if one.name == failures[0].requirement]
        return "" if any(self._anywhere.value(one.condition, env).never for one in failed) or not failed else failed[0].name

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
