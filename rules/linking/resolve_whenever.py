"""Resolves `whenever`: the effects that its pattern matches, and the inlining of its body around each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.base.diagnostics import suggest
from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree import expressions, modules, statements
from rulewright.rules.merging import triggers
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.game import Storage, Variable
from rulewright.rules.model.inlining import conjunction

from .functions.call import TILE, TRUTH
from .resolve_terms import TermResolver
from .symbol_table import Locals, LocalSymbol
from .unification import prune

Clauses = tuple[effects.EffectClause, ...]

_FROM_AND_TO_CELL: Mapping[type[statements.Moving], tuple[bool, bool]] = {
    statements.Put: (False, True),
    statements.Take: (True, False),
    statements.Slide: (True, True),
    statements.Move: (False, False),
}
"""Whether a tile leaves a cell, and whether it comes to one: else a zone."""

_ALWAYS_KNOWN = {"players", "player_count", "tiles"}


@frozen
class Operand:
    """A pattern's condition on an operand: `alias` is its name in terms, `fixed` its required value, if any."""

    alias: str
    type: types.Type
    fixed: terms.Term | None = None


@frozen
class Trigger:
    """A resolved pattern. `operands` are pieces and cells, then the indices of the zones.

    `places` are where a tile comes from and goes: a space, a set of pieces or a zone; an empty one is any zone.
    """

    node: modules.Whenever
    places: tuple[str, ...]
    operands: tuple[Operand, ...]
    locals: Locals
    condition: terms.Term | None

    def operands_of(self, effect: effects.Effect) -> tuple[terms.Term, ...] | None:
        """The operands of an effect that the pattern matches; None if it cannot match."""
        if not isinstance(effect, effects.Transfer):
            return None
        values: tuple[terms.Term, ...] = () if effect.piece is None else (effect.piece,)
        indices: tuple[terms.Term, ...] = ()
        of_cells, found = _FROM_AND_TO_CELL[type(self.node.pattern)], (effect.source, effect.target)
        for is_cell, wanted, place in zip(of_cells, self.places, found, strict=True):
            if is_cell != _is_cell(place) or wanted not in ("", place.variable):
                return None
            values += place.index if is_cell else ()
            indices += place.index if wanted and not is_cell else ()
        values += indices
        same = zip(self.operands, values, strict=True)
        if any(_differ(operand.fixed, value) for operand, value in same if operand.fixed is not None):
            return None
        return values


def _is_cell(place: effects.Location) -> bool:
    """Whether a place is a cell, or the place of a piece: zones have no such index."""
    return any(isinstance(prune(index.type), types.Cell | types.Place) for index in place.index)


def _differ(one: terms.Term, other: terms.Term) -> bool:
    return isinstance(one, terms.Constant) and isinstance(other, terms.Constant) and one.value != other.value


@define
class TriggerResolver:
    """Resolves patterns once and inlines their bodies. `bodies` are those resolved so far; a body precedes its uses.

    `met` are the names of the `whenever`s that some effect triggers.
    """

    terms: TermResolver
    nodes: Sequence[modules.Whenever]
    triggers: list[Trigger] = field(init=False)
    bodies: dict[str, Clauses] = field(factory=dict, init=False)
    met: set[str] = field(factory=set, init=False)

    @triggers.default
    def _resolved(self) -> list[Trigger]:
        found = (self._trigger(node) for node in self.nodes)
        return [trigger for trigger in found if trigger is not None]

    def around(self, effect: effects.Effect, clauses: Sequence[effects.EffectClause]) -> Clauses:
        """The clauses of an effect together with what it triggers; conditions are evaluated before the effect. Reports RW152.

        They are nested in loops over one element each, which bind the operands and, for each `whenever`, whether its condition
        holds.
        """
        bound: list[tuple[str, terms.Term]] = []
        clause, after = clauses[0], list[effects.EffectClause]()
        for trigger in self.triggers:
            given = trigger.operands_of(effect)
            if given is None:
                continue
            self.met.add(trigger.node.name)
            if trigger.node.name not in self.bodies:
                self._report_cycle(trigger, clause)
                continue
            bound += zip((operand.alias for operand in trigger.operands), given, strict=True)
            body, condition = self.bodies[trigger.node.name], trigger.condition
            if condition is not None:
                met = f"{_prefix(trigger.node)} met"
                bound.append((met, condition))
                when = effects.When(terms.Local(met, TRUTH, span=condition.span), body, (), span=trigger.node.span)
                body = (effects.EffectClause(clause.name, when, clause.module, span=trigger.node.span),)
            after += body
        found: Clauses = (*clauses, *after)
        for name, value in reversed(bound):
            only = terms.SetLiteral((value,), types.SetOf(value.type), span=value.span)
            loop = effects.ForEach(terms.Binder(name, only, None, value.type, span=value.span), found, span=clause.span)
            found = (effects.EffectClause(clause.name, loop, clause.module, span=clause.span),)
        return found

    def _report_cycle(self, trigger: Trigger, clause: effects.EffectClause) -> None:
        message = f"`whenever {trigger.node.name}` would trigger itself"
        self.terms.symbols.sink.error(
            "RW152", message, clause.span, help="narrow its pattern, or move the statements to a procedure"
        )

    # Patterns ---------------------------------------------------------------------------------------------------------

    def _trigger(self, node: modules.Whenever) -> Trigger | None:
        """Resolve a pattern; None after an error: RW153, RW202, RW203, RW206."""
        if isinstance(node.pattern, statements.Move) and node.pattern.everything:
            help = "name a single tile, as in `move t to …`"
            self.terms.symbols.sink.error(
                "RW153", "a pattern must match the move of one tile, not of all", node.pattern.span, help=help
            )
            return None
        if isinstance(node.pattern, statements.Put) and node.pattern.turned is not None:
            help = "test it in the block, as in `if turned(c) = 1: …`"
            message = "a pattern cannot match how a tile is turned"
            self.terms.symbols.sink.error("RW153", message, node.pattern.turned.span, help=help)
            return None
        space = self._space(node)
        zones = [None if zone is None else self._zone(zone) for zone in triggers.zones(node.pattern)]
        if space is None or not all(zone is None or zone[0] for zone in zones):
            return None
        is_piece = isinstance(node.pattern, statements.Put | statements.Move)
        wanted: list[tuple[expressions.Expression, types.Type]] = []
        for number, operand in enumerate(triggers.pieces_and_cells(node.pattern)):
            there = types.Place(space) if space in self.terms.symbols.pieces else types.Cell(space)
            wanted.append((operand, TILE if is_piece and number == 0 else there))
        for zone in zones:
            if zone is not None and zone[0] is not None and zone[0].index is not None and zone[1] is not None:
                wanted.append((zone[1], zone[0].index))
        names = iter("" if zone is None or zone[0] is None else zone[0].name for zone in zones)
        places = tuple(space if is_cell else next(names) for is_cell in _FROM_AND_TO_CELL[type(node.pattern)])
        return self._with_operands(node, places, wanted)

    def _with_operands(
        self,
        node: modules.Whenever,
        places: tuple[str, ...],
        wanted: Sequence[tuple[expressions.Expression, types.Type]],
    ) -> Trigger:
        locals: dict[str, LocalSymbol] = {}
        aliases: list[str] = []
        for number, (operand, type) in enumerate(wanted):
            name = self._new_name(operand, locals)
            aliases.append(f"{_prefix(node)} {name or number}")
            if name:
                locals[name] = LocalSymbol(type, alias=aliases[-1])
        operands: list[Operand] = []
        conditions: list[terms.Term] = []
        for alias, (operand, type) in zip(aliases, wanted, strict=True):
            fixed = None
            match operand:
                case expressions.Name(text) if text in locals and locals[text].alias == alias:
                    pass
                case expressions.Membership(expressions.Name(text)) if text in locals and locals[text].alias == alias:
                    conditions.append(self.terms.condition(operand, locals))
                case _:
                    fixed = self.terms.term(operand, locals, type)
                    here = terms.Local(alias, type, span=operand.span)
                    equal = expressions.Comparison.EQUAL
                    conditions.append(terms.Compare(equal, here, fixed, TRUTH, span=operand.span))
            operands.append(Operand(alias, type, fixed))
        if node.where is not None:
            conditions.append(self.terms.condition(node.where, locals))
        condition = conjunction(conditions) if conditions else None
        return Trigger(node, places, tuple(operands), locals, condition)

    def _new_name(self, operand: expressions.Expression, locals: Locals) -> str:
        """The name that an operand introduces: one otherwise unknown, alone or as `c in …`; empty if there is none."""
        match operand:
            case expressions.Name(text) | expressions.Membership(expressions.Name(text)):
                symbols = self.terms.symbols
                taken = (symbols.variables, symbols.signatures, symbols.constants, symbols.spaces, symbols.tile_sets)
                known = any(text in names for names in (*taken, symbols.enumerations, locals, _ALWAYS_KNOWN))
                return "" if known else text
            case _:
                return ""

    def _space(self, node: modules.Whenever) -> str | None:
        """The space of the cells of a pattern, or the set of its pieces; empty without cells.

        None if it cannot be determined (RW202).
        """
        cells = triggers.pieces_and_cells(node.pattern)
        if isinstance(node.pattern, statements.Move):
            return ""
        for cell in cells:
            if isinstance(cell, expressions.Membership):
                _, element = self.terms.set(cell.domain, {})
                match prune(element):
                    case types.Cell(space) if space:
                        return space
                    case types.Place(pieces) if pieces in self.terms.symbols.pieces:
                        return pieces
                    case _:
                        pass
        symbols = self.terms.symbols
        boards = [name for name in symbols.spaces if symbols.board(name)]
        if len(boards) == 1:
            return boards[0]
        help = f"replace the cell by `c in {boards[0]}`" if boards else "declare `space board: square grid 8 x 8 of tiles`"
        symbols.sink.error("RW202", "it is ambiguous which space this refers to", node.pattern.span, help=help)
        return None

    def _zone(self, node: expressions.Expression) -> tuple[Variable | None, expressions.Expression | None]:
        """The zone that a pattern names, and its index. Reports RW203 and RW206."""
        inner = node.index if isinstance(node, expressions.Subscript) and node.name == "bottom" else node
        symbols, name = self.terms.symbols, triggers.zone_name(node)
        variable = symbols.zone(name)
        index = inner.index if isinstance(inner, expressions.Subscript) else None
        if variable is None:
            zones = [v.name for v in symbols.variables.values() if v.storage is not Storage.VALUE]
            help = suggest(name, zones, "declare one, as in `hand of player: set of tiles`")
            symbols.sink.error("RW206", "expected a zone", node.span, help=help)
        elif (variable.index is None) != (index is None):
            message = f"`{name}` {'needs an index' if index is None else 'has a single value and no index'}"
            help = f"write `{name} of …`" if index is None else f"write `{name}`"
            symbols.sink.error("RW203", message, node.span, help=help)
            return None, None
        return variable, index


def _prefix(node: modules.Whenever) -> str:
    """The prefix of a `whenever`'s names in terms, which no text can contain."""
    return f"whenever {node.name}"
