"""Lowers records to the arrays and integers of the subset, before the translation to LLVM assembly.

Input: functions whose parameters and local names have the types of records.py. Output: the same functions on arrays and
integers. A bundle parameter becomes its parts (`bound.arena`; the dot makes such names unique), so that arrays remain known not
to overlap; a record or a run becomes the index where it begins. Loops over runs become counted loops.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from rulewright.base.records import define, field, frozen

from .refusal import NotInSubset

if TYPE_CHECKING:
    from .views_to_words import FunctionLowering


@frozen
class Source:
    """A text in the subset, and the names that it sees: its own constants and those that it imports."""

    text: str
    names: Mapping[str, Any]

    def functions(self) -> Iterator[Function]:
        """The functions of the text, each with those names that it uses, or that a stride of its records may be."""
        numbers = {name for name, value in self.names.items() if isinstance(value, int)}
        for text in _DEFINITION.split(self.text):
            if text.startswith("def "):
                used = numbers | (self.names.keys() & {*_WORD.findall(text)})
                yield _function(text, tuple((name, self.names[name]) for name in sorted(used)))


@define(eq=False)
class Function:
    """A function and the names that it sees. `lowered` is what it becomes, by the heads of the functions that it calls."""

    node: ast.FunctionDef
    names: Mapping[str, Any]
    lowered: dict[tuple[Any, ...], Function] = field(factory=dict)

    @cached_property
    def called(self) -> Sequence[str]:
        """The names of what it calls."""
        calls = (node.func for node in ast.walk(self.node) if isinstance(node, ast.Call))
        return [called.id for called in calls if isinstance(called, ast.Name)]

    @cached_property
    def head(self) -> tuple[Any, ...]:
        """All that the lowering of a caller depends on: the parameters, what the names in their types mean, and the result."""
        names = sorted({node.id for node in ast.walk(self.node.args) if isinstance(node, ast.Name)})
        result = None if self.node.returns is None else ast.dump(self.node.returns)
        return ast.dump(self.node.args), result, *((name, self.names.get(name)) for name in names)


_DEFINITION, _WORD = re.compile(r"^(?=def |@|class )", re.MULTILINE), re.compile(r"[A-Za-z_]\w*")

MOST_KEPT = 2048
"""Functions that are kept: the largest shipped game has 355, with its search."""


@lru_cache(maxsize=MOST_KEPT)
def _function(text: str, names: tuple[tuple[str, Any], ...]) -> Function:
    """A function by its text and names; its lines are counted from 1. Programs share it, and what it is lowered to."""
    node = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return Function(count_loops(node), dict(names))


@frozen
class Unit:
    """Functions by name, and the names of those called from outside."""

    functions: Mapping[str, Function]
    entries: Sequence[str]


def with_calls(unit: Unit) -> Unit:
    """Keep only the entries and the functions that they call, directly or not."""
    found: dict[str, Function] = {}
    pending = list(unit.entries)
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = unit.functions[name]
            pending += [called for called in found[name].called if called in unit.functions]
    return Unit(found, unit.entries)


def with_words(unit: Unit) -> Unit:
    """Replace records, runs and bundles by arrays and integers."""
    from .views_to_words import FunctionLowering

    program: dict[str, FunctionLowering] = {}
    for name, function in unit.functions.items():
        program[name] = FunctionLowering(function.node, function.names, program)
    found: dict[str, Function] = {}
    for name, function in unit.functions.items():
        heads = tuple(unit.functions[called].head for called in function.called if called in unit.functions)
        if heads not in function.lowered:
            function.lowered[heads] = Function(program[name].lowered(), function.names)
        found[name] = function.lowered[heads]
    return Unit(found, unit.entries)


def lower(sources: Sequence[Source], entries: Sequence[str]) -> Mapping[str, Function]:
    """The entries and all functions that they call, lowered, by name.

    Raises `NotInSubset`, also if two functions of the sources share a name.
    """
    functions: dict[str, Function] = {}
    for function in (function for source in sources for function in source.functions()):
        name = function.node.name
        if name in functions:
            raise NotInSubset(f"{name}: there are two functions of that name")
        functions[name] = function
    return with_words(with_calls(Unit(functions, entries))).functions


def count_loops(function: ast.FunctionDef) -> ast.FunctionDef:
    """Turn `for element in run[first:end]` into `for turn in range(first, end)`, with the run under a separate name."""
    _Loops().visit(function)
    return function


class _Loops(ast.NodeTransformer):
    count = 0

    def visit_For(self, node: ast.For) -> ast.For | list[ast.stmt]:
        self.generic_visit(node)
        match node.iter:
            case ast.Subscript(value=run, slice=ast.Slice(lower=first, upper=ast.expr() as end, step=None)):
                self.count += 1
                held, turn = f".{self.count}.run", f".{self.count}.turn"
                element = ast.Subscript(ast.Name(held, ast.Load()), ast.Name(turn, ast.Load()), ast.Load())
                bounds = [end] if first is None else [first, end]
                counted = ast.Call(ast.Name("range", ast.Load()), bounds, [])
                body = [ast.Assign([node.target], element), *node.body]
                found = [
                    ast.Assign([ast.Name(held, ast.Store())], run),
                    ast.For(ast.Name(turn, ast.Store()), counted, body, node.orelse),
                ]
                return [ast.fix_missing_locations(ast.copy_location(made, node)) for made in found]
        return node
