"""Every flaw of a position: its code, and the words of the text that it is shown at."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.spans import Span
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import POINT
from rulewright.rules.play.coordinates import to_coordinates
from rulewright.rules.play.engine import Engine
from tests.puzzles.positions import at_sea, at_sea_text, drawn, flaws, position
from tests.puzzles.test_drawings import HEAD
from tests.rules.playing import linked, variant

SEA = "sea:\n    open  hq@1  buoy\n\n"
LIGHTS = "puzzle here:\n    rules classics.lights_out\n    players 1\n\n    "


def shown(text: str, span: Span | None) -> str:
    """The words that a span stands for."""
    assert span is not None
    lines = text.splitlines()[span.line - 1 : span.end_line]
    if len(lines) == 1:
        return lines[0][span.column - 1 : span.end_column - 1]
    return lines[0][span.column - 1 :].rstrip()


@pytest.mark.parametrize(
    ("code", "body", "words"),
    [
        ("RW301", "see:\n    hq@1", "see:"),
        ("RW302", "sea:\n    open  hq@1  buoy\n    open  .", "open  ."),
        ("RW314", "sea:\n    hq@1\norigin 12000,0", "sea:"),
        ("RW304", "sea level 2:\n    hq@1", "sea level 2:"),
        ("RW305", "sea:\n    hq@1  boy", "boy"),
        ("RW305", SEA + "hand 1: open, boy x2", "boy x2"),
        ("RW306", "sea:\n    hq@2", "hq@2"),
        ("RW306", SEA + "tokens 2: 3", "2"),
        ("RW306", SEA + "first: 2", "2"),
        ("RW306", SEA + "start: turn of 2", "start: turn of 2"),
        ("RW310", SEA + "hands 1: open", "hands 1: open"),
        ("RW311", SEA + "hand: open", "hand: open"),
        ("RW311", SEA + "swapped 1: no", "1"),
        ("RW311", SEA + "tokens (0,0): 3", "(0,0)"),
        ("RW311", SEA + "tokens red: 3", "red"),
        ("RW312", SEA + "tokens 1: many", "many"),
        ("RW312", SEA + "tokens 1: 3, 4", "tokens 1: 3, 4"),
        ("RW312", SEA + "tokens 1: none", "tokens 1: none"),
        ("RW312", SEA + "swapped: 1", "1"),
        ("RW312", SEA + "hand 1: (0,0)", "(0,0)"),
        ("RW312", SEA.replace("@1", "") + "ship 1: (0,0,0)", "(0,0,0)"),
        ("RW312", SEA + "seed: yes", "yes"),
        ("RW312", SEA + "tokens 1: 3 open", "tokens 1: 3 open"),
        ("RW313", SEA + "tokens 1: 12", "12"),
        ("RW314", SEA.replace("@1", "") + "ship 1: (900,0)", "(900,0)"),
        ("RW315", SEA + "ship 1: (0,0)", "ship 1: (0,0)"),
        ("RW315", "sea:\n    hq@1  buoy@1", "buoy@1"),
        ("RW315", SEA + "sea (1,0): hq", "sea (1,0): hq"),
        ("RW315", SEA + "draw: rest, seed 7\ndiscarded: rest, seed 8", "rest, seed 8"),
        ("RW366", SEA + "draw: open, rest", "rest"),
        ("RW320", SEA + "hand 1: buoy x6", "buoy x6"),
        ("RW320", "sea:\n    hq@1  buoy\n    hq    buoy", "hq"),
        ("RW320", SEA + "hand 1: buoy x1000000", "buoy x1000000"),
        ("RW321", "sea:\n    e_house  hq@1  buoy", "e_house"),
        ("RW321", "sea:\n    hq  .@1  buoy", ".@1"),
        ("RW321", SEA + "hand 1: open x2, buoy x2", "hand 1: open x2, buoy x2"),
        ("RW321", SEA + "tokens 1: 5", "tokens 1: 5"),
        ("RW325", SEA + "start: turm of 1", "start: turm of 1"),
        ("RW330", SEA + "ask: maximise score for 2 rounds", "maximise score for 2 rounds"),
        ("RW110", SEA + "ask: maximise scor until end", "scor"),
    ],
)
def test_flaw_at_sea(code: str, body: str, words: str) -> None:
    text = at_sea_text(body)
    found = flaws(text)
    assert [flaw.code for flaw in found] == [code]
    assert shown(text, found[0].span) == words
    assert found[0].help


@pytest.mark.parametrize(
    ("code", "body", "words"),
    [
        ("RW307", "board:\n        .  .@1  .  .  .", ".@1"),
        ("RW305", "board:\n        .  lamp .  .  .", "lamp"),
        ("RW303", "board:\n        .  .  .  .  .  .", "."),
        ("RW314", "lit: (1,4), (1,9)", "(1,9)"),
        ("RW315", "lit: (1,4)\n    lit (1,4): no", "lit (1,4): no"),
        ("RW312", "lit (1,4): 2", "2"),
    ],
)
def test_flaw_of_a_bounded_board(code: str, body: str, words: str) -> None:
    text = LIGHTS + body + "\n"
    found = flaws(text)
    assert [flaw.code for flaw in found] == [code]
    assert shown(text, found[0].span) == words


def in_shape(shape: str, body: str, code: str) -> Diagnostic:
    text = HEAD.replace("count c in board where occupied(c)", "size(bag)").format(shape=shape, players="1..1")
    with pytest.raises(RulesError) as caught:
        drawn(text, body)
    assert [flaw.code for flaw in caught.value.diagnostics] == [code]
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("shape", "body", "code"),
    [
        ("hex grid 4 x 4", "board:\n    a  b\n    a  b\n", "RW302"),
        ("hex grid 4 x 4", "board:\n    a  b\n      a  b\norigin 1,0\n", "RW304"),
        ("hex grid 1", "board:\n       a  .\n    .  b  .\n", "RW302"),
        ("hex grid 1", "board:\n       a  .\n    .  b  .  .\n       .  .\n", "RW303"),
        ("hex grid 1", "board:\n       a  .\n    .  b  .\n       .  .\norigin 1,1\n", "RW304"),
        ("ring 4", "board:\n    a  b  .\n", "RW302"),
        ("ring 4", "goal: (0,1)\n", "RW312"),
        ("ring 4", "goal: 4\n", "RW314"),
        ("cube grid 2 x 2 x 2", "board level 2:\n    a\n", "RW303"),
        ("square grid 3 x 3", "board:\n    a  b  a  b\n", "RW303"),
        ("square grid 3 x 3", "board:\n    a\norigin 3,0\n", "RW303"),
    ],
)
def test_flaw_of_other_shapes(shape: str, body: str, code: str) -> None:
    assert in_shape(shape, body, code).help


@pytest.mark.parametrize("players", [None, 0, 5])
def test_number_of_players(players: int | None) -> None:
    line = "" if players is None else f"    players {players}\n"
    found = flaws(f"puzzle here:\n    rules beacon_patrol\n{line}\n    sea:\n        hq\n")
    assert [flaw.code for flaw in found] == ["RW300"]
    assert found[0].span is not None and found[0].span.line == (1 if players is None else 3)


def test_what_is_near_is_offered() -> None:
    assert flaws(at_sea_text(SEA + "hands 1: open"))[0].help == "did you mean `hand`?"
    assert flaws(at_sea_text("sea:\n    hq@1  boy"))[0].help == "did you mean `buoy`?"
    assert flaws(at_sea_text(SEA + "start: turm of 1"))[0].help == "did you mean `turn`?"


def test_edges_that_do_not_match_name_both_cells() -> None:
    text = at_sea_text("sea:\n    e_house  hq@1  buoy")
    (found,) = flaws(text)
    assert "(0,0) and (1,0)" in found.message
    assert [shown(text, label.span) for label in found.labels[:2]] == ["e_house", "hq@1"]
    assert found.labels[2].text == "violated invariant `matching` (bp.place.matching)"


def test_copies_are_counted_against_the_box() -> None:
    text = at_sea_text("sea:\n    hq@1  buoy\n\nhand 1: buoy x2\ndraw: buoy x4")
    (found,) = flaws(text)
    assert found.message == "the position has 7 of `buoy`, but the box has only 6"
    assert shown(text, found.span) == "buoy x4"
    assert {label.text for label in found.labels[1:]} == {"declared here", "and here"}


def test_tiles_that_the_set_up_has_dealt_count_too() -> None:
    (found,) = flaws(at_sea_text("hand 1: hq"))
    assert found.code == "RW320" and "the set-up has already dealt 1" in found.help


def test_all_flaws_of_a_position_are_told_at_once() -> None:
    found = flaws(at_sea_text(SEA + "hands 1: open\ntokens 1: 12\nhand 1: boy"))
    assert [flaw.code for flaw in found] == ["RW310", "RW313", "RW305"]


def test_an_impossible_position_may_be_allowed() -> None:
    body = "allow impossible position\nsea:\n    e_house  hq@1  hq\n\nhand 1: open x9\n"
    assert len(at_sea(body).state[at_sea(body).engine.layout.position("hand", 1)]) == 9
    assert [flaw.code for flaw in flaws(at_sea_text(body + "tokens 1: 12"))] == ["RW313"]


def test_the_rest_of_the_box_is_drawn_by_chance() -> None:
    here = at_sea(SEA + "hand 1: open\ndraw: rest, seed 7")
    column = here.engine.layout.position("draw", None)
    pile = here.state[column]
    assert len(pile) == 51 and pile != tuple(sorted(pile))
    assert pile == at_sea(SEA + "hand 1: open\ndraw: rest, seed 7").state[column]
    assert pile != at_sea(SEA + "hand 1: open\ndraw: rest, seed 8").state[column]
    named = at_sea(SEA + "hand 1: open\ndraw: n_light, rest, seed 7").state[column]
    assert len(named) == 51 and here.engine.game.tiles[named[0] - 1].name == "n_light"


def test_the_rest_lies_in_a_set_without_an_order() -> None:
    here = at_sea(SEA + "hand 1: open\ndraw: buoy\nbox: rest")
    engine = here.engine
    box, drawn = (here.state[engine.layout.position(name, None)] for name in ("box", "draw"))
    assert len(drawn) == 1 and len(box) == 50
    everything = sorted(n for n, kind in enumerate(engine.game.tiles, 1) for _ in range(kind.count))
    board = [tile for tile in here.state[engine.layout.position("sea", None)] if tile]
    hand = here.state[engine.layout.position("hand", 1)]
    assert sorted((*board, *hand, *drawn, *box)) == everything
    with_seed = at_sea(SEA + "hand 1: open\ndraw: buoy\nbox: rest, seed 7")
    assert with_seed.state == here.state


def test_a_position_grounds_its_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the set-up, which all positions of a game share: its windows are known only when the position is read."""
    counted: list[Game] = []
    before = Engine.of

    def of(game: Game, *arguments: Any) -> Engine:
        counted.append(game)
        return before(game, *arguments)

    monkeypatch.setattr(Engine, "of", staticmethod(of))
    game = linked(variant(""))
    for number in range(1, 4):
        position(at_sea_text(SEA), game)
        assert len(counted) == number + 1


TURNS = """module turns:
players 1..2

state:
    day:    0..9
    rolled: 0..6
    lying:  0..9

procedure set_up:
    lying := 4

procedure dawn:
    day += 1
    rolled := 1

action take(number in 1..2):
    require enough: lying >= number else "too few"
    effect pay: lying -= number

flow:
    set_up
    dawn
    for player in players: choose take or stop
    for stage in {3, 5}:
        evening:
            dawn
            choose take

score days: day
"""


@pytest.mark.parametrize(
    ("body", "day", "lying", "point"),
    [
        ("start: evening of 1", 0, 4, "evening"),
        ("lying: 2", 0, 2, "choice_1"),
        ("rolled: 3\nstart: evening of 1", 0, 4, "evening"),
        ("ask: maximise score until end", 1, 4, "choice_1"),  # nothing of a position: the game from its beginning
    ],
)
def test_what_a_puzzle_leaves_out_is_as_after_set_up(body: str, day: int, lying: int, point: str) -> None:
    here = drawn(TURNS, "players 2\n" + body)
    values = to_coordinates(here.engine, here.state).values
    assert (values["day", None], values["lying", None], here.engine.choice_name(here.state[POINT])) == (day, lying, point)


def test_procedures_set_up_a_game_whose_flow_names_no_set_up() -> None:
    here = drawn(TURNS.replace("set_up", "lay_out"), "players 2\nstart: evening of 1")
    assert to_coordinates(here.engine, here.state).values["day", None] == 1


def test_a_game_that_comes_to_no_choice_leaves_nothing_of_its_end_behind() -> None:
    here = drawn(TURNS.replace("lying := 4", "lying := 0").replace(" or stop", ""), "players 2\nlying: 1")
    values = to_coordinates(here.engine, here.state).values
    assert (values["day", None], values["player", None], here.state[POINT]) == (0, 1, 0)


def test_play_may_start_inside_of_a_loop() -> None:
    here = drawn(TURNS, "players 1\nstart: evening of 1")
    later = here.engine.apply(here.engine.apply(here.state, (0, 1)), (0, 1))
    assert here.engine.over(later) and here.engine.score(later) == 1
