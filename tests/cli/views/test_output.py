"""What people read, as snapshots: on games of every shape."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.base.styled_text import Style, Styled, columns, escape, width
from rulewright.cli.app import app

SHOWN = {
    "check": ("check", "shoals", "bright.rules", "narrows", "combs", "towers"),
    "score": ("score", "narrows"),
    "actions": ("actions", "narrows"),
    "why not": ("actions", "narrows", "--why", "lay bay north"),
    "why": ("actions", "narrows", "--why", "lay bay south"),
    "square": ("show", "narrows"),
    "hex": ("show", "combs_three"),
    "cube and graph": ("show", "towers_built"),
    "set up": ("show", "shoals", "--players", "2", "--seed", "3"),
    "solve": ("solve", "narrows"),
    "solve wrong answer": ("solve", "wrong_answer"),
    "solve all": ("solve", "narrows", "--all", "2"),
    "solve count": ("solve", "narrows_counted"),
    "solve unique": ("solve", "narrows", "--unique", "--hint", "1"),
    "solve key": ("solve", "towers_key", "--unique", "--all", "9"),
    "solve impossible": ("solve", "too_far"),
    "simulate": ("simulate", "shoals", "--games", "40", "--players", "2"),
    "explain": ("explain", "rw12"),
}


def without_times(text: str) -> str:
    text = re.sub(r"\d+\.\d\d s\b", "TIME s", text)
    return re.sub(r"[\d,]+ a second", "MANY a second", text)


@pytest.mark.parametrize("name", SHOWN)
def test_text(name, call, snapshot):
    assert without_times(call(*SHOWN[name]).out) == snapshot


def test_help_names_every_command_and_every_option(call):
    commands = {command.name or command.callback.__name__.strip("_"): command for command in app.registered_commands}
    said = call("--help").out
    assert "...\n" not in said.partition("Commands:")[2]
    for name in commands:
        assert f"\n  {name} " in said
        assert name == "lsp" or "--json" in call(name, "--help").out  # what `lsp` prints is a protocol of its own


def test_check_of_a_broken_folder(call, broken, snapshot):
    done = call("check", "broken.rules", "ill.rules", "impossible.puzzle", "shoals")
    assert done.status == 2
    assert done.out == "ok  shoals\n"
    assert done.err == snapshot


def test_a_terminal_gets_colour_and_no_color_forbids_it(call, monkeypatch):
    monkeypatch.setattr("rulewright.cli.views.output.sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    coloured = call("show", "narrows").out
    assert "\x1b[34m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = call("show", "narrows").out
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_names_from_files_cannot_write_on_the_terminal(call, broken):
    Path("evil.rules").write_text('module evil:\n    "\x1b[31mred \u202e"\n    extends nothing\n')
    done = call("check", "evil.rules")
    assert done.status == 2
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err
    assert "\N{SYMBOL FOR ESCAPE}" in done.err
    odd = Path("a\x1b[2Jb.rules")
    odd.write_text("module odd:\n    extends nothing\n")
    assert "\x1b" not in call("check", str(odd)).err


def test_rich_markup_is_text(call):
    Path("shout.puzzle").write_text(Path("mute.puzzle").read_text().replace("Asks nothing.", "[red]Asks[/red] [nothing"))
    assert "[red]Asks[/red] [nothing" in call("show", "shout.puzzle").out


def test_files_are_shown_from_the_current_folder(call, broken, monkeypatch):
    assert "--> ill.rules:2:9" in call("check", str(broken / "ill.rules")).err
    (broken / "inner").mkdir()
    monkeypatch.chdir(broken / "inner")
    assert f"--> {broken}/ill.rules:2:9" in call("check", str(broken / "ill.rules")).err


def test_a_file_elsewhere_is_read_with_its_neighbours(call, folder, monkeypatch, tmp_path):
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "away")
    assert call("check", str(folder / "bright.rules"), str(folder / "narrows.puzzle")).status == 0
    assert call("check", "../project/bright.rules").status == 0
    assert call("solve", "../project/narrows.puzzle", "--json").json["score"] == 8


def test_escape_keeps_the_number_of_characters():
    text = "a\tb\x07\x9b\u200f\ud800\u00e9"
    assert len(escape(text)) == len(text)
    assert escape(text).isprintable()
    assert escape("plain text") == "plain text"


def test_width_counts_columns():
    assert width("abc") == 3
    assert width("\u6f22") == 2
    assert width("e\u0301") == 1


def test_styles_are_closed():
    assert Styled("x", Style.STRONG).coloured() == "\x1b[1mx\x1b[0m"
    assert Styled("x").coloured() == "x"


def test_columns_are_read_downwards():
    assert columns(["a", "b", "c"], 8) == ["a   c", "b"]
    assert columns([]) == []


def test_what_nobody_escaped_does_no_harm_to_a_terminal(call, folder):
    """Names of files come from strangers; a forgotten escape is made up for where lines are written."""
    drawn = "\x1b]0;title\x07\u202e.svg"
    done = call("show", "narrows", "--svg", drawn)
    assert (folder / drawn).exists()
    assert done.err == "wrote ␛]0;title␇\N{REPLACEMENT CHARACTER}.svg\n"
