"""One picture in two palettes: light, with the dark colours as rules that hold where the system is dark."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from rulewright.cli.names import named
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import Attribute, Element, to_text


def elements(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from elements(child)


def scene_of(name: str, dark: bool | None) -> Scene:
    start = named(name).start(None, 0)
    return Scene(start.engine, start.viewer, name, PictureOptions(dark=dark))


@pytest.mark.parametrize("name", ["overboard", "a_bitten_archer", "classics.hanoi"])
def test_the_rules_give_each_element_its_dark_colour(name: str):
    light, dark, by_system = (stage_of(scene_of(name, how)) for how in (False, True, None))
    rules = dict(re.findall(r"\.(\w+)\{(\w+:#\w+)\}", by_system.rules))
    merged = [element for sprite in by_system.sprites for element in elements(sprite)]
    assert len({to_text(sprite) for sprite in by_system.sprites}) == len(by_system.sprites) >= len(dark.sprites)
    recoloured = 0
    for one in merged:
        applied = dict(rules[word].split(":") for word in one.attributes.get(Attribute.CLASS, "").split())
        recoloured += bool(applied)
        assert applied.keys() <= {Attribute.FILL.value, Attribute.STROKE.value}
    assert recoloured > 10
    drawn = {to_text(sprite) for sprite in dark.sprites}
    assert {to_text(_dark(sprite, rules)) for sprite in by_system.sprites} == drawn
    plain = {re.sub(' class="[^"]*"', "", to_text(sprite)) for sprite in by_system.sprites}
    assert plain == {to_text(sprite) for sprite in light.sprites}


def _dark(element: Element, rules: dict[str, str]) -> Element:
    """An element with the dark colours of its classes."""
    words = element.attributes.get(Attribute.CLASS, "").split()
    colours = dict(rules[word].split(":") for word in words)
    attributes = {name: value for name, value in element.attributes.items() if name is not Attribute.CLASS}
    attributes |= {Attribute(name): colour for name, colour in colours.items()}
    return Element(element.tag, attributes, tuple(_dark(child, rules) for child in element.children), element.text)


def test_a_dark_picture_needs_no_rules():
    assert stage_of(scene_of("overboard", True)).rules == stage_of(scene_of("overboard", False)).rules == ""


def test_a_picture_that_stands_alone_has_its_rules_within():
    found = to_text(picture(scene_of("overboard", None), named("overboard").start(None, 0).state))
    assert found.count("<style>") == 1 and "(prefers-color-scheme:dark){.f" in found
