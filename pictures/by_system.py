"""One drawing in two palettes: light, and dark where the reader's system is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from .svg import Attribute, Element

_LETTERS = {Attribute.FILL: "f", Attribute.STROKE: "s"}
"""The first letter of the class that recolours an attribute; the rest is the dark colour."""


def dark_rules(drawn: Iterable[Element]) -> str:
    """The style rules for the classes of what is drawn; "" if they have none. Paper stays light."""
    names = sorted({name for element in drawn for name in _classes(element)})
    if not names:
        return ""
    words = {letter: attribute.value for attribute, letter in _LETTERS.items()}
    rules = "".join(f".{name}{{{words[name[0]]}:#{name[1:]}}}" for name in names)
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"


def in_both(light: Element, dark: Element) -> Element:
    """The light drawing, with a class wherever the dark one has another colour; both have the same elements."""
    names = [
        letter + dark.attributes[attribute].removeprefix("#")
        for attribute, letter in _LETTERS.items()
        if light.attributes.get(attribute) != dark.attributes.get(attribute)
    ]
    named = {Attribute.CLASS: " ".join(names)} if names else {}
    children = tuple(in_both(*pair) for pair in zip(light.children, dark.children, strict=True))
    return evolve(light, attributes={**light.attributes, **named}, children=children)


def _classes(element: Element) -> Iterator[str]:
    yield from element.attributes.get(Attribute.CLASS, "").split()
    for child in element.children:
        yield from _classes(child)
