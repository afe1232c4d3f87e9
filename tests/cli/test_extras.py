"""What a command needs besides: messages that name a command that installs it."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib

import pytest
from packaging.requirements import Requirement

from rulewright.base.diagnostics import RulesError
from rulewright.cli.executors import install_command, require_extra
from tests.paths import ROOT

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
OF_A_RELEASE = re.compile(r"(?:pip|pipx|uv|uvx)\b[^\n`]*\"?rulewright\[")


@pytest.mark.parametrize("extra", [name for name, packages in EXTRAS.items() if packages])
def test_the_command_names_the_packages_of_an_extra(extra: str) -> None:
    named = re.findall(r'"([^"]+)"', install_command(extra))
    assert sorted(map(str, map(Requirement, named))) == sorted(map(str, map(Requirement, EXTRAS[extra])))


def test_where_nothing_is_installed_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> list[str]:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", unknown)
    assert install_command("tui") == 'pip install "rulewright[tui]"'


def test_only_what_is_missing_is_said() -> None:
    require_extra("this", "tui", "json", "re")
    with pytest.raises(RulesError, match=r"this needs no_such_module\n"):
        require_extra("this", "tui", "json", "no_such_module")


def test_pages_and_messages_name_no_release_that_is_not_there() -> None:
    """Until Rulewright is published; the README alone says what changes then."""
    rooms = ("bench", "cli", "docs", "editor", "editors", "grammar", "studies", "studio", "src")
    files = [path for room in rooms for suffix in ("md", "py") for path in (ROOT / room).rglob(f"*.{suffix}")]
    files = [path for path in files if "node_modules" not in path.parts and path != ROOT / "cli" / "executors.py"]
    assert [str(path) for path in files if OF_A_RELEASE.search(path.read_text("utf-8"))] == []
    assert len(OF_A_RELEASE.findall((ROOT / "README.md").read_text("utf-8"))) == 1
