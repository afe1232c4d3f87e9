"""Phases: run by name, each time with points of their own; changed once; never in themselves."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine, describe_turn
from tests.rules.playing import linked

BASE = """
module walk:
    "Two actions, twice a day."

state:
    left:  0..99
    right: 0..99
    days:  0..99

action go_left:
    effect go: left += 1

action go_right:
    effect go: right += 1

action skip:

phase walking:
    "To the left or to the right."
    step_out:
        choose go_left
    rest

phase day:
    walking
    noon:
        choose go_left or stop
    walking

procedure rest:
    pause: days += 0

flow:
    morning:
        choose go_right
    day
"""


def engine(items: str = "", *more: str) -> Engine:
    texts = [f"module more{n}:\n    extends walk\n\n{text}\n" for n, text in enumerate((items, *more))]
    return Engine.of(linked(BASE, *texts, roots=tuple(f"more{n}" for n in range(len(texts)))), 1)


def offered(found: Engine) -> list[tuple[str, ...]]:
    """What each choice offers, in the order of the flow."""
    return [choice.actions + ("stop",) * choice.stop for choice in found.choices]


LEFT, RIGHT, GO = ("go_left",), ("go_right",), ("go_left", "stop")
MORE = ("go_left", "skip")


def test_each_run_has_choices_of_its_own() -> None:
    found = engine()
    assert offered(found) == [RIGHT, LEFT, ("go_left", "stop"), LEFT]
    assert [choice.points for choice in found.choices] == [
        ("morning",),
        ("day", "walking", "step_out"),
        ("day", "noon"),
        ("day", "walking", "step_out"),
    ]


def test_positions_are_numbered_as_those_of_repeated_points_are() -> None:
    names = engine().choice_numbers
    assert (names["step_out"], names["step_out_1"], names["step_out_2"]) == (1, 1, 3)
    assert (names["walking_2"], names["day_2"], names["day"]) == (3, 2, 1)


def test_a_position_says_its_choice_as_a_puzzle_writes_it() -> None:
    found = engine()
    names = [found.choice_name(point) for point in range(len(found.choices))]
    assert names == ["morning", "step_out", "noon", "step_out_2"]
    assert [found.choice_numbers[name] for name in names] == [0, 1, 2, 3]
    said = [describe_turn(found, (point, *found.unset[1:])) for point in range(len(found.choices))]
    assert [words.partition(" of ")[0] for words in said] == ["morning", "step out", "noon", "step out 2"]


@pytest.mark.parametrize(
    ("items", "choices"),
    [
        ("change phase walking:\n    add skip to step_out", [RIGHT, MORE, GO, MORE]),
        ("change phase walking:\n    add skip to walking", [RIGHT, MORE, GO, MORE]),
        (
            "change phase walking:\n    replace step_out:\n        choose skip or stop",
            [RIGHT, ("skip", "stop"), GO, ("skip", "stop")],
        ),
        ("change phase walking:\n    drop step_out", [RIGHT, GO]),
        ("change phase walking:\n    after rest:\n        choose skip", [RIGHT, LEFT, ("skip",), GO, LEFT, ("skip",)]),
        ("change phase day:\n    after noon: walking", [RIGHT, LEFT, GO, LEFT, LEFT]),
        ("change phase day:\n    drop walking", [RIGHT, GO]),
        ("change flow:\n    after day: walking\n    drop morning", [LEFT, GO, LEFT, LEFT]),
        ("drop phase walking\n\nphase walking:\n    choose skip", [RIGHT, ("skip",), GO, ("skip",)]),
        ("drop action go_right\n\nchange flow:\n    replace morning:\n        rest", [LEFT, GO, LEFT]),
    ],
)
def test_what_changes(items: str, choices: list[tuple[str, ...]]) -> None:
    assert offered(engine(items)) == choices


def test_once_per_phase() -> None:
    found = engine(
        "change phase walking:\n    add twice to walking\n\naction twice:\n    once per walking\n    effect go: left += 2"
    )
    state = found.start()
    for move in ((1,), (3,), (0,)):
        state = found.apply(state, move)
    assert (3,) in found.legal(state)


def codes(items: str, *more: str) -> list[tuple[str, str, str]]:
    with pytest.raises(RulesError) as error:
        engine(items, *more)
    return [(found.code, found.message, found.help) for found in error.value.diagnostics]


def test_a_cycle_names_the_phases() -> None:
    ((code, message, _),) = codes("change phase walking:\n    after step_out: day")
    assert (code, message) == ("RW151", "the phase `day` runs itself: `day` -> `walking` -> `day`")


def test_two_modules_that_change_one_point_are_a_conflict() -> None:
    text = "change phase day:\n    replace noon:\n        choose {}"
    ((code, message, _),) = codes(text.format("go_left"), text.format("skip"))
    assert (code, message) == ("RW104", "`more0` and `more1` both change `day.noon`")


def test_a_flow_without_points_can_be_declared_anew() -> None:
    module = "module bare:\n    extends walk\n\ndrop flow\n\nflow:\n    choose go_left\n"
    change = "module more:\n    extends bare\n\nchange flow:\n    drop turn\n"
    with pytest.raises(RulesError) as error:
        linked(BASE, module, change)
    (found,) = error.value.diagnostics
    assert (found.message, "`drop flow`" in found.help) == ("the flow has no `turn`", True)


@pytest.mark.parametrize(
    ("items", "code", "message"),
    [
        ("change phase days:\n    drop noon", "RW103", "there is no `phase days` to change"),
        ("change phase day:\n    drop nune", "RW105", "the flow has no `nune`"),
        ("change phase day:\n    drop day", "RW105", "`day` cannot be dropped by a change to itself"),
        ("phase rest:\n    choose skip", "RW102", "`rest` is defined twice"),
        ("change flow:\n    after day: walks", "RW112", "there is no procedure `walks`"),
        ("change flow:\n    after day:\n        walking(1)", "RW150", "the phase `walking` takes no arguments"),
    ],
)
def test_what_is_refused(items: str, code: str, message: str) -> None:
    assert [found[:2] for found in codes(items)] == [(code, message)]


def test_a_phase_may_be_needed() -> None:
    part = "module part:\n\nneeds phase walking\n\nflow:\n    walking\n"
    whole = BASE.replace("module walk:", "module whole:\n    extends part").partition("flow:")[0]
    assert offered(Engine.of(linked(part, whole), 1)) == [LEFT]
    with pytest.raises(RulesError) as error:
        linked(part, "module empty:\n    extends part\n")
    assert [found.code for found in error.value.diagnostics] == ["RW109"]


def test_doubling_phases_are_bounded() -> None:
    chain = "".join(f"phase p{n}:\n    p{n - 1}\n    p{n - 1}\n\n" for n in range(1, 20))
    found = codes(f"phase p0:\n    choose skip\n\n{chain}change flow:\n    after day: p19")
    assert [code for code, _, _ in found] == ["RW252"]
