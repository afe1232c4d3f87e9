"""Programs in the compiled subset: lowered, then compiled to machine code or run as plain Python."""

from __future__ import annotations

import ast
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rulewright.base.cache import Cache, kept, look_of, name_of
from rulewright.base.deadline import SHELTER, seconds_left
from rulewright.base.host import IN_PAGE
from rulewright.base.records import evolve, field, frozen
from rulewright.base.version import __version__

from . import intrinsics
from .buffers import Array
from .bundles import Bundle, described, flattened
from .linked_code import LinkedCode
from .lowering import Function, Source, lower
from .records import Record, Run
from .refusal import CannotCompile

Argument = Array | int | Bundle | Record | Run[Any]

CompiledFunction = Callable[..., int]
"""A function on arrays, integers, bundles, records and runs."""


@frozen
class Program:
    """The entries of a program, by name and as attributes; compiled, or run as plain Python."""

    functions: Mapping[str, CompiledFunction]
    is_compiled: bool = True

    def __getattr__(self, name: str) -> CompiledFunction:
        try:
            return self.functions[name]
        except KeyError:
            raise AttributeError(name) from None


BASELINE_SECONDS = 2e-7
"""What baseline compilation takes for each character of assembly. Measured: 1.2 s for 5.9 million."""

BOOT = Path("/proc/sys/kernel/random/boot_id")
"""On Linux: another text each time that the system starts, as it must for another processor."""

Maker = Callable[[Sequence[Source], Sequence[str]], Program]
"""Makes a program with the given entries from sources."""


def as_python(sources: Sequence[Source], entries: Sequence[str]) -> Program:
    """A program run as plain Python, without a compiler. Raises `IndexError` for an index that is too large."""
    space = {**vars(intrinsics), SHELTER: True}
    for source in sources:
        space |= {name: table for name, table in source.names.items() if isinstance(table, tuple)}
    functions = _lowered(_Wanted.of(sources, entries)).values()
    exec(compile(ast.Module([function.node for function in functions], []), "<native>", "exec"), space)
    return Program({name: _on_items(space[name]) for name in entries}, is_compiled=False)


def _on_items(function: Callable[..., int | None]) -> CompiledFunction:
    def call(*arguments: Argument) -> int:
        flat = (one for argument in arguments for one in flattened(argument))
        return int(function(*(one.items if isinstance(one, Array) else one for one in flat)) or 0)

    return call


def as_machine_code(sources: Sequence[Source], entries: Sequence[str]) -> Program:
    """A compiled program, from the cache if possible. Raises `ImportError` if llvmlite is not installed."""
    return Program(_machine_code(_Wanted.of(sources, entries)))


def as_baseline_code(sources: Sequence[Source], entries: Sequence[str]) -> Program:
    """Like `as_machine_code`, barely optimised: compiled in a tenth of the time, for runs of about a second.

    Plain Python without a compiler. Raises `CannotCompile` if compilation would take longer than the `deadline` leaves.
    """
    try:
        return Program(_machine_code(_Wanted.of(sources, entries).as_baseline()))
    except ImportError:
        return as_python(sources, entries)


def as_machine_code_by(deadline: float, cancelled: threading.Event | None = None) -> Maker:
    """Like `as_machine_code`, in a child process. Raises `CannotCompile` when `time.monotonic()` reaches the deadline, or on
    cancellation."""

    def make(sources: Sequence[Source], entries: Sequence[str]) -> Program:
        def to_object(assembly: str) -> bytes:
            from . import compile_process

            return compile_process.to_object(assembly, deadline - time.monotonic(), cancelled)

        return Program(_machine_code(evolve(_Wanted.of(sources, entries), to_object=to_object)))

    return make


def is_kept(sources: Sequence[Source], entries: Sequence[str]) -> bool:
    """Whether the cache has machine code of a program, for this or another processor. Needs no compiler."""
    folder = _cache()
    return folder is not None and folder.holds(folder.name(_Wanted.of(sources, entries).name_parts)[:32])


def text_name(sources: Sequence[Source], entries: Sequence[str]) -> str:
    """The identity of a program: the hash of its texts, their constants, and the classes that they use, in hexadecimal."""
    return _Wanted.of(sources, entries).text_name


@frozen
class _Wanted:
    """A program to compile, identified by its complete text `parts`. `to_object` compiles assembly."""

    parts: tuple[str, ...]
    entries: tuple[str, ...]
    sources: tuple[Source, ...] = field(eq=False)
    is_baseline: bool = False
    to_object: Callable[[str], bytes] | None = field(default=None, eq=False)

    @classmethod
    def of(cls, sources: Sequence[Source], entries: Sequence[str]) -> _Wanted:
        seen = [item for source in sources for item in source.names.items()]
        constants = {name: value for name, value in seen if isinstance(value, int | tuple)}
        classes = sorted({text for _, value in seen if (text := described(value))})
        parts = (*(source.text for source in sources), repr(sorted(constants.items())), *classes, *entries)
        return cls(parts, tuple(entries), tuple(sources))

    def as_baseline(self) -> _Wanted:
        """The same program, barely optimised; in a page there is one kind of code."""
        return self if IN_PAGE else evolve(self, is_baseline=True)

    @property
    def text_name(self) -> str:
        """A hash of the text."""
        return name_of(self.name_parts)[:32]

    @property
    def name_parts(self) -> tuple[str, ...]:
        """Everything that the code depends on."""
        return __version__, *self.parts, *(("baseline",) if self.is_baseline else ())

    def name_in(self, cache: Cache) -> str:
        """The name in the cache: the first half for any processor, the second for this one."""
        return cache.name(self.name_parts)[:32] + name_of((_compiler(),))[:32]


@cache
def _compiler() -> str:
    """The compiler and this processor, as LLVM names them; asked once since the system started, where that can be known.
    Raises `ImportError` without a compiler."""
    installed = find_spec("llvmlite")
    if installed is None or installed.origin is None:
        raise ImportError("llvmlite is not installed")

    def ask() -> str:
        from . import llvm

        return llvm.compiler()

    try:
        return kept("processors", ("rulewright.subset",), (BOOT.read_text(), look_of(installed.origin)), ask)
    except OSError:
        return ask()


@lru_cache(maxsize=1)
def _lowered(wanted: _Wanted) -> Mapping[str, Function]:
    """Lower a program; cached, since baseline and optimised code are compiled one after the other."""
    return lower(wanted.sources, wanted.entries)


@lru_cache(maxsize=8)
def _machine_code(wanted: _Wanted) -> Mapping[str, CompiledFunction]:
    if IN_PAGE:
        from . import in_page

        return in_page.load(_lowered(wanted), wanted.entries)
    folder = _cache()
    content = None if folder is None else folder.recall(wanted.name_in(folder))
    if content is None:
        content = _compiled(wanted)
        if folder is not None:
            folder.keep(wanted.name_in(folder), content)
    head, _, code = content.partition(b"\n")
    signatures, starts, needs = json.loads(head)
    if starts:
        return LinkedCode(code, starts, needs).load(signatures)
    from . import llvm

    return llvm.load(code, signatures)


def _compiled(wanted: _Wanted) -> bytes:
    """A line with the types of the entries and what is known of the code, then the code: linked, or an object file."""
    from . import llvm
    from .to_llvm import parameters, translate

    functions = _lowered(evolve(wanted, is_baseline=False))
    signatures = {name: [type for _, type in parameters(functions[name].node)] for name in wanted.entries}
    assembly = translate(functions, wanted.entries)
    if wanted.is_baseline and len(assembly) * BASELINE_SECONDS > seconds_left():
        raise CannotCompile("there is no time to compile it")
    code = (wanted.to_object or (llvm.to_baseline_object if wanted.is_baseline else llvm.to_object))(assembly)
    linked = LinkedCode.of(code) or LinkedCode(code, {}, {})
    return json.dumps((signatures, linked.starts, linked.needs)).encode() + b"\n" + linked.image


def _cache() -> Cache | None:
    """The cache of machine code: code that another compiler made is not used."""
    return Cache.opened("", "rulewright.subset")
