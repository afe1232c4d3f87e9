"""Cached syntax trees of files read before, next to the machine code in the user's cache folder.

Reading a text takes longer than everything else a short command does with it. The key of a tree is its text, the file's name,
the limits, and the files of this package that determine a tree. A tree is stored as a pickle and trusted as machine code is:
only if its own hash is right and nobody but the user can have written it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rulewright import __version__
from rulewright.base import records, spans
from rulewright.base.limits import Limits
from rulewright.grammar.tree.modules import Module
from rulewright.subset import code_cache

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
    cache_folder = code_cache.cache_folder()
    if cache_folder is None:
        return parse()
    folder = cache_folder / FOLDER
    name = code_cache.name_of((kind, text, source, repr(limits), _grammar()))
    if found := code_cache.recall(folder, name):
        tree: Node = pickle.loads(found.object)
        return tree
    tree = parse()
    try:
        content = pickle.dumps(tree, pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # nested deeper than pickle can follow
        return tree
    code_cache.keep(folder, name, code_cache.Code(content, {}), MOST_TREES)
    return tree


@cache
def _grammar() -> str:
    """Everything that determines a tree: the version, and for developers the state of each file of this package, of
    records and of spans."""
    room = Path(__file__).parent
    files = (
        Path(records.__file__),
        Path(spans.__file__),
        *sorted(path for suffix in ("py", "json") for path in room.rglob(f"*.{suffix}")),
    )
    states = (path.stat() for path in files)
    return " ".join((__version__, *(f"{state.st_size}:{state.st_mtime_ns}" for state in states)))
