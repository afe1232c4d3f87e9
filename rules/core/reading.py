"""Terms of the rules read in the core: each is lowered when it is first asked for, with the definitions that it calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model import terms
from rulewright.rules.model.instance import Function, Instance
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.semantics.algebra import Env

from .interpreter import Columns, Interpreter
from .lower import Lowering
from .terms import Term


@define(eq=False)
class Reading:
    """The values of terms of one instance; states are given to each call."""

    instance: Instance
    interpret: Callable[[Lowering], Interpreter] = Interpreter
    _interpreter: Interpreter = field(init=False)
    _known: dict[tuple[terms.Term, tuple[str, ...]], Term] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._interpreter = self.interpret(Lowering(self.instance))

    def value(self, term: terms.Term, state: Columns, env: Env) -> Any:
        """The value of a term, a number or a sequence of them. Raises `PlayError`."""
        inside = locals_in(term)
        names = tuple(name for name in env if name in inside)
        return self.function(term, names)(state, tuple(env[name] for name in names))

    def function(self, term: terms.Term, names: tuple[str, ...]) -> Function:
        """The value of a term by a state and values for its free names. Raises `PlayError`."""
        lowered = self._known.get((term, names))
        if lowered is None:
            lowered = self._known[term, names] = self._interpreter.lowering.term(term, names)
        return partial(self._interpreter.value, lowered)


@frozen
class StateReading:
    """The values of terms in one state."""

    instance: Instance
    state: Columns

    def value(self, term: terms.Term, env: Env) -> Any:
        """The value of a term, a number or a sequence of them. Raises `PlayError`."""
        return self.instance.reader.value(term, self.state, env)
