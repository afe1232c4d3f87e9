"""The process that draws the first board of a puzzle of the library."""

from __future__ import annotations

from functools import cache

from rulewright.api.start import start_of_puzzle
from rulewright.base.refusals import Refused, text_in
from rulewright.pictures.painter import standing_alone
from rulewright.pictures.position_picture import blocks
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import to_text
from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.rules.linking.project import Project
from rulewright.workers.line_server import serve_lines

CELL = 24.0
"""In pixels: the width of a cell."""


@cache
def _library() -> Catalogue:
    return Catalogue(Project(SHIPPED))


@cache
def drawn(name: str) -> str:
    """The first board of a puzzle, light or dark as the system is. Raises `Refused` if the library has no such puzzle."""
    if name not in _library().names:
        raise Refused("the library has no such puzzle")
    start = start_of_puzzle(_library().position(name), None, now=False)
    stage = stage_of(Scene(start.engine, start.viewer, start.title, PictureOptions(CELL, None, coordinates=False)))
    return to_text(standing_alone(stage, blocks(stage, start.engine, start.state)[0]))


if __name__ == "__main__":
    serve_lines(lambda request, _: {"svg": drawn(text_in(request, "name"))})
