"""A question about a position, made ready for search: what tells states apart, what they are worth, what bounds them."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from ..grammar.classes import frozen
from ..grammar.scenarios import Goal
from ..rules.analysis import Analysis
from ..rules.compile import compile_value
from ..rules.engine import Engine, State
from ..rules.layout import COUNTED, POINT, SEED
from ..rules.possible import HUGE
from ..rules.questions import Question
from ..rules.terms import Term
from .interiors import Tighter, interior_bound
from .limits import bytes_of
from .monotone import outlook_bound
from .relaxation import Bound, FixedBound, relax


@frozen
class Problem:
    """More is better: a question that asks for the least is turned round by `sign`.

    Two states of one `key` differ only in what they have left to spend; of `spent`, more is better in every place.
    """

    engine: Engine
    root: State
    analysis: Analysis
    sign: int
    value: Callable[[State], int]
    bound: Bound | None
    key: Callable[[State], Any]
    spent: Callable[[State], tuple[int, ...]]

    @classmethod
    def of(cls, engine: Engine, root: State, question: Question, analysis: Analysis | None = None) -> Problem:
        """With the analysis of the question that is at hand already."""
        analysis = analysis or Analysis(engine, question.values)
        sign = -1 if question.goal is Goal.MINIMISE else 1
        bound = _bound(engine, analysis, question.values, root, sign)
        return cls(engine, root, analysis, sign, _objective(engine, question.values, sign), bound, *_keys(engine, analysis))

    @classmethod
    def without_bound(cls, engine: Engine, root: State, question: Question) -> Problem:
        """The same where a bound is not worth the time that it takes to make ready."""
        analysis = Analysis(engine, question.values)
        sign = -1 if question.goal is Goal.MINIMISE else 1
        return cls(engine, root, analysis, sign, _objective(engine, question.values, sign), None, *_keys(engine, analysis))

    @property
    def most(self) -> int | None:
        """No plan is worth more; None when nothing is known."""
        found = HUGE if self.bound is None else self.bound.bound(self.root)
        return found if found < HUGE // 2 else None

    @property
    def weight(self) -> int:
        """Bytes that it takes to remember a state, about."""
        key = self.key(self.root)
        return bytes_of(key if isinstance(key, tuple) else (key,))

    def signed(self, value: int | None) -> int | None:
        """A value as the question counts it."""
        return None if value is None else self.sign * value


def _bound(engine: Engine, analysis: Analysis, values: tuple[Term, ...], root: State, sign: int) -> Bound | None:
    """What the tiles to come can complete, where that is what is asked for; else what the rules only raise or lower."""
    if sign < 0:
        return outlook_bound(engine, analysis, values, root, sign)
    found = relax(engine, analysis, values, root)
    inside = interior_bound(engine, analysis, values, root)
    if inside is not None and (found is None or inside.bound(root) < found.bound(root)):
        return inside if found is None or isinstance(found, FixedBound) else Tighter(found, inside)
    return found or outlook_bound(engine, analysis, values, root, sign)


def _objective(engine: Engine, values: tuple[Term, ...], sign: int) -> Callable[[State], int]:
    scores = {score.value: compiled for score, compiled in zip(engine.game.scores, engine.scores, strict=True)}
    functions = [scores.get(value) or compile_value(engine.ground, engine.layout, value) for value in values]
    if len(functions) == 1 and sign > 0:
        return functions[0]
    return lambda state: sign * sum(function(state) for function in functions)


def _keys(engine: Engine, analysis: Analysis) -> tuple[Callable[[State], Any], Callable[[State], tuple[int, ...]]]:
    """What tells states apart, and what they have left to spend (more is better in every place)."""
    resources = analysis.resources
    kept: list[int] = [POINT]
    spent: list[int] = []
    signs: list[int] = []
    if engine.horizon is not None:
        kept.append(COUNTED)
    if analysis.uses_chance:
        kept.append(SEED)
    for name, column in engine.layout.columns.items():
        places = range(column.start, column.start + column.count)
        if name in resources:
            spent += places
            signs += [1 if resources[name] else -1] * column.count
        elif name in analysis.live:
            kept += places
    key = itemgetter(*kept) if len(kept) > 1 else (lambda state: state[POINT])
    if not spent:
        return key, lambda state: ()
    pairs = list(zip(spent, signs, strict=True))
    return key, lambda state: tuple(sign * state[at] for at, sign in pairs)
