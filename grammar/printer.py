"""Trees as text: parsing what is printed gives the same tree."""

from __future__ import annotations

from .formatting import format_text
from .modules import Module
from .print_expressions import print_expression
from .print_modules import module_rows
from .print_puzzles import puzzle_rows
from .print_statements import print_statement
from .rows import page
from .scenarios import Puzzle

__all__ = ["format_text", "print_expression", "print_module", "print_puzzle", "print_statement"]


def print_module(module: Module) -> str:
    """The text of a `*.rules` file."""
    return page(module_rows(module))


def print_puzzle(puzzle: Puzzle) -> str:
    """The text of a `*.puzzle` file."""
    return page(puzzle_rows(puzzle))
