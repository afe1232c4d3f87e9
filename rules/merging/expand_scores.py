"""Expands the scores that rules read: each becomes a definition beside the score, for a player or for the whole game."""

from __future__ import annotations

from rulewright.grammar.tree import expressions, modules, statements
from rulewright.grammar.tree.traversal import nodes_in

from .item_kinds import ItemKind, Trait
from .rulebook import Rulebook

_PLAYER = "player"

ALL = "score"
"""The name of the sum of all scores."""


def score_definition(score: str) -> str:
    """The name of the definition of a player's score; no text can contain it."""
    return f"{score} of player"


def total_definition(score: str) -> str:
    """The name of the definition of a score's contribution to the game's score; no text can contain it."""
    return f"score {score}"


def write_out_scores(book: Rulebook) -> None:
    """Add a definition for every score that definitions, actions, procedures or the flow read.

    A name that also denotes something else, or that is bound anywhere, does not count as a score.
    """
    own = ((name, score) for name, score in book.scores.items() if score.index == _PLAYER)
    of_player = {name: score for name, score in own if name not in book.state}
    if not book.scores:
        return
    named = {name: _total(score) for name, score in book.scores.items()}
    named.setdefault(ALL, _sum_of([*named.values()]))
    for name in _otherwise_called(book):
        named.pop(name, None)
    # A score that is read becomes a definition too, and may read further scores.
    pending: list[object] = [book.defines, book.actions, book.procedures, book.whenevers, book.flow, book.patterns]
    names, owned = _names_in(book.invariants)[0], list[str]()  # invariants resolve the scores of players themselves
    while True:
        found = [_write_out(book, of_player.pop(name), score_definition(name)) for name in owned if name in of_player]
        found += [_write_out(book, named.pop(name), total_definition(name)) for name in names if name in named]
        pending += found
        if not pending:
            return
        names, owned = _names_in(pending.pop())


def _write_out(book: Rulebook, score: modules.Score, name: str) -> expressions.Expression:
    everyone = expressions.Name("players", span=score.span)
    parameters = (modules.Parameter(_PLAYER, everyone, span=score.span),) if score.index else ()
    book.defines[name] = modules.Define(name, parameters, score.value, cite=score.cite, span=score.span)
    return score.value


def _total(score: modules.Score) -> modules.Score:
    """A score's contribution to the game's score; a per-player score is summed."""
    if score.index != _PLAYER:
        return score
    span = score.span
    of_one = expressions.Subscript(score.name, expressions.Name(_PLAYER, span=span), span=span)
    everyone = expressions.Binder(_PLAYER, expressions.Name("players", span=span), span=span)
    total = expressions.Sum(of_one, everyone, span=span)
    return modules.Score(score.name, total, cite=score.cite, span=span)


def _sum_of(scores: list[modules.Score]) -> modules.Score:
    """The score of the game."""
    first, *others = scores
    rest = tuple((expressions.Operator.PLUS, other.value) for other in others)
    return modules.Score(
        ALL, expressions.Arithmetic(first.value, rest, span=first.span) if rest else first.value, span=first.span
    )


def _otherwise_called(book: Rulebook) -> set[str]:
    """The names of other things than scores, and those that are bound anywhere."""
    found = {name for kind in ItemKind.all_that(Trait.CALLED) for name in book.named[kind]} | {word for _, word in book.members}
    found |= {line.name for tiles in book.tiles.values() for line in tiles.lines}
    found |= {line.name for pieces in book.pieces.values() for line in pieces.lines}
    for node in nodes_in([*book.named.values(), book.flow]):
        match node:
            case (
                expressions.Binder(name) | expressions.Let(name) | statements.Let(name) | modules.Parameter(name)
                | statements.Each(name) | expressions.Closure(origin=name)
            ):  # fmt: skip
                found.add(name)
            case _:
                pass
    return found


def _names_in(items: object) -> tuple[list[str], list[str]]:
    """Every name that stands alone, and every name before `of`."""
    nodes = nodes_in(items)
    alone = {node.text: None for node in nodes if isinstance(node, expressions.Name)}
    owned = {node.name: None for node in nodes if isinstance(node, expressions.Subscript)}
    return [*alone], [*owned]
