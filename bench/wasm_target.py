"""Programs of the subset as WebAssembly, run by wasmtime, in place of machine code, while a block runs: `as_wasm()`."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from rulewright.subset import program
from rulewright.subset.buffers import Array
from rulewright.subset.bundles import calling
from rulewright.subset.lowering import lower
from rulewright.subset.program import CompiledFunction
from rulewright.subset.to_wasm import START, room_of_tables, translate
from rulewright.subset.wasm_module import END_OF_DATA, MEMORY

PAGE, MOST_PAGES = 65536, 65536
SIZES = {"i": 4, "q": 8}


class WasmHeap:
    """One memory, which programs and all arrays share. Nothing is freed, and nothing runs in two threads."""

    def __init__(self) -> None:
        import wasmtime

        self.end = START
        self.wasmtime: Any = wasmtime
        settings = wasmtime.Config()
        settings.parallel_compilation = False  # its threads are lost in a process forked from this one
        self.store = wasmtime.Store(wasmtime.Engine(settings))
        # As large as it may grow, the memory never moves.
        self.memory = wasmtime.Memory(self.store, wasmtime.MemoryType(wasmtime.Limits(START // PAGE, MOST_PAGES)))
        self.linker: Any = wasmtime.Linker(self.store.engine)
        self.linker.define(self.store, *MEMORY, self.memory)

    def array(self, kind: str, length: int) -> Array:
        """In place of `Array.of`; the address is one in this memory. Raises `MemoryError`."""
        size = max(length, 1) * SIZES[kind]
        place = self._taken(size)
        base = ctypes.addressof(self.memory.data_ptr(self.store).contents)
        items = memoryview((ctypes.c_char * size).from_address(base + place)).cast("B").cast(kind)  # type: ignore[call-overload]
        return Array(items, place, self.memory)

    def functions(self, wanted: Any) -> Mapping[str, CompiledFunction]:
        """In place of machine code: the entries of a program."""
        lowered = lower(wanted.sources, wanted.entries)
        code = translate(lowered, wanted.entries, self._taken(8 * room_of_tables(lowered)))
        module = self.wasmtime.Module(self.store.engine, code)
        exports = self.linker.instantiate(self.store, module).exports(self.store)
        assert exports[END_OF_DATA].value(self.store) <= self.end
        counts = {name: len(exports[name].type(self.store).params) for name in wanted.entries}
        return {name: calling(partial(exports[name], self.store), count, self) for name, count in counts.items()}

    def _taken(self, size: int) -> int:
        place, end = self.end, self.end + -(-size // 8) * 8
        missing = end - self.memory.data_len(self.store)
        if end > MOST_PAGES * PAGE:
            raise MemoryError
        if missing > 0:
            self.memory.grow(self.store, -(-missing // PAGE))
        self.end = end
        return place


@contextmanager
def as_wasm() -> Iterator[None]:
    """All arrays and programs that are made while the block runs are of one memory, and run there only."""
    heap = WasmHeap()
    with patch.object(Array, "of", heap.array), patch.object(program, "_machine_code", heap.functions):
        yield
