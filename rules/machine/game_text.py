"""What is generated of a game as subset source: its text, and the lookup tables that it reads."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import ModuleType
from typing import Any

from rulewright.base.records import frozen
from rulewright.rules.model import types
from rulewright.rules.model.game import Action
from rulewright.rules.model.terms import Term
from rulewright.subset.lowering import Source

from . import runtime, zone_runtime
from .memory_layout import Arrangement


@frozen
class FilledTables:
    """The entries by place, of which there are `count`: numbers, tables, and the sizes of pieces of scratch memory."""

    count: int
    numbers: Mapping[int, int]
    tables: Mapping[int, Sequence[int]]
    rooms: Mapping[int, int]

    def fill(self, arrangement: Arrangement) -> list[int]:
        """The tables as one array."""
        filled = [0] * self.count
        for at, value in (arrangement.header | dict(self.numbers)).items():
            filled[at] = value
        for at, start in zip(self.rooms, accumulate(self.rooms.values(), initial=0), strict=False):
            filled[at] = start
        for at, values in self.tables.items():
            filled[at] = len(filled)
            filled += values
        return filled

    @property
    def scratch(self) -> int:
        """The size of the scratch memory, in integers."""
        return sum(self.rooms.values())


@frozen
class GameText:
    """The source of a game, its constants, the tables that it reads, and the number of integers of a move."""

    text: str
    constants: dict[str, Any]
    tables: FilledTables
    width: int

    def sources(self, kernels: Sequence[ModuleType]) -> list[Source]:
        """The sources of the game, of the runtime that it calls, and of the kernels that call it."""
        modules = [runtime, zone_runtime, *kernels]
        return [Source(self.text, {**vars(runtime), **vars(zone_runtime), **self.constants})] + [
            Source(inspect.getsource(module), {**vars(module), "WIDTH": self.width}) for module in modules
        ]


@frozen
class Asked:
    """A term with parameters, each with its name and type; about the state that the effects of an action of these would leave
    if `after` is given."""

    term: Term
    parameters: tuple[tuple[str, types.Type], ...] = ()
    after: Action | None = None
