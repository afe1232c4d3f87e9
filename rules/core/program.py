"""A game in the core: its tables, variables, definitions, actions and flow; the effects that change a state."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rulewright.base.records import field, frozen, reader
from rulewright.base.spans import Located, Named
from rulewright.rules.model.effects import Clause, EffectClause
from rulewright.rules.model.game import Storage

from .terms import Term

# Effects ------------------------------------------------------------------------------------------


@frozen
class Place(Located):
    """A variable at an index; for a pile, its upper or its lower end."""

    variable: str
    index: Term | None
    bottom: bool = False


@frozen
class Origin(Clause):
    """The clause of the rules that an effect comes from."""

    def inside(self, clause: EffectClause) -> Origin:
        """The origin of a clause among the effects of this one, which stands for what it leaves out."""
        span = clause.span if clause.span.line else self.span
        return Origin(clause.name, module=clause.module, cite=clause.cite or self.cite, span=span)


@frozen
class Caused(Located):
    """Base of the effects: they know their clause, which equality ignores; None for the count of a horizon."""

    origin: Origin | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class Write(Caused):
    place: Place
    value: Term


@frozen
class Transfer(Caused):
    """Take a tile from a zone or a cell, and put it into a zone or on a vacant cell."""

    source: Place
    target: Place
    tile: Term


@frozen
class Deal(Caused):
    """Move `number` tiles from an end of a zone to another zone, one by one, or all if there are fewer."""

    number: Term
    source: Place
    target: Place


@frozen
class Shuffle(Caused):
    zone: Place


@frozen
class Name(Caused):
    """Bind a local in the effects that follow in the same list: to a value or set or, if `drawn`, to a random element."""

    local: int
    value: Term
    drawn: bool = False


@frozen
class If(Caused):
    condition: Term
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]


@frozen
class For(Caused):
    """The body for each element that the set has at the start."""

    local: int
    domain: Term
    body: tuple[Effect, ...]


@frozen
class End(Caused):
    """What follows the effects: the end of the game or, if not `game`, of the repetition with the choice."""

    game: bool


Effect = Write | Transfer | Deal | Shuffle | Name | If | For | End

# Flow ---------------------------------------------------------------------------------------------


@frozen
class Run(Located):
    effects: tuple[Effect, ...]
    next: int


@frozen
class Test(Located):
    condition: Term
    then: int
    otherwise: int


@frozen
class Choose(Located):
    """A choice; `number` counts them. Without a legal move, and without `stop`, play goes on at `leave`."""

    number: int
    actions: tuple[int, ...]
    stop: bool
    player: Term
    resume: int
    leave: int


@frozen
class Over(Located):
    """The end of the game."""


Node = Run | Test | Choose | Over

# The game -----------------------------------------------------------------------------------------


@frozen
class Space:
    """A space by its steps: `step` is a map by direction and cell, `opposite` and `clockwise` by direction.

    `around` are the directions to neighbours; `straight` says whether lines go on after one step.
    """

    size: int
    step: str
    opposite: str
    clockwise: str
    around: tuple[int, ...]
    straight: bool
    wrapped: bool


@frozen
class Map:
    """A function of one key or two, as a table: `rows` has one row for a map of one key; `none` is for all other keys."""

    rows: tuple[tuple[int, ...], ...]
    none: int
    keys: int = 1


@frozen
class Variable(Named):
    """A variable: of one value, or one for each element of `index`. Of a zone, values are tiles.

    `none` is what it is outside of its index.
    """

    storage: Storage
    index: range | None
    values: range
    none: int


@frozen
class Definition(Located):
    """A function of `parameters` locals. Beside it stand the requirements of a rule, each by itself."""

    parameters: int
    body: Term
    parts: tuple[Term, ...] = field(default=(), eq=False, repr=False)


@frozen
class Parameter(Named):
    """The parameter's local is its place; `domain` may use those before it."""

    domain: Term
    where: Term | None


@frozen
class Requirement(Named):
    condition: Term


@frozen
class Action(Named):
    """An action, legal if its `requirements` hold and then, in the state that its effects leave, those `afterwards`."""

    parameters: tuple[Parameter, ...]
    requirements: tuple[Requirement, ...]
    effects: tuple[Effect, ...]
    afterwards: tuple[Requirement, ...]


@frozen
class Core:
    """A game with a number of players. `most` is the number of nodes of the flow that may run between two choices."""

    players: int
    spaces: dict[str, Space]
    maps: dict[str, Map]
    rows: dict[str, tuple[tuple[int, ...], ...]]
    variables: tuple[Variable, ...]
    definitions: dict[str, Definition]
    actions: tuple[Action, ...]
    flow: tuple[Node, ...]
    scores: dict[str, Term]
    most: int
    terms: dict[str, tuple[Term, ...]] = field(factory=dict)
    """Terms of a question about the game, by what they are for."""


# Parts of nodes, and nodes with other parts ----------------------------------------------------------------------------


BESIDE = ("span", "origin", "cases")
"""Fields that stand beside a node."""


def parts_of(node: Any) -> tuple[Any, ...]:
    """The fields of a term, effect or node of the flow, without what stands beside them."""
    kind: Any = type(node)
    return _reader(kind)(node)


@cache
def _reader(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    return reader(kind, *BESIDE)


def beside(node: Located) -> dict[str, Any]:
    """The fields that stand beside a node."""
    return {name: getattr(node, name) for name in BESIDE if hasattr(node, name)}


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node, tuple or mapping with its parts changed; anything else is returned as it is."""
    match node:
        case tuple():
            return tuple(map(change, node))
        case dict():
            return {name: change(part) for name, part in node.items()}
        case Located():
            return type(node)(*map(change, parts_of(node)), **beside(node))
        case _:
            return node
