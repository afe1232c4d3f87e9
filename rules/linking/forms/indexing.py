"""Resolves what follows `of`: the index of a state variable, or its two indices.

`stock of herald of p of red` needs no brackets: the declaration of a name tells how many parts it takes.
"""

from __future__ import annotations

from rulewright.grammar.tree.expressions import Expression, Name, Paired, Subscript
from rulewright.rules.linking.functions.call import ArgumentResolver
from rulewright.rules.linking.pieces.functions import first_cell
from rulewright.rules.linking.symbol_table import Locals
from rulewright.rules.merging.expand import score_definition
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Variable

NONE = "none"
"""Before `of` and a set: the value for none of its elements."""


def resolve_index(resolver: ArgumentResolver, variable: Variable, node: Expression, locals: Locals) -> terms.Term:
    """The index of an indexed variable. Reports RW203 and what its parts report."""
    first, second = _taken(resolver, node, locals)
    if not isinstance(variable.index, types.Pair):
        if second is not None:
            message = f"`{variable.name}` has only one index, but two are given"
            resolver.symbols.sink.error("RW203", message, node.span, help="put the part that has its own index in parentheses")
        if variable.pieces and isinstance(variable.index, types.Cell):
            piece = resolver.term(first, locals, types.Place(variable.pieces))
            return first_cell(resolver.symbols, variable.pieces, piece, first.span)
        return resolver.term(first, locals, variable.index)
    if second is None:
        help = f"write `{variable.name} of … of …`"
        resolver.symbols.sink.error("RW203", f"`{variable.name}` needs two indices", node.span, help=help)
        second = first
    one = resolver.term(first, locals, variable.index.first)
    other = resolver.term(second, locals, variable.index.second)
    return terms.Paired(one, other, variable.index, span=node.span)


def _taken(resolver: ArgumentResolver, node: Expression, locals: Locals) -> tuple[Expression, Expression | None]:
    """The first element of a chain of `of`, and the rest of the chain."""
    match node:
        case Paired(first, second):
            return first, second
        case Subscript(name, index):
            rest: Expression | None = index
            taken: list[Expression] = []
            for _ in range(_arity(resolver, name, locals)):
                if rest is not None:
                    one, rest = _taken(resolver, rest, locals)
                    taken.append(one)
            return _joined([Name(name, span=node.span), *taken]), rest
        case _:
            return node, None


def _joined(parts: list[Expression]) -> Expression:
    """Join parts into a chain; the inverse of `_taken`."""
    *others, chain = parts
    for part in reversed(others):
        if isinstance(part, Name):
            chain = Subscript(part.text, chain, span=part.span.to(chain.span))
        else:
            chain = Paired(part, chain, span=part.span.to(chain.span))
    return chain


def _arity(resolver: ArgumentResolver, name: str, locals: Locals) -> int:
    """How many parts a name takes after `of`."""
    symbols = resolver.symbols
    if name in locals:
        return 0
    variable = symbols.variables.get(name)
    if variable is not None and variable.index is not None and not variable.is_board:
        return 1 + isinstance(variable.index, types.Pair) - variable.is_set
    return int(name in ("origin", NONE) or name in symbols.player_scores or score_definition(name) in symbols.signatures)
