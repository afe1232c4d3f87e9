"""Known gaps of traceability and mutation testing with their reasons, in `gaps.toml` beside a module or above it.

[trace."the_game"]
"swap.once" = "one cannot swap twice in a turn that has one action"

[mutate."the_game"]
"sail.pay: number 1 -> 2" = "a captain never has two tokens"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import Enum

from rulewright.base.diagnostics import file_error
from rulewright.base.input_files import is_within
from rulewright.rules.clauses.citations import folders_above
from rulewright.rules.linking.project import SHIPPED, Project

FILE = "gaps.toml"


class Analysis(Enum):
    """The analysis that finds a gap; the value is its table in the file."""

    TRACEABILITY = "trace"
    MUTATION = "mutate"


def known_gaps(project: Project, module: str, analysis: Analysis) -> Mapping[str, str]:
    """The reasons for a module's gaps, by gap name. Raises `RulesError` if a file has another format."""
    path = project.texts.find(module)
    root = SHIPPED if is_within(path, SHIPPED) else project.folder
    found: dict[str, str] = {}
    for folder in folders_above(path, root):
        file = folder / FILE
        if not file.is_file():
            continue
        try:
            said = tomllib.loads(file.read_text("utf-8")).get(analysis.value, {}).get(module, {})
            found |= {str(name): str(reason) for name, reason in said.items()}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError) as error:
            message = f"`{file}` is not a file of known gaps: {error}"
            raise file_error(message, "see `rulewright trace --help`") from error
    return found
