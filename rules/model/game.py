"""The linked game: names resolved and types known, for any number of players and any windows of its spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property

from rulewright.base.cache import digest_of
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import field, frozen
from rulewright.base.spans import Located, Named, Span
from rulewright.grammar.tree.modules import Format, Look, Pieces, Players, Space, Visibility
from rulewright.rules.spaces.pattern import Place

from .effects import Clause, EffectClause
from .standing import Ranking, Winner
from .terms import Binder, Term
from .types import Cell, Enumeration, Number, Type

BOX = "box"
"""The zone in which every tile starts."""

SCORE = "score"
"""The name for the sum of all scores in questions and rankings."""


KIND = "kind"
"""The column of the kind of a place, in the table of the places of a set of pieces."""


def lies_of(pieces: str) -> str:
    """The name of that table, which no text can contain."""
    return f"lies of {pieces}"


def turned_name(board: str) -> str:
    """The name of the variable for the rotation of a board's tiles."""
    return f"{board}_turned"


def layer_name(pieces: str) -> str:
    """The name of the variable that gives for each cell the piece of a set that lies there, by its place."""
    return f"{pieces}_lie"


def laid_name(pieces: str) -> str:
    """The name of the zone with the kinds of the laid pieces of a set."""
    return f"{pieces}_laid"


def owner_name(pieces: str) -> str:
    """The name of the variable that gives the owner of each piece of a set, at its first cell."""
    return f"{pieces}_owner"


class Storage(Enum):
    """How a variable stores its value."""

    VALUE = "value"
    SET = "set"
    PILE = "pile"


@frozen
class Variable(Named):
    """A state variable: one value for each element of `index`, or one value if `index` is None.

    `is_turn`: it counts the rotations of the tile on each cell of a board. `is_set`: it is a set, stored as a truth value for
    each element; the element type is the last type of its index. `pieces` is the set of pieces that it belongs to; if indexed
    by cells, its values are at the first cell of each piece. At the end of the point `scope` of the flow it begins anew.
    """

    index: Type | None
    type: Type
    storage: Storage = Storage.VALUE
    low: int = 0
    high: int = 0
    visibility: Visibility = Visibility.OPEN
    initial: Term | None = None
    is_board: bool = False
    is_loop: bool = False
    is_turn: bool = False
    is_set: bool = False
    module: str = ""
    pieces: str = ""
    scope: str = ""

    @property
    def is_zone(self) -> bool:
        """Whether it holds tiles, as a set or a pile."""
        return self.storage is not Storage.VALUE

    @property
    def space(self) -> str:
        """The space with a value on each cell."""
        assert isinstance(self.index, Cell)
        return self.index.space

    @property
    def is_layer(self) -> bool:
        """Whether it gives the piece that lies on each cell."""
        return bool(self.pieces) and self.name == layer_name(self.pieces)

    @property
    def is_shown_by_layer(self) -> bool:
        """Whether the layer of laid pieces shows its value."""
        return bool(self.pieces) and self.name in (laid_name(self.pieces), owner_name(self.pieces))


@frozen
class TileRegion:
    """A region of a tile, such as a landmass: its terrain, the sides it reaches, the markers on it."""

    terrain: int
    sides: tuple[str, ...]
    markers: tuple[tuple[int, int], ...] = ()


@frozen
class TileKind(Named):
    """A kind of tile. `regions[0]` has every side that no other region names, and the markers outside named regions.

    Of an `owned` kind each player has `count` tiles; of others the box has them. `player` is the owner of a set `of 1`, else 0.
    """

    group: str
    count: int
    regions: tuple[TileRegion, ...]
    module: str = ""
    owned: bool = False
    player: int = 0

    def side(self, direction: str) -> int:
        """The terrain on a side."""
        for region in self.regions[1:]:
            if direction in region.sides:
                return region.terrain
        return self.regions[0].terrain if self.regions else -1

    def region(self, direction: str) -> int:
        """The number of the region that has a side."""
        return next((n for n, region in enumerate(self.regions) if n and direction in region.sides), 0)

    def site(self, marker: int) -> int:
        """The number of the first region with a marker, -1 if there is none."""
        return next((n for n, region in enumerate(self.regions) if any(m == marker for m, _ in region.markers)), -1)

    def number(self, marker: int) -> int:
        """How many times the tile bears a marker."""
        return sum(n for region in self.regions for m, n in region.markers if m == marker)


def most_regions(kinds: Sequence[TileKind]) -> int:
    """The largest number of regions of a tile."""
    return max((len(kind.regions) for kind in kinds), default=1)


Parameter = Binder
"""A parameter of an action, whose domain may use those before it."""


@frozen
class Requirement(Clause):
    """A requirement; `name` is dotted: action and label."""

    condition: Term
    message: str


@frozen
class OtherNotation(Located):
    """How an action is written when a condition holds of its parameters and the state before it."""

    parts: tuple[str, ...]
    when: Term


@frozen
class Action(Clause):
    """An action, legal if its `requirements` hold and then, in the state that its effects leave, those `afterwards`."""

    parameters: tuple[Parameter, ...]
    requirements: tuple[Requirement, ...]
    effects: tuple[EffectClause, ...]
    notation: tuple[str, ...]
    text: str = ""
    afterwards: tuple[Requirement, ...] = ()
    other_notation: OtherNotation | None = None
    written: tuple[str, ...] = ()
    """The text of each parameter."""

    @property
    def every_requirement(self) -> tuple[Requirement, ...]:
        """All requirements, whatever state they are about."""
        return self.requirements + self.afterwards

    @property
    def notations(self) -> tuple[tuple[str, ...], ...]:
        """The parts of each way to write it."""
        return (self.notation, *([self.other_notation.parts] if self.other_notation else []))

    @property
    def continues(self) -> bool:
        """Whether it is written on to the action before it in a turn: signs glued to a value come first, as in `x{to}`."""
        return [part[0] == "{" for part in self.notation[:2]] == [False, True]


@frozen
class Case(Clause):
    """A labelled exception; `name` is dotted: definition and labels."""

    value: Term
    when: Term
    exceptions: tuple[Case, ...] = ()

    def and_exceptions(self) -> Iterator[Case]:
        """The exception, and all exceptions to it."""
        yield self
        for case in self.exceptions:
            yield from case.and_exceptions()


@frozen
class Reason(Clause):
    """The reason why a rule fails if one of its parts does; `name` is dotted: rule and label."""

    message: str


@frozen
class Definition(Clause):
    """A definition. For a rule, `reasons` are those of the parts of its value."""

    parameters: tuple[tuple[str, Type], ...]
    value: Term
    cases: tuple[Case, ...]
    type: Type
    text: str = ""
    reasons: tuple[Reason, ...] = ()


@frozen
class Table(Named):
    """A table. `columns[name][key]` is a value of the column's type in `types`; `rows` are the spans of the rows."""

    key: Type
    keys: tuple[int, ...]
    columns: tuple[tuple[str, tuple[int, ...]], ...]
    types: tuple[Type, ...]
    module: str = ""
    rows: tuple[Span, ...] = field(default=(), eq=False, repr=False)

    def type_of(self, column: str) -> Type:
        """The type of a column's values; numbers if there is no such column."""
        found = (type for (name, _), type in zip(self.columns, self.types, strict=True) if name == column)
        return next(found, Number())


@frozen
class Pattern(Named):
    """A pattern with all its places; a definition holds the condition on the cells of its `roles`.

    A set of pieces is also a pattern, with `kinds` giving the kind of piece at each place.
    """

    space: str
    roles: tuple[str, ...]
    places: tuple[Place, ...]
    turned: bool = False
    mirrored: bool = False
    kinds: tuple[int, ...] = ()

    @property
    def has_ways(self) -> bool:
        """Whether its places differ in more than the cell."""
        return self.turned or self.mirrored

    @cached_property
    def turning(self) -> frozenset[int]:
        """The kinds of pieces that can lie in several orientations; pieces of one cell cannot."""
        several = (place.turn > 0 or place.mirrored for place in self.places)
        return frozenset(kind for kind, turns in zip(self.kinds, several, strict=False) if turns)

    def differs(self, kind: int) -> bool:
        """Whether the places of a kind differ in more than the cell; without a set of pieces, whether any places do."""
        return kind in self.turning if self.kinds else self.has_ways

    @property
    def condition(self) -> str:
        """The name of the definition of the condition on the cells of the roles."""
        return condition_name(self.name)


def condition_name(pattern: str) -> str:
    """The name of the definition of a pattern's condition; no text can contain it."""
    return f"holds in {pattern}"


@frozen
class Score(Clause):
    """A score of the game. A per-player score has a term `of_player` with a local `player`; `value` is its sum over players."""

    value: Term
    of_player: Term | None = None


# Flow ---------------------------------------------------------------------------------------------


@frozen
class Run(Located):
    procedure: str


@frozen
class Repeat(Located):
    until: Term | None
    body: tuple[Flow, ...]


@frozen
class Each(Located):
    """`variable` takes each value of the domain in turn, cyclically from `start`; it is part of the state."""

    variable: str
    domain: Term
    start: Term | None
    where: Term | None
    body: tuple[Flow, ...]


@frozen
class Branch(Located):
    condition: Term
    body: tuple[Flow, ...]
    otherwise: tuple[Flow, ...]


@frozen
class Point(Named):
    body: tuple[Flow, ...]


@frozen
class Choose(Located):
    """`by` is the player who chooses; None if the game has no variable `player`."""

    actions: tuple[str, ...]
    stop: bool
    by: Term | None


Flow = Run | Repeat | Each | Branch | Point | Choose


@frozen
class ExpectedWarning(Located):
    """A warning about an item that a module expects, with the reason why it is harmless."""

    code: str
    name: str
    reason: str
    module: str = ""


@frozen
class Idle(Named):
    """A phase that nothing runs, or a `whenever` that nothing triggers."""

    is_phase: bool


@frozen
class Game:
    """A linked game. Mappings keep the order of the text; every clause knows its span, module and citation.

    `partitions` maps names of partitions to their spaces; `looks_of_roots` names the looks that the roots declare or change.
    `is_kept`: it was read from files, so that what is made of it is worth keeping in the cache.
    """

    modules: tuple[str, ...]
    roots: tuple[str, ...]
    players: Players
    enumerations: dict[str, tuple[str, ...]]
    spaces: dict[str, Space]
    tiles: tuple[TileKind, ...]
    tables: dict[str, Table]
    variables: dict[str, Variable]
    definitions: dict[str, Definition]
    actions: dict[str, Action]
    procedures: dict[str, tuple[EffectClause, ...]]
    flow: tuple[Flow, ...]
    scores: tuple[Score, ...]
    ranking: Ranking | None
    winner: Winner
    invariants: tuple[Requirement, ...]
    looks: dict[str, Look] = field(factory=dict)
    formats: dict[str, Format] = field(factory=dict)
    text: str = ""
    expected: tuple[ExpectedWarning, ...] = field(default=(), eq=False, repr=False)
    limits: Limits = field(default=DEFAULT_LIMITS, eq=False, repr=False)
    patterns: dict[str, Pattern] = field(factory=dict)
    pieces: dict[str, Pieces] = field(factory=dict)
    partitions: dict[str, str] = field(factory=dict)
    idle: tuple[Idle, ...] = field(default=(), eq=False, repr=False)
    looks_of_roots: tuple[str, ...] = field(default=(), eq=False, repr=False)
    is_kept: bool = field(default=False, eq=False, repr=False)

    @cached_property
    def digest(self) -> str:
        """A hash of all that it says."""
        return digest_of(self)

    def tile_number(self, name: str) -> int:
        """The value of a kind of tile by name, 0 if there is none."""
        return next((i for i, kind in enumerate(self.tiles, 1) if kind.name == name), 0)

    def called(self, name: str) -> str:
        """The words for a thing where it is shown: the label of its look, or else its name."""
        look = self.looks.get(name)
        return look.appearance.label or name if look is not None else name

    def members(self, type: Enumeration) -> tuple[str, ...]:
        return self.enumerations[type.name]
