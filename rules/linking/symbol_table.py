"""The symbol table of a rulebook: what each name denotes when expressions and statements are resolved."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypedDict

from rulewright.base.diagnostics import MOST_LISTED, Label, Sink, suggest
from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules
from rulewright.rules.merging.rulebook import Family, Key
from rulewright.rules.model import types
from rulewright.rules.model.effects import Location
from rulewright.rules.model.game import Pattern, Table, TileKind, Variable
from rulewright.rules.model.terms import Constant, Term
from rulewright.rules.spaces.drawing import is_cell_name

from .unification import PartialType, TypeVariable


class Source(TypedDict):
    """Where a clause stands, the module that it was written in, and what it cites."""

    span: Span
    module: str
    cite: str


@define
class Signature:
    """The types of a definition's parameters and of its result, as far as known.

    `uses` are the types that calls expect of the result; they are unified with it after the definition is resolved.
    """

    node: modules.Define
    parameters: dict[str, PartialType]
    result: PartialType = field(factory=TypeVariable)
    uses: list[PartialType] = field(factory=list)


@frozen
class LocalSymbol:
    """A parameter or bound name: its type; for a tile from a zone, that zone; for a kind of piece, its set of pieces.

    `alias` is its name in terms, if different from that in the text.
    """

    type: PartialType
    zone: Location | None = None
    alias: str = ""
    pieces: str = ""


Locals = Mapping[str, LocalSymbol]


@define
class SymbolTable:
    """Every global name. `constants` lists all meanings of a name: a terrain, a marker, a tile.

    `parameters` are the types of the parameters of each procedure, as far as known; `partitions` maps names of partitions to
    those of their spaces; `player_scores` are the per-player scores, as terms with a local `player`; `players` is the highest
    player number that may be named, `most_players` that of any game.
    """

    family: Family
    sink: Sink
    spaces: dict[str, modules.Space]
    tiles: tuple[TileKind, ...]
    tables: dict[str, Table]
    variables: dict[str, Variable]
    signatures: dict[str, Signature]
    enumerations: dict[str, tuple[str, ...]]
    constants: dict[str, list[tuple[types.Type, int]]]
    dropped: Mapping[Key, Span] = field(factory=dict)
    parameters: dict[str, dict[str, PartialType]] = field(factory=dict)
    partitions: Mapping[str, str] = field(factory=dict)
    player_scores: dict[str, Term] = field(factory=dict)
    players: int = 1
    most_players: int = 1
    patterns: Mapping[str, Pattern] = field(factory=dict)
    pieces: Mapping[str, modules.Pieces] = field(factory=dict)
    lies: dict[str, Table] = field(factory=dict)

    def player(self, number: int, span: Span) -> Term:
        """A player by number. Reports RW142 if not every game has that player."""
        if not 1 <= number <= self.players:
            help = f"there is player {', '.join(map(str, range(1, self.players + 1)))}" if self.players <= MOST_LISTED else ""
            self.sink.error("RW142", f"player {number} does not take part in every game", span, help=help)
        return Constant(number, type=types.Player(), span=span)

    def module(self, span: Span) -> str:
        """The module that a clause was written in."""
        return self.family.name_of(span.source)

    def source(self, span: Span, cite: str = "") -> Source:
        """The source of a clause."""
        return {"span": span, "module": self.module(span), "cite": cite}

    def dropped_here(self, name: str) -> tuple[Label, ...]:
        """Labels for the places where modules drop an item whose name is now missing."""
        return tuple(Label(span, "dropped here") for key, span in self.dropped.items() if key.name == name)

    def only_space(self) -> str:
        """The name of the only space, empty if there are several or none."""
        return next(iter(self.spaces)) if len(self.spaces) == 1 else ""

    def board(self, space: str) -> Variable | None:
        """The variable for the tiles on the cells of a space; None if it has no tiles."""
        variable = self.variables.get(space)
        return variable if variable is not None and variable.is_board else None

    def zone(self, name: str) -> Variable | None:
        """The variable of that name, if it is a zone."""
        variable = self.variables.get(name)
        return variable if variable is not None and variable.is_zone else None

    @cached_property
    def tile_sets(self) -> dict[str, tuple[int, ...]]:
        """The kinds of tile of each tile set, by number."""
        found: dict[str, list[int]] = {}
        for number, kind in enumerate(self.tiles, 1):
            found.setdefault(kind.group, []).append(number)
        return {name: tuple(numbers) for name, numbers in found.items()}

    def refuse_optional(self, parameter: modules.Parameter) -> None:
        """Report RW162 for `or none` in a parameter that players do not choose."""
        if parameter.optional:
            help = f"write `{parameter.name} in …`; arguments may be none anyway, and `{parameter.name} is none` tests for it"
            self.sink.error("RW162", "`or none` is allowed only for parameters of actions", parameter.span, help=help)

    def report_unknown(self, name: str, span: Span, locals: Locals) -> None:
        """Report RW110 with the nearest name."""
        known = {*self.variables, *self.signatures, *self.constants, *self.spaces, *self.tile_sets, *locals}
        help = suggest(name, known | {"players", "player_count"}, "declare it under `state:`, or `define` it")
        corners = next((space.corners for space in self.spaces.values() if space.corners), None)
        if corners is not None and is_cell_name(name):
            help = f"there are the cells `{corners[0]}` to `{corners[1]}`"
        self.sink.error("RW110", f"unknown name `{name}`", span, *self.dropped_here(name), help=help)
