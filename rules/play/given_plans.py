"""Reduces a question with given plans for some players to one about changed rules.

Each choice of such a player is replaced by one among *followed* copies of its actions, which require to be the next in the
plan. If any action is possible, the player may also break the plan: the game then ends, and the line of play is void.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.grammar.tree.puzzles import Goal
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects as ef
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action, Game
from rulewright.rules.model.state import HEADER_WIDTH, OVER, POINT, Move, State
from rulewright.rules.model.types import Number, Player, Truth

from .engine import Engine
from .move_notation import parse_terms


@define(eq=False)
class ReducedGame:
    """The changed rules, in the windows of the original ones. They keep every original variable, and may add more."""

    original: Engine
    game: Game = field(init=False)

    @cached_property
    def engine(self) -> Engine:
        """The engine of the changed rules. Raises `RulesError`: RW059 and RW252 (rules too large)."""
        return Engine.grounded(evolve(self.original.instance, game=self.game))

    def state(self, state: State) -> State:
        """The state in this game for a state of the original game."""
        found = list(self.engine.unset)
        found[:HEADER_WIDTH] = state[:HEADER_WIDTH]
        for name, column in self.original.layout.columns.items():
            at = self.engine.layout.columns[name].start
            found[at : at + column.count] = state[column.start : column.start + column.count]
        return tuple(found)

    def original_move(self, move: Move) -> Move:
        """The move in the original game for a move in this one."""
        return move

    def question(self, question: Question) -> Question:
        """The question in this game for a question about the original game."""
        return question


VOID = 500_000_000
"""Stands for the penalty of a void line of play: more than any value."""

BROKEN = "a given plan is broken"
"""The name of the variable; like the other names here, no text can contain it."""

NUMBER, TRUTH = Number(), Truth()


@frozen
class GivenAction:
    """An action of a plan with its arguments, which may depend on the state; `action` is empty for `stop`."""

    action: str
    arguments: tuple[terms.Term, ...]


GivenActions = Mapping[int, Sequence[GivenAction]]
"""Each player's actions, in order."""


@frozen
class _Choices:
    """The numbers of the choices that replace one choice: for the other players, and for each player with a plan."""

    free: int
    followed: Mapping[int, int]
    stopping: Mapping[int, int]


@define(eq=False)
class FollowedGame(ReducedGame):
    """A game in which some players follow plans. Raises `RulesError` RW388 if it cannot be told what would break them."""

    plans: GivenActions = field()
    _choices: list[_Choices] = field(factory=list, init=False)
    _count: int = field(default=0, init=False)
    _actions: dict[str, Action] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        original = self.original.game
        counters = {
            _counter(player): model.Variable(_counter(player), None, NUMBER, low=0, high=len(plan) + 1)
            for player, plan in self.plans.items()
        }
        broken = {BROKEN: model.Variable(BROKEN, None, TRUTH, high=1)}
        flow = self._flow(original.flow)
        self.game = evolve(
            original,
            variables=original.variables | counters | broken,
            actions=original.actions | self._actions,
            procedures=original.procedures | {_counter(player): (_advance(player),) for player in self.plans},
            flow=flow,
        )

    def state(self, state: State) -> State:
        """A state of the original game in which no plan has begun."""
        found = list(super().state(state))
        if state[POINT] != OVER:
            choices, player = self._choices[state[POINT]], self.original.player(state)
            found[POINT] = choices.followed.get(player, choices.free)
            if player in choices.stopping and self.plans[player][0].action == "":
                found[POINT] = choices.stopping[player]
                found[self.engine.layout.columns[_counter(player)].start] = 1
        return tuple(found)

    def original_move(self, move: Move) -> Move:
        """The move in the original game."""
        return (self._originals.get(move[0], move[0]), *move[1:])

    @cached_property
    def _originals(self) -> dict[int, int]:
        """The number of each copied action, by that of its copy."""
        numbers = {name: number for number, name in enumerate(self.game.actions)}
        copied = [(name, player) for name in self.original.game.actions for player in self.plans]
        copies = {_copy_name(name, player): numbers[name] for name, player in copied}
        return {numbers[copy]: number for copy, number in copies.items() if copy in numbers}

    def question(self, question: Question) -> Question:
        """The question about the changed rules: a line of play that breaks a plan is void."""
        if question.until is not None:
            kept = terms.Not(void())
            return evolve(question, until=terms.And((kept, question.until), span=question.until.span))
        worst, nearer = (VOID, Operator.MINUS) if question.goal is Goal.MINIMISE else (-VOID, Operator.PLUS)
        # The void line that keeps to the plans the longest is the best: it shows where they fail.
        steps = tuple((nearer, _done(player)) for player in self.plans)
        loss = terms.Arithmetic(terms.Constant(worst, type=NUMBER), steps)
        none = terms.Constant(0, type=NUMBER)
        return evolve(question, values=(*question.values, terms.If(void(), loss, none, type=NUMBER, span=question.span)))

    # Flow ---------------------------------------------------------------------------------------------

    def _flow(self, flow: tuple[model.Flow, ...]) -> tuple[model.Flow, ...]:
        return tuple(self._node(node) for node in flow)

    def _node(self, node: model.Flow) -> model.Flow:
        match node:
            case model.Repeat() | model.Each() | model.Point():
                return evolve(node, body=self._flow(node.body))
            case model.Branch(_, body, otherwise):
                return evolve(node, body=self._flow(body), otherwise=self._flow(otherwise))
            case model.Choose():
                return self._choose(node)
            case model.Run():
                return node

    def _choose(self, node: model.Choose) -> model.Flow:
        """A choice for each player with a plan, then one for the others, in numerical order."""
        by = node.by or terms.Constant(1, type=Player())
        followed: dict[int, int] = {}
        stopping: dict[int, int] = {}
        bodies: list[tuple[int, tuple[model.Flow, ...]]] = []
        for player, plan in self.plans.items():
            stops = [number for number, given in enumerate(plan) if given.action == ""] if node.stop else []
            if stops:
                stopping[player] = self._numbered()
            followed[player] = self._numbered()
            body: tuple[model.Flow, ...] = (self._follow(node, player, len(self._choices)),)
            if stops:
                leave = (model.Run(_counter(player), span=node.span), evolve(node, actions=()))
                body = (model.Branch(_is_next(player, stops), leave, body, span=node.span),)
            bodies.append((player, body))
        self._choices.append(_Choices(self._numbered(), followed, stopping))
        found: model.Flow = node
        for player, body in reversed(bodies):
            chooses = terms.Compare(Comparison.EQUAL, by, terms.Constant(player, type=Player()))
            found = model.Branch(chooses, body, (found,), span=node.span)
        return found

    def _numbered(self) -> int:
        self._count += 1
        return self._count - 1

    def _follow(self, node: model.Choose, player: int, number: int) -> model.Choose:
        """The choice of a player with a plan: the next action of the plan, or breaking it."""
        names = [self._followed(name, player) for name in node.actions if any(a.action == name for a in self.plans[player])]
        breaking = f"break plan {player} at {number}"
        ways = [] if node.stop else [_is_possible(self.original.game.actions[name]) for name in node.actions]
        possible = [] if node.stop else [_requirement(breaking, terms.Or(tuple(ways)), node.span)]
        effects = (
            _clause(breaking, ef.Assign(ef.Location(BROKEN), Assignment.SET, terms.Constant(1, type=TRUTH)), node.span),
            _clause(breaking, ef.End(True), node.span),
        )
        if ways or node.stop:
            self._actions[breaking] = Action(breaking, (), tuple(possible), effects, (breaking,), span=node.span)
            names.append(breaking)
        return evolve(node, actions=tuple(names), stop=False)

    def _followed(self, name: str, player: int) -> str:
        """The name of the copy of an action that a player takes when the plan says so."""
        copy, action = _copy_name(name, player), self.original.game.actions[name]
        told: list[terms.Term] = []
        for number, given in enumerate(self.plans[player]):
            if given.action == name:
                parts = [_is_next(player, [number])]
                for parameter, value in zip(action.parameters, given.arguments, strict=True):
                    local = terms.Local(parameter.name, parameter.type)
                    parts.append(terms.Compare(Comparison.EQUAL, local, value, span=action.span))
                told.append(terms.And(tuple(parts), span=action.span))
        next_told = _requirement(copy, terms.Or(tuple(told)), action.span)
        self._actions[copy] = evolve(
            action,
            name=copy,
            requirements=(next_told, *action.requirements),
            effects=(_advance(player), *action.effects),
        )
        return copy


def void() -> terms.Term:
    """Whether a line of play has broken a plan."""
    return terms.Read(BROKEN, (), type=TRUTH)


def progress(engine: Engine, state: State, player: int) -> tuple[int, int]:
    """The number of actions of its plan that a player has done, and the plan's length."""
    return engine.value(_done(player), state), engine.game.variables[_counter(player)].high - 1


def read_plan(engine: Engine, actions: Sequence[str], span: Span) -> tuple[GivenAction, ...]:
    """Parse the actions of a plan. Raises `RulesError`: RW350 (no such action), RW351 (an argument)."""
    found = [parse_terms(engine, text, span) for text in actions]
    return tuple(GivenAction("", ()) if read is None else GivenAction(read[0].name, read[1]) for read in found)


def _copy_name(action: str, player: int) -> str:
    return f"{action} by the plan of {player}"


def _counter(player: int) -> str:
    """The name of the variable that counts the plan's actions done, and of the procedure that increments it."""
    return f"done of the plan of {player}"


def _done(player: int) -> terms.Term:
    return terms.Read(_counter(player), (), type=NUMBER)


def _is_next(player: int, numbers: Sequence[int]) -> terms.Term:
    """Whether the next action in a player's plan has one of these numbers."""
    items = tuple(terms.Compare(Comparison.EQUAL, _done(player), terms.Constant(number, type=NUMBER)) for number in numbers)
    return terms.Or(items)


def _is_possible(action: Action) -> terms.Term:
    """Whether an action is legal for some arguments. Raises `RulesError` RW388 if that depends on what follows it."""
    for requirement in action.afterwards:
        message = "with plans given, no action can require something `after` its effects"
        help = "ask `together` or `against best play`, or state the requirement on the position before the effects"
        raise RulesError((Diagnostic("RW388", message, (Label(requirement.span),), help),))
    found: terms.Term = terms.And(tuple(requirement.condition for requirement in action.requirements))
    for parameter in reversed(action.parameters):
        found = terms.Fold(terms.Kind.SOME, parameter, found, type=Truth(), span=action.span)
    return found


def _advance(player: int) -> ef.EffectClause:
    name = _counter(player)
    return _clause(name, ef.Assign(ef.Location(name), Assignment.ADD, terms.Constant(1, type=NUMBER)), NO_SPAN)


def _requirement(action: str, condition: terms.Term, span: Span) -> model.Requirement:
    return model.Requirement(f"{action}.plan", condition, "the plan says something else", span=span)


def _clause(name: str, effect: ef.Effect, span: Span) -> ef.EffectClause:
    return ef.EffectClause(name, effect, span=span)
