"""Catalogues of rulebook clauses, statement by statement, in `clauses/*.md` beside the modules or in folders above them.

module: the_game                 # the module for entries that name none; before the first entry

### the_game.section.entry
section: Its section in the rulebook
no_rule: why no rule implements it

The statement, in one's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.base.diagnostics import file_error
from rulewright.base.input_files import display_path
from rulewright.base.records import frozen

FOLDER = "clauses"
"""The folder of the catalogues."""

_ENTRY = re.compile(r"^### (\S+)\n((?:[a-z_]+: [^\n]+\n)*)\n?(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
_MODULE = re.compile(r"^module: (.+)$", re.MULTILINE)


@frozen
class Entry:
    """A clause of a rulebook. `modules` should implement it; `same` are equivalent; `settles` marks the authors' rulings."""

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
    """The entries of all catalogues beside a module's file or above it, up to the folder `root`."""
    found: dict[str, Entry] = {}
    for folder in folders_above(path, root):
        for file in sorted((folder / FOLDER).glob("*.md")):
            found |= {entry.name: entry for entry in read_catalogue(file)}
    return found


def folders_above(path: Path, root: Path) -> Iterator[Path]:
    """The folder of a file and those above it, up to `root`, with links followed; empty for a file not below `root`."""
    root = root.resolve()
    for folder in path.resolve().parents:
        if not folder.is_relative_to(root):
            return
        yield folder


def read_catalogue(path: Path) -> Iterator[Entry]:
    """The entries of a catalogue, in order. Raises `RulesError` for an entry of no module, which nobody would ask for."""
    text = path.read_text("utf-8")
    head = text.partition("\n### ")[0]
    default = _names({"module": found[1]}, "module") if (found := _MODULE.search(head)) else ()
    for entry in _ENTRY.finditer(text):
        fields = dict(line.split(": ", 1) for line in entry[2].splitlines())
        line, modules = text.count("\n", 0, entry.start()) + 1, _names(fields, "module") or default
        if not modules:
            message = f"{display_path(path)}:{line}: the entry `{entry[1]}` belongs to no module"
            raise file_error(message, "name one in a line `module: NAME`, here or before the first entry")
        yield Entry(
            entry[1],
            " ".join(entry[3].split()),
            path,
            line,
            modules,
            fields.get("section", ""),
            _names(fields, "same"),
            _names(fields, "settles"),
            fields.get("no_rule", ""),
        )


@frozen
class Citations:
    """The citations of some modules, with the available catalogues."""

    entries: Mapping[str, Entry]
    cited: frozenset[str]
    modules: frozenset[str]

    def carry(self, name: str, tried: frozenset[str] = frozenset()) -> bool:
        """Whether an entry is covered: a rule cites it, all equivalent entries are covered, or it says why no rule implements
        it.

        Entries of modules not linked here count as covered; so do authors' rulings where the rulebook is silent.
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
