"""`mutate`: faults that nothing notices, by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.base.records import define, field
from rulewright.grammar.to_text import print_module
from rulewright.rules.linking.project import Project
from rulewright.studies.mutation.testing import MutantStatus, MutationTest, Unmutated
from rulewright.workers.executor import Job, Session
from rulewright.workers.processes import Processes
from tests.cli.testing.authors import run_pytest

ONE_LAMP = """\
puzzle lit:
    rules bright
    players 1

    sea:
        plain@1

    hand 1: bay

    ask: maximise score for 1 turn
"""
"""No tile with a lamp lies there yet."""

VARIANT = """\
module bright:
    "Lamps are worth more."
    extends shoals

change worth:
    replace lamp: 5 when at(c) has lamp

change lay:
    require fair: size(hand of player) >= 0
"""


@pytest.fixture
def own(folder: Path) -> Path:
    for path in folder.iterdir():
        if path.name not in {"shoals.rules", "narrows.puzzle"}:
            path.unlink()
    (folder / "bright.rules").write_text(VARIANT)
    text = (
        (folder / "narrows.puzzle").read_text().replace("puzzle narrows", "puzzle lit").replace("rules shoals", "rules bright")
    )
    (folder / "lit.puzzle").write_text(text.replace("answer: 8", "answer: 14"))
    return folder


def survivors(call, *arguments: str) -> set[str]:
    return {
        survivor["name"] for survivor in call("mutate", *arguments, "--workers", "1", "--json").json["modules"][0]["survivors"]
    }


EQUIVALENT = {"lay.fair: 0 -> -1", "lay.fair: requirement dropped", "lay: change dropped"}
"""`size(…) >= 0` always holds, with any change but these; `> 0` holds too, as the tile to be laid is in the hand."""


def test_what_nothing_notices(own, call):
    done = call("mutate", "bright", "--workers", "1", "--json")
    assert done.status == 1
    [module] = done.json["modules"]
    assert module["evidence"] == ["lit"]
    assert {survivor["name"] for survivor in module["survivors"]} == {*EQUIVALENT, "lay.fair: `>=` -> `>`", "lay.fair: 0 -> 1"}
    assert module["mutants"] == module["broken"] + module["noticed"] + len(module["survivors"])
    assert all(survivor["decided"] for survivor in module["survivors"])


def test_a_fault_that_only_a_plan_notices(own, call):
    """With three tiles in the hand to begin with, where nothing is solved; a plan that is refused tells the limit apart."""
    (own / "bright.rules").write_text(VARIANT.replace(">= 0", ">= 2"))
    (own / "lit.puzzle").write_text((own / "lit.puzzle").read_text().replace("    answer: 14\n", ""))
    assert "lay.fair: 2 -> 1" in survivors(call, "bright", "--time", "0")
    (own / "lit.puzzle").write_text((own / "lit.puzzle").read_text() + "    refuse: lay plain south, lay twins west\n")
    assert "lay.fair: 2 -> 1" not in survivors(call, "bright", "--time", "0")


def test_a_fault_that_only_solving_notices(own, call):
    """Only the best to be reached depends on the worth of a lamp, expected or recorded."""
    for expected in ("", "    answer: 6\n"):
        (own / "lit.puzzle").write_text(ONE_LAMP + expected)
        assert "worth.lamp: 5 -> 6" not in survivors(call, "bright")
        assert "worth.lamp: 5 -> 6" in survivors(call, "bright", "--time", "0")


def test_puzzles_of_a_variant_are_solved_too(own, call):
    """The puzzle that names the module says nothing of what a lamp is worth, the one of a module that extends it does."""
    (own / "lit.puzzle").write_text(
        "puzzle lit:\n    rules bright\n    players 1\n\n    sea:\n        plain@1\n\n    hand 1: plain\n"
    )
    assert "worth.lamp: 5 -> 6" in survivors(call, "bright")
    (own / "more.rules").write_text("module more:\n    extends bright\n")
    (own / "more.puzzle").write_text(ONE_LAMP.replace("puzzle lit", "puzzle more").replace("rules bright", "rules more"))
    assert "worth.lamp: 5 -> 6" not in survivors(call, "bright")


def test_a_module_that_cannot_be_extended_any_more(own, call):
    """What a module of the folder changes must be there, though no puzzle or game is at hand."""
    for path in own.glob("*.puzzle"):
        path.unlink()
    text = (own / "bright.rules").read_text()
    (own / "more.rules").write_text("module more:\n    extends bright\n\nchange lay:\n    drop fair\n")
    assert "lay.fair: requirement dropped" not in survivors(call, "bright")
    (own / "more.rules").unlink()
    assert "lay.fair: requirement dropped" in survivors(call, "bright")
    assert (own / "bright.rules").read_text() == text


def test_a_module_beside_the_evidence_must_link_too(own, call):
    """The puzzle is of the changed module; only a module that no puzzle names changes what is dropped."""
    assert "lay.fair: requirement dropped" in survivors(call, "bright", "--time", "0")
    (own / "more.rules").write_text("module more:\n    extends bright\n\nchange lay:\n    drop fair\n")
    assert "lay.fair: requirement dropped" not in survivors(call, "bright", "--time", "0")


def test_modules_named_together_come_to_the_same_as_each_alone(own, call):
    """What holds without a fault is found once for both. One of three puzzles alone tells what a lamp is worth."""
    (own / "more.rules").write_text(
        "module more:\n    extends bright\n\nchange lay:\n    require few: size(hand of player) < 9\n"
    )
    for name in ("first", "second"):
        text = ONE_LAMP.replace("puzzle lit", f"puzzle {name}").replace("rules bright", "rules more").replace("bay", "plain")
        (own / f"{name}.puzzle").write_text(text.partition("    ask:")[0].rstrip() + "\n")
    told = ("--workers", "1", "--time", "120", "--json")
    alone = [call("mutate", name, *told).json["modules"][0] for name in ("bright", "more")]
    assert call("mutate", "bright", "more", *told).json["modules"] == alone
    assert "worth.lamp: 5 -> 6" not in {survivor["name"] for survivor in alone[0]["survivors"]}


@pytest.mark.parametrize(("fault", "status"), [("worth.lamp: 5 -> 6", "KILLED"), ("lay.fair: 0 -> -1", "SURVIVED")])
def test_pytest_and_mutate_notice_the_same(fault, status, own, call, monkeypatch):
    """The mutant written into the folder, where only the recorded answer tells: pytest fails where `mutate` notices."""
    monkeypatch.delenv("CI", raising=False)  # there, `review` accepts nothing
    (own / "narrows.puzzle").unlink()
    (own / "lit.puzzle").write_text(ONE_LAMP)
    call("review", "--accept", "all")
    test = MutationTest(Unmutated(Project(own), 5), "bright")
    number = next(number for number, mutant in enumerate(test.mutants) if mutant.name == fault)
    assert test.verdict(number).status is MutantStatus[status]
    (own / "bright.rules").write_text(print_module(test.mutants[number].module))
    assert run_pytest(own, "-k", "not linked_rules").failed == ({"lit.puzzle::best"} if status == "KILLED" else set())


def test_reasons(own, call):
    (own / "gaps.toml").write_text(
        '[mutate."bright"]\n' + "".join(f'"{name}" = "a hand is never less"\n' for name in survivors(call, "bright"))
    )
    done = call("mutate", "bright", "--workers", "1")
    assert done.status == 0
    assert "lay.fair: 0 -> -1  a hand is never less" in done.out
    with (own / "gaps.toml").open("a") as file:
        file.write('"worth.lamp: 5 -> 6" = "never seen"\n')
    done = call("mutate", "bright", "--workers", "1")
    assert done.status == 1
    assert "listed as unnoticed, but noticed\n  worth.lamp: 5 -> 6" in done.out


def test_a_saved_game_notices(own, call):
    for path in own.glob("*.puzzle"):
        path.unlink()
    assert call("mutate", "bright", "--workers", "1", "--json").json["modules"][0]["noticed"] == 0
    (own / "saved.play").write_text("play saved:\n    rules bright\n    players 1\n    seed 1\n")
    found = call("mutate", "bright", "--workers", "1", "--json").json["modules"][0]
    assert found["noticed"] > 0
    assert "worth.lamp: 5 -> 6" not in {survivor["name"] for survivor in found["survivors"]}


def test_several_processes_come_to_the_same(own, call):
    one, two = (call("mutate", "bright", "--workers", number, "--json").json for number in ("1", "2"))
    assert one == two


def test_evidence_that_does_not_hold_itself_is_named(own, call):
    """It can notice nothing, which is no merit of the rules."""
    text = (own / "lit.puzzle").read_text()
    (own / "broken.puzzle").write_text(text.replace("puzzle lit", "puzzle broken").replace("hand 1:", "hand 1: nosuch,"))
    done = call("mutate", "bright", "--workers", "1")
    assert "fails even without a mutation: broken" in done.out
    assert call("mutate", "bright", "--workers", "1", "--json").json["modules"][0]["idle"] == ["broken"]


def test_a_sample_is_drawn_by_its_seed(own, call):
    """Of a sample, only the mutants that were tried can be outdated reasons."""
    (own / "gaps.toml").write_text('[mutate."bright"]\n"worth.lamp: 5 -> 6" = "never seen"\n"no such mutant" = "gone"\n')
    drawn = [call("mutate", "bright", "--workers", "1", "--sample", "3", "--seed", seed, "--json").json for seed in "1123"]
    assert drawn[0] == drawn[1]
    assert {found["modules"][0]["mutants"] for found in drawn} == {3}
    assert len({str(found) for found in drawn}) > 1
    assert all("no such mutant" in found["modules"][0]["outdated"] for found in drawn)
    assert not all("worth.lamp: 5 -> 6" in found["modules"][0]["outdated"] for found in drawn)
    assert call("mutate", "bright", "--workers", "1", "--sample", "0").status == 2


@pytest.fixture
def tried(monkeypatch) -> list[str]:
    """The names of the mutants that are tried, as they are."""
    names: list[str] = []
    verdict = MutationTest.verdict

    def noted(test: MutationTest, number: int):
        names.append(test.mutants[number].name)
        return verdict(test, number)

    monkeypatch.setattr(MutationTest, "verdict", noted)
    return names


def run_on(call, *arguments: str) -> dict:
    return call("mutate", "bright", "--workers", "1", "--time", "0", "--journal", "v.jsonl", "--json", *arguments).json


def test_what_a_journal_knows_is_not_tried_again(own, call, tried):
    first = run_on(call, "--sample", "4")
    part = list(tried)
    assert len(part) == 4
    whole = run_on(call)
    assert sorted(tried) == sorted(mutant.name for mutant in MutationTest(Unmutated(Project(own), 0.0), "bright").mutants)
    assert run_on(call) == whole
    assert whole == call("mutate", "bright", "--workers", "1", "--time", "0", "--json").json
    tried.clear()
    assert run_on(call, "--sample", "4") == first
    assert not tried


@define(eq=False)
class LatestFirst(Session):
    """Does the item that was submitted last."""

    job: Job
    waiting: list = field(factory=list)

    def submit(self, number, item):
        self.waiting.append((number, item))

    def collect(self):
        number, item = self.waiting.pop()
        return [(number, self.job.work(self.job.begin(), item))]

    def close(self): ...


def test_a_slow_mutant_does_not_keep_others_from_the_journal(own, call, tried, monkeypatch):
    whole = run_on(call)
    tried.clear()
    (own / "v.jsonl").unlink()
    monkeypatch.setattr(Processes, "open", lambda executor, job: LatestFirst(job))
    assert run_on(call) == whole
    kept = [json.loads(line)["mutant"] for line in (own / "v.jsonl").read_text().splitlines()]
    names = [mutant.name for mutant in MutationTest(Unmutated(Project(own), 0.0), "bright").mutants]
    assert kept == tried and sorted(kept) == sorted(names) and kept != names


def test_a_larger_sample_contains_a_smaller_one(own, call, tried):
    call("mutate", "bright", "--workers", "1", "--time", "0", "--sample", "3")
    few = set(tried)
    tried.clear()
    call("mutate", "bright", "--workers", "1", "--time", "0", "--sample", "6")
    assert few < set(tried)


def test_a_survivor_is_tried_again_when_there_is_more_evidence(own, call, tried):
    (own / "bright.rules").write_text(VARIANT.replace(">= 0", ">= 2"))
    (own / "lit.puzzle").write_text((own / "lit.puzzle").read_text().replace("    answer: 14\n", ""))
    before = {one["name"] for one in run_on(call)["modules"][0]["survivors"]}
    assert "lay.fair: 2 -> 1" in before
    tried.clear()
    text = (own / "lit.puzzle").read_text() + "    refuse: lay plain south, lay twins west\n"
    (own / "more.puzzle").write_text(text.replace("puzzle lit", "puzzle more"))
    after = {one["name"] for one in run_on(call)["modules"][0]["survivors"]}
    assert set(tried) == before
    assert "lay.fair: 2 -> 1" not in after


def test_a_killed_mutant_is_tried_again_when_its_killer_changes(own, call, tried):
    (own / "bright.rules").write_text(VARIANT.replace(">= 0", ">= 2"))
    plain = (own / "lit.puzzle").read_text().replace("    answer: 14\n", "")
    (own / "lit.puzzle").write_text(plain + "    refuse: lay plain south, lay twins west\n")
    assert "lay.fair: 2 -> 1" not in {one["name"] for one in run_on(call)["modules"][0]["survivors"]}
    tried.clear()
    (own / "lit.puzzle").write_text(plain)
    assert "lay.fair: 2 -> 1" in {one["name"] for one in run_on(call)["modules"][0]["survivors"]}
    assert "lay.fair: 2 -> 1" in tried


def test_a_file_that_is_no_journal_of_verdicts(own, call):
    (own / "v.jsonl").write_text("shopping\n")
    done = call("mutate", "bright", "--journal", "v.jsonl")
    assert done.status == 2
    assert "is not a journal of verdicts" in done.err
