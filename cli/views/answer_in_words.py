"""The answer of `solve` for whoever solves puzzles, in two sentences: what it is, and what proves it."""

from __future__ import annotations

from rulewright.base.styled_text import counted
from rulewright.grammar.tree.puzzles import Goal, answer_text
from rulewright.rules.linking.questions import Question
from rulewright.solver.result import Status

from .answer_view import Answer, known, said
from .plan_view import fraction_text


def answer_in_words(answer: Answer, question: Question) -> str:
    """What the answer is, what hidden state it uses, and what the puzzle expects where that differs."""
    found = _found(answer, question)
    if question.open_state:
        found += f" With open cards: all players see {', '.join(question.open_state)}."
    if answer.expected is None or not answer.is_refuted(question):
        return found
    return f"{found} The puzzle expects {answer_text(answer.expected)}."


def _found(answer: Answer, question: Question) -> str:
    result, objective = answer.result, answer.position.objective
    match result.status:
        case Status.OPTIMAL if result.expectation is not None:
            what = {Goal.REACH: "probability", Goal.WIN: "expected outcome"}.get(question.goal, f"expected {objective}")
            return f"The best possible {what} is {fraction_text(result.expectation.value)}."
        case Status.OPTIMAL if question.goal is Goal.WIN:
            return f"With best play on all sides, {objective} ends in a {said(result.score, question)}."
        case Status.OPTIMAL if question.reaches_condition:
            return "It can be done, as this plan shows."
        case Status.OPTIMAL:
            return f"The best possible: {objective} {said(result.score, question)}.{_plans(answer, question)}"
        case Status.FEASIBLE:
            best = f"{objective} {said(result.score, question)}"
            return f"The best plan found: {best}. No plan does better than {known(result.bound)}."
        case Status.IMPOSSIBLE:
            return "It cannot be done."
        case Status.UNKNOWN:
            return "No plan was found in time."


def _plans(answer: Answer, question: Question) -> str:
    if not question.counts_plans or answer.number is None:
        return ""
    return f" {counted(answer.number, 'plan')} {'reaches' if answer.number == 1 else 'reach'} it."


def proof_in_words(answer: Answer) -> str:
    """What proves the answer, and how much work that was."""
    result = answer.result
    about = "about " if result.is_about else ""
    work = f"{about}{counted(result.states, 'position')} in {result.seconds:.2f} s"
    match result.proof:
        case "search":
            return f"Proved: the search left out no line of play that could do better ({work})."
        case "search+cpsat":
            return f"Proved twice: the search left out no line of play that could do better ({work}), and CP-SAT agrees."
        case "search+states":
            return f"Proved twice: by search ({work}), and by listing all positions that can be reached."
        case "states":
            return "Proved: all positions that can be reached were listed, and the plan was replayed by the rules."
        case "cpsat" | "cpsat+refuted":
            return f"Proved: CP-SAT refutes anything better, and the plan was replayed by the rules ({work} were searched)."
        case _:
            return f"Not proved: {work} were searched."
