"""A position as a page: its picture, and what is legal with each cell and tile, or why not."""

from __future__ import annotations

from attrs import evolve

from rulewright.pictures.by_system import dark_rules
from rulewright.pictures.position_picture import Scene, blocks_by_system
from rulewright.pictures.svg import to_text
from rulewright.rules.play.engine import State

from .frame import Page, boxed, html_of, text_of
from .prospects import notes
from .script import THINGS
from .shared_shapes import share


def position_page(scene: Scene, state: State, text: str, question: str) -> str:
    """The page, in UTF-8; `question` is "" if there is none."""
    scene = evolve(scene, options=evolve(scene.options, things=True))
    drawn = blocks_by_system(scene, state)
    shapes, shared = share(drawn)
    asked = f"<p><strong>Asked:</strong> {text_of(question)}</p>" if question else ""
    body = f"""<header>
<h1>{text_of(scene.title)}</h1>
<p>{text_of(text)}</p>
{asked}
</header>
<main>
<div class="board">
{to_text(shapes)}<section data-stage="0">
{boxed(shared)}</section>
</div>
<div class="beside">
<div id="about" role="region" aria-live="polite" aria-label="What may be done there"></div>
</div>
</main>"""
    told = notes(scene, [(state, drawn)])
    return html_of(Page(scene.title, body, THINGS, told, dark_rules(drawn), scene.options.dark))
