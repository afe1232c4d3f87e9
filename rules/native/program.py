"""A text in the native subset made to run: as machine code, or slowly as the Python that it is."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from attrs import frozen

from . import runtime, words
from .arrays import Array
from .module import GameText
from .translate import Source, parameters, translate

Function = Callable[..., int]
"""Takes arrays and integers."""


@frozen
class Program:
    """Functions by name. `text` is what they were made of."""

    functions: Mapping[str, Function]
    text: str

    def __getattr__(self, name: str) -> Function:
        try:
            return self.functions[name]
        except KeyError:
            raise AttributeError(name) from None


def sources_of(game: GameText, kernels: Sequence[ModuleType]) -> list[Source]:
    """The text of a game with what it calls, and of the kernels that call it."""
    modules = [runtime, *kernels]
    return [Source(game.text, {**vars(runtime), **game.constants})] + [
        Source(inspect.getsource(module), {**vars(module), "WIDTH": game.width}) for module in modules
    ]


def as_python(game: GameText, kernels: Sequence[ModuleType], entries: Sequence[str]) -> Program:
    """The functions without any compiler: slow, and every index is checked but for those below zero."""
    space: dict[str, Any] = {}
    for module in (words, runtime, *kernels):
        space |= {name: value for name, value in vars(module).items() if not name.startswith("__")}
    space |= game.constants
    for module in (runtime, *kernels):
        exec(compile(_functions_only(inspect.getsource(module)), module.__file__ or "", "exec"), space)
    exec(compile("from __future__ import annotations\n" + game.text, "<rules>", "exec"), space)
    return Program({name: _on_items(space[name]) for name in entries}, game.text)


def _functions_only(text: str) -> ast.Module:
    tree = ast.parse(text)
    future = ast.parse("from __future__ import annotations").body
    return ast.Module([*future, *(node for node in tree.body if isinstance(node, ast.FunctionDef))], [])


def _on_items(function: Callable[..., int | None]) -> Function:
    def call(*arguments: Array | int) -> int:
        return int(function(*(a.items if isinstance(a, Array) else a for a in arguments)) or 0)

    return call


def as_machine_code(game: GameText, kernels: Sequence[ModuleType], entries: Sequence[str]) -> Program:
    """The functions compiled. Raises `ImportError` where llvmlite is not installed."""
    from .machine_code import load, to_object

    sources = sources_of(game, kernels)
    text = translate(sources, entries)
    signatures = {}
    for source in sources:
        for node in ast.parse(source.text).body:
            if isinstance(node, ast.FunctionDef) and node.name in entries:
                signatures[node.name] = [type for _, type in parameters(node)]
    return Program(load(to_object(text), signatures), text)
