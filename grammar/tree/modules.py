"""The tree of a rule module: the unindented items of a `*.rules` file."""

from __future__ import annotations

from rulewright.base.records import field, frozen
from rulewright.base.spans import Located, Named, Span, names_without_spans

from .declarations import *  # noqa: F403 - the tree of a module is reached by one name
from .declarations import (
    Described,
    Edition,
    Format,
    Parameter,
    Partition,
    PatternRow,
    PieceLine,
    Pieces,
    Players,
    Space,
    State,
    Table,
    TableRow,
    TileLine,
    Tiles,
    Vocabulary,
)  # fmt: skip
from .expressions import Expression, Extreme
from .looks import *  # noqa: F403
from .looks import Look, Restyle
from .needs import *  # noqa: F403
from .needs import Need
from .statements import FlowStatement, Labelled, Moving


@frozen
class Header(Named):
    """`module a.b:` with its text, `edition`, `extends`, and the clause that the module as a whole cites."""

    text: str = ""
    extends: tuple[tuple[str, Span], ...] = field(default=(), eq=names_without_spans)
    cite: str = ""
    edition: Edition | None = None


@frozen
class Case(Located):
    """`windlass: 3 when at(c) has windlass`, with the exceptions to it in a block below."""

    label: str
    value: Expression
    when: Expression
    exceptions: tuple[Case, ...] = ()
    cite: str = ""


@frozen
class Define(Described):
    """`define worth(c):` with text, cite, default and labelled exceptions. `value` is None only inside `change`.

    `requirements` are those of an expanded rule: the value is their conjunction.
    """

    parameters: tuple[Parameter, ...]
    value: Expression
    cases: tuple[Case, ...] = ()
    requirements: tuple[Requirement, ...] = ()


@frozen
class Requirement(Located):
    """`require vacant: not occupied(to) else "there is a tile there already"`

    With `after`, the condition is about the position that the action's effects leave.
    """

    label: str
    condition: Expression
    message: str = ""
    cite: str = ""
    after: bool = False


@frozen
class Rule(Described):
    """`rule room(c):` with requirements, each with its reason; true if all of them hold."""

    parameters: tuple[Parameter, ...]
    requirements: tuple[Requirement, ...]


@frozen
class Effect(Located):
    """`effect lay: put tile at to`"""

    labelled: Labelled


@frozen
class Replace(Located):
    """`replace pay: move tile to discarded`, `replace matching: C else "…"`, `replace parameter to in D`, `replace value: E`.

    `value` is set only for the label `value`, the default of a definition.
    """

    label: str
    value: Requirement | Effect | Parameter | Case | Expression


@frozen
class Drop(Located):
    """`drop token`"""

    label: str


@frozen
class AddParameter(Located):
    """`add parameter turned in 0..3`"""

    parameter: Parameter


@frozen
class AddTile(Located):
    """`add mound x1 path N`: one more kind of tile; a line without `add` changes an existing kind."""

    line: TileLine


@frozen
class AddPiece(Located):
    """`add arch x1:` inside `change` of pieces, with its drawing in the block below; a line without `add` redraws a piece."""

    line: PieceLine


@frozen
class AddRow(Located):
    """`add row 5: 3 2`"""

    row: TableRow


@frozen
class AddChoice(Located):
    """`add fly to turn`: inside `change flow`, one more action in the choices of the named point."""

    action: str
    point: str


@frozen
class DropChoice(Located):
    """`drop fly from turn`: inside `change flow`, one action fewer in the choices of the named point."""

    action: str
    point: str


@frozen
class ReplacePoint(Located):
    """`replace turn:` inside `change flow`, with the new contents of that point in the block below."""

    point: str
    body: tuple[FlowStatement, ...]


@frozen
class Insert(Located):
    """`before turn: ebb`, `after end_turn: flood`: inside `change flow`, a procedure run next to a point or procedure."""

    before: bool
    point: str
    procedure: str


@frozen
class InsertFlow(Located):
    """`after set_up:` inside `change flow`, with the inserted flow in the block below."""

    before: bool
    point: str
    body: tuple[FlowStatement, ...]


@frozen
class SetCell(Located):
    """`tokens[1] = 5` inside `change` of a table; `tokens 1: 5` means the same."""

    column: str
    key: int | str
    value: Expression


@frozen
class Notation(Located):
    """`notation "{from}-{to}", "{from}x{to}" when occupied(to)`; without a condition, `other` is empty."""

    text: str
    other: str = ""
    when: Expression | None = None


Edit = (
    Replace
    | Drop
    | AddParameter
    | AddTile
    | AddPiece
    | AddRow
    | AddChoice
    | DropChoice
    | ReplacePoint
    | Insert
    | InsertFlow
    | SetCell
    | Requirement
    | Effect
    | Case
    | TileLine
    | PieceLine
    | Labelled
    | Notation
    | Restyle
)


@frozen
class Binding(Located):
    """`piece = tower` after `like place with`: the parameter is removed and its uses become the value."""

    parameter: str
    value: Expression


@frozen
class Like(Located):
    """`like sail with turned = 0:` with the edits that make the other action into this one."""

    action: str
    edits: tuple[Edit, ...] = ()
    bindings: tuple[Binding, ...] = ()


@frozen
class Action(Described):
    """`action place(tile in hand of player, …):`; `once` is the flow point of `once per turn`, else empty.

    A `base action` is a template for actions `like` it, and never offered.
    """

    parameters: tuple[Parameter, ...]
    like: Like | None = None
    requirements: tuple[Requirement, ...] = ()
    effects: tuple[Effect, ...] = ()
    notation: Notation | None = None
    once: str = ""
    base: bool = False


@frozen
class Procedure(Described):
    """`procedure end_turn:`, `procedure pay(p in players, n):`"""

    body: tuple[Labelled, ...]
    parameters: tuple[Parameter, ...] = ()


@frozen
class Whenever(Described):
    """`whenever rung: take c to gone of p where at(c) = bell:`, with the statements that follow each such effect in the
    block below."""

    pattern: Moving
    where: Expression | None
    body: tuple[Labelled, ...]


@frozen
class Pattern(Described):
    """`pattern arch in shore, turned, mirrored:` with its drawing and the requirements on the cells of each role."""

    space: str
    turned: bool
    mirrored: bool
    rows: tuple[PatternRow, ...] = ()
    requirements: tuple[Requirement, ...] = ()


@frozen
class Phase(Described):
    """`phase market:`: a part of the flow that is run by its name."""

    body: tuple[FlowStatement, ...]


@frozen
class Flow(Located):
    """`flow:`"""

    body: tuple[FlowStatement, ...]


@frozen
class Score(Named):
    """`score explored_tiles: sum …`; the score of the game is the sum of all its scores.

    `score savings of player: …` gives each player a score, in which `player` is that player; the game's score is their sum.
    """

    value: Expression
    cite: str = ""
    index: str = ""


@frozen
class Criterion(Located):
    """`most savings`, `least debts of player`: a criterion by which players are compared."""

    extreme: Extreme
    value: Expression


@frozen
class Winner(Located):
    """`winner: most savings, then least debts of player`; later criteria break the ties that earlier ones leave."""

    criteria: tuple[Criterion, ...]
    cite: str = ""


@frozen
class RankLine(Named):
    """`"Novices" 0..25`; `high` is None in `56..`, `low` in `..25`."""

    low: int | None
    high: int | None


@frozen
class Rank(Located):
    """`rank by score:`, or by any number derived from the score."""

    value: Expression
    lines: tuple[RankLine, ...]
    cite: str = ""


@frozen
class Invariant(Located):
    """`invariant afloat: every p in players: occupied(ship of p) else "…"`: a condition that holds in every position."""

    label: str
    condition: Expression
    message: str = ""
    cite: str = ""


@frozen
class Expected(Located):
    """`expect RW265 of hop: "nobody hops back"`: a warning of `check` that the author accepts, with the reason."""

    code: str
    name: str
    reason: str


@frozen
class Change(Located):
    """`change worth:` or `change allowance: tokens[1] = 5`; the target is a definition, action, table, tile set, `flow`, …

    `kind` is given if several items have the name: `change action worth:`. A case among the edits may have a dotted label,
    `lamp.dark`, that names the exception it belongs to.
    """

    target: str
    edits: tuple[Edit, ...]
    kind: str = ""


@frozen
class DropItem(Located):
    """`drop score explored_tiles`, `drop action swap`, `drop flow`: `kind` is the word that declared it.

    The module may declare another item of that name.
    """

    kind: str
    name: str


Item = (
    Vocabulary
    | Players
    | Space
    | Partition
    | Pattern
    | Tiles
    | Pieces
    | Table
    | State
    | Define
    | Action
    | Procedure
    | Rule
    | Whenever
    | Phase
    | Flow
    | Score
    | Rank
    | Winner
    | Invariant
    | Expected
    | Look
    | Format
    | Need
    | Change
    | DropItem
)


@frozen
class Module(Located):
    """A whole `*.rules` file."""

    header: Header
    items: tuple[Item, ...]
