"""Editions of the language. A text may name the edition it is written in, by `edition 1` under its head; without that line
it is written in the current one."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree.declarations import Edition

_LINE = re.compile(r"([ \t]+)(edition +([0-9]{1,9}))[ \t\r]*(#.*)?")


@frozen
class Editions:
    """The editions of the language: `migrations[n - 1]` rewrites a text of edition `n` as one of edition `n + 1`."""

    migrations: tuple[Callable[[str], str], ...] = ()

    @property
    def current(self) -> int:
        """The edition that this version reads."""
        return len(self.migrations) + 1

    def require_current(self, text: str, source: str) -> None:
        """Refuse a text of another edition before its lines are read, since a later edition may have other lines.

        Raises `RulesError`.
        """
        named = edition_of(text, source)
        if named is None or named.number == self.current:
            return
        message = f"this text is written in edition {named.number} of the language; this version reads edition {self.current}"
        if named.number > self.current:
            help = "install a newer version of Rulewright"
        elif named.number >= 1:
            help = f"`rulewright fmt` rewrites it in edition {self.current}"
        else:
            message, help = "the editions of the language count from 1", f"write `edition {self.current}`, or delete the line"
        raise RulesError((Diagnostic("RW028", message, (Label(named.span),), help),))

    def migrated(self, text: str) -> str:
        """The text in the current edition. A text of an unknown edition, or of none, is unchanged."""
        named = edition_of(text, "")
        if named is None or not 1 <= named.number < self.current:
            return text
        for migration in self.migrations[named.number - 1 :]:
            text = migration(text)
        lines = text.split("\n")
        found = _LINE.fullmatch(lines[named.span.line - 1])
        assert found, "a migration keeps the line of the edition"
        lines[named.span.line - 1] = f"{found[1]}edition {self.current}{found[0][found.end(2) :]}"
        return "\n".join(lines)


EDITIONS = Editions()


def edition_of(text: str, source: str) -> Edition | None:
    """The edition that a text names under its head, found without parsing; None if it names none."""
    heads = 0
    for number, line in enumerate(text.split("\n"), start=1):
        heads += line[:1] not in ("", " ", "\t", "#", "\r")
        if heads > 1:
            return None
        if found := _LINE.fullmatch(line):
            return Edition(int(found[3]), span=Span(source, number, found.start(2) + 1, number, found.end(2) + 1))
    return None
