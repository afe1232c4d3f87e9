"""The frame of a page: one HTML file that loads nothing, in which only our own script and style work.

Every text is escaped; scripts and styles are ours, named by their hashes in the content security policy.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from rulewright.base.records import frozen
from rulewright.pictures.look import DARK, LIGHT, Palette
from rulewright.pictures.svg import Attribute, Element, plain, to_text

# The scripts of pages -------------------------------------------------------------------------------------------------
# Notes on the thing under the pointer, and stepping through a plan.


THINGS, STEPS = ("\n" + Path(__file__).with_name(name).read_text("utf-8") for name in ("things.js", "steps.js"))


def template(name: str) -> Template:
    """The markup of a page, with a name for each place that is filled."""
    return Template(Path(__file__).with_name(f"{name}.html").read_text("utf-8").removesuffix("\n"))


# The frame of a page --------------------------------------------------------------------------------------------------


WIDE = 580
"""In pixels. A telephone shows 330: a narrower picture, as of nine cells, keeps cells of 32."""


@frozen
class Page:
    """A page: its title, its body as HTML, its script, and the data for the script, as JSON.

    `rules` are further style rules. Without `dark`, the page is dark where the reader's system is. What `plays` runs
    WebAssembly, and workers of its own; what loads pictures takes them from beside the page.
    """

    title: str
    body: str
    script: str = ""
    data: Any = None
    rules: str = ""
    dark: bool = False
    plays: bool = False
    loads_pictures: bool = False


def html_of(page: Page) -> str:
    """The page, in UTF-8."""
    wasm, workers = (" 'wasm-unsafe-eval'", "worker-src blob:; ") if page.plays else ("", "")
    scripts = f"script-src '{_hash(page.script)}'{wasm}; {workers}" if page.script else ""
    pictures = "img-src 'self'; " if page.loads_pictures else ""
    style = STYLE + page.rules
    policy = f"default-src 'none'; style-src '{_hash(style)}'; {scripts}{pictures}base-uri 'none'; form-action 'none'"
    dark = ' class="dark"' if page.dark else ""
    data = f'<script type="application/json" id="data">{_data(page.data)}</script>\n' if page.data is not None else ""
    script = f"<script>{page.script}</script>\n" if page.script else ""
    return f"""<!DOCTYPE html>
<html lang="en"{dark}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text_of(page.title)}</title>
<style>{style}</style>
</head>
<body>
{page.body}
{data}{script}</body>
</html>
"""


def boxed(pictures: Iterable[Element]) -> str:
    """Pictures, each in a box of its own. One wider than `WIDE` scrolls there: its cells are too small to tap if it shrinks."""
    return "".join(
        f'<div class="picture{" wide" if float(picture.attributes[Attribute.WIDTH]) > WIDE else ""}">{to_text(picture)}</div>'
        for picture in pictures
    )


def text_of(content: str) -> str:
    """Escaped text without control characters."""
    return escape(plain(content))


def _data(data: Any) -> str:
    """JSON for embedding in a page: ASCII, with nothing that could end the element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


# Style ----------------------------------------------------------------------------------------------------------------


def _colours(palette: Palette, line: str, gone: str, come: str) -> str:
    """The colours of the texts of a page, as custom properties."""
    return (
        f"color-scheme: {'dark' if palette.dark else 'light'}; --paper: {palette.paper}; --ink: {palette.ink}; "
        f"--faint: {palette.faint}; --line: {line}; --gone: {gone}; --come: {come};"
    )


_LIGHT, _DARK = _colours(LIGHT, "#c9c5bb", "#b3261e", "#006b4f"), _colours(DARK, "#3a4250", "#ff9a8a", "#5fd3a8")

STYLE = f"""
:root {{ {_LIGHT} }}
:root.dark {{ {_DARK} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}

{Path(__file__).with_name("page.css").read_text("utf-8")}"""
