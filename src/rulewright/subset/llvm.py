"""Compiles LLVM assembly and calls the result. The only module that imports llvmlite."""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from .linked_code import Functions, Signatures, callable_at

TUNING = {
    "inlining_threshold": 25,
    "loop_unrolling": False,
    "loop_interleaving": False,
    "loop_vectorization": False,
    "slp_vectorization": False,
}
"""Measured: large games compile in 40 % of the time, and the code is as fast within 5 %. Loops that are marked become vectors
all the same (to_llvm.py)."""


@cache
def _prepare() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _machine(level: int = 2) -> Any:
    """A new target machine for this processor that generates code at optimisation level `level`. An engine takes ownership of
    its machine."""
    _prepare()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=level, reloc="pic", codemodel="default", jit=True
    )


def compiler() -> str:
    """The compiler and this processor, as text: everything that object code depends on besides its assembly."""
    _prepare()
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {llvm.get_default_triple()} {llvm.get_host_cpu_name()} {features}"


def to_object(assembly: str) -> bytes:
    """An optimised object file for this processor."""
    machine = _machine()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    for name, value in TUNING.items():
        setattr(options, name, value)
    builder = llvm.create_pass_builder(machine, options)
    return _emitted(assembly, machine, builder, builder.getModulePassManager())


def to_baseline_object(assembly: str) -> bytes:
    """An object file with local optimisations only, like a baseline compiler's: compiled in a tenth of the time."""
    machine = _machine(level=0)
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    return _emitted(assembly, machine, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0)), passes)


def _emitted(assembly: str, machine: Any, builder: Any, passes: Any) -> bytes:
    module = llvm.parse_assembly(assembly)
    passes.run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def load(code: bytes, signatures: Signatures) -> Functions:
    """The functions of an object file, by name."""
    # JITLink lays code and data side by side. The older linker (MCJIT) takes the first gaps that fit; with a large mapping
    # between them the code cannot reach its data by 32 bits, and LLVM aborts the process.
    jit = llvm.create_lljit_compiler(_machine(), use_jit_link=True)
    library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
    for name in signatures:
        library.export_symbol(name)
    linked = library.link(jit, "code")
    return callable_at({name: linked[name] for name in signatures}, signatures, (jit, linked))
