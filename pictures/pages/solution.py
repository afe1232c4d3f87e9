"""A solution as a page to step through, the plan hidden at first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, groupby

from rulewright.base.records import evolve, frozen
from rulewright.pictures.painter import definitions_of
from rulewright.pictures.position_picture import blocks
from rulewright.pictures.scene import Scene
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.svg import Element, to_text
from rulewright.rules.model.state import State

from .frame import STEPS, THINGS, Page, boxed, html_of, template, text_of
from .position import notes


@frozen
class Stage:
    """A state of the plan: the action that led to it (none at first), and its value, in total and item by item."""

    action: str
    state: State
    value: str
    items: tuple[str, ...] = ()


@frozen
class Mixture:
    """What a player does who `sees` this: actions with their probabilities."""

    player: int
    sees: str
    actions: tuple[tuple[str, Fraction], ...]


@frozen
class Solution:
    """The contents of the page: the puzzle, its question, the answer with its evidence, and the stages of the plan.

    `remarks` are for whoever wants to know how the answer was found. `variations` are the lines of a problem's whole solution,
    `mixtures` what mixed strategies do.
    """

    name: str
    text: str
    question: str
    answer: str
    evidence: tuple[str, ...]
    remarks: tuple[str, ...]
    stages: tuple[Stage, ...]
    variations: tuple[str, ...] = ()
    mixtures: tuple[Mixture, ...] = ()


def solution_page(scene: Scene, solution: Solution) -> str:
    """The page, in UTF-8."""
    stage = stage_of(evolve(scene, options=evolve(scene.options, dark=scene.options.dark or None, things=True)))
    states = [stage.state for stage in solution.stages]
    pictures = [blocks(stage, scene.engine, *pair) for pair in zip(states, (None, *states), strict=False)]
    shapes = definitions_of((stage, one) for one in chain(*pictures))
    last = len(states) - 1
    stages = "".join(_stage(at, last, *pair) for at, pair in enumerate(zip(solution.stages, pictures, strict=True)))
    actions = enumerate(stage.action for stage in solution.stages)
    plan = "".join(f'<li id="action-{at}" hidden>{text_of(action)}</li>\n' for at, action in actions if at)
    remarks = "".join(f"<li>{text_of(line)}</li>" for line in solution.remarks)
    how = f"<details><summary>How it was found</summary><ul>{remarks}</ul></details>" if remarks else ""
    whole = "\n".join(map(text_of, solution.variations))
    body = template("solution").substitute(
        name=text_of(solution.name),
        text=text_of(solution.text),
        question=text_of(solution.question),
        stages=to_text(shapes) + stages,
        plan=plan,
        answer=text_of(solution.answer),
        evidence="".join(f"<p>{text_of(line)}</p>" for line in solution.evidence),
        variations=f"<h2>Keys and variations</h2><pre>{whole}</pre>" if whole else _mixed(solution.mixtures),
        how=how,
    )
    told = notes(scene, list(zip(states, pictures, strict=True)))
    return html_of(Page(solution.name, body, THINGS + STEPS, told, stage.rules, bool(scene.options.dark)))


def _mixed(mixtures: Sequence[Mixture]) -> str:
    """A table for each player: what they see, and how often they take which action then."""
    tables = ""
    for player, own in groupby(mixtures, key=lambda mixture: mixture.player):
        rows = ""
        for mixture in own:
            shares = "".join(
                f'<td>{text_of(action)} {share}<br><meter value="{float(share):.4f}">{share}</meter></td>'
                for action, share in mixture.actions
                if share
            )
            rows += f'<tr><th scope="row">{text_of(mixture.sees)}</th>{shares}</tr>\n'
        tables += f'<table class="mixed"><caption>Player {player}</caption>\n{rows}</table>\n'
    return f"<h2>Mixed strategies</h2>\n{tables}" if tables else ""


def _stage(at: int, last: int, stage: Stage, drawn: Sequence[Element]) -> str:
    items = "".join(f"<li>{text_of(item)}</li>" for item in stage.items)
    told = f"step {at} of {last}, {stage.value}" + (f": {stage.action}" if at else "")
    score = f"<details><summary>{text_of(stage.value)}</summary><ul>{items}</ul></details>\n" if items else ""
    hidden = " hidden" if at else ""
    return f"""<section id="stage-{at}" data-stage="{at}" data-told="{text_of(told)}"{hidden}>
{boxed(drawn)}{score}</section>
"""
