"""The table of sprites: each drawn once, in one palette or in two at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from zlib import crc32

from rulewright.base.records import define, field
from rulewright.pictures.look import Palette, in_both

from ..svg import Attribute, Element, Paint, Tag, path, polygon_data, to_text


@define(eq=False)
class Sprites:
    """Equal sprites have one number. In two palettes, a sprite is light and has classes for dark colours."""

    palettes: Sequence[Palette]
    numbers: dict[str, int] = field(factory=dict, init=False)
    elements: list[Element] = field(factory=list, init=False)

    def add(self, draw: Callable[[Palette], Element]) -> int:
        """The number of what `draw` draws around (0, 0)."""
        element = reduce(in_both, map(draw, self.palettes))
        number = self.numbers.setdefault(to_text(element), len(self.elements))
        if number == len(self.elements):
            self.elements.append(element)
        return number

    def text(self, fill: Callable[[Palette], str], anchor: str = "middle", bold: bool = False) -> int:
        """The number of a style of text, whose place, size and content are those of its placement."""
        weight = {Attribute.FONT_WEIGHT: "bold"} if bold else {}
        return self.add(lambda palette: Element(Tag.TEXT, {Attribute.FILL: fill(palette), Attribute.ANCHOR: anchor, **weight}))

    def plate(self, fill: Callable[[Palette], str]) -> int:
        """The number of a square of one pixel, to be stretched."""
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        return self.add(lambda palette: path(polygon_data(corners), Paint(fill(palette))))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"s{crc32(text.encode()):x}" for text in self.numbers)
