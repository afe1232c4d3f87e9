"""Functions of the compiled subset by their parameters: as written, with records, and as lowered, with arrays and integers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen

from .bundles import AnyType, ArrayType, Bundle, BundleType, bundle_layout, type_of
from .records import WORD, FieldType, RecordType, RunType, WordType
from .to_llvm import NotInSubset

SIMPLE: dict[str, AnyType] = {"int": WORD, "bool": WORD, **{kind: ArrayType(kind) for kind in ("Ints", "Longs", "Shared")}}


@frozen
class Index:
    """What an integer is the index of: a record or a run of an array, by the array's lowered name."""

    type: RecordType | RunType
    array: str


@frozen
class ArrayName:
    kind: str
    name: str


@frozen
class Parts:
    """A bundle, whose parts have lowered names that begin with the path."""

    bundle: type[Bundle]
    path: str


Kind = WordType | Index | ArrayName | Parts | None
"""What an expression is; None: nothing, which a function without a result gives."""


@define(eq=False)
class Signature:
    """Parameters as written, and as lowered: names with `int` or the kind of an array."""

    function: str
    line: int
    parameters: Mapping[str, AnyType]
    returns: FieldType | None
    lowered: list[tuple[str, str]] = field(factory=list)
    bundles: list[Parts] = field(factory=list)
    shared: dict[str, str] = field(factory=dict)
    resolved: dict[tuple[str, str], str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for name, type in self.parameters.items():
            self.lowered += expanded(name, type)
            self.bundles += _nested(name, type)
            self.shared.update(_shared(name, type))

    @cached_property
    def arrays(self) -> dict[str, str]:
        return {name: kind for name, kind in self.lowered if kind != "int"}

    def actual(self, path: str) -> str:
        """The lowered name of a part: its path, or that of what it shares."""
        while path in self.shared:
            path = self.shared[path]
        return path

    def resolve(self, memory: str, near: str = "") -> str:
        """The array of that name: of several the one whose path has most in common with another's. Raises `NotInSubset`."""
        if (memory, near) not in self.resolved:
            named = [name for name in self.arrays if name.rpartition(".")[2] == memory]
            most = max((common(name, near) for name in named), default=0)
            best = [name for name in named if common(name, near) == most]
            if len(best) != 1:
                why = "there is no array" if not best else f"{', '.join(best)}: which is the array"
                raise NotInSubset(f"{self.function}, line {self.line}: {why} `{memory}`")
            self.resolved[memory, near] = best[0]
        return self.resolved[memory, near]

    def bind(self, type: FieldType, near: str = "") -> WordType | Index:
        """What a value of that type is which was read from the array `near`."""
        match type:
            case WordType():
                return WORD
            case RecordType(record):
                return Index(type, self.resolve(record.memory, near))
            case RunType(element, by_reference, stride, memory):
                array = self.resolve(memory, near) if memory else near
                return Index(RunType(element, by_reference, stride), array)

    def of_parameter(self, name: str, type: AnyType) -> Kind:
        match type:
            case ArrayType(kind):
                return ArrayName(kind, self.actual(name))
            case BundleType(bundle):
                return Parts(bundle, name)
            case RunType(memory=""):
                return self.bind(type, f"{name}.array")
            case _:
                return self.bind(type, name)


def expanded(name: str, type: AnyType) -> Iterator[tuple[str, str]]:
    """A parameter or a part of a bundle as lowered names, with `int` or the kind of an array."""
    match type:
        case ArrayType(kind):
            yield name, kind
        case BundleType(bundle, sharing):
            shared = dict(sharing.arrays)
            for part, inner in bundle_layout(bundle).parts.items():
                if part not in shared:
                    yield from expanded(f"{name}.{part}", inner)
        case RunType(memory="", kind=kind):
            yield f"{name}.array", kind
            yield name, "int"
        case _:
            yield name, "int"


def _nested(name: str, type: AnyType) -> Iterator[Parts]:
    """A bundle, and those in it."""
    if isinstance(type, BundleType):
        yield Parts(type.bundle, name)
        for part, inner in bundle_layout(type.bundle).parts.items():
            yield from _nested(f"{name}.{part}", inner)


def _shared(name: str, type: AnyType) -> Iterator[tuple[str, str]]:
    """Paths in a bundle with the paths of what they share."""
    if isinstance(type, BundleType):
        around = name.rpartition(".")[0]
        yield from ((f"{name}.{part}", f"{around}.{path}") for part, path in type.sharing.arrays)
        for part, inner in bundle_layout(type.bundle).parts.items():
            yield from _shared(f"{name}.{part}", inner)


def common(one: str, other: str) -> int:
    """How many names two paths have in common at their beginning."""
    count = 0
    for mine, theirs in zip(one.split("."), other.split("."), strict=False):
        if mine != theirs:
            break
        count += 1
    return count


@define(eq=False)
class Signatures:
    functions: Mapping[str, tuple[ast.FunctionDef, Mapping[str, Any]]]
    found: dict[str, Signature] = field(factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.functions

    def __getitem__(self, name: str) -> Signature:
        if name not in self.found:
            node, names = self.functions[name]
            given: dict[str, AnyType] = {}
            for argument in node.args.args:
                if argument.annotation is None:
                    raise NotInSubset(f"{name}: the type of {argument.arg}")
                given[argument.arg] = annotated(argument.annotation, names, name)
            returns: Any = WORD
            if isinstance(node.returns, ast.Constant) and node.returns.value is None:
                returns = None
            elif node.returns is not None:
                returns = annotated(node.returns, names, name)
            if isinstance(returns, ArrayType | BundleType) or (isinstance(returns, RunType) and not returns.memory):
                raise NotInSubset(f"{name}: the type of its result")
            self.found[name] = Signature(name, node.lineno, given, returns)
        return self.found[name]


def annotated(node: ast.expr, names: Mapping[str, Any], function: str) -> AnyType:
    """The type that an annotation of a function says. Raises `NotInSubset`."""
    simple = SIMPLE.get(node.id) if isinstance(node, ast.Name) else None
    if simple is not None:
        return simple
    try:
        return type_of(eval(compile(ast.Expression(node), "<annotation>", "eval"), dict(names)))
    except (NameError, TypeError) as error:
        raise NotInSubset(f"{function}, line {node.lineno}: {ast.unparse(node)}: {error}") from error
