"""Parameters that may be none: the moves of the duel, held against a model of the game in plain Python."""

from __future__ import annotations

from functools import cache

import pytest
from attrs import evolve, frozen

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move, parse_move
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.play_errors import PlayError
from tests.perft import perft
from tests.rules.playing import MODULES, linked, own_module, play_in_step
from tests.solver.asking import searched

YARD = frozenset((x, y) for x in range(3) for y in range(2))
MOODS = (0, 1)
TEXT = (MODULES / "duels.rules").read_text("utf-8")


@frozen
class Duel:
    """Of each player where the knight is, wounds, blows, cheers by mood, and shields."""

    mover: int = 0
    place: tuple = ((0, 0), (2, 1))
    wounds: tuple = (0, 0)
    blows: tuple = (0, 0)
    cheers: tuple = ((0, 0), (0, 0))
    shields: tuple = (("dagger",), ("dagger",))
    hanging: bool = True


def near(cell: tuple, corners: bool) -> set:
    x, y = cell
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0) and (corners or not a or not b)]
    return {(x + a, y + b) for a, b in steps} & YARD


def put(whole: tuple, at: int, new: object) -> tuple:
    return (*whole[:at], new, *whole[at + 1 :])


def following(here: Duel) -> list[Duel]:
    me, you = here.mover, 1 - here.mover
    found = []
    for to in near(here.place[me], corners=False) - {here.place[you]}:
        moved = evolve(here, place=put(here.place, me, to))
        cheers = put(here.cheers, me, (here.cheers[me][0] + 1, here.cheers[me][1]))
        found.append(evolve(moved, cheers=cheers))
        if here.place[you] in near(to, corners=True) and here.wounds[you] < 2:
            wounds = put(here.wounds, you, here.wounds[you] + 1)
            found.append(evolve(moved, wounds=wounds, blows=put(here.blows, me, here.blows[me] + 2 + wounds[you])))
    for weapon in (*dict.fromkeys(here.shields[me]), None):
        for hanging in (True, False) if here.hanging else (False,):
            if weapon is not None or hanging:
                held = list(here.shields[me])
                if weapon is not None:
                    held.remove(weapon)
                held += ["sword"] * hanging
                found.append(evolve(here, shields=put(here.shields, me, tuple(held)), hanging=here.hanging and not hanging))
    x, y = here.place[me]
    ways = 1 + sum((x + a, y + b) in YARD for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)))
    for mood in (*MOODS, None):
        for before in (0, 1, None):
            if before is not None and (len(here.shields[before]) > 1 or (mood is not None and here.cheers[before][mood] > 1)):
                continue
            after = here
            if mood is not None and before is not None:
                cheered = put(here.cheers[before], mood, here.cheers[before][mood] + 1)
                after = evolve(here, cheers=put(here.cheers, before, cheered))
            found += [after] * ways
    return [evolve(after, mover=you) for after in found]


@cache
def lines(here: Duel, depth: int) -> int:
    return 1 if depth == 0 else sum(lines(after, depth - 1) for after in following(here))


@cache
def best(here: Duel, depth: int) -> int:
    if depth == 0:
        parts = zip(here.blows, here.wounds, here.shields, here.cheers, strict=True)
        return sum(blows - 2 * wounds + len(shields) + 3 * cheers[0] for blows, wounds, shields, cheers in parts)
    return max(best(after, depth - 1) for after in following(here))


def engine() -> Engine:
    return Engine.of(own_module("duels"), 2)


def test_the_lines_of_play_are_those_of_the_model() -> None:
    duel = engine()
    assert [perft(duel, duel.start(0), depth) for depth in range(4)] == [lines(Duel(), depth) for depth in range(4)]


def test_the_best_line_is_that_of_the_model() -> None:
    text = "puzzle p:\n    rules duels\n    players 2\n    ask: maximise score until end\n"
    position = set_up_position(parse_puzzle(text, "p"), own_module("duels"))
    assert position.question is not None
    assert searched(position.asked, position.state, position.question).score == best(Duel(), 4)


def test_every_reading_plays_alike() -> None:
    for seed in range(12):
        assert len(list(play_in_step(engine(), seed))) == 5


def test_moves_are_written_with_none_and_read_back() -> None:
    duel = engine()
    state = duel.start(0)
    texts = [format_move(duel, state, move) for move in duel.legal(state)]
    assert {"ride east none", "arm dagger none", "arm none (1,0)", "boast none none none", "boast calm 2 none"} <= set(texts)
    assert "arm none none" not in texts
    assert [parse_move(duel, state, text) for text in texts] == duel.legal(state)
    struck = duel.apply(state, parse_move(duel, state, "ride east none"))
    assert "ride north 1" in [format_move(duel, struck, move) for move in duel.legal(struck)]


@pytest.mark.parametrize(
    "effect",
    [
        "wounds of victim += 1",
        "cheers of victim of calm += 1",
        "move dagger to shield of victim from shield of player",
        "move all shield of victim to lost",
    ],
)
def test_nobody_has_nothing_that_could_change(effect: str) -> None:
    game = linked(TEXT, f"module wild:\n    extends duels\n\nchange ride:\n    replace hit: {effect}\n")
    wild = Engine.of(game, 2)
    state = wild.start(0)
    for reading in (wild, ReferenceEngine(wild)):
        with pytest.raises(PlayError) as caught:
            reading.apply(state, parse_move(wild, state, "ride east none"))
        assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RW365"]


def test_a_change_offers_none_or_takes_it_away() -> None:
    change = """module strict:
    extends duels

change ride:
    replace parameter victim in players where victim != player

change arm:
    add parameter by in players or none
"""
    strict = Engine.of(linked(TEXT, change), 2)
    state = strict.start(0)
    texts = {format_move(strict, state, move) for move in strict.legal(state)}
    assert {"ride east 2", "arm dagger none none", "arm dagger none 2"} <= texts
    assert "ride east none" not in texts


def test_a_parameter_fixed_at_none() -> None:
    """`canter` is a ride at nobody, and `hang_on` drops nothing: each does what the same action with `none` does."""
    change = """module tame:
    extends duels

action canter:
    like ride with victim = none

action hang_on:
    like arm with weapon = none

action drop_it:
    like arm with from_peg = none

change flow:
    add canter to turn
    add hang_on to turn
    add drop_it to turn
"""
    tame = Engine.of(linked(TEXT, change), 2)
    state = tame.start(0)
    others = {"canter {}": "ride {} none", "hang_on {}": "arm none {}", "drop_it {}": "arm {} none"}
    texts = {format_move(tame, state, move) for move in tame.legal(state)}
    for short, long in others.items():
        for text in [text for text in texts if text.startswith(short.split()[0])]:
            plain = long.format(*text.split()[1:])
            assert tame.apply(state, parse_move(tame, state, text)) == tame.apply(state, parse_move(tame, state, plain))
    assert {"canter east", "hang_on (1,0)", "drop_it dagger"} <= texts and "drop_it none" not in texts
    for reading in (tame, ReferenceEngine(tame)):
        assert len(reading.legal(state)) == len(texts)


def test_only_what_may_be_none_is_fixed_at_none() -> None:
    with pytest.raises(RulesError) as caught:
        linked(TEXT, "module tame:\n    extends duels\n\naction canter:\n    like ride with to = none\n")
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [("RW105", "`to` cannot be none")]


@pytest.mark.parametrize("domain", ["0..3", "{yes, no}"])
def test_numbers_are_never_none(domain: str) -> None:
    text = """module odd:
    "It goes."

action go(n in DOMAIN or none):
    effect stay: stop

flow:
    repeat: choose go
"""
    with pytest.raises(RulesError) as caught:
        linked(text.replace("DOMAIN", domain))
    assert [d.code for d in caught.value.diagnostics] == ["RW244"]
