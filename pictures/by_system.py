"""One drawing in two palettes: light, and dark where the reader's system is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import evolve

from .options import PictureOptions
from .svg import Attribute, Element, Tag

_LETTERS = {Attribute.FILL: "f", Attribute.STROKE: "s"}
"""The first letter of the class that recolours an attribute; the rest is the dark colour."""


def drawn_by_system(draw: Callable[[PictureOptions], tuple[Element, ...]], options: PictureOptions) -> tuple[Element, ...]:
    """What `draw` draws, in light colours with classes for dark ones; in dark colours alone if the options are dark.

    The classes have no effect without the rules of `dark_rules`.
    """
    if options.dark:
        return draw(options)
    return tuple(_in_both(*pair) for pair in zip(draw(options), draw(evolve(options, dark=True)), strict=True))


def with_rules(picture: Element) -> Element:
    """A picture that stands alone, with the rules of its classes in it."""
    rules = dark_rules([picture])
    return evolve(picture, children=(Element(Tag.STYLE, text=rules), *picture.children)) if rules else picture


def dark_rules(pictures: Iterable[Element]) -> str:
    """The style rules for the classes of pictures; "" if they have none. Paper stays light."""
    names = sorted({name for picture in pictures for name in _classes(picture)})
    if not names:
        return ""
    words = {letter: attribute.value for attribute, letter in _LETTERS.items()}
    rules = "".join(f".{name}{{{words[name[0]]}:#{name[1:]}}}" for name in names)
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"


def _in_both(light: Element, dark: Element) -> Element:
    """The light drawing, with a class wherever the dark one has another colour; both have the same elements."""
    names = [
        letter + dark.attributes[attribute].removeprefix("#")
        for attribute, letter in _LETTERS.items()
        if light.attributes.get(attribute) != dark.attributes.get(attribute)
    ]
    named = {Attribute.CLASS: " ".join(names)} if names else {}
    children = tuple(_in_both(*pair) for pair in zip(light.children, dark.children, strict=True))
    return evolve(light, attributes={**light.attributes, **named}, children=children)


def _classes(element: Element) -> Iterator[str]:
    yield from element.attributes.get(Attribute.CLASS, "").split()
    for child in element.children:
        yield from _classes(child)
