"""Paints placements as SVG: each sprite is defined once, and used wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.base.records import evolve

from .placing.placement import Block, Placement
from .stage.vocabulary import Stage
from .svg import Attribute, Element, Tag, definitions, drawing, group, number, parts_of, points

EDGE = 2.0
"""Pixels around a block."""


def painted(stage: Stage, block: Block, title: str, told: str) -> Element:
    """A block on paper, as a picture without the definitions of its sprites."""
    width, height = block.size[0] + 2 * EDGE, block.size[1] + 2 * EDGE
    return on_paper(stage, (width, height), [Placement((EDGE, EDGE), parts=block.parts)], title, told)


def on_paper(stage: Stage, size: tuple[float, float], parts: Sequence[Placement], title: str, told: str) -> Element:
    """Placements on paper of a width and height."""
    paper = Placement(sprite=stage.paper, scale=size)
    role = "group" if stage.things else "img"
    return drawing(size, [_element(stage, placement) for placement in (paper, *parts)], title, told, role)


def definitions_of(pictures: Iterable[tuple[Stage, Element]]) -> Element:
    """The sprites that pictures use, each once, as an invisible picture."""
    uses = ((stage, part) for stage, picture in pictures for part in parts_of([picture]) if part.tag is Tag.USE)
    used = {part.attributes[Attribute.REFERENCE][1:]: stage for stage, part in uses}
    return definitions([_defined(name, stage.sprites[stage.names.index(name)]) for name, stage in used.items()])


def standing_alone(stage: Stage, picture: Element) -> Element:
    """A picture with the definitions of its sprites and the rules of their dark colours."""
    rules = (Element(Tag.STYLE, text=stage.rules),) if stage.rules else ()
    defined = definitions_of([(stage, picture)]).children
    return evolve(picture, children=(*rules, *picture.children[:2], *defined, *picture.children[2:]))


def _defined(name: str, sprite: Element) -> Element:
    return evolve(sprite, attributes={Attribute.ID: name, **sprite.attributes})


def _element(stage: Stage, placement: Placement) -> Element:
    if placement.sprite < 0:
        parts = [_element(stage, part) for part in placement.parts]
        return group(parts, placement.at, placement.title, placement.thing)
    if placement.text:
        (x, y), size = placement.at, placement.scale[1]
        place = {Attribute.X: number(x), Attribute.Y: number(y + 0.36 * size), Attribute.FONT_SIZE: number(size)}
        return Element(Tag.TEXT, {**place, **stage.sprites[placement.sprite].attributes}, text=placement.text)
    transform = _transform(placement)
    moved = {Attribute.TRANSFORM: transform} if transform else {}
    return Element(Tag.USE, {Attribute.REFERENCE: f"#{stage.names[placement.sprite]}", **moved})


def _transform(placement: Placement) -> str:
    steps = []
    if placement.at != (0.0, 0.0):
        steps.append(f"translate({points(placement.at)})")
    if placement.turn:
        steps.append(f"rotate({number(placement.turn)})")
    if placement.scale != (1.0, 1.0):
        steps.append(f"scale({points(placement.scale)})")
    return " ".join(steps)
