"""Prints appearances, the contents of a `look`."""

from __future__ import annotations

from rulewright.grammar.tree.looks import Appearance


def print_look(appearance: Appearance) -> str:
    """The words of an appearance: the label, the drawing, then the colour, then the style."""
    said = (appearance.showing, appearance.drawing, appearance.colour, appearance.region, appearance.space, appearance.size)
    words = [member.value for member in said if member is not None]
    texts = (("label", appearance.label), ("outline", appearance.outline), ("glyph", appearance.glyph))
    return ", ".join([*(f'{word} "{text}"' for word, text in texts if text), *words])
