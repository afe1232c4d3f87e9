"""The tree of `needs`: names that a partial game uses and leaves to the extending module to declare."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Named

from .declarations import Parameter, Shape, StateLine, TruthType, WrittenType


@frozen
class NeededSpace(Named):
    """`needs space board: square grid of tiles`; `shape` is None if any shape will do."""

    shape: Shape | None = None
    of_tiles: bool = False
    turned: bool = False


@frozen
class NeededDefinition(Named):
    """`needs define outside(c in board): truth`"""

    parameters: tuple[Parameter, ...]
    type: WrittenType


@frozen
class NeededRule(Named):
    """`needs rule room(c in board)`"""

    parameters: tuple[Parameter, ...]

    @property
    def type(self) -> WrittenType:
        """The type of a rule's value."""
        return TruthType()


@frozen
class NeededPattern(Named):
    """`needs pattern arch in shore: pillar, free`: a pattern in a space, with at least these roles."""

    space: str
    roles: tuple[str, ...] = ()


@frozen
class NeededPieces(Named):
    """`needs pieces ships of player in sea: hull, bow`: pieces in a space, whose drawings have at least these roles."""

    space: str
    owned: bool = False
    roles: tuple[str, ...] = ()


@frozen
class NeededVariable(Located):
    """`needs state tokens of player: 0..9`"""

    line: StateLine

    @property
    def name(self) -> str:
        return self.line.name


class NameKind(Enum):
    """What is needed by name alone, by the keyword that declares it; a flow has no name."""

    TILE = "tile"
    TILES = "tiles"
    ENUM = "enum"
    PROCEDURE = "procedure"
    PHASE = "phase"
    ACTION = "action"
    FLOW = "flow"


@frozen
class NeededNames(Located):
    """`needs tile peg, rim`, `needs procedure set_up`"""

    kind: NameKind
    names: tuple[str, ...] = ()


Need = NeededSpace | NeededDefinition | NeededRule | NeededPattern | NeededPieces | NeededVariable | NeededNames
