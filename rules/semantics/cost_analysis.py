"""Upper bounds on evaluation steps, code size and size of numbers, computed from the rules before play.

A rule text may come from a stranger. Rules that would run for hours, expand without end or compute numbers of a million digits
are refused at the place that causes it. An unknown number is bounded by the range of its variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, evolve, field
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree.expressions import Operator
from rulewright.rules.model import effects, types
from rulewright.rules.model import game as model
from rulewright.rules.model import terms as tm
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.traversal import operands, parts_of
from rulewright.rules.model.types import SetOperator
from rulewright.rules.spaces.window import Function

from .cell_test import cells_searched, most_passing
from .costs import CELL_BITS, MOST_BITS, UNROLLED, Cost, CostEnv, together, unrolled, widest
from .set_evaluator import near_directions, rows_of

DEEPEST = 96
"""The deepest nesting of terms, through definitions."""

LONGEST_WAIT = 10**10
"""More steps than anyone would wait for: allowing them would not help."""

MOST_REPEATED = 200
"""A definition with more parts is generated once, however often it is called."""


@define
class CostAnalysis:
    instance: Instance
    by_kind: bool = True
    depth: int = field(default=0, init=False)
    parts: int = field(default=0, init=False)
    largest: tuple[int, Span] = field(default=(-1, NO_SPAN), init=False)
    most_steps: int = field(default=0, init=False)
    moves: dict[str, int] = field(factory=dict, init=False)
    known: dict[object, Cost] = field(init=False)
    """The costs of definitions by bounds of their arguments, and those of tests whether an element is in their sets."""

    def __attrs_post_init__(self) -> None:
        self.known = self.instance.costs.setdefault(("definitions", self.by_kind), {})  # type: ignore[assignment]

    @property
    def tiles(self) -> int:
        """The number of tiles, at least 1."""
        return max(1, self.instance.number_of_tiles)

    def within(self, cost: Cost, span: Span) -> Cost:
        """Return the cost if it is within the limits. Raises `RulesError`."""
        limits = self.instance.game.limits
        self.most_steps = max(self.most_steps, cost.steps)
        if cost.steps > limits.steps:
            allow = f", or allow more with `rulewright --limits steps={cost.steps} …`" if cost.steps <= LONGEST_WAIT else ""
            self._refuse(
                "RW059", f"evaluating this may take more than {limits.steps} steps", span, f"use smaller domains{allow}"
            )
        if cost.bits > MOST_BITS:
            self._refuse("RW059", "this number may become too large", span, "multiply fewer numbers")
        return cost

    def clause(self, cost: Cost, span: Span) -> Cost:
        """Return the cost of a clause if it is within the limits. Raises `RulesError`."""
        self.parts += cost.parts
        if cost.parts > self.largest[0]:
            self.largest = cost.parts, span
        return self.within(cost, span)

    def _listed(self, moves: int, span: Span) -> None:
        """Refuse more moves than a list may have. Raises `RulesError`."""
        most = self.instance.game.limits.moves
        if moves > most:
            help = f"use smaller domains, or allow more with `rulewright --limits moves={moves} …`"
            self._refuse("RW059", f"this choice may list more than {most} moves", span, help)

    def _refuse(self, code: str, message: str, span: Span, help: str) -> None:
        raise RulesError((Diagnostic(code, message, (Label(span),), help),))

    def steps(self, nodes: Sequence[tm.Binder | tm.Term | model.Action | effects.EffectClause]) -> int:
        """The most steps of an action, of effects, or of a loop over a binder with some bodies. Raises `RulesError`."""
        match nodes:
            case (model.Action() as action,):
                self.action(action)
                return self.most_steps
            case (tm.Binder() as binder, *bodies):
                element, cost = self._binder(binder, {})
                inside = {binder.name: element}
                return cost.steps + cost.count * sum(
                    self.term(body, inside).steps for body in bodies if isinstance(body, tm.Term)
                )
            case _:
                return self.clauses([node for node in nodes if isinstance(node, effects.EffectClause)], {}).steps

    # Rules ----------------------------------------------------------------------------------------

    def action(self, action: model.Action) -> None:
        """Add the cost of listing all moves of an action and making one. Raises `RulesError`.

        Each parameter, requirement and effect is within the limits by itself. The list is charged while it is made: few of its
        moves pass the first tests.
        """
        env: dict[str, Cost] = {}
        moves, steps = 1, 0
        for parameter in action.parameters:
            env[parameter.name], cost = self._binder(parameter, env)
            steps += moves * self.within(cost, parameter.span).steps
            moves *= max(1, cost.count)
            self._listed(moves, parameter.span)
        for requirement in action.requirements:
            steps += moves * self.clause(self.term(requirement.condition, env), requirement.span).steps
        if action.other_notation is not None:
            self.clause(self.term(action.other_notation.when, env), action.other_notation.span)
        effects = self.within(self.clauses(action.effects, env), action.span).steps
        for requirement in action.afterwards:
            steps += moves * (effects + self.clause(self.term(requirement.condition, env), requirement.span).steps)
        self.moves[action.name] = moves
        self.most_steps = max(self.most_steps, steps + effects)

    def clauses(self, body: Iterable[effects.EffectClause], env: CostEnv) -> Cost:
        steps = parts = 1
        for clause in body:
            cost = self.clause(self._effect(clause.effect, env), clause.span)
            steps, parts = steps + cost.steps, parts + cost.parts
        return Cost(steps, parts)

    def _effect(self, effect: effects.Effect, env: CostEnv) -> Cost:
        match effect:
            case effects.ForEach(binder, body):
                element, cost = self._binder(binder, env)
                inner = self.clauses(body, {**env, binder.name: element})
                return Cost(cost.steps + cost.count * inner.steps, cost.parts + unrolled(cost.count, inner.parts))
            case effects.Keep(name, value, body):
                kept = self.term(value, env)
                return together(self.clauses(body, {**env, name: kept}), evolve(kept, count=0))
            case effects.When(condition, body, otherwise):
                return together(self.term(condition, env), self.clauses(body, env), self.clauses(otherwise, env))
            case effects.Transfer() | effects.Deal() | effects.Assign() | effects.Shuffle() | effects.End():
                return together(Cost(), *self._operands(effect, env))
            case _:
                assert_never(effect)

    def flow(self, node: object) -> None:
        """Check the costs of the terms of a flow, and the number of moves of its choices. Raises `RulesError`."""
        if isinstance(node, model.Choose):
            self._listed(sum(self.moves[name] for name in node.actions), node.span)
        for part in parts_of(node):
            if isinstance(part, tm.Term):
                cost, most = self.clause(self.term(part, {}), part.span), self.instance.game.limits.written
                if cost.count > most:
                    message = f"this may have more than {most} values, which are listed before play"
                    self._refuse("RW252", message, part.span, "use a smaller domain")
            else:
                self.flow(part)

    # Terms ----------------------------------------------------------------------------------------

    def term(self, term: tm.Term, env: CostEnv) -> Cost:
        """The cost of a term, set or not. Raises `RulesError`."""
        self.depth += 1
        if self.depth > DEEPEST:
            self._refuse(
                "RW252", "this is nested too deeply when its definitions are expanded", term.span, "nest fewer definitions"
            )
        cost = self.within(self._term(term, env), term.span)
        self.depth -= 1
        return cost

    def _term(self, term: tm.Term, env: CostEnv) -> Cost:  # noqa: PLR0912
        game = self.instance.game
        match term:
            case tm.Constant(value):
                return Cost(bits=value.bit_length())
            case tm.Local(name):
                if name not in env:
                    return self.of_type(term.type)
                # A set is evaluated anew wherever its name occurs.
                return env[name] if isinstance(term.type, types.SetOf) else evolve(env[name], steps=1, parts=1)
            case tm.Read(variable, index):
                return together(self._variable(game.variables[variable]), *(self.term(at, env) for at in index))
            case tm.Paired(first, second):
                return together(Cost(steps=4), self.term(first, env), self.term(second, env))
            case tm.Invoke(name, arguments):
                given = tuple(self.term(argument, env) for argument in arguments)
                return together(self._invoked(game.definitions[name], given), *given)
            case tm.Let(name, value, body):
                named = self.term(value, env)
                return together(self.term(body, {**env, name: named}), evolve(named, count=0))
            case tm.Lookup(tm.Column(table, column), key):
                values = dict(game.tables[table].columns).get(column, ())
                bits = max((value.bit_length() for value in values), default=1)
                return together(Cost(bits=bits), self.term(key, env))
            case tm.Arithmetic(first, rest):
                return self._arithmetic(first, rest, env)
            case tm.If(condition, then, otherwise):
                found = widest(self.term(condition, env), self.term(then, env), self.term(otherwise, env))
                return together(found, Cost(found.count, 3, 1)) if isinstance(term.type, types.SetOf) else found
            case tm.Interval(low, high):
                return self._interval(low, high, env)
            case tm.SetLiteral(items):
                return evolve(widest(*(self.term(item, env) for item in items)), count=len(items))
            case tm.Fold(kind, binder, body):
                element, cost = self._loop(binder, body, env)
                return evolve(cost, bits=element.bits) if kind.is_element else cost
            case tm.Those(binder):
                element, cost = self._binder(binder, env)
                return evolve(cost, bits=element.bits)
            case tm.Image(image, binder):
                count = self._binder(binder, env)[1].count
                return evolve(self._loop(binder, image, env)[1], count=self._distinct(count, term.type))
            case tm.SetOperation(operator, first, second):
                return self._joined(operator, first, second, env)
            case tm.Within(first, second):
                looked_up = self._joined(SetOperator.WITHOUT, first, second, env)
                return evolve(looked_up, steps=2 * looked_up.steps, parts=2 * looked_up.parts, bits=1, count=0)
            case tm.Closure(start, origin, binder):
                return self._closure(self.term(start, env), origin, binder, env)
            case tm.Drawn(domain):
                cost = self.term(domain, env)
                return evolve(cost, steps=cost.steps + cost.count, count=0)
            case tm.Size(domain):
                cost = self.term(domain, env)
                return evolve(cost, bits=cost.count.bit_length(), count=0)
            case tm.Membership(item, tm.Those(tm.Binder(name, tm.AllCells(), where))) if where is not None:
                element = self.term(item, env)
                return together(Cost(steps=2), element, self.term(where, {**env, name: element}))
            case tm.Membership(item, domain):
                one, other = self.term(item, env), self.term(domain, env)
                searched = 0 if isinstance(domain, (tm.Interval, tm.AllCells)) else other.count
                return together(Cost(steps=1 + searched), one, other)
            case tm.Neighbours(space, which, _):
                directions = near_directions(self.instance.windows[space], which)
                return together(Cost(bits=CELL_BITS, count=len(directions)), *self._operands(term, env))
            case tm.Row(rows):
                return together(Cost(bits=CELL_BITS, count=rows_of(self.instance, rows).longest), *self._operands(term, env))
            case tm.Apply(Function.LEAP, space):
                return together(Cost(steps=1 + self._longest(space), bits=CELL_BITS), *self._operands(term, env))
            case tm.CellAt():
                return together(Cost(steps=4, parts=4, bits=CELL_BITS), *self._operands(term, env))
            case tm.Apply(Function.LINE, space):
                return together(Cost(bits=CELL_BITS, count=self._longest(space)), *self._operands(term, env))
            case (
                tm.And() | tm.Or() | tm.Not() | tm.Compare() | tm.Lookup() | tm.Apply() | tm.Top() | tm.AllCells()
                | tm.AllDirections() | tm.AllMembers() | tm.PlayerCount() | tm.Origin() | tm.Absent()
            ):  # fmt: skip
                return together(self.of_type(term.type), *self._operands(term, env))
            case _:
                assert_never(term)

    def _operands(self, node: object, env: CostEnv) -> Iterator[Cost]:
        """The costs of the terms that a term or an effect consists of, in order."""
        return (self.term(part, env) for part in operands(node))

    def _joined(self, operator: SetOperator, first: tm.Term, second: tm.Term, env: CostEnv) -> Cost:
        """The cost of a set operation, which looks up each element of one set in the other."""
        one, other = self.term(first, env), self.term(second, env)
        either = operator is SetOperator.EITHER
        kept, test = (other, self._tested(first, env)) if either else (one, self._tested(second, env))
        steps = one.steps + other.steps + kept.count * (1 + test)
        copies = kept.count if 0 < kept.count <= UNROLLED else 1
        parts = one.parts + other.parts + copies * (1 + (one if either else other).parts)
        count = self._distinct(one.count + other.count, first.type) if either else one.count
        return Cost(steps, parts, max(one.bits, other.bits), count)

    def _distinct(self, count: int, type: types.Type) -> int:
        """The most elements of a set of a type that lists at most so many, some of them perhaps more than once."""
        match type:
            case types.SetOf(types.Cell() | types.Player() | types.Enumeration() | types.Direction()):
                return min(count, self.of_type(type).count + 1)
            case _:
                return count

    def _invoked(self, definition: model.Definition, given: tuple[Cost, ...]) -> Cost:
        """The cost of a definition, given bounds of its arguments."""
        widths = tuple(evolve(cost, steps=1, parts=1) for cost in given)
        key = definition.name, widths
        if key not in self.known:
            env = dict(zip((name for name, _ in definition.parameters), widths, strict=True))
            cost = widest(self.term(definition.value, env), *self._cases(definition.cases, env))
            is_shared = not any(isinstance(type, types.SetOf) for _, type in definition.parameters)
            self.known[key] = evolve(cost, parts=1) if is_shared and cost.parts > MOST_REPEATED else cost
        return self.known[key]

    def _cases(self, cases: tuple[model.Case, ...], env: CostEnv) -> Iterable[Cost]:
        for case in cases:
            yield evolve(self.term(case.when, env), count=0, bits=1)
            yield self.term(case.value, env)
            yield from self._cases(case.exceptions, env)

    def _arithmetic(self, first: tm.Term, rest: tuple[tuple[Operator, tm.Term], ...], env: CostEnv) -> Cost:
        total = self.term(first, env)
        sums = 1
        for operator, operand in rest:
            cost = self.term(operand, env)
            match operator:
                case Operator.PLUS | Operator.MINUS:
                    bits, sums = max(total.bits, cost.bits), sums + 1
                case Operator.TIMES:
                    bits = total.bits + cost.bits
                case Operator.DIV:
                    bits = total.bits
                case Operator.MOD:
                    bits = cost.bits
                case _:
                    assert_never(operator)
            total = Cost(total.steps + cost.steps + 1, total.parts + cost.parts + 1, bits)
        return evolve(total, bits=total.bits + sums.bit_length() - 1)

    def _interval(self, low: tm.Term, high: tm.Term, env: CostEnv) -> Cost:
        one, other = self.term(low, env), self.term(high, env)
        bits = max(one.bits, other.bits)
        match low, high:
            case tm.Constant(first), tm.Constant(last):
                count = max(0, last - first + 1)
            case tm.Constant(first), _ if first >= 0:
                count = 1 << bits
            case _:
                count = 2 << bits
        return together(Cost(bits=bits, count=count), one, other)

    def _closure(self, start: Cost, origin: str, binder: tm.Binder, env: CostEnv) -> Cost:
        _, cost = self._binder(binder, {**env, origin: Cost(bits=CELL_BITS)})
        domain = len(self.instance.domain(binder.type))
        if isinstance(binder.type, types.Region):
            domain = self._regions()
        few = most_passing(self.instance, binder)
        count = 1 + (max(domain, cost.count) if few is None else min(few, domain))
        return Cost(start.steps + count * cost.steps, start.parts + cost.parts, CELL_BITS, count)

    def _regions(self) -> int:
        """The number of regions of all tiles, plus one for none."""
        return self.tiles * self.instance.most_regions + 1

    def _loop(self, binder: tm.Binder, body: tm.Term, env: CostEnv) -> tuple[Cost, Cost]:
        """The bound of an element, and the total cost of evaluating a term for each."""
        element, cost = self._binder(binder, env)
        inner = self.term(body, {**env, binder.name: element})
        steps = cost.steps + cost.count * inner.steps
        parts = cost.parts + unrolled(cost.count, inner.parts)
        return element, Cost(steps, parts, inner.bits + cost.count.bit_length())

    def _binder(self, binder: tm.Binder, env: CostEnv) -> tuple[Cost, Cost]:
        """The bound of an element, and the cost of the set of elements that pass the test."""
        domain = self.term(binder.domain, env)
        count, few = domain.count, most_passing(self.instance, binder) if self.by_kind else None
        if isinstance(binder.domain, tm.AllCells) and few is not None:
            count = min(count, self.tiles)
        element = Cost(bits=domain.bits)
        test = Cost(0, 0) if binder.where is None else self.term(binder.where, {**env, binder.name: element})
        passing = count if few is None else min(count, few)
        steps = domain.steps + count * (1 + test.steps)
        if few is not None and self._is_by_kind(binder):
            # Cells are looked up by kind if those of the kinds are at most half of those to search; the bound has no such step.
            each = 1 + test.steps + self._tested(binder.domain, {**env, binder.name: element})
            steps = min(steps, 1 + 2 * passing * each)
        return element, Cost(steps, domain.parts + unrolled(count, test.parts), domain.bits, passing)

    def _is_by_kind(self, binder: tm.Binder) -> bool:
        """Whether the cells that a binder searches for may be looked up by their kinds of tile."""
        match binder.type:
            case types.Cell(board):
                return not self.instance.windows[board].unbounded and cells_searched(self.instance, binder.domain, board) > 0
            case _:
                return False

    def _tested(self, domain: tm.Term, env: CostEnv) -> int:
        """The steps of a test whether an element is in a set, which is listed before if only a look at all elements tells."""
        match domain:
            case tm.Those(binder):
                element = evolve(self.term(binder.domain, env), steps=1, parts=1, count=0)
                where = 0 if binder.where is None else self.term(binder.where, {**env, binder.name: element}).steps
                return self._tested(binder.domain, env) + where
            case tm.SetOperation(_, first, second):
                return self._tested(first, env) + self._tested(second, env)
            case tm.If(condition, then, otherwise):
                return self.term(condition, env).steps + self._tested(then, env) + self._tested(otherwise, env)
            case tm.Invoke(name, arguments):
                given = tuple(self.term(argument, env) for argument in arguments)
                return self._tested_by_call(self.instance.game.definitions[name], given) + sum(cost.steps for cost in given)
            case tm.Row(tm.PartsOf(), key):
                return 2 + self.term(key, env).steps
            case tm.AllCells() | tm.AllDirections() | tm.AllMembers() | tm.Interval():
                return 2
            case _:
                return 1 + self.term(domain, env).count

    def _tested_by_call(self, definition: model.Definition, given: tuple[Cost, ...]) -> int:
        """The steps of a test whether an element is in the set of a definition."""
        widths = tuple(evolve(cost, steps=1, parts=1) for cost in given)
        key = "test", definition.name, widths
        if key not in self.known:
            env = dict(zip((name for name, _ in definition.parameters), widths, strict=True))
            self.known[key] = Cost(self._tested(definition.value, env))
        return self.known[key].steps

    def _longest(self, space: str) -> int:
        """The most cells of a straight line."""
        window = self.instance.windows[space]
        return window.size if window.periods else max(len(set(axis)) for axis in zip(*window.coordinates, strict=True))

    def _variable(self, variable: model.Variable) -> Cost:
        if variable.is_zone:
            return Cost(bits=CELL_BITS, count=self.tiles)
        if variable.type == types.Number():
            return Cost(bits=max(abs(variable.low), abs(variable.high)).bit_length())
        return self.of_type(variable.type)

    def of_type(self, type: types.Type) -> Cost:
        """A bound on all values of a type. A set has at most all elements of its type; the size of a set of numbers is a
        guess."""
        match type:
            case types.SetOf(types.Number()):
                return Cost(bits=CELL_BITS, count=1000)
            case types.SetOf(types.Cell(space)):
                window = self.instance.windows[space]
                return Cost(bits=CELL_BITS, count=self.tiles if window.unbounded else window.size)
            case types.SetOf(types.Region()):
                return Cost(bits=CELL_BITS, count=self._regions())
            case types.SetOf(element):
                return Cost(bits=CELL_BITS, count=len(self.instance.domain(element)))
            case types.Truth():
                return Cost()
            case _:
                return Cost(bits=CELL_BITS)
