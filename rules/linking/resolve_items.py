"""Resolves the items of a rulebook: definitions, actions, scores, invariants, ranks and initial values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import define, evolve
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_declarations import print_parameter
from rulewright.grammar.tree import expressions
from rulewright.grammar.tree import modules as tree
from rulewright.rules.merging.needs import Needed, report_unfit
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import game, standing, types
from rulewright.rules.model.effects import Shuffle
from rulewright.rules.model.instance import or_none
from rulewright.rules.model.terms import AllCells, Binder, Drawn, Let, Term, Those
from rulewright.rules.model.traversal import locals_in, nodes_of, variables_in

from .declarations import written_type
from .functions.call import NUMBER, PLAYER
from .resolve_effects import EffectResolver
from .resolve_flow import TriggerResolver
from .resolve_terms import TermResolver
from .symbol_table import Locals, LocalSymbol, Signature, SymbolTable
from .unification import PartialType, TypeVariable, describe_partial, ground, prune, unify

_OF_PLAYER = {standing.PLAYER: LocalSymbol(PLAYER)}


@define
class ItemResolver:
    """Resolves items: in a first pass to infer types, in a second to build the parts of the game."""

    book: Rulebook
    terms: TermResolver
    effects: EffectResolver

    @classmethod
    def of(cls, book: Rulebook, symbols: SymbolTable, inferring: bool = False) -> ItemResolver:
        """A resolver for one pass over a rulebook."""
        resolver = TermResolver(symbols, inferring)
        reactions = TriggerResolver(resolver, tuple(book.whenevers.values()))
        return cls(book, resolver, EffectResolver(resolver, book.procedures, reactions))

    @property
    def symbols(self) -> SymbolTable:
        """The symbol table of the pass."""
        return self.terms.symbols

    # Definitions ------------------------------------------------------------------------------------------------------

    def definition(self, name: str) -> game.Definition:
        """Resolve a definition."""
        signature = self.symbols.signatures[name]
        node = signature.node
        locals: dict[str, LocalSymbol] = {}
        for parameter in node.parameters:
            type = signature.parameters[parameter.name]
            self.symbols.refuse_optional(parameter)
            if parameter.domain is not None:
                _, element = self.terms.set(parameter.domain, locals)
                if not unify(type, element):
                    self.terms.mismatch(parameter.span, type, element)
            locals[parameter.name] = LocalSymbol(type)
        value = self.terms.term(node.value, locals, signature.result)
        cases = self._cases(node.cases, name, locals, signature)
        if node.cases:
            help = "put the condition in `if … then … else …` or `those … where …`"
            self.terms.refuse_set(signature.result, node.cases[0].span, "a definition of a set cannot have exceptions", help)
        parameters = tuple((n, ground(t, NUMBER)) for n, t in signature.parameters.items())
        result, source = ground(signature.result, NUMBER), self.symbols.source
        said = name.rpartition(" ")[2]  # for a pattern its own name, without the prefix of its condition
        reasons = tuple(
            game.Reason(f"{said}.{r.label}", _message(r), **source(r.span, r.cite or node.cite)) for r in node.requirements
        )
        return game.Definition(name, parameters, value, cases, result, node.text, reasons, **source(node.span, node.cite))

    def check_needed(self, needed: Needed) -> None:
        """Report RW116 for a definition whose types differ from those that a module needs."""
        if not isinstance(needed.need, tree.NeededDefinition | tree.NeededRule):
            return
        signature, symbols = self.symbols.signatures[needed.name], self.symbols
        span, wanted = signature.node.span, needed.need
        if len(signature.parameters) != len(wanted.parameters):
            report_unfit(
                needed,
                span,
                f"wrong number of parameters: expected {len(wanted.parameters)}, found {len(signature.parameters)}",
                symbols.sink,
            )
            return
        for parameter, found in zip(wanted.parameters, signature.parameters.values(), strict=True):
            if parameter.domain is not None:
                _, element = self.terms.set(parameter.domain, {})
                if not unify(found, element):
                    help = f"`{parameter.name}` must be {describe_partial(element)}, not {describe_partial(found)}"
                    report_unfit(needed, span, help, symbols.sink)
        type = self._needed_type(wanted)
        if not unify(signature.result, type):
            help = f"its value must be {describe_partial(type)}, not {describe_partial(signature.result)}"
            report_unfit(needed, span, help, symbols.sink)

    def _needed_type(self, wanted: tree.NeededDefinition | tree.NeededRule) -> PartialType:
        """The type of the needed value; a free variable if the type is unknown (RW125)."""
        if wanted.type == tree.NamedType("number"):
            return NUMBER
        sink = Sink()
        type, storage, *_ = written_type(wanted.type, wanted.span, self.book, self.symbols.enumerations, sink)
        self.symbols.sink.diagnostics += sink
        if sink.errors:
            return TypeVariable()
        return type if storage is game.Storage.VALUE else types.SetOf(type)

    def _cases(self, cases: tuple[tree.Case, ...], prefix: str, locals: Locals, signature: Signature) -> tuple[game.Case, ...]:
        return tuple(
            game.Case(
                f"{prefix}.{case.label}",
                self.terms.term(case.value, locals, signature.result),
                self.terms.condition(case.when, locals),
                self._cases(case.exceptions, f"{prefix}.{case.label}", locals, signature),
                **self.symbols.source(case.span, case.cite),
            )
            for case in cases
        )

    # Actions ----------------------------------------------------------------------------------------------------------

    def action(self, node: tree.Action) -> game.Action:
        """Resolve an action. Reports RW132, RW209, RW210, RW214 and RW216, and what its parts report."""
        parameters, locals = self._parameters(node.parameters)
        before = tuple(self._requirement(each, node, locals) for each in node.requirements if not each.after)
        after = tuple(self._requirement(each, node, locals) for each in node.requirements if each.after)
        effects = self.effects.clauses(tuple(effect.labelled for effect in node.effects), node.name, locals)
        if after and any(isinstance(part, Drawn | Shuffle) for part in nodes_of({}, effects)):
            help = "require it of the actions that follow, or leave it to the flow to roll, draw or shuffle"
            message = "what holds `after` an action cannot depend on chance"
            self.symbols.sink.error("RW216", message, after[0].span, Label(node.span, "this action uses chance"), help=help)
        notation, other = self._notations(node, locals)
        source = self.symbols.source(node.span, node.cite)
        written = tuple(map(print_parameter, node.parameters))
        return game.Action(node.name, parameters, before, effects, notation, node.text, after, other, written, **source)

    def _notations(self, node: tree.Action, locals: Locals) -> tuple[tuple[str, ...], game.OtherNotation | None]:
        """How an action is written: by default its name, then its parameters; and what it says of another way."""
        said, sink = node.notation, self.symbols.sink
        if said is None:
            return (node.name, *(part for each in node.parameters for part in (" ", "{" + each.name + "}"))), None
        parts = _notation(node, said.text, said.span, sink)
        if said.when is None:
            return parts, None
        other = _notation(node, said.other, said.span, sink)
        return parts, game.OtherNotation(other, self.terms.condition(said.when, locals), span=said.span)

    def _requirement(self, written: tree.Requirement, action: tree.Action, locals: Locals) -> game.Requirement:
        condition = self.terms.condition(written.condition, locals)
        source = self.symbols.source(written.span, written.cite or action.cite)
        return game.Requirement(f"{action.name}.{written.label}", condition, _message(written), **source)

    def _parameters(self, nodes: tuple[tree.Parameter, ...]) -> tuple[tuple[game.Parameter, ...], Locals]:
        """The parameters of an action; each sees those before it."""
        locals: dict[str, LocalSymbol] = {}
        found = []
        for node in nodes:
            if node.domain is None:
                help = f"write `{node.name} in …`"
                self.symbols.sink.error("RW209", f"the parameter `{node.name}` has no domain", node.span, help=help)
                locals[node.name] = LocalSymbol(TypeVariable())
                continue
            binder = expressions.Binder(node.name, node.domain, node.where, span=node.span)
            bound, locals = self.terms.bound(binder, locals)
            self._check_domain(bound)
            found.append(self._optional(bound, node) if node.optional else bound)
        return tuple(found), locals

    def _optional(self, bound: Binder, node: tree.Parameter) -> game.Parameter:
        """A parameter that may be none, regardless of its `where`. Reports RW244 for a type without such a value."""
        chosen = bound.domain if bound.where is None else Those(bound, type=self.terms.set_of(bound.type), span=node.span)
        if isinstance(prune(bound.type), types.Number | types.Truth):
            help = "for a number, use `-1` for none, as in `n in {-1, 1, 2}`; for a truth value, use `no`"
            self.symbols.sink.error("RW244", f"{describe_partial(bound.type)} cannot be none", node.span, help=help)
            return evolve(bound, domain=chosen, where=None)
        return evolve(bound, domain=or_none(chosen, bound.type), where=None)

    def _check_domain(self, parameter: game.Parameter) -> None:
        """Report RW214 (players cannot name it) and RW210 (infinitely many)."""
        sink = self.symbols.sink
        if isinstance(parameter.type, types.Region):
            message = f"`{parameter.name}` is a region, which players cannot name in a move"
            sink.error("RW214", message, parameter.span, help="let them choose a cell and a direction, and use `region(…)`")
        domain = parameter.domain
        while isinstance(domain, Those) and domain.binder.where is None:
            domain = domain.binder.domain
        if isinstance(domain, AllCells) and parameter.where is None:
            space = self.symbols.spaces[domain.space]
            if not space.size and not space.edges:
                message = f"`{parameter.name}` ranges over infinitely many cells"
                help = "restrict it to some cells, as in `around(…)`, or give the space a size"
                sink.error("RW210", message, parameter.span, Label(space.span, f"`{space.name}` has no bounds"), help=help)

    # Scores, invariants, initial values, ranks ------------------------------------------------------------------------

    def scores(self) -> tuple[game.Score, ...]:
        """Resolve the scores; per-player scores can be read from here on."""
        found = tuple(self._score(node) for node in self.book.scores.values())
        self.symbols.player_scores.update({score.name: score.of_player for score in found if score.of_player is not None})
        return found

    def _score(self, node: tree.Score) -> game.Score:
        """Resolve a score. Reports RW140 (indexed by something other than players)."""
        source = self.symbols.source(node.span, node.cite)
        if not node.index:
            return game.Score(node.name, self.terms.term(node.value, {}, NUMBER), **source)
        if node.index != standing.PLAYER:
            help = f"write `score {node.name} of player: …`, or `score {node.name}: sum … for … in …`"
            self.symbols.sink.error("RW140", f"a score can be `of player`, not of `{node.index}`", node.span, help=help)
            value = self.terms.stand_in(node.span)
        else:
            value = self.terms.term(node.value, _OF_PLAYER, NUMBER)
        return game.Score(node.name, standing.of_all_players(value), value, **source)

    def winner(self, node: tree.Winner) -> standing.Winner:
        """Resolve the winner. Per-player scores may be named without `of player`."""
        return tuple(
            standing.Criterion(criterion.extreme, self._criterion(criterion.value), span=criterion.span)
            for criterion in node.criteria
        )

    def _criterion(self, node: expressions.Expression) -> Term:
        scores = self.symbols.player_scores
        if isinstance(node, expressions.Name) and node.text in scores:
            return scores[node.text]
        value = self.terms.term(node, _OF_PLAYER | {name: LocalSymbol(NUMBER) for name in scores}, NUMBER)
        for name in sorted(locals_in(value) & scores.keys()):
            value = Let(name, scores[name], value, NUMBER, span=node.span)
        return value

    def invariant(self, node: tree.Invariant) -> game.Requirement:
        """Resolve an invariant."""
        condition, source = self.terms.condition(node.condition, {}), self.symbols.source(node.span, node.cite)
        return game.Requirement(node.label, condition, node.message, **source)

    def initial_values(self) -> dict[str, Term]:
        """Resolve the initial values of state variables that have one."""
        return {
            line.name: self.terms.term(line.initial, {}, self.symbols.variables[line.name].type)
            for line in self.book.state.values()
            if line.initial is not None
        }

    def ranking(self, node: tree.Rank, definitions: Mapping[str, game.Definition]) -> standing.Ranking:
        """Resolve the ranks. Reports RW131 (ranges that are not consecutive) and RW213 (not a function of the score alone).

        If a per-player score is named, each player has a rank.
        """
        sink, own = self.symbols.sink, self.symbols.player_scores
        _check_ranges(node.lines, sink)
        match node.value:
            case expressions.Subscript(name, expressions.Name(standing.PLAYER)) if name in own:
                asked: expressions.Expression = expressions.Name(name, span=node.value.span)
            case other:
                asked = other
        value = self.terms.term(asked, {name: LocalSymbol(NUMBER) for name in (*own, game.SCORE)}, NUMBER)
        if read := min(variables_in(definitions, value), default=""):
            help = "to reward it, write a `score`"
            sink.error("RW213", f"a rank cannot depend on `{read}`, which changes during play", node.value.span, help=help)
        return standing.Ranking(value, node.lines, of_players=bool(locals_in(value) & own.keys()))


def _check_ranges(lines: tuple[tree.RankLine, ...], sink: Sink) -> None:
    for before, line in pairwise(lines):
        if before.high is None or line.low != before.high + 1:
            help = "ranges must be adjacent, and only the first and the last may be unbounded"
            if before.high is not None:
                help = f"start this range at {before.high + 1}"
            elif line.low is not None:
                help = f"end the range above at {line.low - 1}"
            message = f"the range of `{line.name}` does not continue that of `{before.name}`"
            sink.error("RW131", message, line.span, Label(before.span, "the previous rank"), help=help)


def _notation(action: tree.Action, text: str, span: Span, sink: Sink) -> tuple[str, ...]:
    """The parts of a notation, with `{parameter}` for a hole.

    Reports RW132 if a hole is no parameter or a parameter has no hole.
    """
    parameters = [p.name for p in action.parameters]
    words = tuple(re.findall(r"\{[^{}]*\}| |[^{} ]+|[{}]", " ".join(text.split())))
    holes = [word[1:-1] for word in words if word.startswith("{") and word.endswith("}")]
    for hole in holes:
        if hole not in parameters:
            sink.error("RW132", f"`{action.name}` has no parameter `{hole}`", span, help=suggest(hole, parameters))
    for name in parameters:
        if holes.count(name) != 1:
            omits = f"the notation omits `{name}`, so different moves would look alike"
            message = f"the notation names `{name}` twice" if name in holes else omits
            sink.error("RW132", message, span, help=f"{'leave one out' if name in holes else f'add `{{{name}}}`'}")
    return words


def _message(requirement: tree.Requirement) -> str:
    """What is said if it does not hold."""
    return requirement.message or f"`{requirement.label}` does not hold"
