"""`--limits`: a text that is too much by default is allowed when the call says so."""

import pytest

from rulewright.cli.limits import read_limits
from rulewright.grammar.diagnostics import RulesError

DEEP = """module deep:
    "Brackets in brackets."

define far = {open}1{close}

action wait():
    effect done: stop

flow:
    repeat: choose wait, or stop

score far: far
"""


def test_a_limit_is_raised(call, folder):
    (folder / "deep.rules").write_text(DEEP.format(open="min(1, " * 70, close=")" * 70))
    assert call("check", "deep.rules").status == 2
    assert call("--limits", "nesting=200", "check", "deep.rules").status == 0


def test_a_limit_that_is_none_is_refused(call):
    assert call("--limits", "nestin=9", "check", "beacon_patrol").status == 2


@pytest.mark.parametrize(("text", "hint"), [("nestin=9", "did you mean `nesting`?"), ("nodes=many", "write `nodes=1000`")])
def test_what_is_no_limit(text, hint):
    with pytest.raises(RulesError) as caught:
        read_limits(text)
    assert caught.value.diagnostics[0].help == hint
