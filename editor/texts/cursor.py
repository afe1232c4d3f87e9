"""The context of a cursor: the logical line, the text before it, and what the grammar accepts there."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.base.records import frozen
from rulewright.grammar.parsing.lalr import accepted_terminals
from rulewright.grammar.parsing.line_kinds import LineKind
from rulewright.grammar.parsing.lines import LogicalLine
from rulewright.grammar.parsing.syntax_errors import keyword_of
from rulewright.grammar.readings import Reading

from .name_reader import names_of
from .symbols import Scope, TextNames

PLACEHOLDER = "placeholder"
"""Stands in for an empty line, to find what it could be."""

_WORD_BEFORE = re.compile(r"[A-Za-z_0-9]*\Z")


@frozen
class Cursor:
    """The place of a cursor in its logical line.

    `kind` is the kind of line, None in the rows of a drawing; `before` is the line up to the current word, `word` the typed
    part of that word; `keywords` are the keywords accepted there, `takes_name` whether a name is.
    """

    kind: LineKind | None
    before: str
    word: str
    scope: Scope
    keywords: tuple[str, ...] = ()
    takes_name: bool = True


def cursor_at(reading: Reading, names: TextNames, offset: int, read: Callable[[str], Reading]) -> Cursor | None:
    """The context of an offset of a text; None in comments and texts. `read` reads another version of the text."""
    code = reading.source.code
    line_start = code.rfind("\n", 0, offset) + 1
    if reading.source.text[line_start:offset] != code[line_start:offset] or code.count('"', line_start, offset) % 2:
        return None
    word = _WORD_BEFORE.search(code[line_start:offset])
    begin = offset - len(word[0] if word else "")
    found = _line_at(reading, offset)
    if found is None and not code[line_start:offset].strip():
        text = reading.source.text
        other = read(text[:offset] + PLACEHOLDER + text[offset:])
        return _cursor(other, names_of(other), _line_at(other, offset), begin, offset)
    return _cursor(reading, names, found, begin, offset)


def _cursor(reading: Reading, names: TextNames, line: LogicalLine | None, begin: int, offset: int) -> Cursor | None:
    if line is None:
        return Cursor(None, "", reading.source.code[begin:offset], Scope()) if _in_drawing(reading, offset) else None
    kind = reading.lines[line.start].kind
    before, word = reading.source.code[line.start : begin], reading.source.code[begin:offset]
    # A name after it keeps a final colon from opening a block.
    accepted = accepted_terminals(before + PLACEHOLDER, kind, len(before))
    keywords = tuple(sorted({keyword for name in accepted if (keyword := keyword_of(name))}))
    takes_name = not accepted.isdisjoint({"NAME", "LABEL", "PLAN_WORD"})
    return Cursor(kind, before, word, names.scopes.get(line.start, Scope()), keywords, takes_name)


def _line_at(reading: Reading, offset: int) -> LogicalLine | None:
    """The innermost line read around an offset, on one of its own rows."""
    code = reading.source.code
    found = None
    for start, read in reading.lines.items():
        row_end = code.find("\n", read.line.end)
        end = row_end if row_end >= 0 else len(code)
        if start <= offset <= end and (found is None or start > found.start):
            found = read.line
    return found


def _in_drawing(reading: Reading, offset: int) -> bool:
    for read in reading.lines.values():
        if read.tree is not None and read.tree.data == "drawing" and read.line.block:
            end = reading.source.code.find("\n", read.line.last)
            if read.line.end < offset <= (end if end >= 0 else len(reading.source.code)):
                return True
    return False
