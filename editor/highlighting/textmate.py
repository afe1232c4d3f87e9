"""The patterns as a TextMate grammar, for VS Code, Sublime Text and others."""

from __future__ import annotations

import json

from .token_patterns import TokenClass, token_patterns

SCOPE = "source.rulewright"
SCOPES = {
    TokenClass.COMMENT: "comment.line.number-sign",
    TokenClass.STRING: "string.quoted.double",
    TokenClass.NUMBER: "constant.numeric",
    TokenClass.CONSTANT: "constant.language",
    TokenClass.KEYWORD: "keyword.control",
    TokenClass.WORD: "keyword.other",
    TokenClass.FUNCTION: "support.function",
    TokenClass.NAME: "variable.other",
    TokenClass.OPERATOR: "keyword.operator",
}
"""The scope of each class of tokens."""


def textmate_grammar() -> str:
    """The grammar as JSON."""
    patterns = [{"name": f"{SCOPES[one.token]}.rulewright", "match": one.pattern} for one in token_patterns()]
    grammar = {"name": "Rulewright", "scopeName": SCOPE, "fileTypes": ["rules", "puzzle"], "patterns": patterns}
    return json.dumps(grammar, indent=2) + "\n"
