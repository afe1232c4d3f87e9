"""The order-free model of a question: plans whose actions may be played in any order, as sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.analysis.accesses import TURNS, FreeState, GroundAction, state_over
from rulewright.rules.analysis.commutation import CommutingActions, Family, SlotRule
from rulewright.rules.analysis.commuting_loop import CommutingLoop, PlayLoop, value_at_root
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import COUNTED, STOP, Move, State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.circuit import (
    FALSE,
    MOST_VARIABLES,
    TRUE,
    Circuit,
    GivenUp,
    LinearExpression,
    Lit,
    Refused,
    holds,
    refusing_at,
)
from rulewright.rules.symbolic.guarded_values import Encoder, Guarded
from rulewright.rules.symbolic.move_grounding import SymbolicEvaluator
from rulewright.rules.symbolic.symbolic_algebra import SymbolicAlgebra
from rulewright.rules.symbolic.symbolic_state import Slot
from rulewright.solver.cpsat.model.from_question import ConstraintModel, objective_of

# An order-free model --------------------------------------------------------------------------------------------------
# How often a plan has each ground action, and the last state that follows.
#
# The model is exact if the loop is (`CommutingLoop`). Otherwise the plans are among the solutions, so the bound of the model
# is valid, and a solution counts once an order is found in which it can be played (`from_question.py`); one without such an
# order is excluded.


MOST_USES = 1_000
"""The most uses of one action in a plan."""

MOST_USE_LITERALS = 50_000


@frozen
class Uses:
    """How often a plan has an action: `period` times for each of the `laps` that holds, and once for each of the `rests`.

    A cycle depends on the rests alone.
    """

    rests: tuple[Lit, ...]
    laps: tuple[Lit, ...]
    period: int
    any: Lit

    @property
    def terms(self) -> Iterator[tuple[int, Lit]]:
        yield from ((1, lit) for lit in self.rests)
        yield from ((self.period, lit) for lit in self.laps)


@define
class ActionSet:
    """The constraints on the uses of ground actions, and the slots of the last state."""

    engine: Engine
    root: State
    circuit: Circuit
    plays: CommutingLoop
    encoder: Encoder = field(init=False)
    uses: list[Uses] = field(factory=list)
    slots: dict[Slot, Guarded] = field(factory=dict)

    @classmethod
    def of(cls, engine: Engine, analysis: DataflowAnalysis, root: State, circuit: Circuit) -> ActionSet:
        """The model from a root. Raises `Refused` if actions are not shown to commute, `Refused`, `ModelTooLarge`."""
        return cls(engine, root, circuit, CommutingLoop.of(engine, analysis, root))

    @property
    def is_exact(self) -> bool:
        return self.plays.is_exact

    @property
    def commuting(self) -> CommutingActions:
        return self.plays.commuting

    def __attrs_post_init__(self) -> None:
        """Post all constraints on the set itself."""
        self.encoder = Encoder(self.circuit)
        self.uses = [self._uses(number) for number in range(len(self.commuting.actions))]
        if sum(len(uses.rests) + len(uses.laps) for uses in self.uses) > MOST_USE_LITERALS:
            raise Refused("actions that may be repeated too often")
        for slot, rule in self.commuting.rules.items():
            found = self._slot(rule)
            if found is not None:
                self.slots[slot] = found
        for row in clique_rows(self.commuting.conflicts):
            self.circuit.add_linear(((1, self.uses[number].any) for number in row), None, 1)

    def _uses(self, number: int) -> Uses:
        circuit, most = self.circuit, self.commuting.most_uses(number)
        period = self.commuting.period(number)
        if most is None:
            if not self.is_exact:
                action = self.commuting.actions[number]
                raise Refused("an action that may be repeated without limit", action.span)
            most = period  # more uses lead to no other state
        if most > MOST_USES:
            raise Refused("an action that may be repeated too often", self.commuting.actions[number].span)
        rests = tuple(circuit.new_literal() for _ in range(min(period - 1, most)))
        laps = tuple(circuit.new_literal() for _ in range(most // period))
        for one, next_one in (*pairwise(rests), *pairwise(laps)):
            circuit.add_clause(-next_one, one)
        if laps and rests and len(rests) + period * len(laps) > most:
            terms = [*((1, lit) for lit in rests), *((period, lit) for lit in laps)]
            circuit.add_linear(terms, None, most)
        return Uses(rests, laps, period, circuit.any_of((*rests[:1], *laps[:1])))

    # The last state -----------------------------------------------------------------------------

    def _slot(self, rule: SlotRule) -> Guarded | None:
        """The final value of a slot; None if it is that of the root."""
        circuit, encoder = self.circuit, self.encoder
        match rule.family:
            case Family.FIXED:
                return None
            case Family.WRITE_ONCE:
                writers: dict[int, list[Lit]] = {}
                for number, value in rule.steps.items():
                    writers.setdefault(value, []).append(self.uses[number].any)
                kept = circuit.new_literal()
                if any(len(lits) > 1 for lits in writers.values()):
                    every = [lit for lits in writers.values() for lit in lits]
                    circuit.add_linear([(1, kept), *((1, lit) for lit in every)], 1, 1)
                found = {rule.at_root: kept} | {value: circuit.sum_of(lits) for value, lits in writers.items()}
                circuit.add_domain(list(found.values()))
                return Guarded(tuple(found.items()))
            case Family.LATCH:
                value = next(iter(rule.steps.values()))
                is_set = circuit.any_of(self.uses[number].any for number in rule.steps)
                return encoder.merge([(rule.at_root, -is_set), (value, is_set)])
            case Family.COUNTER:
                terms = [(step * times, lit) for number, step in rule.steps.items() for times, lit in self.uses[number].terms]
                return self._number(rule.at_root, terms, sorted((rule.at_root, rule.limit)))
            case Family.CYCLE:
                return self._cycle(rule)

    def _number(self, base: int, terms: Sequence[tuple[int, Lit]], within: Sequence[int]) -> Guarded:
        """A weighted sum of literals plus `base` as a one-hot encoded number."""
        low, high = within
        found = self.encoder.free(range(low, high + 1))
        shown = [(-value, lit) for value, lit in found.numbers() if value]
        if found.known:
            shown = []
            base -= found.only
        self.circuit.add_linear([*shown, *terms], -base, -base)
        return found

    def _cycle(self, rule: SlotRule) -> Guarded:
        """The sum of the steps modulo the number of values: whole rounds are subtracted."""
        circuit, size = self.circuit, len(rule.values)
        terms = [(step, lit) for number, step in rule.steps.items() for lit in self.uses[number].rests]
        most = rule.at_root + sum(step for step, _ in terms)
        rounds = [circuit.new_literal() for _ in range(most // size)]
        for one, next_one in pairwise(rounds):
            circuit.add_clause(-next_one, one)
        return self._number(rule.at_root, [*terms, *((-size, lit) for lit in rounds)], (0, size - 1))

    def evaluator(self) -> SymbolicEvaluator:
        """The evaluator of terms in the last state."""
        written = self.plays.free.encoded
        slots = {slot: value for slot, value in self.slots.items() if slot != TURNS}
        state = state_over(self.engine, self.root, written, self.encoder, slots)
        return Evaluator(self.engine.instance, SymbolicAlgebra(self.encoder, state))

    def holds_in_the_end(self, condition: Term) -> Lit:
        """The literal of a condition in the last state."""
        with refusing_at(condition.span):
            return self.encoder.yes(self.evaluator().value(condition, {}))

    def require_an_end(self) -> None:
        """Post that play is over after the last action: the flow ends it, no action is legal any more, or the player stops.

        Nothing is posted if actions may be illegal though their accesses allow them: the model cannot tell when none is legal.
        """
        loop = self.plays.loop
        if loop.choice.stop or self.plays.free.is_wider:
            return
        over = self.circuit.any_of(self._path_holds(path) for path in loop.endings)
        if loop.most_turns is not None:
            over = self.circuit.any_of((over, self._member(TURNS, frozenset((loop.most_turns,)))))
        stuck = [-self._is_legal(action) for action in self.commuting.actions]
        if over == FALSE:
            for lit in stuck:
                self.circuit.add_clause(lit)
        else:
            self.circuit.add_clause(over, self.circuit.all_of(stuck))

    def _path_holds(self, path: Iterable[tuple[Term, bool]]) -> Lit:
        return self.circuit.all_of(lit if held else -lit for term, held in path for lit in [self.holds_in_the_end(term)])

    def _is_legal(self, action: GroundAction) -> Lit:
        """The literal that an action is legal in the last state."""
        return self.circuit.all_of(self._member(slot, access.allowed) for slot, access in action.accesses.items())

    def _member(self, slot: Slot, allowed: frozenset[int]) -> Lit:
        found = self.slots.get(slot)
        if found is None:
            return TRUE if value_at_root(self.engine, self.root, slot) in allowed else FALSE
        return self.encoder.test(lambda value: value in allowed, found)

    def number_of_actions(self) -> LinearExpression:
        """The number of actions of the plan."""
        terms: dict[Lit, int] = {}
        for uses in self.uses:
            for times, lit in uses.terms:
                terms[lit] = terms.get(lit, 0) + times
        return LinearExpression.of(terms, 0)

    # Solutions ----------------------------------------------------------------------------------

    def chosen(self, solution: Sequence[int]) -> Counter[Move]:
        """The number of times that a solution has each action."""
        found: Counter[Move] = Counter()
        for action, uses in zip(self.commuting.actions, self.uses, strict=True):
            number = sum(times for times, lit in uses.terms if holds(lit, solution))
            if number:
                found[action.move] = number
        return found

    def excluding(self, solution: Sequence[int]) -> tuple[Lit, ...]:
        """A clause that excludes this solution and no other."""
        lits = [lit for uses in self.uses for _, lit in uses.terms]
        return tuple(-lit if holds(lit, solution) else lit for lit in lits)


def clique_rows(conflicts: Sequence[set[int]]) -> Iterator[list[int]]:
    """Maximal cliques that cover all edges, found greedily: each grows from an edge not yet covered."""
    near = [sum(1 << other for other in others) for others in conflicts]
    open_edges = list(near)
    for first in range(len(near)):
        while open_edges[first]:
            members = [first]
            common = near[first]
            while common:
                wanted = open_edges[first] & common or common
                chosen = (wanted & -wanted).bit_length() - 1
                members.append(chosen)
                common &= near[chosen]
            row = sum(1 << member for member in members)
            for member in members:
                open_edges[member] &= ~row
            yield members


# The order-free model of a question -----------------------------------------------------------------------------------


@define
class SetPlans:
    """Reads plans off the solutions of an order-free model."""

    actions: ActionSet
    ordering: Ordering
    _plans: dict[tuple[Lit, ...], tuple[Move, ...] | None] = field(factory=dict)

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...] | None:
        """A plan with the actions of a solution; None if they cannot be played in any order. Raises `GivenUp`."""
        key = self.actions.excluding(solution)
        if key not in self._plans:
            self._plans[key] = next(self.plans(solution), None)
        return self._plans[key]

    def plans(self, solution: Sequence[int]) -> Iterator[tuple[Move, ...]]:
        """The plans with the actions of a solution, one for each playable order. Raises `GivenUp`."""
        return self.ordering.plans(self.actions.root, self.actions.chosen(solution))


def check_first_moves(engine: Engine, root: State, question: Question) -> None:
    """Judge by the flow and the first move of each action whether their order may be free.

    The check is cheap, while building the model may take a second. Raises `Refused`.
    """
    choice = PlayLoop.of(engine, root).choice
    free = FreeState.of(engine, DataflowAnalysis(engine, question.terms, root), root)
    for name in choice.actions:
        next(free.actions((name,)), None)


def may_be_sets(engine: Engine, root: State, question: Question) -> bool:
    """Whether `check_first_moves` raises nothing."""
    try:
        check_first_moves(engine, root, question)
    except Refused:
        return False
    return True


def order_free_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """All plans from a root as sets of actions.

    Raises `Refused` if the order of actions is not shown to be free, `Refused`, `ModelTooLarge`.
    """
    circuit = Circuit(most_variables)
    actions = ActionSet.of(engine, DataflowAnalysis(engine, question.terms, root), root, circuit)
    if question.until is None:
        actions.require_an_end()
    else:
        circuit.add_clause(actions.holds_in_the_end(question.until))
    reader = SetPlans(actions, Ordering(engine, question))
    return ConstraintModel(
        circuit,
        _objective(question, actions),
        reader,
        exclude=lambda solution: circuit.add_clause(*actions.excluding(solution)),
        decisions=tuple(uses.any for uses in actions.uses),
    )


def _objective(question: Question, actions: ActionSet) -> LinearExpression:
    """The value to maximise."""
    if question.goal is not Goal.LEAST or question.values:
        return objective_of(question, actions.evaluator(), actions.encoder)
    if question.counts_turns and actions.root[COUNTED]:
        raise Refused("a position in which turns have been taken already")
    return actions.encoder.add([(question.sign, actions.number_of_actions())])


MOST_STATES = 20_000
"""The number of states visited before a set is given up."""


@define
class Ordering:
    """A search for an order of actions in which each is legal and play is not over before the last."""

    engine: Engine
    question: Question
    _states: int = 0
    _failed: set[frozenset[tuple[Move, int]]] = field(factory=set)

    def plans(self, root: State, actions: Counter[Move]) -> Iterator[tuple[Move, ...]]:
        """The plans, one for each order, with a final `stop` if needed. Raises `GivenUp`."""
        self._states = 0
        self._failed.clear()
        return self._from(root, dict(actions))

    def _from(self, state: State, left: dict[Move, int]) -> Iterator[tuple[Move, ...]]:
        """The ways to finish from a state, as moves."""
        if not left:
            yield from self._end(state)
            return
        key = frozenset(left.items())
        if key in self._failed or self.engine.over(state):
            return
        self._states += 1
        if self._states > MOST_STATES:
            raise GivenUp
        fails = True
        for move in self.engine.legal(state):
            if move in left:
                after = {other: number - (other == move) for other, number in left.items() if other != move or number > 1}
                for found in self._from(self.engine.apply(state, move), after):
                    fails = False
                    yield (move, *found)
        if fails:
            self._failed.add(key)

    def _end(self, state: State) -> Iterator[tuple[Move, ...]]:
        if self.question.until is not None:
            if self.engine.value(self.question.until, state):
                yield ()
        elif self.engine.over(state):
            yield ()
        elif STOP in self.engine.legal(state) and self.engine.over(self.engine.apply(state, STOP)):
            yield (STOP,)
