"""What a shell offers at the cursor: commands, options, names, paths, codes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rulewright.cli.main import COMPLETE


@pytest.fixture
def offered(call, monkeypatch: pytest.MonkeyPatch):
    """What bash is offered in place of the last word of a line."""

    def asking(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv(COMPLETE, "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        found = call()
        assert (found.status, found.err) == (0, "")
        return [word for word in found.out.splitlines() if word]

    return asking


def test_commands_and_options(offered):
    assert offered("rulewright sc") == ["score"]
    assert offered("rulewright solve --sec") == ["--second-opinion"]


def test_names_of_puzzles_and_modules(offered):
    assert offered("rulewright score narrows") == ["narrows", "narrows_counted", "narrows.puzzle", "narrows_counted.puzzle"]
    assert offered("rulewright play shoa") == ["shoals", "shoals.rules"]
    assert offered("rulewright tree worth --of shoals+bri") == ["shoals+bright", "shoals+bright.rules"]
    assert offered("rulewright solve overbo") == ["overboard"]  # of the library
    assert offered("rulewright explain RW34")[:2] == ["RW340", "RW341"]


def test_paths_of_files_and_folders(offered, folder):
    (folder / "deep" / ".hidden").mkdir(parents=True)
    (folder / "deep" / "own.puzzle").touch()
    (folder / "deep" / "notes.txt").touch()
    assert offered("rulewright score deep/") == ["deep/own.puzzle"]
    assert offered("rulewright check nowhere/") == []
    assert "deep/" in offered("rulewright check ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_shown(call, monkeypatch: pytest.MonkeyPatch, shell: str):
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: shell)
    found = call("--show-completion")
    assert found.status == 0 and COMPLETE in found.out


def test_nothing_of_completion_is_loaded_in_an_ordinary_run():
    script = "import sys, rulewright.cli.main as main; main.run(['explain', 'RW012', '--json']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "rulewright.cli.commands.explain" in loaded and "rulewright.cli.completion" not in loaded
