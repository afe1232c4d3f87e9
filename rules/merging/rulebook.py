"""Everything that the modules of a game say, by kind and name: what linking reads, and what clauses are listed of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from enum import Enum
from typing import Any

from attrs import field, fields

from rulewright.base.records import define, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules


class ItemKind(Enum):
    """The kinds of item, by the word that declares them; a vocabulary is declared by its own name."""

    VOCABULARY = "vocabulary"
    PLAYERS = "players"
    SPACE = "space"
    PARTITION = "partition"
    TILES = "tiles"
    TABLE = "table"
    STATE = "state"
    DEFINE = "define"
    ACTION = "action"
    PROCEDURE = "procedure"
    FLOW = "flow"
    SCORE = "score"
    RANK = "rank"
    INVARIANT = "invariant"


K = ItemKind

UNDROPPED = frozenset({K.VOCABULARY, K.PLAYERS, K.RANK})
"""The kinds of item that cannot be dropped."""

ONCE = frozenset({K.PLAYERS, K.RANK})
"""What a game has once: a module that says it again overrides what it extends."""

CHANGED = frozenset({K.PARTITION, K.TILES, K.TABLE, K.DEFINE, K.ACTION, K.PROCEDURE, K.FLOW, K.SCORE, K.INVARIANT})
"""The kinds of item that have parts to change."""

CALLED = frozenset({K.SPACE, K.PARTITION, K.TABLE, K.STATE, K.DEFINE})
"""The kinds of item whose names stand in expressions: no two of these may have one name."""


@frozen
class Key:
    """What an item is and how it is called."""

    kind: ItemKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind.value} {self.name}".strip()


@define
class Rulebook:
    """The items of all modules by name, in linking order.

    `members` says where each word of a vocabulary is declared; `dropped` are the items that no module declares any more.
    """

    vocabularies: dict[str, modules.Vocabulary] = field(factory=dict)
    players: modules.Players | None = None
    spaces: dict[str, modules.Space] = field(factory=dict)
    partitions: dict[str, modules.Partition] = field(factory=dict)
    tiles: dict[str, modules.Tiles] = field(factory=dict)
    tables: dict[str, modules.Table] = field(factory=dict)
    state: dict[str, modules.StateLine] = field(factory=dict)
    defines: dict[str, modules.Define] = field(factory=dict)
    actions: dict[str, modules.Action] = field(factory=dict)
    procedures: dict[str, modules.Procedure] = field(factory=dict)
    flow: modules.Flow | None = None
    scores: dict[str, modules.Score] = field(factory=dict)
    rank: modules.Rank | None = None
    invariants: dict[str, modules.Invariant] = field(factory=dict)
    members: dict[tuple[str, str], Span] = field(factory=dict, eq=False)
    dropped: dict[Key, Span] = field(factory=dict, eq=False)

    @property
    def named(self) -> Mapping[ItemKind, dict[str, Any]]:
        """The kinds of which there may be several items."""
        return {
            K.SPACE: self.spaces,
            K.PARTITION: self.partitions,
            K.TILES: self.tiles,
            K.TABLE: self.tables,
            K.STATE: self.state,
            K.DEFINE: self.defines,
            K.ACTION: self.actions,
            K.PROCEDURE: self.procedures,
            K.SCORE: self.scores,
            K.INVARIANT: self.invariants,
        }

    def copy(self) -> Rulebook:
        """Another rulebook with the same items, so that items can be put in it."""
        other = copy(self)
        for attribute in fields(Rulebook):
            if isinstance(items := getattr(self, attribute.name), dict):
                setattr(other, attribute.name, dict(items))
        return other

    def get(self, key: Key) -> Any:
        """The tree of an item; None when there is none."""
        if key.kind in self.named:
            return self.named[key.kind].get(key.name)
        return {K.PLAYERS: self.players, K.FLOW: self.flow, K.RANK: self.rank}[key.kind]

    def put(self, key: Key, item: Any) -> None:
        """Take an item up, or put it in the place of another."""
        if key.kind in self.named:
            self.named[key.kind][key.name] = item
        elif key.kind is K.PLAYERS:
            self.players = item
        elif key.kind is K.FLOW:
            self.flow = item
        else:
            self.rank = item

    def all_keys(self) -> Iterator[Key]:
        """Every item, kind by kind."""
        for kind in ItemKind:
            if kind is K.VOCABULARY:
                continue
            if kind in self.named:
                yield from (Key(kind, name) for name in self.named[kind])
            elif self.get(Key(kind)) is not None:
                yield Key(kind)


def declared(item: modules.Item) -> Iterator[tuple[Key, Any]]:
    """What an item declares: a state block each of its lines, others themselves; a vocabulary, need, change or drop nothing."""
    match item:
        case modules.State(lines):
            yield from ((Key(K.STATE, line.name), line) for line in lines)
        case modules.Space(name):
            yield Key(K.SPACE, name), item
        case modules.Partition(name):
            yield Key(K.PARTITION, name), item
        case modules.Tiles(name):
            yield Key(K.TILES, name), item
        case modules.Table(name):
            yield Key(K.TABLE, name), item
        case modules.Define(name):
            yield Key(K.DEFINE, name), item
        case modules.Action(name):
            yield Key(K.ACTION, name), item
        case modules.Procedure(name):
            yield Key(K.PROCEDURE, name), item
        case modules.Score(name):
            yield Key(K.SCORE, name), item
        case modules.Invariant(name):
            yield Key(K.INVARIANT, name), item
        case modules.Flow():
            yield Key(K.FLOW), item
        case modules.Players():
            yield Key(K.PLAYERS), item
        case modules.Rank():
            yield Key(K.RANK), item
        case modules.NeededSpace() | modules.NeededDefinition() | modules.NeededVariable() | modules.NeededNames():
            pass
        case modules.Vocabulary() | modules.Change() | modules.DropItem():
            pass
