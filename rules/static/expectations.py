"""Warnings that the author of some rules knows of: `expect RW265 of hop: "nobody hops back"`."""

from __future__ import annotations

from attrs import field

from rulewright.base.diagnostics import Sink
from rulewright.base.records import define
from rulewright.rules.model.game import ExpectedWarning, Game


@define
class Expectations:
    """The warnings that a game expects, and those of them that have come; `came` has every warning that could be expected."""

    game: Game
    met: dict[ExpectedWarning, None] = field(factory=dict, init=False)
    came: list[tuple[str, str]] = field(factory=list, init=False)

    def meet(self, code: str, name: str) -> bool:
        """Whether a warning about an item is expected, which then is met."""
        self.came.append((code, name))
        found = next((one for one in self.game.expected if (one.code, one.name) == (code, name)), None)
        if found is None:
            return False
        self.met[found] = None
        return True

    def report_unmet(self, sink: Sink, unasked: frozenset[str] = frozenset()) -> None:
        """RW268: modules that were asked for expect warnings that did not come. What they extend may expect more.

        Of the codes `unasked` nobody has looked whether they come.
        """
        for one in self.game.expected:
            if one.module in self.game.roots and one not in self.met and one.code not in unasked:
                others = sorted({f"`{code} of {name}`" for code, name in self.came if one.code == code or one.name == name})
                help = f"what there is: {', '.join(others)}" if others else "delete the line"
                sink.warn("RW268", f"there is no {one.code} of `{one.name}` to expect", one.span, help=help)
