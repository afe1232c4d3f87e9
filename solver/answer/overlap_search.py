"""Reduces the overlap of two exceptions to reachability of an instrumented flag.

The game is instrumented: before each choice, a flag records whether both conditions hold at an invocation of the definition in
a score or in an action on offer. Once the flag is set, the rest of the flow is skipped and the game ends; a search for such an
end finds a witness.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import count, takewhile

from attrs import evolve

from rulewright.base.deadline import LATE, TimeUp, deadline, seconds_left
from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field
from rulewright.grammar.tree.expressions import Quantifier
from rulewright.grammar.tree.puzzles import Goal
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects as ef
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.game import Case, Game
from rulewright.rules.model.state import Move
from rulewright.rules.model.traversal import Inliner, Names, TooLong, conjunction
from rulewright.rules.model.types import Cell, Number, SetOf, Truth
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.static.exception_overlap import CandidateOverlap, OverlapWitness, shows
from rulewright.solver.best.fallback import FallbackSearch
from rulewright.solver.best.problem import Problem, no_bound
from rulewright.solver.result import Status

SECONDS = 6.0
"""Time for all candidates; each gets an equal share of what is left."""

SHARE = 0.5
"""Share of a candidate's time for the search from the set-up."""

RESTART_SECONDS = 0.75
"""Time for each restart, which searches from a position reached by random play."""

MAX_ACTIONS = 400
"""Actions of random play before a restart."""

YES, NO = terms.Constant(1, Number()), terms.Constant(0, Number())


def find_by_search(game: Game, candidates: Sequence[CandidateOverlap]) -> Iterator[OverlapWitness]:
    """One witness for each candidate for which the search finds one."""
    until = time.monotonic() + SECONDS
    for number, candidate in enumerate(candidates):
        left = until - time.monotonic()
        if left <= 0:
            return
        found, share = None, left / (len(candidates) - number)
        with suppress(RulesError, TooLong, TimeUp), deadline(share + LATE):  # also if the instrumented game is too large
            found = _witness(game, candidate)
        if found is not None:
            yield found


def _witness(game: Game, candidate: CandidateOverlap) -> OverlapWitness | None:
    """A witness found from the set-up, or by restarts from positions reached by random play; None when time is up."""
    instrumented, players = _Instrumented(game, candidate), range(game.players.low, game.players.high + 1)
    searches = [_OverlapSearch(game, instrumented, candidate, number) for number in players]
    for seed in takewhile(lambda _: searches, count()):
        for search in tuple(searches):
            left = seconds_left() - LATE
            if left <= 0:
                return None
            found = search.witness(seed, min(left, RESTART_SECONDS) if seed else SHARE * left)
            if found is not None:
                return found
            if search.is_exhausted:
                searches.remove(search)
    return None


@define
class _OverlapSearch:
    """A search for a witness with `players` players; `is_exhausted` once it is proved that there is none."""

    game: Game
    instrumented: _Instrumented
    candidate: CandidateOverlap
    players: int
    is_exhausted: bool = False

    @cached_property
    def instrumented_engine(self) -> Engine:
        return Engine.of(self.instrumented.game, self.players)

    @cached_property
    def engine(self) -> Engine:
        return Engine.of(self.game, self.players)

    def witness(self, seed: int, seconds: float) -> OverlapWitness | None:
        """A witness found from the set-up (seed 0), or from a position that random play with `seed` reaches."""
        question = Question(Goal.REACH, (terms.If(self.instrumented.flag, YES, NO, Number()),), 1)
        moves = self._random_play(seed) if seed else []
        state = _state_after(self.instrumented_engine, seed, moves)
        # No bound and no kernels: preparing them takes longer than most of these searches.
        search = FallbackSearch(Problem(self.instrumented_engine, state, question, no_bound), time.monotonic() + seconds)
        result = search.run()
        if result.status is Status.OPTIMAL:
            state = _state_after(self.engine, seed, (*moves, *result.plan))
            return OverlapWitness(self.candidate, self.engine, state) if shows(self.engine, state, self.candidate) else None
        chance = search.problem.analysis.uses_chance
        self.is_exhausted = not seed and result.status is Status.IMPOSSIBLE and not chance
        return None

    def _random_play(self, seed: int) -> list[Move]:
        """The first three quarters of a random game."""
        rng, moves = random.Random(seed), list[Move]()
        state = self.instrumented_engine.start(seed)
        while len(moves) < MAX_ACTIONS and (legal := self.instrumented_engine.legal(state)):
            moves.append(rng.choice(legal))
            state = self.instrumented_engine.apply(state, moves[-1])
        return moves[: len(moves) * 3 // 4]


def _state_after(engine: Engine, seed: int, moves: Sequence[Move]) -> State:
    """The state after `moves` from the set-up; stops before the first move that raises `PlayError`."""
    state = engine.start(seed)
    with suppress(PlayError):
        for move in moves:
            state = engine.apply(state, move)
    return state


@define
class _Instrumented:
    """A game that ends at the first choice where both conditions hold; `flag` reads whether it did."""

    original: Game
    candidate: CandidateOverlap
    flag: terms.Read = field(init=False)
    game: Game = field(init=False)
    _probes: dict[str, tuple[ef.EffectClause, ...]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        original = self.original
        self.flag = terms.Read(self._fresh("both"), (), Truth())
        flow = self._skipped(original.flow)
        self.game = evolve(
            original,
            variables=original.variables | {self.flag.variable: model.Variable(self.flag.variable, None, Truth(), high=1)},
            procedures=original.procedures | self._probes,
            definitions={
                name: evolve(d, value=_first_that_applies(d.value, d.cases), cases=())
                for name, d in original.definitions.items()
            },
            flow=flow,
        )

    def _fresh(self, name: str) -> str:
        while name in self.original.variables or name in self.original.procedures or name in self._probes:
            name += "_hold"
        return name

    def _skipped(self, flow: tuple[model.Flow, ...]) -> tuple[model.Flow, ...]:
        """The flow with a probe before each choice; all of it is skipped once the flag is set."""
        unless = terms.Not(self.flag, Truth())
        found: list[model.Flow] = []
        for node in flow:
            match node:
                case model.Run():
                    found.append(model.Branch(unless, (node,), (), span=node.span))
                case model.Choose():
                    found += [self._probe(node), model.Branch(unless, (node,), (), span=node.span)]
                case model.Repeat(until, body):
                    end = self.flag if until is None else terms.Or((self.flag, until), Truth())
                    found.append(evolve(node, until=end, body=self._skipped(body)))
                case model.Each(where=where, body=body):
                    more = unless if where is None else terms.And((unless, where), Truth())
                    found.append(evolve(node, where=more, body=self._skipped(body)))
                case model.Branch(_, body, otherwise):
                    found.append(evolve(node, body=self._skipped(body), otherwise=self._skipped(otherwise)))
                case model.Point(_, body):
                    found.append(evolve(node, body=self._skipped(body)))
        return tuple(found)

    def _probe(self, choice: model.Choose) -> model.Run:
        name = self._fresh(self.flag.variable)
        both = _both(self.original, self.candidate, choice)
        self._probes[name] = (
            ef.EffectClause(f"{name}.probe", ef.Assign(ef.Location(self.flag.variable), Assignment.SET, both)),
        )
        return model.Run(name)


def _first_that_applies(value: terms.Term, cases: Sequence[Case]) -> terms.Term:
    """The value and its cases as a chain of `if`, in which overlapping cases raise no error."""
    for case in reversed(cases):
        value = terms.If(case.when, _first_that_applies(case.value, case.exceptions), value, value.type, span=case.span)
    return value


# The condition that both hold -----------------------------------------------------------------------------------------


def _both(game: Game, candidate: CandidateOverlap, choice: model.Choose) -> terms.Term:
    """Whether both conditions hold where a score or an action of the choice invokes the definition. Raises `TooLong`."""
    found = _Invocations(game.definitions, candidate=candidate)
    for score in game.scores:
        found.begin()
        found.term(score.value, {})
    for action in (game.actions[name] for name in choice.actions):
        found.begin()
        names: Names = {}
        for parameter in action.parameters:
            binder = terms.Binder(parameter.name, parameter.domain, parameter.where, parameter.type)
            names = found.bind(binder, names)
        met = tuple(found.term(requirement.condition, names, found.depth) for requirement in action.requirements)
        found.effects(action.effects, names, met)
    conditions = tuple(found.conditions)
    return terms.Or(conditions, Truth()) if conditions else terms.Constant(0, Truth())


@define
class _Invocations(Inliner):
    """An inliner that collects in `conditions` when both cases hold at an invocation of the candidate's definition.

    `_opened` are the enclosing binders, `_met` the requirements of the action.
    """

    candidate: CandidateOverlap = field(kw_only=True)
    conditions: dict[terms.Term, None] = field(factory=dict, init=False)
    _opened: list[terms.Binder] = field(factory=list, init=False)
    _met: tuple[terms.Term, ...] = field(default=(), init=False)

    @property
    def depth(self) -> int:
        """The number of enclosing binders."""
        return len(self._opened)

    def begin(self) -> None:
        """Start a new top-level term, outside all binders."""
        self.parts, self._met = 0, ()
        self._opened.clear()

    def bind(self, binder: terms.Binder, names: Names) -> Names:
        """Open a binder; returns the names in its scope."""
        return self._binder(binder, names, self.depth)[1]

    def effects(self, clauses: Sequence[ef.EffectClause], names: Names, met: tuple[terms.Term, ...]) -> None:
        """Inline the terms of an action's effects in the state where it is chosen; `met` are its requirements."""
        self._met = met
        for effect in (clause.effect for clause in clauses):
            match effect:
                case ef.ForEach(binder, body):
                    kept = self.depth
                    self.effects(body, self.bind(binder, names), met)
                    del self._opened[kept:]
                case ef.Keep(name, value, body):
                    self.effects(body, {**names, name: self.term(value, names, self.depth)}, met)
                case ef.When(condition, body, otherwise):
                    self.term(condition, names, self.depth)
                    self.effects((*body, *otherwise), names, met)
                case ef.Assign(_, _, value):
                    self.term(value, names, self.depth)
                case ef.Deal(number) if number is not None:
                    self.term(number, names, self.depth)
                case _:
                    pass

    def term(self, term: terms.Term, names: Names, depth: int = 0) -> terms.Term:
        """The inlined term. Binders opened inside it are closed again."""
        kept = self.depth
        if isinstance(term, terms.Closure):
            self._opened.append(terms.Binder(f"#{depth}", _universe(term.binder), None, term.binder.type))
        written = Inliner.term(self, term, names, depth)
        if isinstance(term, terms.Invoke) and term.definition == self.candidate.definition.name:
            self._used([Inliner.term(self, argument, names, depth) for argument in term.arguments], depth)
        del self._opened[kept:]
        return written

    def _used(self, arguments: Sequence[terms.Term], depth: int) -> None:
        candidate = self.candidate
        names = dict(zip((name for name, _ in candidate.definition.parameters), arguments, strict=True))
        held = [Inliner.term(self, case.when, names, depth) for case in (*candidate.above, candidate.one, candidate.other)]
        found = conjunction([*self._met, *held])
        for binder in reversed(self._opened):
            found = terms.Quantified(Quantifier.SOME, binder, found, Truth())
        self.conditions[found] = None

    def _binder(self, binder: terms.Binder, names: Names, depth: int) -> tuple[terms.Binder, Names]:
        fresh = f"#{depth}"
        inside = {**names, binder.name: terms.Local(fresh, binder.type)}
        whole = terms.Binder(fresh, self.term(binder.domain, names, depth), None, binder.type, span=binder.span)
        self._opened.append(whole)
        if binder.where is not None:
            whole = evolve(whole, where=self.term(binder.where, inside, depth + 1))
            self._opened[-1] = whole
        return whole, inside


def _universe(binder: terms.Binder) -> terms.Term:
    """All values that a closure may reach. Raises `TooLong` unless they are cells."""
    match binder.type:
        case Cell(space):
            return terms.AllCells(space, SetOf(binder.type))
        case _:
            raise TooLong
