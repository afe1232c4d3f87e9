"""Nothing relies on links, POSIX signals or forks without another way: what some system lacks, where the product uses it, and
what it does there instead."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

LINKED = ("checker", "cli", "editor", "grammar", "pictures", "puzzles", "rules", "solver", "studies", "studio", "web")
INSIDE = ROOT / "src" / "rulewright"

MODULES = {"curses", "fcntl", "grp", "posix", "pty", "pwd", "resource", "select", "selectors", "syslog", "termios", "tty"}
"""Modules that not every system has, or that take other objects there."""

NAMES = {
    "os": {
        *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fchmod", "fchown", "fork", "forkpty", "getpgid"),
        *(
            "getppid",
            "getsid",
            "getuid",
            "kill",
            "killpg",
            "link",
            "lockf",
            "mkfifo",
            "nice",
            "pipe",
            "readlink",
            "set_blocking",
        ),
        *("setpriority", "setsid", "symlink", "umask", "uname", "wait", "waitpid"),
    },
    "signal": {
        *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGTERM", "SIGTSTP", "SIGUSR1"),
        *("SIGUSR2", "SIGWINCH", "alarm", "pthread_kill", "pthread_sigmask", "set_wakeup_fd", "setitimer", "sigwait"),
    },
}
METHODS = {"add_signal_handler", "hardlink_to", "readlink", "symlink_to"}
KEYWORDS = {"pass_fds", "preexec_fn", "process_group"}
FOLDERS = ("/dev/", "/proc/", "/sys/", "/tmp", "/var/")

USES = {
    "cli/views/sixel.py": {
        "select": "where one is missing, no terminal is taken to know sixels",
        "termios": "as select",
        "tty": "as select",
    },
    "src/rulewright/base/atomic_write.py": {
        "os.umask": "Windows has it, and ignores all but one bit",
    },
    "src/rulewright/base/cache.py": {
        "os.getuid": "asked for by `hasattr`: where files have no owners, users have separate folders"
    },
    "src/rulewright/workers/child_process.py": {
        "/proc/self/autogroup": "an error is ignored: the priority is that of the process",
        "os.nice": "where it is missing, the priority stays",
        "resource": "where it is missing, searches still count what they keep",
    },
    "src/rulewright/base/deadline.py": {
        "signal.SIGALRM": "asked for by `hasattr`: `check_deadline` raises, and machine code is halted",
        "signal.pthread_kill": "as SIGALRM",
    },
    "src/rulewright/base/ending.py": {
        "os.pipe": "not on Windows, where Python raises the interrupt by itself",
        "os.set_blocking": "as the pipe",
        "signal.SIGTERM": "as the pipe; nothing sends it on Windows",
        "signal.pthread_kill": "on Windows `raise_signal`",
        "signal.set_wakeup_fd": "as the pipe",
    },
    "src/rulewright/base/host.py": {
        "/proc/self/statm": "where it is missing, a search sets a fixed amount of memory aside",
        "resource": "as statm",
    },
    "src/rulewright/subset/program.py": {
        "/proc/sys/kernel/random/boot_id": "an error is ignored: the compiler names the processor in every run",
    },
    "src/rulewright/workers/line_client.py": {
        "os.killpg": "on Windows the process alone is killed; its children end as their input closes",
        "signal.SIGKILL": "as killpg",
    },
    "studies/journal.py": {"fcntl": "where it is missing, a second run on one journal is not noticed"},
}
"""File to what it uses, with the other way."""


def product() -> list[Path]:
    return sorted(path for top in (*LINKED, "src") for path in (ROOT / top).rglob("*.py") if not path.is_symlink())


def uses(tree: ast.Module) -> Iterator[str]:
    """What a module uses that some system lacks; not what it asks for by `getattr`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names if name.name in MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (module for _ in names[:1] if module in MODULES)
                yield from (f"{module}.{name.name}" for name in names if name.name in NAMES.get(module, ()))
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in NAMES.get(module, ()):
                yield f"{module}.{name}"
            case ast.Attribute(attr=name) if name in METHODS:
                yield name
            case ast.keyword(arg=str(name)) if name in KEYWORDS:
                yield name
            case ast.Constant(value=str(text)) if text.startswith(FOLDERS):
                yield text


def test_what_some_system_lacks_is_found() -> None:
    text = (
        "import fcntl, os\nfrom signal import SIGKILL\nos.fork()\npath.symlink_to(q)\nrun(preexec_fn=None)\nopen('/proc/1')\n"
    )
    assert sorted(uses(ast.parse(text))) == ["/proc/1", "fcntl", "os.fork", "preexec_fn", "signal.SIGKILL", "symlink_to"]
    assert list(uses(ast.parse("getattr(os, 'O_NOFOLLOW', 0)\nos.kill_all()\nself.wait()"))) == []


def test_what_some_system_lacks_is_used_in_few_rooms_that_have_another_way() -> None:
    found = {path.relative_to(ROOT).as_posix(): set(uses(ast.parse(path.read_text("utf-8")))) for path in product()}
    assert {path: used for path, used in found.items() if used} == {path: set(ways) for path, ways in USES.items()}


LACKING = """
import os, signal, sys
for name in ("fcntl", "resource"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "getuid", "killpg", "nice", "setsid", "symlink"):
    delattr(os, name)
for name in ("SIGALRM", "setitimer", "pthread_kill"):
    delattr(signal, name)
"""


@pytest.fixture
def poor(tmp_path: Path) -> dict[str, str]:
    """The environment of a system that lacks much, with a clone whose links are text files."""
    inside = tmp_path / "clone" / "src" / "rulewright"
    inside.mkdir(parents=True)
    for path in INSIDE.iterdir():
        if path.is_symlink():
            (inside / path.name).write_text(os.readlink(path), "utf-8")
        elif path.name != "__pycache__":
            (inside / path.name).symlink_to(path)
    for name in LINKED:
        (tmp_path / "clone" / name).symlink_to(ROOT / name)
    (tmp_path / "lacking").mkdir()
    (tmp_path / "lacking" / "sitecustomize.py").write_text(LACKING, "utf-8")
    folders = (inside.parent, tmp_path / "lacking")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), "PYTHONDONTWRITEBYTECODE": "1"}


def test_a_clone_without_links_solves_on_a_system_that_lacks_much(poor: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "rulewright", "solve", "lights_three", "--second-opinion", "--json"]
    done = subprocess.run(command, cwd=tmp_path, env=poor, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "optimal"
    script = "import rulewright.cli as room; print(*room.__path__)"
    done = subprocess.run([sys.executable, "-P", "-c", script], env=poor, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path / "clone" / "cli")
