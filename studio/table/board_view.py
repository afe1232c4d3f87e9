"""A board as shown on the page: picture, legal actions with the things they name, score item by item; and as a new puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_puzzles import ask_text
from rulewright.pictures.painter import definitions_of
from rulewright.pictures.position_picture import blocks
from rulewright.pictures.scene import PictureOptions, Scene, thing_name
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.stage.vocabulary import Score, Turn
from rulewright.pictures.svg import to_text
from rulewright.rules.model import types
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State, describe_cell, describe_turn, plays_alone
from rulewright.rules.play.history import Entry, entry_in_words, subjects
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.scores import ScoreItem, describe_item, score_items
from rulewright.rules.play.why_illegal import Failure, Prospects, TypedValue
from rulewright.web.questions import in_plain_words

from .board import Course, palette

MOST_LEGAL = 3000
"""The maximum number of legal actions sent to the page."""

Places = Callable[[Span], dict[str, Any]]
"""Maps a span to its place on the page: the name of the file, and the line."""


def view_of(course: Course, options: PictureOptions, place: Places) -> dict[str, Any]:
    """Everything that the page shows of the end of a course."""
    start, engine, state = course.start, course.engine, course.state
    stage = stage_of(Scene(engine, start.viewer, start.title, options))
    # The page tells the turn and the score; where each player has one, that stands beside the board.
    rules = tuple(rule for rule in stage.panel.rules if not isinstance(rule, Turn | Score))
    has_score = any(isinstance(rule, Score) for rule in stage.panel.rules)
    stage = evolve(stage, panel=evolve(stage.panel, rules=rules))
    drawn = blocks(stage, engine, state, course.before)
    score = engine.score(state)
    asked = start.position.puzzle.ask if start.position is not None else None
    return {
        "text": start.text,
        "rules": list(start.rules),
        "players": [engine.instance.players, engine.game.players.low, engine.game.players.high],
        "question": ask_text(asked) if asked is not None else "",
        "asked": in_plain_words(start.position.puzzle, engine.game) if start.position is not None else "",
        "solvable": start.question is not None,
        "turn": "" if plays_alone(engine) and not engine.over(state) else describe_turn(engine, state),
        "over": engine.over(state),
        "svg": [to_text(one) for one in (definitions_of((stage, one) for one in drawn), *drawn)],
        "legal": list(_legal(engine, state)),
        "many": len(engine.legal(state)),
        "scores": [ply.score for ply in course.plies],
        "refused": refused_data(course, place),
        "score": score if has_score else None,
        "rank": engine.rank(score),
        "values": subjects(engine),
        "palette": list(palette(engine, state)),
        "items": _items(engine, state, place),
    }


def _legal(engine: Engine, state: State) -> Iterator[dict[str, Any]]:
    prospects = Prospects(engine, state)
    for move in engine.legal(state)[:MOST_LEGAL]:
        yield {"text": format_move(engine, state, move), "things": _names(prospects.things_in(move))}


def _names(things: tuple[TypedValue, ...]) -> list[str]:
    """The names of those things that can appear in a picture."""
    return [thing_name(type, value) for type, value in things if isinstance(type, types.Cell | types.Tile)]


# Why not --------------------------------------------------------------------------------------------------------------


def refused_data(course: Course, place: Places) -> dict[str, Any] | None:
    """The action at which a course ends too early, and why."""
    error = course.refused
    if error is None:
        return None
    message = error.diagnostics[0].message
    return {"message": message, "reasons": [failure_data(one, place) for one in error.failures]}


def entry_data(course: Course, entry: Entry, place: Places) -> dict[str, Any]:
    """A change of a value, with the place of the clause that made it."""
    words = entry_in_words(course.engine, course.state, course.start.viewer, entry)
    return words | place(entry.write.span)


def failure_data(failure: Failure, place: Places) -> dict[str, Any]:
    """A failed requirement, with the places of it and its parts in the texts."""
    return {
        "message": failure.message,
        "requirement": failure.requirement,
        "cite": failure.cite,
        "involved": list(failure.unnamed),
        "things": _names(failure.things),
        "parts": [{"name": part.name, "text": part.text, "cite": part.cite, **place(part.span)} for part in failure.parts],
        **place(failure.span),
    }


# Score ----------------------------------------------------------------------------------------------------------------


def _items(engine: Engine, state: State, place: Places) -> list[dict[str, Any]]:
    clauses = _clauses(engine.game)
    return [_item(engine, item, clauses, place) for item in score_items(engine, state)]


def _item(engine: Engine, item: ScoreItem, clauses: dict[str, Span], place: Places) -> dict[str, Any]:
    cell = describe_cell(engine.instance.windows[item.space], item.cell) if item.space else ""
    span = clauses.get(item.case) or clauses.get(item.rule)
    return {
        "points": item.points,
        "where": cell,
        "thing": thing_name(types.Cell(item.space), item.cell) if item.space else "",
        "tile": item.tile,
        "rule": item.case or item.rule,
        "cite": item.cite,
        **(place(span) if span is not None else {}),
    }


def _clauses(game: Game) -> dict[str, Span]:
    """The place of each score and each labelled exception."""
    found = {score.name: score.span for score in game.scores}
    for definition in game.definitions.values():
        found |= {each.name: each.span for case in definition.cases for each in case.and_exceptions()}
    return found


# What has changed -----------------------------------------------------------------------------------------------------


def changes_between(before: Course, after: Course) -> dict[str, Any]:
    """The differences at the end of a course under other rules: new and removed actions, and the items of the score."""
    old, new = _told(before), _told(after)
    return {
        "legal": texts_changed(old[0], new[0]),
        "items": texts_changed(old[1], new[1]),
        "score": [before.engine.score(before.state), after.engine.score(after.state)],
    }


def _told(course: Course) -> tuple[list[str], list[str]]:
    engine, state = course.engine, course.state
    legal = [format_move(engine, state, move) for move in engine.legal(state)]
    return legal, [describe_item(engine, item) for item in score_items(engine, state)]


def texts_changed(before: Sequence[str], after: Sequence[str]) -> dict[str, list[str]]:
    """The texts that are `new`, and those that are `gone`."""
    old, new = set(before), set(after)
    return {"new": [one for one in after if one not in old], "gone": [one for one in before if one not in new]}
