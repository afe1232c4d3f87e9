"""`--limits`: a text that is too much by default is allowed when the call says so."""

import pytest

from rulewright.cli.limits import read_limits
from rulewright.grammar.diagnostics import RulesError

LONG = "# " + "far " * 2000 + "\n"


def test_a_limit_is_raised(call, folder):
    (folder / "long.rules").write_text(LONG + (folder / "shoals.rules").read_text().replace("module shoals", "module long"))
    assert call("check", "long.rules").status == 2
    assert call("--limits", "line_length=9000", "check", "long.rules").status == 0


def test_a_limit_that_is_none_is_refused(call):
    assert call("--limits", "nestin=9", "check", "beacon_patrol").status == 2


@pytest.mark.parametrize(("text", "hint"), [("nestin=9", "did you mean `nesting`?"), ("nodes=many", "write `nodes=1000`")])
def test_what_is_no_limit(text, hint):
    with pytest.raises(RulesError) as caught:
        read_limits(text)
    assert caught.value.diagnostics[0].help == hint
