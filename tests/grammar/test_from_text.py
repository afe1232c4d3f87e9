"""Files that parse, and files that do not, with what is said of them recorded beside them.

Set RULEWRIGHT_RECORD=1 to record anew, and read the difference.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.base.limits import Limits
from rulewright.grammar.explain import titles
from rulewright.grammar.from_text import parse_module, parse_puzzle
from tests.grammar.shipped import GOOD
from tests.paths import ROOT

OTHER_LAYERS = {"RW025", "RW026", "RW057", "RW058", "RW059"}
BAD = [path for path in sorted((ROOT / "tests/cases/bad").glob("RW0*")) if path.suffix != ".json"]


def record_of(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def parse(path: Path, limits: Limits) -> None:
    (parse_puzzle if path.suffix == ".puzzle" else parse_module)(path.read_text("utf-8"), path.name, limits)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_bad_files_are_refused_as_recorded(path: Path):
    recorded = json.loads(record_of(path).read_text("utf-8"))
    with pytest.raises(RulesError) as caught:
        parse(path, Limits(**recorded.get("limits", {})))
    found = [
        {"code": d.code, "line": d.span.line, "column": d.span.column, "message": d.message, "help": d.help}
        for d in caught.value.diagnostics
        if d.span
    ]
    if os.environ.get("RULEWRIGHT_RECORD"):
        text = json.dumps({**recorded, "diagnostics": found}, indent=2, ensure_ascii=False)
        record_of(path).write_text(text + "\n", "utf-8")
    assert found == recorded["diagnostics"]
    assert path.name[:5] in {d["code"] for d in found}


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_good_files_are_read(path: Path):
    parse(path, Limits())


def test_every_code_has_a_bad_file():
    ours = {code for code in titles() if int(code[2:]) < 70} - OTHER_LAYERS
    assert ours == {path.name[:5] for path in BAD}


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_messages_follow_the_house_style(path: Path):
    for found in json.loads(record_of(path).read_text("utf-8"))["diagnostics"]:
        assert found["message"][0].islower() or found["message"][0] == "`"
        assert not found["message"].endswith(".")
        assert found["help"]
        assert "Token" not in found["message"] and "__ANON" not in found["message"] + found["help"]


BROKEN = """
module brk:
    "Breaks."

define full(c in field):
    = every n in around(c):
        occupied(n) and
        some m in around(n):
            let d = 3:
                d > 2
        cite b.c

action lay(c in field):
    require vacant: not occupied(c) and every n in around(c):
        not occupied(n)
        else "no"
    effect lay: if every n in around(c):
        occupied(n): stop

score full_ones: sum 1 for c in field where every n in around(c):
    occupied(n)
"""


def test_a_line_may_break_after_the_colon_of_an_expression():
    joined = re.sub(r"((every|some|let) [^\n]*:)\n +", r"\1 ", BROKEN)
    assert joined.count("\n") == BROKEN.count("\n") - 6
    assert parse_module(BROKEN, "broken") == parse_module(joined, "joined")


def test_what_is_wrong_behind_such_a_break_is_said_there():
    with pytest.raises(RulesError) as caught:
        parse_module('module brk:\n    "Breaks."\n\ndefine d(c):\n    = every n in c:\n        n = = 1\n', "broken")
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column) == ("RW011", 6, 13)
