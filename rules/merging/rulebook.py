"""The rulebook: the items of all modules of a game, by kind and name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from enum import Enum
from typing import Any

from attrs import fields

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules


class ItemKind(Enum):
    """The kinds of item, by the keyword that declares them; a vocabulary's keyword is its own name."""

    VOCABULARY = "vocabulary"
    PLAYERS = "players"
    SPACE = "space"
    PARTITION = "partition"
    PATTERN = "pattern"
    TILES = "tiles"
    PIECES = "pieces"
    TABLE = "table"
    STATE = "state"
    DEFINE = "define"
    ACTION = "action"
    PROCEDURE = "procedure"
    RULE = "rule"
    WHENEVER = "whenever"
    PHASE = "phase"
    FLOW = "flow"
    SCORE = "score"
    RANK = "rank"
    WINNER = "winner"
    INVARIANT = "invariant"
    LOOK = "look"


UNDROPPED = frozenset({ItemKind.VOCABULARY, ItemKind.PLAYERS, ItemKind.RANK})
"""The kinds of item that cannot be dropped."""

ONCE = frozenset({ItemKind.PLAYERS, ItemKind.RANK, ItemKind.WINNER})
"""The items that a game has once: a module that repeats one overrides what it extends."""

CHANGED = frozenset(
    {
        ItemKind.PARTITION,
        ItemKind.PATTERN,
        ItemKind.TILES,
        ItemKind.PIECES,
        ItemKind.TABLE,
        ItemKind.DEFINE,
        ItemKind.ACTION,
        ItemKind.PROCEDURE,
        ItemKind.RULE,
        ItemKind.WHENEVER,
        ItemKind.PHASE,
        ItemKind.FLOW,
        ItemKind.SCORE,
        ItemKind.INVARIANT,
        ItemKind.LOOK,
    }
)
"""The kinds of item with parts that can change."""

CALLED = frozenset(
    {
        ItemKind.SPACE,
        ItemKind.PARTITION,
        ItemKind.PATTERN,
        ItemKind.PIECES,
        ItemKind.TABLE,
        ItemKind.STATE,
        ItemKind.DEFINE,
        ItemKind.RULE,
    }
)
"""The kinds of item whose names occur in expressions; no two of these may share a name."""

RUN = frozenset({ItemKind.PROCEDURE, ItemKind.PHASE})
"""The kinds of item that the flow runs by name; no two of these may share a name."""


@frozen
class Key:
    """The kind and name of an item."""

    kind: ItemKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind.value} {self.name}".strip()


@define
class Rulebook:
    """The items of all modules by name, in linking order.

    `members` gives the declaration of each word of a vocabulary; `dropped` are the items that no module declares any longer.
    """

    vocabularies: dict[str, modules.Vocabulary] = field(factory=dict)
    players: modules.Players | None = None
    spaces: dict[str, modules.Space] = field(factory=dict)
    partitions: dict[str, modules.Partition] = field(factory=dict)
    patterns: dict[str, modules.Pattern] = field(factory=dict)
    tiles: dict[str, modules.Tiles] = field(factory=dict)
    pieces: dict[str, modules.Pieces] = field(factory=dict)
    tables: dict[str, modules.Table] = field(factory=dict)
    state: dict[str, modules.StateLine] = field(factory=dict)
    defines: dict[str, modules.Define] = field(factory=dict)
    actions: dict[str, modules.Action] = field(factory=dict)
    procedures: dict[str, modules.Procedure] = field(factory=dict)
    rules: dict[str, modules.Rule] = field(factory=dict)
    whenevers: dict[str, modules.Whenever] = field(factory=dict)
    phases: dict[str, modules.Phase] = field(factory=dict)
    flow: modules.Flow | None = None
    scores: dict[str, modules.Score] = field(factory=dict)
    rank: modules.Rank | None = None
    winner: modules.Winner | None = None
    invariants: dict[str, modules.Invariant] = field(factory=dict)
    looks: dict[str, modules.Look] = field(factory=dict)
    members: dict[tuple[str, str], Span] = field(factory=dict, eq=False)
    dropped: dict[Key, Span] = field(factory=dict, eq=False)

    @property
    def named(self) -> Mapping[ItemKind, dict[str, Any]]:
        """The kinds that may have several items."""
        return {
            ItemKind.SPACE: self.spaces,
            ItemKind.PARTITION: self.partitions,
            ItemKind.PATTERN: self.patterns,
            ItemKind.TILES: self.tiles,
            ItemKind.PIECES: self.pieces,
            ItemKind.TABLE: self.tables,
            ItemKind.STATE: self.state,
            ItemKind.DEFINE: self.defines,
            ItemKind.ACTION: self.actions,
            ItemKind.PROCEDURE: self.procedures,
            ItemKind.RULE: self.rules,
            ItemKind.WHENEVER: self.whenevers,
            ItemKind.PHASE: self.phases,
            ItemKind.SCORE: self.scores,
            ItemKind.INVARIANT: self.invariants,
            ItemKind.LOOK: self.looks,
        }

    def copy(self) -> Rulebook:
        """A shallow copy, whose items can be replaced."""
        other = copy(self)
        for attribute in fields(Rulebook):
            if isinstance(items := getattr(self, attribute.name), dict):
                setattr(other, attribute.name, dict(items))
        return other

    def get(self, key: Key) -> Any:
        """The tree of an item; None if there is none."""
        if key.kind in self.named:
            return self.named[key.kind].get(key.name)
        once = {
            ItemKind.PLAYERS: self.players,
            ItemKind.FLOW: self.flow,
            ItemKind.RANK: self.rank,
            ItemKind.WINNER: self.winner,
        }
        return once[key.kind]

    def put(self, key: Key, item: Any) -> None:
        """Add an item, or replace the one with this key."""
        if key.kind in self.named:
            self.named[key.kind][key.name] = item
        elif key.kind is ItemKind.PLAYERS:
            self.players = item
        elif key.kind is ItemKind.FLOW:
            self.flow = item
        elif key.kind is ItemKind.WINNER:
            self.winner = item
        else:
            self.rank = item

    def all_keys(self) -> Iterator[Key]:
        """Every item, kind by kind."""
        for kind in ItemKind:
            if kind is ItemKind.VOCABULARY:
                continue
            if kind in self.named:
                yield from (Key(kind, name) for name in self.named[kind])
            elif self.get(Key(kind)) is not None:
                yield Key(kind)


_DECLARING: Mapping[type, ItemKind] = {
    modules.Players: ItemKind.PLAYERS,
    modules.Space: ItemKind.SPACE,
    modules.Partition: ItemKind.PARTITION,
    modules.Pattern: ItemKind.PATTERN,
    modules.Tiles: ItemKind.TILES,
    modules.Pieces: ItemKind.PIECES,
    modules.Table: ItemKind.TABLE,
    modules.StateLine: ItemKind.STATE,
    modules.Define: ItemKind.DEFINE,
    modules.Action: ItemKind.ACTION,
    modules.Procedure: ItemKind.PROCEDURE,
    modules.Rule: ItemKind.RULE,
    modules.Whenever: ItemKind.WHENEVER,
    modules.Phase: ItemKind.PHASE,
    modules.Flow: ItemKind.FLOW,
    modules.Score: ItemKind.SCORE,
    modules.Rank: ItemKind.RANK,
    modules.Winner: ItemKind.WINNER,
    modules.Invariant: ItemKind.INVARIANT,
    modules.Look: ItemKind.LOOK,
}


def declared(item: modules.Item) -> Iterator[tuple[Key, Any]]:
    """The items that a node declares: each line of a state block; none for a vocabulary, need, change or drop."""
    for node in item.lines if isinstance(item, modules.State) else (item,):
        if kind := _DECLARING.get(type(node)):
            yield Key(kind, node.label if isinstance(node, modules.Invariant) else getattr(node, "name", "")), node
