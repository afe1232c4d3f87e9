"""Resolves the statements of the flow, and declares the variables of its `for` loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from rulewright.base.diagnostics import Label, suggest
from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, modules, statements
from rulewright.rules.linking.functions.call import PLAYER, TILE, TRUTH
from rulewright.rules.merging import triggers
from rulewright.rules.merging.flow_edits import statements_of
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import effects, game, terms, types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.traversal import conjunction, variables_in

from .forms.sets import only
from .resolve_terms import TermResolver
from .scopes import end_of, left_by_stop
from .symbol_table import Locals, LocalSymbol, SymbolTable
from .unification import TypeVariable, as_type, prune, unify


def declare_loop_variables(body: tuple[statements.FlowStatement, ...], symbols: SymbolTable) -> None:
    """Declare the variable of each `for` in a flow, with a type still to be inferred. Reports RW102."""
    for node in statements_of(body):
        if isinstance(node, statements.Each):
            before = symbols.variables.get(node.name)
            if before is None:
                symbols.variables[node.name] = game.Variable(
                    node.name, None, as_type(TypeVariable()), is_loop=True, module=symbols.module(node.span), span=node.span
                )
            elif not before.is_loop:
                _report_twice(node, before, symbols)


def _report_twice(node: statements.Each, before: game.Variable, symbols: SymbolTable) -> None:
    message = f"`{node.name}` is defined twice"
    symbols.sink.error("RW102", message, node.span, Label(before.span, "first defined here"))


@define
class FlowResolver:
    """Resolves the statements of a flow. `definitions` are those already built; empty during type inference."""

    terms: TermResolver
    book: Rulebook
    definitions: Mapping[str, game.Definition]

    def body(self, nodes: tuple[statements.FlowStatement, ...]) -> tuple[game.Flow, ...]:
        """Resolve statements in order. Reports RW102, RW112, RW114, RW212 and what their parts report."""
        found: list[game.Flow] = []
        for node in nodes:
            found.append(self._statement(node))
            if isinstance(node, statements.Repeat):
                found += (game.Run(end_of(name), span=node.span) for name in left_by_stop(node.body) if name in self._scopes)
        return tuple(found)

    @property
    def _scopes(self) -> set[str]:
        """The points that are the scope of a variable."""
        return {variable.scope for variable in self.terms.symbols.variables.values()}

    def _statement(self, node: statements.FlowStatement) -> game.Flow:
        span = node.span
        match node:
            case statements.Run(procedure):
                self._check_known("RW112", "procedure", procedure, self.book.procedures, span)
                return game.Run(procedure, span=span)
            case statements.Repeat(until, inner):
                stop = None if until is None else self.terms.condition(until, {})
                return game.Repeat(stop, self.body(inner), span=span)
            case statements.Each():
                return self._each(node)
            case statements.Branch(condition, inner, otherwise):
                test = self.terms.condition(condition, {})
                return game.Branch(test, self.body(inner), self.body(otherwise), span=span)
            case statements.Point(name, inner):
                ending = (game.Run(end_of(name), span=span),) if name in self._scopes else ()
                return game.Point(name, (*self.body(inner), *ending), span=span)
            case statements.Choose(actions, stop_allowed, by):
                for action in actions:
                    self._check_known("RW114", "action", action, self.book.actions, span)
                    self._check_offered(action, span)
                if by is None and "player" in self.terms.symbols.variables:
                    by = expressions.Name("player", span=span)
                chooser = None if by is None else self.terms.term(by, {}, PLAYER)
                return game.Choose(actions, stop_allowed, chooser, span=span)
            case _:
                assert_never(node)

    def _check_offered(self, name: str, span: Span) -> None:
        action = self.book.actions.get(name)
        if action is not None and action.base:
            declared = Label(action.span, "declared here")
            help = f"offer an action that is `like {name}`, or declare `{name}` without `base`"
            self.terms.symbols.sink.error(
                "RW154", f"a base action such as `{name}` cannot be offered", span, declared, help=help
            )

    def _each(self, node: statements.Each) -> game.Each:
        domain, element = self.terms.set(node.domain, {})
        symbols = self.terms.symbols
        variable = symbols.variables[node.name]
        if not unify(element, variable.type):
            _report_twice(node, variable, symbols)
        first = None if node.start is None else self.terms.term(node.start, {}, element)
        where = None if node.where is None else self.terms.condition(node.where, {})
        if read := min(variables_in(self.definitions, domain), default=""):
            message = f"the domain of `{node.name}` depends on `{read}`, which changes during play"
            help = "loop over a fixed set, and filter it with `where`"
            symbols.sink.error("RW212", message, node.span, help=help)
        return game.Each(node.name, domain, first, where, self.body(node.body), span=node.span)

    def _check_known(self, code: str, kind: str, name: str, known: Mapping[str, object], span: Span) -> None:
        if name not in known:
            symbols = self.terms.symbols
            help = suggest(name, set(known))
            symbols.sink.error(code, f"there is no {kind} `{name}`", span, *symbols.dropped_here(name), help=help)


# Resolves `whenever` --------------------------------------------------------------------------------------------------
# The effects that its pattern matches, and the inlining of its body around each of them.


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
                body = (effects.EffectClause(clause.name, when, module=clause.module, span=trigger.node.span),)
            after += body
        found: Clauses = (*clauses, *after)
        for name, value in reversed(bound):
            loop = effects.ForEach(only(name, value, value.span), found, span=clause.span)
            found = (effects.EffectClause(clause.name, loop, module=clause.module, span=clause.span),)
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
                    conditions.append(terms.Compare(equal, here, fixed, span=operand.span))
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
            zones = [v.name for v in symbols.variables.values() if v.is_zone]
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
