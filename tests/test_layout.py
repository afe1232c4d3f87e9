"""House rules of the tree: no game in the code, no machine in a path, no endless file, no clause cited in vain."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "rules" / "library"
SOURCE = ROOT / "src"
CODE = ("checker", "cli", "editor", "grammar", "pictures", "puzzles", "rules", "solver", "src", "studies", "studio")
LONGEST = 450
ALONE = {"checker/rulewright_check.py"}
"""One file, so that it can be copied and read alone."""

# Words of games that would give one away in code that must know none. The folders of the library add their own names.
GIVEAWAYS = (
    *("beacon", "patrol", "lighthouse", "buoy", "windmill", "headquarters", "jettison"),
    *("penguin", "pirate", "castle", "sokoban", "solitaire", "sudoku", "chess", "carcassonne"),
)
# A folder or file that is somebody's own: a home, a workplace, a drive.
MACHINE_PATH = re.compile(r"(?<![\w.~:/-])/(?:home|root|work|Users|mnt|opt)/\w|\b[A-Z]:\\\w")
BESIDE_THE_TREE = "../" + "shared"


@cache
def tracked() -> tuple[Path, ...]:
    """The files of the repository that are text, without links; all files where there is no repository."""
    if (ROOT / ".git").exists():
        names = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
        ).stdout.split("\0")
        paths = [ROOT / name for name in names if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not {"__pycache__", ".venv", "build"} & set(path.parts)]
    return tuple(path for path in paths if path.is_file() and not path.is_symlink() and b"\0" not in path.read_bytes())


COLLECTIONS = ("classics", "house")
"""Folders of the library that are no game."""


def shown(path: Path, number: int, line: str) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"


def lines_with(pattern: re.Pattern[str], paths: list[Path], words: Sequence[str] = ("",)) -> list[str]:
    """The lines that match, of files with one of the words, whatever their case: looking for words is faster."""
    texts = ((path, path.read_text(encoding="utf-8")) for path in paths)
    possible = ((path, text) for path, text in texts if any(map(text.lower().__contains__, words)))
    return [
        shown(path, number, line)
        for path, text in possible
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def folders() -> list[str]:
    return [path.name for path in LIBRARY.iterdir() if path.is_dir() and path.name not in COLLECTIONS]


def names_of_games() -> re.Pattern[str]:
    words = [word.replace("_", "[_ ]?") for word in (*GIVEAWAYS, *folders())]
    return re.compile(rf"(?<![a-z])(?:{'|'.join(words)})(?:s|es)?(?![a-z])", re.IGNORECASE)


def in_code(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return parts[0] in CODE and "library" not in parts and path.suffix in {".py", ".lark"}


def test_the_words_that_give_a_game_away_are_found() -> None:
    pattern = names_of_games()
    assert all(pattern.search(text) for text in ("two buoys", "has_lighthouse", "module beacon_patrol:", "Castles"))
    assert not any(pattern.search(text) for text in ("research", "a patrolling", "tiles", "place", "board"))


def test_code_knows_no_game() -> None:
    words = [word.split("_")[0] for word in (*GIVEAWAYS, *folders())]
    assert lines_with(names_of_games(), [path for path in tracked() if in_code(path)], words) == []


def test_no_path_of_one_machine() -> None:
    paths = [path for path in tracked() if path.name != "LICENSE" and path.suffix != ".lock"]
    assert lines_with(MACHINE_PATH, paths, ("/home", "/root", "/work", "/users", "/mnt", "/opt", ":\\")) == []
    assert lines_with(re.compile(re.escape(BESIDE_THE_TREE)), paths, (BESIDE_THE_TREE,)) == []


def test_a_path_of_one_machine_is_found() -> None:
    slash = "/"
    assert MACHINE_PATH.search(f"see {slash}home/me/rules")
    assert MACHINE_PATH.search("'C:" + "\\" + "games'")
    assert not MACHINE_PATH.search("https://example.org/home/rules and ../../rules")


def test_every_file_can_be_read_in_one_sitting() -> None:
    written = [path for path in tracked() if path.suffix in {".py", ".lark", ".rules", ".puzzle", ".play"}]
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in written}
    assert {path: length for path, length in lengths.items() if length > LONGEST and path not in ALONE} == {}


def test_every_room_has_a_place_in_the_order_of_imports() -> None:
    (order,) = [one for one in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
                if one["type"] == "layers"]  # fmt: skip
    named = {name for layer in order["layers"] for name in layer.split(" | ")}
    rooms = {".".join(init.parent.relative_to(SOURCE).parts) for init in SOURCE.glob("rulewright/*/__init__.py")}
    inner = {f"{room}.{init.parent.name}" for room in rooms for init in (SOURCE / room.replace(".", "/")).glob("*/__init__.py")}
    whole = {room for room in rooms if room in named}
    assert named <= rooms | inner
    assert {room for room in rooms - whole if not any(name.startswith(f"{room}.") for name in named)} == set()
    assert {room for room in inner - named if room.rpartition(".")[0] not in whole} == set()


def short_names(tree: ast.Module) -> list[tuple[int, str]]:
    """The parameters, and the names of the module itself, that are one letter, by line; lambdas are free, and so is `_`."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            found += [(one.lineno, one.arg) for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        found += [(one.lineno, one.id) for one in targets if isinstance(one, ast.Name)]
    return [(line, name) for line, name in found if len(name) == 1 and name != "_"]


def test_short_names_are_found() -> None:
    text = "T = 1\n_ = 2\ndef count(n, *, word):\n    for i in n: pass\n    return lambda x: x\n"
    assert short_names(ast.parse(text)) == [(3, "n"), (1, "T")]


def test_no_parameter_or_name_of_a_module_is_one_letter() -> None:
    code = [path for path in tracked() if path.suffix == ".py" and "tests" not in path.relative_to(ROOT).parts]
    found = {path: short_names(ast.parse(path.read_text(encoding="utf-8"))) for path in code}
    assert {path.relative_to(ROOT).as_posix(): names for path, names in found.items() if names} == {}


def test_every_file_says_what_it_is() -> None:
    written = [path for path in tracked() if path.suffix == ".py"]
    mute = [path for path in written if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert [path.relative_to(ROOT).as_posix() for path in mute] == []


# Catalogues of clauses ------------------------------------------------------------------------------

HEADING = re.compile(r"^### (?P<id>\S+)$")
FIELD = re.compile(r"^(?P<key>section|page|module|same|no_rule|settles): (?P<value>.+)$")


def clauses_of(catalogue: Path) -> list[tuple[str, dict[str, str], str]]:
    """Id, fields and text of each entry, read as the head of the catalogue says."""
    found = []
    for block in re.split(r"^(?=#{1,3} )", catalogue.read_text(encoding="utf-8"), flags=re.MULTILINE):
        first, *rest = block.strip().splitlines() or [""]
        if heading := HEADING.match(first):
            fields = [FIELD.match(line) for line in rest[: rest.index("")]]
            assert all(fields), f"{catalogue.name}: {first}"
            text = " ".join(line.strip() for line in rest[rest.index("") :] if line.strip())
            found.append((heading["id"], {field["key"]: field["value"] for field in fields if field}, text))
    return found


CATALOGUES = sorted(LIBRARY.glob("*/clauses/*.md"))


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_catalogue_is_well_formed(catalogue: Path) -> None:
    clauses = clauses_of(catalogue)
    names = [name for name, _, _ in clauses]
    assert clauses
    assert len(names) == len(set(names))
    for name, fields, text in clauses:
        assert re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+", name), name
        assert "section" in fields, name
        assert text, name
        settled = [other.strip() for other in fields.get("settles", "").split(",") if other]
        assert set(settled) <= set(names), name


def test_every_cited_clause_is_in_a_catalogue_of_its_game() -> None:
    cite = re.compile(r"^\s*cite (?P<id>[a-z0-9_.]+)")
    for game in {catalogue.parent.parent for catalogue in CATALOGUES}:
        known = {name for catalogue in game.glob("clauses/*.md") for name, _, _ in clauses_of(catalogue)}
        unknown = [
            shown(path, number, line)
            for path in sorted(game.rglob("*.rules"))
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if (found := cite.match(line)) and found["id"] not in known
        ]
        assert unknown == []
