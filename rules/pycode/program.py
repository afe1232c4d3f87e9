"""What is generated of a game as Python, and what comes of it: compiled functions with their constants."""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any

from rulewright.base.deadline import check_deadline
from rulewright.base.records import frozen
from rulewright.rules.model.state import STOP, Horizon, cells_of_kinds, marked_cells, occupied_cells, values_near
from rulewright.rules.model.terms import Term
from rulewright.rules.semantics import play_errors
from rulewright.rules.semantics.rng import drawn, shuffled

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
    "PlayError": play_errors.PlayError,
    "cannot_put": play_errors.cannot_put,
    "tile_missing": play_errors.tile_missing,
    "undefined_index": play_errors.undefined_index,
    "occupied_cells": occupied_cells,
    "cells_of_kinds": cells_of_kinds,
    "marked_cells": marked_cells,
    "values_near": values_near,
    "cannot_lay": play_errors.cannot_lay,
    "out_of_range": play_errors.out_of_range,
    "clash": play_errors.clash,
    "shuffled": shuffled,
    "drawn": drawn,
    "nothing_to_draw": play_errors.nothing_to_draw,
    "endless_flow": play_errors.endless_flow,
    "written": written,
    "STOP": STOP,
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
