"""The parameters of a function of the subset: as written, on symbolic arrays, and flattened to arrays and integers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulewright.base.records import define, field

from .bundles import FORMATS, Bundle, parameter_type, parts_of
from .records import Record, Run, view
from .refusal import NotInSubset
from .symbols import Emit, Symbol, Word, name_of

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
