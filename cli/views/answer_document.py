"""The answer of `solve` for scripts; loaded where a document is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulewright.api.state_data import value_as_json
from rulewright.cli.documents import answers as documents
from rulewright.cli.documents.common import Origin
from rulewright.cli.documents.document import document_of
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import STOP_WORD
from rulewright.solver.result import Expectation, MixedChoice
from rulewright.studies.verified_plan import PlanStep

from .answer_view import Answer, SolveOptions, hinted
from .plan_view import by_gain, first_moves, mixtures

if TYPE_CHECKING:
    from rulewright.studies.alternative_plans import AlternativePlans
    from rulewright.studies.sensitivity import Sensitivity


def solved_puzzle(answer: Answer, question: Question, options: SolveOptions) -> documents.SolvedPuzzle:
    """The answer for scripts; options add `count`, `plans`, `unique` and `why`."""
    result, others, position = answer.result, answer.others, answer.position
    said: dict[str, object] = {
        "against": options.against,
        "misjudged": answer.misjudged,
        "states_are_about": result.is_about,
        "automorphisms": result.automorphisms,
    }
    more = {name: value for name, value in said.items() if value}
    if options.certificate is not None:
        more["certificate"] = answer.certificate
    if result.expectation is not None:
        more |= expectation_of(result.expectation, position.asked, position.root)
        if result.choices:
            more["strategies"] = strategies_of(result.choices, position.asked)
    else:
        if question.counts_plans:
            more |= {"count": answer.number, **counting_of(others)}
        if options.all and question.own_turns is not None:
            more["solution"] = answer.solution
        elif options.all:
            none: documents.Plans = {"plans": [], "all_plans": False, "count": None}
            more |= none if others is None else plans_of(position, others)
        if options.unique:
            more["unique"] = answer.uniqueness
        if options.why:
            more["why"] = None if answer.sensitivities is None else sensitivities_of(answer.sensitivities)
    return document_of(
        documents.SolvedPuzzle,
        result,
        puzzle=position.puzzle.name,
        rules=answer.rules,
        verified=result.expectation is not None or (result.score is not None and answer.is_verified),
        plan=[step_of(position, step) for step in hinted(answer.steps, options)],
        expected=answer.expected,
        seconds=round(result.seconds, 3),
        **more,
    )


def step_of(position: Position, step: PlanStep) -> documents.Step:
    """A move for scripts, with its action and arguments, and the objective after it as `score`."""
    name, arguments = _action(position.engine, position.played_move(step.move))
    return document_of(documents.Step, step, action=name, arguments=arguments)


def _action(engine: Engine, move: Move) -> tuple[str, dict[str, Any]]:
    """The name of the action, and its arguments by parameter."""
    if move == STOP:
        return STOP_WORD, {}
    action = list(engine.game.actions.values())[move[0]]
    pairs = zip(action.parameters, move[1:], strict=True)
    return action.name, {parameter.name: value_as_json(engine, parameter.type, value) for parameter, value in pairs}


def plans_of(position: Position, found: AlternativePlans) -> documents.Plans:
    """The listed plans, whether they are all, and their number, for scripts."""
    plans = [[step_of(position, step) for step in plan] for plan in found.plans]
    return {"plans": plans, "all_plans": found.is_complete, "count": found.number, **counting_of(found)}


def counting_of(found: AlternativePlans | None) -> documents.Counting:
    """What counts as one plan, and why plans are not counted, for scripts; both null if plans were not examined."""
    order, uncounted = (None, None) if found is None else (found.order, found.uncounted)
    return document_of(documents.Counting, counted_as=order, uncounted=uncounted)


def expectation_of(expectation: Expectation, engine: Engine, state: State) -> documents.Expectation:
    """The value, and that of every first move, best first, for scripts."""
    moves = first_moves(expectation, engine, state)
    first = [document_of(documents.FirstMove, text=text, expected=value) for text, value in moves]
    return document_of(documents.Expectation, expectation=expectation.value, first_moves=first)


def strategies_of(choices: Sequence[MixedChoice], engine: Engine) -> list[documents.MixedChoice]:
    """Mixed strategies, for scripts."""
    return [
        document_of(
            documents.MixedChoice,
            player=player,
            sees=sees,
            moves=[document_of(documents.MixedMove, text=text, probability=share) for text, share in shares],
        )
        for player, sees, shares in mixtures(choices, engine)
    ]


def sensitivities_of(found: Sequence[Sensitivity]) -> list[documents.Sensitivity]:
    """The perturbations for scripts, greatest gain first."""
    return [document_of(documents.Sensitivity, one, **document_of(Origin, one.perturbation)) for one in by_gain(found)]
