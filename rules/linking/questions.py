"""Links the question of a puzzle: an objective over the state of a game, a goal and a horizon."""

from __future__ import annotations

from attrs import field

from rulewright.base.diagnostics import Diagnostic, Label, RulesError, Sink, did_you_mean
from rulewright.base.records import define, frozen
from rulewright.base.spans import NO_SPAN, Located, Span
from rulewright.grammar.tree import expressions, modules, puzzles
from rulewright.rules.merging.module_order import Family
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.moves import FOREVER, Horizon
from rulewright.rules.model.types import Type

from .declarations import meanings
from .resolve_calls import NUMBER, TRUTH
from .resolve_terms import TermResolver
from .symbol_table import Signature, SymbolTable

MOVE = "move"
"""What is counted where no point of the flow is."""

_NOTHING = terms.Constant(0, NUMBER)


@frozen
class Question(Located):
    """The objective is the sum of the values; play goes on to the horizon, or to the end of the game.

    With the goal `LEAST` play goes on until a condition holds, at a choice or at the end; a plan then costs the values, or what
    it `counts` where there are none: moves, or the turns of a horizon so far away that it never ends play.
    """

    goal: puzzles.Goal
    values: tuple[terms.Term, ...]
    threshold: int = 0
    horizon: Horizon | None = None
    until: terms.Term | None = None

    @property
    def counts_moves(self) -> bool:
        return self.until is not None and not self.values and self.horizon is None

    @property
    def counts_turns(self) -> bool:
        return self.until is not None and not self.values and self.horizon is not None


def question_of(game: model.Game, ask: puzzles.Ask) -> Question:
    """The question of a puzzle. Raises `RulesError`: RW330 (no such point, no turns), and what resolving reports."""
    points = points_of(game.flow)
    if ask.others is not None and ask.others.play is not puzzles.Others.TOGETHER:
        message = f"`{ask.others.play.value}` cannot be asked of this question"
        raise RulesError((Diagnostic("RW372", message, (Label(ask.others.span),), "leave it out: then all players help"),))
    if ask.goal is puzzles.Goal.WIN:
        message = "the game does not say who wins"
        raise RulesError((Diagnostic("RW371", message, (Label(ask.span),), "ask `maximise score until end`"),))
    if ask.until is not None:
        return _shortest_plan(game, ask, ask.until, points)
    if ask.turns is not None and ask.point not in points:
        message = f"the flow has no point `{ask.point}` to count"
        help = did_you_mean(ask.point, points) or (f"points of the flow: {', '.join(points)}" if points else "")
        raise RulesError((Diagnostic("RW330", message, (Label(ask.span),), help),))
    if ask.turns == 0:
        message = f"`for 0 {ask.point}s` is no play at all"
        help = f"ask `for 1 {ask.point}`; `rulewright score` says what a position is worth as it stands"
        raise RulesError((Diagnostic("RW330", message, (Label(ask.span),), help),))
    horizon = None if ask.turns is None else Horizon(ask.point, ask.turns)
    return Question(ask.goal, _values(game, ask.value), ask.threshold or 0, horizon, span=ask.span)


def _shortest_plan(game: model.Game, ask: puzzles.Ask, until: expressions.Expression, points: tuple[str, ...]) -> Question:
    """`fewest moves until …`, `fewest turns until …`, `least EXPRESSION until …`"""
    if ask.value is None and ask.point not in (MOVE, *points):
        message = f"the flow has no point `{ask.point}` to count"
        help = did_you_mean(ask.point, (MOVE, *points)) or f"count `{MOVE}s`" + "".join(f", `{point}s`" for point in points)
        raise RulesError((Diagnostic("RW330", message, (Label(ask.span),), help),))
    values = () if ask.value is None else _values(game, ask.value)
    horizon = None if values or ask.point == MOVE else Horizon(ask.point, FOREVER)
    return Question(ask.goal, values, 0, horizon, resolve_question(game, until, TRUTH), span=ask.span)


def _values(game: model.Game, expression: expressions.Expression | None) -> tuple[terms.Term, ...]:
    """The summands of the objective: the scores themselves where the score is asked for."""
    match expression:
        case None:
            return tuple(score.value for score in game.scores)
        case expressions.Name(name) if name == model.SCORE and name in _scores(game):
            return tuple(score.value for score in game.scores)
        case _:
            return _summands(resolve_question(game, expression))


def _summands(term: terms.Term) -> tuple[terms.Term, ...]:
    """The summands of a sum, so that each has a bound of its own, as the scores of a game have."""
    match term:
        case terms.Arithmetic(first, rest) if all(
            operator in (expressions.Operator.PLUS, expressions.Operator.MINUS) for operator, _ in rest
        ):
            found = list(_summands(first))
            for operator, other in rest:
                if operator is expressions.Operator.PLUS:
                    found += _summands(other)
                else:
                    found.append(terms.Arithmetic(_NOTHING, ((operator, other),), NUMBER, span=term.span))
            return tuple(found)
        case _:
            return (term,)


def _scores(game: model.Game) -> dict[str, terms.Term]:
    """The value of each score by its name, but for names that a variable has."""
    values = [score.value for score in game.scores]
    first, *others = values or [_NOTHING]
    total = terms.Arithmetic(first, tuple((expressions.Operator.PLUS, other) for other in others), NUMBER)
    found = {model.SCORE: total if others else first} | {score.name: score.value for score in game.scores}
    return {name: value for name, value in found.items() if name not in game.variables}


def resolve_question(game: model.Game, expression: expressions.Expression, type: Type = NUMBER) -> terms.Term:
    """A number over the state, or a condition: `score`, the name of a score, or any expression in the names of the game.

    Raises `RulesError` as linking does (RW110, RW200 and others).
    """
    scores, sink = _scores(game), Sink()
    term = _QuestionResolver(_symbol_table(game, scores, sink), scores=scores).term(expression, {}, type)
    sink.stop()
    return term


def points_of(flow: tuple[model.Flow, ...]) -> tuple[str, ...]:
    """The named points of a flow, from the outside in."""
    found: dict[str, None] = {}
    for node in flow:
        match node:
            case model.Point(name, body):
                found |= dict.fromkeys((name, *points_of(body)))
            case model.Repeat() | model.Each():
                found |= dict.fromkeys(points_of(node.body))
            case model.Branch(_, body, otherwise):
                found |= dict.fromkeys((*points_of(body), *points_of(otherwise)))
            case model.Run() | model.Choose():
                pass
    return tuple(found)


def _symbol_table(game: model.Game, scores: dict[str, terms.Term], sink: Sink) -> SymbolTable:
    """The names of a linked game, its scores among its variables."""
    return SymbolTable(
        Family((), {}),
        sink,
        game.spaces,
        game.tiles,
        game.tables,
        game.variables | {name: model.Variable(name, None, NUMBER) for name in scores},
        {name: _signature(definition) for name, definition in game.definitions.items()},
        game.enumerations,
        meanings(game.enumerations, game.tiles, game.spaces),
    )


def _signature(definition: model.Definition) -> Signature:
    span = definition.span
    parameters = tuple(modules.Parameter(name, None, span=span) for name, _ in definition.parameters)
    node = modules.Define(definition.name, parameters, expressions.NumberLiteral(0, span=NO_SPAN), span=span)
    return Signature(node, dict(definition.parameters), definition.type)


@define
class _QuestionResolver(TermResolver):
    """Resolves the names of scores to their values."""

    scores: dict[str, terms.Term] = field(kw_only=True)

    def read(self, variable: model.Variable, index: tuple[terms.Term, ...], span: Span) -> terms.Term:
        return self.scores.get(variable.name) or super().read(variable, index, span)
