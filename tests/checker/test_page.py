"""The page *Why you can believe it*: its example is checked, its refusal is the checker's; and the checker stands alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.checker.rulewright_check import Refused
from tests.checker.beside import finished
from tests.checker.certificates import HEAP, SCORE, checked, heap_game, minus, packed, plus, write

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "checker" / "rulewright_check.py"


def page_game() -> dict[str, object]:
    core = heap_game(heap=2)
    (action,) = core["actions"]
    action["parameters"][0]["domain"] = ["interval", 1, 2]
    action["requirements"] = []
    earned = plus(["local", 0], 1)
    action["effects"] = [write("score", plus(SCORE, earned)), write("heap", minus(HEAP, ["local", 0]))]
    core["flow"][2] = ["run", [], 0]
    return finished(core)  # type: ignore[no-any-return]


def page_lines(*labels: str) -> list[str]:
    core = page_game()
    header = {
        "schema": "rulewright/certificate/1", "puzzle": "heap", "core": core["digest"],
        "claim": {"status": "optimal", "value": 4, "count": None}, "plan": [[0, 1], [0, 1]],
        "estimates": [], "parts": [{"kind": "upper", "states": len(labels)}],
    }  # fmt: skip
    return [json.dumps(header), json.dumps(core), *labels]


def test_the_example_of_the_page() -> None:
    page = (ROOT / "docs" / "why_believe.md").read_text(encoding="utf-8")
    assert "```text\n4\n4\n3\n4\n```" in page
    assert checked(page_lines("4", "4", "3", "4")).states == 4
    with pytest.raises(Refused) as caught:
        checked(page_lines("3", "4", "3", "4"))
    assert f"refused: {caught.value}\n" in page


def test_the_checker_imports_only_the_standard_library() -> None:
    imported = [
        name
        for node in ast.walk(ast.parse(CHECKER.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([one.name for one in node.names] if isinstance(node, ast.Import) else [f"{'.' * node.level}{node.module}"])
    ]
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_a_copy_of_the_checker_works_alone(tmp_path: Path) -> None:
    (tmp_path / "check.py").write_bytes(CHECKER.read_bytes())
    (tmp_path / "heap.gz").write_bytes(packed(page_lines("4", "4", "3", "4")))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "check.py", "heap.gz"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "checked: the greatest value at the end is 4")
