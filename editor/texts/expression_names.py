"""The names of expressions in a parse tree, and their bindings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Token, Tree

from rulewright.base.records import define, evolve, field
from rulewright.base.spans import Span
from rulewright.grammar.parsing.lines import LogicalLine
from rulewright.grammar.readings import Reading

from .symbols import NameKind, Namespace, Occurrence, Scope, Symbol


@define
class ExpressionNames:
    """Collects the names of the lines of a reading; `line` is the current one."""

    reading: Reading
    found: list[Occurrence] = field(factory=list, init=False)
    line: LogicalLine = field(factory=lambda: LogicalLine(0, 0, 0, False), init=False)

    def visit_all(self, children: Sequence[Any], scope: Scope) -> Scope:
        for child in children:
            scope = self.visit(child, scope)
        return scope

    def visit(self, tree: Any, scope: Scope) -> Scope:
        """Collect the names of a part of a line; returns the scope of what follows it, or of the block below."""
        if isinstance(tree, Token) and tree.type == "NAME":
            self.value(tree, scope)
        if not isinstance(tree, Tree):
            return scope
        children: list[Any] = tree.children
        match tree.data:
            case "name" | "call" | "owned":
                self.dotted(children[0], scope)
                self.visit_all(children[1:], scope)
            case "quantified" | "extreme_by":
                _, binder, body = children
                self.visit(body, self.binder(binder, scope))
            case "those_until" | "those_while" | "let":
                name, domain, body = children
                self.visit(domain, scope)
                self.visit(body, self.bound(name, scope))
            case "counted" | "those" | "first":
                self.binder(children[0], scope)
            case "summed" | "gathered" | "extreme_of":
                *_, value, binder = children
                self.visit(value, self.binder(binder, scope))
            case "closure":
                start, origin, binder = children
                self.visit(start, scope)
                self.binder(binder, self.bound(origin, scope))
            case _:
                return self.statement(tree, scope)
        return scope

    def statement(self, tree: Tree[Token], scope: Scope) -> Scope:
        """Collect the names of anything other than an expression."""
        return self.visit_all(tree.children, scope)

    # Names

    def binder(self, tree: Tree[Token], scope: Scope) -> Scope:
        """Bind one or several names; returns the scope after them."""
        name, domain, more = tree.children
        self.visit(domain, scope)
        inner = self.bound(name, scope)  # type: ignore[arg-type]
        if is_tree(more, "binder", "several"):
            return self.binder(more, inner)  # type: ignore[arg-type]
        self.visit(more, inner)
        return inner

    def bound(self, name: Token, scope: Scope) -> Scope:
        """The scope with a name bound."""
        symbol = Symbol(Namespace.LOCAL, str(name), self.owner(name))
        self.token(name, symbol, declares=NameKind.LOCAL)
        return evolve(scope, locals={**scope.locals, str(name): (symbol,)})

    def owner(self, name: Token) -> str:
        """The place of a name, as text."""
        line, column = self.reading.source.position(self.line.start + (name.start_pos or 0))
        return f"{line}:{column}"

    def value(self, name: Token, scope: Scope) -> None:
        """A name in an expression."""
        self.token(name, *self.symbols(str(name), scope))

    def symbols(self, name: str, scope: Scope) -> tuple[Symbol, ...]:
        if name in scope.locals:
            return scope.locals[name]
        roles = (Symbol(Namespace.ROLE, name),) if scope.in_pattern else ()
        return (*self.parameter_symbols(name, scope), *roles, Symbol(Namespace.VALUE, name))

    def parameter_symbols(self, name: str, scope: Scope) -> tuple[Symbol, ...]:
        return tuple(Symbol(Namespace.PARAMETER, name, item) for item in scope.parameters_of)

    def dotted(self, tree: Tree[Token], scope: Scope) -> None:
        """`c`, or `allowance.coins`, or `p.arm`"""
        (offset, first), *others = segments(tree)
        self.add(self.line.start + offset, first, self.symbols(first, scope))
        for place, name in others:
            self.add(self.line.start + place, name, (Symbol(Namespace.COLUMN, name, first), Symbol(Namespace.ROLE, name)))

    def whole(self, tree: Tree[Token], namespace: Namespace, declares: NameKind | None) -> None:
        """A dotted name that is a single name."""
        parts = segments(tree)
        name = ".".join(text for _, text in parts)
        self.add(self.line.start + parts[0][0], name, (Symbol(namespace, name),), declares)

    def token(self, token: Token, *may_be: Symbol, declares: NameKind | None = None) -> None:
        self.add(self.line.start + (token.start_pos or 0), str(token), may_be, declares)

    def add(self, start: int, name: str, may_be: tuple[Symbol, ...], declares: NameKind | None = None) -> None:
        source = self.reading.source
        whole: Span | None = source.span(self.line.start, self.line.last) if declares is not None else None
        self.found.append(Occurrence(source.span(start, start + len(name)), may_be, declares, whole))


def segments(label: Tree[Token] | Token) -> list[tuple[int, str]]:
    """The parts between the dots of a name, with their offsets in the line."""
    tokens = [token for token in label.children if isinstance(token, Token)] if isinstance(label, Tree) else [label]
    found: list[tuple[int, str]] = []
    for token in tokens:
        bare = token.lstrip(".")
        start = (token.start_pos or 0) + len(token) - len(bare)
        for part in bare.split("."):
            found.append((start, part))
            start += len(part) + 1
    return found


def is_tree(tree: Any, *rules: str) -> bool:
    """Whether a child is a tree of one of the given rules."""
    return isinstance(tree, Tree) and tree.data in rules
