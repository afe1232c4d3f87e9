"""The tree of statements, which change the state, and of the flow, which says who acts when."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Named

from .expressions import Binder, Expression, Name, Subscript


class Assignment(Enum):
    SET = ":="
    ADD = "+="
    SUBTRACT = "-="


@frozen
class Put(Located):
    """`put tile at to [turned q] [from box]`"""

    piece: Expression
    cell: Expression
    source: Expression | None = None
    turned: Expression | None = None


@frozen
class Take(Located):
    """`take c to discarded`: the piece on cell c goes to a zone; `take c to d at`: see `Slide`."""

    cell: Expression
    zone: Expression


@frozen
class Slide(Located):
    """`slide a to b`: the piece on cell a goes to cell b."""

    cell: Expression
    target: Expression


@frozen
class Move(Located):
    """`move tile to discarded [from hand of player]`, or `move all hand of player to discarded`."""

    piece: Expression
    zone: Expression
    source: Expression | None = None
    everything: bool = False


@frozen
class Deal(Located):
    """`deal 3 from draw to hand of p`: from the top, as many as there are."""

    number: Expression
    source: Expression
    zone: Expression


@frozen
class Shuffle(Located):
    """`shuffle draw`"""

    zone: Expression


@frozen
class Draw(Located):
    """`draw wind from {north, north, south}`: chance picks an element."""

    target: Name | Subscript
    source: Expression


@frozen
class Roll(Located):
    """`roll die of player`: chance picks one of the variable's possible values."""

    target: Name | Subscript


@frozen
class Assign(Located):
    """`tokens of player -= 1`"""

    target: Name | Subscript
    assignment: Assignment
    value: Expression


@frozen
class AddElement(Located):
    """`add c to explored`: adds an element to a set in the state."""

    element: Expression
    target: Name | Subscript


@frozen
class RemoveElement(Located):
    """`remove c from explored`: removes an element from a set in the state."""

    element: Expression
    target: Name | Subscript


@frozen
class Clear(Located):
    """`clear explored`: empties a set in the state."""

    target: Name | Subscript


@frozen
class Let(Named):
    """`let next = step(c, d)`: names a value, evaluated here, for the statements below it in the block."""

    value: Expression


@frozen
class Stop(Located):
    """`stop`: leaves the repetition in which the action was chosen, as the choice `stop` does."""


@frozen
class Finish(Located):
    """`end game`"""


@frozen
class Do(Located):
    """`do end_turn`, `do pay(p, 2)`: runs a procedure."""

    procedure: str
    arguments: tuple[Expression, ...] = ()


@frozen
class ForEach(Located):
    """`for p in players: …`, one statement on the line or a block."""

    binder: Binder
    body: tuple[Labelled, ...]


@frozen
class When(Located):
    """`if C: …`, with `else: …` on the line after."""

    condition: Expression
    body: tuple[Labelled, ...]
    otherwise: tuple[Labelled, ...] = ()


@frozen
class Block(Located):
    """Several statements below one label: `pay:` and a block."""

    body: tuple[Labelled, ...]


Statement = (
    Put | Take | Slide | Move | Deal | Shuffle | Draw | Roll | Assign | AddElement | RemoveElement | Clear | Let | Stop | Finish
    | Do | ForEach | When | Block
)  # fmt: skip


Moving = Put | Take | Slide | Move
"""The statements that move one tile, which `whenever` can match."""


@frozen
class Labelled(Located):
    """`pay: tokens of player -= 1`; the label is the last part of the statement's dotted name, empty if not given."""

    label: str
    statement: Statement
    cite: str = ""


# Flow ---------------------------------------------------------------------------------------------


@frozen
class Run(Located):
    """`end_turn`, `pay(player, 2)`: runs a procedure."""

    procedure: str
    arguments: tuple[Expression, ...] = ()


@frozen
class Repeat(Located):
    """`repeat until C: …`; it also ends when a choice inside finds nothing to choose, or `stop` is chosen."""

    until: Expression | None
    body: tuple[FlowStatement, ...]


@frozen
class Each(Named):
    """`for player in players from first where C: …`: the loop variable is part of the state."""

    domain: Expression
    start: Expression | None
    body: tuple[FlowStatement, ...]
    where: Expression | None = None


@frozen
class Branch(Located):
    """`if C: …` and `else: …`"""

    condition: Expression
    body: tuple[FlowStatement, ...]
    otherwise: tuple[FlowStatement, ...] = ()


@frozen
class Point(Named):
    """`turn: …`: a named point of the flow; positions and horizons refer to it."""

    body: tuple[FlowStatement, ...]


@frozen
class Choose(Located):
    """`choose place, sail, or stop`; `by` says who chooses when it is not the variable `player`."""

    actions: tuple[str, ...]
    stop: bool
    by: Expression | None = None


FlowStatement = Run | Repeat | Each | Branch | Point | Choose
