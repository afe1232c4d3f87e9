"""Links the patterns of a rulebook: their places in the windows of their spaces, and their conditions as definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, modules
from rulewright.rules.linking.call_graph import back_edges, callees_first
from rulewright.rules.linking.symbol_table import SymbolTable
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import game, terms, types
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.spaces.from_tree import sample_window
from rulewright.rules.spaces.pattern import TURNS, Offset, Place, between_hexes, places_of

MOST_CELLS = 100_000
"""The most cells of all places of a pattern together."""


def patterns(book: Rulebook, sink: Sink) -> dict[str, game.Pattern]:
    """Every pattern by name. Reports RW155, RW171, and RW173 to RW175."""
    found = (pattern_of(node, book, sink) for node in book.patterns.values())
    return {pattern.name: pattern for pattern in found}


def pattern_of(node: modules.Pattern, book: Rulebook, sink: Sink) -> game.Pattern:
    """A pattern with its places; without them after an error."""
    drawing = drawing_of(node.rows)
    found = game.Pattern(node.name, node.space, tuple(drawing), (), node.turned, node.mirrored, span=node.span)
    space = book.spaces.get(node.space)
    if space is None:
        sink.error("RW110", f"there is no space `{node.space}`", node.span, help=suggest(node.space, set(book.spaces)))
        return found
    flaw = _flaw(node, drawing, space)
    if flaw is None:
        places = places_in(space, tuple(map(tuple, drawing.values())), node.turned, node.mirrored)
        if places:
            return evolve(found, places=places)
        flaw = "RW175", f"`{node.name}` fits nowhere in `{space.name}`", "draw it smaller"
    code, message, help = flaw
    sink.error(code, message, node.span, Label(space.span, f"`{space.name}` is declared here"), help=help)
    return found


@lru_cache(maxsize=256)
def places_in(space: modules.Space, drawing: tuple[tuple[Offset, ...], ...], turned: bool, mirrored: bool) -> tuple[Place, ...]:
    """The places of a drawing, once for all rules that have it: what is linked again is mostly the same."""
    return places_of(sample_window(space), drawing, turned, mirrored)


def _flaw(node: modules.Pattern, drawing: Mapping[str, Sequence[Offset]], space: modules.Space) -> tuple[str, str, str] | None:
    """Why a pattern can have no places in a space: code, message and help; None if it can."""
    if not drawing:
        return (
            "RW173",
            f"the pattern `{node.name}` has no cells",
            "draw it in rows, with a name for each cell and `.` for a gap",
        )
    if space.shape not in TURNS:
        message = f"a pattern cannot be drawn on a {space.shape.value}, only on a square, hex or cube grid"
        return "RW174", message, "describe the arrangement with `step` and `around`"
    if space.shape is not modules.Shape.CUBE and any(row.level for row in node.rows):
        return "RW174", f"`{space.name}` has no levels", "leave out `level`, or make the space a cube grid"
    if not space.size:
        message = f"`{space.name}` has no bounds, so `{node.name}` has infinitely many places"
        return "RW171", message, "give the space a size, as in `square grid 8 x 8`"
    if space.shape is modules.Shape.HEX and (between := between_hexes(drawing.values())) is not None:
        east, south, _ = between
        message = f"the cell of `{node.name}` in row {south + 1}, column {east + 1} lies between two hexes"
        help = "a column is half a hex wide: leave one column free between neighbours, and offset the next row by one column"
        return "RW155", message, help
    orientations = (TURNS[space.shape] if node.turned else 1) * (2 if node.mirrored else 1)
    if sample_window(space).size * orientations * sum(map(len, drawing.values())) > MOST_CELLS:
        message = f"the places of `{node.name}` have more than {MOST_CELLS} cells in total"
        return "RW175", message, "make the space or the pattern smaller"
    return None


def drawing_of(rows: Iterable[modules.PatternRow]) -> dict[str, list[Offset]]:
    """The cells of each role, by rows; the rows of each level are counted from its first."""
    found: dict[str, list[Offset]] = {}
    seen: dict[int, int] = {}
    for row in rows:
        south = seen[row.level] = seen.get(row.level, -1) + 1
        for east, role in enumerate(row.roles):
            if role:
                found.setdefault(role, []).append((east, south, row.level))
    return found


def conditions_of(book: Rulebook, found: Mapping[str, game.Pattern]) -> dict[str, modules.Define]:
    """The condition of each pattern as a definition whose parameters are the cells of its roles."""
    return {
        pattern.condition: modules.Define(
            pattern.condition,
            tuple(modules.Parameter(role, span=pattern.span) for role in pattern.roles),
            _all_of(book.patterns[name]),
            cite=book.patterns[name].cite,
            requirements=book.patterns[name].requirements,
            span=pattern.span,
        )
        for name, pattern in found.items()
    }


def _all_of(node: modules.Pattern) -> expressions.Expression:
    required = tuple(requirement.condition for requirement in node.requirements)
    return expressions.And(required, span=node.span) if required else expressions.TruthLiteral(True, span=node.span)


def condition_types(pattern: game.Pattern) -> dict[str, types.Type]:
    """The parameter types of the definition of a pattern's condition."""
    return dict.fromkeys(pattern.roles, types.SetOf(types.Cell(pattern.space)))


def check_conditions(definitions: Mapping[str, game.Definition], sink: Sink) -> None:
    """Report RW115 if a pattern's condition depends on itself, which the names in the text do not show."""
    calls = {
        name: [
            node.definition
            for node in nodes_of({}, definition)
            if isinstance(node, terms.Invoke) and node.definition in definitions
        ]
        for name, definition in definitions.items()
    }
    for user, used in back_edges(calls, callees_first(calls)):
        help = "use `closure of`, or a loop in the flow"
        message = f"{_called(user)} refers to itself"
        through = Label(definitions[used].span, "through this definition")
        sink.error("RW115", message, definitions[user].span, *([through] if used != user else []), help=help)


def _called(name: str) -> str:
    return f"pattern `{name.rpartition(' ')[2]}`" if " " in name else f"definition `{name}`"


def role_of(pattern: game.Pattern, role: str, place: terms.Term, span: Span) -> terms.Term:
    """The cells of a role of a place."""
    return terms.Row(terms.RolesOf(pattern.name, role), place, type=types.SetOf(types.Cell(pattern.space)), span=span)


def no_place(symbols: SymbolTable, span: Span) -> None:
    """Report RW176: a value that should be a place of a pattern."""
    help = "give the pattern where the name is introduced, as in `p in places(NAME)`"
    symbols.sink.error("RW176", "this is not a place of a pattern", span, help=help)
