"""`check`: warnings that are expected, with a reason, and those that do not come."""

from __future__ import annotations

from pathlib import Path

GOING_ON = """
module going_on:
    "Nothing ends here but patience."
{lines}
state:
    boats: 0..9

action turn_over:
    effect less: boats := 9 - boats

flow:
    repeat: choose turn_over, or stop
"""
EXPECT = '\nexpect RW265 of turn_over: "nobody turns over more than once"\n'


def test_a_warning_is_said_unless_it_is_expected(call, folder: Path) -> None:
    (folder / "going_on.rules").write_text(GOING_ON.format(lines=""))
    done = call("check", "going_on")
    assert "warning[RW265]" in done.err and 'expect RW265 of turn_over: "…"' in done.err
    (folder / "going_on.rules").write_text(GOING_ON.format(lines=EXPECT))
    done = call("check", "going_on")
    assert (done.status, done.err) == (0, "") or "no errors, 0 warnings" in done.err
    assert "nobody turns over" not in done.out
    assert (
        "expected  RW265 of turn_over: nobody turns over more than once   going_on.rules:5"
        in call("check", "--all", "going_on").out
    )
    assert call("check", "going_on", "--json").json["expected"] == [
        {
            "code": "RW265",
            "name": "turn_over",
            "reason": "nobody turns over more than once",
            "file": "going_on.rules",
            "line": 5,
            "module": "going_on",
        }
    ]


def test_what_is_expected_and_does_not_come_is_a_warning(call, folder: Path) -> None:
    (folder / "going_on.rules").write_text(GOING_ON.format(lines=EXPECT.replace("RW265", "RW264")))
    warnings = {found["code"]: found for found in call("check", "going_on", "--json").json["warnings"]}
    assert set(warnings) == {"RW265", "RW268"}
    assert warnings["RW268"]["message"] == "`turn_over` has no warning RW264"
    assert warnings["RW268"]["hint"] == "found: `RW265 of turn_over`"


def test_what_a_base_expects_may_not_come_under_a_variant(call, folder: Path) -> None:
    (folder / "going_on.rules").write_text(GOING_ON.format(lines=EXPECT))
    (folder / "once.rules").write_text(
        "module once_only:\n    extends going_on\n\n"
        "change turn_over:\n    require upright: boats > 0\n    replace less: boats -= 1\n"
    )
    done = call("check", "once_only", "--json").json
    assert (done["warnings"], done["expected"]) == ([], [])


BORDER = """
module border:
    "Marks near a border."

space sea: {shape}

state:
    lit of sea: truth

define {name}(c in sea) = {condition}

action light(c in sea where not lit of c):
    effect shine: lit of c := yes

flow:
    repeat: choose light, or stop

score calm: count c in sea where {name}(c)
"""


def codes(call, folder: Path, condition: str, shape: str = "square grid 4 x 4", name: str = "ringed") -> list[str]:
    text = BORDER.format(condition=condition, shape=shape, name=name)
    (folder / "border.rules").write_text(text)
    return [found["code"] for found in call("check", "border", "--json").json["warnings"]]


def test_every_neighbour_near_a_border(call, folder: Path) -> None:
    for place in ("around", "nearby", "diagonals"):
        assert codes(call, folder, f"every n in {place}(c): lit of n") == ["RW269"]
    assert codes(call, folder, "every n in around(c): lit of n", "hex grid radius 2") == ["RW269"]
    assert codes(call, folder, "every n in around(c): lit of n and row(n) > 0") == ["RW269"]


def test_where_the_border_makes_no_difference_or_is_meant(call, folder: Path) -> None:
    for fine in (
        "every n in around(c): not lit of n",
        "every n in around(c) where row(n) = row(c): lit of n",
        "size(nearby(c)) = 8 and every n in nearby(c): lit of n",
        "some n in around(c): lit of n",
        "every d in directions(sea): lit of step(c, d)",
    ):
        assert codes(call, folder, fine) == [], fine
    assert codes(call, folder, "every n in around(c): lit of n", "square grid 4 x 4, wrapped") == []
    assert codes(call, folder, "every n in around(c): lit of n", "ring 8") == []


def test_no_puzzle_is_called_ok_whose_rules_are_wrong(call, folder: Path) -> None:
    (folder / "going_on.rules").write_text(GOING_ON.format(lines="").replace("boats := 9 - boats", "boots := 9"))
    for name in ("one", "two"):
        (folder / f"{name}.puzzle").write_text(f"puzzle {name}:\n    rules going_on\n    players 1\n")
    done = call("check", "going_on", "one", "two")
    assert (done.status, done.out, done.err.count("error[")) == (2, "", 1)
