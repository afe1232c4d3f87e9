"""The patterns as a mode of CodeMirror: a stream parser for `StreamLanguage.define`."""

from __future__ import annotations

import json

from .token_patterns import token_patterns

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
