"""Finds the names of a text in the parse trees of its lines: what each declares, uses or binds, and its scope."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

from lark import Token, Tree

from rulewright.base.records import define, evolve, field
from rulewright.grammar.parsing.line_kinds import LineKind
from rulewright.grammar.parsing.lines import LogicalLine
from rulewright.grammar.readings import Reading
from rulewright.rules.merging.rulebook import ItemKind

from .expression_names import ExpressionNames, is_tree, segments
from .symbols import NAMESPACES, OF_ITEMS, NameKind, Namespace, Scope, Symbol, TextNames

# The names of statements, of the flow, and of edits in a parse tree ---------------------------------------------------


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
            case "do" | "run" | "point":
                declares = NameKind.POINT if tree.data == "point" else None
                self.token(children[0], Symbol(Namespace.FLOW, str(children[0])), declares=declares)
                self.visit_all(children[1:], scope)
            case "once" | "start":
                name = next(child for child in children if child is not None and child.type == "NAME")
                self.token(name, Symbol(Namespace.FLOW, str(name)))
            case "choices":
                for name in filter(_is_name, children):
                    self.token(name, Symbol(Namespace.ACTION, str(name)))
            case "plan":
                self.plan(children)
            case "expected":
                self.token(children[0], Symbol(Namespace.CODE, str(children[0])))
                self.token(children[1], *(Symbol(namespace, str(children[1])) for namespace in OF_ITEMS))
            case "notation":
                self.visit(children[2], scope)
                for text in filter(None, children[:2]):
                    self.notation(text, scope)
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
            case "look_part" if children[2] is not None:
                self.value(children[2], scope)
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
            case "feature" | "thing" | "required_rule":
                self.value(children[0], scope)
                self.visit_all([child for child in children if isinstance(child, Tree)], scope)
            case "binding" | "coordinate" | "horizon":
                pass
            case _:
                return self.visit_all(children, scope)
        return scope

    def plan(self, children: list[Any]) -> None:
        for index, word in enumerate(children):
            if isinstance(word, Token) and _IDENTIFIER.fullmatch(word):
                self.token(word, Symbol(Namespace.VALUE if index else Namespace.ACTION, str(word)))

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
        for index, name in enumerate(filter(_is_name, tree.children)):
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
            if scope.is_flow and tree.data in ("labelled", "label_head"):
                self.token(label, Symbol(Namespace.FLOW, str(label)), declares=NameKind.POINT)
            else:
                inner = evolve(scope, path=self.labels(segments(label), scope.path or scope.item, NameKind.CLAUSE))
        after = self.visit_all(rest, inner)
        return inner if tree.data == "requirement" else after

    def labels(self, segments: list[tuple[int, str]], owner: str, declares: NameKind | None) -> str:
        """Record the labels of a clause, each inside the one before; returns the path of the last."""
        for index, (offset, name) in enumerate(segments):
            last = index == len(segments) - 1
            self.add(self.line.start + offset, name, (Symbol(Namespace.CLAUSE, name, owner),), declares if last else None)
            owner = f"{owner}.{name}"
        return owner


# Finds the names of a text in the parse trees of its lines ------------------------------------------------------------


_CELL = re.compile(r"(?<!\S)[A-Za-z_][A-Za-z0-9_]*")

ITEM_KINDS = {kind.value: kind for kind in ItemKind}
DECLARING: dict[str, tuple[Namespace, NameKind]] = {
    "space": (Namespace.VALUE, NameKind.SPACE),
    "edge_space": (Namespace.VALUE, NameKind.SPACE),
    "port_space": (Namespace.VALUE, NameKind.SPACE),
    "tiles": (Namespace.VALUE, NameKind.TILE_SET),
    "pattern": (Namespace.VALUE, NameKind.PATTERN),
    "table": (Namespace.VALUE, NameKind.TABLE),
    "state_line": (Namespace.VALUE, NameKind.VARIABLE),
    "define": (Namespace.VALUE, NameKind.DEFINITION),
    "rule": (Namespace.VALUE, NameKind.RULE),
    "action": (Namespace.ACTION, NameKind.ACTION),
    "base_action": (Namespace.ACTION, NameKind.ACTION),
    "procedure": (Namespace.FLOW, NameKind.PROCEDURE),
    "whenever": (Namespace.WHENEVER, NameKind.WHENEVER),
    "phase": (Namespace.FLOW, NameKind.PHASE),
    "score": (Namespace.VALUE, NameKind.SCORE),
    "invariant": (Namespace.INVARIANT, NameKind.INVARIANT),
    "needed_space": (Namespace.VALUE, NameKind.NEED),
    "needed_definition": (Namespace.VALUE, NameKind.NEED),
    "needed_variable": (Namespace.VALUE, NameKind.NEED),
}
"""The lines whose first name is declared; names after it are values, except under rules of their own."""

NEEDED = {"procedure": Namespace.FLOW, "phase": Namespace.FLOW, "action": Namespace.ACTION}


def names_of(reading: Reading) -> TextNames:
    """The names of a text, as far as it could be read."""
    reader = _NameReader(reading)
    reader.block(reading.roots, Scope())
    found = sorted(reader.found, key=lambda one: (one.span.line, one.span.column))
    return TextNames(tuple(found), reader.like, reader.scopes)


@define
class _NameReader(StatementNames):
    like: dict[str, str] = field(factory=dict, init=False)
    scopes: dict[int, Scope] = field(factory=dict, init=False)
    drawn: set[tuple[str, str]] = field(factory=set, init=False)

    # Lines

    def block(self, lines: Sequence[LogicalLine], scope: Scope) -> None:
        """The names in the lines of a block; a `let` is visible to the lines below it."""
        for line in lines:
            self.scopes[line.start] = scope
            read = self.reading.lines.get(line.start)
            if read is None or read.tree is None:
                self.block(line.block, scope)
                continue
            self.line = line
            inner = self.head(read.tree, scope, read.kind)
            if read.tree.data == "local" or (read.tree.data == "labelled" and is_tree(read.tree.children[1], "local")):
                scope = inner
            elif read.tree.data == "drawing":
                self.rows(line)
            elif line.start + (read.tree.meta.end_pos or 0) <= line.end:  # otherwise the block is part of the line
                self.block(line.block, inner)

    def rows(self, line: LogicalLine) -> None:
        """The tiles of a drawing."""
        for row in line.block:
            for word in _CELL.finditer(self.reading.source.code, row.start, row.end):
                self.add(word.start(), word[0], (Symbol(Namespace.VALUE, word[0]),))

    def head(self, tree: Tree[Token], scope: Scope, kind: LineKind) -> Scope:  # noqa: PLR0912
        """The names of a line; returns the scope of its block."""
        children: list[Any] = tree.children
        if tree.data == "state_line":
            children = [*children[0].children, *children[1:]]
        match tree.data:
            case "module":
                self.whole(children[0], Namespace.MODULE, NameKind.MODULE)
            case "puzzle_head":
                self.whole(children[0], Namespace.PUZZLE, NameKind.PUZZLE)
            case "vocabulary" | "enumeration":
                self.vocabulary(children, tree.data == "enumeration")
            case "partition":
                name, parameter, space, value = children
                self.token(name, Symbol(Namespace.VALUE, str(name)), declares=NameKind.PARTITION)
                inner = self.bound(parameter, scope)
                self.value(space, scope)
                self.visit(value, inner)
            case "table_head":
                self.value(children[0], scope)
                for column in children[1:]:
                    self.token(column, Symbol(Namespace.COLUMN, str(column), scope.item), declares=NameKind.COLUMN)
            case "pattern_row":
                self.drawing(tree, Namespace.ROLE, NameKind.ROLE, scope.item)
            case "edge_line":
                self.drawing(tree, Namespace.VALUE, NameKind.NODE, "")
            case "tile_line" | "add_tile":
                declares = NameKind.TILE if kind is LineKind.TILE or tree.data == "add_tile" else None
                self.token(children[0], Symbol(Namespace.VALUE, str(children[0])), declares=declares)
                self.visit_all(children[1:], scope)
            case "needed_names":
                namespace = NEEDED.get(str(children[0].children[0]), Namespace.VALUE)
                for name in children[1].children:
                    self.token(name, Symbol(namespace, str(name)), declares=NameKind.NEED)
            case "whenever":
                return self.whenever(children, scope)
            case "change" | "change_of_kind" | "change_look" | "drop_item":
                return self.change(tree, scope)
            case "define" | "rule" | "action" | "base_action" | "procedure" | "needed_definition":
                return self.item(tree, scope)
            case data if data in DECLARING:
                namespace, declared = DECLARING[data]
                self.token(children[0], Symbol(namespace, str(children[0])), declares=declared)
                self.visit_all(children[1:], scope)
                name = str(children[0])
                return Scope(item=name, is_flow=data == "phase", in_pattern=data == "pattern")
            case "flow":
                return Scope(is_flow=True)
            case "like":
                return self.likeness(children, scope)
            case _:
                return self.visit(tree, scope)
        return scope

    def vocabulary(self, children: list[Any], is_enum: bool) -> None:
        first, names = children
        if is_enum:
            self.token(first, Symbol(Namespace.VALUE, str(first)), declares=NameKind.ENUM)
        kind = NameKind.MEMBER if is_enum else NameKind(str(first))
        for name in names.children:
            self.token(name, Symbol(Namespace.VALUE, str(name)), declares=kind)

    def drawing(self, tree: Tree[Token], namespace: Namespace, kind: NameKind, item: str) -> None:
        """Names that rows of an item repeat: the first time declares them."""
        for name in tree.scan_values(_is_name):
            first = (item, str(name)) not in self.drawn
            self.drawn.add((item, str(name)))
            self.token(name, Symbol(namespace, str(name)), declares=kind if first else None)

    def item(self, tree: Tree[Token], scope: Scope) -> Scope:
        namespace, declared = DECLARING[tree.data]
        name, parameters, *rest = tree.children
        self.token(name, Symbol(namespace, str(name)), declares=declared)  # type: ignore[arg-type]
        inner = Scope(item=str(name), parameters_of=(str(name),))
        if isinstance(parameters, Tree):
            inner = self.parameters(parameters, inner)
        self.visit_all(rest, inner)
        return inner

    def parameters(self, tree: Tree[Token], scope: Scope) -> Scope:
        for parameter in tree.children:
            if isinstance(parameter, Tree):
                name, *conditions = parameter.children
                symbol = Symbol(Namespace.PARAMETER, str(name), scope.item)
                self.token(name, symbol, declares=NameKind.PARAMETER)  # type: ignore[arg-type]
                domain, where = [*conditions, None][:2]
                self.visit(domain, scope)
                scope = evolve(scope, locals={**scope.locals, str(name): (symbol,)})
                self.visit(where, scope)
        return scope

    def whenever(self, children: list[Any], scope: Scope) -> Scope:
        """Unknown names in the pattern bind the matched things; only the project knows whether a name is declared."""
        name, moving, where = children
        self.token(name, Symbol(Namespace.WHENEVER, str(name)), declares=NameKind.WHENEVER)
        inner = Scope(item=str(name))
        for tree in _operands(moving):
            dotted: Any = tree.children[0]
            (word,) = dotted.children
            text = str(word)
            if text not in inner.locals:
                local = Symbol(Namespace.LOCAL, text, self.owner(word))
                inner = evolve(inner, locals={**inner.locals, text: (Symbol(Namespace.VALUE, text), local)})
        self.visit(moving, inner)
        self.visit(where, inner)
        return inner

    def change(self, tree: Tree[Token], scope: Scope) -> Scope:
        children: list[Any] = list(tree.children)
        kind = ITEM_KINDS.get(str(children.pop(0))) if tree.data in ("change_of_kind", "drop_item") else None
        target = children.pop(0)
        if target is None:
            return scope
        if tree.data == "change_look":
            self.value(target.children[0], scope)
            self.visit_all(children, scope)
            return scope
        namespaces = (NAMESPACES.get(kind, Namespace.VALUE),) if kind is not None else OF_ITEMS
        first, *labels = segments(target)
        item = first[1]
        is_flow = item == "flow" or kind is ItemKind.PHASE
        if item != "flow":
            self.add(self.line.start + first[0], item, tuple(Symbol(namespace, item) for namespace in namespaces))
        path = self.labels(labels, item, None) if labels else item
        inner = Scope(item=item, path=path, parameters_of=(item,), changes=True, is_flow=is_flow)
        return self.visit(children[0], inner) if children and isinstance(children[0], Tree) else inner

    def likeness(self, children: list[Any], scope: Scope) -> Scope:
        other, *bindings = children
        self.token(other, Symbol(Namespace.ACTION, str(other)))
        self.like[scope.item] = str(other)
        for binding in bindings:
            if binding is not None:
                parameter, _, value = binding.children
                self.token(parameter, Symbol(Namespace.PARAMETER, str(parameter), str(other)))
                self.visit(value, scope)
        return evolve(scope, path=str(other), parameters_of=(*scope.parameters_of, str(other)), changes=True)


def _is_name(part: object) -> TypeGuard[Token]:
    return isinstance(part, Token) and part.type == "NAME"


def _operands(tree: Any) -> Iterator[Tree[Token]]:
    """The names of a pattern that could be bound: operands, elements of `x in S`, indices of `hand of x`."""
    if not isinstance(tree, Tree):
        return
    for child in tree.children:
        if is_tree(child, "name"):
            if len(child.children[0].children) == 1:
                yield child
        elif is_tree(child, "contained"):
            yield from _operands(Tree("operand", [child.children[0]]))
        elif is_tree(child, "owned"):
            yield from _operands(Tree("operand", [child.children[1]]))
