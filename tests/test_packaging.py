"""What is on the disk is what is declared, what is in the wheel, and what runs once it is installed."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from setuptools import find_packages

import rulewright

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = ("checker", "cli", "editor", "grammar", "pictures", "puzzles", "rules", "solver", "studies", "studio", "web")
"""Folders beside `src`, each with a link in it."""

INSIDE = ROOT / "src" / "rulewright"
PACKAGES = {name: ROOT / name for name in FOLDERS} | {
    name: INSIDE / name for name in ("adapters", "api", "base", "subset", "workers")
}
"""Every room of the top floor with its folder."""


def packages_on_disk() -> dict[str, str]:
    """Import name of each package to its folder, relative to the root."""
    inner = {
        ".".join(("rulewright", name, *init.parent.relative_to(folder).parts)): init.parent.relative_to(ROOT).as_posix()
        for name, folder in PACKAGES.items()
        for init in folder.rglob("__init__.py")
    }
    return {"rulewright": "src/rulewright", **inner}


def shipped_files() -> dict[str, str]:
    """Path in an installation to path in the tree, for every file of the package folders: code and data."""
    tops = [(INSIDE, "rulewright"), *((folder, f"rulewright/{name}") for name, folder in PACKAGES.items())]
    return {
        f"{installed}/{path.relative_to(top).as_posix()}": path.relative_to(ROOT).as_posix()
        for top, installed in tops
        for path in (top.iterdir() if top == INSIDE else top.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


# What is declared -----------------------------------------------------------------------------------


def test_every_package_is_found_through_the_links() -> None:
    (where,) = PROJECT["tool"]["setuptools"]["packages"]["find"]["where"]
    assert PROJECT["tool"]["setuptools"]["package-dir"] == {"": where}
    assert sorted(find_packages(str(ROOT / where))) == sorted(packages_on_disk())


def test_every_data_file_is_matched_by_a_glob() -> None:
    globs = PROJECT["tool"]["setuptools"]["package-data"]
    folder_of = packages_on_disk()
    matched = {
        path.relative_to(ROOT).as_posix()
        for package, patterns in globs.items()
        for pattern in patterns
        for path in (ROOT / folder_of[package]).glob(pattern)
    }
    data = {path for path in shipped_files().values() if not path.endswith(".py")}
    assert data <= matched, "add a glob to [tool.setuptools.package-data]"


def test_every_folder_is_linked_relatively() -> None:
    # Where git may not make links, it writes their targets into text files.
    links = {path.name: os.readlink(path) if path.is_symlink() else path.read_text("utf-8")
             for path in INSIDE.iterdir() if path.is_symlink() or (path.is_file() and not path.suffix)}  # fmt: skip
    assert links == {folder: f"../../{folder}" for folder in FOLDERS}


def test_version_is_the_same_everywhere_and_in_the_changelog() -> None:
    version = rulewright.__version__
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "rulewright.base.version.__version__"}
    assert importlib.metadata.version("rulewright") == version, "install the project again"
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:4] == "## ["]
    assert headings[0] == "## [Unreleased]"
    assert headings[1].split(" - ")[0] == f"## [{version}]"
    extension = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    assert extension["version"] == version
    assert f"rulewright-{version}.vsix" in (ROOT / "editors" / "vscode" / "README.md").read_text(encoding="utf-8")


def test_the_lock_answers_every_declared_dependency() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock, "the lock names no host: the hashes say which file it is"
    pins = [Requirement(line.rstrip("\\").strip()) for line in lock.splitlines() if line[:1].isalnum()]
    pinned: dict[str, list[str]] = {}
    for pin in pins:
        (exactly,) = pin.specifier
        assert exactly.operator == "=="
        pinned.setdefault(canonicalize_name(pin.name), []).append(exactly.version)
    for text in PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]:
        wanted = Requirement(text)
        versions = pinned.get(canonicalize_name(wanted.name), [])
        assert versions, f"{wanted.name} is not locked: just lock"
        assert all(wanted.specifier.contains(version) for version in versions), f"{wanted} against {versions}: just lock"


# What is built and installed ------------------------------------------------------------------------


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON") and name != "CI"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300, encoding="utf-8"
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, so that no earlier build can lend it files."""
    tree = tmp_path_factory.mktemp("tree") / "rulewright"
    tree.mkdir()
    for name in (*FOLDERS, "src", ".ci"):
        shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree / name)
    return tree


@pytest.fixture(scope="module")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(clone, tmp_path_factory.mktemp("wheel"))


def built(tree: Path, target: Path) -> Path:
    """The wheel of a tree."""
    needed = Requirement(PROJECT["build-system"]["requires"][0])
    at_hand = needed.specifier.contains(importlib.metadata.version(needed.name))
    isolation = ["--no-build-isolation"] if at_hand else []
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *isolation, "--wheel-dir", target, tree, cwd=tree)
    (wheel,) = target.glob("rulewright-*.whl")
    return wheel


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("RECORD")}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a new environment that holds the wheel and borrows only its dependencies from ours."""
    environment = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=environment)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    run(
        *(sys.executable, "-m", "pip", "--python", programs / "python"),
        *("install", "--quiet", "--no-deps", "--no-index", wheel),
        cwd=environment,
    )
    library = Path(
        run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=environment).strip()
    )
    # A folder named in a .pth file is searched, but its own .pth files (our editable install) are not run.
    borrowed = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    (library / "borrowed.pth").write_text("".join(f"{folder}\n" for folder in borrowed), encoding="utf-8")
    return programs


def test_wheel_holds_every_file_and_nothing_else(wheel: Path) -> None:
    assert {name for name in contents(wheel) if ".dist-info/" not in name} == set(shipped_files())


def test_wheel_of_a_clone_without_links_is_the_same(wheel: Path, clone: Path, tmp_path: Path) -> None:
    for name in FOLDERS:
        link = clone / "src" / "rulewright" / name
        link.unlink()
        link.write_text(f"../../{name}", encoding="utf-8")
    (tmp_path / "wheel").mkdir()
    assert contents(built(clone, tmp_path / "wheel")) == contents(wheel)
    assert sorted(path.name for path in clone.iterdir()) == sorted(
        (*FOLDERS, "src", ".ci", "pyproject.toml", "README.md", "LICENSE")
    )


def test_installed_command_starts_elsewhere(installed: Path, tmp_path: Path) -> None:
    script = "import rulewright.cli.main, sys; print(rulewright.__file__); print('ortools' in sys.modules)"
    where, eager = run(installed / "python", "-c", script, cwd=tmp_path).split()
    assert Path(where).is_relative_to(installed.parent)
    assert eager == "False", "OR-Tools takes most of a second to import: only what solves may import it"
    assert "Usage" in run(installed / "rulewright", "--help", cwd=tmp_path)


USES = {
    "": ("rulewright", "solve", "lights_three"),
    "bench": ("python", "-c", "import clingo, unified_planning, up_fast_downward"),
    "cluster": ("python", "-c", "import distributed, rulewright.workers.cluster"),
    "editor": ("python", "-c", "import rulewright.editor.server.language_server"),
    "fast": ("python", "-c", "import llvmlite"),
    "gymnasium": ("python", "-c", "import rulewright.adapters.gymnasium_env"),
    "openspiel": ("python", "-c", "import rulewright.adapters.openspiel_game"),
    "pettingzoo": ("python", "-c", "import rulewright.adapters.pettingzoo_env"),
    "pictures": ("rulewright", "show", "lights_three", "--png", "lights.png"),
    "studio": ("python", "-c", "import rulewright.studio.server.studio_app"),
    "test": ("python", "-c", "import pytest, syrupy"),
    "tui": ("python", "-c", "import rulewright.cli.screen.game_app"),
}
"""Extra to a command that needs it; "" is an installation without one."""


def test_each_extra_has_a_use() -> None:
    assert set(USES) == {"", *PROJECT["project"]["optional-dependencies"]}


@pytest.mark.nightly
@pytest.mark.parametrize("extra", USES)
def test_an_extra_installs_and_works_in_a_fresh_environment(extra: str, wheel: Path, tmp_path: Path) -> None:
    """From the registry that pip is configured for; what the lock pins, in its version."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = [line.rstrip("\\").strip() for line in lock.splitlines() if line[:1].isalnum()]
    (tmp_path / "pins.txt").write_text("\n".join(pins) + "\n", encoding="utf-8")
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    wanted = f"{wheel}[{extra}]" if extra else wheel
    run(
        *(sys.executable, "-m", "pip", "--python", programs / "python"),
        *("install", "--quiet", "--constraint", tmp_path / "pins.txt", wanted),
        cwd=tmp_path,
    )
    program, *arguments = USES[extra]
    run(programs / program, *arguments, cwd=tmp_path)


def test_installed_plugin_tests_the_files_of_an_author(installed: Path, tmp_path: Path) -> None:
    """No code and no configuration: the entry point is all that pytest needs."""
    text = "puzzle lights:\n    rules classics.lights_out\n\n    lit: (0,0)\n"
    (tmp_path / "lights.puzzle").write_text(text, encoding="utf-8")
    said = run(installed / "python", "-m", "pytest", "-p", "no:cacheprovider", "-q", "--snapshot-update", cwd=tmp_path)
    assert "4 passed" in said
    assert (tmp_path / "__snapshots__" / "lights" / "legal_actions.txt").is_file()


def test_the_plugin_has_an_entry_point() -> None:
    assert PROJECT["project"]["entry-points"]["pytest11"] == {"rulewright": "rulewright.cli.testing.pytest_plugin"}
    assert {"pytest", "syrupy"} == {Requirement(text).name for text in PROJECT["project"]["optional-dependencies"]["test"]}
