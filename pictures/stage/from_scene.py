"""Makes the stage of a scene."""

from __future__ import annotations

from attrs import evolve

from rulewright.pictures.palette import dark_rules
from rulewright.pictures.placing.placement import Reader
from rulewright.rules.static.look_checks import drawn_definitions

from ..look import Looks
from ..placing.boards import contents_of
from ..scene import Scene
from .boards import boards_of
from .panel import panel_of
from .sprites import Sprites
from .vocabulary import Board, Stage


def stage_of(scene: Scene) -> Stage:
    """All that pictures of a scene's states have in common."""
    looks, sprites = Looks.of(scene.engine.game), Sprites(scene.options.palettes)
    paper = sprites.plate(lambda palette: palette.paper)
    ink = sprites.text(lambda palette: palette.ink, "start")
    bold = sprites.text(lambda palette: palette.ink, "start", bold=True)
    boards = tuple(_framed(scene, board) for board in boards_of(scene, looks, sprites))
    panel = panel_of(scene, looks, sprites, boards)
    definitions = tuple(definition.name for definition in drawn_definitions(scene.engine.game))
    return Stage(
        title=scene.title,
        sprites=tuple(sprites.elements),
        names=sprites.names,
        rules=dark_rules(sprites.elements),
        ink=ink,
        bold=bold,
        paper=paper,
        boards=boards,
        panel=panel,
        definitions=definitions,
        things=scene.options.things,
    )


def _framed(scene: Scene, board: Board) -> Board:
    """A board that also shows the cells in use in the scene's other states."""
    used = set(board.also)
    for state in scene.others:
        used |= contents_of(board, Reader(scene.engine, state)).used
    return evolve(board, also=tuple(sorted(used)))
