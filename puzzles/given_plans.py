"""A puzzle's plans for other players: `plan of 2: lay bend (1,2), stop`."""

from __future__ import annotations

from rulewright.base.diagnostics import Label, RulesError, Sink
from rulewright.grammar.tree.puzzles import GivenPlan, Others, Puzzle
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.given_plans import GivenAction, read_plan


def read_given_plans(puzzle: Puzzle, engine: Engine, sink: Sink) -> dict[int, tuple[GivenAction, ...]]:
    """The actions of each player with a plan, by player number.

    Reports RW373 (plans without the question's words for them, or vice versa), RW370 (no such player), and RW350 or RW351 for
    an unreadable action.
    """
    asked = None if puzzle.ask is None else puzzle.ask.others
    if asked is not None and asked.play is Others.GIVEN and not puzzle.given:
        message = "the question is asked with given plans, but the puzzle has no line `plan of …`"
        sink.error("RW373", message, asked.span, help="add a line such as `plan of 2: ACTION, ACTION`")
    if puzzle.given and (asked is None or asked.play is not Others.GIVEN):
        labels = () if puzzle.ask is None else (Label(puzzle.ask.span, "the question"),)
        message = f"the question does not use the plan of player {puzzle.given[0].player}"
        help = f"end the question with `{Others.GIVEN.value}`, or delete the plan"
        sink.error("RW373", message, puzzle.given[0].span, *labels, help=help)
        return {}
    found = ((given.player, _read(given, engine, sink)) for given in puzzle.given)
    return dict(sorted((player, plan) for player, plan in found if plan is not None))


def _read(given: GivenPlan, engine: Engine, sink: Sink) -> tuple[GivenAction, ...] | None:
    players = engine.instance.players
    if not 1 <= given.player <= players:
        help = "there is only player 1" if players == 1 else f"the players are 1 to {players}"
        sink.error("RW370", f"there is no player {given.player}", given.span, help=help)
        return None
    try:
        return read_plan(engine, given.actions, given.span)
    except RulesError as error:
        sink.diagnostics += error.diagnostics
        return None
