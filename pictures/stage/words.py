"""How the values of a variable are told."""

from __future__ import annotations

from rulewright.rules.model import types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.state import value_range
from rulewright.rules.play.engine import Engine, describe_value

from .vocabulary import Words


def words_of(engine: Engine, variable: Variable) -> Words:
    """The words of the values of a variable."""
    match variable.type:
        case types.Number() | types.Player() | types.SetOf():
            return Words()
        case types.Enumeration() as enumeration:
            return Words(tuple(map(engine.game.called, engine.game.members(enumeration))))
        case other:
            values = value_range(engine.instance, variable)
            if isinstance(other, types.Direction):
                values = range(-1, values.stop)
            elif isinstance(other, types.Truth):
                values = range(2)
            return Words(tuple(describe_value(engine, other, value) for value in values), values.start)
