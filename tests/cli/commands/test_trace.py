"""`trace`: the rulebook against the rules, and the rules against puzzles and saved games."""

from __future__ import annotations

from pathlib import Path

import pytest

CATALOGUE = """\
# The clauses

module: shoals

### sh.worth
section: Worth

A tile counts one, a lamp two.

### sh.lay
section: Play

Lay a tile beside the boat.

### sh.water
section: Play

Not over land.

### sh.score
section: Worth
same: sh.worth

Count the tiles.

### sh.wind
section: Play

The wind blows.

### sh.end
section: End
no_rule: the flow ends by itself

Then it is over.

### sh.bright
section: Worth
module: bright

Lamps are bright.
"""

ALONE = "puzzle {}:\n    rules shoals\n    players 1\n\n    sea:\n        plain@1\n\n    hand 1: plain\n"


@pytest.fixture
def own(folder: Path) -> Path:
    for path in folder.iterdir():
        if path.name not in {"shoals.rules", "bright.rules", "narrows.puzzle"}:
            path.unlink()
    (folder / "clauses").mkdir()
    (folder / "clauses" / "shoals.md").write_text(CATALOGUE)
    return folder


def gaps(call, *arguments: str) -> dict[str, set[str]]:
    """What is wanting, by kind."""
    found: dict[str, set[str]] = {}
    for gap in call("trace", *arguments, "--json").json["modules"][0]["gaps"]:
        found.setdefault(gap["kind"], set()).add(gap["name"])
    return found


def test_what_no_rule_carries(own, call):
    """Not what says why, nor what another entry says too, nor what another module is to carry."""
    assert gaps(call, "shoals")["not_carried"] == {"sh.wind"}
    assert gaps(call, "bright")["not_carried"] == {"sh.bright"}


def test_what_cites_nothing(own, call):
    found = gaps(call, "shoals")["cites_nothing"]
    assert found == {"procedure set_up", "procedure refill", "rank", "invariant afloat"} | {
        f"set_up.{label}" for label in ("stone", "gather", "mix", "moor", "deal")
    } | {"refill.deal"}
    (own / "clauses" / "shoals.md").unlink()
    assert "cites_nothing" not in gaps(call, "shoals"), "without a rulebook there is nothing to cite"


def test_what_is_never_seen_at_work(own, call):
    """In `narrows` both requirements fail somewhere and the lamp counts; alone on a plain neither."""
    assert not {"never_failed", "never_applied"} & set(gaps(call, "shoals"))
    assert gaps(call, "bright") == {"never_applied": {"worth.lamp"}, "not_carried": {"sh.bright"}}
    (own / "narrows.puzzle").write_text(ALONE.format("narrows"))
    assert gaps(call, "shoals")["never_failed"] == {"lay.vacant", "lay.by_water"}
    assert gaps(call, "shoals")["never_applied"] == {"worth.lamp"}


def test_a_saved_game_and_a_refused_plan_are_evidence(own, call):
    (own / "narrows.puzzle").unlink()
    assert gaps(call, "shoals")["never_applied"] == {"worth.lamp"}
    (own / "saved.play").write_text("play saved:\n    rules shoals\n    players 1\n    seed 1\n")
    assert "never_applied" not in gaps(call, "shoals"), "the rock that the game begins on has a lamp"


def test_reasons_and_those_that_are_outdated(own, call):
    (own / "gaps.toml").write_text('[trace."shoals"]\n"sh.wind" = "too wild"\n"lay.vacant" = "never mind"\n')
    done = call("trace", "shoals")
    assert done.status == 1
    assert "sh.wind  too wild" in done.out
    assert "listed as missing, but present\n  lay.vacant" in done.out
    wanting = gaps(call, "shoals")
    text = '[trace."shoals"]\n' + "".join(f'"{name}" = "so it is"\n' for names in wanting.values() for name in names)
    (own / "gaps.toml").write_text(text)
    assert call("trace", "shoals").status == 0
    (own / "gaps.toml").write_text("nonsense")
    done = call("trace", "shoals")
    assert (done.status, done.out) == (2, "")
    assert "is not a file of known gaps" in done.err


def test_only_what_is_named_is_evidence(own, call):
    (own / "mute.puzzle").write_text(ALONE.format("mute"))
    assert gaps(call, "shoals", "--on", "mute")["never_applied"] == {"worth.lamp"}
    assert "never_applied" not in gaps(call, "shoals", "--on", "mute,narrows")
    assert "never_applied" not in gaps(call, "shoals", "--on", ".")
    assert call("trace", "shoals", "--on", "nothing").status == 2
    assert call("trace", "shoals", "--on", "nothing.play").status == 2
    assert call("trace", "nothing").status == 2


def test_evidence_with_errors_is_left_out_and_told(own, call):
    (own / "bad.puzzle").write_text("puzzle bad:\n    rules shoals\n    players\n")
    done = call("trace", "shoals")
    assert done.status == 1
    assert "error[RW" in done.err


def test_every_clause(own, call, snapshot):
    assert call("trace", "shoals", "--all").out == snapshot
