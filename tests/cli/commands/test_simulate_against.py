"""`simulate --against`, `--sweep` and `--luck`: the right sentence for rules of which it is known what they do."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.playouts.policies import RANDOM, Seats
from rulewright.studies.simulation import playouts
from rulewright.studies.simulation.comparison import Difference, Precision, Verdict
from tests.cli.conftest import Call

VARIANTS = {
    "richer": "change procedure set_up:\n    replace deal: for p in players: deal 3 from draw to hand of p",
    "dearer": "change worth:\n    replace lamp: 9 when at(c) has lamp",
    "ranked": 'rank by score:\n    "Anyone" 0..',
    "told": 'change lay:\n    replace vacant: not occupied(to) else "taken"',
}


@pytest.fixture
def variants(folder: Path) -> Path:
    for name, change in VARIANTS.items():
        (folder / f"{name}.rules").write_text(f'module {name}:\n    "A variant."\n    extends shoals\n\n{change}\n')
    return folder


Compared = Callable[..., dict[str, Any]]


@pytest.fixture
def compared(call: Callable[..., Call]) -> Compared:
    def comparing(*arguments: str) -> dict[str, Any]:
        return call("simulate", *arguments, "--players", "1", "--json").json  # type: ignore[no-any-return]

    return comparing


def test_what_makes_scores_higher_makes_the_game_easier(variants: Path, compared: Compared) -> None:
    found = compared("shoals", "--against", "dearer", "--games", "60")
    (difference,) = found["differences"]
    assert difference["answer"].startswith("`dearer` makes the game easier: scores are ")
    assert difference["score"]["verdict"] == "more"
    assert difference["score"]["method"] == "paired t"
    low, high = difference["score"]["interval"]
    assert 0 < low < difference["score"]["mean"] < high
    assert difference["length"]["verdict"] == "same"
    means = [rules["score"]["mean"] for rules in found["rules"]]
    assert difference["score"]["mean"] == pytest.approx(means[1] - means[0])
    (back,) = compared("dearer", "--against", "shoals", "--games", "60")["differences"]
    assert back["answer"].startswith("`shoals` makes the game harder: ")


def test_the_differences_of_pairs_are_drawn(variants: Path, compared: Compared, call: Callable[..., Call]) -> None:
    arguments = ("shoals", "--against", "dearer", "--games", "60")
    (difference,) = compared(*arguments)["differences"]
    lines = call("simulate", *arguments, "--players", "1").out.splitlines()
    first = lines.index("Differences in score, with the number of pairs of games:") + 1
    bars = [line.split() for line in lines[first:] if "#" in line]
    assert sum(int(count) for *_, count in bars) == 60
    assert all(int(named.split("..")[0]) >= 0 for named, *_ in bars), "a lamp that counts for more takes nothing away"
    assert difference["score"]["mean"] > 0
    same = call("simulate", "shoals", "--against", "told", "--games", "20", "--players", "1").out
    assert "Differences in score" not in same


def test_the_same_rules_in_other_words_are_the_same(variants: Path, compared: Compared) -> None:
    (difference,) = compared("shoals", "--against", "told", "--games", "40")["differences"]
    assert "neither easier nor harder: scores are the same in 40 games." in difference["answer"]


def test_what_changes_ranks_only_changes_no_score(variants: Path, compared: Compared) -> None:
    (difference,) = compared("shoals", "--against", "ranked", "--games", "40")["differences"]
    assert difference["answer"].endswith("scores are the same in 40 games, but ranks are not.")


def test_a_precision_stops_where_the_answer_is_clear(variants: Path, compared: Compared, call: Callable[..., Call]) -> None:
    clear = compared("shoals", "--against", "dearer", "--games", "2000", "--precision", "0.5")
    assert clear["games"] < 2000
    (difference,) = clear["differences"]
    assert (difference["score"]["method"], difference["score"]["verdict"]) == ("confidence sequence", "more")
    assert difference["score"]["median_interval"] is None
    arguments = ("simulate", "shoals", "--against", "richer", "--players", "1", "--games", "120", "--precision", "0")
    assert "the answer is still unclear" in call(*arguments).out


def test_a_puzzle_is_compared_under_variants(variants: Path, compared: Compared, call: Callable[..., Call]) -> None:
    found = call("simulate", "narrows", "--against", "dearer", "--games", "10", "--json").json
    assert [rules["name"] for rules in found["rules"]] == ["narrows", "narrows + dearer"]


def test_where_players_compete_nothing_is_called_easier(call: Callable[..., Call]) -> None:
    done = call("simulate", "classics.market", "--against", "classics.market", "--games", "20")
    assert "`classics.market` changes no score: scores are the same in 20 games." in done.out
    shares = [line.split()[3::2] for line in done.out.splitlines() if line.startswith("player ")]
    assert [row[0] == row[1] for row in shares] == [True, True]
    assert sum(float(row[0]) for row in shares) == pytest.approx(100, abs=0.2)


def test_games_as_a_table_and_a_picture(variants: Path, call: Callable[..., Call]) -> None:
    arguments = ("simulate", "shoals", "--against", "dearer", "--players", "1", "--games", "12", "--workers", "1")
    done = call(*arguments, "--csv", "games.csv", "--svg", "games.svg")
    assert done.status == 0
    rows = list(csv.DictReader((variants / "games.csv").open()))
    assert [row["rules"] for row in rows[:2]] == ["shoals", "dearer"]
    assert len(rows) == 24
    assert "dearer" in (variants / "games.svg").read_text()
    assert "lay per game" in done.out and "legal actions" in done.out


GAMES = 60


def unpaired(first: int) -> tuple[int, ...]:
    """Differences of the scores of different games under one and the same rules, taken for pairs."""
    project = Project(SHIPPED)
    engine = Engine.of(project.load("classics.triangle_solitaire"), 1)
    simulation = playouts.Simulation(Seats(RANDOM), GAMES, 1, 1000)
    ends = playouts.Simulator(simulation, engine, None).play(range(first, first + 2 * GAMES))
    return tuple(two.score - one.score for one, two in zip(ends[:GAMES], ends[GAMES:], strict=True))


@pytest.mark.campaign
@pytest.mark.parametrize("half_width", [None, 0.01])
def test_no_difference_is_claimed_where_there_is_none(half_width: float | None) -> None:
    found = [Difference(unpaired(1000 * number), Precision(half_width, GAMES)) for number in range(100)]
    assert sum(difference.verdict in (Verdict.MORE, Verdict.LESS) for difference in found) <= 5


def test_a_sweep_is_what_each_of_the_rules_comes_to(variants: Path, compared: Compared) -> None:
    found = compared("shoals", "--sweep", "change worth: replace lamp: {2, 9} when at(c) has lamp", "--games", "30")
    plain, dear = (compared(name, "--games", "30") for name in ("shoals", "dearer"))
    assert [point["mean"] for point in found["points"]] == [plain["mean"], dear["mean"]]
    assert all(low < point["mean"] < high for point in found["points"] for low, high in [point["interval"]])


def test_two_clauses_make_a_grid(variants: Path, compared: Compared, call: Callable[..., Call]) -> None:
    lamp = "change worth: replace lamp: {2, 9} when at(c) has lamp"
    deal = "change procedure set_up: replace deal: for p in players: deal {2..3} from draw to hand of p"
    arguments = ("shoals", "--sweep", lamp, "--sweep", deal, "--games", "12")
    means = {tuple(point["values"]): point["mean"] for point in compared(*arguments)["points"]}
    alone = {name: compared(name, "--games", "12")["mean"] for name in ("shoals", "dearer", "richer")}
    assert list(means) == [(2, 2), (2, 3), (9, 2), (9, 3)]
    assert (means[2, 2], means[9, 2], means[2, 3]) == (alone["shoals"], alone["dearer"], alone["richer"])
    assert "downwards" in call("simulate", *arguments, "--players", "1").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sweep", "nothing.at[1] = 1..2"], "the rules are invalid with `change nothing: at[1] = 1`"),
        (["--sweep", "tokens"], "is not a clause with values"),
        (["--precision", "1"], "`--precision` needs `--against`"),
        (["--against", "bright", "--sweep", "tokens.at[1] = 1..2"], "cannot be combined with"),
        (["--against", "bright", "--luck", "--precision", "1"], "without `--luck`"),
        (["--luck", "--games", "2"], "2 games are too few to tell luck from skill"),
    ],
)
def test_what_is_wrong_in_a_call(arguments: list[str], message: str, variants: Path, call: Callable[..., Call]) -> None:
    done = call("simulate", "shoals", *arguments)
    assert done.status == 2
    assert message in done.err


def test_a_game_without_chance_has_no_luck(call: Callable[..., Call]) -> None:
    found = call("simulate", "classics.triangle_solitaire", "--luck", "--games", "12", "--json").json
    assert found["luck"] == 0
    assert 0 < found["skill"] <= 1


def test_a_game_of_chance_has_luck(call: Callable[..., Call]) -> None:
    found = call("simulate", "shoals", "--luck", "--games", "20", "--players", "1", "--json").json
    assert 0 < found["luck_interval"][0] <= found["luck"] <= 1


def test_luck_of_rules_beside_each_other(variants: Path, call: Callable[..., Call]) -> None:
    arguments = ("--luck", "--games", "10", "--players", "1")
    both = call("simulate", "shoals", "--against", "bright", *arguments, "--json").json["rules"]
    alone = [call("simulate", name, *arguments, "--json").json for name in ("shoals", "bright")]
    assert both == [{key: value for key, value in one.items() if key != "schema"} for one in alone]
    assert call("simulate", "shoals", "--against", "shoals", *arguments).out.count("Skill explains") == 2
