"""A score of each player, who wins, and players by number."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.questions import resolve_question
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Game
from rulewright.rules.model.standing import outcome
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.play.scores import standings
from tests.expressions import parse_expression
from tests.rules.playing import linked

STALLS = """module stalls:
    "Sell for coins; debts decide ties."

players 2..3

state:
    coins of player: 0..9
    debts of player: 0..9

action sell:
    effect earn: coins of player += 2

action borrow:
    effect earn: coins of player += 3
    effect owe:  debts of player += 1

flow:
    for player in players:
        turn: choose sell, borrow or stop

score savings of player: coins of player
score bonus: coins of 1

winner: most savings, then least debts of player

invariant no_loss: every p in players: savings of p >= debts of p
"""


def stalls(*changes: str) -> Game:
    found = [parse_module(text, f"{number}") for number, text in enumerate((STALLS, *changes), 1)]
    return link({module.header.name: module for module in found}, [module.header.name for module in found])


def end(game: Game, players: int, *settings: str) -> tuple[Engine, tuple[object, ...]]:
    lines = "".join(f"    {setting}\n" for setting in settings)
    text = f"puzzle sold:\n    rules stalls\n    players {players}\n{lines}    start: over of 1\n"
    here = set_up_position(parse_puzzle(text, "a puzzle"), game)
    return here.engine, here.state


def value(engine: Engine, state: tuple[object, ...], text: str) -> int:
    term = resolve_question(engine.game, parse_expression(text, "asked"), players=engine.instance.players)
    assert engine.compile_value(term)(state) == engine.value(term, state)
    return engine.value(term, state)


def outcomes(engine: Engine, state: tuple[object, ...]) -> list[int]:
    players = range(1, engine.instance.players + 1)
    found = [outcome(engine.game.winner, terms.Constant(player, type=types.Player())) for player in players]
    compiled = [engine.compile_value(term)(state) for term in found]
    assert compiled == [engine.value(term, state) for term in found]
    return compiled


def test_the_score_of_the_game_is_the_sum_over_the_players() -> None:
    engine, state = end(stalls(), 3, "coins 1: 4", "coins 2: 5", "coins 3: 1")
    assert [value(engine, state, f"savings of {player}") for player in (1, 2, 3)] == [4, 5, 1]
    assert value(engine, state, "savings") == 10
    assert engine.score(state) == ReferenceEngine(engine).score(state) == value(engine, state, "score") == 14
    assert value(engine, state, "greatest savings of p for p in players") == 5


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (("coins 1: 4", "coins 2: 5", "coins 3: 1"), [-1, 1, -1]),
        (("coins 1: 5", "coins 2: 5", "debts 2: 1"), [1, -1, -1]),
        (("coins 1: 5", "coins 3: 5"), [0, -1, 0]),
        ((), [0, 0, 0]),
    ],
)
def test_later_criteria_break_ties(settings: tuple[str, ...], expected: list[int]) -> None:
    assert outcomes(*end(stalls(), 3, *settings)) == expected


def test_a_criterion_counts_with_scores_of_a_player() -> None:
    """`savings` alone is the player's own, though elsewhere it is that of all together."""
    owing = "score loans of player: debts of player\n\ndefine rich = savings > 3\n\nwinner: most 2 * savings - loans"
    text = STALLS.replace("winner: most savings, then least debts of player", f"{owing}, then least 1 + loans")
    game = link({"stalls": parse_module(text, "1")}, ["stalls"])
    assert outcomes(*end(game, 2, "coins 1: 4", "coins 2: 5", "debts 2: 3")) == [1, -1]
    assert outcomes(*end(game, 2, "coins 1: 4", "coins 2: 5", "debts 2: 2")) == [1, -1]
    assert outcomes(*end(game, 2, "coins 1: 4", "coins 2: 5", "debts 2: 1")) == [-1, 1]


def test_a_module_says_again_who_wins() -> None:
    again = 'module other:\n    "The poorest wins."\n    extends stalls\n\nwinner: least savings\n'
    assert outcomes(*end(stalls(again), 2, "coins 1: 4", "coins 2: 5")) == [1, -1]
    gone = 'module other:\n    "Nobody wins."\n    extends stalls\n\ndrop winner\n'
    assert stalls(gone).winner == ()
    more = 'module other:\n    "Debts count."\n    extends stalls\n\n'
    more += "change savings:\n    replace value: coins of player - debts of player\n"
    engine, state = end(stalls(more), 2, "coins 1: 4", "debts 1: 2")
    assert value(engine, state, "savings of 1") == 2


def test_two_modules_that_do_not_know_each_other_cannot_both_say_who_wins() -> None:
    one, other = (f"module {name}:\n    extends stalls\n\nwinner: least savings\n" for name in ("one", "other"))
    with pytest.raises(RulesError) as caught:
        stalls(one, other)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RW104"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("savings of player:", "savings of coins:", "RW140"),
        ("bonus: coins of 1", "bonus: coins of 3", "RW142"),
        ("bonus: coins of 1", "bonus: coins of 0", "RW142"),
        ("most savings", "most coins", "RW203"),
        ("most savings", "most player", "RW200"),
    ],
)
def test_what_is_refused(old: str, new: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        link({"stalls": parse_module(STALLS.replace(old, new), "1")}, ["stalls"])
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]


def test_a_question_names_those_who_play() -> None:
    for players, refused in ((2, True), (3, False)):
        text = f"puzzle sold:\n    rules stalls\n    players {players}\n    ask: maximise savings of 3 until end\n"
        if refused:
            with pytest.raises(RulesError) as caught:
                set_up_position(parse_puzzle(text, "a puzzle"), stalls())
            assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RW142"]
        else:
            assert set_up_position(parse_puzzle(text, "a puzzle"), stalls()).question is not None


LEADS = """module leads:
    "Whoever is behind may borrow more; a rich lender is not told no."
    extends stalls

define leader = greatest p in players by savings of p

define behind(p in players) = savings of leader - savings of p

change borrow:
    require needy: behind(player) > 0 or every p in players: savings of p = 0 else "you lead already"
    effect catch_up: coins of player += min(behind(player), 1)

score lead of player: savings of player - behind(player)
"""


def test_rules_read_the_scores_of_players() -> None:
    game = stalls(LEADS)
    engine, state = end(game, 3, "coins 1: 4", "coins 2: 5", "coins 3: 1")
    assert [value(engine, state, f"behind({player})") for player in (1, 2, 3)] == [1, 0, 4]
    assert [value(engine, state, f"lead of {player}") for player in (1, 2, 3)] == [3, 5, -3]
    assert engine.score(state) == ReferenceEngine(engine).score(state)
    begun = engine.apply(engine.start(), (0,))
    reference = ReferenceEngine(engine)
    texts = [engine.legal(at) for at in (engine.start(), begun)]
    assert texts == [reference.legal(at) for at in (engine.start(), begun)]
    after = engine.apply(begun, (1,))
    assert after == reference.apply(begun, (1,))
    assert value(engine, after, "savings of 2") == 3


def test_a_score_that_nothing_reads_is_no_definition() -> None:
    assert list(stalls().definitions) == []
    assert "savings of player" in stalls(LEADS).definitions


def test_a_score_that_comes_back_to_itself() -> None:
    again = 'module other:\n    "A ring."\n    extends stalls\n\ndefine ahead(p in players) = savings of p + 1\n\n'
    again += "change savings:\n    replace value: ahead(player)\n"
    with pytest.raises(RulesError) as caught:
        stalls(again)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RW115"]


ALONE = """module alone:
    "The bank closes when enough is saved."
    extends stalls

define enough = savings > 3

change borrow:
    require open: not enough and score < 100 and savings of player < 3 else "the bank is closed"

rank by savings of player:
    "poor" ..2
    "rich" 3..
"""


def test_the_name_of_a_score_alone_is_what_it_adds() -> None:
    game = stalls(ALONE)
    engine, state = end(game, 2, "coins 1: 2", "coins 2: 1")
    assert value(engine, state, "if enough then 1 else 0") == 0
    richer = end(game, 2, "coins 1: 3", "coins 2: 1")[1]
    assert value(engine, richer, "if enough then 1 else 0") == 1


def test_a_name_that_something_else_has_is_that() -> None:
    text = """module odd:
    "It goes."

state:
    lit: 0..9

score lit: 3 * lit
score other: 1

action go:
    require few: score < 7 and other = 1
    effect more: lit += 1

flow:
    repeat: choose go or stop
"""
    lamp = Engine.of(linked(text), 1)
    one = lamp.apply(lamp.start(), (0,))
    assert [len(lamp.legal(at)) for at in (lamp.start(), one, lamp.apply(one, (0,)))] == [2, 2, 1]
    assert lamp.legal(one) == ReferenceEngine(lamp).legal(one)


def test_each_player_has_a_rank() -> None:
    engine, state = end(stalls(ALONE), 2, "coins 1: 3", "coins 2: 1")
    assert [(standing.rank, standing.scores) for standing in standings(engine, state)] == [
        ("rich", {"savings": 3}),
        ("poor", {"savings": 1}),
    ]
    assert engine.rank(4) == ""
    assert [standing.rank for standing in standings(*end(stalls(), 2))] == ["", ""]


def test_a_score_that_comes_back_to_itself_by_its_name_alone() -> None:
    again = 'module other:\n    "A ring."\n    extends stalls\n\ndefine ahead = savings + 1\n\n'
    again += "change savings:\n    replace value: ahead\n"
    with pytest.raises(RulesError) as caught:
        stalls(again)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["RW115"]


def test_a_score_of_players_may_have_the_name_of_what_it_counts() -> None:
    text = """module odd:
    "It goes."

players 2

state:
    coins of player: 0..9

score coins of player: 2 * coins of player

action go:
    require few: coins of player < 3
    effect more: coins of player += 1

flow:
    for player in players: choose go
"""
    engine = Engine.of(linked(text), 2)
    assert engine.score(engine.apply(engine.start(), (0,))) == 2


@pytest.mark.parametrize("coins", [(3, 3, 2), (3, 3, 3), (1, 2, 2), (4, 0, 4)])
@pytest.mark.parametrize("debts", [(0, 1, 0), (1, 1, 1), (2, 0, 1)])
def test_who_leads_is_who_does_not_lose(coins: tuple[int, ...], debts: tuple[int, ...]) -> None:
    amounts = {"coins": coins, "debts": [min(pair) for pair in zip(coins, debts, strict=True)]}
    engine, state = end(stalls(), 3, *(f"{name} {n}: {value}" for name in amounts for n, value in enumerate(amounts[name], 1)))
    assert [standing.leads for standing in standings(engine, state)] == [found >= 0 for found in outcomes(engine, state)]
