"""The patterns of all tokens, derived from the terminals of the parser and the functions of the language.

They use the regular expression syntax common to Python, Oniguruma and JavaScript. The first pattern that matches wins. A word
that may be a name or a keyword counts as a keyword, unless it is called or follows a dot: only the parser can distinguish them.

They are written as a mode of CodeMirror (a stream parser for `StreamLanguage.define`), and as a TextMate grammar, for VS Code,
Sublime Text and others.
"""

from __future__ import annotations

import json
import re
from functools import cache

from rulewright.base.records import frozen
from rulewright.base.rows import Row
from rulewright.grammar.parsing.lalr import terminals
from rulewright.grammar.parsing.node_builder import RESERVED
from rulewright.grammar.parsing.syntax_errors import keyword_of
from rulewright.rules.linking.functions.call import FUNCTION_FORMS


class TokenClass(Row):
    """The class of a token, for its colour: its word, its tag in CodeMirror, its type in Pygments and its scope in TextMate."""

    COMMENT = "comment", "comment", "Comment.Single", "comment.line.number-sign"
    STRING = "string", "string", "String.Double", "string.quoted.double"
    NUMBER = "number", "number", "Number.Integer", "constant.numeric"
    CONSTANT = "constant", "atom", "Keyword.Constant", "constant.language"
    KEYWORD = "keyword", "keyword", "Keyword", "keyword.control"  # a word that can never be a name
    WORD = "word", "modifier", "Keyword.Type", "keyword.other"  # a word of the language that can also be a name
    FUNCTION = "function", "variableName.standard", "Name.Builtin", "support.function"
    NAME = "name", "variableName", "Name", "variable.other"
    OPERATOR = "operator", "operator", "Operator", "keyword.operator"

    codemirror: str
    pygments: str
    textmate: str


CONSTANTS = ("yes", "no")
_SIZE = r"(?:x[0-9]+)*(?![A-Za-z0-9_])"  # the size of a space: `3x3x4`


@frozen
class TokenPattern:
    """A class of tokens and its pattern."""

    token: TokenClass
    pattern: str


@cache
def token_patterns() -> tuple[TokenPattern, ...]:
    """The patterns, in matching order."""
    words = {word for terminal in terminals().values() if (word := keyword_of(terminal.name))}
    return (
        TokenPattern(TokenClass.COMMENT, r"#.*"),
        TokenPattern(TokenClass.STRING, r'"[^"\n]*"?'),
        TokenPattern(TokenClass.CONSTANT, _any(CONSTANTS)),
        TokenPattern(TokenClass.KEYWORD, _any(RESERVED.difference(CONSTANTS))),
        TokenPattern(TokenClass.FUNCTION, rf"(?<![A-Za-z0-9_.])(?:{_joined(FUNCTION_FORMS)})(?=\()"),
        TokenPattern(TokenClass.WORD, rf"(?<![A-Za-z0-9_.])(?:{_joined(words - RESERVED)})(?![A-Za-z0-9_(.])"),
        TokenPattern(TokenClass.NUMBER, rf"(?<![A-Za-z0-9_])[0-9]+{_SIZE}|(?<![A-Za-z0-9_.])x[0-9]+(?![A-Za-z0-9_(])"),
        TokenPattern(TokenClass.NAME, r"[A-Za-z0-9_]+"),
        TokenPattern(TokenClass.OPERATOR, _joined(_operators())),
    )


def _operators() -> list[str]:
    """The signs of the grammar, as patterns: terminals with letters or blanks are not signs."""
    patterns = (terminal.pattern for terminal in terminals().values() if terminal.name not in _NO_SIGNS)
    signs = {part for pattern in patterns for part in _alternatives(pattern)}
    return [re.escape(sign) for sign in sorted(signs, key=lambda sign: (-len(sign), sign))]


_NO_SIGNS = {"COMMA", "COLON", "LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE", "DOT", "__IGNORE_0"}


def _alternatives(pattern: object) -> list[str]:
    """The signs that a pattern of the grammar matches; empty if it matches words or more than signs."""
    written = str(getattr(pattern, "value", ""))
    parts = written.split("|") if getattr(pattern, "type", "") == "re" else [written]
    plain = [part.replace("\\", "") for part in parts]
    return plain if all(re.fullmatch(r"[-+:=!<>./*]+", part) for part in plain) else []


def _any(words: object) -> str:
    return rf"(?<![A-Za-z0-9_.])(?:{_joined(words)})(?![A-Za-z0-9_])"


def _joined(words: object) -> str:
    """The alternatives as one pattern, longest first."""
    return "|".join(sorted(map(str, words), key=lambda word: (-len(word), word)))  # type: ignore[call-overload]


@cache
def compiled() -> re.Pattern[str]:
    """All patterns as one, each a group named after its class."""
    return re.compile("|".join(f"(?P<{one.token.value}>{one.pattern})" for one in token_patterns()), re.MULTILINE)


def tokens_of(text: str) -> list[tuple[int, str, TokenClass]]:
    """Offset, text and class of every token."""
    return [(found.start(), found[0], TokenClass(found.lastgroup or "")) for found in compiled().finditer(text)]


_MODE = """// Generated from the grammar of Rulewright by `python docs/generate.py`.
// To be given to StreamLanguage.define of CodeMirror 6.

const RULES = %s;

const ALL = new RegExp(RULES.map((rule) => `(${rule[1]})`).join("|"), "y");

export const rulewright = {
  name: "rulewright",
  token(stream) {
    ALL.lastIndex = stream.pos;
    const found = ALL.exec(stream.string);
    if (found === null) {
      stream.next();
      return null;
    }
    stream.pos += found[0].length;
    return RULES[found.findIndex((text, group) => group > 0 && text !== undefined) - 1][0];
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "{", "[", '"'] } },
};
"""


def codemirror_mode() -> str:
    """The mode as a JavaScript module."""
    rules = ",\n  ".join(json.dumps([one.token.codemirror, one.pattern]) for one in token_patterns())
    return _MODE % f"[\n  {rules}\n]"


SCOPE = "source.rulewright"


def textmate_grammar() -> str:
    """The grammar as JSON."""
    patterns = [{"name": f"{one.token.textmate}.rulewright", "match": one.pattern} for one in token_patterns()]
    grammar = {"name": "Rulewright", "scopeName": SCOPE, "fileTypes": ["rules", "puzzle"], "patterns": patterns}
    return json.dumps(grammar, indent=2) + "\n"
