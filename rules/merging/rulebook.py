"""The rulebook: the items of all modules of a game, by kind and name; a row for each kind, and the order of modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from enum import Flag, auto
from itertools import pairwise
from typing import Any

from attrs import fields

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import define, field, frozen
from rulewright.base.rows import Row
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules
from rulewright.grammar.tree.modules import Module

# The kinds of item ----------------------------------------------------------------------------------------------------
# One row for each, with its keyword, its class in trees, its place in a rulebook, and what holds of it.


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


# A topological order of modules by `extends` --------------------------------------------------------------------------
# Independent of the command line.


@frozen
class Family:
    """Modules in linking order (each after all that it extends), with the transitive closure of `extends`."""

    modules: tuple[Module, ...]
    ancestors: Mapping[str, frozenset[str]]
    limits: Limits = DEFAULT_LIMITS

    def related(self, one: str, other: str) -> bool:
        """Whether one module extends the other, directly or indirectly."""
        return one in self.ancestors[other] or other in self.ancestors[one]

    def name_of(self, source: str) -> str:
        """The name of the module in a file."""
        return next((m.header.name for m in self.modules if m.header.span.source == source), "")


def order(modules: Mapping[str, Module], sink: Sink) -> Family:
    """Sort modules so that each comes after what it extends, ties by name. Reports RW100 and RW101."""
    extends = {name: [n for n, _ in module.header.extends] for name, module in modules.items()}
    for module in modules.values():
        for name, span in module.header.extends:
            if name not in modules:
                sink.error("RW100", f"there is no module `{name}`", span, help=suggest(name, set(modules)))
    sink.stop()
    ancestors: dict[str, frozenset[str]] = {}
    ordered: list[Module] = []
    waiting = sorted(modules)
    while waiting:
        ready = [n for n in waiting if all(e in ancestors for e in extends[n])]
        if not ready:
            _report_cycle(modules, extends, waiting, sink)
            sink.stop()
        name = ready[0]
        waiting.remove(name)
        ancestors[name] = frozenset(extends[name]).union(*(ancestors[e] for e in extends[name]))
        ordered.append(modules[name])
    return Family(tuple(ordered), ancestors)


def _report_cycle(modules: Mapping[str, Module], extends: Mapping[str, list[str]], waiting: list[str], sink: Sink) -> None:
    path = [waiting[0]]
    while path.count(path[-1]) == 1:
        path.append(next(e for e in extends[path[-1]] if e in waiting))
    cycle = path[path.index(path[-1]) :]
    places = [span for name, other in pairwise(cycle)
              for e, span in modules[name].header.extends if e == other]  # fmt: skip
    sink.error(
        "RW101",
        "these modules extend each other: " + " -> ".join(f"`{n}`" for n in cycle),
        places[0],
        *(Label(span, "and here") for span in places[1:]),
        help="remove one `extends`, or move the shared items to a third module",
    )


# The rulebook: the items of all modules of a game, by kind and name ---------------------------------------------------


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
