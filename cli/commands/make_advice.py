"""Advice for a run that made no puzzle: why, and what to write instead, one sentence for each fault."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.model.game import Game
from rulewright.rules.static.natural_question import sooner_goal
from rulewright.studies.making.commission import Commission
from rulewright.studies.making.proof import Fault


def advice(game: Game, commission: Commission, faults: Mapping[Fault, int], point: str, start: str) -> str:
    """Why most attempts failed, and what to ask for instead. `point` is the flow point at which turns are counted, `start` a
    puzzle that play may start from; both may be empty."""
    most = max(faults, key=faults.__getitem__)
    wider = "--gap 0" if commission.gap else "--unique nothing"
    soon = _soon(game, commission, point)
    elsewhere = f"name a puzzle that play starts from{f', as `{start}`' if start else ''}"
    return {
        Fault.NO_POSITION: f"Play from the set-up seldom comes to a position that fits: {elsewhere}"
        + (", or ask for other `--tiles`." if commission.tiles is not None else "."),
        Fault.NO_CHOICE: f"Play from the set-up leaves nothing to choose: name modules that make a whole game, or {elsewhere}.",
        Fault.TOO_WIDE: f"There are too many first actions to refute each but one: {elsewhere}.",
        Fault.REPEATS: f"Play may come back to where it was, so that it has no last position: ask `{soon}`.",
        Fault.IMPOSSIBLE: f"What is asked cannot be reached from there: {elsewhere}.",
        Fault.CHANCE: "Chance decides in every solution, and a puzzle needs a best plan that is sure: "
        "name rules that draw nothing after set-up, or ask `solve` for a value `in expectation`.",
        Fault.LENGTH: "Solutions are too long or too short: ask for other `--moves`.",
        Fault.NOTHING_TO_DO: f"Whatever is done, nothing is gained: {elsewhere}, or ask another `--goal`.",
        Fault.GREEDY: f"Mostly greedy play did as well: `{wider}` keeps such positions too.",
        Fault.KEYS: "Mostly there was more than one key: `--unique nothing` keeps such positions too.",
        Fault.LEAD: "Mostly the second best key was nearly as good: ask for less `--lead`.",
        Fault.DUALS: "Mostly there were duals: `--unique key` keeps such positions too.",
        Fault.NOT_USED: "Mostly what was to be used was not needed: `--unique nothing` leaves more to choose from; "
        "or ask for other `--uses`, or `--goal`.",
        Fault.UNPROVED: f"Proofs take too long: {elsewhere}"
        + (f", ask less far, as `{soon}`," if soon else "")
        + " or allow more, as `--proof 60`.",
        Fault.GRADE: "All are of another grade: ask for other `--grades`.",
        Fault.TWICE: "There is nothing left that has not been made before.",
    }[most]


def _soon(game: Game, commission: Commission, point: str) -> str:
    """The option that asks about the next turns instead of the end, or about one turn fewer; empty if there is none."""
    question, turns = commission.question(game), commission.ask.turns
    if turns == 1:
        return ""
    if question.goal is Goal.LEAST:
        return "--goal 'fewest moves until …'"
    is_against = question.others is Others.AGAINST
    if turns is None and not commission.sooner:
        goal = sooner_goal(game, commission.players, point) if point else ""
        return f"--goal '{goal}'" if goal else "--goal 'maximise … until …'"
    if turns is None and is_against:  # that was tried as well
        return f"--goal 'maximise … of 1 for 1 {point}'"
    fewer = 1 if turns is None else turns - 1
    return f"--goal 'maximise {'score' if game.scores else '…'} for {fewer} {point}{'s' if fewer > 1 else ''}'"
