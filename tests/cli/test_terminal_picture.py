"""Pictures in terminals: who shows them, and that a file arrives whole."""

from __future__ import annotations

import re
from base64 import b64decode

import pytest

from rulewright.cli.views.terminal_picture import CHUNK, in_escapes, knows_pictures


@pytest.mark.parametrize(
    ("environment", "known"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "screen-256color", "KITTY_WINDOW_ID": "1", "TMUX": "/tmp/tmux"}, False),
        ({"TERM": "xterm-256color"}, False),
    ],
)
def test_terminals_that_name_themselves_show_pictures(environment: dict[str, str], known: bool) -> None:
    assert knows_pictures(environment) is known


@pytest.mark.parametrize("size", [1, 3 * CHUNK // 4, 3 * CHUNK // 4 + 1, 10_000])
def test_a_file_arrives_whole_in_parts_of_the_protocol(size: int) -> None:
    png = bytes(number % 256 for number in range(size))
    found = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", in_escapes(png))
    assert b64decode("".join(part for _, part in found)) == png
    assert all(len(part) <= CHUNK for _, part in found)
    assert [head[-1] for head, _ in found] == ["1"] * (len(found) - 1) + ["0"]
    assert found[0][0].startswith("a=T,f=100")
