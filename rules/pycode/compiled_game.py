"""The functions of a grounded game as compiled Python: from the cache, or generated on first use."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import cached_property
from inspect import isfunction
from typing import Any

from rulewright.base.deadline import check_deadline
from rulewright.base.records import define, field, frozen
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.kept import digest_of_game, kept_code
from rulewright.rules.model.state import (
    STOP,
    Horizon,
    Move,
    State,
    StateLayout,
    cells_of_kinds,
    marked_cells,
    occupied_cells,
    values_near,
)
from rulewright.rules.model.terms import Term
from rulewright.rules.semantics import play_errors
from rulewright.rules.semantics.flow_graph import Instruction
from rulewright.rules.semantics.rng import drawn, shuffled


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


# What is generated as Python, and what comes of it ---------------------------------------------------------------------


COMPILING = 2.1e-7
"""Seconds that Python takes to compile a character, without pause. Measured: 1.1 s for 5.2 million."""


class Part(Enum):
    """Functions that are generated together: those that read a state, those that apply moves, the set-up."""

    QUERIES = auto()
    MOVES = auto()
    BEGINNING = auto()


@frozen
class Wanted:
    """A part of a game, or the value of a term without free names. Queries and values do not depend on a horizon."""

    what: Part | Term
    horizon: Horizon | None = None


def written(column: bytes, at: int, value: bytes) -> bytes:
    """The column with one value changed."""
    view = memoryview(column)
    return b"".join((view[:at], value, view[at + 1 :]))


RUNTIME: Mapping[str, Any] = {
    "STOP": STOP,
    "PlayError": play_errors.PlayError,
    **{name: made for name, made in vars(play_errors).items() if isfunction(made)},
    **{each.__name__: each for each in (occupied_cells, cells_of_kinds, marked_cells, values_near, shuffled, drawn, written)},
}
"""What generated functions call."""


@frozen
class PythonProgram:
    """Functions as `marshal` writes their code, the constants that they name, and the queries that they call."""

    code: bytes
    constants: Mapping[str, Any]
    queries: tuple[str, ...]

    @classmethod
    def of(cls, text: str, constants: Mapping[str, Any], queries: Sequence[str]) -> PythonProgram:
        """Compile a text. Raises what `compile` raises, and `TimeUp`."""
        check_deadline(len(text) * COMPILING)
        code = compile(text, "<compiled rules>", "exec")
        return cls(marshal.dumps(code), constants, tuple(queries))

    def load(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """The functions by name; `known` has the queries, if they call any."""
        space = {**RUNTIME, **self.constants, **{name: known[name] for name in self.queries}}
        exec(marshal.loads(self.code), space)
        return space
