"""What names mean in a rulebook: the vocabulary that expressions and effects are resolved against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import field

from ..grammar import modules as tree
from ..grammar.classes import define, frozen
from ..grammar.diagnostics import Label, Sink, suggest
from ..grammar.spans import Span
from . import types
from .effects import Place
from .game import Storage, Table, TileKind, Variable
from .inference import Hole, Open
from .order import Family
from .rulebook import Key


@define
class Signature:
    """A definition's parameters and result, as far as they are known."""

    node: tree.Define
    parameters: dict[str, Open]
    result: Open = field(factory=Hole)


@frozen
class LocalName:
    """A bound name: its type, and the zone that it is a piece of, when it is one."""

    type: Open
    zone: Place | None = None


Locals = Mapping[str, LocalName]


@define
class Scope:
    """Every name of the rulebook. Constants map a name to all that it may mean: a terrain, a marker, a tile."""

    family: Family
    sink: Sink
    spaces: dict[str, tree.Space]
    tiles: tuple[TileKind, ...]
    tables: dict[str, Table]
    variables: dict[str, Variable]
    signatures: dict[str, Signature]
    enumerations: dict[str, tuple[str, ...]]
    constants: dict[str, list[tuple[types.Type, int]]]
    dropped: Mapping[Key, Span] = field(factory=dict)

    def module(self, span: Span) -> str:
        """The module that a clause was written in."""
        return self.family.name_of(span.source)

    def dropped_here(self, name: str) -> tuple[Label, ...]:
        """Where modules drop items of a name that is missing now."""
        return tuple(Label(span, "dropped here") for key, span in self.dropped.items() if key.name == name)

    def only_space(self) -> str:
        """The name of the only space, empty when there are several or none."""
        return next(iter(self.spaces)) if len(self.spaces) == 1 else ""

    @cached_property
    def tile_sets(self) -> dict[str, tuple[int, ...]]:
        """The kinds of tile of each tile set, by their numbers."""
        found: dict[str, list[int]] = {}
        for number, kind in enumerate(self.tiles, 1):
            found.setdefault(kind.group, []).append(number)
        return {name: tuple(numbers) for name, numbers in found.items()}

    def known_names(self) -> set[str]:
        names = {*self.variables, *self.signatures, *self.constants, *self.spaces, *self.tile_sets}
        return names | {"players", "player_count"}

    def unknown(self, name: str, span: Span, locals: Locals) -> None:
        """Report RW110 with the nearest name."""
        help = suggest(name, self.known_names() | set(locals), "declare it under `state:`, or `define` it")
        self.sink.error("RW110", f"nothing is called `{name}`", span, *self.dropped_here(name), help=help)

    def board(self, space: str) -> Variable | None:
        """The variable that holds what stands on the cells of a space."""
        variable = self.variables.get(space)
        return variable if variable is not None and variable.is_board else None

    def zone(self, name: str) -> Variable | None:
        variable = self.variables.get(name)
        return variable if variable is not None and variable.storage is not Storage.VALUE else None
