"""Scopes of state: at the end of a point, and only there, every kind of variable begins anew, in every reading."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model.state import STOP, Horizon, State
from rulewright.rules.play.engine import Engine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked, play_in_step, variant

DAYS = """
module days:
    "Everything changes, and is as before on the next day."

players 2
enum colour: red, green

space yard: square grid 3 x 2
space pond: square grid 2 x 2 of tiles

pieces boats in pond, turned:
    boat x2  hull bow

state:
    many:               -1..9, for this day
    told of player:     truth, for this day = yes
    mood of colour:     colour, for this day = green
    wet of yard:        truth, for this day
    deep of yard:       0..3, for this day = 2
    price of player of colour: 0..3, for this day = 1
    spot of player:     cell of yard, for this day
    home:               cell of yard, for this day = origin of yard
    heading:            direction of yard, for this day = east
    liked:              player, for this day
    trail:              set of cells of yard, for this day
    worn of player:     set of colour, for this day
    cold of boats:      0..2, for this day
    hours:              0..9, for this hour
    lasting:            0..9

action change(c in yard, p in players, k in colour):
    effect many: many := 7
    effect told: told of p := no
    effect mood: mood of k := red
    effect wet: wet of c := yes
    effect deep: deep of c := 0
    effect price: price of p of k := 3
    effect spot: spot of p := c
    effect home: home := c
    effect heading: heading := west
    effect liked: liked := p
    effect trail: add c to trail
    effect worn: add k to worn of p
    effect cold: for q in places(boats): cold of q := 2
    effect hours: hours += 1
    effect lasting: lasting := min(9, lasting + 1)

procedure dawn:
    lasting := lasting

flow:
    repeat until lasting = 9:
        for player in players:
            day:
                hour:
                    choose change, or stop
                hour:
                    choose change, or stop
    dawn

score sum_of_all: many + hours + lasting
"""
SCOPED = ["many", "told", "mood", "wet", "deep", "price", "spot", "home", "heading", "liked", "trail", "worn", "cold"]


def values(engine: Engine, state: State, *names: str) -> list[object]:
    columns = [engine.layout.columns[name] for name in names]
    return [state[column.start : column.start + column.count] for column in columns]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.of(linked(DAYS), 2)


def test_every_value_begins_anew_at_the_end_of_its_scope(engine: Engine) -> None:
    first = engine.start()
    one, *_, other = (move for move in engine.legal(first) if move != STOP)
    evening = engine.apply(first, other)
    begun, now = values(engine, first, *SCOPED), values(engine, evening, *SCOPED)
    assert not any(before == after for before, after in zip(begun, now, strict=True))
    assert values(engine, evening, "hours", "lasting") == [(0,), (1,)]
    following = engine.apply(evening, one)
    assert values(engine, following, *SCOPED, "hours", "lasting") == [*begun, (0,), (2,)]


def test_stop_that_leaves_the_repetition_around_a_point_ends_the_scope(engine: Engine) -> None:
    first = engine.start()
    evening = engine.apply(first, next(move for move in reversed(engine.legal(first)) if move != STOP))
    over = engine.apply(evening, STOP)
    assert engine.over(over)
    assert values(engine, over, *SCOPED) == values(engine, first, *SCOPED)


def test_a_horizon_counts_after_the_end(engine: Engine) -> None:
    asked = engine.with_horizon(Horizon("day", 1))
    state = asked.start()
    for _ in range(2):
        state = asked.apply(state, asked.legal(state)[0])
    assert asked.over(state)
    assert asked.score(state) == -1 + 0 + 2


def test_all_readings_agree(engine: Engine) -> None:
    assert sum(len(list(play_in_step(engine, seed, limit=6))) for seed in range(3)) > 9
    agreement = Agreement(engine, compiled=False)
    agreement.game_of(1, 8)
    assert agreement.moves
    assert not agreement.faults


def test_once_per_point_is_such_a_variable() -> None:
    once = linked(DAYS, variant("action rest:\n    once per day\n\nchange flow:\n    add rest to hour", extends="days"))
    engine = Engine.of(once, 2)
    rest = (engine.action_numbers["rest"],)
    state = engine.start()
    assert rest in engine.legal(state)
    state = engine.apply(state, rest)
    assert rest not in engine.legal(state)
    assert rest in engine.legal(engine.apply(state, engine.legal(state)[0]))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("many: 0..9, for this dya", "the flow has no `dya`"),
        ("bag: set of tiles, for this day", "`bag` holds tiles, which stay where they are"),
        ("late: 0..9, for this day = lasting", "the value with which `late` begins depends on the state"),
    ],
)
def test_impossible_scopes(line: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        linked(DAYS, variant(f"state:\n    {line.replace('many', 'most')}", extends="days"))
    assert [(found.code, found.message) for found in caught.value.diagnostics] == [("RW119", message)]
