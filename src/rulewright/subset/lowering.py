"""Lowers records to the arrays and integers of the subset, before the translation to LLVM assembly.

Input: functions whose parameters and local names have the types of records.py. Output: the same functions on arrays and
integers. A bundle parameter becomes its parts (`bound.arena`; the dot makes such names unique), so that arrays remain known not
to overlap; a record or a run becomes the index where it begins.

A last pass turns loops over runs into counted loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.base.records import frozen

from .refusal import NotInSubset
from .views_to_words import FunctionLowering


@frozen
class Source:
    """A text in the subset, and the names that it sees: its own constants and those that it imports."""

    text: str
    names: Mapping[str, Any]


@frozen
class Function:
    """A function, and the names that it sees."""

    node: ast.FunctionDef
    names: Mapping[str, Any]


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
            calls = (node.func for node in ast.walk(found[name].node) if isinstance(node, ast.Call))
            pending += [called.id for called in calls if isinstance(called, ast.Name) and called.id in unit.functions]
    return Unit(found, unit.entries)


def with_counters(unit: Unit) -> Unit:
    """Turn loops over runs into counted loops."""
    counted = {name: Function(count_loops(function.node), function.names) for name, function in unit.functions.items()}
    return Unit(counted, unit.entries)


def with_words(unit: Unit) -> Unit:
    """Replace records, runs and bundles by arrays and integers."""
    program: dict[str, FunctionLowering] = {}
    for name, function in unit.functions.items():
        program[name] = FunctionLowering(function.node, function.names, program)
    return Unit({name: Function(function.lowered(), function.names) for name, function in program.items()}, unit.entries)


PASSES: tuple[Callable[[Unit], Unit], ...] = (with_calls, with_counters, with_words)


def lower(sources: Sequence[Source], entries: Sequence[str]) -> Mapping[str, Function]:
    """The entries and all functions that they call, lowered, by name.

    Raises `NotInSubset`, also if two functions of the sources share a name.
    """
    functions: dict[str, Function] = {}
    for source in sources:
        for node in ast.parse(source.text).body:
            if isinstance(node, ast.FunctionDef):
                if node.name in functions:
                    raise NotInSubset(f"{node.name}, line {node.lineno}: there are two functions of that name")
                functions[node.name] = Function(node, source.names)
    unit = Unit(functions, entries)
    for lowering_pass in PASSES:
        unit = lowering_pass(unit)
    return unit.functions


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
