"""A position as a page: its picture, and what is legal with each cell and tile, or why not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from rulewright.base.records import evolve
from rulewright.pictures.painter import definitions_of
from rulewright.pictures.position_picture import blocks
from rulewright.pictures.scene import Scene, thing_of
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import Attribute, Element, parts_of, plain, to_text
from rulewright.rules.play import why_illegal
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.why_illegal import Failure, Prospect, Prospects

from .frame import THINGS, Page, boxed, html_of, template, text_of

# Notes on cells and tiles for a page ----------------------------------------------------------------------------------
# What is legal with each in a state, or why not.


MOST_MOVES, MOST_REASONS = 8, 3
"""The maximum numbers of legal moves listed for an action with a thing, and of reasons why there is none."""

MOST_ATTEMPTS = 400
"""The maximum number of attempts with each thing examined for a whole page."""

Note = tuple[str, tuple[str, ...]]
"""An action in words, and the reasons why it is illegal; without reasons, it is legal."""


def notes(scene: Scene, pictures: Sequence[tuple[State, Sequence[Element]]]) -> dict[str, Any]:
    """The distinct `reasons` and `notes`, and for each state (`stages`) the numbers of the notes on each drawn thing.

    A note is an action in words and the numbers of the reasons why it is illegal; without reasons, it is legal.

    A player gets no notes on another player's turn: that player's legal actions could reveal a hand.
    """
    most_attempts = max(1, min(why_illegal.MOST_ATTEMPTS, MOST_ATTEMPTS // max(1, len(pictures))))
    numbers: dict[Note, int] = {}
    stages = []
    for state, drawn in pictures:
        told = _told(scene, state, drawn, most_attempts)
        stages.append({name: [numbers.setdefault(note, len(numbers)) for note in notes] for name, notes in told.items()})
    reasons = {reason: number for number, reason in enumerate(dict.fromkeys(one for _, why in numbers for one in why))}
    listed = [[action, [reasons[reason] for reason in why]] for action, why in numbers]
    return {"reasons": list(reasons), "notes": listed, "stages": stages}


def _told(scene: Scene, state: State, pictures: Sequence[Element], most_attempts: int) -> dict[str, list[Note]]:
    """The notes on each thing in the pictures of a state."""
    if scene.viewer.player not in (None, scene.engine.player(state)):
        return {}
    things = (part.attributes.get(Attribute.THING) for part in parts_of(pictures))
    names = dict.fromkeys(thing for thing in things if thing is not None)  # a kind of tile may be there more than once
    found = Prospects(scene.engine, state, most_attempts)
    return {name: [_note(scene.engine, state, prospect) for prospect in found.of(*thing_of(name))] for name in names}


def _note(engine: Engine, state: State, prospect: Prospect) -> Note:
    if prospect.legal:
        named = [format_move(engine, state, move) for move in prospect.legal[:MOST_MOVES]]
        more = len(prospect.legal) - len(named)
        return plain(", ".join(named) + (f" and {more} more" if more else "")), ()
    attempt = format_move(engine, state, prospect.attempt)
    return plain(attempt), tuple(plain(_reason(failure)) for failure in prospect.failures[:MOST_REASONS])


def _reason(failure: Failure) -> str:
    """The failed requirement with its message, its clause, and its place in the rules."""
    place = f"{PurePath(failure.span.source).name}:{failure.span.line}"
    origin = ", ".join(part for part in (failure.requirement, failure.cite, place) if part)
    return f"{failure.message} ({origin})"


# A position as a page -------------------------------------------------------------------------------------------------


def position_page(scene: Scene, state: State, text: str, question: str) -> str:
    """The page, in UTF-8; `question` is "" if there is none."""
    stage = stage_of(evolve(scene, options=evolve(scene.options, dark=scene.options.dark or None, things=True)))
    drawn = blocks(stage, scene.engine, state)
    asked = f"<p><strong>Asked:</strong> {text_of(question)}</p>" if question else ""
    shapes = to_text(definitions_of((stage, one) for one in drawn))
    texts = {"title": text_of(scene.title), "text": text_of(text), "asked": asked}
    body = template("position").substitute(texts, shapes=shapes, boards=boxed(drawn))
    told = notes(scene, [(state, drawn)])
    return html_of(Page(scene.title, body, THINGS, told, stage.rules, bool(scene.options.dark)))
