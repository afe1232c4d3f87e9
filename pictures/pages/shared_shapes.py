"""Draws elements common to several pictures of a page once; the pictures refer to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import evolve

from rulewright.base.records import define, field
from rulewright.pictures.svg import Attribute, Element, Tag, definitions, to_text, use

SHORTEST = 60
"""In characters: shorter elements are written in place."""

KEPT = {Tag.SVG, Tag.TITLE, Tag.DESCRIPTION}
"""Elements that stay in place, since they describe their parent."""


def share(pictures: Sequence[Element]) -> tuple[Element, tuple[Element, ...]]:
    """The definitions of repeated elements, as a separate picture, and the pictures that refer to it."""
    sharing = _Sharing()
    for picture in pictures:
        sharing.count(picture)
    shared = tuple(sharing.rewritten(picture) for picture in pictures)
    return definitions(tuple(sharing.definitions.values())), shared


@define(eq=False)
class _Sharing:
    """How often each element occurs, by its text, and the definitions so far; `fixed` are elements that the page refers to
    by name."""

    occurrences: Counter[str] = field(factory=Counter, init=False)
    texts: dict[int, str] = field(factory=dict, init=False)
    fixed: set[int] = field(factory=set, init=False)
    definitions: dict[str, Element] = field(factory=dict, init=False)

    def count(self, element: Element) -> None:
        for child in element.children:
            self.count(child)
        self.texts[id(element)] = text = to_text(element)
        self.occurrences[text] += 1
        if Attribute.THING in element.attributes or any(id(child) in self.fixed for child in element.children):
            self.fixed.add(id(element))

    def rewritten(self, element: Element) -> Element:
        """The element, or a reference if it is drawn more than once."""
        text = self.texts[id(element)]
        if id(element) in self.fixed or element.tag in KEPT or len(text) < SHORTEST or self.occurrences[text] == 1:
            return self._inside(element)
        if text not in self.definitions:
            drawn = self._inside(element)
            name = f"shape-{len(self.definitions)}"
            self.definitions[text] = evolve(drawn, attributes={**drawn.attributes, Attribute.ID: name})
        return use(self.definitions[text].attributes[Attribute.ID])

    def _inside(self, element: Element) -> Element:
        if not element.children:
            return element
        return evolve(element, children=tuple(self.rewritten(child) for child in element.children))
