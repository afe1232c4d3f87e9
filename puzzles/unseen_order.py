"""Which piles of a position lie in an order that nobody knows, where a question takes chance as it may come."""

from __future__ import annotations

from rulewright.base.diagnostics import Label, Sink
from rulewright.grammar.tree import puzzles
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.unseen_piles import hidden_piles, shuffled_piles
from rulewright.rules.static.dataflow import DataflowAnalysis


def unseen_order(puzzle: puzzles.Puzzle, engine: Engine, question: Question, sink: Sink) -> frozenset[str]:
    """The hidden piles that matter in an order by a seed: `rest, seed 7`, or where the rules shuffle. What is written is known.

    Reports RW383 for a pile of which only a part is written.
    """
    if not question.in_expectation:
        return frozenset()
    hidden = hidden_piles(engine) & DataflowAnalysis(engine, question.values).live_variables
    seeded, known = set[str](), set[str]()
    for setting in puzzle.settings:
        if setting.name not in hidden:
            continue
        rests = [value for value in setting.values if isinstance(value, puzzles.Rest)]
        if rests and len(setting.values) > len(rests):
            message = f"the order of `{setting.name}` is known in part: what comes of that is not reckoned in expectation"
            help = "write out all of its tiles, or `rest` alone"
            sink.error("RW383", message, setting.span, Label(question.span, "what is asked"), help=help)
        if rests:
            seeded.add(setting.name)
        elif len(setting.values) > 1 or setting.open_to_all:
            known.add(setting.name)
    return frozenset(seeded | (shuffled_piles(engine) & hidden)) - known
