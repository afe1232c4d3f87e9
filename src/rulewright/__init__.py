"""Rulewright: rules of tile and board games as data, played and proved from one text.

```python
import rulewright as rw

puzzle = rw.load_puzzle("overboard")
answer = puzzle.solve(seconds=10)
state = puzzle.start
for action in answer.plan:
    state = state.play(action)
```
"""

from __future__ import annotations

import os.path
from importlib import import_module
from typing import TYPE_CHECKING

from .base.version import __version__

if TYPE_CHECKING:
    from rulewright.api.action import Action as Action
    from rulewright.api.answer import Answer as Answer
    from rulewright.api.game import Game as Game
    from rulewright.api.game import load_game as load_game
    from rulewright.api.puzzle import Puzzle as Puzzle
    from rulewright.api.puzzle import load_puzzle as load_puzzle
    from rulewright.api.refusal import Refusal as Refusal
    from rulewright.api.state import State as State
    from rulewright.base.diagnostics import RulesError as RulesError

# Where git may not make links (on Windows), it writes text files in their place; then the rooms are at the top of the clone.
if os.path.isfile(os.path.join(__path__[0], "cli")):
    __path__.append(os.path.dirname(os.path.dirname(__path__[0])))

_MODULES = {
    "Action": "api.action",
    "Answer": "api.answer",
    "Game": "api.game",
    "Puzzle": "api.puzzle",
    "Refusal": "api.refusal",
    "RulesError": "base.diagnostics",
    "State": "api.state",
    "load_game": "api.game",
    "load_puzzle": "api.puzzle",
}
"""The module of each name of the library: imported when the name is first used, so that importing the package costs nothing."""

__all__ = ["__version__", *_MODULES]  # noqa: PLE0604 (all are names)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    found: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
