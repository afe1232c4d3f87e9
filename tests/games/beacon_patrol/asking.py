"""Positions at the turn of player 1, and what can be asked of them: what is legal, what forbids the rest."""

from __future__ import annotations

from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import State
from rulewright.rules.play.move_notation import format_move, parse_attempt
from rulewright.rules.play.why_illegal import why_not
from tests.puzzles.positions import indented, position

SHIPS = "beacon_patrol.ships"
RESEARCH, CONSTRUCTION, HOVERCRAFT, COAST_GUARD, FERRY, PILOT, SUBMARINE = (
    f"{SHIPS}.{name}" for name in ("research", "construction", "hovercraft", "coast_guard", "ferry", "pilot_boat", "submarine")
)


def at(modules: str, body: str, players: int = 1) -> Position:
    return position(f"puzzle here:\n    rules {modules}\n    players {players}\n" + indented(body + "\nstart: turn of 1"))


def legal(here: Position) -> set[str]:
    return {format_move(here.engine, here.state, move) for move in here.engine.legal(here.state)}


def why(here: Position, action: str, *plan: str) -> set[str]:
    """The requirements that forbid an action after a plan."""
    state = after(here, *plan) if plan else here.state
    failures = why_not(here.engine, state, parse_attempt(here.engine, state, action))
    return {failure.requirement for failure in failures}


def after(here: Position, *plan: str) -> State:
    return replay(here.engine, here.state, plan)[-1].state


def reached(here: Position, *plan: str) -> Position:
    return Position(here.puzzle, here.engine, after(here, *plan), here.question)
