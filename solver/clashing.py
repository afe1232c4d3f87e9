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

from ..grammar.classes import define
from ..grammar.diagnostics import RulesError
from ..grammar.expressions import Quantifier
from ..grammar.scenarios import Goal
from ..grammar.statements import Assignment
from ..rules import effects as e
from ..rules import game as g
from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.clashes import Clash, Suspect
from ..rules.engine import Engine, Move, State
from ..rules.faults import PlayError
from ..rules.game import Case, Game
from ..rules.questions import Question
from ..rules.types import Cell, Number, SetOf, Truth
from ..rules.witness import shows
from ..rules.written_out import Names, TooLong, WriterOut, conjunction
from .exact import Search
from .problem import Problem
from .result import Status

SECONDS = 6.0
"""For all suspects together; each has its share, and what those before it have left."""

SHARE = 0.5
"""Of the time for a suspect, for what a search from the set-up on may come to."""

LATER = 0.75
"""Seconds for a position of a game under way."""

LONGEST = 400
"""Actions of a game that is played to such a position."""

YES, NO = t.Constant(1, Number()), t.Constant(0, Number())


def find_by_search(game: Game, suspects: Sequence[Suspect]) -> Iterator[Clash]:
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


def _found(game: Game, suspect: Suspect, seconds: float) -> Clash | None:
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
    suspect: Suspect
    players: int
    is_spent: bool = False

    @cached_property
    def asked(self) -> Engine:
        return Engine.of(self.ending.game, self.players)

    @cached_property
    def played(self) -> Engine:
        return Engine.of(self.game, self.players)

    def clash(self, seed: int, seconds: float) -> Clash | None:
        """A clash that a search comes to; the seed 0 is for the set-up, others for a position later in a game."""
        asked, played = self.asked, self.played
        question = Question(Goal.REACH, (t.If(self.ending.noted, YES, NO, Number()),), 1)
        moves = self._later(seed) if seed else []
        state = _led(asked, seed, moves)
        # No bound: what it takes to make one ready on a large board is better spent looking.
        search = Search(Problem.without_bound(asked, state, question), question)
        result = search.result(search.look(seconds))
        if search.interrupted:
            raise KeyboardInterrupt
        if result.status is Status.OPTIMAL:
            state = _led(played, seed, (*moves, *result.plan))
            return Clash(self.suspect, played, state) if shows(played, state, self.suspect) else None
        chance = Analysis(asked, question.values).uses_chance
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
    suspect: Suspect
    noted: t.Read = field(init=False)
    game: Game = field(init=False)
    _notes: dict[str, tuple[e.Clause, ...]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        original = self.original
        self.noted = t.Read(self._fresh("both"), (), Truth())
        flow = self._passed_over(original.flow)
        self.game = evolve(
            original,
            variables=original.variables | {self.noted.variable: g.Variable(self.noted.variable, None, Truth(), high=1)},
            procedures=original.procedures | self._notes,
            definitions={name: evolve(d, value=_first(d.value, d.cases), cases=()) for name, d in original.definitions.items()},
            flow=flow,
        )

    def _fresh(self, name: str) -> str:
        while name in self.original.variables or name in self.original.procedures or name in self._notes:
            name += "_hold"
        return name

    def _passed_over(self, flow: tuple[g.Flow, ...]) -> tuple[g.Flow, ...]:
        """The flow with a note before each choice; nothing of it happens any more when that says yes."""
        unless = t.Not(self.noted, Truth())
        found: list[g.Flow] = []
        for node in flow:
            match node:
                case g.Run():
                    found.append(g.Branch(unless, (node,), (), span=node.span))
                case g.Choose():
                    found += [self._note(node), g.Branch(unless, (node,), (), span=node.span)]
                case g.Repeat(until, body):
                    end = self.noted if until is None else t.Or((self.noted, until), Truth())
                    found.append(evolve(node, until=end, body=self._passed_over(body)))
                case g.Each(where=where, body=body):
                    more = unless if where is None else t.And((unless, where), Truth())
                    found.append(evolve(node, where=more, body=self._passed_over(body)))
                case g.Branch(_, body, otherwise):
                    found.append(evolve(node, body=self._passed_over(body), otherwise=self._passed_over(otherwise)))
                case g.Point(_, body):
                    found.append(evolve(node, body=self._passed_over(body)))
        return tuple(found)

    def _note(self, choice: g.Choose) -> g.Run:
        name = self._fresh(self.noted.variable)
        both = _both(self.original, self.suspect, choice)
        self._notes[name] = (e.Clause(f"{name}.note", e.Assign(e.Place(self.noted.variable), Assignment.SET, both)),)
        return g.Run(name)


def _first(value: t.Term, cases: Sequence[Case]) -> t.Term:
    """The value of the first exception that applies: no definition stops this game."""
    for case in reversed(cases):
        value = t.If(case.when, _first(case.value, case.exceptions), value, value.type, span=case.span)
    return value


# Where both hold ------------------------------------------------------------------------------------------------------


def _both(game: Game, suspect: Suspect, choice: g.Choose) -> t.Term:
    """Whether both conditions hold where a score or an action of a choice asks for the definition. Raises `TooLong`."""
    look = _Uses(game.definitions, suspect=suspect)
    for score in game.scores:
        look.begin()
        look.term(score.value, {})
    for action in (game.actions[name] for name in choice.actions):
        look.begin()
        names: Names = {}
        for parameter in action.parameters:
            bound = t.Bound(parameter.name, parameter.domain, parameter.where, parameter.type)
            names = look.bind(bound, names)
        met = tuple(look.term(requirement.condition, names, look.depth) for requirement in action.requirements)
        look.effects(action.effects, names, met)
    uses = tuple(look.uses)
    return t.Or(uses, Truth()) if uses else t.Constant(0, Truth())


@define
class _Uses(WriterOut):
    """Writes terms out; `uses` are the conditions under which both hold where the suspect's definition is invoked."""

    suspect: Suspect = field(kw_only=True)
    uses: dict[t.Term, None] = field(factory=dict, init=False)
    _binders: list[t.Bound] = field(factory=list, init=False)
    _met: tuple[t.Term, ...] = field(default=(), init=False)

    @property
    def depth(self) -> int:
        """Inside so many binders."""
        return len(self._binders)

    def begin(self) -> None:
        """Nothing is bound any more."""
        self.parts, self._met = 0, ()
        self._binders.clear()

    def bind(self, bound: t.Bound, names: Names) -> Names:
        """The names of which a bound variable is one from here on."""
        return self._bound(bound, names, self.depth)[1]

    def effects(self, clauses: Sequence[e.Clause], names: Names, met: tuple[t.Term, ...]) -> None:
        """What effects ask for where their action may be chosen, of the state in which it is."""
        self._met = met
        for effect in (clause.effect for clause in clauses):
            match effect:
                case e.ForEach(bound, body):
                    kept = self.depth
                    self.effects(body, self.bind(bound, names), met)
                    del self._binders[kept:]
                case e.When(condition, body, otherwise):
                    self.term(condition, names, self.depth)
                    self.effects((*body, *otherwise), names, met)
                case e.Assign(_, _, value):
                    self.term(value, names, self.depth)
                case e.Deal(number):
                    self.term(number, names, self.depth)
                case _:
                    pass

    def term(self, term: t.Term, names: Names, depth: int = 0) -> t.Term:
        """A term written out; what it binds is forgotten behind it."""
        kept = self.depth
        if isinstance(term, t.Closure):
            self._binders.append(t.Bound(f"#{depth}", _every(term.bound), None, term.bound.type))
        written = WriterOut.term(self, term, names, depth)
        if isinstance(term, t.Invoke) and term.definition == self.suspect.definition.name:
            self._used([WriterOut.term(self, argument, names, depth) for argument in term.arguments], depth)
        del self._binders[kept:]
        return written

    def _used(self, arguments: Sequence[t.Term], depth: int) -> None:
        suspect = self.suspect
        names = dict(zip((name for name, _ in suspect.definition.parameters), arguments, strict=True))
        held = [WriterOut.term(self, case.when, names, depth) for case in (*suspect.above, suspect.one, suspect.other)]
        found = conjunction([*self._met, *held])
        for bound in reversed(self._binders):
            found = t.Quantified(Quantifier.SOME, bound, found, Truth())
        self.uses[found] = None

    def _bound(self, bound: t.Bound, names: Names, depth: int) -> tuple[t.Bound, Names]:
        fresh = f"#{depth}"
        inside = {**names, bound.name: t.Local(fresh, bound.type)}
        whole = t.Bound(fresh, self.term(bound.domain, names, depth), None, bound.type, span=bound.span)
        self._binders.append(whole)
        if bound.where is not None:
            whole = evolve(whole, where=self.term(bound.where, inside, depth + 1))
            self._binders[-1] = whole
        return whole, inside


def _every(bound: t.Bound) -> t.Term:
    """All that a closure may come to."""
    match bound.type:
        case Cell(space):
            return t.Cells(space, SetOf(bound.type))
        case _:
            raise TooLong
