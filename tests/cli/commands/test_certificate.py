"""`solve --certificate`: the file, what is said of it, and when there is none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from rulewright.base.deadline import TimeUp
from rulewright.checker.rulewright_check import check_certificate
from rulewright.puzzles.catalogue import SHIPPED
from rulewright.rules.play.engine import State
from rulewright.solver.certificates.closed_sets import Room
from rulewright.solver.certificates.parts import Proof


def test_a_certificate_is_written_and_holds(call, folder: Path) -> None:
    done = call("solve", "narrows", "--certificate", "proof.gz", "--json")
    told = done.json["certificate"]
    assert done.status == 0 and told["file"] == "proof.gz" and told["none"] is None
    with (folder / "proof.gz").open("rb") as file:
        checked = check_certificate(file, None, 100)
        assert told["bytes"] == file.tell()
    assert checked.claim.endswith(f" {done.json['score']}") and checked.states == told["states"] > 1


def test_the_core_is_that_of_the_puzzle(call, folder: Path) -> None:
    call("solve", "narrows", "--certificate", "proof.gz")
    call("core", "narrows", "-o", "core.json")
    _, core, *_ = gzip.decompress((folder / "proof.gz").read_bytes()).decode().splitlines()
    assert json.loads(core) == json.loads((folder / "core.json").read_text())


def test_a_closed_set_that_does_not_fit(call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.solver.certificates.closed_sets.NUMBERED", 1 << 26)
    done = call("solve", "narrows", "--certificate", "proof.gz", "--memory", "400")
    assert done.status == 10 and "optimal" in done.out
    assert "no certificate, after 2 states: its states do not fit into memory" in done.out
    assert not (folder / "proof.gz").exists()


@pytest.mark.parametrize(
    ("end", "status", "said"), [(TimeUp, 10, "the time limit was reached"), (KeyboardInterrupt, 130, "the run was stopped")]
)
def test_a_certificate_that_is_cut_short(
    call, folder: Path, monkeypatch: pytest.MonkeyPatch, end: type[BaseException], status: int, said: str
) -> None:
    def cut(self: Room, state: State, before: State) -> None:
        raise end

    monkeypatch.setattr(Room, "take", cut)
    done = call("solve", "narrows", "--certificate", "proof.gz")
    assert done.status == status and "optimal" in done.out and f"no certificate, after 0 states: {said}" in done.out
    assert not (folder / "proof.gz").exists()


def test_an_answer_that_is_contradicted(call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Proof, "_bound", property(lambda self: self.claim.value - 1))
    done = call("solve", "narrows", "--certificate", "proof.gz")
    assert done.status == 3 and "an end of play is beyond the bound that was proved" in done.err
    assert not (folder / "proof.gz").exists()


def test_what_has_no_certificate_is_refused_at_once(call, folder: Path) -> None:
    assert "needs a single puzzle" in call("solve", ".", "--certificate", "proof.gz").err
    assert "cannot be written" in call("solve", "narrows", "--certificate", "missing/proof.gz").err
    done = call("solve", "narrows", "--many", "--certificate", "proof.gz")
    assert done.status == 2 and "options for a single puzzle" in done.err


def test_plans_are_counted_as_sequences_or_not_at_all(call, folder: Path) -> None:
    for name, said in (("missionaries_three", "; 4 plans have it"), ("rush_hour_first", "")):
        text = next(SHIPPED.rglob(f"{name}.puzzle")).read_text().replace(f"puzzle {name}", "puzzle counted")
        lines = [line for line in text.splitlines() if not line.strip().startswith(("answer:", "plan:"))]
        (folder / "counted.puzzle").write_text("\n".join(lines).replace("fewest", "count fewest") + "\n")
        done = call("solve", "counted", "--certificate", "proof.gz")
        assert done.status == 0 and ("not about the number of plans" in done.out) is (not said)
        with (folder / "proof.gz").open("rb") as file:
            claim = check_certificate(file, None, 100).claim
        assert claim.startswith("the least number of moves that reaches the goal is ") and claim.endswith(said)


def test_no_certificate_says_what_players_know(call, folder: Path) -> None:
    """The core has no words for it: who reads its question alone would let players see everything."""
    done = call("solve", "kuhn_value", "--certificate", "kuhn.gz")
    assert done.status == 2 and "mixed strategies" in done.err and not (folder / "kuhn.gz").exists()
    assert call("core", "kuhn_value", "--json").json["question"] is None


def test_mixed_strategies_are_printed(call) -> None:
    printed = call("solve", "kuhn_value").out
    assert "-1/18" in printed and "hand: queen, laid of 1: 2   pass 2/3, bet 1/3" in printed
    strategies = call("solve", "kuhn_value", "--json").json["strategies"]
    assert {choice["player"] for choice in strategies} == {1, 2}
    assert "and at 5 more choices: `--all 6`" in call("solve", "kuhn_value", "--all", "1").out
