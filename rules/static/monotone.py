"""Whether values rise or fall with a variable, as far as their form shows it."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model import terms
from rulewright.rules.model.game import Game
from rulewright.rules.model.traversal import variables_in


def rises(game: Game, term: terms.Term, name: str) -> bool | None:
    """Whether a value never falls (True) or never rises (False) when a variable rises; None if its form does not show it. A
    condition rises when it becomes true."""

    def same(parts: Iterable[terms.Term], *turned: bool) -> bool | None:
        """The common direction of all parts that read the variable; those marked `turned` count in reverse."""
        ways: set[bool | None] = set()
        for place, part in enumerate(parts):
            if name in variables_in(game.definitions, part):
                way = rises(game, part, name)
                ways.add(negated(way) if place < len(turned) and turned[place] else way)
        return ways.pop() if len(ways) == 1 else None

    match term:
        case terms.Read(variable, index) if variable == name:
            return None if name in variables_in(game.definitions, index) else True
        case terms.Not(operand):
            return same((operand,), True)
        case terms.And(parts) | terms.Or(parts):
            return same(parts)
        case terms.Compare(Comparison.AT_LEAST | Comparison.GREATER, left, right):
            return same((left, right), False, True)
        case terms.Compare(Comparison.AT_MOST | Comparison.LESS, left, right):
            return same((left, right), True, False)
        case terms.Arithmetic(first, rest) if all(operator in (Operator.PLUS, Operator.MINUS) for operator, _ in rest):
            return same((first, *(part for _, part in rest)), False, *(operator is Operator.MINUS for operator, _ in rest))
        case terms.Arithmetic(part, ((Operator.TIMES | Operator.DIV, terms.Constant(factor)),)) if factor > 0:
            return same((part,))
        case terms.Arithmetic(terms.Constant(factor), ((Operator.TIMES, part),)) if factor > 0:
            return same((part,))
        case terms.ExtremeOf(_, terms.Local(item), terms.Binder(bound, terms.SetLiteral(items), None)) if item == bound:
            return same(items)
        case terms.Invoke(definition, ()) if not game.definitions[definition].cases:
            return same((game.definitions[definition].value,))
        case _:
            return None


def negated(way: bool | None) -> bool | None:
    return None if way is None else not way
