"""Resets that an iteration leaves out: what is warned of, and what is not."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import Sink
from rulewright.rules.model.game import Game
from rulewright.rules.static.expectations import Expectations
from rulewright.rules.static.left_out_resets import check_resets
from tests.rules.playing import linked, variant

HARBOUR = """module harbour:
    "A harbour."

state:
    day: 0..9
    is_calm: truth
    tired: set of boat

enum boat: skiff, cutter

define is_still = is_calm and day > 0

procedure dawn:
    wind: is_calm := no
    rest: clear tired

procedure night:
    wind: is_calm := no

procedure toll:
    toll: if is_still: day := 0

action pray:
    effect calm: is_calm := yes

action sail(b in boat where b not in tired):
    require calm: is_calm
    effect tire: add b to tired

action wait:
    effect wait: day += 1

procedure dusk:
    over: day += 1

{expected}flow:
    repeat until day = 9:
        {body}
        dusk
"""
LONG = "if day < 8:\n            dawn\n            choose pray or stop\n        "


def warned(game: Game) -> list[tuple[str, int]]:
    sink = Sink()
    check_resets(game, Expectations(game), sink)
    assert {(found.code, found.warning) for found in sink} <= {("RW270", True)}
    return [(found.message.split("`")[1], found.span.line) for found in sink if found.span]


def harbour(body: str, expected: str = "") -> Game:
    return linked(HARBOUR.format(body=body, expected=expected))


@pytest.mark.parametrize(
    "after",
    [
        "choose sail or stop",
        "toll",
        "evening:\n            repeat: choose sail or stop",
        "if day > 2: toll",
        "repeat until is_still: choose wait",
    ],
)
def test_what_the_other_way_reads_is_warned_of(after: str) -> None:
    assert ("is_calm", 38) in warned(harbour(LONG + after))


def test_a_set_that_is_cleared_on_one_way_is_warned_of() -> None:
    here = LONG.replace("stop\n        ", "stop\n            choose sail or stop\n        ")
    assert warned(harbour(here + "choose sail or stop")) == [("is_calm", 38), ("tired", 38)]


def test_the_place_of_the_reset_and_of_the_reading_are_shown() -> None:
    sink = Sink()
    game = harbour(LONG + "toll")
    check_resets(game, Expectations(game), sink)
    (found,) = sink
    assert [label.span.line for label in found.labels] == [38, 14, 11]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(LONG + "choose wait or stop", id="nothing reads it"),
        pytest.param(
            "if day < 8:\n            choose pray or stop\n        choose sail or stop\n        night", id="reset after it"
        ),
        pytest.param("night\n        " + LONG + "choose sail or stop", id="reset before it"),
        pytest.param(LONG + "else:\n            night\n        choose sail or stop", id="reset on both ways"),
        pytest.param(LONG + "toll\n        night", id="reset before the next iteration"),
        pytest.param("if day < 8:\n            dawn\n        choose pray or stop\n        toll", id="changed on both ways"),
        pytest.param("if is_calm:\n            dawn\n            choose pray or stop\n        toll", id="its value decides"),
        pytest.param(
            "if day < 8:\n            dawn\n            choose pray or stop\n            toll", id="read on this way only"
        ),
        pytest.param(
            "toll\n        if day < 8:\n            dawn\n            choose pray or stop", id="read on every way before"
        ),
    ],
)
def test_what_is_reset_in_time_or_meant_to_last_is_not(body: str) -> None:
    assert warned(harbour(body)) == []


def test_a_warning_may_be_expected() -> None:
    game = harbour(LONG + "toll", 'expect RW270 of is_calm: "calm lasts"\n\n')
    sink, expected = Sink(), Expectations(game)
    check_resets(game, expected, sink)
    assert list(sink) == [] and [one.name for one in expected.met] == ["is_calm"]


FAULTS = {
    "shield": ("starfish_crossed_lovers", "lower", "lower: for p in players: shield of p := no"),
    "struck": ("hurricane_season", "calm", "calm: clear struck"),
    "hushed": ("witch", "quiet", "quiet: clear hushed"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_turn_without_its_end_in_the_special_round_is_warned_of(name: str) -> None:
    """What Castles by the Sea once did: what a turn lowers at its end was lowered when the next one gathers."""
    module, label, reset = FAULTS[name]
    roots = [f"castles_by_the_sea.{one}" for one in (module, *(("monument", "giant") if name == "hushed" else ()))]
    fault = variant(f"change end_turn:\n    drop {label}\n\nchange gather:\n    {reset}", extends=", ".join(roots))
    assert [found for found, _ in warned(linked(fault))] == [name]
    assert warned(linked(variant("", extends=", ".join(roots)))) == []
