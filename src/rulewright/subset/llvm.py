"""LLVM assembly made into machine code and called. The only place that knows llvmlite."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from .buffers import Array
from .bundles import Bundle, flattened
from .records import Record, Run

TUNING = {
    "inlining_threshold": 25,
    "loop_unrolling": False,
    "loop_interleaving": False,
    "loop_vectorization": False,
    "slp_vectorization": False,
}
"""Measured: large games are compiled in two fifths of the time, and run as fast within a twentieth."""


@cache
def _prepare() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _machine() -> Any:
    """This processor. Whoever runs code takes possession of it, so that there must be a new one for each use."""
    _prepare()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=2, reloc="pic", codemodel="default", jit=True
    )


def compiler() -> str:
    """What code depends on beside its text: the compiler and this processor."""
    _prepare()
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {llvm.get_default_triple()} {llvm.get_host_cpu_name()} {features}"


def to_object(assembly: str) -> bytes:
    """The machine code of this processor, as an object file."""
    machine = _machine()
    module = llvm.parse_assembly(assembly)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    for name, value in TUNING.items():
        setattr(options, name, value)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def load(code: bytes, signatures: Mapping[str, Sequence[str]]) -> dict[str, Callable[..., int]]:
    """The functions of an object file, by name; their parameters are `int` or kinds of arrays."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    functions: dict[str, Callable[..., int]] = {}
    for name, types in signatures.items():
        kinds = [ctypes.c_int64 if type == "int" else ctypes.c_void_p for type in types]
        functions[name] = _calling(ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(engine.get_function_address(name)), engine)
    return functions


def _calling(function: Any, engine: Any) -> Callable[..., int]:
    """`engine` owns the code, and must live as long as it can be called. Raises `TypeError` for a wrong number of arguments."""
    count = len(function.argtypes)

    def call(*arguments: Array | int | Bundle | Record | Run[Any]) -> int:
        flat = [one for argument in arguments for one in flattened(argument)]
        if len(flat) != count:
            raise TypeError(f"{len(flat)} arrays and integers, where there are {count}")
        result: int = function(*(one.address if isinstance(one, Array) else one for one in flat))
        return result

    call.engine = engine  # type: ignore[attr-defined]
    return call
