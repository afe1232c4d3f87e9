"""A bound from possible gains: each run of an effect that raises the objective, times the most that it adds.

The flow is unrolled over its loops and, turn by turn, to the horizon; relaxation, as in longest-path algorithms, finds its
heaviest path. The most that an effect adds is evaluated over all reachable states, sums over a board by kind of tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.expressions import Operator
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.analysis.dominance import AbstractEvaluator
from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.state import COUNTED, OVER, POINT, State, value_range
from rulewright.rules.semantics import flow_graph
from rulewright.rules.static.abstract_values import HUGE, AbstractValue, all_of, any_element
from rulewright.rules.static.dataflow import flat, reads

MOST_NODES, MOST_ENTRIES, MOST_ROUNDS = 2_000, 4_096, 50
"""Largest unrolled flow of a turn, largest table, most rounds of relaxation; beyond the last, the gain counts as unbounded."""

Lap = tuple[int, ...]
"""The values of the loop variables of the flow."""

Edge = tuple[int, int, Lap, bool]
"""Gain on the way to an instruction, that instruction, the loop variables there; whether the horizon counts this edge."""

END = -1
"""Stands for an instruction where play ends."""


@frozen
class GainBound:
    """The value of a state plus the possible gain, which depends on the columns in `parts` (with their values)."""

    value: Callable[[State], int]
    parts: tuple[tuple[int, range], ...]
    gains: tuple[int, ...]

    def bound(self, state: State) -> int:
        at = 0
        for column, values in self.parts:
            at = at * len(values) + state[column] - values.start
        return self.value(state) + self.gains[at]


def gain_bound(
    states: ReachableStates, objective: Sequence[terms.Term], sign: int, value: Callable[[State], int]
) -> GainBound | None:
    """The bound for the states reachable from a root. `value` is the signed objective.

    None if the objective is not a sum of variables that effects add to, or a turn may raise it without limit.
    """
    scored = _scored(states, objective, sign)
    if scored is None:
        return None
    return _Unrolled(states, scored).bound(value)


@frozen
class _Scored:
    """A variable that the objective counts `times` times, at an index; at any index if that is None."""

    variable: str
    index: terms.Term | None
    times: int


def _scored(states: ReachableStates, objective: Sequence[terms.Term], sign: int) -> tuple[_Scored, ...] | None:
    """The variables whose sum is the objective, up to a constant part; None if it is not such a sum."""
    game, changed = states.engine.game, states.analysis.changing_variables

    def parts(term: terms.Term, times: int) -> Iterator[_Scored | None]:
        if not changed & reads(game, term):
            return
        match term:
            case terms.Read(variable, index) if not game.variables[variable].is_zone and not changed & reads(game, index):
                yield _Scored(variable, index[0] if index else None, times)
            case terms.Arithmetic(first, rest) if all(op in (Operator.PLUS, Operator.MINUS) for op, _ in rest):
                yield from parts(first, times)
                for operator, operand in rest:
                    yield from parts(operand, times if operator is Operator.PLUS else -times)
            case terms.Invoke(name) if not (definition := game.definitions[name]).parameters and not definition.cases:
                yield from parts(definition.value, times)
            case terms.Fold(
                terms.Kind.SUM, terms.Binder(name, terms.AllMembers(), None), terms.Read(variable, (terms.Local(element),))
            ) if element == name and isinstance(term.binder.type, types.Player):
                yield _Scored(variable, None, times)
            case _:
                yield None

    found = tuple(part for term in objective for part in parts(term, sign))
    return None if not found or None in found else tuple(part for part in found if part is not None)


class _Unlimited(Exception):
    """The gain is unbounded."""


@define(eq=False)
class _Unrolled:
    """The flow, unrolled over the values of its loop variables."""

    states: ReachableStates
    scored: tuple[_Scored, ...]
    _adds: dict[tuple[str, Lap], int] = field(factory=dict)

    @cached_property
    def loops(self) -> dict[str, tuple[int, ...]]:
        """The values of each loop variable, in all loops over it."""
        found: dict[str, tuple[int, ...]] = {}
        for step in self.states.engine.flow:
            if isinstance(step, flow_graph.LoopStart):
                found[step.variable] = tuple(dict.fromkeys((*found.get(step.variable, ()), *step.values)))
        return found

    @cached_property
    def columns(self) -> list[int]:
        layout = self.states.engine.layout
        return [layout.columns[variable].start for variable in self.loops]

    def bound(self, value: Callable[[State], int]) -> GainBound | None:
        engine, root = self.states.engine, self.states.root
        laps, horizon = list(product(*self.loops.values())), engine.horizon
        first = root[COUNTED]
        turns = horizon.times - first if horizon is not None else 1
        choices = {step.number: at for at, step in enumerate(engine.flow) if isinstance(step, flow_graph.ChoicePoint)}
        ranges = [value_range(engine.instance, engine.game.variables[variable]) for variable in self.loops]
        entries = (turns + 1) * (len(choices) + 1) * prod(map(len, ranges))
        if turns < 1 or len(laps) * len(engine.flow) > MOST_NODES or entries > MOST_ENTRIES:
            return None
        try:
            gains = self._by_turns(laps, turns)
        except _Unlimited:
            return None
        counts = range(first, first + turns + 1)
        parts = ((COUNTED, counts), (POINT, range(OVER, max(choices, default=0) + 1)), *zip(self.columns, ranges, strict=True))
        found = []
        for count, point, *lap in product(*(values for _, values in parts)):
            left = first + turns - count
            found.append(self._gain(gains[left], choices[point], tuple(lap), laps) if left > 0 and point != OVER else 0)
        return GainBound(value, parts, tuple(found))

    def _gain(self, gains: Mapping[tuple[int, Lap], int], at: int, lap: Lap, laps: Sequence[Lap]) -> int:
        """The possible gain from a choice on; the maximum over loop values if those of the state are not known."""
        return gains[at, lap] if (at, lap) in gains else max(gains[at, other] for other in laps)

    def _by_turns(self, laps: Sequence[Lap], turns: int) -> list[Mapping[tuple[int, Lap], int]]:
        """For each number of turns to come and each instruction, the most that may be gained from there."""
        nodes = [(at, lap) for at in reversed(range(len(self.states.engine.flow))) for lap in laps]
        edges = {node: list(self._edges(*node)) for node in nodes}
        by_turns: list[Mapping[tuple[int, Lap], int]] = [{}]
        for _ in range(turns):
            after, here = by_turns[-1], dict.fromkeys(nodes, -HUGE)
            for number in range(MOST_ROUNDS + 1):
                if not self._relaxed(edges, here, after):
                    break
                if number == MOST_ROUNDS:
                    raise _Unlimited
            by_turns.append({node: gain if gain > -HUGE // 2 else 0 for node, gain in here.items()})
        return by_turns

    def _relaxed(
        self,
        edges: Mapping[tuple[int, Lap], Sequence[Edge]],
        here: dict[tuple[int, Lap], int],
        after: Mapping[tuple[int, Lap], int],
    ) -> bool:
        """Do one round of relaxation; whether any gain rose."""
        changed = False
        for node, ways in edges.items():
            most = here[node]
            for gain, at, lap, leaves in ways:
                further = 0 if at == END else after.get((at, lap), 0) if leaves else here[at, lap]
                most = max(most, gain + further)
            if most > here[node]:
                here[node], changed = most, True
        return changed

    def _edges(self, at: int, lap: Lap) -> Iterator[Edge]:
        engine = self.states.engine
        horizon = engine.horizon
        match engine.flow[at]:
            case flow_graph.Halt():
                yield 0, END, lap, False
            case flow_graph.Jump(target):
                yield 0, target, lap, False
            case flow_graph.JumpIfFalse(_, otherwise):
                yield from ((0, target, lap, False) for target in (at + 1, otherwise))
            case flow_graph.LoopStart(variable, values, start):
                for value in values[:1] if start is None else values:
                    yield 0, at + 1, self._with(lap, variable, value), False
            case flow_graph.LoopNext(variable, values, start, again):
                here = lap[list(self.loops).index(variable)]
                following = values[(values.index(here) + 1) % len(values)] if here in values else values[0]
                is_first = following == values[0]
                targets = (again, at + 1) if start is not None else (at + 1 if is_first else again,)
                yield from ((0, target, self._with(lap, variable, following), False) for target in targets)
            case flow_graph.LeavePoint(point):
                yield 0, at + 1, lap, horizon is not None and horizon.point == point
            case flow_graph.RunProcedure(procedure):
                yield from self._after(f"do {procedure}", engine.game.procedures[procedure], lap, (at + 1,))
            case flow_graph.ChoicePoint() as choice:
                yield 0, choice.leave, lap, False
                for name in choice.actions:
                    body = engine.game.actions[name].effects
                    stops = any(clause.effect == effects.End(False) for clause in flat(body))
                    targets = (choice.resume, choice.leave) if stops else (choice.resume,)
                    yield from self._after(name, body, lap, targets)

    def _with(self, lap: Lap, variable: str, value: int) -> Lap:
        return tuple(value if name == variable else old for name, old in zip(self.loops, lap, strict=True))

    def _after(self, name: str, body: Sequence[effects.EffectClause], lap: Lap, targets: Sequence[int]) -> Iterator[Edge]:
        """The edges that leave an instruction whose effects are `body`."""
        if (name, lap) not in self._adds:
            self._adds[name, lap] = self._added_by(name, body, lap)
        gain = self._adds[name, lap]
        if any(clause.effect == effects.End(True) for clause in flat(body)):
            yield gain, END, lap, False
        yield from ((gain, target, lap, False) for target in targets)

    def _added_by(self, name: str, body: Sequence[effects.EffectClause], lap: Lap) -> int:
        """The most that effects add to the objective."""
        states, names = self.states, {part.variable for part in self.scored}
        assigned = [clause.effect for clause in flat(body) if isinstance(clause.effect, effects.Assign)]
        if not any(assign.target.variable in names for assign in assigned):
            return 0
        evaluator = states.evaluator_from(states.root, exact=False, given=dict(zip(self.loops, lap, strict=True)))
        env: dict[str, AbstractValue] = {}
        action = states.engine.game.actions.get(name)
        for parameter in () if action is None else action.parameters:
            env[parameter.name] = any_element(evaluator.set(parameter.domain, env))
        return self._added(body, env, evaluator)

    def _added(
        self, body: Sequence[effects.EffectClause], env: Mapping[str, AbstractValue], evaluator: AbstractEvaluator
    ) -> int:
        total = 0
        for clause in body:
            match clause.effect:
                case effects.Assign() as assign:
                    total += self._assigned(assign, env, evaluator)
                case effects.ForEach(binder, inner):
                    total += self._repeated(binder, inner, env, evaluator)
                case effects.Keep(name, kept, inner):
                    total += self._added(inner, {**env, name: evaluator.any(kept, env)}, evaluator)  # type: ignore[dict-item]
                case effects.When(_, then, otherwise):
                    total += max(self._added(then, env, evaluator), self._added(otherwise, env, evaluator))
        return total

    def _repeated(
        self,
        binder: terms.Binder,
        body: Sequence[effects.EffectClause],
        env: Mapping[str, AbstractValue],
        evaluator: AbstractEvaluator,
    ) -> int:
        """The most that effects add over all elements of a set."""
        domain = evaluator.set(binder.domain, env)
        if domain.items is None:
            return domain.most * max(0, self._added(body, {**env, binder.name: any_element(domain)}, evaluator))
        total = 0
        for element, guard in domain.items:
            inner = {**env, binder.name: element}
            counts = guard if binder.where is None else all_of((guard, evaluator.value(binder.where, inner)))
            if not counts.never:
                added = self._added(body, inner, evaluator)
                total += added if counts.always else max(0, added)
        return total

    def _assigned(self, assign: effects.Assign, env: Mapping[str, AbstractValue], evaluator: AbstractEvaluator) -> int:
        """The most that an assignment adds, over all counted places that it may change. Raises `_Unlimited`."""
        parts = [part for part in self.scored if part.variable == assign.target.variable]
        if not parts:
            return 0
        if assign.assignment is Assignment.SET:
            raise _Unlimited
        value, added = evaluator.value(assign.value, env), 0
        for part in parts:
            times = part.times if assign.assignment is Assignment.ADD else -part.times
            most = times * (value.high if times > 0 else value.low)
            if part.index is not None:
                there, here = evaluator.value(assign.target.index[0], env), evaluator.value(part.index, {})
                if there.high < here.low or here.high < there.low:
                    continue
                most = most if there.low == there.high == here.low == here.high else max(0, most)
            added += most
        return added
