"""Finds the state on which an answer may rest though some player may not see it."""

from __future__ import annotations

from rulewright.base.diagnostics import Label, Sink
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.declarations import Visibility
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Storage, Variable
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis


def hidden_state(puzzle: puzzles.Puzzle, engine: Engine, state: State, question: Question, sink: Sink) -> tuple[str, ...]:
    """The variables that matter to a question and that some player may not see, in the order of the text.

    Searches see the whole state. Where players work against each other, or nobody knows what chance will do, an answer would
    let players act on what is hidden from them: reports RW387, unless the question says `with open cards`.
    """
    shown = {setting.name for setting in puzzle.settings if setting.open_to_all}
    found = [variable for variable in hidden_variables(engine) if variable.name not in shown]
    if found:  # most games hide nothing, and need no analysis
        live = DataflowAnalysis(engine, question.terms, state).live_variables
        found = [variable for variable in found if variable.name in live]
    conceals = question.others is puzzles.Others.AGAINST or question.in_expectation
    if found and conceals and not (puzzle.ask and puzzle.ask.open_cards):
        message = f"the answer would use `{found[0].name}`, which not every player may see"
        labels = [Label(variable.span, _declared(variable)) for variable in found]
        help = "end the question with `with open cards` to let all players see the whole state"
        sink.error("RW387", message, question.span, *labels, help=help)
    return tuple(variable.name for variable in found)


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
