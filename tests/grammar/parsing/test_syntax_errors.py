"""What is said of a line that cannot be read: in words of the language, never in those of the grammar."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module, parse_puzzle

PUZZLE = "puzzle a:\n    rules b\n\n    {line}\n"
MODULE = 'module a:\n    "A."\n\nprocedure p:\n    {line}\n'
ACTION = 'module a:\n    "A."\n\naction p:\n    {line}\n'
FLOW = 'module a:\n    "A."\n\nflow:\n    repeat:\n        if hungry: {line}\n'


@pytest.mark.parametrize(
    ("text", "line", "offered"),
    [
        (PUZZLE, "ask: win for 1 for 1 turn", "`in expectation`"),
        (PUZZLE, "x = 4", "an edge or a port, as `a-b`"),
        (MODULE, "label: 3", "`add`, `clear`, `deal`, `do`, `draw`"),
        (MODULE, "effect pay: coins += 1", "leave out `effect`"),
        (ACTION, "effect 3: coins += 1", "expected"),
        (MODULE, "do 3", "expected"),
        (FLOW, "end game", "repeat until …"),
        (FLOW, "do tax", "runs it: `tax`"),
    ],
)
def test_help_names_what_is_written(text: str, line: str, offered: str) -> None:
    with pytest.raises(RulesError) as stopped:
        (parse_puzzle if text is PUZZLE else parse_module)(text.format(line=line), "a text")
    (found,) = stopped.value.diagnostics
    assert found.code == "RW011" and offered in found.help
    assert not any(sign in found.help for sign in ("(?", "\\", "\n", "[", "NAME"))
