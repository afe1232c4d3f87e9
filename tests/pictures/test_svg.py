"""Whatever a text holds, a picture is well-formed, of allowed elements and attributes, without control characters."""

from __future__ import annotations

import unicodedata
from xml.etree import ElementTree

from hypothesis import example, given
from hypothesis import strategies as st

from rulewright.pictures.svg import Attribute, Paint, Tag, drawing, group, number, path, polygon_data, text, to_text

NAMESPACE = "{http://www.w3.org/2000/svg}"
TAGS = {NAMESPACE + tag.value for tag in Tag}
ATTRIBUTES = {attribute.value for attribute in Attribute}


def picture_of(name: str) -> str:
    parts = (group((text((1, 2), name, 14, "#000000"),), (3, 4), name), path("M0 0L1 1Z", Paint("#ffffff", "#000000")))
    return to_text(drawing((10, 20), parts, name, name))


@given(st.text(st.characters(codec=None), max_size=60))
@example('<script>alert("1")</script>')
@example("]]>&amp;<!--")
@example("\x00\x1b[2J\x85\u2028\u202e\ufeff\ud800")
@example("a" * 5000)
def test_no_text_becomes_markup(name: str):
    svg = picture_of(name)
    assert all(letter == "\n" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs") for letter in svg)
    root = ElementTree.fromstring(svg)
    elements = list(root.iter())
    assert {element.tag for element in elements} <= TAGS
    assert {attribute for element in elements for attribute in element.attrib} <= ATTRIBUTES
    shown = [element.text for element in elements if element.tag == NAMESPACE + "text"]
    plain = "".join("\ufffd" if unicodedata.category(letter)[0] == "C" else letter for letter in name)
    assert shown == [plain or None]


def test_numbers_are_short():
    assert [number(value) for value in (0.0, -0.001, 1.0, 1.005, -2.5, 1 / 3)] == ["0", "0", "1", "1", "-2.5", "0.33"]


def test_a_polygon_is_closed():
    assert polygon_data([(0, 0), (1, 0), (1, 1.5)]) == "M0 0L1 0 1 1.5Z"
