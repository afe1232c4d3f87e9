"""Python for pages: Pyodide, as npm has it, pinned by its digest; and Rulewright with what it imports, as one archive."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.base.cache import Cache
from rulewright.base.diagnostics import file_error
from rulewright.studio.server.page import PAGE

PACKAGE = "pyodide@314.0.7"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""What is fetched, and the digest of its archive, in base64 as in the lock files of npm."""

FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"

MOST_SECONDS = 300
"""The time limit of npm and Node.js, each."""


def write_runtime(folder: Path) -> None:
    """Write the files of Python for a page. Raises `RulesError` if they cannot be fetched, or are not those pinned."""
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(_package()), mode="r:gz") as packed:
        for name in (*FILES, LOCK):
            member = packed.extractfile(f"package/{name}")
            assert member is not None, "the digest holds"
            content = member.read()
            (folder / name).write_bytes(content)
    lock = json.loads((folder / LOCK).read_text("utf-8"))
    (folder / LOCK).unlink()
    (folder / "lock.json").write_text(
        json.dumps({"info": lock["info"], "packages": {}}), "utf-8"
    )  # nothing is loaded from afar


def compile_modules(runtime: Path, packages: bytes, packed: Path) -> None:
    """Compile the modules of Python and of an archive of packages, by Python for pages itself; the latter become one file,
    for studio/page/worker.js. Raises `RulesError`."""
    with TemporaryDirectory() as place:
        archive = Path(place) / "packages.zip"
        archive.write_bytes(packages)
        command = [_program("node"), str(PAGE / "compile.mjs"), str(runtime), str(archive), str(packed)]
        _run(command, f"`{packed.name}` could not be compiled")


def _run(command: Sequence[str], failure: str, help: str = "", folder: str | None = None) -> None:
    """Run a program. Raises `RulesError` with the last line that it wrote, else `help`, if it fails or takes too long."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise file_error(failure, f"it took more than {MOST_SECONDS} s: try again when the machine has less to do") from None
    if done.returncode:
        raise file_error(failure, (done.stderr.strip().splitlines() or [help])[-1])


def require_node() -> None:
    """Raises `RulesError` if there is no Node.js."""
    _program("node")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        help = "install Node.js, which brings npm; or leave the studio out with `--no-studio`"
        raise file_error(f"the studio of a site needs `{PACKAGE}`, and there is no `{name}` to fetch and compile it", help)
    return found


def _package() -> bytes:
    """The archive from the cache, else from the registry that npm is set up for."""
    cache = Cache.opened("pyodide")
    name = "" if cache is None else cache.name((PACKAGE, SHA512))
    content = None if cache is None else cache.recall(name)
    if content is None:
        content = _fetched()
        if cache is not None:
            cache.keep(name, content)
    return content


def _fetched() -> bytes:
    with TemporaryDirectory() as place:
        command = [_program("npm"), "pack", PACKAGE, "--silent", "--ignore-scripts", "--pack-destination", place]
        failure, help = f"npm could not fetch `{PACKAGE}`", "see `npm config`"
        _run(command, failure, help, place)
        found = list(Path(place).glob("*.tgz"))
        if not found:
            raise file_error(failure, help)
        content = found[0].read_bytes()
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != SHA512:
        raise file_error(f"`{PACKAGE}` is not the one that was pinned: its digest differs", "do not use this registry")
    return content


# Rulewright itself ----------------------------------------------------------------------------------------------------

OTHERS = ("attr", "attrs", "cattr", "cattrs", "lark", "lsprotocol", "pygls", "typing_extensions")
"""The packages that Rulewright imports in a page: Python alone, as they are installed here."""

ABSENT = ("rulewright/adapters/", "rulewright/cli/", "rulewright/pictures/fonts/", "rulewright/studio/page/")
"""What a page needs not."""

DATED = (2020, 1, 1, 0, 0, 0)
"""The date of all files, so that the same files make the same archive."""


def archive() -> bytes:
    """The packages as a ZIP archive; the same bytes for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, path in sorted(_files()):
            packed.writestr(zipfile.ZipInfo(name, DATED), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _files() -> Iterator[tuple[str, Path]]:
    for package in ("rulewright", *OTHERS):
        module = import_module(package)
        if not hasattr(module, "__path__"):
            yield f"{package}.py", Path(str(module.__file__))
            continue
        for folder in module.__path__:
            yield from _below(Path(folder), package)


def _below(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """The files below a folder; links to folders are followed, as those of a checkout are."""
    for path in folder.iterdir():
        inner = f"{name}/{path.name}"
        if path.name == "__pycache__" or any(f"{inner}/".startswith(absent) for absent in ABSENT):
            continue
        if path.is_dir():
            yield from _below(path, inner)
        elif not (inner.endswith((".pyc", ".so")) or (path.is_symlink() and not path.exists())):
            yield inner, path
