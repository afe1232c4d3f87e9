"""Cached syntax trees of files read before, next to the machine code in the user's cache folder.

Reading a text takes longer than everything else a short command does with it. The key of a tree is its text, the file's name,
the limits, and the files that determine a tree. A tree is stored as a pickle, which is read only once its signature holds.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from rulewright.base.cache import Cache
from rulewright.base.limits import Limits
from rulewright.base.version import __version__
from rulewright.grammar.tree.modules import Module

if TYPE_CHECKING:
    from rulewright.grammar.tree.puzzles import Puzzle

FOLDER = "trees"
"""Below the cache folder, so that many small files do not evict machine code."""

MOST_TREES = 5_000
"""Several times as many as the library has files: studies read all of them in turn, and a smaller cache would have evicted each
before it is read again. A tree takes about six kilobytes."""

Node = TypeVar("Node")


def kept_module(text: str, source: str, limits: Limits) -> Module:
    """As `parse_module`, or from the cache. Raises `RulesError` likewise: errors are not cached, so such a text is read each
    time."""

    def parse() -> Module:
        from .from_text import parse_module  # and the parser, only for a text that is new

        return parse_module(text, source, limits)

    return _kept("module", text, source, limits, parse)


def kept_puzzle(text: str, source: str, limits: Limits) -> Puzzle:
    """As `parse_puzzle`, or from the cache."""

    def parse() -> Puzzle:
        from .from_text import parse_puzzle

        return parse_puzzle(text, source, limits)

    return _kept("puzzle", text, source, limits, parse)


def _kept(kind: str, text: str, source: str, limits: Limits, parse: Callable[[], Node]) -> Node:
    """A tree from the cache; otherwise it is parsed, and cached if possible."""
    cache = Cache.opened(FOLDER, "rulewright.grammar", "rulewright.base")
    if cache is None:
        return parse()
    name = cache.name((kind, text, source, repr(limits), __version__))
    if found := cache.recall(name):
        tree: Node = pickle.loads(found)
        return tree
    tree = parse()
    try:
        content = pickle.dumps(tree, pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # nested deeper than pickle can follow
        return tree
    cache.keep(name, content, MOST_TREES)
    return tree
