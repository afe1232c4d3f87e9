"""Random edits: no crash, nothing stale after the last one, memory that does not grow.

The suite makes a few in one process; the campaign makes 10,000 over standard input and output.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.base.diagnostics import Diagnostic
from rulewright.editor.features.completion import completions
from rulewright.editor.features.hover import hover
from rulewright.editor.features.outline import folds, outline_of, tokens_of
from rulewright.editor.features.quick_fixes import quick_fixes
from rulewright.editor.features.signature_help import signature_help
from rulewright.editor.project.checks import checked
from rulewright.editor.project.name_index import NameIndex
from rulewright.editor.project.workspace import Workspace
from rulewright.editor.server.solving import CODE as ANSWER
from rulewright.rules.linking.project import SHIPPED

from .client import Editor, in_editor
from .ponds import make_project

IN_SUITE, IN_CAMPAIGN = 150, 10_000
DEBRIS = [
    *("(", ")", ":", '"', "#", ",", ".", "\n", "\n    ", "\t", "    ", "=", "\u200b", "\U0001f438", "\r\n", "{", "@"),
    *("every n in around(c): ", "action hop:\n", "module ", "where ", "extends ", "0..9", "if yes: ", "rules ", "answer: "),
    *("x2", "change ", "drop ", "like hop", "else "),
]
MOST_GROWTH_KB = 25_000
"""In the second half of a campaign: by then all that is kept, which is bounded, has been filled."""


class Vandal:
    """Damages texts at random, and sometimes takes it back."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.history: list[str] = []

    def damaged(self, text: str, source: str) -> str:
        """Another text; `source` is what is pasted from."""
        self.history = [*self.history[-20:], text]
        at = self.random.randrange(len(text) + 1)
        match self.random.randrange(8):
            case 0 | 1:
                return text[:at] + self.random.choice(DEBRIS) + text[at:]
            case 2:
                return text[:at] + text[at + self.random.randrange(1, 30) :]
            case 3:
                begin = self.random.randrange(len(source))
                return text[:at] + source[begin : begin + self.random.randrange(1, 200)] + text[at:]
            case 4:
                lines = text.split("\n")
                lines.pop(self.random.randrange(len(lines)))
                return "\n".join(lines)
            case 5:
                return source
            case _:
                return self.random.choice(self.history)


def ask(index: NameIndex, path: Path, vandal: Vandal, found: tuple[Diagnostic, ...]) -> None:
    """Every feature at a random place."""
    text = index.workspace.text(path)
    offset = vandal.random.randrange(len(text) + 1)
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    completions(index, path, offset)
    hover(index, path, line, column)
    signature_help(index, path, offset)
    quick_fixes(index, path, found, line, line)
    outline_of(index.workspace.reading(path), index.names(path))
    folds(index.workspace.reading(path))
    tokens_of(index, path)


def test_random_edits_break_nothing_and_leave_nothing_stale(tmp_path: Path) -> None:
    files = make_project(tmp_path)
    sources = {path: path.read_text("utf-8") for path in files}
    workspace, vandal = Workspace(tmp_path), Vandal(1)
    index = NameIndex(workspace)
    workspace.open |= sources
    for number in range(IN_SUITE):
        path = vandal.random.choice(files)
        workspace.open[path] = vandal.damaged(workspace.open[path], sources[path])
        found = checked(workspace, path)
        ask(index, path, vandal, found)
        if number % 10 == 0:
            fresh = Workspace(tmp_path, open=dict(workspace.open))
            assert [checked(workspace, one) for one in files] == [checked(fresh, one) for one in files]


def resident_kb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


@pytest.mark.campaign
def test_ten_thousand_edits_over_standard_input(tmp_path: Path) -> None:
    largest = max(SHIPPED.rglob("*.rules"), key=lambda path: path.stat().st_size)
    files = [*make_project(tmp_path), tmp_path / "large.rules"]
    large = largest.read_text("utf-8").replace(f"module {largest.stem}:", "module large:", 1)
    files[-1].write_text(large, encoding="utf-8")
    sources = {path: path.read_text("utf-8") for path in files}
    vandal = Vandal(2)

    async def work(editor: Editor) -> None:
        texts = dict(sources)
        memory = []
        for path in files:
            await editor.open(path)
        for number in range(IN_CAMPAIGN):
            path = files[-1] if number % 20 == 0 else vandal.random.choice(files[:-1])
            texts[path] = vandal.damaged(texts[path], sources[path])
            await editor.change(path, texts[path])
            if number % 5 == 0:
                lines = texts[path].split("\n")
                line = vandal.random.randrange(len(lines))
                await editor.at(vandal.random.choice(["completion", "hover", "definition", "signatureHelp"]), path, line, 0)
            if number % 100 == 0:
                await editor.idle()
                memory.append(resident_kb(editor.process.pid))
        await editor.idle()
        fresh = Workspace(tmp_path, open=texts)
        for path in files:
            said = [code for code in editor.codes(path) if code != ANSWER]
            assert said == [diagnostic.code for diagnostic in checked(fresh, path)]
        print(f"\nresident after each tenth, in MB: {[kilobytes // 1000 for kilobytes in memory[:: len(memory) // 10]]}")
        assert memory[-1] - max(memory[: len(memory) // 2]) < MOST_GROWTH_KB
        assert not [one for one in editor.notifications if one["method"] == "window/logMessage"]

    in_editor(tmp_path, work)
