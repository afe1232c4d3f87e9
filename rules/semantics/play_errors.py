"""Errors of the rules during play: contradicting exceptions, and effects that the state does not allow."""

from __future__ import annotations

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.spans import Span
from rulewright.rules.model.effects import Clause
from rulewright.rules.model.game import Case, Definition, Variable


class PlayError(RulesError):
    """An error of the rules that stops the game."""

    @classmethod
    def of(cls, code: str, message: str, *labels: Label, help: str = "") -> PlayError:
        return cls((Diagnostic(code, message, labels, help),))

    @classmethod
    def by(cls, clause: Clause, code: str, what: str, help: str) -> PlayError:
        """The error of an effect, which does something that the state does not allow."""
        return cls.of(code, f"`{clause.name}` {what}", Label(clause.span), help=help)


def clash(one: Case | Definition, other: Case | Definition) -> PlayError:
    """RW360: two exceptions apply at once."""
    return PlayError.of(
        "RW360",
        f"the exceptions `{one.name}` and `{other.name}` both apply",
        Label(other.span, f"`{other.name}`"),
        Label(one.span, f"`{one.name}`"),
        help="make one an exception to the other, or exclude the other in its `when`",
    )


def out_of_range(clause: Clause, variable: str, value: int, low: int, high: int) -> PlayError:
    """RW361: a number leaves its range."""
    help = "widen the declared range, or require that the value stays inside it"
    return PlayError.by(clause, "RW361", f"sets `{variable}` to {value}, which is not in {low}..{high}", help)


def begins_outside(variable: Variable, value: int, low: int, high: int) -> Diagnostic:
    """RW163: the initial value of a variable is out of range."""
    assert variable.initial is not None
    message = f"the initial value {value} of `{variable.name}` is not in {low}..{high}"
    return Diagnostic("RW163", message, (Label(variable.initial.span),), "widen the range, or change the initial value")


def cannot_put(clause: Clause, space: str) -> PlayError:
    """RW362: a tile is put where it cannot lie."""
    help = "require that the cell is free; only a window of an unbounded space is available"
    return PlayError.by(clause, "RW362", f"puts a tile on an occupied cell or outside `{space}`", help)


def cannot_lay(clause: Clause, pieces: str) -> PlayError:
    """RW362: a piece is laid or moved where it cannot be."""
    what = f"puts a piece of `{pieces}` onto another one, or moves a piece that is not there"
    return PlayError.by(clause, "RW362", what, "require `not covered(c)` for each of its cells, and `p is not none`")


def tile_missing(clause: Clause, zone: str) -> PlayError:
    """RW363: a tile is taken from a place where it is not."""
    help = "require that it is there; in a puzzle, check which tiles the position puts there"
    return PlayError.by(clause, "RW363", f"takes a tile that is not in `{zone}`", help)


def nothing_to_draw(span: Span) -> PlayError:
    """RW380: a random element of an empty set is requested."""
    return PlayError.of(
        "RW380", "the set to draw from is empty", Label(span), help="require that the set is not empty, or test it with `if`"
    )


def undefined_index(clause: Clause, variable: str) -> PlayError:
    """RW365: a variable is changed at a cell outside its space, at no terrain, or at none."""
    help = "require that the cell is in its space and that a tile shows the side, or test with `is not none`"
    return PlayError.by(clause, "RW365", f"changes `{variable}` at an undefined index", help)


def endless_flow(span: Span, steps: int) -> PlayError:
    """RW364: the flow runs on without a choice."""
    return PlayError.of(
        "RW364",
        f"the flow ran for {steps} steps without a choice",
        Label(span),
        help="give the repetition a condition that becomes true",
    )
