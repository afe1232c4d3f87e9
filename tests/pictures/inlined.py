"""Pictures with what they refer to in its place, for tests that look for it there."""

from __future__ import annotations

from attrs import evolve

from rulewright.pictures.svg import Attribute, Element, Tag, to_text


def inlined(picture: Element) -> str:
    """The text of a picture in which each use of a sprite is the sprite."""
    (defined,) = (child for child in picture.children if child.tag is Tag.DEFINITIONS)
    sprites = {sprite.attributes[Attribute.ID]: sprite for sprite in defined.children}
    return to_text(_put_back(evolve(picture, children=[c for c in picture.children if c is not defined]), sprites))


def _put_back(element: Element, sprites: dict[str, Element]) -> Element:
    if element.tag is Tag.USE:
        found = sprites[element.attributes[Attribute.REFERENCE][1:]]
        bare = {name: value for name, value in found.attributes.items() if name is not Attribute.ID}
        moved = {name: value for name, value in element.attributes.items() if name is Attribute.TRANSFORM}
        return Element(Tag.GROUP, moved, (evolve(found, attributes=bare),)) if moved else evolve(found, attributes=bare)
    return evolve(element, children=[_put_back(child, sprites) for child in element.children])
