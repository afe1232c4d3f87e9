"""Curves: points at their places, intervals around them, round numbers beside."""

from __future__ import annotations

import re

from rulewright.pictures.charts import TALL, WIDE, Curve, Point, curves
from rulewright.pictures.scene import DEFAULT_OPTIONS
from rulewright.pictures.svg import to_text


def drawn(*found: Curve) -> str:
    return to_text(curves("Title", ["a remark"], "tokens", found, DEFAULT_OPTIONS.palette))


def test_the_line_goes_from_edge_to_edge_and_a_higher_value_is_higher() -> None:
    text = drawn(Curve("mean", (Point(2, 10.0), Point(3, 20.0), Point(6, 15.0))))
    numbers = re.search(rf'd="M0\.0 ([\d.]+)L([\d.]+) ([\d.]+)L{WIDE:.1f} ([\d.]+)"', text)
    assert numbers is not None
    first, across, second, third = map(float, numbers.groups())
    assert across == WIDE / 4
    assert 0 < second < third < first < TALL
    assert "Title" in text and "a remark" in text and "tokens" in text
    assert "mean: 2: 10, 3: 20, 6: 15" in text


def test_intervals_are_told_and_drawn() -> None:
    text = drawn(Curve("mean", (Point(1, 5.0, 4.0, 6.5), Point(2, 5.0, 5.0, 5.0))))
    assert "1: 5 (4 to 6.5)" in text
    assert len(re.findall(r'd="M[-\d.]+ [\d.]+L[-\d.]+ [\d.]+M[-\d.]+', text)) == 2


def test_several_curves_are_named_and_one_point_is_no_line() -> None:
    text = drawn(Curve("deal = 2", (Point(1, 5.0),)), Curve("deal = 3", (Point(1, 6.0),)))
    assert "deal = 2" in text and "deal = 3" in text
    assert text.count("●") >= 2


def test_equal_values_and_numbers_below_zero_can_be_drawn() -> None:
    text = drawn(Curve("mean", (Point(-1, -3.0), Point(0, -3.0))))
    assert "nan" not in text and "inf" not in text
