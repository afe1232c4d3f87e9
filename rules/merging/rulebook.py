"""The rulebook: the items of all modules of a game, by kind and name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

from attrs import fields

from rulewright.base.records import define, field
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules

from .item_kinds import ItemKind, Key


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
    formats: dict[str, modules.Format] = field(factory=dict)
    members: dict[tuple[str, str], Span] = field(factory=dict, eq=False)
    dropped: dict[Key, Span] = field(factory=dict, eq=False)

    @property
    def named(self) -> Mapping[ItemKind, dict[str, Any]]:
        """The kinds that may have several items, without vocabularies."""
        rooms = ((kind, getattr(self, kind.room)) for kind in ItemKind if kind.node is not None)
        return {kind: items for kind, items in rooms if isinstance(items, dict)}

    def copy(self) -> Rulebook:
        """A shallow copy, whose items can be replaced."""
        other = copy(self)
        for attribute in fields(Rulebook):
            if isinstance(items := getattr(self, attribute.name), dict):
                setattr(other, attribute.name, dict(items))
        return other

    def get(self, key: Key) -> Any:
        """The tree of an item; None if there is none."""
        room = getattr(self, key.kind.room)
        return room.get(key.name) if isinstance(room, dict) else room

    def put(self, key: Key, item: Any) -> None:
        """Add an item, or replace the one with this key."""
        room = getattr(self, key.kind.room)
        if isinstance(room, dict):
            room[key.name] = item
        else:
            setattr(self, key.kind.room, item)

    def all_keys(self) -> Iterator[Key]:
        """Every item, kind by kind, without vocabularies."""
        for kind in ItemKind:
            room = getattr(self, kind.room) if kind.node is not None else None
            yield from (Key(kind, name) for name in (room if isinstance(room, dict) else () if room is None else ("",)))


_DECLARING = {kind.node: kind for kind in ItemKind if kind.node is not None}


def declared(item: modules.Item) -> Iterator[tuple[Key, Any]]:
    """The items that a node declares: each line of a state block; none for a vocabulary, need, change or drop."""
    for node in item.lines if isinstance(item, modules.State) else (item,):
        if kind := _DECLARING.get(type(node)):
            yield Key(kind, node.label if isinstance(node, modules.Invariant) else getattr(node, "name", "")), node
