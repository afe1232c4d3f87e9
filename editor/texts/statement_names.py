"""The names of statements, of the flow, and of edits in a parse tree."""

from __future__ import annotations

import re
from typing import Any

from attrs import evolve
from lark import Token, Tree

from rulewright.base.records import define

from .expression_names import ExpressionNames, segments
from .symbols import OF_ITEMS, NameKind, Namespace, Scope, Symbol

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

RELATED = {"insert", "insert_flow", "add_choice", "drop_choice"}
REPLACING = {"replace_effect", "replace_condition", "replace_case", "replace_head", "drop"}
LABELS = {"requirement", "effect", "effect_head", "case", "labelled", "label_head"}
NO_CLAUSES = frozenset({"value", "once"})
"""What `replace` and `drop` may name other than clauses."""


@define
class StatementNames(ExpressionNames):
    """Collects the names of lines in blocks."""

    def statement(self, tree: Tree[Token], scope: Scope) -> Scope:  # noqa: PLR0912
        children: list[Any] = tree.children
        match tree.data:
            case "local":
                name, value = children
                self.visit(value, scope)
                return self.bound(name, scope)
            case "for_each":
                binder, *body = children
                return self.visit_all(body, self.binder(binder, scope))
            case "each":
                name, *rest = children
                self.token(name, Symbol(Namespace.VALUE, str(name)), declares=NameKind.VARIABLE)
                self.visit_all(rest, scope)
            case "cite":
                self.whole(children[0], Namespace.CITATION, None)
            case "extends" | "rules":
                for name in children:
                    self.whole(name.children[0], Namespace.MODULE, None)
            case "do" | "run":
                self.token(children[0], Symbol(Namespace.FLOW, str(children[0])))
                self.visit_all(children[1:], scope)
            case "once" | "start":
                self.token(children[0], Symbol(Namespace.FLOW, str(children[0])))
            case "choices":
                for name in children:
                    if isinstance(name, Token) and name.type == "NAME":
                        self.token(name, Symbol(Namespace.ACTION, str(name)))
            case "plan":
                self.plan(children)
            case "point":
                self.token(children[0], Symbol(Namespace.FLOW, str(children[0])), declares=NameKind.POINT)
                self.visit_all(children[1:], scope)
            case "required_rule":
                self.value(children[0], scope)
                self.visit_all(children[1:], scope)
            case "expected":
                self.token(children[0], Symbol(Namespace.CODE, str(children[0])))
                self.token(children[1], *(Symbol(namespace, str(children[1])) for namespace in OF_ITEMS))
            case "notation":
                self.notation(children[0], scope)
            case "add_parameter" | "replace_parameter":
                return self.changed_parameter(tree, scope)
            case "set_cell":
                column, key, value = children
                self.token(column, Symbol(Namespace.COLUMN, str(column), scope.item))
                self.visit_all([key, value], scope)
            case "format" | "letters":
                self.value(children[1], scope)
            case "field":
                self.token(children[0], *(Symbol(space, str(children[0])) for space in (Namespace.VALUE, Namespace.FLOW)))
            case "look" | "needed_kind" | "look_part" | "fewest" | "count_fewest" | "for_turns":
                if tree.data == "look":
                    self.value(children[0].children[0], scope)
                self.visit_all([child for child in children if isinstance(child, Tree) and child.data != "look_name"], scope)
            case data if data in RELATED:
                self.flow_edit(tree)
            case data if data in REPLACING:
                return self.replacement(tree, scope)
            case data if data in LABELS:
                return self.clause(tree, scope)
            case "feature" | "thing":
                self.value(children[0], scope)
                self.visit_all([child for child in children if isinstance(child, Tree)], scope)
            case "binding" | "coordinate" | "horizon":
                pass
            case _:
                return self.visit_all(children, scope)
        return scope

    def plan(self, children: list[Any]) -> None:
        first = True
        for word in children:
            if isinstance(word, Token) and _IDENTIFIER.fullmatch(word):
                self.token(word, Symbol(Namespace.ACTION if first else Namespace.VALUE, str(word)))
            first = False

    def notation(self, text: Token, scope: Scope) -> None:
        for found in _PLACEHOLDER.finditer(text):
            symbols = scope.locals.get(found[1]) or self.parameter_symbols(found[1], scope)
            if symbols:
                self.add(self.line.start + (text.start_pos or 0) + found.start(1), found[1], symbols)

    def changed_parameter(self, tree: Tree[Token], scope: Scope) -> Scope:
        name, domain, where, *_ = tree.children
        symbol = Symbol(Namespace.PARAMETER, str(name), scope.item)
        declares = NameKind.PARAMETER if tree.data == "add_parameter" else None
        self.token(name, symbol, declares=declares)  # type: ignore[arg-type]
        self.visit(domain, scope)
        self.visit(where, scope)
        return scope

    def flow_edit(self, tree: Tree[Token]) -> None:
        names = [child for child in tree.children if isinstance(child, Token) and child.type == "NAME"]
        for index, name in enumerate(names):
            is_action = tree.data.endswith("choice") and index == 0
            self.token(name, Symbol(Namespace.ACTION if is_action else Namespace.FLOW, str(name)))

    def replacement(self, tree: Tree[Token], scope: Scope) -> Scope:
        label, *rest = tree.children
        parts = segments(label)
        if scope.is_flow:
            self.add(self.line.start + parts[0][0], parts[0][1], (Symbol(Namespace.FLOW, parts[0][1]),))
            path = scope.path
        elif parts[0][1] in NO_CLAUSES:
            path = scope.path
        else:
            path = self.labels(parts, scope.path or scope.item, None)
        inner = evolve(scope, path=path)
        self.visit_all(rest, inner)
        return inner

    def clause(self, tree: Tree[Token], scope: Scope) -> Scope:
        label, *rest = tree.children
        inner = scope
        if isinstance(label, Token):
            parts = segments(label)
            if scope.is_flow and tree.data in ("labelled", "label_head"):
                self.token(label, Symbol(Namespace.FLOW, str(label)), declares=NameKind.POINT)
            else:
                inner = evolve(scope, path=self.labels(parts, scope.path or scope.item, NameKind.CLAUSE))
        after = self.visit_all(rest, inner)
        return inner if tree.data == "requirement" else after

    def labels(self, segments: list[tuple[int, str]], owner: str, declares: NameKind | None) -> str:
        """Record the labels of a clause, each inside the one before; returns the path of the last."""
        for index, (offset, name) in enumerate(segments):
            last = index == len(segments) - 1
            self.add(self.line.start + offset, name, (Symbol(Namespace.CLAUSE, name, owner),), declares if last else None)
            owner = f"{owner}.{name}"
        return owner
