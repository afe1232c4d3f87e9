"""Entry point of the grammar: text to tree, or a `RulesError` with every error of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.base.diagnostics import Sink
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.grammar.parsing.assemble_modules import ModuleAssembler
from rulewright.grammar.parsing.lines import SourceText, blocks_of, read_source
from rulewright.grammar.parsing.read_modules import ModuleBuilder
from rulewright.grammar.tree.modules import Module

from .editions import EDITIONS

if TYPE_CHECKING:
    from rulewright.grammar.tree.puzzles import Puzzle


def parse_module(text: str, source: str, limits: Limits = DEFAULT_LIMITS, head: str = "") -> Module:
    """The tree of a `*.rules` file; spans carry the name `source`. Raises `RulesError`.

    A `head` stands above the text; the lines are counted from below it.
    """
    sink = Sink()
    code = _source(head + text, source, sink, limits, 1 - head.count("\n"))
    lines = blocks_of(code, sink, limits)
    module = ModuleAssembler(code, sink, limits, ModuleBuilder(code, sink, limits)).module(lines)
    sink.stop()
    assert module is not None
    return module


def parse_puzzle(text: str, source: str, limits: Limits = DEFAULT_LIMITS) -> Puzzle:
    """The tree of a `*.puzzle` file. Raises `RulesError`."""
    from rulewright.grammar.parsing.assemble_puzzles import PuzzleAssembler
    from rulewright.grammar.parsing.read_puzzles import PuzzleBuilder

    sink = Sink()
    code = _source(text, source, sink, limits)
    lines = blocks_of(code, sink, limits, drawings=True)
    puzzle = PuzzleAssembler(code, sink, limits, PuzzleBuilder(code, sink, limits)).puzzle(lines)
    sink.stop()
    assert puzzle is not None
    return puzzle


def _source(text: str, name: str, sink: Sink, limits: Limits, first_line: int = 1) -> SourceText:
    """The text, if it is of this edition and can be examined line by line."""
    EDITIONS.require_current(text, name)
    source = read_source(text, name, sink, limits, first_line)
    sink.stop()
    assert source is not None
    return source
