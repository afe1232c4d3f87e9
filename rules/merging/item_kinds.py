"""The kinds of item: one row for each, with its keyword, its class in trees, its place in a rulebook, and what holds of it."""

from __future__ import annotations

from enum import Flag, auto

from rulewright.base.records import frozen
from rulewright.base.rows import Row
from rulewright.grammar.tree import modules


class Trait(Flag):
    """What holds of the items of a kind."""

    NONE = 0
    LASTING = auto()
    """They cannot be dropped."""
    SOLE = auto()
    """A game has one: a module that repeats it overrides what it extends."""
    CHANGED = auto()
    """They have parts that can change."""
    CALLED = auto()
    """Their names occur in expressions; no two of these may share a name."""
    RUN = auto()
    """The flow runs them by name; no two of these may share a name."""
    IDLE = auto()
    """They have no effect until something refers to them."""
    SILENT = auto()
    """They affect no action, score or answer."""


LASTING, SOLE, CHANGED, CALLED, RUN, IDLE, SILENT = Trait


class ItemKind(Row):
    """The kinds of item, by the keyword that declares them (a vocabulary's keyword is its own name).

    `node` is their class in trees, None for a vocabulary, and `room` the attribute of a rulebook that holds them.
    """

    VOCABULARY = "vocabulary", None, "vocabularies", LASTING | IDLE
    PLAYERS = "players", modules.Players, "players", LASTING | SOLE
    SPACE = "space", modules.Space, "spaces", CALLED | IDLE
    PARTITION = "partition", modules.Partition, "partitions", CHANGED | CALLED | IDLE
    PATTERN = "pattern", modules.Pattern, "patterns", CHANGED | CALLED | IDLE
    TILES = "tiles", modules.Tiles, "tiles", CHANGED
    PIECES = "pieces", modules.Pieces, "pieces", CHANGED | CALLED
    TABLE = "table", modules.Table, "tables", CHANGED | CALLED | IDLE
    STATE = "state", modules.StateLine, "state", CALLED | IDLE
    DEFINE = "define", modules.Define, "defines", CHANGED | CALLED | IDLE
    ACTION = "action", modules.Action, "actions", CHANGED | IDLE
    PROCEDURE = "procedure", modules.Procedure, "procedures", CHANGED | RUN | IDLE
    RULE = "rule", modules.Rule, "rules", CHANGED | CALLED | IDLE
    WHENEVER = "whenever", modules.Whenever, "whenevers", CHANGED
    PHASE = "phase", modules.Phase, "phases", CHANGED | RUN | IDLE
    FLOW = "flow", modules.Flow, "flow", CHANGED
    SCORE = "score", modules.Score, "scores", CHANGED
    RANK = "rank", modules.Rank, "rank", LASTING | SOLE | SILENT
    WINNER = "winner", modules.Winner, "winner", SOLE
    INVARIANT = "invariant", modules.Invariant, "invariants", CHANGED
    LOOK = "look", modules.Look, "looks", CHANGED
    FORMAT = "format", modules.Format, "formats", SILENT

    node: type | None
    room: str
    traits: Trait

    @classmethod
    def all_that(cls, trait: Trait) -> frozenset[ItemKind]:
        """The kinds of which something holds."""
        return frozenset(kind for kind in cls if trait in kind.traits)


@frozen
class Key:
    """The kind and name of an item."""

    kind: ItemKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind.value} {self.name}".strip()
