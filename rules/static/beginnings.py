"""Whether a game can begin: initial values within their ranges, and a set-up that breaks no rule."""

from __future__ import annotations

from contextlib import suppress

from attrs import evolve

from rulewright.base.deadline import TimeUp, deadline
from rulewright.base.diagnostics import Diagnostic, Label, RulesError, Sink
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Game, Variable

SECONDS = 2.0
"""Time for the set-ups of all numbers of players; those that take longer are not checked."""


def check_initial_values(game: Game, sink: Sink) -> None:
    """RW163: variables with an initial value out of range, for the fewest or for the most players."""
    if all(_begins_inside(variable) for variable in game.variables.values()):
        return
    from rulewright.rules.play.engine import Engine  # most games do not need it

    found: dict[tuple[Label, ...], Diagnostic] = {}
    for players in sorted({game.players.low, game.players.high}):
        try:
            _ = Engine.of(game, players).unset
        except RulesError as error:
            found = {flaw.labels: flaw for flaw in error.diagnostics} | found
    sink.diagnostics += sorted(found.values(), key=lambda flaw: [label.span.line for label in flaw.labels])


def check_set_up(game: Game, sink: Sink) -> None:
    """The errors of play that end the set-up with one seed, each once for all numbers of players."""
    from rulewright.rules.play.engine import Engine
    from rulewright.rules.play.reference_engine import ReferenceEngine  # compiling would take longer than playing once

    found: dict[tuple[Label, ...], Diagnostic] = {}
    with suppress(TimeUp), deadline(SECONDS):
        for players in range(game.players.low, game.players.high + 1):
            try:
                ReferenceEngine(Engine.of(game, players)).start(0)
            except RulesError as error:
                here = f"this happens while a game for {players} is set up"
                found = {
                    flaw.labels: evolve(flaw, help="; ".join(filter(None, (here, flaw.help)))) for flaw in error.diagnostics
                } | found
    sink.diagnostics += found.values()


def _begins_inside(variable: Variable) -> bool:
    """Whether a variable's initial value is obviously in its range."""
    match variable.initial:
        case None:
            return True
        case terms.Constant(value):
            return variable.type != types.Number() or variable.low <= value <= variable.high
        case _:
            return False
