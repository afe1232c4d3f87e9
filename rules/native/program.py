"""A text in the native subset made to run: as machine code, or slowly as the Python that it is."""

from __future__ import annotations

import ast
import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any

from attrs import evolve, field

from ... import __version__
from ...grammar.classes import frozen
from . import apart, kept, runtime, words
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


Maker = Callable[[GameText, Sequence[ModuleType], Sequence[str]], Program]
"""Makes a program of the text of a game and of kernels, with the entries named."""


def as_python(game: GameText, kernels: Sequence[ModuleType], entries: Sequence[str]) -> Program:
    """The functions without any compiler: slow, and every index is checked but for those below zero."""
    spaces: list[dict[str, Any]] = []
    functions: dict[str, Any] = {}
    for source in sources_of(game, kernels):
        space = {name: value for name, value in {**vars(words), **source.names}.items() if not name.startswith("__")}
        exec(compile(_functions_only(source.text), "<native>", "exec"), space)
        functions |= {node.name: space[node.name] for node in _definitions(source.text)}
        spaces.append(space)
    for space in spaces:
        space.update(functions)
    return Program({name: _on_items(functions[name]) for name in entries}, game.text)


def _definitions(text: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def _functions_only(text: str) -> ast.Module:
    return ast.Module([*ast.parse("from __future__ import annotations").body, *_definitions(text)], [])


def _on_items(function: Callable[..., int | None]) -> Function:
    def call(*arguments: Array | int) -> int:
        return int(function(*(a.items if isinstance(a, Array) else a for a in arguments)) or 0)

    return call


def as_machine_code(game: GameText, kernels: Sequence[ModuleType], entries: Sequence[str]) -> Program:
    """The functions compiled, or found in the cache. Raises `ImportError` where llvmlite is not installed."""
    return Program(_machine_code(_Wanted.of(game, kernels, entries)), game.text)


def as_machine_code_by(deadline: float) -> Maker:
    """The same, compiled in a process of its own, which is given up when `time.monotonic()` reaches the deadline."""

    def make(game: GameText, kernels: Sequence[ModuleType], entries: Sequence[str]) -> Program:
        def to_object(assembly: str) -> bytes:
            return apart.to_object(assembly, deadline - time.monotonic())

        return Program(_machine_code(evolve(_Wanted.of(game, kernels, entries), to_object=to_object)), game.text)

    return make


def is_kept(game: GameText, kernels: Sequence[ModuleType], entries: Sequence[str]) -> bool:
    """Whether the cache holds their machine code, undamaged. Raises `ImportError` where llvmlite is not installed."""
    folder = kept.cache_folder()
    return folder is not None and kept.recall(folder, _Wanted.of(game, kernels, entries).name) is not None


@frozen
class _Wanted:
    """What is to be compiled: all of it as text, to tell one from another. `to_object` compiles."""

    parts: tuple[str, ...]
    entries: tuple[str, ...]
    sources: tuple[Source, ...] = field(eq=False)
    to_object: Callable[[str], bytes] = field(eq=False)

    @classmethod
    def of(cls, game: GameText, kernels: Sequence[ModuleType], entries: Sequence[str]) -> _Wanted:
        from . import machine_code

        sources = sources_of(game, kernels)
        constants = {
            name: value for source in sources for name, value in source.names.items() if isinstance(value, int | tuple)
        }
        parts = (*(source.text for source in sources), repr(sorted(constants.items())), *entries)
        return cls(parts, tuple(entries), tuple(sources), machine_code.to_object)

    @property
    def name(self) -> str:
        """What the cache keeps the code under."""
        from . import machine_code

        return kept.name_of((__version__, machine_code.compiler(), *self.parts))

    @property
    def signatures(self) -> dict[str, list[str]]:
        entries = (node for source in self.sources for node in _definitions(source.text) if node.name in self.entries)
        return {node.name: [type for _, type in parameters(node)] for node in entries}


@lru_cache(maxsize=8)
def _machine_code(wanted: _Wanted) -> Mapping[str, Function]:
    from . import machine_code

    folder = kept.cache_folder()
    name = wanted.name
    code = None if folder is None else kept.recall(folder, name)
    if code is None:
        code = kept.Code(wanted.to_object(translate(wanted.sources, wanted.entries)), wanted.signatures)
        if folder is not None:
            kept.keep(folder, name, code)
    return machine_code.load(code.object, code.signatures)
