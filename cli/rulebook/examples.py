"""Examples for a rulebook, from the puzzles of a game: a move that an action allows, and one that a requirement refuses."""

from __future__ import annotations

import random
from collections.abc import Iterable

from rulewright.api.start import Start
from rulewright.base.records import define, field
from rulewright.base.styled_text import spaced
from rulewright.pictures.pages.frame import boxed, text_of
from rulewright.pictures.painter import definitions_of, painted
from rulewright.pictures.position_picture import labels_of, placed_state
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.stage.vocabulary import Stage
from rulewright.pictures.svg import Element, to_text
from rulewright.puzzles.near_misses import NearMisses
from rulewright.rules.model.state import STOP, Move, State
from rulewright.rules.play.move_notation import action_of, format_move, parse_attempt
from rulewright.rules.play.why_illegal import why_not

CELL = 34.0
"""In pixels: the width of a cell."""

PLIES = 12
"""By definition of an example: how far each puzzle is played at random, with a seed of its own."""

REFUSALS = 6
"""The maximum number of refused moves looked for in a position."""


@define
class Examples:
    """Figures as HTML: `allowed` by action, `refused` by requirement. `rules` are style rules of their pictures."""

    allowed: dict[str, str] = field(factory=dict)
    refused: dict[str, str] = field(factory=dict)
    rules: set[str] = field(factory=set)
    _drawn: list[tuple[Stage, Element]] = field(factory=list)

    def collect(self, starts: Iterable[Start]) -> None:
        """Play each start position at random, and draw what is the first of its kind."""
        for start in starts:
            rng, state, engine = random.Random(start.title), start.state, start.engine
            for _ in range(PLIES):
                legal = engine.legal(state)
                if not legal:
                    break
                self._refuse(start, state)
                for move in legal:
                    self._allow(start, state, move)
                state = engine.apply(state, rng.choice(legal))

    @property
    def sprites(self) -> str:
        """What the pictures of all figures use, drawn once, as HTML."""
        return to_text(definitions_of(self._drawn)) if self._drawn else ""

    def _allow(self, start: Start, state: State, move: Move) -> None:
        if move == STOP:
            return
        name = action_of(start.engine, move)
        if name not in self.allowed:
            text = format_move(start.engine, state, move)
            picture = self._picture(_scene(start, {}), start.engine.apply(state, move), state)
            self.allowed[name] = _figure("may", "✓", text, picture)

    def _refuse(self, start: Start, state: State) -> None:
        for text in NearMisses(start.engine, state, lambda _: True).texts(REFUSALS, self.refused):
            failures = why_not(start.engine, state, parse_attempt(start.engine, state, text))
            name = failures[0].requirement if failures else ""
            if name and name not in self.refused:
                scene = _scene(start, labels_of(failures))
                self.refused[name] = _figure("not", "✗", text, self._picture(scene, state), failures[0].message)

    def _picture(self, scene: Scene, state: State, before: State | None = None) -> str:
        """The boards of a state; what changed since `before` is marked."""
        stage = stage_of(scene)
        found = placed_state(stage, scene.engine, state, before)
        boards = [painted(stage, board, scene.title, found.told) for board in found.boards]
        self._drawn += [(stage, board) for board in boards]
        self.rules.add(stage.rules)
        return boxed(boards)


def _scene(start: Start, marked: dict[str, str]) -> Scene:
    return Scene(start.engine, start.viewer, start.title, PictureOptions(CELL, None), marked=marked)


def _figure(kind: str, sign: str, move: str, picture: str, message: str = "") -> str:
    why = f": {text_of(message)}" if message else ""
    return f'<figure class="{kind}">{picture}<figcaption><b>{sign}</b> {text_of(spaced(move))}{why}</figcaption></figure>'
