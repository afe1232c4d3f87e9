"""A legal action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rulewright.base.records import field, frozen
from rulewright.rules.model.game import Action as Rule
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import Engine, describe_value
from rulewright.rules.play.engine import State as Values
from rulewright.rules.play.move_notation import STOP_WORD, format_move


@frozen
class Action:
    """A legal action of a state, from `State.legal`. Two actions of a game are equal if they do the same.

    `str(action)` is its text as players write it, which may depend on the state: `sail north`.
    """

    _engine: Engine = field(eq=lambda engine: id(engine.game), repr=False)
    _state: Values = field(eq=False, repr=False)
    _move: Move

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Action {self.text}>"

    @property
    def move(self) -> Move:
        """The number of the action among those of the game and the numbers of its arguments; -1 for `stop`."""
        return self._move

    def is_of(self, engine: Engine, state: Values) -> bool:
        """Whether it was listed as legal in this state of the engine, and not only in one like it."""
        return self._state is state and self._engine is engine

    @cached_property
    def text(self) -> str:
        """The action as players write it."""
        return format_move(self._engine, self._state, self._move)

    @property
    def name(self) -> str:
        """The name of the action in the rules; `stop` for the choice to stop."""
        return STOP_WORD if self._rule is None else self._rule.name

    @property
    def player(self) -> int:
        """The player who takes it, counted from 1."""
        return self._engine.player(self._state)

    @property
    def arguments(self) -> Mapping[str, str]:
        """The arguments by the names of the parameters, as players write values: `{"to": "(3,1)"}`."""
        if self._rule is None:
            return {}
        pairs = zip(self._rule.parameters, self._move[1:], strict=True)
        return {parameter.name: describe_value(self._engine, parameter.type, value) for parameter, value in pairs}

    @property
    def _rule(self) -> Rule | None:
        return None if self._move == STOP else tuple(self._engine.game.actions.values())[self._move[0]]
