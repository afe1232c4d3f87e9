"""Lowers records to the arrays and integers of the subset, before the translation to LLVM assembly.

Needed: functions with parameters and local names of the types of records.py. Left: the same functions of arrays and integers.
A bundle parameter becomes its parts (`bound.arena`; the dot keeps such names apart from all others), so that arrays remain
known not to overlap; a record or a run becomes the integer where it begins. The type of a local name is that of the first value
assigned to it. Only the functions that the entries call are lowered.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from rulewright.base.records import define

from .bundles import AnyType, ArrayType, Bundle, BundleType, bundle_layout
from .lowered_expressions import Expressions
from .nodes import name_node, placed, sum_node, word_node
from .records import WORD, RecordType, RunType, WordType, size_of
from .signatures import ArrayName, Index, Kind, Parts, Signatures, annotated
from .to_llvm import Lowered, Source


def lower(sources: Sequence[Source], entries: Sequence[str]) -> dict[str, Lowered]:
    """The entries and all functions that they call, lowered, by name. Raises `NotInSubset`."""
    found = {
        node.name: (node, source.names)
        for source in sources
        for node in ast.parse(source.text).body
        if isinstance(node, ast.FunctionDef)
    }
    signatures = Signatures(found)
    lowered: dict[str, Lowered] = {}
    pending = list(entries)
    while pending:
        name = pending.pop()
        if name not in lowered:
            node, names = found[name]
            function = _Function(node.name, names, signatures, signatures[name])
            lowered[name] = Lowered(function.lower(node), names)
            pending += function.called
    return lowered


@define(eq=False)
class _Function(Expressions):
    """One function on the way."""

    def lower(self, node: ast.FunctionDef) -> ast.FunctionDef:
        for name, type in self.signature.parameters.items():
            self.locals[name] = self.signature.of_parameter(name, type)
        node.args.args = [placed(ast.arg(name, name_node(kind, node)), node) for name, kind in self.signature.lowered]
        node.returns = name_node("int", node)
        node.body = self._body(node.body)
        return node

    # Statements -------------------------------------------------------------------------------

    def _body(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found = [lowered for statement in body for lowered in self._statement(statement)]
        return found or [ast.Pass(lineno=body[0].lineno, col_offset=0)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Assign(targets=[target], value=value):
                return self._assign(node, target, value)
            case ast.AnnAssign(target=ast.Name() as target, annotation=annotation, value=ast.expr() as value):
                type = annotated(annotation, self.names, self.name)
                lowered = self._assign(placed(ast.Assign([target], value), node), target, value)
                if not self._has_type(self.locals[target.id], type):
                    raise self.fail(node, "another type")
                return lowered
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                if self.locals.get(name) is not WORD:
                    raise self.fail(node, "no integer")
                node.value = self.word(value)
            case ast.AugAssign(target=target, value=value):
                node.target, kind = self.place(target)  # type: ignore[assignment]
                if kind is not WORD:
                    raise self.fail(target, "no integer")
                node.value = self.word(value)
            case ast.If(test=test, body=body, orelse=otherwise):
                node.test = self.word(test)
                node.body = self._body(body)
                node.orelse = self._body(otherwise) if otherwise else []
            case ast.While(test=test, body=body, orelse=[]):
                node.test = self.word(test)
                node.body = self._body(body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range")) as call, orelse=[]):
                call.args = [self.word(argument) for argument in call.args]
                self._declare(name, WORD, node)
                node.body = self._body(node.body)
            case ast.For(target=ast.Name(), iter=ast.Subscript(slice=ast.Slice(upper=ast.expr())), orelse=[]):
                return self._for_each(node)
            case ast.Return(value=ast.expr() as value):
                node.value, kind = self.expression(value)
                if self.signature.returns is None or kind != self._returned:
                    raise self.fail(value, "another type is returned")
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=to, attr="copy"), args=[source], keywords=[])):
                return self._copy(node, to, source)
            case ast.Expr(value=ast.Call() as value):
                node.value, _ = self.call(value)
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Break() | ast.Continue() | ast.Return():
                pass
            case _:
                raise self.fail(node)
        return [node]

    @cached_property
    def _returned(self) -> Kind:
        returns = self.signature.returns
        return None if returns is None else self.signature.bind(returns)

    def _assign(self, node: ast.Assign, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        if isinstance(target, ast.Name):
            made = self.made(value)
            if made is not None:
                return self._make(node, target.id, *made)
            node.value, kind = self.expression(value)
            self._declare(target.id, kind, node)
            return [node] if isinstance(kind, WordType | Index) else []
        node.value, kind = self.expression(value)
        node.targets[0], wanted = self.place(target)
        if kind != wanted:
            raise self.fail(node, "another type")
        return [node]

    def _has_type(self, kind: Kind, type: AnyType) -> bool:
        match kind, type:
            case Parts(found), BundleType(bundle):
                return issubclass(found, bundle)
            case ArrayName(found), ArrayType(wanted):
                return found == wanted
            case Index(array=array), RecordType() | RunType():
                return self.signature.bind(type, array) == kind
            case _:
                return kind is WORD and type is WORD

    def _declare(self, name: str, kind: Kind, node: ast.AST) -> None:
        if kind is None or self.locals.setdefault(name, kind) != kind:
            raise self.fail(node, f"{name} has another type" if kind is not None else "no value")

    def _make(self, node: ast.stmt, name: str, bundle: type[Bundle], words: list[ast.expr]) -> list[ast.stmt]:
        if any(type is not WORD for type in bundle_layout(bundle).parts.values()):
            raise self.fail(node, "only bundles of integers have a name of their own")
        parts = [f"{name}.{part}" for part in bundle_layout(bundle).parts]
        if any(isinstance(inner, ast.Name) and inner.id in parts for word in words for inner in ast.walk(word)):
            raise self.fail(node, "it is made of itself")
        self._declare(name, Parts(bundle, name), node)
        self.locals |= dict.fromkeys(parts, WORD)
        return [self._set(part, word, node) for part, word in zip(parts, words, strict=True)]

    def _set(self, name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
        found: ast.stmt = placed(ast.Assign([placed(ast.Name(name, ast.Store()), at)], value), at)
        return found

    def _held(self, value: ast.expr, before: list[ast.stmt], name_too: bool = False) -> ast.expr:
        """A value under a name, so that it can be repeated; under one of its own where the name that it has may change."""
        if isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and not name_too):
            return value
        self.count += 1
        name = f".{self.count}.at"
        before.append(self._set(name, value, value))
        return name_node(name, value)

    def _for_each(self, node: ast.For) -> list[ast.stmt]:
        """Through so many elements of a run, counted before the first turn."""
        assert isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Subscript)
        bounds = node.iter.slice
        assert isinstance(bounds, ast.Slice) and bounds.upper is not None
        first = None if bounds.lower is None else self.word(bounds.lower)
        end = self.word(bounds.upper)
        before: list[ast.stmt] = []
        run, kind = self.expression(node.iter.value)
        if not isinstance(kind, Index) or not isinstance(kind.type, RunType) or bounds.step is not None:
            raise self.fail(node.iter, "no run")
        run = self._held(run, before, name_too=True)
        self.count += 1
        turn = f".{self.count}.turn"
        item, item_kind, _ = self.element(run, kind, name_node(turn, node), node)
        self._declare(node.target.id, item_kind, node)
        limits = [end] if first is None else [first, end]
        call = placed(ast.Call(name_node("range", node), limits, []), node)
        body = [self._set(node.target.id, item, node), *self._body(node.body)]
        return [*before, placed(ast.For(placed(ast.Name(turn, ast.Store()), node), call, body, []), node)]

    def _copy(self, node: ast.Expr, to: ast.expr, source: ast.expr) -> list[ast.stmt]:
        """Word by word."""
        target, kind = self.expression(to)
        value, same = self.expression(source)
        if not isinstance(kind, Index) or not isinstance(kind.type, RecordType) or not isinstance(same, Index):
            raise self.fail(node, "no record")
        if kind.type != same.type:
            raise self.fail(node, "another type")
        done: list[ast.stmt] = []
        target, value = self._held(target, done), self._held(value, done)
        for place in range(size_of(kind.type.record)):
            word = word_node(same.array, sum_node(value, place, node), node)
            stored = word_node(kind.array, sum_node(target, place, node), node)
            stored.ctx = ast.Store()
            done.append(placed(ast.Assign([stored], word), node))
        return done
