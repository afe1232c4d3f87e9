"""Curves: points at their places, intervals around them, round numbers beside."""

from __future__ import annotations

import re

from rulewright.pictures.charts import BORDER, LEFT, TALL, WIDE, Curve, Point, curves, shares
from rulewright.pictures.look import LIGHT
from rulewright.pictures.scene import DEFAULT_OPTIONS
from rulewright.pictures.svg import to_text
from rulewright.studies.simulation.score_statistics import share_interval


def drawn(*found: Curve) -> str:
    return to_text(curves("Title", ["a remark"], ("tokens", "mean score"), found, DEFAULT_OPTIONS.palette))


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
    assert text.count("stroke-dasharray") == 1, "the second differs in black and white"


def test_equal_values_and_numbers_below_zero_can_be_drawn() -> None:
    text = drawn(Curve("mean", (Point(-1, -3.0), Point(0, -3.0))))
    assert "nan" not in text and "inf" not in text


def test_a_sheet_is_no_wider_than_its_chart() -> None:
    sentence = "words that go on " * 20
    text = to_text(curves("Title", [sentence], ("tokens", "mean score"), [Curve("a", (Point(1, 2.0), Point(2, 3.0)))], LIGHT))
    assert float(text.split('width="')[1].split('"')[0]) == LEFT + WIDE + 2 * BORDER


def test_shares_lie_in_their_intervals() -> None:
    text = to_text(shares("Title", [], "per cent", [("skill", Point(0, 25.0, 20.0, 30.0)), ("luck", Point(0, 180.0))], LIGHT))
    assert "skill: 25.0 (20.0 to 30.0); luck: 180.0" in text
    assert ">150</text>" in text, "an estimate beyond 100 lengthens the axis"
    low, high = share_interval(0, 10).ends or (1.0, 0.0)
    assert low == 0 and abs(high - 0.2775) < 1e-3  # Wilson's interval for none of ten
