"""`diff --on`: what differences do to puzzles, and which of them does it. `--variant`: a position under changed rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.rules.linking.project import Project
from rulewright.studies.rule_impact import RuleSubstitution, impacts
from rulewright.workers.processes import Processes

MANY = """module many:
    extends shoals

marker gull

define charted(c) = occupied(c) and at(c) has lamp

change worth:
    replace lamp: 5 when charted(c)

change lay:
    drop by_water

change shore:
    bay x2

rank by score:
    "Anyone" 0..
"""

# Two clauses that come to something only when both are changed: what a lamp counts, and that lamps are counted at all.
LAMPS = """module lamps:
    extends shoals

table price by players:
    players: lamp
    1:       0
    2:       0

define shine = 0

change worth:
    replace lamp: 2 + shine * price.lamp(player_count) when at(c) has lamp
"""
BOTH = """module both:
    extends lamps

change shine:
    replace value: 2

change price: lamp[2] = 1
"""


@pytest.fixture
def more(folder):
    for name, text in (("many", MANY), ("lamps", LAMPS), ("both", BOTH)):
        (folder / f"{name}.rules").write_text(text)
    return folder


def test_each_change_has_its_share(call, more, snapshot):
    done = call("diff", "shoals", "many", "--on", "narrows", "--workers", "1")
    assert done.status == 0
    assert done.out == snapshot


def test_shares_as_json(call, more):
    """A lamp more is +6 by itself. That boats cross land opens actions; more lamps in the box change nothing here."""
    document = call("diff", "shoals", "many", "--on", "narrows", "--json").json
    (puzzle,) = document["puzzles"]
    assert (puzzle["a"]["answer"], puzzle["a"]["score"]) == (8, 4)
    assert (puzzle["legal_added"], puzzle["legal_dropped"]) == (["lay bay west"], [])
    causes = {tuple(cause["clauses"]): cause for cause in puzzle["causes"]}
    assert causes["worth.lamp",] == {"clauses": ["worth.lamp"], "answer": 6, "score": 3, "reached": 0, "legal": False}
    assert causes["lay.by_water",]["legal"] is True
    assert ("shore.bay",) not in causes
    assert ("rank",) not in causes
    assert document["causes"][0]["puzzles"] == ["narrows"]
    total = puzzle["b"]["answer"] - puzzle["a"]["answer"]
    assert sum(cause["answer"] for cause in puzzle["causes"]) == total


def test_what_only_both_do(call, more):
    """Neither the price nor the shine alone changes what a lamp counts."""
    document = call("diff", "lamps", "both", "--on", "narrows", "--json").json
    assert [change["clause"] for change in document["changes"]] == ["price.lamp[2]", "shine.value"]
    (puzzle,) = document["puzzles"]
    assert puzzle["causes"] == [{"clauses": [], "answer": 4, "score": 2, "reached": 0, "legal": False}]
    assert "only in combination: 1 puzzle, answers +4, scores +2" in call("diff", "lamps", "both", "--on", "narrows").out


def test_a_question_that_has_another_answer(call, more):
    """Ten points in two turns are out of reach, unless lamps count more."""
    out = call("diff", "shoals", "bright", "--on", "too_far").out
    assert "score +3 (2 -> 5)" in out
    text = Path("too_far.puzzle").read_text()
    asked = text[text.index("ask:") :].splitlines()[0]
    Path("near.puzzle").write_text(text.replace("too_far", "near").replace(asked, "ask: reach score >= 6 for 1 turn"))
    out = call("diff", "shoals", "bright", "--on", "near.puzzle").out
    assert "1 within reach now" in out
    assert "1 out of reach now" in call("diff", "bright", "shoals", "--on", "near.puzzle").out


def test_puzzles_by_name_folder_and_pattern(call, more):
    def posed(*on):
        words = [word for name in on for word in ("--on", name)]
        return [puzzle["puzzle"] for puzzle in call("diff", "shoals", "bright", *words, "--json").json["puzzles"]]

    assert posed("narrows,mute") == posed("narrows", "mute") == ["narrows", "mute"]
    assert posed("n*.puzzle", "narrows") == [p.stem for p in sorted(Path().glob("n*.puzzle"))]
    assert set(posed(".")) == {p.stem for p in Path().glob("*.puzzle")}


def test_what_cannot_be_posed_is_said(call, more):
    assert call("diff", "shoals", "bright", "--on", "nothing").status == 2
    (more / "empty").mkdir()
    assert "there is no puzzle in `empty`" in call("diff", "shoals", "bright", "--on", "empty").err
    assert "invalid under both rules: combs_three" in call("diff", "shoals", "bright", "--on", "combs_three").out
    out = call("diff", "shoals", "combs", "--on", "combs_three").out
    assert "only under the second rules: combs_three: " in out


def test_puzzles_that_nothing_changes(call, more):
    assert call("diff", "shoals", "lamps", "--on", "narrows").out.splitlines()[-1] == "no change: 1 puzzle"


def test_the_exit_code_is_about_the_rules(call):
    assert call("diff", "shoals", "bright", "--on", "mute", "--exit-code").status == 1
    assert call("diff", "shoals", "shoals", "--on", "mute", "--exit-code").status == 0


def test_workers_find_the_same(more):
    project = Project(more)
    puzzles = [parse_puzzle(Path(f"{name}.puzzle").read_text(), name) for name in ("narrows", "mute", "too_far")]
    measure = RuleSubstitution(project, project.combine("shoals"), project.combine("many"), 20)
    assert list(impacts(measure, puzzles, Processes(2))) == list(impacts(measure, puzzles, Processes(1)))


# Variants -------------------------------------------------------------------------------------------------------------


def test_the_same_position_under_changed_rules(call, more):
    assert call("solve", "narrows", "--variant", "bright", "--json").json["score"] == 14
    assert call("score", "narrows", "--variant", "bright", "--json").json["score"] == 7
    assert call("score", "narrows", "--variant", "bright.rules").out.splitlines()[-1] == "score 7  Deckhands"
    more_actions = call("actions", "narrows", "--variant", "many", "--json").json["legal"]
    assert set(more_actions) > set(call("actions", "narrows", "--json").json["legal"])
    assert call("actions", "narrows", "--why", "lay bay north", "--variant", "many", "--json").json["failed"][0]["requirement"]
    assert call("show", "narrows", "--variant", "bright", "--json").json["rules"] == ["bright", "shoals"]
    assert call("show", "shoals", "--variant", "bright", "--json").json["rules"] == ["bright", "shoals"]


def test_a_variant_that_is_not_there(call):
    for command in ("solve", "score", "actions", "show", "play"):
        assert call(command, "narrows", "--variant", "brite").status == 2


def test_a_play_under_a_variant_is_replayed_under_it(call, more):
    call("play", "narrows", "--variant", "bright", typed="lay plain south\nsave saved\nquit\n")
    assert "    from narrows with bright\n" in Path("saved.play").read_text()
    done = call("replay", "saved.play", "--json")
    assert (done.status, done.json["score"]) == (0, 8)
    Path("saved.play").write_text(Path("saved.play").read_text().replace(" with bright", ""))
    assert call("replay", "saved.play").status == 1


BESIDE = """module beside:
    extends shoals

change worth:
    lone: 3 when at(c) = spit
"""


def test_puzzles_that_name_other_modules_too(call, more):
    """What a puzzle names beside the changed modules stays: a spit counts three on both sides, also where its own module
    extends the changed one."""
    (more / "beside.rules").write_text(BESIDE)
    text = Path("narrows.puzzle").read_text()
    for name, rules in (("both_named", "shoals + beside"), ("one_named", "beside")):
        (more / f"{name}.puzzle").write_text(
            text.replace("puzzle narrows", f"puzzle {name}").replace("rules shoals", f"rules {rules}")
        )
    alone, *others = call("diff", "shoals", "bright", "--on", "narrows,both_named,one_named", "--json").json["puzzles"]
    assert [alone["a"]["score"], alone["b"]["score"]] == [4, 7]
    for puzzle in others:
        assert [puzzle["a"]["score"], puzzle["b"]["score"]] == [4 + 2, 7 + 2]
        assert [cause["clauses"] for cause in puzzle["causes"]] == [["worth.lamp"]]


def test_modules_that_cannot_stand_beside_the_changed_ones(call, more):
    """The conflict is said of that puzzle; the others are compared."""
    (more / "dim.rules").write_text((more / "bright.rules").read_text().replace("module bright", "module dim"))
    text = Path("narrows.puzzle").read_text()
    (more / "dimmed.puzzle").write_text(text.replace("puzzle narrows", "puzzle dimmed").replace("rules shoals", "rules dim"))
    dimmed, plain = call("diff", "shoals", "bright", "--on", "dimmed,narrows", "--json").json["puzzles"]
    assert "worth.lamp" in dimmed["refused"]
    assert plain["changed"]


NIM = """module nim:
    "Who takes the last match wins."

players 2

state:
    matches:        0..9 = 5
    last of player: truth

action take_some(n in 1..3):
    require there: matches >= n
    effect less: matches -= n
    effect note: for p in players: last of p := p = player

flow:
    repeat until matches = 0:
        for player in players where matches > 0:
            turn: choose take_some

score luck of player: if last of player then 1 else 0
winner: most luck
"""
FEWER = """module nim_two:
    "At most two at a time."
    extends nim

change take_some:
    replace parameter n in 1..2
"""


def test_who_wins_is_said_in_words(call, folder: Path) -> None:
    """Five matches: the first player wins by one; four matches: only where three cannot be taken."""
    (folder / "nim.rules").write_text(NIM)
    (folder / "nim_two.rules").write_text(FEWER)
    for number in (4, 6):
        text = f"puzzle nim_{number}:\n    rules nim\n    matches: {number}\n    ask: win for 1\n"
        (folder / f"nim_{number}.puzzle").write_text(text)
    out = call("diff", "nim", "nim_two", "--on", "nim_4.puzzle", "--on", "nim_6.puzzle").out
    assert "2 puzzles, 1 better for the player, 1 worse for the player" in out
    assert "nim_4  answer loss -> win" in out and "nim_6  answer win -> loss" in out
