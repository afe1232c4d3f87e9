"""Programs as WebAssembly where Python itself runs in a page (Pyodide). The only module that knows the page's engine.

A module shares Python's own memory, so arrays are those of `buffers.py`, by their addresses; its functions join the table of
Python's own, and are called as machine code is.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import pyodide_js
from js import Object, WebAssembly
from pyodide.ffi import jsnull, to_js

from .buffers import Array, longs
from .bundles import calling
from .lowering import Function
from .to_llvm import parameters
from .to_wasm import room_of_tables, translate
from .wasm_module import MEMORY


class Loaded:
    """What a program has in Python's memory and table of functions, until none of its entries is left."""

    def __init__(self, tables: Array, places: Sequence[int]) -> None:
        self.tables = tables
        weakref.finalize(self, _forget, places)


def _forget(places: Sequence[int]) -> None:
    """Empty places of the table, and of its copy in the page's own script: the engine lets go of the code behind them."""
    for place in places:
        pyodide_js._module.setWasmTableEntry(place, jsnull)
        pyodide_js._module.freeTableIndexes.push(place)


def load(functions: Mapping[str, Function], entries: Sequence[str]) -> dict[str, Any]:
    """The entries of a program, by name."""
    tables = longs(room_of_tables(functions))
    code = WebAssembly.Module.new(to_js(translate(functions, entries, tables.address)))
    space, name = MEMORY
    imported = to_js({space: {name: pyodide_js._module.memory}}, dict_converter=Object.fromEntries)
    exports = WebAssembly.Instance.new(code, imported).exports
    places = [pyodide_js._module.getEmptyTableSlot() for _ in entries]
    loaded, found = Loaded(tables, places), {}
    for place, entry in zip(places, entries, strict=True):
        pyodide_js._module.setWasmTableEntry(place, getattr(exports, entry))
        kinds = [ctypes.c_int64 if kind == "int" else ctypes.c_void_p for _, kind in parameters(functions[entry].node)]
        found[entry] = calling(ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(place), len(kinds), loaded)
    return found
