"""Resources: variables of which more, or less, is never worse, since they only enable moves."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import value_range
from rulewright.rules.model.traversal import conjuncts, nodes_of, variables_in
from rulewright.rules.model.types import Cell
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_algebra import AbstractAlgebra, anything
from .dataflow import DataflowAnalysis, reads

# Whether values rise or fall with a variable --------------------------------------------------------------------------
# Whether values rise or fall with a variable, as far as their form shows it.


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
        case terms.Arithmetic(part, ((Operator.DIV, terms.Constant(factor)),)) if factor > 0:
            return same((part,))
        case terms.Arithmetic(terms.Constant(factor), ((Operator.TIMES, part),)) | terms.Arithmetic(
            part, ((Operator.TIMES, terms.Constant(factor)),)
        ):
            return same((part,), factor < 0)
        case terms.Fold(
            terms.Kind.LEAST | terms.Kind.GREATEST, terms.Binder(bound, terms.SetLiteral(items), None), terms.Local(item)
        ) if item == bound:
            return same(items)
        case terms.Invoke(definition, ()) if not game.definitions[definition].cases:
            return same((game.definitions[definition].value,))
        case _:
            return None


def negated(way: bool | None) -> bool | None:
    return None if way is None else not way


# Resources ------------------------------------------------------------------------------------------------------------


def resources_of(analysis: DataflowAnalysis) -> dict[str, bool]:
    """The variables of which more (True) or less (False) is never worse: requirements read them, monotonically, and otherwise
    only effects that set them to a value that rises with them.

    There are none if some choice lacks `stop`: it ends when no move is left, so more moves may be worse.
    """
    if not all(choice.stop for choice in analysis.choices):
        return {}
    game = analysis.engine.game
    conditions = [r.condition for c in analysis.choices for a in c.actions for r in game.actions[a].requirements]
    others = reads(game, [term for term in analysis.conditions if term not in conditions], analysis.objective)
    others |= {name for clause in analysis.clauses for name in _used(analysis.engine, clause.effect)}
    parts = [(part, reads(game, part)) for condition in conditions for part in conjuncts(condition)]
    found: dict[str, bool] = {}
    for variable in game.variables.values():
        is_plain = not variable.is_zone and not variable.is_loop and not isinstance(variable.index, Cell)
        if is_plain and variable.name not in others:
            ways = {rises(game, part, variable.name) for part, read in parts if variable.name in read}
            if len(ways) == 1 and (more_is_better := ways.pop()) is not None:
                found[variable.name] = more_is_better
    return found


def _used(engine: Engine, effect: ef.Effect) -> set[str]:
    """The variables that an effect reads or adds to, unless what it sets them to rises with them and stays in range."""
    game = engine.game
    match effect:
        case ef.Assign(target, Assignment.SET, value) if target.variable in reads(game, value):
            stays = rises(game, value, target.variable) and _is_in_range(engine, value, target.variable)
            return reads(game, target.index) | reads(game, value) - ({target.variable} if stays else set())
        case ef.Assign(target, assignment, value):
            return reads(game, value, target.index) | ({target.variable} if assignment is Assignment.ADD else set())
        case ef.When() | ef.ForEach() | ef.Keep():  # conditions of the analysis; what stands inside is a clause of its own
            return set()
        case _:
            return reads(game, effect)


def _is_in_range(engine: Engine, value: terms.Term, name: str) -> bool:
    """Whether a value is in a variable's range in every state."""
    allowed, (low, high) = value_range(engine.instance, engine.game.variables[name]), _range_of(engine, value)
    return allowed.start <= low and high < allowed.stop


def _range_of(engine: Engine, value: terms.Term) -> tuple[int, int]:
    """The least and the greatest value that a term may have in any state."""
    match value:
        case terms.Fold(
            terms.Kind.LEAST | terms.Kind.GREATEST as kind,
            terms.Binder(bound, terms.SetLiteral(items), None),
            terms.Local(item),
        ) if item == bound:
            pick = min if kind.is_least else max
            ranges = [_range_of(engine, one) for one in items]
            return pick(low for low, _ in ranges), pick(high for _, high in ranges)
        case _:
            anywhere = Evaluator(engine.instance, AbstractAlgebra(engine.instance, engine.layout))
            names = (node for node in nodes_of({}, value) if isinstance(node, terms.Local))
            found = anywhere.value(value, {node.name: anything(engine.instance, node.type) for node in names})
            return found.low, found.high
