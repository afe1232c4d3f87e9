"""A question for a best value or a least cost, answered by a search with CP-SAT beside it, and CP-SAT after it.

The first engine to finish gives the answer. What the other has shown by then is evidence and must not contradict it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from rulewright.base.records import define, evolve
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.cpsat.process.co_solver import CoSolver, Disagreement
from rulewright.solver.inquiry import Inquiry
from rulewright.solver.result import NO_ROOM, Incumbent, Limits, Listener, Result, Status


@define(eq=False)
class Combination(Inquiry):
    """The answer to a question. Within, values are signed."""

    limits: Limits

    def answer(self, listener: Listener, search: Callable[[Limits, Listener, CoSolver], Result]) -> Result:
        """The combined answer. Raises `Disagreement`, and any error of the search."""
        began = time.monotonic()
        with CoSolver(self.engine, self.root, self.question, self.limits) as co_solver:

            def report(best: int | None, bound: int | None, states: int) -> None:
                listener.progress(best, self._tighter(bound, co_solver.bound), states)

            combining = listener.finishing(lambda found: self.combined(found, co_solver))
            beside = evolve(combining, progress=report, is_settled=co_solver.settled, spare=co_solver.spare)
            found = search(self.limits, beside, co_solver)
            if NO_ROOM in found.remarks:
                co_solver.outlast()
            result = self.combined(found, co_solver)
        listener.on_stop(lambda: result)
        if self.limits.second and result.proof == "search":
            result = self._proved_again(result, self.limits.seconds - (time.monotonic() - began))
        return evolve(result, seconds=time.monotonic() - began)

    def _tighter(self, bound: int | None, other: int | None) -> int | None:
        """The tighter of `bound`, as the question counts, and `other`, which is signed; as the question counts."""
        known = [value for value in (self.signed(bound), other) if value is not None]
        return self.signed(min(known, default=None))

    def combined(self, found: Result, other: CoSolver) -> Result:
        """Combine the result of the search with what CP-SAT has shown. Raises `Disagreement`."""
        score, threshold = self.signed(found.score), self.threshold
        limits = [*([] if other.bound is None else [other.bound]), *([] if other.refuted is None else [other.refuted - 1])]
        if score is not None and min(limits, default=score) < score:
            message = f"CP-SAT proves the bound {self.signed(min(limits))}"
            raise Disagreement(f"the search has a plan for {found.score}, but {message}")
        match found.status:
            case Status.OPTIMAL:
                return evolve(found, proof="search+cpsat") if other.bound == score and threshold is None else found
            case Status.IMPOSSIBLE:
                if other.plan is not None and (threshold is None or (other.best or 0) >= threshold):
                    raise Disagreement("the search proves that there is no plan, but CP-SAT has one")
                agrees = threshold is not None and other.bound is not None and other.bound < threshold
                return evolve(found, proof="search+cpsat") if agrees else found
            case Status.FEASIBLE | Status.UNKNOWN:
                return self._unfinished(found, other)

    def _unfinished(self, found: Result, other: CoSolver) -> Result:
        """Finish an open search: CP-SAT may have settled the question, or may know a better plan or bound."""
        best, threshold = Incumbent(self.signed(found.score), found.plan), self.threshold
        if other.plan is not None:
            best = best.better(Incumbent(other.best, other.plan))
        score, proof = self.signed(best.value), found.proof
        bound: int | None
        if threshold is not None and best.value is not None and best.value >= threshold:
            status, bound, proof = Status.OPTIMAL, threshold, "search" if score == found.score else "cpsat"
        elif other.refuted is None:
            status = Status.UNKNOWN if score is None else Status.FEASIBLE
            bound = self._tighter(found.bound, other.bound)
            found = evolve(found, remarks=(*found.remarks, *other.remarks))
        else:
            found = evolve(found, remarks=tuple(remark for remark in found.remarks if remark != NO_ROOM))
            status, bound, proof = Status.OPTIMAL, score, "cpsat+refuted"
            if threshold is not None or score is None:
                status, bound = Status.IMPOSSIBLE, None if threshold is None else threshold - 1
                score, best = None, Incumbent()
        return evolve(found, status=status, score=score, plan=best.plan, bound=bound, proof=proof)

    def _proved_again(self, result: Result, seconds: float) -> Result:
        """Have another prover confirm the search's proof that nothing better can be reached. Raises `Disagreement`."""
        from rulewright.solver.cpsat.process.job import ANY_PLAN
        from rulewright.solver.cpsat.process.standalone import refuted

        if self.threshold is not None and result.status is Status.OPTIMAL:
            return evolve(result, remarks=(*result.remarks, PLAN_IS_PROOF))
        if self.question.goal is Goal.LEAST and not result.plan and not self._has_moves:
            return evolve(result, remarks=(*result.remarks, NO_MOVES))
        score = self.signed(result.score)
        goal = self.threshold if self.threshold is not None else ANY_PLAN if score is None else score + 1
        agreed, prover, remarks = refuted(self.engine, self.root, self.question, goal, seconds, self.limits)
        if agreed is False:
            raise Disagreement(f"the search proves the bound {result.bound}; {'; '.join(remarks)}")
        return evolve(result, proof=f"search+{prover}" if agreed else result.proof, remarks=(*result.remarks, *remarks))

    @property
    def _has_moves(self) -> bool:
        """Whether a plan to the condition of the question can have moves."""
        assert self.question.until is not None
        return not self.engine.over(self.root) and not self.engine.value(self.question.until, self.root)


PLAN_IS_PROOF = "no second opinion: a plan that the rules replay is its own proof"
NO_MOVES = "no second opinion: the answer takes no move"
NOTHING_PROVED = "no second opinion: there is no proof that CP-SAT could confirm"


def unread(question: Question) -> str:
    """A remark on why CP-SAT does not answer or confirm a question at all; empty if it may."""
    if question.in_expectation:
        asked = "in expectation"
    elif question.is_against:
        asked = "against best play"
    elif question.own_turns is not None:
        asked = "with a number of one's own turns"
    else:
        return ""
    from rulewright.rules.symbolic.circuit import Refusal

    return str(Refusal(f"CP-SAT does not read questions {asked}", question.span))
