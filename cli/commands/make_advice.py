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
    elsewhere = f"name a puzzle to start play from{f', such as `{start}`' if start else ''}"
    return {
        Fault.NO_POSITION: f"Play from the set-up rarely reaches a suitable position: {elsewhere}"
        + (", or change `--tiles`." if commission.tiles is not None else "."),
        Fault.NO_CHOICE: f"Play from the set-up leaves no choice: name modules that form a complete game, or {elsewhere}.",
        Fault.TOO_WIDE: f"There are too many first actions to refute all but one: {elsewhere}.",
        Fault.REPEATS: f"Positions may repeat, so play may never end: use `{soon}`.",
        Fault.IMPOSSIBLE: f"The goal cannot be reached from these positions: {elsewhere}.",
        Fault.CHANCE: "Chance decides in every solution, and a puzzle needs a best plan that is sure: "
        "use rules without chance after the set-up, or ask `solve` for a value `in expectation`.",
        Fault.LENGTH: "Solutions are too long or too short: change `--moves`.",
        Fault.NOTHING_TO_DO: f"No action gains anything: {elsewhere}, or change `--goal`.",
        Fault.GREEDY: f"Greedy play usually did as well: use `{wider}` to keep such positions.",
        Fault.KEYS: "There was usually more than one key: use `--unique nothing` to keep such positions.",
        Fault.LEAD: "The second-best key was usually almost as good: lower `--lead`.",
        Fault.DUALS: "There were usually duals: use `--unique key` to keep such positions.",
        Fault.NOT_USED: "What `--uses` requires was usually not needed: use `--unique nothing` to widen the choice, "
        "or change `--uses` or `--goal`.",
        Fault.UNPROVED: f"Proofs take too long: {elsewhere}"
        + (f", shorten the horizon, as in `{soon}`," if soon else "")
        + " or allow more time with `--proof 60`.",
        Fault.GRADE: "All puzzles have another grade: change `--grades`.",
        Fault.TWICE: "All puzzles found have been made before.",
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
