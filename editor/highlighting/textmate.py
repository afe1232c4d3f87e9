"""The patterns as a TextMate grammar, for VS Code, Sublime Text and others."""

from __future__ import annotations

import json

from .token_patterns import token_patterns

SCOPE = "source.rulewright"


def textmate_grammar() -> str:
    """The grammar as JSON."""
    patterns = [{"name": f"{one.token.textmate}.rulewright", "match": one.pattern} for one in token_patterns()]
    grammar = {"name": "Rulewright", "scopeName": SCOPE, "fileTypes": ["rules", "puzzle"], "patterns": patterns}
    return json.dumps(grammar, indent=2) + "\n"
