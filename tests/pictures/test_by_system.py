"""One picture in two palettes: light, with the dark colours as rules that hold where the system is dark."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from attrs import evolve

from rulewright.cli.names import named
from rulewright.pictures.by_system import dark_rules, with_rules
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.position_picture import Scene, blocks_by_system, picture, picture_by_system
from rulewright.pictures.svg import Attribute, Element, to_text


def elements(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from elements(child)


@pytest.mark.parametrize("name", ["overboard", "a_bitten_archer", "classics.hanoi"])
def test_the_rules_give_each_element_its_dark_colour(name: str):
    start = named(name).start(None, 0)
    scene = Scene(start.engine, start.viewer, name)
    found = picture_by_system(scene, start.state)
    rules = dict(re.findall(r"\.(\w+)\{(\w+:#\w+)\}", dark_rules([found])))
    dark = picture(evolve(scene, options=PictureOptions(dark=True)), start.state)
    recoloured = 0
    for one, other in zip(elements(found), elements(dark), strict=True):
        applied = dict(rules[word].split(":") for word in one.attributes.get(Attribute.CLASS, "").split())
        recoloured += bool(applied)
        for attribute in Attribute.FILL, Attribute.STROKE:
            colour = applied.get(attribute.value, one.attributes.get(attribute))
            assert colour == other.attributes.get(attribute)
    assert recoloured > 10
    plain = re.sub(' class="[^"]*"', "", to_text(found))
    assert plain == to_text(picture(scene, start.state))


def test_a_dark_picture_needs_no_rules():
    start = named("overboard").start(None, 0)
    scene = Scene(start.engine, start.viewer, "overboard", PictureOptions(dark=True))
    assert picture_by_system(scene, start.state) == picture(scene, start.state)
    assert dark_rules(blocks_by_system(scene, start.state)) == ""
    assert with_rules(picture(scene, start.state)) == picture(scene, start.state)


def test_a_picture_that_stands_alone_has_its_rules_within():
    start = named("overboard").start(None, 0)
    found = to_text(with_rules(picture_by_system(Scene(start.engine, start.viewer, "overboard"), start.state)))
    assert found.count("<style>") == 1 and "(prefers-color-scheme:dark){.f" in found
