"""Errors of the rules during play: contradicting exceptions, and effects that the state does not allow."""

from __future__ import annotations

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.spans import Span
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Case, Definition, Variable


class PlayError(RulesError):
    """An error of the rules that stops the game."""

    @classmethod
    def of(cls, code: str, message: str, *labels: Label, help: str = "") -> PlayError:
        return cls((Diagnostic(code, message, labels, help),))


def clash(one: Case | Definition, other: Case | Definition) -> PlayError:
    """RW360: two exceptions apply at once."""
    return PlayError.of(
        "RW360",
        f"`{one.name}` and `{other.name}` apply at once",
        Label(other.span, f"`{other.name}`"),
        Label(one.span, f"`{one.name}`"),
        help="make one an exception to the other, or let its `when` leave the other out",
    )


def out_of_range(clause: EffectClause, variable: str, value: int, low: int, high: int) -> PlayError:
    """RW361: a number leaves its range."""
    return PlayError.of(
        "RW361",
        f"`{clause.name}` makes `{variable}` {value}, which is not in {low}..{high}",
        Label(clause.span),
        help="widen the range where the variable is declared, or require that it stays inside",
    )


def begins_outside(variable: Variable, value: int, low: int, high: int) -> Diagnostic:
    """RW163: the initial value of a variable is out of range."""
    assert variable.initial is not None
    message = f"`{variable.name}` begins with {value}, which is not in {low}..{high}"
    return Diagnostic("RW163", message, (Label(variable.initial.span),), "widen the range, or let it begin with a value of it")


def cannot_put(clause: EffectClause, space: str) -> PlayError:
    """RW362: a tile is put where it cannot lie."""
    return PlayError.of(
        "RW362",
        f"`{clause.name}` puts a tile where there is one already, or outside of `{space}`",
        Label(clause.span),
        help="require that the cell is free; of an unbounded space only a window is kept",
    )


def cannot_lay(clause: EffectClause, pieces: str) -> PlayError:
    """RW362: a piece is laid or moved where it cannot be."""
    return PlayError.of(
        "RW362",
        f"`{clause.name}` lays a piece of `{pieces}` onto another one, or moves what does not lie there",
        Label(clause.span),
        help="require `not covered(c)` of each of its cells, and that there is such a place: `p is not none`",
    )


def tile_missing(clause: EffectClause, zone: str) -> PlayError:
    """RW363: a tile is taken from a place where it is not."""
    return PlayError.of("RW363", f"`{clause.name}` takes a tile that is not in `{zone}`", Label(clause.span))


def nothing_to_draw(span: Span) -> PlayError:
    """RW380: a random element of an empty set is requested."""
    return PlayError.of(
        "RW380", "there is nothing to draw from", Label(span), help="require that there is something, or ask `if`"
    )


def undefined_index(clause: EffectClause, variable: str) -> PlayError:
    """RW365: a variable is changed at a cell outside its space, at no terrain, or at none."""
    return PlayError.of(
        "RW365",
        f"`{clause.name}` changes `{variable}` of something that is not there",
        Label(clause.span),
        help="require that the cell is in its space, that a tile shows the side, or ask `is not none`",
    )


def endless_flow(span: Span, steps: int) -> PlayError:
    """RW364: the flow runs on without a choice."""
    return PlayError.of(
        "RW364",
        f"the flow went on for {steps} steps without a choice",
        Label(span),
        help="give the repetition a condition that comes true",
    )
