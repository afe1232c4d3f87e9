"""Clashes found by the solver: can play come to a choice at which two exceptions apply at once?

The question is put to a game that is over there: before each choice a truth value notes whether both conditions hold, where a
score or an action that may be chosen asks for them; once they do, all that is left of the flow is passed over.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import count

from attrs import evolve, field

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Quantifier
from rulewright.grammar.tree.puzzles import Goal
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects as ef
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.game import Case, Game
from rulewright.rules.model.inlining import Inliner, Names, TooLong, conjunction
from rulewright.rules.model.moves import Move
from rulewright.rules.model.types import Cell, Number, SetOf, Truth
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.static.exception_overlap import CandidateOverlap, OverlapWitness
from rulewright.rules.static.overlap_playouts import shows
from rulewright.solver.result import Status
from rulewright.solver.search.fallback import FallbackSearch
from rulewright.solver.search.problem import Problem, no_bound

SECONDS = 6.0
"""For all suspects together; each has its share, and what those before it have left."""

SHARE = 0.5
"""Of the time for a suspect, for what a search from the set-up on may come to."""

LATER = 0.75
"""Seconds for a position of a game under way."""

LONGEST = 400
"""Actions of a game that is played to such a position."""

YES, NO = terms.Constant(1, Number()), terms.Constant(0, Number())


def find_by_search(game: Game, suspects: Sequence[CandidateOverlap]) -> Iterator[OverlapWitness]:
    """Positions in which suspects clash, the first that is found for each."""
    deadline = time.monotonic() + SECONDS
    for number, suspect in enumerate(suspects):
        left = deadline - time.monotonic()
        if left <= 0:
            return
        with suppress(RulesError, TooLong):  # what cannot be asked is not known
            found = _found(game, suspect, left / (len(suspects) - number))
            if found is not None:
                yield found


def _found(game: Game, suspect: CandidateOverlap, seconds: float) -> OverlapWitness | None:
    """Looked for from the set-up on, then behind most of a game at random, again and again."""
    deadline = time.monotonic() + seconds
    ending = _Ending(game, suspect)
    open_ones = [_Ways(game, ending, suspect, n) for n in range(game.players.low, game.players.high + 1)]
    for seed in count():
        for ways in tuple(open_ones):
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            clash = ways.clash(seed, min(left, LATER) if seed else SHARE * left)
            if clash is not None:
                return clash
            if ways.is_spent:
                open_ones.remove(ways)
        if not open_ones:
            return None
    return None


@define
class _Ways:
    """The ways of play of so many players. `is_spent` when there is no clash on any of them."""

    game: Game
    ending: _Ending
    suspect: CandidateOverlap
    players: int
    is_spent: bool = False

    @cached_property
    def asked(self) -> Engine:
        return Engine.of(self.ending.game, self.players)

    @cached_property
    def played(self) -> Engine:
        return Engine.of(self.game, self.players)

    def clash(self, seed: int, seconds: float) -> OverlapWitness | None:
        """A clash that a search comes to; the seed 0 is for the set-up, others for a position later in a game."""
        asked, played = self.asked, self.played
        question = Question(Goal.REACH, (terms.If(self.ending.noted, YES, NO, Number()),), 1)
        moves = self._later(seed) if seed else []
        state = _led(asked, seed, moves)
        # Neither a bound nor the kernels: what it takes to make them ready is better spent looking.
        search = FallbackSearch(Problem(asked, state, question, no_bound), time.monotonic() + seconds)
        result = search.run().result
        if search.interrupted:
            raise KeyboardInterrupt
        if result.status is Status.OPTIMAL:
            state = _led(played, seed, (*moves, *result.plan))
            return OverlapWitness(self.suspect, played, state) if shows(played, state, self.suspect) else None
        chance = search.problem.analysis.uses_chance
        self.is_spent = not seed and result.status is Status.IMPOSSIBLE and not chance
        return None

    def _later(self, seed: int) -> list[Move]:
        """Most of the actions of a game at random."""
        rng, moves = random.Random(seed), list[Move]()
        state = self.asked.start(seed)
        while len(moves) < LONGEST and (legal := self.asked.legal(state)):
            moves.append(rng.choice(legal))
            state = self.asked.apply(state, moves[-1])
        return moves[: len(moves) * 3 // 4]


def _led(engine: Engine, seed: int, moves: Sequence[Move]) -> State:
    """Where moves lead from a set-up, as far as the rules let them."""
    state = engine.start(seed)
    with suppress(PlayError):
        for move in moves:
            state = engine.apply(state, move)
    return state


@define
class _Ending:
    """A game that is over at the first choice where both conditions hold. `noted` says whether it has come to that."""

    original: Game
    suspect: CandidateOverlap
    noted: terms.Read = field(init=False)
    game: Game = field(init=False)
    _notes: dict[str, tuple[ef.EffectClause, ...]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        original = self.original
        self.noted = terms.Read(self._fresh("both"), (), Truth())
        flow = self._passed_over(original.flow)
        self.game = evolve(
            original,
            variables=original.variables | {self.noted.variable: model.Variable(self.noted.variable, None, Truth(), high=1)},
            procedures=original.procedures | self._notes,
            definitions={name: evolve(d, value=_first(d.value, d.cases), cases=()) for name, d in original.definitions.items()},
            flow=flow,
        )

    def _fresh(self, name: str) -> str:
        while name in self.original.variables or name in self.original.procedures or name in self._notes:
            name += "_hold"
        return name

    def _passed_over(self, flow: tuple[model.Flow, ...]) -> tuple[model.Flow, ...]:
        """The flow with a note before each choice; nothing of it happens any more when that says yes."""
        unless = terms.Not(self.noted, Truth())
        found: list[model.Flow] = []
        for node in flow:
            match node:
                case model.Run():
                    found.append(model.Branch(unless, (node,), (), span=node.span))
                case model.Choose():
                    found += [self._note(node), model.Branch(unless, (node,), (), span=node.span)]
                case model.Repeat(until, body):
                    end = self.noted if until is None else terms.Or((self.noted, until), Truth())
                    found.append(evolve(node, until=end, body=self._passed_over(body)))
                case model.Each(where=where, body=body):
                    more = unless if where is None else terms.And((unless, where), Truth())
                    found.append(evolve(node, where=more, body=self._passed_over(body)))
                case model.Branch(_, body, otherwise):
                    found.append(evolve(node, body=self._passed_over(body), otherwise=self._passed_over(otherwise)))
                case model.Point(_, body):
                    found.append(evolve(node, body=self._passed_over(body)))
        return tuple(found)

    def _note(self, choice: model.Choose) -> model.Run:
        name = self._fresh(self.noted.variable)
        both = _both(self.original, self.suspect, choice)
        self._notes[name] = (
            ef.EffectClause(f"{name}.note", ef.Assign(ef.Location(self.noted.variable), Assignment.SET, both)),
        )
        return model.Run(name)


def _first(value: terms.Term, cases: Sequence[Case]) -> terms.Term:
    """The value of the first exception that applies: no definition stops this game."""
    for case in reversed(cases):
        value = terms.If(case.when, _first(case.value, case.exceptions), value, value.type, span=case.span)
    return value


# Where both hold ------------------------------------------------------------------------------------------------------


def _both(game: Game, suspect: CandidateOverlap, choice: model.Choose) -> terms.Term:
    """Whether both conditions hold where a score or an action of a choice asks for the definition. Raises `TooLong`."""
    look = _Uses(game.definitions, suspect=suspect)
    for score in game.scores:
        look.begin()
        look.term(score.value, {})
    for action in (game.actions[name] for name in choice.actions):
        look.begin()
        names: Names = {}
        for parameter in action.parameters:
            binder = terms.Binder(parameter.name, parameter.domain, parameter.where, parameter.type)
            names = look.bind(binder, names)
        met = tuple(look.term(requirement.condition, names, look.depth) for requirement in action.requirements)
        look.effects(action.effects, names, met)
    uses = tuple(look.uses)
    return terms.Or(uses, Truth()) if uses else terms.Constant(0, Truth())


@define
class _Uses(Inliner):
    """Writes terms out; `uses` are the conditions under which both hold where the suspect's definition is invoked."""

    suspect: CandidateOverlap = field(kw_only=True)
    uses: dict[terms.Term, None] = field(factory=dict, init=False)
    _opened: list[terms.Binder] = field(factory=list, init=False)
    _met: tuple[terms.Term, ...] = field(default=(), init=False)

    @property
    def depth(self) -> int:
        """Inside so many binders."""
        return len(self._opened)

    def begin(self) -> None:
        """Nothing is bound any more."""
        self.parts, self._met = 0, ()
        self._opened.clear()

    def bind(self, binder: terms.Binder, names: Names) -> Names:
        """The names of which a bound variable is one from here on."""
        return self._binder(binder, names, self.depth)[1]

    def effects(self, clauses: Sequence[ef.EffectClause], names: Names, met: tuple[terms.Term, ...]) -> None:
        """What effects ask for where their action may be chosen, of the state in which it is."""
        self._met = met
        for effect in (clause.effect for clause in clauses):
            match effect:
                case ef.ForEach(binder, body):
                    kept = self.depth
                    self.effects(body, self.bind(binder, names), met)
                    del self._opened[kept:]
                case ef.When(condition, body, otherwise):
                    self.term(condition, names, self.depth)
                    self.effects((*body, *otherwise), names, met)
                case ef.Assign(_, _, value):
                    self.term(value, names, self.depth)
                case ef.Deal(number):
                    self.term(number, names, self.depth)
                case _:
                    pass

    def term(self, term: terms.Term, names: Names, depth: int = 0) -> terms.Term:
        """A term written out; what it binds is forgotten behind it."""
        kept = self.depth
        if isinstance(term, terms.Closure):
            self._opened.append(terms.Binder(f"#{depth}", _every(term.binder), None, term.binder.type))
        written = Inliner.term(self, term, names, depth)
        if isinstance(term, terms.Invoke) and term.definition == self.suspect.definition.name:
            self._used([Inliner.term(self, argument, names, depth) for argument in term.arguments], depth)
        del self._opened[kept:]
        return written

    def _used(self, arguments: Sequence[terms.Term], depth: int) -> None:
        suspect = self.suspect
        names = dict(zip((name for name, _ in suspect.definition.parameters), arguments, strict=True))
        held = [Inliner.term(self, case.when, names, depth) for case in (*suspect.above, suspect.one, suspect.other)]
        found = conjunction([*self._met, *held])
        for binder in reversed(self._opened):
            found = terms.Quantified(Quantifier.SOME, binder, found, Truth())
        self.uses[found] = None

    def _binder(self, binder: terms.Binder, names: Names, depth: int) -> tuple[terms.Binder, Names]:
        fresh = f"#{depth}"
        inside = {**names, binder.name: terms.Local(fresh, binder.type)}
        whole = terms.Binder(fresh, self.term(binder.domain, names, depth), None, binder.type, span=binder.span)
        self._opened.append(whole)
        if binder.where is not None:
            whole = evolve(whole, where=self.term(binder.where, inside, depth + 1))
            self._opened[-1] = whole
        return whole, inside


def _every(binder: terms.Binder) -> terms.Term:
    """All that a closure may come to."""
    match binder.type:
        case Cell(space):
            return terms.AllCells(space, SetOf(binder.type))
        case _:
            raise TooLong
