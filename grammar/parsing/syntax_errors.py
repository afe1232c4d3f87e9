"""Explains syntax errors in terms of the language, from the terminals that the parser would have accepted."""

from __future__ import annotations

import re
from functools import cache

from lark import UnexpectedInput, UnexpectedToken

from rulewright.base.diagnostics import Sink, did_you_mean
from rulewright.base.records import define
from rulewright.base.spans import Span

from .lalr import accepted_terminals, terminals
from .line_kinds import LineKind
from .lines import SourceText

_WORD = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[-+:!<>]=|->|\.\.|.')
_LINES = re.compile(r"\S(?=[ \r]*\n)")
_COMPARISON = re.compile(r"!=|<=|>=|(?<![:+-])=|<|>|\bin\b|\bhas\b")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_INSTEAD = {
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=` to compare",
    "/": "write `div` for division",
    "%": "write `mod` for the remainder",
    "'": 'enclose text in `"`',
    ";": "start a new line",
    "?": "write `if … then … else …`",
}
_ELSEWHERE = {
    "puzzle": "puzzles belong in `*.puzzle` files",
    "module": "modules belong in `*.rules` files",
}
_LINE_END = "the end of the line"
_LETTERS = "names consist of the letters a to z and A to Z, digits and `_`"
_SHAPES = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text in quotation marks",
    "LABEL": "a label with `:`",
    "_OPENS": "`:`",
    "ORDER": "one of `<`, `<=`, `>`, `>=`",
    "ASSIGN": "`:=`",
    "DOTTED": "`.`",
    "TIMES_OVER": "a count such as `x2`",
    "YES_OR_NO": "`yes`",
    "_COMMA_NAME_IN": "`,`",
    "PLAN_WORD": "an action",
    "DOTTED_LABEL": "a label with dots and `:`",
    "JOINT": "an edge or a port, as `a-b`",
}
_GAP = re.compile(r"\[ \n\]\+|\\s\+")
"""Matches the gaps between words in the patterns of the grammar."""
_INSIDE_A_CHANGE = {
    "choose": "put the `choose` line in the block of an edit such as `replace turn:`",
    "do": "name only the procedure, as in `after turn: storm`; to add a statement, write `label: do storm`",
}
_BELOW_A_HEAD = ("extends", "like")
"""Lines that belong in the block of an item, not in its head."""


def report_syntax_error(error: UnexpectedInput, kind: LineKind, source: SourceText, line: tuple[int, int], sink: Sink) -> None:
    """Report why the text between the two offsets `line` is not a line of this kind."""
    _SyntaxErrorReport(error, kind, source, *line, sink).report()


@define
class _SyntaxErrorReport:
    error: UnexpectedInput
    kind: LineKind
    source: SourceText
    start: int
    end: int
    sink: Sink

    def report(self) -> None:
        """Report the most specific error that applies."""
        at = self._position()
        found = self._word(at)
        if bracket := self._lost_bracket(at, found):
            position, message = bracket
            self._say("RW013", message, position, position + 1, "add the matching bracket, or delete this one")
        elif self.start == self.end:
            self._say("RW012", "missing expression", self.start, self.end, "write an expression here")
        elif at >= self.end:
            before = self._word_before(at)
            help = self._near(before) or self._near(self._first()) or self._expectation()
            self._say("RW012", f"unexpected end of the line after `{before[1]}`", self.end - 1, self.end, help)
        elif found.isspace():
            message = f"the text contains an invisible character (U+{ord(found):04X})"
            self._say("RW002", message, at, at + 1, "replace it with a plain space")
        elif not (found[0].isascii() and found[0].isalnum()) and found[0] not in '_"=<>:+-*.,()[]{}@':
            help = _INSTEAD.get(found[0]) or (_LETTERS if found[0].isalpha() else "delete it")
            self._say("RW006", f"`{found}` is not part of the language", at, at + len(found), help)
        elif found == "=" and self.source.code[at - 1] == "=":
            self._say("RW011", "`==` is not an operator", at - 1, at + 1, "write `=` to compare")
        elif self._chained(at, found):
            help = "join two comparisons with `and`"
            self._say("RW014", "comparisons cannot be chained", at, at + len(found), help)
        elif at == self.start:
            self._unknown_line(found)
        else:
            self._misplaced(at, found)

    def _unknown_line(self, found: str) -> None:
        code = "RW009" if self.kind is LineKind.ITEM else "RW010"
        help = _ELSEWHERE.get(found) or self._near((self.start, found)) or self._expectation()
        self._say(code, f"a line of {self.kind.place} cannot begin with `{found}`", self.start, self.start + len(found), help)

    def _misplaced(self, at: int, found: str) -> None:
        before = self._word_before(at)
        help = self._near(before) or self._near((at, found))
        if found in {"and", "or"} and "_WHERE" in self._expected(at):
            help = f"put the combined sets in parentheses, as in `in (a {found} b)`"
        if found == "," and "_WHERE" in self._expected(at):
            help = "only one name can be bound here; `every`, `some`, `count`, `sum` and `for` allow several"
        if found == "." and before[1].isdigit():
            help = "numbers are whole; count in smaller units, such as halves or hundredths"
        elif self.kind is LineKind.EDIT and before[1] in _INSIDE_A_CHANGE:
            help = _INSIDE_A_CHANGE[before[1]]
        elif found in _BELOW_A_HEAD and "_OPENS" in self._expected(at):
            help = f"end the line with `:`, and write `{found} …` as the first line of the block below it"
        elif self.kind is LineKind.FLOW and (before[1], found) == ("end", "game"):
            help = "`end game` is an effect: say when a loop ends, `repeat until …`, or call a procedure that has it"
        elif self.kind is LineKind.STATEMENT and before[1] == "effect":
            help = "the lines of this block are effects already: leave out `effect`"
        elif self.kind is LineKind.FLOW and before[1] == "do":
            help = f"in the flow, the name of a procedure runs it: `{found}`"
        elif found == "else" and self._first()[1] == "require":
            help = "a rule brings its own reasons; to give one for all of them, add a label: `require fits: fits(c) else …`"
        elif before[1] == "or" and self._expected(at) == {"STOP"}:
            help = "separate the actions with commas; only `stop` can follow `or`"
        elif found.startswith('"') and "STRING" not in self._expected(at) and not self._begins_its_line(at):
            help = "a text cannot be a value; declare an `enum` and use one of its members"
        broken = "\n" in self.source.code[self.start : at]
        if not help and not broken and self._near(self._first()):
            self._unknown_line(self._first()[1])
            return
        if not help and broken and (end := self._unopened(at)):
            message = "missing `:` at the end of a line with a block"
            self._say("RW012", message, end - 1, end, "add `:`")
            return
        if not help and broken and self._begins_its_line(at):
            help = "a line indented more deeply continues the line above; indent it less, or end the line above with `:`"
        help = help or self._expectation()
        self._say("RW011", f"unexpected `{found}` after `{before[1]}`", at, at + len(found), help)

    def _begins_its_line(self, at: int) -> bool:
        return not self.source.code[self.source.code.rfind("\n", 0, at) + 1 : at].strip()

    def _unopened(self, at: int) -> int:
        """The end of the first line above an offset that could open a block; 0 if there is none."""
        ends = [match.end() for match in _LINES.finditer(self.source.code, self.start, at)]
        return next((end for end in ends if "_OPENS" in self._expected(end)), 0)

    def _say(self, code: str, message: str, start: int, end: int, help: str) -> None:
        span: Span = self.source.span(start, end)
        self.sink.error(code, message, span, help=help)

    # What was found

    def _position(self) -> int:
        if isinstance(self.error, UnexpectedToken):
            at_end = self.error.token.type == "$END"
            return self.end if at_end else self.start + (self.error.token.start_pos or 0)
        position: int = getattr(self.error, "pos_in_stream", 0)
        return self.start + position

    def _word(self, at: int) -> str:
        word = _WORD.match(self.source.code, at, self.end)
        return word[0] if word else ""

    def _word_before(self, at: int) -> tuple[int, str]:
        words = [(word.start(), word[0]) for word in _WORD.finditer(self.source.code, self.start, at)]
        return next((word for word in reversed(words) if not word[1].isspace()), (self.start, ""))

    def _first(self) -> tuple[int, str]:
        return self.start, self._word(self.start)

    def _chained(self, at: int, found: str) -> bool:
        if found not in {"=", "!=", "<", "<=", ">", ">=", "in", "has"}:
            return False
        return "NAME" not in self._expected() and bool(_COMPARISON.search(self.source.code, self.start, at))

    def _lost_bracket(self, at: int, found: str) -> tuple[int, str] | None:
        """A relevant bracket before the error that is still open, or one that was never opened."""
        open_at: list[int] = []
        text = False
        for position in range(self.start, min(at, self.end)):
            letter = self.source.code[position]
            if letter == '"':
                text = not text
            elif not text and letter in _BRACKETS:
                open_at.append(position)
            elif not text and letter in _BRACKETS.values() and open_at:
                open_at.pop()
        if found and found in _BRACKETS.values() and not open_at:
            return at, f"this `{found}` has no opening bracket"
        if open_at and (at >= self.end or found in {":", "=", "else", "when", "cite"}):
            bracket = self.source.code[open_at[-1]]
            return open_at[-1], f"this `{bracket}` is never closed"
        return None

    # What was expected

    def _expected(self, at: int | None = None) -> set[str]:
        """The terminals accepted at an offset, or at the error."""
        if at is None and isinstance(self.error, UnexpectedToken) and self.error.accepts:
            return set(self.error.accepts)  # narrower: the parser has already reduced what it took to be complete
        offset = self._position() if at is None else at
        return accepted_terminals(self.source.code[self.start : self.end], self.kind, offset - self.start)

    def _near(self, word: tuple[int, str]) -> str:
        """Help if an unknown word resembles one that would be accepted there."""
        at, text = word
        if not text.isidentifier() or len(text) < 3 or text in _keywords():
            return ""
        return did_you_mean(text, sorted(_words(self._expected(at))))

    def _expectation(self) -> str:
        names = self._expected()
        if "COLON" in names:
            names.discard("_OPENS")
        if "COMMA" in names:
            names.discard("_COMMA_NAME_IN")
        texts: list[str] = []
        if {"NAME", "NUMBER", "LPAR"} <= names:
            texts.append("an expression")
            names -= {"NAME", "NUMBER", "LPAR"} | _expression_beginnings()
        if {"PLUS", "TIMES"} <= names:
            texts.append("an operator")
            names -= _operators()
        texts.extend(sorted(_describe(name) for name in names if name not in {"$END", "DOTTED"}))
        if "$END" in names:
            texts.append(_LINE_END)
        if texts == [_LINE_END]:
            return "delete the rest of the line"
        if not texts or len(texts) > 32:
            return ""
        return f"expected {', '.join(texts[:-1])} or {texts[-1]}" if len(texts) > 1 else f"expected {texts[0]}"


@cache
def _patterns() -> dict[str, str]:
    return {terminal.name: terminal.pattern.value for terminal in terminals().values()}


def keyword_of(name: str) -> str:
    """The word of a keyword's terminal; empty for other terminals."""
    pattern = _patterns().get(name, "")
    word, boundary, _ = pattern.partition(r"\b")
    return word if boundary and word.isidentifier() else ""


@cache
def _keywords() -> frozenset[str]:
    return frozenset(word for name in _patterns() if (word := keyword_of(name)))


def _words(names: set[str]) -> set[str]:
    return {word for name in names if (word := keyword_of(name))}


@cache
def _expression_beginnings() -> frozenset[str]:
    return frozenset(accepted_terminals("", LineKind.EXPRESSION))


@cache
def _operators() -> frozenset[str]:
    """The tokens that can follow a name in an expression, except the end of the line."""
    return frozenset(accepted_terminals("a", LineKind.EXPRESSION, 1) - {"$END"})


def _describe(name: str) -> str:
    return _SHAPES.get(name) or f"`{keyword_of(name) or _as_written(_patterns().get(name, name))}`"


def _as_written(pattern: str) -> str:
    """The words that a pattern matches, without its lookahead."""
    return _GAP.sub(" ", pattern.partition("(?")[0]).removesuffix(r"\b")
