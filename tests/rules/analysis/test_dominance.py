"""Of states alike but for what is earned the richest is kept: against every line of play, on random rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.analysis import dominance
from rulewright.rules.model import terms
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.static import resources
from rulewright.solver.best.problem import Problem
from tests.rules.playing import linked
from tests.solver.asking import searched
from tests.solver.exhaustive import all_ends
from tests.solver.shortest.questions import asked

GAME = """module asked:
    "Stock is made and sold."

space bench: square grid 1 x 1

state:
    stock:  0..3
    tools:  0..2
    coins:  0..60 = {start}

{actions}

flow:
    repeat{until}:
        turn:
            choose {names}

score wealth: {score}
"""

REQUIREMENTS = (
    "coins >= {n}",
    "coins > {n} and stock < 3",
    "tools >= 1 or coins >= {n}",
    "not coins < {n}",
    "{n} <= coins",
    "stock >= 1",
    "tools < 2",
    "stock < 3",
)
SPOILING = ("coins != {n}", "coins < {n}", "coins mod 2 = 0")
"""What the richest may not be able to meet."""

EFFECTS = (
    "coins += {n}",
    "coins += tools + {n}",
    "coins += stock",
    "if stock < 3: stock += 1",
    "if tools < 2: tools += 1",
    "if stock > 0: stock -= 1",
    "stock := 0",
    "tools := {n} mod 3",
)
SPOILING_EFFECT = "if coins >= {n}: coins -= {n}"
SCORES = ("coins", "coins + tools", "2 * coins - stock", "coins div 3 + stock", "tools - coins", "stock")
SPOILED_SCORES = ("if coins > 6 then 0 else coins", "coins mod 4")


def random_text(rng: random.Random) -> str:
    """Rules in which often, not always, more coins are never worse."""
    actions: list[str] = []
    spoils = rng.random() < 0.3
    for number in range(rng.randint(2, 4)):
        own = rng.sample(REQUIREMENTS, rng.randint(1, 2)) + ([rng.choice(SPOILING)] if spoils and number == 0 else [])
        lines = [f"action act_{number}:", '    "An action."']
        lines += [f'    require r{at}: {text} else "no"' for at, text in enumerate(own)]
        lines += [f"    effect e{at}: {text}" for at, text in enumerate(rng.sample(EFFECTS, rng.randint(1, 3)))]
        if spoils and number == 1:
            lines.append(f"    effect spoil: {SPOILING_EFFECT}")
        actions.append("\n".join(lines).replace("{n}", str(rng.randint(1, 4))))
    if rng.random() < 0.8:
        actions.append('action wait:\n    "Nothing."\n    effect rest: if tools > 0: tools -= 1')
    names = [text.split()[1].rstrip(":") for text in actions]
    score = rng.choice(SPOILED_SCORES if rng.random() < 0.15 else SCORES)
    until = rng.choice(("", "", "", " until coins > 9", " until tools = 2"))
    return GAME.format(start=rng.randint(0, 6), actions="\n\n".join(actions), names=", ".join(names), score=score, until=until)


def random_position(seed: int) -> Position:
    rng = random.Random(seed)
    goal = rng.choice(("maximise score", "maximise score", "minimise score", "reach score >= 7"))
    return asked(linked(random_text(rng)), f"{goal} for {rng.randint(3, 5)} turns")


GRANT = """action earn:
    "Four coins."
    effect get: coins += 4
    effect grow: if tools < 2: tools += 1

action wait:
    "Nothing."
    effect grow: if tools < 2: tools += 1

action grant:
    "For the poor."
    require needy: tools >= 1 and coins < 4 else "no"
    effect give: coins += 9"""

FORCED = """action earn:
    "Four coins."
    require fresh: tools = 0 else "no"
    effect get: coins += 4
    effect grow: tools := 1

action glean:
    "Two coins."
    require fresh: tools = 0 else "no"
    effect get: coins += 2
    effect grow: tools := 1

action walk:
    "To the market."
    require away: tools = 1 else "no"
    effect go: tools := 2

action pay:
    "Who can must."
    require able: tools = 2 and coins >= 3 else "no"
    effect lose: coins -= 3"""


def by_hand(actions: str, names: str) -> Position:
    """Three turns under rules where the poor are better off."""
    text = GAME.format(start=0, actions=actions, names=names, score="coins", until="")
    return asked(linked(text), "maximise score for 3 turns")


def agreement(seed: int) -> str:
    """The same of random rules."""
    return agreement_on(random_position(seed))


def agreement_on(position: Position) -> str:
    """Whether an answer agrees with every line of play, and what was of use."""
    engine, root, question = position.asked, position.root, position.question
    assert question is not None
    try:
        ends = all_ends(engine, root)
    except PlayError:
        return "stops"
    assert ends is not None
    values = [sum(engine.value(term, end) for term in question.values) for end in ends]
    problem = Problem(engine, root, question)
    found = searched(engine, root, question)
    if question.goal.name == "REACH":
        assert (found.status.name == "OPTIMAL") == (max(values) >= question.threshold), position.puzzle
    else:
        best = max(values) if problem.sign > 0 else min(values)
        assert (found.status.name, found.score) == ("OPTIMAL", best), (found, best)
    return "dominated" if "coins" in problem.resources else "told apart"


def test_random_rules() -> None:
    came = Counter(agreement(seed) for seed in range(12))
    assert came["dominated"] >= 3 and came["told apart"] >= 3, came


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1000, 3000, 200))
def test_random_rules_at_length(first: int) -> None:
    assert Counter(agreement(seed) for seed in range(first, first + 200))["dominated"] >= 50


def test_where_the_poor_are_better_off_states_are_told_apart() -> None:
    assert agreement_on(by_hand(GRANT, "earn, wait, grant")) == "told apart"
    assert agreement_on(by_hand(FORCED, "earn, glean, walk, pay")) == "told apart"


TRADE = """action deal:
    "Three coins for a tool."
    effect pay: coins -= 3
    effect grow: if tools < 2: tools += 1

action bargain:
    "One coin for a tool."
    effect pay: coins -= 1
    effect grow: if tools < 2: tools += 1

action lend:
    "Two coins, and a tool."
    effect pay: coins -= 2
    effect cut: if tools > 0: tools -= 1"""


def test_what_is_owed_is_compared_as_what_is_owned() -> None:
    """Numbers up to zero, and on both sides of it: the same states are kept."""
    states = []
    for allowed, start in (("0..60", 30), ("-30..30", 0), ("-60..0", 0)):
        text = GAME.format(start=start, actions=TRADE, names="deal, bargain, lend", score="coins + tools", until="")
        position = asked(linked(text.replace("0..60", allowed)), "maximise score for 8 turns")
        assert position.question is not None
        found = searched(position.asked, position.root, position.question)
        assert (found.status.name, found.score) == ("OPTIMAL", start - 6)
        states.append(found.states)
    assert len(set(states)) == 1


def _poorest(*given):  # type: ignore[no-untyped-def]
    return {name: not way for name, way in EARNED(*given).items()}


def _wrong_way(analysis, term, name):  # type: ignore[no-untyped-def]
    return True if isinstance(term, terms.Compare) else RISES(analysis, term, name)


EARNED, RISES = dominance.earned, resources.rises


@pytest.mark.parametrize(
    ("name", "fault", "noticing"),
    [
        ("rulewright.rules.analysis.dominance.earned", _poorest, lambda: random_position(4)),
        ("rulewright.rules.static.resources.rises", lambda *given: True, lambda: random_position(108)),
        ("rulewright.rules.static.resources.rises", _wrong_way, lambda: by_hand(GRANT, "earn, wait, grant")),
        (
            "rulewright.rules.analysis.dominance.never_stuck",
            lambda analysis: True,
            lambda: by_hand(FORCED, "earn, glean, walk, pay"),
        ),
    ],
    ids=["the poorest is kept", "all is met by more", "a comparison the wrong way round", "play never gets stuck"],
)
def test_a_fault_is_noticed(
    name: str, fault: object, noticing: Callable[[], Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name, fault)
    with pytest.raises(AssertionError):
        agreement_on(noticing())
