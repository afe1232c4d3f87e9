"""Writes out the scores of each player that rules read: each becomes a definition of a player, beside the score."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.grammar.tree import expressions, modules

from .rulebook import Rulebook

_PLAYER = "player"


def score_definition(score: str) -> str:
    """The name of the definition of what a score is for a player; no text can say it."""
    return f"{score} of player"


def write_out_player_scores(book: Rulebook) -> None:
    """Give every score of a player that definitions, actions, procedures or the flow read a definition."""
    own = {name: score for name, score in book.scores.items() if score.index == _PLAYER}
    if not own:
        return
    # What is read in a score comes to this too, once something reads that score.
    pending: list[object] = [book.defines, book.actions, book.procedures, book.whenevers, book.flow, book.patterns]
    while pending:
        for name in _names_in(pending.pop()):
            if name not in own:
                continue
            score = own.pop(name)
            everyone = expressions.Name("players", span=score.span)
            parameters = (modules.Parameter(_PLAYER, everyone, span=score.span),)
            definition = score_definition(name)
            book.defines[definition] = modules.Define(definition, parameters, score.value, cite=score.cite, span=score.span)
            pending.append(score.value)


def _names_in(items: object) -> Iterator[str]:
    """Every name that stands before `of`. Iterative, as trees may be deep."""
    pending: list[object] = [items]
    found: dict[str, None] = {}
    while pending:
        here = pending.pop()
        if isinstance(here, expressions.Subscript):
            found[here.name] = None
        if isinstance(here, dict):
            pending += here.values()
        elif isinstance(here, tuple | list):
            pending += here
        elif hasattr(here, "__attrs_attrs__"):
            pending += [getattr(here, a.name) for a in here.__attrs_attrs__ if a.name != "span"]
    return iter(found)
