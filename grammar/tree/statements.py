"""The tree of what changes the state (statements) and of who acts when (flow)."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Span, span_field

from .expressions import Binder, Expression, Name, Subscript


class Assignment(Enum):
    SET = ":="
    ADD = "+="
    SUBTRACT = "-="


@frozen
class Put:
    """`put tile at to [from box]`"""

    piece: Expression
    cell: Expression
    source: Expression | None = None
    span: Span = span_field()


@frozen
class Take:
    """`take c to discarded`: the piece on cell c goes to a zone; `take c to d at`: see `Slide`."""

    cell: Expression
    zone: Expression
    span: Span = span_field()


@frozen
class Slide:
    """`slide a to b`: the piece on cell a goes to cell b."""

    cell: Expression
    target: Expression
    span: Span = span_field()


@frozen
class Move:
    """`move tile to discarded [from hand of player]`, or `move all hand of player to discarded`."""

    piece: Expression
    zone: Expression
    source: Expression | None = None
    everything: bool = False
    span: Span = span_field()


@frozen
class Deal:
    """`deal 3 from draw to hand of p`: from the top, as many as there are."""

    number: Expression
    source: Expression
    zone: Expression
    span: Span = span_field()


@frozen
class Shuffle:
    """`shuffle draw`"""

    zone: Expression
    span: Span = span_field()


@frozen
class Assign:
    """`tokens of player -= 1`"""

    target: Name | Subscript
    assignment: Assignment
    value: Expression
    span: Span = span_field()


@frozen
class Stop:
    """`stop`: leaves the repetition in which the action was chosen, as the choice `stop` does."""

    span: Span = span_field()


@frozen
class Finish:
    """`end game`"""

    span: Span = span_field()


@frozen
class Do:
    """`do end_turn`: runs a procedure."""

    procedure: str
    span: Span = span_field()


@frozen
class ForEach:
    """`for p in players: …`, one statement on the line or a block."""

    binder: Binder
    body: tuple[Labelled, ...]
    span: Span = span_field()


@frozen
class When:
    """`if C: …`, and `else: …` as the line after."""

    condition: Expression
    body: tuple[Labelled, ...]
    otherwise: tuple[Labelled, ...] = ()
    span: Span = span_field()


Statement = Put | Take | Slide | Move | Deal | Shuffle | Assign | Stop | Finish | Do | ForEach | When


@frozen
class Labelled:
    """`pay: tokens of player -= 1`; the label is the last part of the statement's dotted name, empty if not given."""

    label: str
    statement: Statement
    cite: str = ""
    span: Span = span_field()


# Flow ---------------------------------------------------------------------------------------------


@frozen
class Run:
    """`end_turn`: runs a procedure."""

    procedure: str
    span: Span = span_field()


@frozen
class Repeat:
    """`repeat until C: …`; it also ends when a choice inside finds nothing to choose, or `stop` is chosen."""

    until: Expression | None
    body: tuple[FlowStatement, ...]
    span: Span = span_field()


@frozen
class Each:
    """`for player in players from first where C: …`: the loop variable is part of the state."""

    name: str
    domain: Expression
    start: Expression | None
    body: tuple[FlowStatement, ...]
    where: Expression | None = None
    span: Span = span_field()


@frozen
class Branch:
    """`if C: …` and `else: …`"""

    condition: Expression
    body: tuple[FlowStatement, ...]
    otherwise: tuple[FlowStatement, ...] = ()
    span: Span = span_field()


@frozen
class Point:
    """`turn: …`: a named point of the flow; positions and horizons refer to it."""

    name: str
    body: tuple[FlowStatement, ...]
    span: Span = span_field()


@frozen
class Choose:
    """`choose place, sail, or stop`; `by` says who chooses when it is not the variable `player`."""

    actions: tuple[str, ...]
    stop: bool
    by: Expression | None = None
    span: Span = span_field()


FlowStatement = Run | Repeat | Each | Branch | Point | Choose
