"""Why an action is not legal."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.rules.play.why_illegal import Failure


@frozen
class Refusal:
    """Why `action` is not legal in a state: each requirement that fails, with its clause, place, and the cells and tiles
    involved. Without reasons the action is legal, and the refusal false."""

    action: str
    reasons: tuple[Failure, ...]

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def __str__(self) -> str:
        """The reasons, one a line: message, things involved, clause."""
        lines = [f"`{self.action}` is {'not ' * bool(self.reasons)}legal"]
        for reason in self.reasons:
            about = f": {', '.join(reason.involved)}" if reason.involved else ""
            lines.append(f"  {reason.message}{about}{f'  [{reason.cite}]' if reason.cite else ''}")
        return "\n".join(lines)
