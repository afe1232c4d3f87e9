"""What a game asks of itself, where nobody says what to ask: to win, to come to its goal soon, or the highest score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.rules.model import terms
from rulewright.rules.model.game import Branch, Choose, Each, Flow, Game, Point, Repeat

from .termination import possibly_endless

HIGHEST_SCORE = "maximise score until end"


def natural_goal(game: Game, players: int) -> str:
    """The text of a question; empty where the rules name no winner, no score and no goal.

    Who plays against others is to win. One who may move without end, until something holds that has a name, is to come to it
    in the fewest moves: there the highest score is only that of the end, which no hurry brings. Bounds on the length of play
    have no name of their own, and are no goal.
    """
    if game.winner and players > 1:
        return "win for 1"
    if players == 1 and (goal := _goal(game, game.flow)):
        return f"fewest moves until {goal}"
    return HIGHEST_SCORE if game.scores else ""


def sooner_goal(game: Game, players: int, point: str) -> str:
    """What is asked of the next turns where the end is too far: of players against each other who is ahead once all have
    answered, else the highest score after two turns.

    `point` is that of the flow whose turns are counted. Empty where no score is what is asked for.
    """
    if not game.winner or players == 1:
        return f"maximise score for 2 {point}s" if game.scores else ""
    name = next((score.name for score in game.scores if score.of_player is not None), "")
    return f"maximise {name} of 1 - {name} of 2 for {players + 1} {point}s against best play" if name else ""


def _goal(game: Game, flow: Sequence[Flow]) -> str:
    """The name of what ends the outermost loop whose choices may go on without end."""
    for step in flow:
        match step:
            case Repeat(until, body) if until is not None and any(possibly_endless(game, one) for one in _choices(body)):
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
    """The definitions without parameters one of which is enough for a condition."""
    match condition:
        case terms.Or(parts):
            for part in parts:
                yield from _names(game, part)
        case terms.Invoke(name, ()):
            yield name


def _choices(flow: Sequence[Flow]) -> Iterator[Choose]:
    for step in flow:
        match step:
            case Choose():
                yield step
            case Branch(_, body, otherwise):
                yield from _choices((*body, *otherwise))
            case Repeat(_, body) | Each(body=body) | Point(_, body):
                yield from _choices(body)
            case _:
                continue
