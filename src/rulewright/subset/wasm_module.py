"""The binary format of WebAssembly modules (W3C core specification 2.0, chapter 5), as far as translated functions need it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum

from rulewright.base.records import frozen


class Op(IntEnum):
    """Instructions by their opcodes."""

    BLOCK = 0x02
    LOOP = 0x03
    IF = 0x04
    ELSE = 0x05
    END = 0x0B
    BR = 0x0C
    BR_IF = 0x0D
    RETURN = 0x0F
    CALL = 0x10
    DROP = 0x1A
    SELECT = 0x1B
    LOCAL_GET = 0x20
    LOCAL_SET = 0x21
    LOCAL_TEE = 0x22
    I64_LOAD = 0x29
    I64_LOAD32_S = 0x34
    I64_STORE = 0x37
    I64_STORE32 = 0x3E
    I32_CONST = 0x41
    I64_CONST = 0x42
    I32_EQZ = 0x45
    I64_EQ = 0x51
    I64_NE = 0x52
    I64_LT_S = 0x53
    I64_GT_S = 0x55
    I64_LE_S = 0x57
    I64_GE_S = 0x59
    I32_ADD = 0x6A
    I32_AND = 0x71
    I32_OR = 0x72
    I32_SHL = 0x74
    I64_CTZ = 0x7A
    I64_POPCNT = 0x7B
    I64_ADD = 0x7C
    I64_SUB = 0x7D
    I64_MUL = 0x7E
    I64_DIV_S = 0x7F
    I64_REM_S = 0x81
    I64_REM_U = 0x82
    I64_AND = 0x83
    I64_OR = 0x84
    I64_XOR = 0x85
    I64_SHL = 0x86
    I64_SHR_S = 0x87
    I64_SHR_U = 0x88
    I32_WRAP_I64 = 0xA7
    I64_EXTEND_I32_U = 0xAD


class Type(IntEnum):
    """Types of values, and that of a block without a value."""

    I32 = 0x7F
    I64 = 0x7E
    NONE = 0x40


class _Section(IntEnum):
    TYPE = 1
    IMPORT = 2
    FUNCTION = 3
    GLOBAL = 6
    EXPORT = 7
    CODE = 10
    DATA = 11


_FUNCTION_TYPE = 0x60
_FUNCTION, _MEMORY, _GLOBAL = 0, 2, 3
"""Codes of what is imported or exported."""

MEMORY = ("env", "memory")
"""The module and the name of the memory that a module imports."""

END_OF_DATA = "end_of_data"
"""The exported constant that says where the data of a module end."""


@frozen
class WasmFunction:
    """A function with an i64 as its result: the types of its parameters and of its other locals, and its instructions."""

    parameters: tuple[Type, ...]
    locals: tuple[Type, ...]
    code: bytes


def module(functions: Sequence[WasmFunction], entries: Sequence[tuple[str, int]], data: bytes, start: int) -> bytes:
    """The binary module of these functions; `entries` are exported: names and indices.

    It imports its memory, writes `data` to it from the address `start` on, and exports the end of the data, a multiple of 8.
    """
    end = start + -(-len(data) // 8) * 8
    kinds = list(dict.fromkeys(function.parameters for function in functions))
    exported = [_name(name) + bytes((_FUNCTION,)) + unsigned(at) for name, at in entries]
    memory = b"".join(map(_name, MEMORY)) + bytes((_MEMORY, 0)) + unsigned(-(-end // 65536))
    sections = (
        (_Section.TYPE, [bytes((_FUNCTION_TYPE,)) + _vector(_types(kind)) + _vector([bytes((Type.I64,))]) for kind in kinds]),
        (_Section.IMPORT, [memory]),
        (_Section.FUNCTION, [unsigned(kinds.index(function.parameters)) for function in functions]),
        (_Section.GLOBAL, [bytes((Type.I32, 0)) + _constant(end)]),
        (_Section.EXPORT, [*exported, _name(END_OF_DATA) + bytes((_GLOBAL, 0))]),
        (_Section.CODE, [_sized(_body(function)) for function in functions]),
        (_Section.DATA, [b"\0" + _constant(start) + _sized(data)]),
    )
    return b"\0asm\1\0\0\0" + b"".join(bytes((number,)) + _sized(_vector(items)) for number, items in sections)


def unsigned(value: int) -> bytes:
    """A natural number in LEB128."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def signed(value: int) -> bytes:
    """An integer in signed LEB128."""
    found = bytearray()
    while not -0x40 <= value < 0x40:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value & 0x7F)
    return bytes(found)


def _body(function: WasmFunction) -> bytes:
    return _vector([unsigned(1) + kind for kind in _types(function.locals)]) + function.code + bytes((Op.END,))


def _constant(value: int) -> bytes:
    return bytes((Op.I32_CONST,)) + signed(value) + bytes((Op.END,))


def _types(kinds: Iterable[Type]) -> list[bytes]:
    return [bytes((kind,)) for kind in kinds]


def _vector(items: Sequence[bytes]) -> bytes:
    return unsigned(len(items)) + b"".join(items)


def _sized(content: bytes) -> bytes:
    return unsigned(len(content)) + content


def _name(text: str) -> bytes:
    return _sized(text.encode())
