"""Error-tolerant reading: the tree of a text without the lines that cannot be read, and those lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import Diagnostic, RulesError, Sink
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import evolve, field, frozen
from rulewright.grammar.editions import EDITIONS
from rulewright.grammar.parsing.assemble_blocks import Assembler, LineParser, ReadLine
from rulewright.grammar.parsing.assemble_modules import ModuleAssembler
from rulewright.grammar.parsing.lalr import parse
from rulewright.grammar.parsing.lines import LogicalLine, SourceText, blocks_of, read_source
from rulewright.grammar.parsing.node_builder import BuiltLines
from rulewright.grammar.parsing.read_modules import ModuleBuilder
from rulewright.grammar.tree.modules import Module
from rulewright.grammar.tree.puzzles import Puzzle

if TYPE_CHECKING:
    from rulewright.grammar.parsing.assemble_puzzles import PuzzleAssembler


@frozen(eq=False)
class Reading:
    """A text as far as it could be read. Readings are equal only if they are the same object.

    `roots` are the unindented lines, `lines` those examined, by offset; `tree` omits the parts that `diagnostics` are about,
    and is None if the head of the text could not be read. `built` lets the next version of the text reuse nodes.
    """

    source: SourceText
    roots: tuple[LogicalLine, ...] = ()
    lines: Mapping[int, ReadLine] = field(factory=dict)
    tree: Module | Puzzle | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    built: BuiltLines = field(factory=dict, repr=False)

    @property
    def is_whole(self) -> bool:
        """Whether the tree contains the whole text."""
        return self.tree is not None and not self._errors

    @property
    def _errors(self) -> tuple[Diagnostic, ...]:
        return tuple(diagnostic for diagnostic in self.diagnostics if not diagnostic.warning)

    def refuse_errors(self) -> None:
        """Raise `RulesError` if there are errors."""
        if self._errors:
            raise RulesError(self._errors)

    def behind(self, before: Reading) -> Reading:
        """This reading, with the tree of `before` if they differ only in comments and blanks at the ends of lines.

        Everything derived from that tree then remains valid, including positions.
        """
        if self.diagnostics or before.diagnostics or _words(self.source) != _words(before.source):
            return self
        return evolve(self, tree=before.tree)

    def says_what(self, other: Reading) -> bool:
        """Whether another reading is this one or shares its tree."""
        return self is other or (self.tree is not None and self.tree is other.tree)


def read_tolerantly(
    text: str, name: str, limits: Limits = DEFAULT_LIMITS, parse_line: LineParser = parse, before: BuiltLines | None = None
) -> Reading:
    """The readable part of a text, a puzzle if `name` ends in `.puzzle`. Raises no error.

    `parse_line` may return the same parse tree for the same line again; lines of `before` are then not built again.
    """
    sink = Sink()
    source = SourceText(name, text, text, ())
    roots: list[LogicalLine] = []
    assembler: Assembler | None = None
    tree: Module | Puzzle | None = None
    try:
        EDITIONS.require_current(text, name)
    except RulesError as error:
        return Reading(source, diagnostics=error.diagnostics)
    try:
        found = read_source(text, name, sink, limits)
        if found is None:
            return Reading(source, diagnostics=tuple(sink))
        source, refused = found, _lines_of(sink.diagnostics)
        is_puzzle = name.endswith(".puzzle")
        roots = blocks_of(source, sink, limits, drawings=is_puzzle)
        if is_puzzle:
            assembler = puzzle_assembler = _puzzle_assembler(source, sink, limits, parse_line, before or {})
            tree = puzzle_assembler.puzzle(roots)
        else:
            builder = ModuleBuilder(source, sink, limits, kept=before or {})
            assembler = module_assembler = ModuleAssembler(source, sink, limits, builder, parse_line=parse_line)
            tree = module_assembler.module(roots)
        # A forbidden character is reported once; the grammar's refusal of it would add nothing.
        known = [d for d in sink if d.span is None or d.span.line not in refused or d.code in _OF_CHARACTERS]
    except RulesError:
        known = list(sink)
    if assembler is None:
        return Reading(source, tuple(roots), {}, tree, tuple(known))
    return Reading(source, tuple(roots), assembler.read_lines, tree, tuple(known), assembler.builder.lines)


def _words(source: SourceText) -> list[str]:
    """The lines without trailing blanks and comments."""
    return [line.rstrip() for line in source.code.split("\n")]


_OF_CHARACTERS = frozenset({"RW001", "RW002", "RW003", "RW051", "RW053"})
"""Codes reported before a text is examined line by line."""


def _lines_of(diagnostics: list[Diagnostic]) -> set[int]:
    return {diagnostic.span.line for diagnostic in diagnostics if diagnostic.span}


def _puzzle_assembler(
    source: SourceText, sink: Sink, limits: Limits, parse_line: LineParser, before: BuiltLines
) -> PuzzleAssembler:
    from rulewright.grammar.parsing.assemble_puzzles import PuzzleAssembler
    from rulewright.grammar.parsing.read_puzzles import PuzzleBuilder

    return PuzzleAssembler(source, sink, limits, PuzzleBuilder(source, sink, limits, kept=before), parse_line=parse_line)
