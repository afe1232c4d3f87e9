"""The answer to a question, with its plan and its proof."""

from __future__ import annotations

from fractions import Fraction

from rulewright.base.records import frozen

from .action import Action


@frozen
class Answer:
    """What the solver says of a puzzle's question. A plan has been replayed by the rules before it is shown.

    `status` is `optimal` or `impossible` (both proved), `feasible` (a plan, perhaps not the best) or `unknown`. `value` is the
    number asked for, or a word as puzzles write it (`win`, `yes`); None if it is not known. No plan is better than `bound`
    (None: no bound is known). `proof` says on what a proof rests: `search`, `search+cpsat`, `search+states`,
    `cpsat`, `states` or `cpsat+refuted`; it is empty without one. `states` counts what a search kept, `seconds` what it took,
    and `remarks` say what it could not do. `refutes_expected` says whether the answer that the puzzle's file expects is wrong,
    which a bound can show as well.
    """

    status: str
    value: int | Fraction | str | None
    bound: int | None
    plan: tuple[Action, ...]
    proof: str
    remarks: tuple[str, ...]
    states: int
    seconds: float
    refutes_expected: bool

    @property
    def is_proved(self) -> bool:
        """Whether the question is answered for sure."""
        return self.status in ("optimal", "impossible")

    def __str__(self) -> str:
        """Status and value on one line, the plan below."""
        headline = self.status if self.value is None else f"{self.status}, {self.value}"
        if not self.is_proved and self.bound is not None:
            headline += f", bound {self.bound}"
        return "\n".join([headline, *(f"  {number}. {action}" for number, action in enumerate(self.plan, 1))])
