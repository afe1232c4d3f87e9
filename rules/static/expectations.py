"""Warnings that the author of rules expects: `expect RW265 of hop: "nobody hops back"`."""

from __future__ import annotations

from rulewright.base.diagnostics import Sink
from rulewright.base.records import define, field
from rulewright.rules.model.game import ExpectedWarning, Game


@define
class Expectations:
    """The warnings that a game expects; `met` are those that occurred, `came` all that occurred and could be expected."""

    game: Game
    met: dict[ExpectedWarning, None] = field(factory=dict, init=False)
    came: list[tuple[str, str]] = field(factory=list, init=False)

    def meet(self, code: str, name: str) -> bool:
        """Record a warning about an item; returns whether it is expected."""
        self.came.append((code, name))
        found = next((one for one in self.game.expected if (one.code, one.name) == (code, name)), None)
        if found is None:
            return False
        self.met[found] = None
        return True

    def report_unmet(self, sink: Sink, unasked: frozenset[str] = frozenset()) -> None:
        """RW268: expected warnings of the requested modules that did not occur. The modules that they extend may expect more.

        Codes in `unasked` were not checked.
        """
        for one in self.game.expected:
            if one.module in self.game.roots and one not in self.met and one.code not in unasked:
                others = sorted({f"`{code} of {name}`" for code, name in self.came if one.code == code or one.name == name})
                help = f"found: {', '.join(others)}" if others else "delete this line"
                sink.warn("RW268", f"`{one.name}` has no warning {one.code}", one.span, help=help)
