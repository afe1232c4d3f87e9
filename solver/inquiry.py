"""A question about a state of a game: what every way to answer it begins with."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from rulewright.base.cache import digest_of
from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.grammar.kept_trees import PACKAGES
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.kept import digest_of_game, kept_of
from rulewright.rules.model.state import COUNTED, POINT, SEED
from rulewright.rules.play.engine import Engine, State

if TYPE_CHECKING:
    from rulewright.rules.static.dataflow import DataflowAnalysis

Made = TypeVar("Made")

QUESTIONS = "questions"
"""The folder below the cache folder for what is derived of questions."""


@define(eq=False)
class Inquiry:
    """A root and a question about it. Signed values are greater the better they are for the player who asks."""

    engine: Engine
    root: State
    question: Question

    @property
    def sign(self) -> int:
        return self.question.sign

    def signed(self, value: int | None) -> int | None:
        """A value as the question counts it, signed; and the other way round."""
        return None if value is None else self.sign * value

    @property
    def threshold(self) -> int | None:
        """The value to be reached, if that is asked."""
        return self.question.threshold if self.question.goal is Goal.REACH else None

    @cached_property
    def player(self) -> int:
        """The player who asks: the one named by the question, else the one to move."""
        return self.question.player or self.engine.player(self.root) or 1

    @cached_property
    def analysis(self) -> DataflowAnalysis:
        """The data flow of the game, as far as the question depends on it."""
        from rulewright.rules.static.dataflow import DataflowAnalysis

        return DataflowAnalysis.of(self.engine, self.question, self.root)

    def kept(self, what: str, make: Callable[[], Made]) -> Made:
        """What `make` derives of this inquiry alone, from the cache or anew."""
        if self.question.replies is not None:
            return make()
        packages = (*PACKAGES, "rulewright.solver", "rulewright.subset")
        return kept_of(self.engine.game, QUESTIONS, lambda: (what, self._digest), make, packages=packages)

    @cached_property
    def _digest(self) -> str:
        engine = self.engine
        asked = digest_of((engine.layout, engine.flow, engine.horizon, self.question), Span)
        return digest_of_game(engine.instance, asked, self.root)

    @cached_property
    def chance_matters(self) -> bool:
        """Whether the outcome of chance may matter to a move, to the flow or to the objective."""
        return self.kept("chance", lambda: self.analysis.chance_matters)

    @cached_property
    def value(self) -> Callable[[State], int]:
        """The signed value of a state."""
        engine, sign = self.engine, self.sign
        scores = {score.value: compiled for score, compiled in zip(engine.game.scores, engine.scores, strict=True)}
        functions = [scores.get(value) or engine.compile_value(value) for value in self.question.values]
        if len(functions) == 1 and sign > 0:
            return functions[0]
        return lambda state: sign * sum(function(state) for function in functions)

    @property
    def counts(self) -> bool:
        """Whether the count of the horizon tells states apart."""
        return self.engine.horizon is not None

    @property
    def telling_variables(self) -> frozenset[str]:
        """The variables that tell states apart: those that can still matter to play and to the question."""
        return self.analysis.live_variables

    @cached_property
    def key(self) -> Callable[[State], Any]:
        """The part of a state that identifies it."""
        return key_of(self.engine, self.telling_variables, self.counts, self.analysis.uses_chance)


def key_of(engine: Engine, names: Collection[str], counts: bool, uses_chance: bool) -> Callable[[State], Any]:
    """A function that gives the part of a state by which it is told apart: where play stands, these variables, the count of the
    horizon if it `counts`, and the seed if it `uses_chance`."""
    kept = [POINT, *([COUNTED] if counts else []), *([SEED] if uses_chance else [])]
    for name, column in engine.layout.columns.items():
        if name in names:
            kept += range(column.start, column.start + column.count)
    return itemgetter(*kept) if len(kept) > 1 else itemgetter(POINT)
