"""The default question of a game: to win, to reach its goal in the fewest moves, or the highest score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.rules.model import terms
from rulewright.rules.model.game import Branch, Choose, Each, Flow, Game, Point, Repeat
from rulewright.rules.model.traversal import flow_nodes

from .termination import possibly_endless

HIGHEST_SCORE = "maximise score until end"


def natural_goal(game: Game, players: int) -> str:
    """The text of a question; empty if the rules name no winner, no score and no goal.

    With opponents the goal is to win. A single player who may move without end, until a named condition holds, is to reach it
    in the fewest moves: the highest score would not reward haste. Limits on the length of play have no name and are not goals.
    """
    if game.winner and players > 1:
        return "win for 1"
    if players == 1 and (goal := _goal(game, game.flow)):
        return f"fewest moves until {goal}"
    return HIGHEST_SCORE if game.scores else ""


def sooner_goal(game: Game, players: int, point: str) -> str:
    """A question about the next turns if the end is too far: against opponents, the lead once all have answered; else the
    highest score after two turns.

    `point` is the point of the flow whose turns are counted. Empty if the goal is not a score.
    """
    if not game.winner or players == 1:
        return f"maximise score for 2 {point}s" if game.scores else ""
    name = next((score.name for score in game.scores if score.of_player is not None), "")
    return f"maximise {name} of 1 - {name} of 2 for {players + 1} {point}s against best play" if name else ""


def _goal(game: Game, flow: Sequence[Flow]) -> str:
    """The name of the condition that ends the outermost loop whose choices may go on without end."""
    for step in flow:
        match step:
            case Repeat(until, body) if until is not None and any(
                possibly_endless(game, one) for one in flow_nodes(body) if isinstance(one, Choose)
            ):
                return next(_names(game, until), "") or _goal(game, body)
            case Branch(_, body, otherwise):
                found = _goal(game, body) or _goal(game, otherwise)
            case Repeat(_, body) | Each(body=body) | Point(_, body):
                found = _goal(game, body)
            case _:
                continue
        if found:
            return found
    return ""


def _names(game: Game, condition: terms.Term) -> Iterator[str]:
    """The parameterless definitions each of which alone satisfies a condition."""
    match condition:
        case terms.Or(parts):
            for part in parts:
                yield from _names(game, part)
        case terms.Invoke(name, ()):
            yield name
