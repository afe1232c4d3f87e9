"""`--limits`: a text that is too much by default is allowed when the call says so."""

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.cli.option_types import read_limits

LONG = "# " + "far " * 2000 + "\n"


def test_a_limit_is_raised(call, folder):
    (folder / "long.rules").write_text(LONG + (folder / "shoals.rules").read_text().replace("module shoals", "module long"))
    assert call("check", "long.rules").status == 2
    assert call("--limits", "line_length=9000", "check", "long.rules").status == 0


GAME = """
module much:
    "A game that asks for a lot."

players 1..{players}

space tower: cube grid {side} x {side} x {side} of tiles

tiles blocks:
    block x{tiles}

state:
    count_of: 0..9

{defines}
action go{asked}:
    effect up: count_of := {last} mod 9

flow:
    repeat: choose go, or stop

score long: sum a for a in 0..{far}
"""
MODEST = {"players": 2, "side": 3, "tiles": 4, "defines": "", "last": "1", "far": 9, "asked": ""}
CHAIN = "define d0(c) = count_of + c\n" + "".join(f"define d{n}(c) = d{n - 1}(c) + d{n - 1}(c)\n" for n in range(1, 15))


@pytest.mark.parametrize(
    ("changed", "code", "raised"),
    [
        ({"players": 200}, "RW133", "players=200"),
        ({"tiles": 20_000}, "RW134", "tiles=20000"),
        ({"side": 17}, "RW055", "cells=5000"),
        ({"far": 20_000_000}, "RW059", "steps=200000000"),
        ({"asked": "(one in 0..999, other in 0..999)"}, "RW059", "moves=1000000"),
    ],
)
def test_a_limit_of_games_is_raised(call, folder, changed, code, raised):
    (folder / "much.rules").write_text(GAME.format(**{**MODEST, **changed}))
    refused = call("check", "much.rules", "--json")
    assert refused.status == 2
    assert {error["code"] for error in refused.json["errors"]} == {code}
    assert call("--limits", raised, "check", "much.rules").status == 0


def test_the_parts_of_rules_are_limited(call, folder):
    (folder / "much.rules").write_text(GAME.format(**MODEST))
    refused = call("--limits", "written=5", "check", "much.rules", "--json")
    assert {error["code"] for error in refused.json["errors"]} == {"RW252"}


def test_definitions_that_call_others_often_are_not_too_large(call, folder):
    (folder / "much.rules").write_text(GAME.format(**{**MODEST, "defines": CHAIN, "last": "d14(1)"}))
    assert call("check", "much.rules").status == 0


SETS = "define d0(s) = size(s)\n" + "".join(f"define d{n}(s) = d{n - 1}(s) + d{n - 1}(s)\n" for n in range(1, 14))


def test_what_grows_too_long_only_when_it_is_written_is_refused_at_once(call, folder):
    """The bound on its parts allows it, the text of it is too long: every command that links says so, at the clause."""
    (folder / "much.rules").write_text(GAME.format(**{**MODEST, "defines": SETS, "last": "d13({1, count_of})"}))
    for command in (("check", "much"), ("show", "much"), ("simulate", "much", "--games", "1"), ("solve", "much")):
        done = call(*command)
        assert done.status == 2, command
        assert "error[RW252]: the rules grow too large" in done.err + done.out, command
        assert "effect up: count_of := d13({1, count_of}) mod 9" in done.err + done.out, command


def test_too_many_steps_name_the_option_that_allows_them(call, folder):
    (folder / "much.rules").write_text(GAME.format(**{**MODEST, "far": 20_000_000}))
    [error] = call("check", "much.rules", "--json").json["errors"]
    words, option, limit = error["hint"].rpartition("--limits ")
    assert (words, option) == ("use smaller domains, or allow more with `rulewright ", "--limits ")
    limit = limit.removesuffix(" …`")
    assert call("--limits", limit, "check", "much.rules").status == 0
    assert "put it before the command: `rulewright --limits … check`" in call("check", "much.rules", "--limits", limit).err


def test_more_steps_than_anybody_waits_for_are_not_offered(call, folder):
    (folder / "much.rules").write_text(
        GAME.format(**{**MODEST, "far": 999_999_999}).replace("sum a", "sum (sum a * b for b in 0..99)")
    )
    [error] = call("check", "much.rules", "--json").json["errors"]
    assert (error["code"], error["hint"]) == ("RW059", "use smaller domains")


def test_the_flow_may_go_on_longer(call, folder):
    text = """
module slow:
    "A flow that counts."

state:
    far: 0..150000

procedure onward: far += 1

action go:
    effect back: far := 0

flow:
    repeat:
        repeat until far = 150000: onward
        choose go, or stop
"""
    (folder / "slow.rules").write_text(text.replace("procedure onward: far", "procedure onward:\n    step: far"))
    assert "RW364" in call("show", "slow").err
    assert call("--limits", "flow=500000", "show", "slow").status == 0


def test_a_limit_that_is_none_is_refused(call):
    assert call("--limits", "nestin=9", "check", "beacon_patrol").status == 2


@pytest.mark.parametrize(("text", "hint"), [("nestin=9", "did you mean `nesting`?"), ("nodes=many", "write `nodes=1000`")])
def test_what_is_no_limit(text, hint):
    with pytest.raises(RulesError) as caught:
        read_limits(text)
    assert caught.value.diagnostics[0].help == hint
