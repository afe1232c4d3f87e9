"""Certificates of small games: every kind of part is accepted if it is right, and refused with the reason if it is not."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.checker.rulewright_check import Refused, Unreadable, main
from tests.checker.beside import finished
from tests.checker.certificates import EMPTY, GAMES, WAIT, Lines, Writer, checked, heap_game, packed


@cache
def written(name: str) -> tuple[str, ...]:
    return tuple(Writer(GAMES[name]).write())


def lines_of(name: str) -> Lines:
    return list(written(name))


def with_header(lines: Lines, **changes: Any) -> Lines:
    return [json.dumps({**json.loads(lines[0]), **changes}), *lines[1:]]


def with_claim(lines: Lines, **changes: Any) -> Lines:
    return with_header(lines, claim={**json.loads(lines[0])["claim"], **changes})


def refusal(lines: Lines, core: dict[str, Any] | None = None) -> str:
    with pytest.raises((Refused, Unreadable)) as caught:
        checked(lines, core)
    return str(caught.value)


CLAIMS = {
    "maximise": "the greatest value at the end is 12",
    "minimise": "the least value at the end is 3",
    "reached": "reached: a value of at least 10",
    "not reached": "not reached: a value of at least 40",
    "count": "the greatest value at the end is 12; 2 plans have it",
    "moves, counted": "the least number of moves that reaches the goal is 3; 5 plans have it",
    "moves": "the least number of moves that reaches the goal is 3",
    "impossible": "impossible: no play reaches the goal",
}


@pytest.mark.parametrize("name", GAMES)
def test_a_true_answer_is_accepted(name: str) -> None:
    said = checked(lines_of(name), GAMES[name]).claim
    assert said == CLAIMS.get(name, said)


@pytest.mark.parametrize("name", GAMES)
def test_a_better_answer_is_refused(name: str) -> None:
    claim = json.loads(lines_of(name)[0])["claim"]
    if isinstance(claim["value"], int):
        for value in (claim["value"] + 1, claim["value"] - 1):
            refusal(with_claim(lines_of(name), value=value))
    for status in {"optimal", "reached", "not reached", "impossible"} - {claim["status"]}:
        refusal(with_claim(lines_of(name), status=status))


@pytest.mark.parametrize("name", [name for name in GAMES if "reached" not in name and name != "impossible"])
def test_a_label_that_claims_more_is_refused_where_it_stands(name: str) -> None:
    """Whatever the part, if its first label claims more than the truth, some move betrays it."""
    lines = lines_of(name)
    kind = json.loads(lines[0])["parts"][0]["kind"]
    label, blank, word = lines[2].partition(" ")
    value = Fraction(label) - 1 if kind == "upper" else Fraction(label) + 1
    assert "state 0: " in refusal([*lines[:2], f"{value}{blank}{word}", *lines[3:]])


def test_a_label_is_refused_with_the_state_and_the_move() -> None:
    lines = lines_of("maximise")
    assert lines[2] == "12"
    lines[3] = "13"
    assert refusal(lines) == "state 0: legal move [0, 1] leads to state 1 with label 13, above 12"


def test_lines_too_few_and_too_many() -> None:
    lines = lines_of("maximise")
    assert "ends too early" in refusal(lines[:-1])
    assert "goes on after its last part" in refusal([*lines, "11"])
    assert f"the part has {len(lines) - 1} lines" in refusal(
        with_header([*lines, "11"], parts=[{"kind": "upper", "states": len(lines) - 1}])
    )
    assert "more states are met" in refusal(with_header(lines[:-1], parts=[{"kind": "upper", "states": len(lines) - 3}]))


def test_the_claim_is_about_this_core() -> None:
    lines = lines_of("maximise")
    other = heap_game(heap=7)
    assert "the digest of the core is" in refusal([lines[0], json.dumps(other), *lines[2:]])
    assert "differs in start, digest" in refusal(lines, other)
    moved = json.loads(lines[1])
    moved["start"]["values"]["heap"] = [5]
    assert "the digest of the core is" in refusal([lines[0], json.dumps(moved), *lines[2:]])


def test_a_plan_is_played() -> None:
    lines = lines_of("maximise")
    plan = json.loads(lines[0])["plan"]
    assert "is not legal" in refusal(with_header(lines, plan=[[0, 4], *plan[1:]]))
    assert "is not legal" in refusal(with_header(lines, plan=[*plan, [-1]]))
    assert "or an end" in refusal(with_header(lines, plan=plan[:-1]))
    assert "a plan is missing" in refusal(with_header(lines, plan=None))
    assert "it comes to" in refusal(with_header(lines, plan=json.loads(lines_of("minimise")[0])["plan"]))
    moves = lines_of("moves")
    assert "does not reach the goal" in refusal(with_header(moves, plan=json.loads(moves[0])["plan"][:-1]))
    assert "proves nothing here" in refusal(with_header(lines_of("against"), plan=plan))


def test_a_strategy_must_come_to_an_end() -> None:
    """Who waits for ever loses nothing, by labels alone."""
    lonely = heap_game("minimise", actions=[WAIT], heap=1, others="against best play")
    lonely["flow"][2] = ["run", [], 0]
    lonely = finished(lonely)
    claim = {"status": "optimal", "value": -50, "count": None}
    header = {
        "schema": "rulewright/certificate/1",
        "puzzle": "",
        "core": lonely["digest"],
        "claim": claim,
        "plan": None,
        "estimates": [],
    }
    parts = [{"kind": "upper", "states": 1}, {"kind": "lower", "states": 1}]
    said = refusal([json.dumps({**header, "parts": parts}), json.dumps(lonely), "-50 0", "-50"])
    assert said == "state 0: play need not end: the state can be reached from itself"


def test_a_strategy_is_named_where_one_is_due_and_only_there() -> None:
    lines = lines_of("against")
    assert lines[2].isdigit()
    assert "a move is chosen where all count" in refusal([*lines[:2], f"{lines[2]} 0", *lines[3:]])
    number = next(number for number, line in enumerate(lines[2:], 2) if " " in line)
    label = lines[number].split()[0]
    for word, said in (
        ("", "no move is chosen"),
        (" 9", "is chosen, it has"),
        (" x", "is chosen, it has"),
        (" -1", "is chosen, it has"),
    ):
        assert said in refusal([*lines[:number], label + word, *lines[number + 1 :]])


def test_a_counter_that_falls_proves_nothing() -> None:
    core = json.loads(lines_of("turns")[1])
    core["actions"][0]["effects"].append(["write", ["ends of turn", None, False], 0])
    core = finished(core)
    lines = with_header(lines_of("turns"), core=core["digest"])
    assert "does not only count" in refusal([lines[0], json.dumps(core), *lines[2:]])


def test_a_fault_refuses() -> None:
    core = json.loads(lines_of("maximise")[1])
    core["variables"][2]["values"] = [-60, 10]
    core = finished(core)
    lines = with_header(lines_of("maximise"), core=core["digest"])
    assert "a fault of the rules: a value of" in refusal([lines[0], json.dumps(core), *lines[2:]])


def test_a_goal_reached_at_the_start_costs_nothing() -> None:
    core = heap_game("least", heap=0, until=EMPTY, cost="moves")
    assert checked(Writer(core).write()[:2] and with_header(Writer(core).write()[:2], parts=[])).claim.endswith("is 0")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, core, text = tmp_path / "heap.gz", tmp_path / "core.json", tmp_path / "text"
    file.write_bytes(packed(lines_of("maximise")))
    core.write_text(json.dumps(GAMES["maximise"]), encoding="utf-8")
    text.write_text("11\n", encoding="utf-8")
    assert main([str(file), "--core", str(core)]) == 0
    assert capsys.readouterr().out.startswith("checked: the greatest value at the end is 12\ncore ")
    core.write_text(json.dumps(GAMES["minimise"]), encoding="utf-8")
    assert main([str(file), "--core", str(core)]) == 1
    assert capsys.readouterr().out.startswith("refused: core: ")
    assert main([str(text)]) == 2
    assert main([str(tmp_path / "none")]) == 2
    assert main([str(file), "--memory", "0"]) == 2
    assert "--memory" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["maximise", "minimise", "count", "against", "against, minimise", "in expectation", "moves"])
def test_labels_that_all_agree_on_a_lie(name: str) -> None:
    """Every label is the value claimed, and a plan earns it: only the ends of play, or the goal, tell the truth."""
    lines = lines_of(name)
    header = json.loads(lines[0])
    writer = Writer(GAMES[name])
    plans = [] if header["plan"] is None else writer.plans(writer.start)
    true = header["claim"]["value"]
    for lie in sorted({worth for worth, _ in plans} - {true}) or [-3, 40]:
        plan = next((plan for worth, plan in plans if worth == lie), None)
        words = [f" {line.split()[1]}" if " " in line else "" for line in lines[2:]]
        claim = {**header["claim"], "value": lie}
        forged = [json.dumps({**header, "claim": claim, "plan": plan}), lines[1], *(f"{lie}{word}" for word in words)]
        assert refusal(forged).startswith(("state ", "line "))


def test_an_end_above_its_label_is_refused() -> None:
    lines = lines_of("not reached")
    core = json.loads(lines[1])
    core["question"]["threshold"] = 10
    core = finished(core)
    header = with_header(lines, core=core["digest"])[0]
    said = refusal([header, json.dumps(core), *("9" for _ in lines[2:])])
    assert said.startswith("state ")
    assert said.endswith("is above its label 9")


@pytest.mark.parametrize("others", ["together", "against best play"])
def test_true_labels_do_not_prove_what_they_do_not_say(others: str) -> None:
    """What is reached, with right labels, claimed as not reached; and the other way round."""
    for threshold, kind, status in ((4, "upper", "not reached"), (40, "lower", "reached")):
        core = heap_game("reach", threshold=threshold, others=others)
        if others == "together" and kind == "lower":
            continue
        writer = Writer(core)
        part = writer.part(kind, None)
        header = {
            **writer.answer(), "claim": {"status": status, "value": None, "count": None}, "plan": None,
            "estimates": [], "parts": [{"kind": kind, "states": len(part)}],
        }  # fmt: skip
        assert "does not prove the claim" in refusal([json.dumps(header), json.dumps(core), *part])


def test_what_is_called_impossible_is_not_reached() -> None:
    core = GAMES["moves"]
    claim = {"status": "impossible", "value": None, "count": None}
    header = json.loads(lines_of("moves")[0])
    for states in range(1, 40):
        lines = [
            json.dumps(
                {**header, "claim": claim, "plan": None, "estimates": [], "parts": [{"kind": "least", "states": states}]}
            )
        ]
        said = refusal([*lines, json.dumps(core), *["."] * states])
        if "more states are met" not in said:
            break
    assert said.endswith("its value 0 is below its label inf")


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("name", [name for name in GAMES if "count" in name])
def test_a_number_of_plans_is_a_sum(name: str, place: int) -> None:
    """The label of state 0 with the claim, or that of the last end that counts, is one more."""
    lines = lines_of(name)
    header = json.loads(lines[0])
    first = 2 + header["parts"][0]["states"]
    at = first if place == 0 else max(number for number in range(first, len(lines)) if lines[number] == "1")
    lines[at] = str(int(lines[at]) + 1)
    if place == 0:
        header["claim"]["count"] += 1
    assert refusal([json.dumps(header), *lines[1:]]).startswith("state ")


@pytest.mark.parametrize("name", ["count", "moves, counted"])
def test_plans_are_counted_only_where_they_are_asked_for(name: str) -> None:
    lines = lines_of(name)
    core = json.loads(lines[1])
    core["question"]["counts_plans"] = False
    core = finished(core)
    assert "a number of plans proves nothing here" in refusal(
        [*with_header(lines, core=core["digest"])[:1], json.dumps(core), *lines[2:]]
    )


def test_equal_tiles_make_an_outcome_more_likely() -> None:
    """Of 1, 5 and 5: from a heap of 2, 3 and 4, 11/3, 44/9 and 209/27 are earned on average."""
    assert checked(lines_of("only chance")).claim.endswith(" 209/27")
