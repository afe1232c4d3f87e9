"""Charts are as high as their counts, outlines as deep as their rows, and all of it is escaped text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from rulewright.pictures.charts import Bar, Row, histogram, outline
from rulewright.pictures.look import DARK, LIGHT
from rulewright.pictures.svg import to_text

AXES = ("score", "games")
SVG = "{http://www.w3.org/2000/svg}"


def heights(svg: str) -> list[float]:
    """The heights of the bars, from their corners."""
    bars = [group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    found = []
    for bar in bars:
        drawn = bar.find(f"{SVG}path")
        numbers = (
            [float(value) for value in drawn.attrib["d"].strip("MZ").replace("L", " ").split()] if drawn is not None else []
        )
        found.append(max(numbers[1::2]) - min(numbers[1::2]) if numbers else 0.0)
    return found


def test_bars_are_as_high_as_their_counts():
    low, high, none = heights(
        to_text(histogram("scores", ["1000 games"], AXES, [Bar("3", 250), Bar("4", 750), Bar("5", 0)], LIGHT))
    )
    assert high == pytest.approx(3 * low, rel=1e-3) and none == 0.0


def test_a_chart_of_nothing_played_can_be_drawn():
    assert to_text(histogram("scores", [], AXES, [Bar("3", 0)], DARK)).startswith("<svg")


def test_rows_of_one_source_have_its_colour():
    rows = [
        Row(0, "worth", "what it counts", "base", "a:1"),
        Row(1, "= 1", "", "base", "a:2"),
        Row(1, "<mill>", "2", "more", "b:1"),
    ]
    root = ElementTree.fromstring(to_text(outline("worth of base", rows, LIGHT)))
    boxes = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    stripes = [box.findall(f"{SVG}path")[1].attrib["fill"] for box in boxes]
    assert stripes[0] == stripes[1] != stripes[2]
    assert [box.findtext(f"{SVG}title") for box in boxes] == ["worth", "= 1", "<mill>"]


def test_a_long_name_ends_before_its_place():
    name = "parameter to in around(ship of the player whose turn it is)"
    root = ElementTree.fromstring(to_text(outline("x", [Row(0, name, "", "base", "base base.rules:80 [base.place]")], LIGHT)))
    written = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [line for line in written if line in name] == ["parameter to in around(ship of the player", "whose turn it is)"]
