"""A page that plays puzzles and games: one file that loads nothing, from disk or from the web, on a telephone, offline."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from attrs import evolve

from rulewright.api.start import Start
from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import OUTCOMES, Answer, Goal, Others, Verdict
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.pages.frame import Page, html_of
from rulewright.pictures.scene import Scene
from rulewright.pictures.stage.as_json import stage_as_json
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.stage.vocabulary import Stage
from rulewright.puzzles.position import Position, objective_text
from rulewright.subset.refusal import CannotCompile

from .game_module import game_module
from .packing import Packed
from .questions import in_plain_words, titled, within
from .scripts import script
from .search_module import search_module

CELL = 48.0
"""The width of a cell in pixels."""

VALUES = {verdict: value for value, verdict in OUTCOMES.items()}


@frozen
class Playable:
    """A puzzle or a game with what the page needs: its game, and its search if a page can search for its answer."""

    start: Start
    game: Packed
    search: Packed | None
    stage: Stage
    with_answer: bool = True

    @classmethod
    def of(cls, start: Start, with_answer: bool = True, dark: bool = False) -> Playable:
        """Raises `CannotCompile` if the game does not fit the compiled subset."""
        search = None
        if start.position is not None:
            with suppress(CannotCompile):
                search = search_module(start.position)
        options = PictureOptions(CELL, True if dark else None, things=True)
        stage = stage_of(Scene(start.engine, start.viewer, start.title, options, (start.state,)))
        game = game_module(start)
        game = evolve(game, data={**game.data, "stage": stage_as_json(stage)})
        return cls(start, game, search, stage, with_answer)

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads (web/js/page.js)."""
        start, game = self.start, self.game.text
        salt = hashlib.sha256(game.encode()).hexdigest()[:16]
        found: dict[str, Any] = {"name": start.title, "title": titled(start.title), "text": start.text, "question": ""}
        found |= {"game": game, "salt": salt}
        found |= {"grade": None, "search": None if self.search is None else self.search.text, "best": None, "player": None}
        found |= {"threshold": None, "chance": start.position is None}
        return found if start.position is None else found | self._asked(start.position, salt)

    def _asked(self, position: Position, salt: str) -> dict[str, Any]:
        """What a puzzle asks."""
        puzzle, question = position.puzzle, position.question
        found: dict[str, Any] = {"grade": None if puzzle.grade is None else puzzle.grade.number}
        if question is None or puzzle.ask is None:
            return found
        found |= {
            "question": in_plain_words(puzzle.ask, position.engine.game),
            "least": question.goal is Goal.LEAST,
            "threshold": question.threshold if question.goal is Goal.REACH and question.until is None else None,
            "wins": question.goal is Goal.WIN,
            "within": within(question),
            "chance": question.in_expectation,
            "counts": "" if question.goal in (Goal.WIN, Goal.REACH) else objective_text(puzzle.ask).replace("_", " "),
        }
        if question.others is Others.AGAINST:
            found["player"] = question.player or position.played.player(position.begun) or 1
        best = _number(puzzle.answer)
        if best is not None and self.with_answer:
            found["best"] = hashlib.sha256(f"{salt} {best}".encode()).hexdigest()[:32]
        return found


def _number(answer: Answer | None) -> int | None:
    """The answer in a file as a number, if it is one that play can end with."""
    if isinstance(answer, Verdict):
        return VALUES.get(answer)
    return int(answer) if isinstance(answer, int | Fraction) and answer == int(answer) else None


BODY, STYLE = (Path(__file__).with_name(name).read_text("utf-8") for name in ("page.html", "page.css"))
"""STYLE is beside that of all pages."""


def page_of(puzzles: Sequence[Playable], title: str, dark: bool = False) -> str:
    """The page, in UTF-8."""
    rules = "".join(dict.fromkeys(one.stage.rules for one in puzzles))
    data = {"puzzles": [one.data for one in puzzles]}
    return html_of(Page(title, BODY, script(), data, STYLE + rules, dark, plays=True))
