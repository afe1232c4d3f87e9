"""Cached syntax trees of files read before, next to the machine code in the user's cache folder.

Reading a text takes longer than everything else a short command does with it. The key of a tree is its text, the file's name,
the limits, and the files that determine a tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.base.cache import kept
from rulewright.base.limits import Limits
from rulewright.grammar.tree.modules import Module

if TYPE_CHECKING:
    from rulewright.grammar.tree.puzzles import Puzzle

FOLDER = "trees"
"""Below the cache folder, so that many small files do not evict machine code."""

PACKAGES = ("rulewright.base", "rulewright.grammar", "rulewright.rules", "rulewright.puzzles")
"""The packages that make trees of texts, games and positions of trees, and code of games: they share one digest."""

MOST_TREES = 5_000
"""Several times as many as the library has files: studies read all of them in turn, and a smaller cache would have evicted each
before it is read again. A tree takes about six kilobytes."""


def kept_module(text: str, source: str, limits: Limits) -> Module:
    """As `parse_module`, or from the cache. Raises `RulesError` likewise: such a text is read each time."""

    def parse() -> Module:
        from .from_text import parse_module  # and the parser, only for a text that is new

        return parse_module(text, source, limits)

    return kept(FOLDER, PACKAGES, ("module", text, source, repr(limits)), parse, MOST_TREES)


def kept_puzzle(text: str, source: str, limits: Limits) -> Puzzle:
    """As `parse_puzzle`, or from the cache."""

    def parse() -> Puzzle:
        from .from_text import parse_puzzle

        return parse_puzzle(text, source, limits)

    return kept(FOLDER, PACKAGES, ("puzzle", text, source, repr(limits)), parse, MOST_TREES)
