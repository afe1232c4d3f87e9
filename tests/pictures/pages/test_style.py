"""The style of pages: marks as they are meant, and colours for light and dark systems."""

from __future__ import annotations

import re

from rulewright.pictures.look import DARK, LIGHT, contrast
from rulewright.pictures.pages.frame import STYLE


def test_marks_are_a_tick_and_a_cross():
    marks = dict(re.findall(r'li\.(\w+) \{ list-style: "([^"]*)"', STYLE))
    read = {
        name: re.sub(r"\\([0-9a-f]{4}) ?", lambda found: chr(int(found[1], 16)), mark).strip() for name, mark in marks.items()
    }
    assert read == {"may": "✓", "not": "✗"}


def test_texts_can_be_read_in_light_and_in_dark():
    rules = re.findall(r"color-scheme: (\w+); (--[^}]*)\}", STYLE)
    assert [scheme for scheme, _ in rules] == ["light", "dark", "dark"]
    for scheme, properties in rules:
        colours = dict(re.findall(r"--(\w+): (#\w+)", properties))
        assert colours["paper"] == (DARK if scheme == "dark" else LIGHT).paper
        assert all(contrast(colours[name], colours["paper"]) >= 4.5 for name in ("ink", "faint", "gone", "come")), scheme
    assert "@media screen and (prefers-color-scheme: dark)" in STYLE
