"""Rules in the order of a rulebook: chapters of items with their clauses, and what a variant changed in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree import modules
from rulewright.grammar.tree.statements import Choose, Do, Run
from rulewright.grammar.tree.traversal import nodes_in
from rulewright.rules.clauses.clause_text import Clause, clause_of, text_of
from rulewright.rules.clauses.decompose import Part, Parts, parts_of
from rulewright.rules.linking.project import Combination
from rulewright.rules.merging.rulebook import ItemKind, Key, Rulebook


class Mark(Enum):
    """What a variant did to a clause."""

    SAME = ""
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"


@frozen
class Passage:
    """A clause as a rulebook tells it; `old` is what a variant replaced, if it replaced anything."""

    clause: Clause
    mark: Mark = Mark.SAME
    old: Part | None = None

    @property
    def before(self) -> str:
        """The text of what a variant replaced."""
        return "" if self.old is None else text_of(self.old)


@frozen
class Section:
    """An item, and the clauses in it."""

    key: Key
    head: Passage
    passages: tuple[Passage, ...]

    @property
    def all_passages(self) -> tuple[Passage, ...]:
        return (self.head, *self.passages)

    @property
    def is_touched(self) -> bool:
        """Whether a variant changed anything of it."""
        return any(passage.mark is not Mark.SAME for passage in self.all_passages)


@frozen
class Chapter:
    """Items of a few kinds, under a title."""

    title: str
    sections: tuple[Section, ...]


CHAPTERS: Mapping[str, tuple[ItemKind, ...]] = {
    "What is in the box": (ItemKind.TILES, ItemKind.PIECES, ItemKind.TABLE),
    "The board": (ItemKind.SPACE,),
    "The course of play": (ItemKind.FLOW, ItemKind.PHASE, ItemKind.PROCEDURE),
    "What you may do": (ItemKind.ACTION,),
    "What follows by itself": (ItemKind.WHENEVER,),
    "What the words mean": (ItemKind.DEFINE, ItemKind.RULE, ItemKind.PATTERN, ItemKind.PARTITION),
    "Scoring and winning": (ItemKind.SCORE, ItemKind.WINNER, ItemKind.RANK),
    "What always holds": (ItemKind.INVARIANT,),
}
"""The kinds of item that each chapter tells. What is left out (state, looks, formats) a reader sees in the pictures."""


def chapters_of(game: Combination, base: Combination) -> tuple[Chapter, ...]:
    """The chapters of a game that have sections; the clauses that differ from those of `base` are marked."""
    now, before = parts_of(game.book), parts_of(base.book)
    sections = {key: _section(key, game, now, base, before) for key in _keys(now, before)}
    found = ((title, [sections[key] for key in sections if key.kind in kinds]) for title, kinds in CHAPTERS.items())
    turns = _in_turn(game.book)

    def rank(section: Section) -> tuple[int, int]:
        kind, name = section.key.kind, section.key.name
        return (turns[name], 0) if name in turns else (len(turns), list(ItemKind).index(kind))

    return tuple(Chapter(title, tuple(sorted(told, key=rank))) for title, told in found if told)


def _in_turn(book: Rulebook) -> Mapping[str, int]:
    """The phases, procedures and actions by when the course of play comes to them."""
    order: dict[str, int] = {"": 0}

    def visit(*items: object) -> None:
        for node in reversed(nodes_in(*items)):
            for name in node.actions if isinstance(node, Choose) else [node.procedure] if isinstance(node, Run | Do) else []:
                if name not in order:
                    order[name] = len(order)
                    visit(book.procedures.get(name), book.phases.get(name), book.actions.get(name))

    visit(book.flow)
    return order


def _keys(now: Parts, before: Parts) -> dict[Key, None]:
    """Every item but templates, which are never played; those that a variant dropped come last."""
    heads = [(place.key, part) for parts in (now, before) for place, part in parts.items() if not place.path]
    return {key: None for key, part in heads if not (isinstance(part, modules.Action) and part.base)}


def _section(key: Key, game: Combination, now: Parts, base: Combination, before: Parts) -> Section:
    head, *others = _passages(key, game, now, base, before)
    if head.mark is Mark.NEW:
        others = [evolve(passage, mark=Mark.SAME) for passage in others]  # the whole is marked
    return Section(key, head, tuple(others))


def _passages(key: Key, game: Combination, now: Parts, base: Combination, before: Parts) -> Iterator[Passage]:
    """The clauses of an item in their order, then those that it has no longer."""
    for place, part in _of(key, now).items():
        clause, old = clause_of(place, part, game.family), before.get(place)
        if old is None:
            yield Passage(clause, Mark.NEW)
        elif old != part:
            yield Passage(clause, Mark.CHANGED, old)
        else:
            yield Passage(clause)
    for place, part in _of(key, before).items():
        if place not in now:
            yield Passage(clause_of(place, part, base.family), Mark.GONE)


def _of(key: Key, parts: Parts) -> Parts:
    return {place: part for place, part in parts.items() if place.key == key}
