"""`solve --against`, and the policy `mixed` in `play` and `simulate`."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_a_best_response_and_who_plays_with_open_cards(call) -> None:
    blind = call("solve", "kuhn_value", "--against", "random")
    assert blind.status == 0 and "expected won of 1 1/2" in blind.out and blind.out.endswith("the best response to random\n")
    seeing = call("solve", "kuhn_value", "--against", "greedy")
    assert seeing.out.endswith("the best response to greedy, which plays with open cards: it sees `hand`\n")
    document = call("solve", "kuhn_value", "--against", "random", "--json").json
    assert document["against"] == "random" and {choice["player"] for choice in document["strategies"]} == {1}


THREE_LEFT = """puzzle three_left:
    rules classics.noughts_and_crosses
    players 2

    board:
        cross   nought  cross
        nought  nought  cross
        .       .       .
    box: rest
    start: choice_1 of 1

    ask: win for 2 against best play
"""


def test_a_best_response_where_nothing_is_hidden(call, folder: Path) -> None:
    """Of three moves at random, cross wins (-1) by one, lets nought win (1) by another, and holds the draw (0) by the third."""
    (folder / "three_left.puzzle").write_text(THREE_LEFT, "utf-8")
    assert "win for 2 loss" in call("solve", "three_left").out
    done = call("solve", "three_left", "--against", "random")
    assert done.status == 0 and "expected outcome 0 " in done.out and done.out.endswith("the best response to random\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve", "overboard", "--against", "greedy"), "no best response to the question of `overboard`"),
        (("solve", "kuhn_value", "--against", "clever"), "no policy `clever`"),
        (("solve", ".", "--against", "greedy"), "`--against` needs a single puzzle"),
        (("solve", "kuhn_value", "--against", "greedy", "--certificate", "k.gz"), "the policy of the other players"),
        (("simulate", "overboard", "--policy", "mixed"), "is not asked in expectation"),
        (("simulate", "beacon_patrol", "--players", "2", "--policy", "mixed"), "two players against each other"),
        (("play", "morphy", "--against", "mixed"), "is not asked in expectation"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_asked_so(call, arguments: tuple[str, ...], said: str) -> None:
    done = call(*arguments)
    assert done.status == 2 and said in done.err


def test_mixed_strategies_meet_the_value_on_the_average(call) -> None:
    """-1/18 a game; the standard error of 20,000 games is 0.009."""
    found = call("simulate", "kuhn_value", "--policy", "mixed", "--games", "20000", "--json").json
    assert abs(found["by_player"][0]["scores"]["mean"] + 1 / 18) < 0.05


def test_the_computer_plays_mixed_strategies_without_seeing(call) -> None:
    done = call("play", "kuhn_value", "--against", "mixed", typed="1\n1\n1\n")
    assert done.status == 0 and "the game is over" in done.out and "open cards" not in done.out


def test_mixed_strategies_are_drawn(call, folder: Path) -> None:
    assert call("solve", "kuhn_value", "--html", "kuhn.html").status == 0
    page = (folder / "kuhn.html").read_text("utf-8")
    assert "<caption>Player 2</caption>" in page and '<meter value="0.3333">1/3</meter>' in page
