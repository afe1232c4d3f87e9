"""Numbers for all actions of a grounded game, legal or not, as learning libraries want them: 0 to `count` - 1."""

from __future__ import annotations

from functools import cached_property
from math import prod

from rulewright.base.diagnostics import usage_error
from rulewright.base.records import frozen
from rulewright.rules.model import types
from rulewright.rules.model.game import Action
from rulewright.rules.model.instance import is_optional
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_algebra import AbstractAlgebra
from .abstract_values import AbstractValue

MOST = 1 << 22
"""A mask of all actions takes as many bytes."""


@frozen
class NumberedAction:
    """The numbers of an action: from `first` on, in the order of its arguments, each from `lows` on, so many of `sizes`."""

    first: int
    lows: tuple[int, ...]
    sizes: tuple[int, ...]

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """What the number grows by with each argument."""
        return tuple(prod(self.sizes[place + 1 :]) for place in range(len(self.sizes)))


@frozen
class ActionNumbers:
    """The numbers of the actions of a game in the order of its text, then that of the choice to stop, the last."""

    actions: tuple[NumberedAction, ...]
    count: int

    @classmethod
    def of(cls, engine: Engine) -> ActionNumbers:
        """Raises `RulesError` if there are more than four million actions, or a number among the arguments has no bounds."""
        found, first = [], 0
        for action in engine.game.actions.values():
            ranges = _ranges(engine, action)
            found.append(NumberedAction(first, tuple(each.start for each in ranges), tuple(map(len, ranges))))
            first += prod(map(len, ranges))
            if first >= MOST:
                message = f"the actions of this game cannot be numbered: up to `{action.name}` there are {first}"
                raise usage_error(message, f"at most {MOST} actions are numbered: play by `State`")
        return cls(tuple(found), first + 1)

    def number(self, move: Move) -> int:
        """The number of a move."""
        if move == STOP:
            return self.count - 1
        action = self.actions[move[0]]
        terms = zip(move[1:], action.lows, action.strides, strict=True)
        return action.first + sum((value - low) * stride for value, low, stride in terms)

    def move(self, number: int) -> Move:
        """The move of a number, legal or not."""
        if number == self.count - 1:
            return STOP
        at = max(at for at, action in enumerate(self.actions) if action.first <= number and 0 not in action.sizes)
        action = self.actions[at]
        rest = number - action.first
        terms = zip(action.lows, action.sizes, action.strides, strict=True)
        return (at, *(low + rest // stride % size for low, size, stride in terms))


def _ranges(engine: Engine, action: Action) -> list[range]:
    """The values of each parameter of an action, and that for none if it is optional."""
    instance, found = engine.instance, list[range]()
    evaluator = Evaluator(instance, AbstractAlgebra(instance, engine.layout))
    env: dict[str, AbstractValue] = {}
    for parameter in action.parameters:
        values = instance.domain(parameter.type)
        if isinstance(parameter.type, types.Number):
            domain = evaluator.set(parameter.domain, env)
            elements = [domain.element] if domain.items is None else [value for value, _ in domain.items]
            values = (
                range(min(each.low for each in elements), max(each.high for each in elements) + 1) if elements else range(0)
            )
        if is_optional(parameter):
            none = instance.absent(parameter.type)
            values = range(min(none, values.start), max(none + 1, values.stop))
        env[parameter.name] = AbstractValue(values.start, values.stop - 1)
        found.append(values)
    return found
