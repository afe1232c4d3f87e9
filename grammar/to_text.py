"""Trees as text: parsing the printed text gives the same tree."""

from __future__ import annotations

from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.printing.print_modules import module_rows
from rulewright.grammar.printing.print_puzzles import puzzle_rows
from rulewright.grammar.printing.print_statements import print_statement
from rulewright.grammar.printing.rows import text_of_rows
from rulewright.grammar.tree.modules import Module
from rulewright.grammar.tree.puzzles import Puzzle

__all__ = ["print_expression", "print_module", "print_puzzle", "print_statement"]


def print_module(module: Module) -> str:
    """The text of a `*.rules` file."""
    return text_of_rows(module_rows(module))


def print_puzzle(puzzle: Puzzle) -> str:
    """The text of a `*.puzzle` file."""
    return text_of_rows(puzzle_rows(puzzle))
