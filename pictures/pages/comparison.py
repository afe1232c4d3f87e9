"""A page on the effect of a rule change on puzzles: answers side by side, before and after, by responsible clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rulewright.base.records import evolve, frozen
from rulewright.pictures.look import dark_rules
from rulewright.pictures.painter import definitions_of
from rulewright.pictures.position_picture import blocks
from rulewright.pictures.scene import Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import Element, to_text
from rulewright.rules.model.state import State

from .frame import Page, boxed, html_of, template, text_of

Blocks = tuple[Element, ...]
"""The boards of a position, and what is beside them."""


@frozen
class Side:
    """A puzzle under some rules: the final position of its best plan, its value, and the plan's actions, if one was found."""

    scene: Scene
    state: State
    before: State
    worth: str
    actions: tuple[str, ...]


@frozen
class Change:
    """A puzzle before and after, and the change in words."""

    puzzle: str
    text: str
    told: tuple[str, ...]
    sides: tuple[Side, Side]


@frozen
class Cause:
    """Clauses with their texts before and after, and the puzzles that they change."""

    clauses: str
    texts: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]


def comparison_page(title: str, causes: Sequence[Cause], rest: Sequence[str], dark: bool = False) -> str:
    """The page, in UTF-8; `rest` is one line for each other remark. With `dark`, it is always dark."""
    sides = [side for cause in causes for change in cause.changes for side in change.sides]
    settings = [stage_of(evolve(side.scene, options=evolve(side.scene.options, dark=dark or None))) for side in sides]
    pictures = [blocks(stage, side.scene.engine, side.state, side.before) for stage, side in zip(settings, sides, strict=True)]
    shapes = definitions_of((stage, one) for stage, pair in zip(settings, pictures, strict=True) for one in pair)
    drawn = iter(pictures)
    sections = "".join(_section(cause, drawn) for cause in causes)
    lines = "".join(f"<p>{text_of(line)}</p>\n" for line in rest)
    body = template("comparison").substitute(title=text_of(title), contents=to_text(shapes) + sections + lines)
    return html_of(Page(title, body, rules=dark_rules(chain(shapes.children, *pictures)), dark=dark))


def _section(cause: Cause, drawn: Iterator[Blocks]) -> str:
    changes = "".join(_article(change, next(drawn), next(drawn)) for change in cause.changes)
    texts = "".join(
        f'<div class="pair"><p><del>{text_of(old)}</del></p><p><ins>{text_of(new)}</ins></p></div>\n'
        for old, new in cause.texts
    )
    return f"<section>\n<h2>{text_of(cause.clauses)}</h2>\n{texts}{changes}</section>\n"


def _article(change: Change, *drawn: Blocks) -> str:
    words = zip(("Before", "After"), change.sides, drawn, strict=True)
    figures = "".join(
        f'<figure>\n<div class="blocks">{boxed(blocks)}</div>\n'
        f"<figcaption>{word}: {text_of(side.worth)}{_plan(side)}</figcaption>\n</figure>\n"
        for word, side, blocks in words
    )
    told = text_of(", ".join(change.told))
    return f"""<article>
<h3>{text_of(change.puzzle)}: {told}</h3>
<p>{text_of(change.text)}</p>
<div class="pair">
{figures}</div>
</article>
"""


def _plan(side: Side) -> str:
    """The actions of a plan, folded away."""
    if not side.actions:
        return ""
    actions = "".join(f"<li>{text_of(action)}</li>" for action in side.actions)
    return f"<details><summary>the plan</summary><ol>{actions}</ol></details>"
