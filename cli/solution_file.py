"""The files of an answer: a page to step through its solution, and a certificate for a checker."""

from __future__ import annotations

from pathlib import Path

from rulewright.api.named import Named
from rulewright.api.start import viewer_of
from rulewright.base.atomic_write import write_atomically
from rulewright.base.deadline import TimeUp, deadline
from rulewright.base.diagnostics import RulesError
from rulewright.base.ending import unless_stopped
from rulewright.base.records import evolve
from rulewright.base.styled_text import counted, plain
from rulewright.cli.commands.core import core_of_position
from rulewright.cli.views.answer_view import Answer, CertificateFile, expected_of, known, said
from rulewright.cli.views.output import Output, Watch, watching
from rulewright.cli.views.plan_view import fraction_text, mixtures
from rulewright.grammar.tree.puzzles import Goal, answer_text
from rulewright.pictures.figure import Line
from rulewright.pictures.pages.solution import Mixture, Solution, Stage, solution_page
from rulewright.pictures.scene import Scene
from rulewright.puzzles.plan_replay import replay
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.scores import describe_item, score_items
from rulewright.solver.certificates.certificate import Certificate, certificate
from rulewright.solver.certificates.claims import Uncertified, claim_of
from rulewright.solver.certificates.closed_sets import Room
from rulewright.solver.certificates.parts import Proof
from rulewright.solver.result import Limits, Status
from rulewright.studies.problem_solution import solution_lines
from rulewright.web.questions import in_plain_words, objective_in_words, titled

from .picture_files import PictureFiles, write_line

CELL = 48.0
"""In pixels: the width of a cell."""


def write_solution(file: PictureFiles, answer: Answer, question: Question, output: Output) -> None:
    """Write the page of an answer, with its plan if there is one, and a picture of the plan."""
    position, engine = answer.position, answer.position.played
    plies = replay(engine, position.begun, [step.text for step in answer.steps])
    states = (position.begun, *(ply.state for ply in plies))
    objective = objective_in_words(position.puzzle.ask, engine.game)

    def stage(action: str, state: State, value: int | None) -> Stage:
        told = f"score {engine.score(state)}" if engine.game.scores else objective
        has_value = value is not None and objective != "score" and not question.reaches_condition
        worth = f"{objective} {value}" if has_value else told
        return Stage(action, state, worth, tuple(describe_item(engine, item) for item in score_items(engine, state)))

    several = engine.instance.players > 1
    steps = zip(answer.steps, plies, strict=True)
    stages = (
        stage("", position.begun, None),
        *(stage(f"player {step.player}: {step.text}" if several else step.text, ply.state, step.value) for step, ply in steps),
    )
    puzzle = position.puzzle
    asked = in_plain_words(puzzle, engine.game)
    evidence = (proof_in_words(answer), *answer.misjudged)
    found = answer_in_words(answer, question)
    whole = () if answer.solution is None else tuple(map(plain, solution_lines(answer.solution)))
    mixed = tuple(
        Mixture(player, ", ".join(sees), tuple(shares))
        for player, sees, shares in mixtures(answer.result.choices, position.asked)
    )
    solution = Solution(titled(puzzle.name), puzzle.text, asked, found, evidence, answer.result.remarks, stages, whole, mixed)
    scene = Scene(engine, viewer_of(position), puzzle.name, evolve(file.options, cell=CELL), states)
    if file.svg is not None or file.png is not None:
        write_line(evolve(scene, others=()), Line(states, [step.text for step in answer.steps]), puzzle, file, output)
    if file.html is not None:
        file.write_page(solution_page(scene, solution), output)


# The answer in words --------------------------------------------------------------------------------------------------


def answer_in_words(answer: Answer, question: Question) -> str:
    """What the answer is, what hidden state it uses, and what the puzzle expects where that differs."""
    found = _found(answer, question)
    if question.open_state:
        found += f" With open cards: all players see {', '.join(question.open_state)}."
    if answer.expected is None or not answer.is_refuted(question):
        return found
    return f"{found} The puzzle expects {answer_text(answer.expected)}."


def _found(answer: Answer, question: Question) -> str:
    result, position = answer.result, answer.position
    objective = objective_in_words(position.puzzle.ask, position.engine.game)
    match result.status:
        case Status.OPTIMAL if result.expectation is not None:
            return f"The best possible {expected_of(question, objective)} is {fraction_text(result.expectation.value)}."
        case Status.OPTIMAL if question.goal is Goal.WIN:
            return f"With best play on all sides, it ends in a {said(result.score, question)}."
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


# The certificate ------------------------------------------------------------------------------------------------------
# Writes the certificate of an answer, for a checker that does not know Rulewright.


def write_certificate(
    path: Path, session: Named, found: Answer, question: Question, limits: Limits, output: Output
) -> CertificateFile:
    """Write the certificate within the limits, or say why there is none.

    Raises AssertionError if the answer is wrong.
    """
    watch = Watch("writing the certificate")

    def made() -> Certificate | str:
        try:
            with watching(watch, output), deadline(limits.seconds):
                return _certificate(session, found, question, limits, watch)
        except Uncertified as none:
            return str(none)
        except RulesError as error:
            return f"play comes to an error of the rules: {error.diagnostics[0].message}"
        except TimeUp:
            return "the time limit was reached"
        except MemoryError:
            return "the system had no more memory"

    one = unless_stopped(made, lambda: "the run was stopped")
    if isinstance(one, str):
        return CertificateFile(path, watch.states, none=one)
    write_atomically(path, one.content)
    return CertificateFile(path, one.states, len(one.content))


def _certificate(session: Named, found: Answer, question: Question, limits: Limits, watch: Watch) -> Certificate:
    position, result = found.position, found.result
    claim = claim_of(question, result, found.sequences)
    core = core_of_position(session, position)
    room = Room(limits.room, lambda states: watch(None, None, states))
    proof = Proof(position.asked, position.root, question, claim, room, core)
    return certificate(proof, position.puzzle.name, result.plan)
