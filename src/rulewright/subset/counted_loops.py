"""The pass that turns loops over runs into counted loops."""

from __future__ import annotations

import ast


def count_loops(function: ast.FunctionDef) -> ast.FunctionDef:
    """Turn `for element in run[first:end]` into `for turn in range(first, end)`, with the run under a separate name."""
    _Loops().visit(function)
    return function


class _Loops(ast.NodeTransformer):
    count = 0

    def visit_For(self, node: ast.For) -> ast.For | list[ast.stmt]:
        self.generic_visit(node)
        match node.iter:
            case ast.Subscript(value=run, slice=ast.Slice(lower=first, upper=ast.expr() as end, step=None)):
                self.count += 1
                held, turn = f".{self.count}.run", f".{self.count}.turn"
                element = ast.Subscript(ast.Name(held, ast.Load()), ast.Name(turn, ast.Load()), ast.Load())
                bounds = [end] if first is None else [first, end]
                counted = ast.Call(ast.Name("range", ast.Load()), bounds, [])
                body = [ast.Assign([node.target], element), *node.body]
                found = [
                    ast.Assign([ast.Name(held, ast.Store())], run),
                    ast.For(ast.Name(turn, ast.Store()), counted, body, node.orelse),
                ]
                return [ast.fix_missing_locations(ast.copy_location(made, node)) for made in found]
        return node
