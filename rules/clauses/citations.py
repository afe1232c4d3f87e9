"""Catalogues of clauses: what a rulebook rules, statement by statement, in `clauses/*.md` beside the modules or above them.

module: the_game                 # which module carries the entries that name none, before the first of them

### the_game.section.entry
section: Where it stands in the rulebook
no_rule: why no rule carries it

The statement, in one's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.base.records import frozen

FOLDER = "clauses"
"""The folder that catalogues lie in."""

_ENTRY = re.compile(r"^### (\S+)\n((?:[a-z_]+: [^\n]+\n)*)\n?(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
_MODULE = re.compile(r"^module: (.+)$", re.MULTILINE)


@frozen
class Entry:
    """A clause of a rulebook. `modules` are to carry it; `same` say it too; `settles` marks a ruling of the authors' own."""

    name: str
    statement: str
    path: Path
    line: int
    modules: tuple[str, ...] = ()
    section: str = ""
    same: tuple[str, ...] = ()
    settles: tuple[str, ...] = ()
    no_rule: str = ""


def catalogues_for(path: Path, root: Path) -> dict[str, Entry]:
    """The entries of all catalogues that are beside a module's file or above it, up to the folder `root`."""
    found: dict[str, Entry] = {}
    for folder in folders_above(path, root):
        for file in sorted((folder / FOLDER).glob("*.md")):
            found |= {entry.name: entry for entry in read_catalogue(file)}
    return found


def folders_above(path: Path, root: Path) -> Iterator[Path]:
    """The folder of a file and those above it, up to `root`, links followed; nothing for a file that is not below it."""
    root = root.resolve()
    for folder in path.resolve().parents:
        if not folder.is_relative_to(root):
            return
        yield folder


def read_catalogue(path: Path) -> Iterator[Entry]:
    """The entries of a catalogue, in their order."""
    text = path.read_text("utf-8")
    head = text.partition("\n### ")[0]
    default = _names({"module": found[1]}, "module") if (found := _MODULE.search(head)) else ()
    for entry in _ENTRY.finditer(text):
        fields = dict(line.split(": ", 1) for line in entry[2].splitlines())
        yield Entry(
            entry[1],
            " ".join(entry[3].split()),
            path,
            text.count("\n", 0, entry.start()) + 1,
            _names(fields, "module") or default,
            fields.get("section", ""),
            _names(fields, "same"),
            _names(fields, "settles"),
            fields.get("no_rule", ""),
        )


@frozen
class Citations:
    """What is cited in some modules, of the catalogues at hand."""

    entries: Mapping[str, Entry]
    cited: frozenset[str]
    modules: frozenset[str]

    def carry(self, name: str, tried: frozenset[str] = frozenset()) -> bool:
        """Whether an entry is covered by rules: one cites it, all equivalent entries are covered, or it says why none does.

        An entry of modules that are not linked here is theirs to carry; what an author has ruled where the rulebook is
        silent need not be cited.
        """
        entry = self.entries.get(name)
        if name in self.cited:
            return True
        if entry is None or name in tried:
            return False
        if entry.no_rule or entry.settles or not self.modules.intersection(entry.modules):
            return True
        return bool(entry.same) and all(self.carry(other, tried | {name}) for other in entry.same)


def _names(fields: Mapping[str, str], key: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in fields.get(key, "").split(","))))
