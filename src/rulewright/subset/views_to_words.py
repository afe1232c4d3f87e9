"""The pass that replaces bundles, records and runs by arrays and integers: it runs a function on symbolic arrays.

The views of records.py compute where a field or an element lies; their reads and writes become expressions and statements. A
local name has the type of the first value assigned to it.

The parameters of a function are known in three forms: as written, on symbolic arrays, flattened to arrays and integers.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import EnumMeta
from functools import cached_property
from typing import Any

from rulewright.base.records import define, field

from .bundles import FORMATS, Bundle, parameter_type, parts_of
from .intrinsics import Ints
from .records import Record, Run, index_of, size_of, view
from .refusal import NotInSubset
from .symbols import Emit, Symbol, Word, name_of, node_of


@define(eq=False)
class FunctionLowering:
    """The lowering of one function. `program` has all functions, `locals` the symbolic value of each name."""

    node: ast.FunctionDef
    names: Mapping[str, Any]
    program: Mapping[str, FunctionLowering]
    locals: dict[str, Value] = field(factory=dict)
    statements: list[ast.stmt] = field(factory=list)
    place: ast.AST = field(factory=ast.Pass)
    count: int = 0

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.node, self.names, self._emit)

    def lowered(self) -> ast.FunctionDef:
        """The function on arrays and integers. Raises `NotInSubset`."""
        self.locals |= self.signature.parameters
        found, flat = copy(self.node), self.signature.flat
        kinds = [(p.name, p.kind.__name__) if isinstance(p, Symbol) else (ast.unparse(p.node), "int") for p in flat]
        found.args = ast.arguments([], [ast.arg(name, name_of(kind)) for name, kind in kinds], None, [], [], None, [])
        found.returns = name_of("int")
        found.body = self._body(self.node.body)
        return ast.fix_missing_locations(found)

    def _fail(self, node: ast.AST, why: object = "") -> NotInSubset:
        line = getattr(node, "lineno", 0)
        return NotInSubset(f"{self.node.name}, line {line}: {ast.unparse(node)}{': ' if why else ''}{why}")

    # Statements -------------------------------------------------------------------------------

    def _emit(self, statement: ast.stmt) -> None:
        self.statements.append(ast.copy_location(statement, self.place))

    def _body(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        outer = self.statements, self.place
        self.statements = found
        for statement in body:
            self.place = statement
            self._statement(statement)
        self.statements, self.place = outer
        return found or [ast.Pass()]

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self._value(value), node)
            case ast.AugAssign(target=target, op=op, value=value):
                old: Any = copy(self._word(target))
                if not isinstance(old, ast.Name if isinstance(target, ast.Name) else ast.Subscript):
                    raise self._fail(target, "not to be assigned")
                old.ctx = ast.Store()
                self._emit(ast.AugAssign(old, op, self._word(value)))
            case ast.If(test=test, body=body, orelse=otherwise):
                self._emit(ast.If(self._word(test), self._body(body), self._body(otherwise) if otherwise else []))
            case ast.While(test=test, body=body, orelse=[]):
                self._emit(ast.While(self._word(test), self._body(body), []))
            case ast.For(target=ast.Name(id=name) as target, iter=ast.Call(func=ast.Name(id="range")) as call, orelse=[]):
                bounds = [self._word(bound) for bound in call.args]
                self._declare(name, Word(name_of(name)), node)
                self._emit(ast.For(target, ast.Call(call.func, bounds, []), self._body(node.body), []))
            case ast.Return(value=value):
                self._emit(ast.Return(None if value is None else self._word(value)))
            case ast.Expr(value=ast.Call() as value):
                found = self._call(value)
                if isinstance(found, Word):
                    self._emit(ast.Expr(found.node))
            case ast.Break() | ast.Continue():
                self._emit(node)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise self._fail(node)

    def _assign(self, target: ast.expr, value: Any, node: ast.AST) -> None:
        if isinstance(target, ast.Name):
            self._declare(target.id, self._named(target.id, value, node), node)
            return
        old = self._value(target)
        try:
            match target:
                case ast.Attribute(value=owner, attr=attribute):
                    setattr(self._value(owner), attribute, value)
                case ast.Subscript(value=owner, slice=index):
                    self._value(owner)[self._place(index)] = value
                case _:
                    raise self._fail(node)
        except (AttributeError, TypeError):
            raise self._fail(target, "not to be assigned") from None
        if place_of(old) != place_of(value):
            raise self._fail(node, "another type")

    def _declare(self, name: str, value: Value, node: ast.AST) -> None:
        if place_of(self.locals.setdefault(name, value)) != place_of(value):
            raise self._fail(node, f"{name} has another type")

    def _named(self, name: str, value: Any, node: ast.AST) -> Any:
        """Assign the integers of a value to names; returns the value made of those names."""
        match value:
            case Word() | int():
                self._emit(ast.Assign([ast.Name(name, ast.Store())], node_of(value)))
                return Word(name_of(name))
            case Record() | Run():
                held = copy(value)
                held.index = self._named(name, value.index, node)
                return held
            case Bundle() if name in self.locals:
                raise self._fail(node, "only once does a bundle get a name")
            case Bundle():
                parts = {part: self._named(f"{name}.{part}", getattr(value, part), node) for part in parts_of(type(value))}
                return self.signature.bundle(type(value), parts)
            case Symbol():
                return value
            case _:
                raise self._fail(node, "no value")

    # Expressions ------------------------------------------------------------------------------

    def _word(self, node: ast.expr) -> ast.expr:
        """An expression that must be an integer or a truth value."""
        found = self._value(node)
        if not isinstance(found, Word):
            raise self._fail(node, "no integer")
        return found.node

    def _place(self, node: ast.expr) -> Any:
        """An index, for a view that accepts symbols in place of numbers."""
        return Word(self._word(node))

    def _value(self, node: ast.expr) -> Any:
        """The value of an expression: an integer, an array, a view, or a class."""
        match node:
            case ast.Constant():
                return Word(node)
            case ast.Name(id=name):
                return self.locals[name] if name in self.locals else self._constant(node)
            case ast.Attribute(value=value, attr=attribute):
                owner = self._value(value)
                if attribute not in _names_in(owner):
                    raise self._fail(node, f"{type(owner).__name__} has no {attribute}")
                found = getattr(owner, attribute)
                return Word(node_of(found)) if isinstance(found, int) else found
            case ast.Subscript(value=value, slice=index):
                return self._element(self._value(value), index, node)
            case ast.Call(func=ast.Name(id=name)) if name in self.program and not self.program[name].signature.has_result:
                raise self._fail(node, "no value")
            case ast.Call():
                return self._call(node)
            case ast.BinOp() | ast.BoolOp() | ast.UnaryOp() | ast.IfExp() | ast.Compare() | ast.Tuple():
                return Word(type(node)(**{name: self._operands(part) for name, part in ast.iter_fields(node)}))
            case _:
                raise self._fail(node)

    def _operands(self, part: Any) -> Any:
        """Operands as integers; operators unchanged."""
        if isinstance(part, list):
            return [self._operands(one) for one in part]
        return self._word(part) if isinstance(part, ast.expr) else part

    def _constant(self, node: ast.Name) -> Any:
        """The value of a name from outside the function."""
        match self.names.get(node.id):
            case None:
                raise self._fail(node, "no such name")
            case int() as number:
                return Word(node_of(number))
            case tuple():
                return Symbol(node.id, Ints, self._emit)
            case other:
                return other

    def _element(self, owner: Any, index: ast.expr, node: ast.expr) -> Any:
        match index:
            case ast.Slice(lower=ast.expr() as first, upper=None, step=None) if isinstance(owner, Run):
                return owner[self._value(first) :]
            case ast.Slice():
                raise self._fail(node, "only `run[n:]` is a run")
            case _ if isinstance(owner, Run | Symbol):
                return owner[self._place(index)]
            case _:
                raise self._fail(node, "neither an array nor a run")

    # Calls ------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Any:
        """A call: of a lowered function, of a processor operation, or one evaluated during lowering."""
        match node.func:
            case ast.Name(id=name) if name in self.program:
                return self._call_function(node, self.program[name].signature)
            case ast.Name(id=name):
                called = self.names.get(name)
                if called not in (index_of, size_of) and not isinstance(called, type):
                    return Word(ast.Call(node.func, [self._word(argument) for argument in node.args], []))
            case ast.Attribute(value=owner, attr="copy"):
                called = getattr(self._held(self._value(owner), node), "copy", None)
            case _:
                raise self._fail(node)
        given = [self._held(self._value(argument), node) for argument in node.args]
        named = {word.arg: self._value(word.value) for word in node.keywords if word.arg}
        try:
            found = called(*given, **named)  # type: ignore[misc]
        except (AttributeError, TypeError) as error:
            raise self._fail(node, error) from error
        return Word(node_of(found)) if isinstance(found, int) else found

    def _held(self, value: Any, node: ast.AST) -> Any:
        """A record whose index has a name, so that it can be repeated."""
        if not isinstance(value, Record) or isinstance(node_of(value.index), ast.Name | ast.Constant):
            return value
        self.count += 1
        return self._named(f".{self.count}.at", value, node)

    def _call_function(self, node: ast.Call, called: Signature) -> Word:
        parameters = called.parameters
        given = dict(zip(parameters, node.args, strict=False)) | {word.arg or "": word.value for word in node.keywords}
        if len(node.args) + len(node.keywords) != len(given) or given.keys() != parameters.keys():
            raise self._fail(node, f"there are {len(parameters)} arguments")
        values = {name: self._value(given[name]) for name in parameters}
        flat: list[Symbol | Word | int] = []
        for name, parameter in parameters.items():
            try:
                flat += passed_as(values[name], parameter)
            except TypeError as error:
                raise self._fail(given[name], error) from error
        if len(flat) != len(called.flat) or any(isinstance(part, Symbol) and flat.count(part) > 1 for part in flat):
            raise self._fail(node, "an array is passed twice")
        arrays: dict[object, object] = dict(zip(called.flat, flat, strict=True))
        for name, parameter in parameters.items():
            match place_of(parameter), place_of(values[name]):
                case (_, wanted), (_, found) if arrays[wanted] is not found:
                    raise self._fail(given[name], "in another array")
        return Word(ast.Call(node.func, [name_of(p.name) if isinstance(p, Symbol) else node_of(p) for p in flat], []))


def _names_in(owner: Any) -> Collection[str]:
    """The names that may follow a dot: fields of a record, fields and parts of a bundle, members of an enumeration."""
    match owner:
        case Record():
            return owner.fields
        case Bundle():
            return {*owner.fields, *parts_of(type(owner))}
        case EnumMeta():
            return owner.__members__
        case _:
            return ()


# Signatures -----------------------------------------------------------------------------------------------------------

Value = Word | Symbol | Record | Run[Any] | Bundle
"""What a name may denote."""


@define(eq=False)
class Signature:
    """The signature of a function and the names that it sees; `emit` receives statements that write to its arrays."""

    node: ast.FunctionDef
    names: Mapping[str, Any]
    emit: Emit
    arrays: dict[str, Symbol] = field(factory=dict)

    @cached_property
    def parameters(self) -> Mapping[str, Value]:
        """The parameters as written. Raises `NotInSubset`."""
        types = {argument.arg: self._type(argument) for argument in self.node.args.args}
        whole = {n: self._part(n, t, {}) for n, t in types.items() if isinstance(t, type) and not issubclass(t, Record)}
        return {name: whole.get(name) or self._view(name, kind, whole.values()) for name, kind in types.items()}

    @cached_property
    def flat(self) -> Sequence[Symbol | Word]:
        """The parameters of the lowered function."""
        return [part for parameter in self.parameters.values() for part in passed_as(parameter, parameter)]

    @property
    def has_result(self) -> bool:
        return not isinstance(self.node.returns, ast.Constant)

    def bundle(self, kind: type[Bundle], parts: Mapping[str, Any]) -> Bundle:
        """A bundle of symbolic parts whose strides may be constants."""
        made = kind(**parts)
        made.__dict__["constants"] = self.names
        return made

    def _fail(self, node: ast.AST, why: object) -> NotInSubset:
        return NotInSubset(f"{self.node.name}, line {self.node.lineno}: {ast.unparse(node)}: {why}")

    def _type(self, argument: ast.arg) -> Any:
        if argument.annotation is None:
            raise self._fail(argument, "it has no type")
        try:
            return parameter_type(eval(compile(ast.Expression(argument.annotation), "<annotation>", "eval"), {}, self.names))
        except (NameError, TypeError) as error:
            raise self._fail(argument, error) from error

    def _part(self, path: str, kind: type, same: Mapping[str, str]) -> Word | Symbol | Bundle:
        """A parameter, or a part of a bundle; `same` maps the arrays that have a second path."""
        if issubclass(kind, Bundle):
            same = {**same, **{f"{path}.{one}": f"{path}.{other}" for one, other in kind.same.items()}}
            return self.bundle(kind, {n: self._part(f"{path}.{n}", inner, same) for n, inner in parts_of(kind).items()})
        return self._array(same.get(path, path), kind) if kind in FORMATS else Word(name_of(path))

    def _array(self, name: str, kind: type[Any]) -> Symbol:
        return self.arrays.setdefault(name, Symbol(name, kind, self.emit))

    def _view(self, name: str, kind: Any, others: Iterable[Value]) -> Record | Run[Any]:
        """A record or a run: in an array of a bundle among the parameters, or a run with its own array."""
        index: Any = Word(name_of(name))
        if not kind.memory:
            return Run(None, kind, self._array(f"{name}.array", kind.kind), index)
        homes = {bundle.array_named(kind.memory): bundle for bundle in _nested(others) if kind.memory in vars(bundle)}
        if len(homes) != 1:
            raise self._fail(name_of(name), f"{'which is the' if homes else 'there is no'} array `{kind.memory}`")
        found: Record | Run[Any] = view(homes.popitem()[1], kind, None, index)
        return found


def _nested(values: Iterable[object]) -> Iterator[Bundle]:
    """Bundles and those nested in them."""
    for value in values:
        if isinstance(value, Bundle):
            yield value
            yield from _nested(vars(value).values())


def passed_as(value: Any, parameter: Value) -> Sequence[Any]:
    """The arrays and integers that a function receives for an argument. Raises `TypeError` for a wrong type."""
    match value, parameter:
        case Bundle(), Bundle() if isinstance(value, type(parameter)):
            return value.flat_as(type(parameter))
        case Run(), Run(home=None) if value.type == parameter.type:
            return value.words, value.index
        case (Run(), Run()) if value.type == parameter.type:
            return (value.index,)
        case (Record(), Record()) if type(value) is type(parameter):
            return (value.index,)
        case (Word(), Word()) | (Symbol(), Symbol()):
            return (value,)
        case _:
            raise TypeError("another type")


def place_of(value: Any) -> object:
    """The class of a value and the array that a record or a run lies in; all values of a name must agree on it."""
    match value:
        case Record():
            return type(value), value.home.array_named(value.memory)
        case Run():
            return value.type, value.words
        case Symbol():
            return value
        case _:
            return type(value)
