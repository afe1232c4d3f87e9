"""The entities that names stand for, and the places of names in a text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from rulewright.base.records import field, frozen
from rulewright.base.rows import Row
from rulewright.base.spans import Span
from rulewright.rules.merging.rulebook import ItemKind


class Namespace(Enum):
    """A name is unique within a namespace and owner."""

    VALUE = "value"  # whatever may stand in an expression: state, definitions, tiles, markers, spaces
    FLOW = "flow"  # procedures, phases, points
    ACTION = "action"
    WHENEVER = "whenever"
    INVARIANT = "invariant"
    CLAUSE = "clause"  # of an item: a requirement, an effect, an exception, a labelled statement
    PARAMETER = "parameter"  # of an item
    COLUMN = "column"  # of a table
    ROLE = "role"  # of a pattern
    LOCAL = "local"  # bound in an expression or by a statement; the owner is the place that binds it
    MODULE = "module"
    PUZZLE = "puzzle"
    CITATION = "citation"  # a clause of a rulebook
    CODE = "code"  # of a diagnostic


@frozen
class Symbol:
    """A name in a namespace; `owner` is the item that contains it, with the enclosing clauses: `worth.mill`."""

    namespace: Namespace
    name: str
    owner: str = ""


class NameKind(Row):
    """The kind of a declared entity, as a word for people, and as the protocol names it: as a symbol, as a completion and as a
    semantic token."""

    MODULE = "module", "Module", "Module", "namespace"
    PUZZLE = "puzzle", "Module", "EnumMember", "namespace"
    ENUM = "enum", "Enum", "Enum", "enum"
    MEMBER = "member", "EnumMember", "EnumMember", "enumMember"
    TERRAIN = "terrain", "EnumMember", "EnumMember", "enumMember"
    MARKER = "marker", "EnumMember", "EnumMember", "enumMember"
    SPACE = "space", "Class", "Class", "class"
    NODE = "node", "EnumMember", "EnumMember", "enumMember"
    PARTITION = "partition", "Function", "Function", "function"
    PATTERN = "pattern", "Class", "EnumMember", "class"
    ROLE = "role", "EnumMember", "EnumMember", "property"
    TILE_SET = "tiles", "Enum", "Enum", "enum"
    TILE = "tile", "EnumMember", "EnumMember", "enumMember"
    TABLE = "table", "Struct", "Struct", "struct"
    COLUMN = "column", "Field", "Field", "property"
    VARIABLE = "state", "Variable", "Variable", "variable"
    DEFINITION = "define", "Function", "Function", "function"
    RULE = "rule", "Function", "Function", "function"
    ACTION = "action", "Method", "Method", "method"
    PROCEDURE = "procedure", "Method", "Method", "method"
    WHENEVER = "whenever", "Event", "EnumMember", "method"
    PHASE = "phase", "Method", "Method", "method"
    POINT = "point", "Event", "EnumMember", "event"
    SCORE = "score", "Number", "Variable", "variable"
    INVARIANT = "invariant", "Boolean", "EnumMember", "function"
    CLAUSE = "clause", "Property", "Property", "decorator"
    PARAMETER = "parameter", "EnumMember", "Variable", "parameter"
    LOCAL = "local", "EnumMember", "Variable", "variable"
    NEED = "needs", "Interface", "EnumMember", "variable"

    symbol: str
    completion: str
    token: str


@frozen
class Occurrence:
    """A name in a text, with the symbols it may stand for, most likely first. `declares` is None for a use.

    `whole` is the span of the declaration with its block.
    """

    span: Span
    may_be: tuple[Symbol, ...]
    declares: NameKind | None = None
    whole: Span | None = None

    @property
    def name(self) -> str:
        return self.may_be[0].name


@frozen
class TextNames:
    """The names of one text, in order. `like` maps each action to the one it is like; `scopes` are the local names visible
    from each line, by the line's offset."""

    occurrences: tuple[Occurrence, ...]
    like: Mapping[str, str] = field(factory=dict)
    scopes: Mapping[int, Scope] = field(factory=dict)

    def at(self, line: int, column: int) -> Occurrence | None:
        """The name at a place, or ending there."""
        on_line = (one for one in self.occurrences if one.span.line == line)
        return next((one for one in on_line if one.span.column <= column <= one.span.end_column), None)


@frozen
class Scope:
    """The scope of a line: local names, the enclosing item with its clauses (`path`), and further candidates.

    `parameters_of` are the items whose parameters are visible; `changes` is whether the line edits an item rather than
    declaring one, `is_flow` whether it belongs to the flow.
    """

    locals: Mapping[str, tuple[Symbol, ...]] = field(factory=dict)
    item: str = ""
    path: str = ""
    parameters_of: tuple[str, ...] = ()
    changes: bool = False
    is_flow: bool = False
    in_pattern: bool = False


NAMESPACES: Mapping[ItemKind, Namespace] = {
    ItemKind.ACTION: Namespace.ACTION,
    ItemKind.PROCEDURE: Namespace.FLOW,
    ItemKind.PHASE: Namespace.FLOW,
    ItemKind.WHENEVER: Namespace.WHENEVER,
    ItemKind.INVARIANT: Namespace.INVARIANT,
}
"""The namespaces of items; other kinds are values."""

OF_ITEMS = (Namespace.VALUE, Namespace.ACTION, Namespace.FLOW, Namespace.WHENEVER, Namespace.INVARIANT)
"""The possible namespaces of an item's name if its kind is not given."""
