"""What is known to be wanting, with the reason, in `gaps.toml` beside a module or above it.

[trace."the_game"]
"swap.once" = "one cannot swap twice in a turn that has one action"

[mutate."the_game"]
"sail.pay: number 1 -> 2" = "a captain never has two tokens"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.rules.clauses.citations import folders_above

FILE = "gaps.toml"


class Of(Enum):
    """Which command finds it wanting."""

    TRACE = "trace"
    MUTATE = "mutate"


def known_gaps(path: Path, root: Path, of: Of, module: str) -> Mapping[str, str]:
    """The reasons by what they are for. Raises `RulesError` where a file is no such file."""
    found: dict[str, str] = {}
    for folder in folders_above(path, root):
        file = folder / FILE
        if not file.is_file():
            continue
        try:
            said = tomllib.loads(file.read_text("utf-8")).get(of.value, {}).get(module, {})
            found |= {str(name): str(reason) for name, reason in said.items()}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError) as error:
            message = f"`{file}` is not a file of known gaps: {error}"
            raise RulesError((Diagnostic("file", message, help="see `rulewright trace --help`"),)) from error
    return found
