"""A page that plays puzzles and games: one file that loads nothing, from disk or from the web, on a telephone, offline."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

from rulewright.api.start import Start
from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.puzzles import OUTCOMES, Answer, Goal, Verdict
from rulewright.pictures.pages.frame import Page, html_of
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.stage.from_scene import stage_as_json, stage_of
from rulewright.pictures.stage.vocabulary import Stage
from rulewright.puzzles.position import Position
from rulewright.subset.refusal import CannotCompile

from .game_module import Packed, game_module
from .questions import in_plain_words, objective_in_words, titled, within
from .search_module import search_module

# The scripts of pages -------------------------------------------------------------------------------------------------
# Modules of JavaScript joined into one, as a page that loads nothing needs them.


SHARED = ("dom", "memory", "engine", "line", "scene", "reader", "search", "steering")
"""Modules of which the page and its worker use some, each after those that it imports."""

PICTURES = {"scene"}
"""Modules of rulewright.pictures; all others are in web/js."""

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "[./\w]*?(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const|let) (\w+))", re.MULTILINE)


def script() -> str:
    """The script of the page, which is that of its worker too: each module in a scope of its own."""
    shared = "".join(f"const in_{name} = (() => {{\n{_body(name)}return {{ {_exported(name)} }};\n}})();\n" for name in SHARED)
    return f'"use strict";\n{shared}if (typeof document === "undefined") {{\n{_body("worker")}}} else {{\n{_body("page")}}}\n'


def _exported(name: str) -> str:
    return ", ".join(_EXPORT.findall(source(name)))


def _body(name: str) -> str:
    return "".join(_bare(_EXPORT.sub("", _IMPORT.sub(r"const \1 = in_\2;", source(name)))))


def _bare(text: str) -> Iterator[str]:
    """The lines of a script without comments of their own, and without indentation."""
    for line in text.splitlines():
        bare = line.strip()
        if bare and not bare.startswith("//"):
            yield bare + "\n"


def source(name: str) -> str:
    """The text of a module."""
    folder = files("rulewright.pictures") if name in PICTURES else files("rulewright.web").joinpath("js")
    return folder.joinpath(f"{name}.js").read_text(encoding="utf-8")


# A page that plays puzzles and games ----------------------------------------------------------------------------------


CELL = 48.0
"""The width of a cell in pixels."""

VALUES = {verdict: value for value, verdict in OUTCOMES.items()}


@frozen
class Playable:
    """A puzzle or a game with what the page needs: its game, and its search, or why a page cannot search for its answer."""

    start: Start
    game: Packed
    search: Packed | None
    stage: Stage
    unsolved: str = ""
    with_answer: bool = True

    @classmethod
    def of(cls, start: Start, with_answer: bool = True, dark: bool = False) -> Playable:
        """Raises `CannotCompile` if the game does not fit the compiled subset."""
        search, unsolved = None, ""
        if start.position is not None:
            try:
                search = search_module(start.position)
            except CannotCompile as reason:
                unsolved = f"No search here: {reason}. It is answered by: rulewright solve {start.title}"
        options = PictureOptions(CELL, True if dark else None, things=True)
        stage = stage_of(Scene(start.engine, start.viewer, start.title, options, (start.state,)))
        game = game_module(start)
        game = evolve(game, data={**game.data, "stage": stage_as_json(stage)})
        return cls(start, game, search, stage, unsolved, with_answer)

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads (web/js/page.js)."""
        start, game = self.start, self.game.text
        salt = hashlib.sha256(game.encode()).hexdigest()[:16]
        found: dict[str, Any] = {"name": start.title, "title": titled(start.title), "text": start.text, "question": ""}
        found |= {"game": game, "salt": salt}
        found |= {"grade": None, "search": None if self.search is None else self.search.text, "best": None, "player": None}
        found |= {"threshold": None, "chance": start.position is None, "many": False, "unsolved": self.unsolved}
        return found if start.position is None else found | self._asked(start.position, salt)

    def _asked(self, position: Position, salt: str) -> dict[str, Any]:
        """What a puzzle asks."""
        puzzle, question = position.puzzle, position.question
        found: dict[str, Any] = {"grade": None if puzzle.grade is None else puzzle.grade.number}
        if question is None or puzzle.ask is None:
            return found
        found |= {
            "question": in_plain_words(puzzle, position.engine.game),
            "least": question.goal is Goal.LEAST,
            "threshold": question.threshold if question.goal is Goal.REACH and question.until is None else None,
            "wins": question.goal is Goal.WIN,
            "within": within(question),
            "chance": question.in_expectation,
            "many": question.counts_plans,
            "counts": "" if question.goal in (Goal.WIN, Goal.REACH) else objective_in_words(puzzle.ask, position.engine.game),
        }
        if question.is_against:
            found["player"] = question.player or position.played.player(position.begun) or 1
        best = None if question.in_expectation or question.counts_plans else _number(puzzle.answer)
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
