"""Expressions of the compiled subset, lowered from records to arrays and integers; each with what it is. See lowering.py."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from attrs import field

from rulewright.base.records import define

from .bundles import AnyType, ArrayType, Bundle, BundleType, bundle_layout
from .nodes import name_node, number_node, product_node, sum_node, word_node
from .records import WORD, Record, RecordType, RunType, Stride, WordType, index_of, record_layout, size_of
from .signatures import ArrayName, Index, Kind, Parts, Signature, Signatures, common, expanded
from .to_llvm import NotInSubset


@define(eq=False)
class Expressions:
    """Expressions of one function. `locals` has the kind of each name that is no constant, `called` the functions it calls."""

    name: str
    names: Mapping[str, Any]
    signatures: Signatures
    signature: Signature
    locals: dict[str, Kind] = field(factory=dict)
    called: dict[str, None] = field(factory=dict)
    count: int = 0

    def fail(self, node: ast.AST, why: str = "") -> NotInSubset:
        line = getattr(node, "lineno", 0)
        return NotInSubset(f"{self.name}, line {line}: {ast.unparse(node)}{': ' if why else ''}{why}")

    def made(self, value: ast.expr) -> tuple[type[Bundle], list[ast.expr]] | None:
        """The class of a bundle that is made there, and its parts."""
        match value:
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=named) if name not in self.signatures:
                bundle = self.names.get(name)
                if isinstance(bundle, type) and issubclass(bundle, Bundle):
                    parts = bundle_layout(bundle).parts
                    given = self.in_order(value, list(parts), arguments, named)
                    return bundle, [part for t, a in zip(parts.values(), given, strict=True) for part in self.passed(t, a)[0]]
        return None

    def passed(self, type: AnyType, argument: ast.expr) -> tuple[list[ast.expr], Kind]:
        """An argument as what the lowered function is given, and what it is."""
        if type is WORD:
            return [self.word(argument)], WORD
        made = self.made(argument)
        if made is not None:
            if isinstance(type, BundleType) and not type.sharing.arrays and issubclass(made[0], type.bundle):
                return made[1], None
            raise self.fail(argument, "another type")
        value, kind = self.expression(argument)
        match type, kind:
            case ArrayType(wanted), ArrayName(found) if wanted == found:
                return [value], kind
            case BundleType(bundle), Parts(found, path) if issubclass(found, bundle):
                return [name_node(self.signature.actual(part), argument) for part, _ in expanded(path, type)], kind
            case RunType(memory="", kind=wanted), Index(RunType(), array) if self.signature.arrays[array] == wanted:
                return [name_node(array, argument), value], kind
            case RunType() | RecordType(), Index():
                return [value], kind
            case _:
                raise self.fail(argument, "another type")

    def word(self, node: ast.expr) -> ast.expr:
        """An expression that must be an integer or a truth value."""
        lowered, kind = self.expression(node)
        if kind is not WORD:
            raise self.fail(node, "no integer")
        return lowered

    def expression(self, node: ast.expr) -> tuple[ast.expr, Kind]:
        match node:
            case ast.Constant():
                return node, WORD
            case ast.Name(id=name):
                kind = self.locals.get(name, WORD)
                return (name_node(kind.name, node), kind) if isinstance(kind, ArrayName) else (node, kind)
            case ast.Subscript() | ast.Attribute():
                return self.access(node)[:2]
            case ast.BinOp(left=left, right=right):
                node.left, node.right = self.word(left), self.word(right)
            case ast.Compare(left=left, comparators=others):
                node.left, kind = self.expression(left)
                if kind is not WORD and not isinstance(kind, Index):
                    raise self.fail(left, "not to be compared")
                node.comparators = [self.alike(other, kind) for other in others]
            case ast.BoolOp(values=values):
                node.values = [self.word(value) for value in values]
            case ast.UnaryOp(operand=operand):
                node.operand = self.word(operand)
            case ast.Call():
                return self.call(node)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                node.test = self.word(test)
                node.body, kind = self.expression(body)
                node.orelse = self.alike(otherwise, kind)
                if kind is not WORD and not isinstance(kind, Index):
                    raise self.fail(node)
                return node, kind
            case _:
                raise self.fail(node)
        return node, WORD

    def alike(self, node: ast.expr, kind: Kind) -> ast.expr:
        """An expression that must be of that kind, or a tuple of such."""
        if isinstance(node, ast.Tuple):
            node.elts = [self.alike(element, kind) for element in node.elts]
            return node
        lowered, other = self.expression(node)
        if other != kind:
            raise self.fail(node, "another type")
        return lowered

    def place(self, target: ast.expr) -> tuple[ast.expr, Kind]:
        """An element or a field to assign to."""
        if isinstance(target, ast.Subscript | ast.Attribute):
            place, kind, stored = self.access(target)
            if stored and isinstance(place, ast.Subscript):
                place.ctx = ast.Store()
                return place, kind
        raise self.fail(target, "not to be assigned")

    def access(self, node: ast.Subscript | ast.Attribute) -> tuple[ast.expr, Kind, bool]:
        """An element or a field, what it is, and whether it is a word of an array."""
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        array, kind = self.expression(node.value)
        match kind:
            case ArrayName():
                node.value, node.slice = array, self.word(node.slice)
                return node, WORD, True
            case Index(RunType()) if isinstance(node.slice, ast.Slice):
                if node.slice.lower is None or node.slice.upper is not None or node.slice.step is not None:
                    raise self.fail(node, "only `run[n:]` is a run")
                return self._moved(array, kind, self.word(node.slice.lower), node), kind, False
            case Index(RunType()):
                return self.element(array, kind, self.word(node.slice), node)
            case WordType() if isinstance(array, ast.Name) and isinstance(self.names.get(array.id), tuple):
                node.slice = self.word(node.slice)
                return node, WORD, False
            case _:
                raise self.fail(node, "neither an array nor a run")

    def element(self, run: ast.expr, kind: Index, index: ast.expr, at: ast.AST) -> tuple[ast.expr, Kind, bool]:
        assert isinstance(kind.type, RunType)
        place = self._moved(run, kind, index, at)
        element = kind.type.element
        if element is WORD or kind.type.by_reference:
            return word_node(kind.array, place, at), self.signature.bind(element, kind.array), True
        return place, Index(element, kind.array), False  # type: ignore[arg-type]

    def _moved(self, run: ast.expr, kind: Index, index: ast.expr, at: ast.AST) -> ast.expr:
        """Where the element of that index begins."""
        match kind.type:
            case RunType(stride=None, element=RecordType(record), by_reference=False):
                return sum_node(run, product_node(index, size_of(record), at), at)
            case RunType(stride=None):
                return sum_node(run, index, at)
            case RunType(stride=Stride(name, times, plus)):
                step = sum_node(product_node(self._stride(name, kind.array, at), times, at), plus, at)
                return sum_node(run, product_node(index, step, at), at)
            case _:
                raise self.fail(at, "no run")

    def _stride(self, name: str, near: str, at: ast.AST) -> ast.expr:
        """A field of a bundle, the nearest of several, or a constant."""
        having = [parts for parts in self.signature.bundles if bundle_layout(parts.bundle).has(name)]
        if not having:
            if not isinstance(self.names.get(name), int):
                raise self.fail(at, f"there is no `{name}`")
            return name_node(name, at)
        parts = max(having, key=lambda parts: common(parts.path, near))
        return self._bundle_field(parts, name, at)[0]

    def _attribute(self, node: ast.Attribute) -> tuple[ast.expr, Kind, bool]:
        if isinstance(node.value, ast.Name) and node.value.id not in self.locals:
            members = self.names.get(node.value.id)
            if isinstance(members, type) and issubclass(members, IntEnum) and node.attr in members.__members__:
                return number_node(int(members[node.attr]), node), WORD, False
        value, kind = self.expression(node.value)
        match kind:
            case Parts():
                return self._bundle_field(kind, node.attr, node)
            case Index(RecordType(record), array):
                found = record_layout(record).get(node.attr)
                if found is None:
                    raise self.fail(node, f"{record.__name__} has no {node.attr}")
                place = sum_node(value, found.offset, node)
                if found.length is not None:
                    return place, self.signature.bind(found.of, array), False
                return word_node(array, place, node), self.signature.bind(found.of, array), True
            case _:
                raise self.fail(node, "neither a bundle nor a record")

    def _bundle_field(self, parts: Parts, name: str, at: ast.AST) -> tuple[ast.expr, Kind, bool]:
        layout, path = bundle_layout(parts.bundle), f"{parts.path}.{name}"
        if name in layout.entries:
            declared, type = layout.entries[name]
            array = self.signature.actual(f"{parts.path}.{declared.array}")
            return word_node(array, number_node(declared.number, at), at), self.signature.bind(type, array), True
        if name in layout.starts:
            start, run = layout.starts[name]
            array = self.signature.actual(f"{parts.path}.{start.array}")
            return number_node(layout.heads.get(start.array, 0), at), self.signature.bind(run, array), False
        if name not in layout.parts:
            raise self.fail(at, f"{parts.bundle.__name__} has no {name}")
        return name_node(self.signature.actual(path), at), self.signature.of_parameter(path, layout.parts[name]), False

    # Calls ------------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> tuple[ast.expr, Kind]:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in self.signatures:
                return self._call_function(node, self.signatures[name])
            case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if self.names.get(name) is index_of:
                lowered, kind = self.expression(value)
                if not isinstance(kind, Index):
                    raise self.fail(node, "no index")
                return lowered, WORD
            case ast.Call(func=ast.Name(id=name), args=[ast.Name() as value]) if self.names.get(name) is size_of:
                return number_node(size_of(self._record(value)), node), WORD
            case ast.Call(func=ast.Name(), args=arguments, keywords=[]):
                node.args = [self.word(argument) for argument in arguments]
                return node, WORD
            case ast.Call(func=ast.Attribute(value=ast.Name() as named, attr="at" | "run_at" as way), args=[home, index]):
                record = RecordType(self._record(named))
                _, parts = self.expression(home)
                if not isinstance(parts, Parts):
                    raise self.fail(home, "no bundle")
                array = self.signature.resolve(record.record.memory, parts.path)
                return self.word(index), Index(record if way == "at" else RunType(record, False, None), array)
            case _:
                raise self.fail(node)

    def _record(self, node: ast.Name) -> type[Record]:
        found = self.names.get(node.id)
        if not isinstance(found, type) or not issubclass(found, Record):
            raise self.fail(node, "no record")
        return found

    def in_order(
        self, node: ast.Call, names: Sequence[str], given: Sequence[ast.expr], named: Sequence[ast.keyword]
    ) -> list[ast.expr]:
        """Arguments in the order of the parameters."""
        by_name = dict(zip(names, given, strict=False)) | {word.arg: word.value for word in named if word.arg in names}
        if len(given) + len(named) != len(names) or len(by_name) != len(names):
            raise self.fail(node, f"there are {len(names)} arguments")
        return [by_name[name] for name in names]

    def _call_function(self, node: ast.Call, called: Signature) -> tuple[ast.expr, Kind]:
        self.called[called.function] = None
        arguments = self.in_order(node, list(called.parameters), node.args, node.keywords)
        lowered: list[ast.expr] = []
        indices: list[tuple[ast.expr, Index, Kind]] = []
        for (name, type), argument in zip(called.parameters.items(), arguments, strict=True):
            parts, kind = self.passed(type, argument)
            lowered += parts
            if isinstance(kind, Index):
                indices.append((argument, kind, called.of_parameter(name, type)))
        arrays = self._arrays_passed(node, called, lowered)
        for argument, given, taken in indices:
            if not isinstance(taken, Index) or taken.type != given.type or arrays[taken.array] != given.array:
                raise self.fail(argument, "another type, or in another array")
        node.args, node.keywords = lowered, []
        if called.returns is None:
            return node, None
        result = called.bind(called.returns)
        return node, Index(result.type, arrays[result.array]) if isinstance(result, Index) else result

    def _arrays_passed(self, node: ast.Call, called: Signature, lowered: Sequence[ast.expr]) -> dict[str, str]:
        """Which array each one of a function called is. None may be there twice: the compiler counts on that."""
        found = {
            name: argument.id
            for (name, kind), argument in zip(called.lowered, lowered, strict=True)
            if kind != "int" and isinstance(argument, ast.Name)
        }
        if len(set(found.values())) != len(found):
            raise self.fail(node, "an array is passed twice")
        return found
