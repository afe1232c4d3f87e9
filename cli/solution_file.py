"""Writes a solution as a page to step through."""

from __future__ import annotations

from rulewright.api.start import describe_ask, viewer_of
from rulewright.cli.picture_files import PictureFiles
from rulewright.cli.views.answer_in_words import answer_in_words, proof_in_words
from rulewright.cli.views.answer_view import Answer
from rulewright.cli.views.output import Output
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.pages.solution import Solution, Stage, solution_page
from rulewright.pictures.scene import Scene
from rulewright.puzzles.plan_replay import replay
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import State
from rulewright.rules.play.score_breakdown import describe_item, score_items

CELL = 48.0


def write_solution(file: PictureFiles, answer: Answer, question: Question, output: Output) -> None:
    """Write the page of an answer, with its plan if there is one."""
    position, engine = answer.position, answer.position.played
    plies = replay(engine, position.begun, [step.text for step in answer.steps])
    states = (position.begun, *(ply.state for ply in plies))

    def stage(action: str, state: State, value: int | None) -> Stage:
        told = f"score {engine.score(state)}" if engine.game.scores else position.objective
        has_value = value is not None and position.objective != "score" and not question.reaches_condition
        worth = f"{position.objective} {value}" if has_value else told
        return Stage(action, state, worth, tuple(describe_item(engine, item) for item in score_items(engine, state)))

    several = engine.instance.players > 1
    steps = zip(answer.steps, plies, strict=True)
    stages = (
        stage("", position.begun, None),
        *(stage(f"player {step.player}: {step.text}" if several else step.text, ply.state, step.value) for step, ply in steps),
    )
    puzzle = position.puzzle
    asked = "" if puzzle.ask is None else describe_ask(puzzle.ask)
    evidence = (proof_in_words(answer), *answer.misjudged)
    found = answer_in_words(answer, question)
    solution = Solution(puzzle.name, puzzle.text, asked, found, evidence, answer.result.remarks, stages)
    scene = Scene(engine, viewer_of(puzzle), puzzle.name, PictureOptions(CELL, file.options.dark), states)
    file.write_page(solution_page(scene, solution), output)
