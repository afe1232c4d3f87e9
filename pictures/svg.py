"""An SVG emitter: elements and attributes come from an allow-list, every text is escaped, equal input gives equal bytes.

Nothing that comes from rule text or puzzles can become markup: names of elements and attributes are members of enumerations,
and values are numbers, colours of the palette or path data generated in this package.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from html import escape

from rulewright.base.records import field, frozen

NAMESPACE = "http://www.w3.org/2000/svg"

REPLACED = "\N{REPLACEMENT CHARACTER}"


class Tag(Enum):
    SVG = "svg"
    TITLE = "title"
    DESCRIPTION = "desc"
    GROUP = "g"
    PATH = "path"
    TEXT = "text"
    DEFINITIONS = "defs"
    USE = "use"
    STYLE = "style"


class Attribute(Enum):
    NAMESPACE = "xmlns"
    VIEW_BOX = "viewBox"
    WIDTH = "width"
    HEIGHT = "height"
    ROLE = "role"
    TRANSFORM = "transform"
    DATA = "d"
    X = "x"
    Y = "y"
    FILL = "fill"
    STROKE = "stroke"
    STROKE_WIDTH = "stroke-width"
    LINE_JOIN = "stroke-linejoin"
    LINE_CAP = "stroke-linecap"
    DASHES = "stroke-dasharray"
    FONT_FAMILY = "font-family"
    FONT_SIZE = "font-size"
    FONT_WEIGHT = "font-weight"
    ANCHOR = "text-anchor"
    ID = "id"
    CLASS = "class"
    REFERENCE = "href"
    TAB_INDEX = "tabindex"
    HIDDEN = "aria-hidden"
    THING = "data-thing"


@frozen
class Element:
    tag: Tag
    attributes: Mapping[Attribute, str] = field(factory=dict)
    children: Sequence[Element] = ()
    text: str = ""


def parts_of(elements: Iterable[Element]) -> Iterator[Element]:
    """Elements, each with all that is inside it."""
    for element in elements:
        yield element
        yield from parts_of(element.children)


@frozen
class Paint:
    """How a shape is filled and outlined: colours as `#rrggbb`, or "" for none; a width in pixels."""

    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dashes: str = ""


def number(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{math.floor(100 * value + 0.5) / 100}".removesuffix(".0")  # as a page's script rounds, too


def points(*coordinates: tuple[float, float]) -> str:
    """Coordinates as path data writes them."""
    return " ".join(f"{number(x)} {number(y)}" for x, y in coordinates)


def polygon_data(corners: Sequence[tuple[float, float]]) -> str:
    """The path around a polygon."""
    return f"M{points(corners[0])}L{points(*corners[1:])}Z"


def path(data: str, paint: Paint) -> Element:
    attributes = {Attribute.DATA: data, Attribute.FILL: paint.fill or "none"}
    if paint.stroke:
        attributes |= {Attribute.STROKE: paint.stroke, Attribute.STROKE_WIDTH: number(paint.width)}
        if paint.dashes:
            attributes[Attribute.DASHES] = paint.dashes
    return Element(Tag.PATH, attributes)


def text(at: tuple[float, float], content: str, size: float, fill: str, anchor: str = "middle", bold: bool = False) -> Element:
    """A line of text; `at` is the middle of its height, at the anchor `start`, `middle` or `end`."""
    attributes = {
        Attribute.X: number(at[0]),
        Attribute.Y: number(at[1] + 0.36 * size),
        Attribute.FONT_SIZE: number(size),
        Attribute.FILL: fill,
        Attribute.ANCHOR: anchor,
    }
    if bold:
        attributes[Attribute.FONT_WEIGHT] = "bold"
    return Element(Tag.TEXT, attributes, text=content)


def group(children: Sequence[Element], at: tuple[float, float] = (0.0, 0.0), title: str = "", thing: str = "") -> Element:
    """Elements moved to a place, with the title as tooltip.

    With the name of a thing, the group can be focused.
    """
    attributes = {Attribute.TRANSFORM: f"translate({points(at)})"} if at != (0.0, 0.0) else {}
    if thing:
        attributes |= {Attribute.ROLE: "img", Attribute.TAB_INDEX: "0", Attribute.THING: thing}
    titled = (Element(Tag.TITLE, text=title), *children) if title else tuple(children)
    return Element(Tag.GROUP, attributes, titled)


def skewed(element: Element, matrix: tuple[float, float, float, float]) -> Element:
    """An element under a linear map: `matrix` gives the images of the unit steps to the right and down."""
    return Element(Tag.GROUP, {Attribute.TRANSFORM: f"matrix({' '.join(f'{one:.4f}' for one in matrix)} 0 0)"}, (element,))


def drawing(size: tuple[float, float], children: Sequence[Element], title: str, description: str, role: str = "img") -> Element:
    """A whole picture of that width and height in pixels; its role is `group` if parts of it can be focused."""
    width, height = number(size[0]), number(size[1])
    attributes = {
        Attribute.NAMESPACE: NAMESPACE,
        Attribute.VIEW_BOX: f"0 0 {width} {height}",
        Attribute.WIDTH: width,
        Attribute.HEIGHT: height,
        Attribute.ROLE: role,
        Attribute.FONT_FAMILY: "DejaVu Sans, Verdana, sans-serif",
        Attribute.LINE_JOIN: "round",
        Attribute.LINE_CAP: "round",
    }
    about = (Element(Tag.TITLE, text=title), Element(Tag.DESCRIPTION, text=description))
    return Element(Tag.SVG, attributes, (*about, *children))


def definitions(elements: Sequence[Element]) -> Element:
    """An invisible picture that holds definitions for other pictures of the same page."""
    attributes = {Attribute.NAMESPACE: NAMESPACE, Attribute.WIDTH: "0", Attribute.HEIGHT: "0", Attribute.HIDDEN: "true"}
    return Element(Tag.SVG, attributes, (Element(Tag.DEFINITIONS, children=elements),))


def to_text(element: Element) -> str:
    """The picture as text, without control characters except line breaks between elements."""
    return "".join(_written(element))


def _written(element: Element) -> Iterator[str]:
    attributes = "".join(f' {name.value}="{_escaped(value)}"' for name, value in element.attributes.items())
    if not element.children and not element.text:
        yield f"<{element.tag.value}{attributes}/>\n"
        return
    yield f"<{element.tag.value}{attributes}>"
    if element.text:
        yield _escaped(element.text)
    else:
        yield "\n"
        for child in element.children:
            yield from _written(child)
    yield f"</{element.tag.value}>\n"


def plain(content: str) -> str:
    """Text with control, format and surrogate characters replaced."""
    if content.isascii() and content.isprintable():
        return content  # most texts, in a fraction of the time
    return "".join(REPLACED if unicodedata.category(letter)[0] == "C" else letter for letter in content)


def _escaped(content: str) -> str:
    """Text with markup characters escaped."""
    return escape(plain(content), quote=False).replace('"', "&quot;")
