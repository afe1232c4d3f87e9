"""The call of a function during resolution, and the interface that resolves its arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, Protocol

from rulewright.base.diagnostics import suggest
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.linking.symbol_table import Locals, LocalSymbol, SymbolTable
from rulewright.rules.linking.unification import PartialType, SpaceVariable, prune
from rulewright.rules.model import terms, types

# One-line descriptions of the language's functions --------------------------------------------------------------------
# For the reference and for editors.


@frozen
class FunctionForm:
    """A form of call of a function: its arguments, its result, and its meaning."""

    call: str
    result: str
    meaning: str


def _forms() -> Mapping[str, Sequence[FunctionForm]]:
    found: dict[str, list[FunctionForm]] = {}
    for line in Path(__file__).with_name("forms.txt").read_text("utf-8").splitlines():
        form = FunctionForm(*line.split(" | "))
        found.setdefault(form.call.partition("(")[0], []).append(form)
    return found


FUNCTION_FORMS = _forms()
"""The forms of each function by its name, from `forms.txt`: one a line, its call, result and meaning."""


# The call of a function during resolution -----------------------------------------------------------------------------


TRUTH, NUMBER, TILE, PLAYER = types.Truth(), types.Number(), types.Tile(), types.Player()


class Unresolved(Exception):
    """A call whose meaning is unknown: the reason has been reported, or may become known later. Some term stands in for it."""


class ArgumentResolver(Protocol):
    """The interface of the resolver of arguments, which also resolves calls; `TermResolver` implements it."""

    symbols: SymbolTable
    inferring: bool

    def term(self, node: expressions.Expression, locals: Locals, expected: PartialType | None = None) -> terms.Term: ...
    def hinted(self, node: expressions.Expression, locals: Locals, hint: PartialType | None = None) -> terms.Term: ...
    def set(self, node: expressions.Expression, locals: Locals) -> tuple[terms.Term, PartialType]: ...
    def set_of(self, element: PartialType) -> types.Type: ...
    def bound(self, binder: expressions.Binder, locals: Locals) -> tuple[terms.Binder, dict[str, LocalSymbol]]: ...
    def refuse_set(self, type: PartialType, span: Span, message: str, help: str = "", code: str = "RW211") -> None: ...
    def marker(self, node: expressions.Expression, locals: Locals) -> terms.Term: ...
    def space_of(self, *operands: terms.Term) -> str: ...
    def board_of(self, span: Span, *cells: terms.Term) -> str: ...
    def region_space(self, region: terms.Term) -> str: ...
    def mismatch(self, span: Span, expected: PartialType, found: PartialType) -> None: ...
    def stand_in(self, span: Span) -> terms.Term: ...
    def unify_by_default(self, type: PartialType, default: types.Type) -> bool: ...


def once(name: str, value: terms.Term, body: Callable[[terms.Term], terms.Term]) -> terms.Term:
    """Bind a value that is used twice, so that its term occurs once. No text can contain the name."""
    result = body(terms.Local(name, value.type, span=value.span))
    return terms.Let(name, value, result, result.type, span=result.span)


@frozen
class Call:
    """A call during resolution: its arguments, their resolver and their scope."""

    resolver: ArgumentResolver
    arguments: tuple[expressions.Expression, ...]
    span: Span
    locals: Locals
    expected: PartialType | None = None

    def term(self, position: int, expected: PartialType | None = None) -> terms.Term:
        """An argument, of the type `expected` if given."""
        return self.resolver.term(self.arguments[position], self.locals, expected)

    def set(self, position: int) -> tuple[terms.Term, PartialType]:
        """An argument that is a set, and the type of its elements."""
        return self.resolver.set(self.arguments[position], self.locals)

    def marker(self, position: int) -> terms.Term:
        """An argument that is a marker."""
        return self.resolver.marker(self.arguments[position], self.locals)

    def cell(self, position: int) -> tuple[str, terms.Term]:
        """An argument that is a cell, and its space."""
        cell = self.term(position)
        return self.resolver.space_of(cell), cell

    def cell_of_board(self, position: int) -> tuple[str, terms.Term]:
        """An argument that is a cell where a tile may lie, and its space. Reports RW205."""
        cell = self.term(position)
        return self.resolver.board_of(self.span, cell), cell

    def direction(self, position: int) -> tuple[str, terms.Term]:
        """An argument that is a direction of the space expected of the result, and that space."""
        wanted = None if self.expected is None else prune(self.expected)
        if not (isinstance(wanted, types.Direction) and wanted.space):
            wanted = types.Direction(self.resolver.symbols.only_space() or SpaceVariable())
        direction = self.term(position, wanted)
        return self.resolver.space_of(direction), direction

    def number(self, value: int) -> terms.Term:
        """A number at the place of the call."""
        return terms.Constant(value, type=NUMBER, span=self.span)

    def computed(self, first: terms.Term, *rest: tuple[expressions.Operator, terms.Term | int]) -> terms.Term:
        """What some operations make of a number, from left to right."""
        operands = ((by, self.number(other) if isinstance(other, int) else other) for by, other in rest)
        return terms.Arithmetic(first, tuple(operands), span=self.span)

    def named(self, known: Collection[str], code: str, what: str, otherwise: str) -> str:
        """The name that is the first argument. Reports any that is not known, with a help if none is near."""
        node = self.arguments[0]
        name = node.text if isinstance(node, expressions.Name) else ""
        if name not in known:
            self.fail(code, f"there is no {what} `{name or '?'}`", suggest(name, known, otherwise), node.span)
        return name

    def fail(self, code: str, message: str, help: str, span: Span | None = None) -> NoReturn:
        """Report an error in the call, or in a part of it, that leaves it without a meaning."""
        self.resolver.symbols.sink.error(code, message, span or self.span, help=help)
        raise Unresolved

    def refuse(self, code: str, message: str, help: str) -> None:
        """Report an error in the whole call; not during type inference, when a space may still be unknown."""
        self.resolver.symbols.sink.error(code, message, self.span, help=help)

    def shape(self, space: str) -> Shape | None:
        """The shape of a space; None if the space is still unknown."""
        found = self.resolver.symbols.spaces.get(space)
        return None if found is None else found.shape

    def bounded(self, space: str) -> None:
        """Report RW171 for an unbounded space."""
        found = self.resolver.symbols.spaces.get(space)
        if found is not None and not found.size and not found.edges:
            help = "give it a size, as in `square grid 8 x 8`, or use `step` and `around`"
            self.refuse("RW171", f"`{space}` has no bounds, so this set is not known before play", help)


Builder = Callable[[Call], terms.Term]
