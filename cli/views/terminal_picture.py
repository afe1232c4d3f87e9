"""Positions as pictures in terminals that know the graphics protocol of kitty (https://sw.kovidgoyal.net/kitty/graphics-protocol/).

Such a terminal names itself in the environment; tmux and screen drop its pictures. Another may say that it shows sixels.
Elsewhere boards are text.
"""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from collections.abc import Mapping
from importlib.util import find_spec

from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import Viewer

from .output import is_interactive
from .sixel import in_sixels, knows_sixels

CELL = 36.0
"""In pixels: the width of a cell."""

CHUNK = 4096
"""The greatest number of letters in an escape sequence, by the protocol."""

_NAMES = {"TERM": ("xterm-kitty", "xterm-ghostty"), "TERM_PROGRAM": ("WezTerm", "ghostty")}


def knows_pictures(environment: Mapping[str, str]) -> bool:
    """Whether a terminal with these environment variables shows pictures."""
    if environment.get("TMUX") or environment.get("STY"):
        return False
    return "KITTY_WINDOW_ID" in environment or any(environment.get(name) in names for name, names in _NAMES.items())


def in_escapes(png: bytes) -> str:
    """A PNG file as the escape sequences that show it at the cursor."""
    data = b64encode(png).decode("ascii")
    parts = [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]
    numbered = (f"m={int(number < len(parts))};{part}" for number, part in enumerate(parts, 1))
    return "\x1b_Ga=T,f=100,q=2," + "\x1b\\\x1b_G".join(numbered) + "\x1b\\\n"


def picture_of(engine: Engine, state: State, viewer: Viewer) -> str:
    """What shows a state as a picture on standard output; "" where only text is shown, as without the extra `pictures`."""
    is_kitty = knows_pictures(os.environ)
    if not is_interactive(sys.stdout) or find_spec("resvg_py") is None:
        return ""
    if not is_kitty and not (sys.stdin.isatty() and knows_sixels()):
        return ""
    from rulewright.pictures.png import to_png
    from rulewright.pictures.position_picture import picture
    from rulewright.pictures.scene import PictureOptions, Scene
    from rulewright.pictures.svg import to_text

    png = to_png(to_text(picture(Scene(engine, viewer, "", PictureOptions(CELL)), state)))
    return in_escapes(png) if is_kitty else in_sixels(png)
