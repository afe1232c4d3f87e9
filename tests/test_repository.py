"""What others take from the repository without its tests: hooks, the action, the workflow, the citation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulewright
from tests.paths import ROOT

RULES = "module own:\n    extends classics.lights_out\n\nscore of_my_own: {worth}\n"
PUZZLE = (
    "puzzle first:\n    rules own\n    lit: (0,3)\n    presses: 2\n    ask: maximise score for 1 turn\n    answer: {answer}\n"
)


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def steps(condition: str) -> list[dict[str, Any]]:
    """The steps of the action that a shell runs, from the check on; those of a pull request with `pull`, else the others."""
    own = [step for step in read("action.yml")["runs"]["steps"] if "run" in step and step["name"] != "Install"]
    return [step for step in own if ("pull_request" in step.get("if", "")) == (condition == "pull")]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose last commit changes a rule, its remote, and a `gh` that notes how it is called."""
    folder = tmp_path / "games"
    (folder / "mine").mkdir(parents=True)

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)

    git("init", "--initial-branch=main")
    for number, (worth, answer) in enumerate(((0, 23), (3, 26))):
        (folder / "mine" / "own.rules").write_text(RULES.format(worth=worth), "utf-8")
        (folder / "mine" / "first.puzzle").write_text(PUZZLE.format(answer=answer), "utf-8")
        git("add", "--all")
        git("commit", "--message", str(number))
    git("remote", "add", "origin", str(folder))
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gh").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/called\ntest "$4" = --body-file -a -z "$6"\n', "utf-8")
    (programs / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, (programs, Path(sys.executable).parent, os.environ["PATH"]))))
    monkeypatch.delenv("CI", raising=False)
    return folder


def environment(step: dict[str, Any], folder: Path) -> dict[str, str]:
    """The variables of a step as GitHub would fill them in."""
    base = subprocess.run(["git", "rev-parse", "HEAD~"], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
    known = {
        "github.action_path": str(ROOT),
        "github.event.number": "7",
        "github.event.pull_request.base.sha": base,
        "github.repository": "me/games",
        "inputs.folder": "mine",
        "inputs.seconds": "20",
        "inputs.token": "secret",
    }
    said = {name: str(value) for name, value in step.get("env", {}).items()}
    for name, value in known.items():
        said = {variable: text.replace(f"${{{{ {name} }}}}", value) for variable, text in said.items()}
    assert "${{" not in "".join((*said.values(), step["run"]))  # text of a pull request must not become part of a script
    files = {"RUNNER_TEMP": str(folder.parent), "GITHUB_STEP_SUMMARY": str(folder.parent / "summary.md")}
    return {**os.environ, **files, **said, "PYTHONPATH": "", "GIT_CONFIG_GLOBAL": os.devnull}


def run(step: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=environment(step, folder), capture_output=True, text=True, check=False)


def test_the_action_checks_a_folder(repository: Path) -> None:
    check, test = steps("push")
    assert run(check, repository).returncode == 0
    assert test["run"].splitlines()[-1] == 'python -m pytest "$FOLDER" || test $? -eq 5'
    (repository / "mine" / "own.rules").write_text("module own:\n    extends nothing\n", "utf-8")
    assert run(check, repository).returncode == 2


@pytest.mark.nightly
def test_the_action_tells_which_answers_a_pull_request_changes(repository: Path) -> None:
    answers, comment = steps("pull")
    done = run(answers, repository)
    assert done.returncode == 0, done.stderr
    summary = (repository.parent / "summary.md").read_text("utf-8")
    assert "```diff\n- first  optimal, 23\n+ first  optimal, 26\n```" in summary
    assert "### `mine/own.rules`" in summary and "~ score of_my_own  0 -> 3" in summary
    assert run(comment, repository).returncode == 0
    called = (repository.parent / "called").read_text("utf-8").splitlines()
    assert called == [f"pr comment 7 --body-file {repository.parent}/changed_answers.md{more}" for more in (" --edit-last", "")]
    kept = subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True, text=True, check=True).stdout
    assert kept.count("\n") == 1


@pytest.mark.parametrize("hook", read(".pre-commit-hooks.yaml"), ids=lambda hook: hook["id"])
def test_a_hook_runs_a_command_on_files(hook: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "own.rules").write_text(RULES.format(worth=0), "utf-8")
    program, *arguments = hook["entry"].split()
    command = [sys.executable, "-m", program, *arguments, "own.rules"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_workflow_tests_each_system_with_each_python() -> None:
    jobs = read(".github/workflows/tests.yml")["jobs"]
    matrix = jobs["tests"]["strategy"]["matrix"]
    assert [name.partition("-")[0] for name in matrix["system"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    said = (ROOT / "README.md").read_text("utf-8") + (ROOT / "justfile").read_text("utf-8")
    for job in jobs.values():
        *_, last = (step["run"] for step in job["steps"] if "run" in step)
        assert last in said or last.removeprefix("just ") + ":" in said


def test_the_citation_names_this_version() -> None:
    assert str(read("CITATION.cff")["version"]) == rulewright.__version__


def test_the_container_is_built_from_few_lines() -> None:
    assert len((ROOT / "Dockerfile").read_text("utf-8").splitlines()) <= 10
