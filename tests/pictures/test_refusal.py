"""The picture of a refusal marks what its reasons involve, and says them."""

from __future__ import annotations

from xml.etree import ElementTree

from rulewright.cli.names import named
from rulewright.pictures.position_picture import refusal_picture
from rulewright.pictures.scene import Scene
from rulewright.rules.play.move_notation import parse_attempt
from rulewright.rules.play.why_illegal import why_not
from tests.pictures.inlined import inlined

SVG = "{http://www.w3.org/2000/svg}"


def refused(action: str) -> ElementTree.Element:
    start = named("overboard").start(None, 1)
    failures = why_not(start.engine, start.state, parse_attempt(start.engine, start.state, action))
    scene = Scene(start.engine, start.viewer, start.title)
    return ElementTree.fromstring(inlined(refusal_picture(scene, start.state, action, failures)))


def labels(root: ElementTree.Element, title: str) -> list[str]:
    groups = [group for group in root.iter(f"{SVG}g") if (group.findtext(f"{SVG}title") or "").startswith(title)]
    return [text.text or "" for text in groups[0].iter(f"{SVG}text")]


def test_cells_carry_the_numbers_of_the_reasons_that_involve_them():
    root = refused("place es_house west")
    assert labels(root, "(2,1)") == ["1,2,3"]
    assert labels(root, "(3,1)") == ["2"]
    assert labels(root, "(0,0)") == []
    told = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert "`place es_house west` is not legal" in told
    assert "1 there is a tile there already (place.vacant, bp.place.vacant)" in told


def test_of_what_is_legal_nothing_is_marked():
    root = refused("sail west")
    assert labels(root, "(2,1)") == []
    assert any(text.text == "`sail west` is legal" for text in root.iter(f"{SVG}text"))
