"""Simulated games: the same for a seed, whoever plays them."""

from __future__ import annotations

from collections import Counter

import pytest

from rulewright.studies.simulation.score_statistics import Tally, describe, deviation, quantile


def numbers(document):
    return {key: value for key, value in document.items() if key != "games_per_second"}


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_a_seed_says_everything(policy, call):
    def playing(seed):
        arguments = ("--policy", policy, "--games", "30", "--seed", seed, "--players", "2", "--json")
        return numbers(call("simulate", "shoals", *arguments).json)

    assert playing("7") == playing("7")
    assert playing("7") != playing("8")


def test_the_number_of_workers_does_not_matter(call):
    one = call("simulate", "shoals", "--games", "30", "--json").json
    two = call("simulate", "shoals", "--games", "30", "--workers", "2", "--json").json
    assert numbers(one) == numbers(two)


@pytest.mark.parametrize("policy", ["random", "search(2)", "paranoid(2)", "beam(4)"])
def test_it_does_not_matter_who_plays(policy, call, monkeypatch):
    """The plain reading alone, helped by machine code on two threads, helped by processes where there is no compiler."""
    from rulewright.solver.playouts import runner as games
    from rulewright.studies.simulation import playouts

    arguments = ("simulate", "narrows", "--policy", policy, "--games", "12", "--workers", "2", "--json")
    plain = call(*arguments).json
    assert plain["policy"] == policy
    monkeypatch.setattr(playouts, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(playouts, "LONG_SECONDS", 0.0)
    assert numbers(call(*arguments).json) == numbers(plain)

    def missing(*_):
        raise ImportError

    monkeypatch.setattr(games.PlayoutProgram, "of", missing)
    helped = numbers(call(*arguments).json)
    assert helped.pop("remarks") == [*plain["remarks"], playouts.NO_COMPILER]
    assert helped == {key: value for key, value in numbers(plain).items() if key != "remarks"}


@pytest.mark.parametrize("memory", ["320", "364", "2048"])
def test_memory_says_how_many_play_and_not_what(memory, call, monkeypatch):
    from rulewright.studies.simulation import playouts

    arguments = ("simulate", "narrows", "--policy", "beam(4)", "--games", "12", "--json")
    plain = numbers(call(*arguments).json)
    monkeypatch.setattr(playouts, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(playouts, "LONG_SECONDS", 0.0)
    seated, play = [], playouts._by_machine_code

    def noting(games, simulator, rest, workers):
        seated.append((workers, workers * (games.room + simulator.bytes) + (playouts.OTHERWISE_MIB << 20)))
        return play(games, simulator, rest, workers)

    monkeypatch.setattr(playouts, "_by_machine_code", noting)
    assert numbers(call(*arguments, "--workers", "8", "--memory", memory).json) == plain
    ((workers, room),) = seated
    assert room <= int(memory) << 20
    assert workers == {"320": 1, "364": 3, "2048": 8}[memory]


def test_what_takes_more_memory_than_there_is_is_refused(call):
    arguments = ("simulate", "beacon_patrol", "--policy", "beam(1000)", "--games", "1", "--longest", "1", "--memory")
    done = call(*arguments, "320")
    assert (done.status, done.out) == (2, "")
    assert "beam(1000) needs up to" in done.err
    needed = done.err.partition("--memory ")[2].partition("`")[0]
    assert call(*arguments, needed).status == 0
    assert call(*arguments, str(int(needed) - 1)).status == 2


def test_an_unknown_policy(call):
    done = call("simulate", "shoals", "--policy", "clever")
    assert done.status == 2
    assert "there is no policy `clever`" in done.err


def test_puzzles_are_simulated_from_their_position(call):
    document = call("simulate", "narrows", "--policy", "greedy", "--games", "20", "--json").json
    assert document["players"] == 2
    assert document["max"] <= 8
    assert sum(document["histogram"].values()) == sum(document["ranks"].values()) == 20


def test_greed_pays(call):
    means = {
        policy: call("simulate", "narrows", "--policy", policy, "--games", "60", "--json").json["mean"]
        for policy in ("random", "greedy")
    }
    assert means["greedy"] > means["random"]


def test_games_that_do_not_end_are_cut_and_counted(call):
    document = call("simulate", "combs", "--games", "3", "--longest", "50", "--json").json
    assert document["unfinished"] == 3
    assert (document["mean"], document["histogram"]) == (None, {})
    assert "3 not finished after 50 actions" in call("simulate", "combs", "--games", "3", "--longest", "50").out


def test_an_interrupt_prints_what_there_is(call, monkeypatch):
    from rulewright.cli.commands import simulate

    def interrupted(*_):
        yield Tally(Counter({3: 2}), Counter({5: 2}))
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "run_simulation", interrupted)
    done = call("simulate", "shoals", "--json")
    assert done.status == 130
    assert done.json["games"] == 2


def test_tallies_add_up():
    one, other = Tally(Counter({1: 2}), Counter({9: 2}), 1), Tally(Counter({1: 1, 4: 1}), Counter({8: 2}))
    one.add(other)
    assert (one.games, one.scores, one.unfinished) == (5, Counter({1: 3, 4: 1}), 1)
    assert one.ranks(lambda score: "low" if score < 3 else "") == {"low": 3}


def test_statistics():
    counts = Counter({1: 1, 2: 2, 3: 1})
    assert describe(counts)["mean"] == 2
    assert deviation(counts, 2) == pytest.approx(0.8165, abs=1e-4)
    assert [quantile(counts, part) for part in (0.25, 0.5, 0.76)] == [1, 2, 3]
    assert quantile(Counter(), 0.5) is None
    assert describe(Counter())["mean"] is None


NOUGHTS = ("simulate", "classics.noughts_and_crosses", "--seed", "3", "--json")


def test_the_first_player_has_the_known_advantage(call):
    """Of all orders of random play the first player wins 0.585, the second 0.288 (737/1260 and 121/420 by enumeration)."""
    first, second = call(*NOUGHTS, "--games", "1500").json["by_player"]
    assert first["share_error"] < 0.013
    assert abs(first["wins"] / 1500 - 737 / 1260) < 0.05
    assert abs(second["wins"] / 1500 - 121 / 420) < 0.05
    assert first["wins"] + first["draws"] + first["losses"] == 1500
    assert first["draws"] == second["draws"]
    assert first["share"] + second["share"] == pytest.approx(1)
    assert first["scores"]["mean"] == first["wins"] / 1500


def test_policies_by_player(call):
    document = call(*NOUGHTS, "--games", "100", "--policy", "2=greedy").json
    assert document["policy"] == "random, 2=greedy"
    assert [player["policy"] for player in document["by_player"]] == ["random", "greedy"]
    assert document["by_player"][1]["wins"] > document["by_player"][0]["wins"]
    assert "player 2  greedy  mean" in call(*NOUGHTS[:-1], "--games", "20", "--policy", "2=greedy").out


def test_games_without_scores_of_players_say_nothing_of_them(call):
    assert call("simulate", "shoals", "--games", "5", "--json").json["by_player"] == []


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        (("greedy", "random"), "`random` gives a second policy for all players"),
        (("2=greedy", "2=random"), "`2=random` gives a second policy for player 2"),
        (("two=greedy",), "`two` in `two=greedy` is not the number of a player"),
        (("0=greedy",), "`0` in `0=greedy` is not the number of a player"),
        (("3=greedy",), "there is no player 3 for `3=greedy`"),
        (("2=clever",), "there is no policy `clever`"),
    ],
)
def test_policies_that_are_refused(policies, message, call):
    done = call(*NOUGHTS[:-1], *(word for policy in policies for word in ("--policy", policy)))
    assert done.status == 2
    assert message in done.err


BOTS = """
def first(state):
    return state.legal[0]

def last(state):
    return str(state.legal[-1])

def lost(state):
    return "resign"

def broken(state):
    return state.nothing

NOTHING = 0
"""


def test_functions_play_by_name(call, folder):
    (folder / "bots_of_mine.py").write_text(BOTS)
    words = ("simulate", "classics.noughts_and_crosses", "--games", "3", "--policy")
    found = call(*words, "bots_of_mine:first")
    assert found.status == 0
    assert "bots_of_mine:first policy" in found.out
    assert call(*words, "2=bots_of_mine:last").status == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bots_of_mine:lost", "there is no action `resign`"),
        ("bots_of_mine:broken", "AttributeError"),
        ("bots_of_mine:nobody", "cannot be imported"),
        ("no_such_bots:first", "cannot be imported"),
        (":first", "cannot be imported"),
        ("bots_of_mine:NOTHING", "is not a function"),
    ],
)
def test_functions_that_fail_say_so(name, said, call, folder):
    (folder / "bots_of_mine.py").write_text(BOTS)
    found = call("simulate", "classics.noughts_and_crosses", "--games", "3", "--policy", name)
    assert found.status == 2
    assert said in found.err
