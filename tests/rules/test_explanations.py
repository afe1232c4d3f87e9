"""Every code of the rules has a page whose first example shows exactly that flaw, there, and whose second does not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.grammar.explain import titles
from rulewright.grammar.from_text import parse_module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import STOP
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import parse_move
from rulewright.rules.static.static_checks import check_game
from tests.rules.playing import engine_of

WHERE = {
    "RW100": "1:3:13",
    "RW101": "2:3:13",
    "RW102": "2:4:1",
    "RW103": "2:4:1",
    "RW104": "3:5:5",
    "RW105": "2:5:5",
    "RW109": "2:3:13",
    "RW110": "1:8:27",
    "RW111": "1:10:27",
    "RW112": "1:11:5",
    "RW113": "1:6:12",
    "RW114": "1:11:13",
    "RW115": "1:5:1",
    "RW116": "2:5:1",
    "RW120": "1:11:17",
    "RW121": "1:11:17",
    "RW122": "1:6:1",
    "RW123": "1:6:14",
    "RW124": "1:9:5",
    "RW125": "1:8:5",
    "RW126": "1:5:5",
    "RW127": "1:5:5",
    "RW128": "1:6:1",
    "RW136": "1:5:1",
    "RW137": "1:5:1",
    "RW129": "1:14:5",
    "RW130": "1:1:1",
    "RW131": "1:8:5",
    "RW132": "1:5:5",
    "RW133": "1:4:1",
    "RW134": "1:7:5",
    "RW140": "1:15:1",
    "RW142": "1:15:36",
    "RW146": "1:9:34",
    "RW147": "1:9:5",
    "RW148": "1:11:19",
    "RW149": "1:11:18",
    "RW150": "1:11:18",
    "RW151": "1:12:5",
    "RW152": "1:14:11",
    "RW153": "1:12:18",
    "RW154": "1:11:13",
    "RW155": "1:6:1",
    "RW156": "1:13:1",
    "RW157": "1:32:40",
    "RW158": "1:36:19",
    "RW159": "1:44:25",
    "RW160": "1:29:17",
    "RW161": "1:37:54",
    "RW162": "1:14:12",
    "RW163": "1:5:19",
    "RW164": "1:8:5",
    "RW215": "1:16:21",
    "RW244": "1:36:21",
    "RW170": "1:11:31",
    "RW171": "1:11:20",
    "RW172": "1:15:34",
    "RW173": "1:6:1",
    "RW174": "1:6:1",
    "RW175": "1:6:1",
    "RW176": "1:21:41",
    "RW177": "1:21:55",
    "RW178": "1:6:5",
    "RW179": "1:6:5",
    "RW180": "1:5:5",
    "RW186": "1:10:1",
    "RW187": "1:13:1",
    "RW189": "1:6:5",
    "RW200": "1:8:27",
    "RW201": "1:4:25",
    "RW202": "1:7:22",
    "RW203": "1:10:36",
    "RW204": "1:10:27",
    "RW205": "1:6:34",
    "RW206": "1:18:27",
    "RW207": "1:18:23",
    "RW208": "1:8:18",
    "RW380": "1:11:22",
    "RW145": "1:11:22",
    "RW209": "1:4:15",
    "RW240": "1:16:39",
    "RW243": "1:11:26",
    "RW242": "1:18:35",
    "RW241": "1:18:37",
    "RW210": "1:11:12",
    "RW211": "1:8:5",
    "RW212": "1:13:5",
    "RW213": "1:15:9",
    "RW214": "1:14:12",
    "RW118": "1:13:5",
    "RW119": "1:7:5",
    "RW216": "1:11:5",
    "RW217": "1:11:37",
    "RW251": "1:4:1",
    "RW260": "1:5:5",
    "RW261": "1:9:19",
    "RW262": "1:14:5",
    "RW263": "1:15:5",
    "RW264": "1:4:1",
    "RW265": "1:14:13",
    "RW269": "1:11:31",
    "RW280": "1:5:1",
    "RW281": "1:8:1",
    "RW290": "1:10:16",
    "RW291": "1:11:5",
    "RW360": "1:7:5",
    "RW361": "1:8:5",
    "RW362": "1:14:5",
    "RW363": "1:15:5",
    "RW364": "1:14:5",
    "RW365": "1:12:5",
}
"""Example, line and column of each flaw; an example of several modules has them in order."""

SHOWN_ELSEWHERE = {"RW117", "RW250", "RW252", "RW266", "RW267", "RW268", "RW271", "RW350", "RW351", "RW352"} | {
    "RW356",
    "RW357",
    "RW358",
}  # of lines to share
FENCE = re.compile(r"^```rules (bad|good)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def owned(code: str) -> bool:
    number = int(code[2:])
    return 100 <= number < 106 or (109 <= number < 300 and number != 188) or 350 <= number < 366 or number == 380


def example(code: str, kind: str) -> list[str]:
    page = (files("rulewright.grammar") / "explanations" / f"{code}.md").read_text("utf-8")
    return [text for found, text in FENCE.findall(page) if found == kind]


def game_of(texts: list[str]) -> Game:
    modules = [parse_module(text, str(number)) for number, text in enumerate(texts, 1)]
    return link({module.header.name: module for module in modules}, [modules[-1].header.name])


def flaws(code: str, kind: str) -> Iterator[Diagnostic]:
    """What linking finds; from RW260 on what the check finds, from RW360 on what play comes to."""
    try:
        game = game_of(example(code, kind))
        if "RW260" <= code < "RW300" or code in {"RW163", "RW186", "RW187", "RW189"}:
            yield from (found for found in check_game(game) if found.code == code)
        engine = Engine.of(game, game.players.low)
        if code >= "RW360":
            for seed in range(3):
                play(engine, seed)
    except RulesError as error:
        yield from error.diagnostics


def play(engine: Engine, seed: int) -> None:
    rng, state = random.Random(seed), engine.start(seed)
    for _ in range(30):
        engine.score(state)
        moves = [move for move in engine.legal(state) if move != STOP]
        if not moves:
            return
        state = engine.apply(state, rng.choice(moves))


def test_every_code_is_registered() -> None:
    assert {code for code in titles() if owned(code)} == set(WHERE) | SHOWN_ELSEWHERE


@pytest.mark.parametrize("code", WHERE)
def test_the_bad_example(code: str) -> None:
    found = list(flaws(code, "bad"))
    assert {diagnostic.code for diagnostic in found} == {code}
    span = found[0].span
    assert span is not None
    assert f"{span.source}:{span.line}:{span.column}" == WHERE[code]


@pytest.mark.parametrize("code", WHERE)
def test_the_good_example(code: str) -> None:
    assert list(flaws(code, "good")) == []


@pytest.mark.parametrize("code", sorted(SHOWN_ELSEWHERE))
def test_pages_without_examples(code: str) -> None:
    assert len((files("rulewright.grammar") / "explanations" / f"{code}.md").read_text("utf-8")) > 80


def raised(error: pytest.ExceptionInfo[RulesError]) -> tuple[str, str]:
    (diagnostic,) = error.value.diagnostics
    return diagnostic.code, diagnostic.help


def test_a_game_for_others() -> None:
    with pytest.raises(RulesError) as error:
        Engine.of(engine_of(1).game, 5)
    assert raised(error)[0] == "RW250"


@pytest.mark.parametrize(
    ("effect", "whole"),
    [("move open to dock", "move open to dock from box"), ("put open at origin of sea", "put open at origin of sea from box")],
)
def test_where_the_words_go_that_say_which_zone_a_tile_leaves(effect: str, whole: str) -> None:
    [text] = example("RW207", "bad")
    with pytest.raises(RulesError) as error:
        game_of([text.replace("move open to dock", effect)])
    assert raised(error) == ("RW207", f"name the zone at the end, as in `{whole}`")
    game_of([text.replace("move open to dock", whole)])


def test_rules_that_grow_too_large() -> None:
    sum, choices = " + ".join(["boats"] * 300), "\n".join(["    choose vast, or stop"] * 200)
    action = f"action vast:\n    require vast: {sum} > 0\n    effect go: boats += 1\n"
    text = example("RW361", "bad")[0].replace("state:", f"{action}\nstate:") + f"\n{choices}\n"
    with pytest.raises(RulesError) as error:
        Engine.of(game_of([text]), 1)
    assert raised(error)[0] == "RW252"


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        ("sale north", "RW350", "did you mean `place open north`?"),
        ("sale", "RW350", "did you mean `sail`?"),
        ("place buoy", "RW350", "write it as `place TILE TO`, such as `place open north`"),
        ("place bouy north", "RW351", "did you mean `buoy`?"),
        ("sail nort", "RW351", "did you mean `north`?"),
        ("sail (x,y)", "RW351", "write a cell as `(column,row)`, or a direction such as `north`"),
        ("sail north", "RW352", "`actions --why` explains why"),
    ],
)
def test_moves_that_are_not(text: str, code: str, help: str) -> None:
    engine = engine_of(1)
    with pytest.raises(RulesError) as error:
        parse_move(engine, engine.start(1), text)
    assert raised(error) == (code, help)
