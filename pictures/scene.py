"""The subject of pictures."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import field, frozen
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import Viewer

from .options import DEFAULT_OPTIONS, PictureOptions


@frozen
class Scene:
    """The subject of a picture: a game, the viewer, a title, and options. `others` are states whose pictures share its frame.

    `marked` gives things, by name, short labels, which the lines of the `caption` explain.
    """

    engine: Engine
    viewer: Viewer
    title: str
    options: PictureOptions = DEFAULT_OPTIONS
    others: tuple[State, ...] = ()
    marked: Mapping[str, str] = field(factory=dict)
    caption: tuple[str, ...] = ()
