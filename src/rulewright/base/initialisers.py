"""The `__init__` of a record, from code that all classes of the same outline share.

Compiling is what takes long, so an outline (which attributes are arguments, which have a factory) is compiled once, with
placeholders for names, and the names of a class are put into a copy of that code.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from attrs import NOTHING


class Field:
    """An attribute of a record, with the members of `attrs.Attribute` that attrs' functions on classes read.

    `preset` is its default value; `factory` makes one anew for each object, from the object itself if `reads_self`.
    """

    __slots__ = ("alias", "eq", "eq_key", "factory", "init", "kw_only", "name", "preset", "reads_self", "repr")

    def __init__(
        self,
        preset: object = NOTHING,
        factory: Callable[..., object] | None = None,
        init: bool = True,
        repr: bool = True,
        eq: bool | Callable[[Any], object] = True,
        kw_only: bool = False,
    ) -> None:
        self.preset, self.factory, self.reads_self = preset, factory, False
        self.init, self.repr, self.kw_only = init, repr, kw_only
        self.eq = bool(eq)
        self.eq_key = eq if callable(eq) else None

    def named(self, name: str) -> Field:
        """The same attribute under the name that the class gives it; as an argument it has no leading underscore."""
        self.name = name
        self.alias = name.lstrip("_")
        return self

    def default(self, method: Callable[[Any], object]) -> Callable[[Any], object]:
        """A decorator of the method that makes its default value."""
        self.factory, self.reads_self = method, True
        return method

    @property
    def is_optional(self) -> bool:
        """Whether it has a default value."""
        return self.preset is not NOTHING or self.factory is not None


def initialiser(
    made: type, fields: Sequence[Field], setters: Mapping[str, Callable[[Any, object], None]], is_frozen: bool
) -> FunctionType:
    """An `__init__` that assigns each attribute, or, of a frozen class, calls the setter of its slot."""
    positional = [each for each in fields if each.init and not each.kw_only]
    named = [each for each in fields if each.init and each.kw_only]
    optional = [each.is_optional for each in positional]
    if optional != sorted(optional):
        raise TypeError(f"an attribute of `{made.__qualname__}` without a default comes after one with a default")
    arguments = {each.name: f"a{number}" for number, each in enumerate(fields)}
    parameters = ["self", *(arguments[each.name] for each in positional)]
    if named:
        parameters += ["*", *(arguments[each.name] for each in named)]
    known: dict[str, object] = {"NOTHING": NOTHING, "__builtins__": builtins}
    lines = []
    for number, each in enumerate(fields):
        known |= {f"set{number}": setters[each.name], f"make{number}": each.factory, f"preset{number}": each.preset}
        if value := _value(number, each):
            lines.append(f"set{number}(self, {value})" if is_frozen else f"self.set{number} = {value}")
    if hasattr(made, "__attrs_post_init__"):
        known["more"] = made.__attrs_post_init__
        lines.append("more(self)")
    outline = _outline(", ".join(parameters), tuple(lines))
    assigned = {} if is_frozen else {f"set{number}": each.name for number, each in enumerate(fields)}
    code = outline.replace(
        co_varnames=("self", *(each.alias for each in (*positional, *named))),
        co_names=tuple(assigned.get(name, name) for name in outline.co_names),
        co_qualname=f"{made.__qualname__}.__init__",
    )
    function = FunctionType(code, known, "__init__", tuple(each.preset for each in positional if each.is_optional))
    function.__kwdefaults__ = {each.alias: each.preset for each in named if each.is_optional}
    return function


def _value(number: int, each: Field) -> str:
    """What an attribute is set to: its argument `aN`, what its factory makes, or its default; `` if it is not set."""
    made = f"make{number}({'self' if each.reads_self else ''})" if each.factory is not None else ""
    if not each.init:
        return made or ("" if each.preset is NOTHING else f"preset{number}")
    return f"{made} if a{number} is NOTHING else a{number}" if made else f"a{number}"


@cache
def _outline(parameters: str, lines: tuple[str, ...]) -> CodeType:
    """The code of an `__init__`."""
    known: dict[str, FunctionType] = {}
    exec("\n ".join((f"def __init__({parameters}):", *lines, "return None")), known)
    return known["__init__"].__code__
