"""Makes the stage of a scene, and writes it as JSON for `scene.js`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, get_args

from attrs import fields, has

from rulewright.base.records import evolve
from rulewright.pictures.look import Looks, dark_rules
from rulewright.pictures.placing.boards import contents_of
from rulewright.pictures.placing.placement import Reader
from rulewright.pictures.scene import Scene
from rulewright.pictures.svg import Element, to_text
from rulewright.rules.static.look_checks import drawn_definitions

from .boards import boards_of
from .panel import PanelMaker
from .sprites import Sprites
from .vocabulary import Board, PanelRule, Rule, Stage


def stage_of(scene: Scene) -> Stage:
    """All that pictures of a scene's states have in common."""
    looks, sprites = Looks.of(scene.engine.game), Sprites(scene.options.palettes)
    paper = sprites.plate(lambda palette: palette.paper)
    ink = sprites.text(lambda palette: palette.ink, "start")
    bold = sprites.text(lambda palette: palette.ink, "start", bold=True)
    boards = tuple(_framed(scene, board) for board in boards_of(scene, looks, sprites))
    panel = PanelMaker(scene, looks, sprites, boards).panel()
    if scene.options.board_only:
        panel = evolve(panel, rules=())
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
    used = (contents_of(board, Reader(scene.engine, state)).used for state in scene.others)
    return evolve(board, also=tuple(sorted(set(board.also).union(*used))))


# A stage as JSON ------------------------------------------------------------------------------------------------------
# For `scene.js`: zeros, empty texts, lists and the like are left out, sprites are SVG.


_RULES = (*get_args(Rule), *get_args(PanelRule))
"""The classes that say which rule they are."""


def stage_as_json(value: Any) -> Any:
    """A stage, or a part of one, as lists, dictionaries, texts and numbers."""
    match value:
        case Element():
            return to_text(value)
        case Enum():
            return value.value
        case Mapping():
            return {str(key): stage_as_json(one) for key, one in value.items()}
        case tuple() | list():
            return [stage_as_json(one) for one in value]
        case float() if value.is_integer():
            return int(value)
        case _ if has(type(value)):
            said = {one.name: stage_as_json(found) for one in fields(type(value)) if (found := getattr(value, one.name))}
            return {"is": type(value).__name__, **said} if isinstance(value, _RULES) else said
        case _:
            return value
