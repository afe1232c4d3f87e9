"""Translation of lowered functions to WebAssembly, for browsers: no compiler and no linker is needed.

The subset is that of `to_llvm.py`. Words are i64, arrays i32 addresses in one imported memory. `Shared` arrays are plain, since
a page runs one thread. An index wraps to 32 bits, and division traps where LLVM leaves it undefined.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Mapping, Sequence

from rulewright.base.records import define, field

from .intrinsics import wrap
from .lowering import Function
from .to_llvm import ARRAYS, FunctionWriter, parameters
from .wasm_module import Op, Type, WasmFunction, module, signed, unsigned

START = 65536
"""Layout: the least address of a table or an array: what lies less before it, a constant offset brings back (`_address`)."""

_INFIX = {
    ast.Add: Op.I64_ADD, ast.Sub: Op.I64_SUB, ast.Mult: Op.I64_MUL, ast.BitAnd: Op.I64_AND, ast.BitOr: Op.I64_OR,
    ast.BitXor: Op.I64_XOR, ast.LShift: Op.I64_SHL, ast.RShift: Op.I64_SHR_S,
}  # fmt: skip
_COMPARE = {
    ast.Eq: Op.I64_EQ, ast.NotEq: Op.I64_NE, ast.Lt: Op.I64_LT_S, ast.LtE: Op.I64_LE_S, ast.Gt: Op.I64_GT_S,
    ast.GtE: Op.I64_GE_S,
}  # fmt: skip
_WORDS = {"shift": Op.I64_SHR_U, "remainder": Op.I64_REM_U}
_EXTREMES = {"min": Op.I64_LT_S, "max": Op.I64_GT_S}
_BITS = {"lowest": Op.I64_CTZ, "ones": Op.I64_POPCNT}
_SIZES = {"Ints": 2, "Longs": 3, "Shared": 3}
"""Binary logarithms of the sizes of elements, in bytes."""


def translate(functions: Mapping[str, Function], entries: Sequence[str], start: int = START) -> bytes:
    """A binary module of functions by name, which exports the entries; its tables begin at `start`, a multiple of 8.

    Raises `NotInSubset`.
    """
    tables = _Tables(start)
    numbers = {name: number for number, name in enumerate(functions)}
    written = [_Writer(one.node, one.names, functions, numbers, tables).write() for one in functions.values()]
    return module(written, [(name, numbers[name]) for name in entries], bytes(tables.data), start)


def room_of_tables(functions: Mapping[str, Function]) -> int:
    """The number of 64-bit words that the tables of these functions take at most."""
    known = {name: len(table) for one in functions.values() for name, table in one.names.items() if isinstance(table, tuple)}
    return sum(length + 1 for length in known.values())


@define
class _Tables:
    """Tables of constants: the data so far, and where each table begins and its kind of array."""

    start: int
    data: bytearray = field(factory=bytearray)
    places: dict[str, tuple[int, str]] = field(factory=dict)

    def place(self, name: str, values: tuple[int, ...]) -> tuple[int, str]:
        if name not in self.places:
            kind = "Ints" if all(-(1 << 31) <= value < 1 << 31 for value in values) else "Longs"
            self.data += bytes(-len(self.data) % 8)
            self.places[name] = self.start + len(self.data), kind
            self.data += struct.pack(f"<{len(values)}{'i' if kind == 'Ints' else 'q'}", *values)
        return self.places[name]


@define
class _Writer(FunctionWriter[int]):
    """`depth` counts the open blocks."""

    numbers: Mapping[str, int]
    tables: _Tables
    code: bytearray = field(factory=bytearray)
    locals: dict[str, int] = field(factory=dict)
    depth: int = 0

    def write(self) -> WasmFunction:
        given = parameters(self.node)
        self.arrays = {name: kind for name, kind in given if kind in ARRAYS}
        for name, _ in given:
            self._local(name)
        self._body(self.node.body)
        self._constant(0)
        kinds = tuple(Type.I32 if kind in ARRAYS else Type.I64 for _, kind in given)
        return WasmFunction(kinds, (Type.I64,) * (len(self.locals) - len(given)), bytes(self.code))

    # Code -------------------------------------------------------------------------------------

    def _emit(self, *operations: Op) -> None:
        self.code += bytes(operations)

    def _local(self, name: str) -> int:
        return self.locals.setdefault(name, len(self.locals))

    def _with(self, operation: Op, *numbers: int) -> None:
        self.code.append(operation)
        for number in numbers:
            self.code += unsigned(number)

    def _get(self, *names: str) -> None:
        for name in names:
            self._with(Op.LOCAL_GET, self._local(name))

    def _set(self, *names: str) -> None:
        for name in names:
            self._with(Op.LOCAL_SET, self._local(name))

    def _constant(self, value: int) -> None:
        self._emit(Op.I64_CONST)
        self.code += signed(wrap(value))

    def _open(self, operation: Op, kind: Type = Type.NONE) -> int:
        """Open a block; returns its label."""
        self.code += bytes((operation, kind))
        self.depth += 1
        return self.depth

    def _close(self, blocks: int = 1) -> None:
        self._emit(*[Op.END] * blocks)
        self.depth -= blocks

    def _jump(self, label: int, operation: Op = Op.BR) -> None:
        self._with(operation, self.depth - label)

    # Statements -------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self._assign(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                self._assign(target, ast.copy_location(ast.BinOp(target, op, value), node))
            case ast.If(test=test, body=body, orelse=otherwise):
                self._truth(test)
                self._open(Op.IF)
                self._body(body)
                if otherwise:
                    self._emit(Op.ELSE)
                    self._body(otherwise)
                self._close()
            case ast.While(test=test, body=body, orelse=[]):
                end, head = self._open(Op.BLOCK), self._open(Op.LOOP)
                self._truth(test)
                self._emit(Op.I32_EQZ)
                self._jump(end, Op.BR_IF)
                self._loop(body, head, end)
                self._jump(head)
                self._close(2)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds), body=body, orelse=[]):
                self._for(name, bounds, body)
            case ast.Return(value=value):
                self._word(value if value is not None else ast.Constant(0))
                self._emit(Op.RETURN)
            case ast.Break():
                self._jump(self.loops[-1][1])
            case ast.Continue():
                self._jump(self.loops[-1][0])
            case ast.Pass():
                pass
            case ast.Expr(value=value):
                self._word(value)
                self._emit(Op.DROP)
            case _:
                raise self._fail(node)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name) if name not in self.arrays:
                self._word(value)
                self._set(name)
            case ast.Subscript(value=ast.Name(id=array), slice=index) if array in self.arrays:
                self._word(value)  # before the index, which may read what a call writes
                self._set(".value")
                offset = self._address(array, index, target)
                self._get(".value")
                kind = self.arrays[array]
                self._with(Op.I64_STORE32 if kind == "Ints" else Op.I64_STORE, _SIZES[kind], offset)
            case _:
                raise self._fail(target)

    def _for(self, name: str, bounds: list[ast.expr], body: Sequence[ast.stmt]) -> None:
        first, last = (ast.Constant(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        step = ast.literal_eval(bounds[2]) if len(bounds) == 3 else 1
        counter, limit = self._fresh("turn"), self._fresh("limit")
        self._word(first)
        self._word(last)
        self._set(limit, counter)
        end, head = self._open(Op.BLOCK), self._open(Op.LOOP)
        self._get(counter, limit)
        self._emit(Op.I64_GE_S if step > 0 else Op.I64_LE_S)
        self._jump(end, Op.BR_IF)
        self._get(counter)
        self._set(name)
        again = self._open(Op.BLOCK)
        self._loop(body, again, end)
        self._close()
        self._get(counter)
        self._constant(step)
        self._emit(Op.I64_ADD)
        self._set(counter)
        self._jump(head)
        self._close(2)

    def _fresh(self, word: str) -> str:
        """The name of a new local."""
        name = f".{word}.{len(self.locals)}"
        self._local(name)
        return name

    # Expressions ------------------------------------------------------------------------------

    def _word(self, node: ast.expr) -> None:
        if self._value(node):
            self._emit(Op.I64_EXTEND_I32_U)

    def _truth(self, node: ast.expr) -> None:
        match node:
            case ast.BoolOp(op=op, values=[first, *rest]):
                self._truth(first)
                if rest:
                    others = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(op, rest), node)
                    self._junction(isinstance(op, ast.And), others)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._truth(operand)
                self._emit(Op.I32_EQZ)
            case _:
                if not self._value(node):
                    self._constant(0)
                    self._emit(Op.I64_NE)

    def _junction(self, is_conjunction: bool, others: ast.expr) -> None:
        """Go on with the others where the truth value so far does not decide."""
        self._open(Op.IF, Type.I32)
        if is_conjunction:
            self._truth(others)
            self._emit(Op.ELSE)
            self._decided(0)
        else:
            self._decided(1)
            self._emit(Op.ELSE)
            self._truth(others)
        self._close()

    def _decided(self, truth: int) -> None:
        self._emit(Op.I32_CONST)
        self.code += signed(truth)

    def _value(self, node: ast.expr) -> bool:
        """Push a value; returns whether it is a truth value, an i32."""
        match node:
            case ast.Constant(value=bool() as truth):
                self._decided(truth)
                return True
            case ast.Constant(value=int() as number):
                self._constant(number)
            case ast.Name(id=name) if name in self.locals and name not in self.arrays:
                self._get(name)
            case ast.Subscript(value=ast.Name(id=array), slice=index):
                offset = self._address(array, index, node)
                kind = self._kind(array, node)
                self._with(Op.I64_LOAD32_S if kind == "Ints" else Op.I64_LOAD, _SIZES[kind], offset)
            case ast.BinOp(left=left, op=op, right=right):
                self._arithmetic(op, left, right, node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                self._constant(0)
                self._word(operand)
                self._emit(Op.I64_SUB)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                self._word(operand)
                self._constant(-1)
                self._emit(Op.I64_XOR)
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
                self._truth(node)
                return True
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=others)]):
                self._among(left, others)
                return True
            case ast.Compare(left=left, ops=ops, comparators=others):
                self._comparison(left, ops, others, node)
                return True
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                self._truth(test)
                self._open(Op.IF, Type.I64)
                self._word(body)
                self._emit(Op.ELSE)
                self._word(otherwise)
                self._close()
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                self._call(name, arguments, node)
            case _:
                raise self._fail(node)
        return False

    def _kind(self, array: str, node: ast.expr) -> str:
        """The kind of array of a parameter or a table of constants."""
        if array in self.arrays:
            return self.arrays[array]
        table = self.names.get(array)
        if not isinstance(table, tuple):
            raise self._fail(node)
        return self.tables.place(array, table)[1]

    def _address(self, array: str, index: ast.expr, node: ast.expr) -> int:
        """Push where an element lies; returns the offset to it, which the access adds."""
        size = _SIZES[self._kind(array, node)]
        offset = 0
        match index:
            case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int() as more)) if 0 <= more << size < START:
                index, offset = left, more << size
        self._word(index)
        self._emit(Op.I32_WRAP_I64, Op.I32_CONST)
        self.code += signed(size)
        self._emit(Op.I32_SHL)
        if array in self.arrays:
            self._get(array)
        else:  # not in the offset, which does not wrap: what is read before a table is not used, but must not trap
            self._emit(Op.I32_CONST)
            self.code += signed(self.tables.places[array][0])
        self._emit(Op.I32_ADD)
        return offset

    def _arithmetic(self, op: ast.operator, left: ast.expr, right: ast.expr, node: ast.AST) -> None:
        self._word(left)
        match op, right:
            case ast.FloorDiv() | ast.Mod(), ast.Constant(value=int() as number) if number > 0 and number & (number - 1) == 0:
                is_quotient = isinstance(op, ast.FloorDiv)
                self._constant(number.bit_length() - 1 if is_quotient else number - 1)
                self._emit(Op.I64_SHR_S if is_quotient else Op.I64_AND)
            case ast.FloorDiv() | ast.Mod(), _:
                self._word(right)
                self._division(isinstance(op, ast.FloorDiv))
            case _ if type(op) in _INFIX:
                self._word(right)
                self._emit(_INFIX[type(op)])
            case _:
                raise self._fail(node)

    def _division(self, is_quotient: bool) -> None:
        """Divide what has been pushed, rounding down."""
        self._set(".right", ".left")
        if is_quotient:
            self._get(".left", ".right")
            self._emit(Op.I64_DIV_S)
        self._get(".left", ".right")
        self._emit(Op.I64_REM_S)
        self._set(".rest")
        if not is_quotient:
            self._get(".rest", ".right")
            self._constant(0)
        self._get(".rest")
        self._constant(0)
        self._emit(Op.I64_NE)
        self._get(".rest", ".right")
        self._emit(Op.I64_XOR)
        self._constant(0)
        self._emit(Op.I64_LT_S, Op.I32_AND)  # it is inexact, and the signs differ
        self._emit(*((Op.I64_EXTEND_I32_U, Op.I64_SUB) if is_quotient else (Op.SELECT, Op.I64_ADD)))

    def _comparison(self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr], node: ast.expr) -> None:
        """Chained comparisons are not short-circuited: their middle terms have no effects."""
        self._word(left)
        for number, (op, other) in enumerate(zip(ops, others, strict=True)):
            if type(op) not in _COMPARE:
                raise self._fail(node)
            middle = self._fresh("middle") if number < len(ops) - 1 else ""
            self._word(other)
            if middle:
                self._with(Op.LOCAL_TEE, self._local(middle))
            self._emit(_COMPARE[type(op)], *((Op.I32_AND,) if number else ()))
            if middle:
                self._get(middle)

    def _among(self, left: ast.expr, others: list[ast.expr]) -> None:
        held = self._fresh("held")
        self._word(left)
        self._set(held)
        self._decided(0)
        for other in others:
            self._get(held)
            self._word(other)
            self._emit(Op.I64_EQ, Op.I32_OR)

    def _call(self, name: str, arguments: list[ast.expr], node: ast.expr) -> None:
        if name in self.functions:
            kinds = [kind for _, kind in parameters(self.functions[name].node)]
            if len(kinds) != len(arguments):
                raise self._fail(node)
            for kind, argument in zip(kinds, arguments, strict=True):
                self._argument(kind, argument, node)
            self._with(Op.CALL, self.numbers[name])
            return
        for argument in arguments:
            self._word(argument)
        match name, len(arguments):
            case "latest" | "wrap", 1:
                pass
            case "abs", 1:
                self._set(".left")
                self._constant(0)
                self._get(".left")
                self._emit(Op.I64_SUB)
                self._get(".left", ".left")
                self._constant(0)
                self._emit(Op.I64_LT_S, Op.SELECT)
            case _, 1 if name in _BITS:
                self._emit(_BITS[name])
            case _, 2 if name in _EXTREMES:
                self._set(".right", ".left")
                self._get(".left", ".right", ".left", ".right")
                self._emit(_EXTREMES[name], Op.SELECT)
            case _, 2 if name in _WORDS:
                self._emit(_WORDS[name])
            case _:
                raise self._fail(node)

    def _argument(self, kind: str, argument: ast.expr, node: ast.expr) -> None:
        if kind not in ARRAYS:
            self._word(argument)
        elif isinstance(argument, ast.Name) and self.arrays.get(argument.id) == kind:
            self._get(argument.id)
        else:
            raise self._fail(node)
