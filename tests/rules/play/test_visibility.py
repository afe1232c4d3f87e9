"""Which values are worth showing beside the boards."""

from __future__ import annotations

from rulewright.rules.play.visibility import Viewer, beside_boards, is_informative
from tests.rules.playing import engine_of


def test_zones_with_tiles_and_values_that_lie_on_no_board_are_shown() -> None:
    engine = engine_of(1, "beacon_patrol")
    shown = {
        column.variable.name: is_informative(engine, engine.start(1), column, 0, Viewer(everything=True))
        for column in beside_boards(engine, Viewer(everything=True))
    }
    assert shown == {
        "box": False, "ship": False, "hand": True, "kept": False, "tokens": True, "dealt": True, "swapped": False, "draw": True,
        "discarded": False, "first": True,
    }  # fmt: skip
