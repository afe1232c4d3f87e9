"""Drawings lie in their square, and an outline that rules may say can be scaled."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.grammar.parsing.read_looks import OUTLINE
from rulewright.grammar.tree.looks import Drawing
from rulewright.pictures.shapes import DRAWINGS, scaled

COMMAND = re.compile(r"(?:[MLCQ](?:-?[\d.]+ -?[\d.]+ ?)+|A(?:-?[\d.]+ ){6}-?[\d.]+|Z)+")


@pytest.mark.parametrize("drawing", Drawing)
def test_every_drawing_can_be_scaled(drawing: Drawing):
    data = scaled(DRAWINGS[drawing], 10)
    assert data.startswith("M")
    assert COMMAND.fullmatch(data)


@pytest.mark.parametrize("drawing", Drawing)
def test_drawings_lie_in_their_square(drawing: Drawing):
    spots = re.findall(r"[MLCQ]([^MLCQAZHV]*)", scaled(DRAWINGS[drawing], 1))
    assert all(abs(float(value)) <= 1.001 for spot in spots for value in spot.split())


coordinates = st.sampled_from(["0", "1", "-1", ".5", "-0.25", "1.0", "0.125"])


@given(st.lists(st.tuples(st.sampled_from("LHVCQ"), st.lists(coordinates, min_size=6, max_size=6)), max_size=5))
def test_outlines_can_be_scaled(parts: list[tuple[str, list[str]]]):
    arity = {"L": 2, "H": 1, "V": 1, "C": 6, "Q": 4}
    outline = "M 0 0" + "".join(f" {command} {' '.join(values[: arity[command]])}" for command, values in parts) + " Z"
    assert OUTLINE.fullmatch(outline)
    assert COMMAND.fullmatch(scaled(outline, 7.5))


@pytest.mark.parametrize("outline", ["", "L 0 0", "M 0", "M 2 0", "M 0 0 A 1 1 0 0 0 1 1", "M 0 0 url(x)", "M 0 0 L 0.1234 0"])
def test_other_outlines_are_refused(outline: str):
    assert not OUTLINE.fullmatch(outline)


@pytest.mark.parametrize("inside", [" L 0.5 0.5 0.25 0.75", " C 0.1 0.2 0.3 0.4 0.5 0.6", " ,0.5", "  "])
def test_what_almost_is_an_outline_is_refused_at_once(inside: str):
    """Backtracking over the ways to read it would take longer than the universe lasts."""
    almost = ("M 0 0" + 100 * inside)[:399]
    assert not OUTLINE.fullmatch(almost + "x")
