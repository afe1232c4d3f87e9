"""Resolves an expression of a question in the names of a linked game."""

from __future__ import annotations

from rulewright.base.diagnostics import Sink
from rulewright.base.records import define, field
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree import expressions, modules
from rulewright.rules.merging.rulebook import Family
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.standing import of_player
from rulewright.rules.model.types import Type

from .call_graph import check_parts
from .declarations import meanings
from .functions.call import NUMBER, PLAYER
from .resolve_terms import TermResolver
from .symbol_table import Locals, Signature, SymbolTable


def resolved(
    game: model.Game, scores: dict[str, terms.Term], expression: expressions.Expression, type: Type, players: int | None
) -> terms.Term:
    """The term of an expression, as `resolve_question` gives it; `scores` are the values of the scores by name."""
    sink = Sink()
    symbols = _symbol_table(game, scores, sink)
    symbols.players = game.players.low if players is None else players
    term = _QuestionResolver(symbols, scores=scores).term(expression, {}, type)
    check_parts(game, (term,), sink)
    sink.stop()
    return term


def _symbol_table(game: model.Game, scores: dict[str, terms.Term], sink: Sink) -> SymbolTable:
    """The names of a linked game, with its scores among the variables."""
    return SymbolTable(
        Family((), {}),
        sink,
        game.spaces,
        game.tiles,
        game.tables,
        game.variables | {name: model.Variable(name, None, NUMBER) for name in scores},
        {name: _signature(definition) for name, definition in game.definitions.items()},
        game.enumerations,
        meanings(game.enumerations, game.tiles, game.spaces),
        partitions=game.partitions,
        player_scores={score.name: score.of_player for score in game.scores if score.name in scores and score.of_player},
        patterns=game.patterns,
        pieces=game.pieces,
    )


def _signature(definition: model.Definition) -> Signature:
    span = definition.span
    parameters = tuple(modules.Parameter(name, None, span=span) for name, _ in definition.parameters)
    node = modules.Define(definition.name, parameters, expressions.NumberLiteral(0, span=NO_SPAN), span=span)
    return Signature(node, dict(definition.parameters), definition.type)


@define
class _QuestionResolver(TermResolver):
    """Resolves the names of scores to their values; a per-player score without a player is the sum over players."""

    scores: dict[str, terms.Term] = field(kw_only=True)

    def read(self, variable: model.Variable, index: tuple[terms.Term, ...], span: Span) -> terms.Term:
        return self.scores.get(variable.name) or super().read(variable, index, span)

    def of(self, name: str, index: expressions.Expression, span: Span, locals: Locals) -> terms.Term:
        if (score := self.symbols.player_scores.get(name)) is not None:
            return of_player(score, self.term(index, locals, PLAYER))
        return super().of(name, index, span, locals)
