"""Finds the state on which an answer may rest though some player may not see it."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import Label, Sink
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.declarations import Visibility
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Storage, Variable
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis


def with_hidden_state(
    puzzle: puzzles.Puzzle, engine: Engine, state: State, question: Question, is_beginning: bool, sink: Sink
) -> Question:
    """The question with the variables that matter to it and that some player may not see, in the order of the text.

    Most searches see the whole state. Where players work against each other, or nobody knows what chance will do, an answer
    would let players act on what is hidden from them. Mixed strategies do not: they answer questions in expectation of at most
    two players who work against each other, if nothing is hidden yet or if chance has dealt it. Else reports RW387, unless the
    question says `with open cards`.
    """
    shown = {setting.name for setting in puzzle.settings if setting.open_to_all}
    found = [variable for variable in hidden_variables(engine) if variable.name not in shown]
    if found:  # most games hide nothing, and need no analysis
        live = DataflowAnalysis(engine, question.terms, state).live_variables
        found = [variable for variable in found if variable.name in live]
    names = tuple(variable.name for variable in found)
    conceals = question.others is puzzles.Others.AGAINST or question.in_expectation
    if not found or not conceals or (puzzle.ask and puzzle.ask.open_cards):
        return evolve(question, open_state=names)
    if shown or engine.instance.players > 2 or (question.others is not puzzles.Others.AGAINST and engine.instance.players > 1):
        help = "end the question with `with open cards` to let all players see the whole state"
    elif not question.in_expectation:
        help = "ask `in expectation` for the value of the best mixed strategies, or `with open cards` to let all see everything"
    elif not (is_beginning or all(_is_unset(engine, state, variable) for variable in found)):
        help = "let chance deal it in the rules and ask about the beginning of the game, or ask `with open cards`"
    else:
        return evolve(question, secret_state=names, is_dealt=is_beginning)
    message = f"the answer would use `{found[0].name}`, which not every player may see"
    labels = [Label(variable.span, _declared(variable)) for variable in found]
    sink.error("RW387", message, question.span, *labels, help=help)
    return question


def _is_unset(engine: Engine, state: State, variable: Variable) -> bool:
    """Whether a variable is as it was before the set-up."""
    column = engine.layout.columns[variable.name]
    slots = slice(column.start, column.start + column.count)
    return state[slots] == engine.unset[slots]


def hidden_variables(engine: Engine) -> tuple[Variable, ...]:
    """The variables of a game that some player may not see, in the order of the text."""
    return tuple(one for one in engine.game.variables.values() if _is_hidden(one, engine.instance.players))


def _is_hidden(variable: Variable, players: int) -> bool:
    """Whether some player may not see a value. What chance draws from is no secret but chance: zones that are face down."""
    match variable.visibility:
        case Visibility.OPEN:
            return False
        case Visibility.OWNER:
            return players > 1
        case Visibility.HIDDEN:
            return variable.storage is Storage.VALUE


def _declared(variable: Variable) -> str:
    """What the rules say of a hidden variable."""
    return f"`{variable.name}` is `{variable.visibility.value}`"
