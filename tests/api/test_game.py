"""Games of the library: rules, set-up, simulation in columns, policies by functions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

import rulewright as rw


def test_seeds_decide_chance() -> None:
    game = rw.load_game("penguin_pirates", seed=5)
    assert game.start == game.started(5) and game.start != game.started(6)
    assert (game.players, game.seed) == (3, 5)
    assert rw.load_game("penguin_pirates", players=4).players == 4
    with pytest.raises(rw.RulesError, match="RW250"):
        rw.load_game("penguin_pirates", players=2)


def test_rules_are_the_clauses() -> None:
    rules = {clause.name: clause for clause in rw.load_game("beacon_patrol").rules}
    assert rules["sail.by_water"].cite == "bp.move.by_water" and rules["sail.by_water"].module == "beacon_patrol"


def test_a_module_as_text() -> None:
    game = rw.load_game(text='module calm:\n    extends beacon_patrol\n\nchange sail:\n    require calm: no else "no wind"\n')
    assert game.name == "calm"
    assert not any(action.name == "sail" for action in game.start.legal)
    with pytest.raises(rw.RulesError, match="RW117"):
        rw.load_game(text="module beacon_patrol:\n\nplayers 1\n")


def test_columns_are_the_same_games_each_time() -> None:
    game = rw.load_game("classics.noughts_and_crosses", seed=3)
    columns = game.simulate(50, ["greedy", "random"])
    assert {name: len(column) for name, column in columns.items()} == dict.fromkeys(
        ("length", "score", "score_1", "score_2", "outcome_1", "outcome_2"), 50
    )
    assert columns == game.simulate(50, ["greedy", "random"]) and sum(map(int, columns["outcome_1"])) > 20


def test_functions_play() -> None:
    game = rw.load_game("classics.noughts_and_crosses")
    assert game.simulate(2, lambda state: state.legal[0])["length"] == [7, 7]
    for wrong, said in ((lambda state: "resign", "RW350"), (lambda state: state.nothing, "AttributeError")):
        with pytest.raises(rw.RulesError, match=said):
            game.simulate(1, wrong)


@pytest.mark.parametrize("names", ["rulewright", "rulewright as rw; rw.load_game"])
def test_importing_loads_nothing_heavy(names: str) -> None:
    heavy = "{'ortools', 'numpy', 'llvmlite', 'lark', 'typer', 'rich'} & {name.split('.')[0] for name in sys.modules}"
    code = f"import sys, {names}; print(sorted({heavy}))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_unknown_names_are_attribute_errors() -> None:
    assert "load_puzzle" in dir(rw)
    missing: Callable[[], object] = lambda: rw.no_such_name  # type: ignore[attr-defined]  # noqa: E731
    with pytest.raises(AttributeError, match="no_such_name"):
        missing()
