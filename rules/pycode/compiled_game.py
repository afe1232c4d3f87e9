"""The functions of a grounded game as compiled Python: from the cache, or generated on first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.kept import digest_of_game, kept_code
from rulewright.rules.model.state import Horizon, Move, State, StateLayout
from rulewright.rules.model.terms import Term
from rulewright.rules.semantics.flow_graph import Instruction

from .program import Part, PythonProgram, Wanted


@define(eq=False)
class CompiledGame:
    """The functions of a game. They raise `RulesError` RW252 if the rules grow too large.

    Those of a game that was read from files are kept: to generate them takes 20 ms to half a second.
    """

    instance: Instance
    layout: StateLayout
    flow: tuple[Instruction, ...]
    _functions: dict[Wanted, dict[str, Any]] = field(factory=dict, init=False)

    @property
    def legal(self) -> Callable[[State], list[Move]]:
        return self._found(Wanted(Part.QUERIES))["legal"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> tuple[Callable[[State], int], ...]:
        queries = self._found(Wanted(Part.QUERIES))
        return tuple(queries[f"score_{number}"] for number in range(len(self.instance.game.scores)))

    def apply(self, horizon: Horizon | None) -> Callable[[State, Move], State]:
        """The state after a move and the flow that follows it."""
        return self._found(Wanted(Part.MOVES, horizon))["apply"]  # type: ignore[no-any-return]

    def begin(self, horizon: Horizon | None) -> Callable[[list[Any]], State]:
        """The flow from set-up on: maps the columns of a state to the state of the first choice."""
        return self._found(Wanted(Part.BEGINNING, horizon))["begin"]  # type: ignore[no-any-return]

    def value(self, term: Term) -> Callable[[State], int]:
        """A term without free names as a function of the state."""
        return self._found(Wanted(term))["value"]  # type: ignore[no-any-return]

    def _found(self, wanted: Wanted) -> dict[str, Any]:
        if wanted not in self._functions:
            program = self._program(wanted)
            queries = self._found(Wanted(Part.QUERIES)) if program.queries else {}
            self._functions[wanted] = program.load(queries)
        return self._functions[wanted]

    def _program(self, wanted: Wanted) -> PythonProgram:
        def make() -> PythonProgram:
            from .from_game import write  # and all that generates code, which kept functions do not need

            return write(self.instance, self.layout, self.flow, wanted)

        return kept_code(self.instance, lambda: ("python", self._digest, wanted), make)

    @cached_property
    def _digest(self) -> str:
        """What the functions are generated from."""
        return digest_of_game(self.instance, self.layout, self.flow)
