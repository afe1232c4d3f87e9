"""A position as a page: its picture, and what is legal with each cell and tile, or why not."""

from __future__ import annotations

from attrs import evolve

from rulewright.pictures.painter import definitions_of
from rulewright.pictures.position_picture import blocks
from rulewright.pictures.scene import Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import to_text
from rulewright.rules.play.engine import State

from .frame import Page, boxed, html_of, text_of
from .prospects import notes
from .script import THINGS


def position_page(scene: Scene, state: State, text: str, question: str) -> str:
    """The page, in UTF-8; `question` is "" if there is none."""
    stage = stage_of(evolve(scene, options=evolve(scene.options, dark=scene.options.dark or None, things=True)))
    drawn = blocks(stage, scene.engine, state)
    asked = f"<p><strong>Asked:</strong> {text_of(question)}</p>" if question else ""
    body = f"""<header>
<h1>{text_of(scene.title)}</h1>
<p>{text_of(text)}</p>
{asked}
</header>
<main>
<div class="board">
{to_text(definitions_of((stage, one) for one in drawn))}<section data-stage="0">
{boxed(drawn)}</section>
</div>
<div class="beside">
<div id="about" role="region" aria-live="polite" aria-label="What may be done there"></div>
</div>
</main>"""
    told = notes(scene, [(state, drawn)])
    return html_of(Page(scene.title, body, THINGS, told, stage.rules, bool(scene.options.dark)))
