"""Finds the piles whose order nobody knows, for questions in expectation."""

from __future__ import annotations

from collections import Counter

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.spans import Span
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.declarations import Visibility
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.unseen_piles import hidden_piles, shuffled_piles
from rulewright.rules.static.dataflow import DataflowAnalysis


def unseen_order(puzzle: puzzles.Puzzle, engine: Engine, state: State, question: Question, sink: Sink) -> frozenset[str]:
    """The relevant hidden piles in random order: `rest, seed 7`, or shuffled by the rules. Listed piles are known.

    Reports RW383 for a pile known only in part, or whose order only its owner knows.
    """
    if not question.in_expectation:
        return frozenset()
    live = DataflowAnalysis(engine, question.values, state).live_variables
    hidden = hidden_piles(engine) & live
    unseen = {name for name in shuffled_piles(engine) if name in hidden}
    known = Counter[str]()
    spans: dict[str, Span] = {}
    for setting in puzzle.settings:
        if setting.name not in live or setting.name not in engine.game.variables:
            continue
        variable = engine.game.variables[setting.name]
        seeded = any(isinstance(value, puzzles.Rest) and value.seed is not None for value in setting.values)
        if variable.storage is not Storage.PILE or setting.open_to_all or variable.visibility is Visibility.OPEN:
            known[setting.name] += 1
            continue
        spans[setting.name] = setting.span
        if seeded and (variable.visibility is Visibility.OWNER or len(setting.values) > 1):
            _refuse(setting.name, setting.span, question, sink)
        elif seeded:
            unseen.add(setting.name)
        elif len(setting.values) > 1:
            known[setting.name] += 1
    for name in unseen & known.keys():
        if known[name] < engine.layout.columns[name].count:
            _refuse(name, spans.get(name, question.span), question, sink)
    return frozenset(unseen) - known.keys()


def _refuse(pile: str, span: Span, question: Question, sink: Sink) -> None:
    message = f"the order of `{pile}` is only partly known, which is not supported in expectation"
    help = "list all of its tiles, or, for a face-down pile, only `rest`"
    sink.error("RW383", message, span, Label(question.span, "the question"), help=help)
