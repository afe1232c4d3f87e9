"""`rulewright simulate --luck`: the shares of skill and luck in the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.api.simulation import playouts_of
from rulewright.base.diagnostics import usage_error
from rulewright.base.ending import is_stopped, until_stopped
from rulewright.base.records import evolve
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.games import RulesLuck, SimulateLuck, SimulateLuckAgainst
from rulewright.cli.views.output import track
from rulewright.solver.playouts.policies import GREEDY, RANDOM, Kind, Policy, Seats
from rulewright.studies.simulation.luck_and_skill import LuckAndSkill, PolicyScores
from rulewright.studies.simulation.playouts import GameEnd, Simulation
from rulewright.studies.simulation.score_statistics import LEVEL, Interval, Moments

from .simulate import Played
from .simulate_against import sessions_of, start_with_score

LADDER = (RANDOM, GREEDY, Policy(Kind.BEAM, 8))
"""The policies whose scores differ by skill."""

LEAST_GAMES = 10
"""By convention: of fewer games, luck and skill are not told apart."""


def show_luck(names: Sequence[str], how: Played) -> None:
    """Play the same games by several policies, and with other chance outcomes; print the shares of skill and luck.

    `names` are rules, or a puzzle and variants of its rules, each analysed separately.
    """
    simulation, output = how.simulation, how.output
    if simulation.games < LEAST_GAMES:
        raise usage_error(
            f"{counted(simulation.games, 'game')} are too few to tell luck from skill", f"play at least {LEAST_GAMES} games"
        )
    asked = [start_with_score(session, how) for session in sessions_of(*names)]
    found: list[tuple[str, LuckAndSkill]] = []
    with how.resources:
        for title, start in asked:
            runs = {
                (policy, shift): playouts_of(start, evolve(simulation, seats=Seats(policy), shift=shift), how.resources)
                for policy in LADDER
                for shift in (0, simulation.games)
            }
            ends: dict[tuple[Policy, int], list[GameEnd]] = {key: [] for key in runs}
            total = len(runs) * simulation.games
            for key, playouts in runs.items():
                for part in until_stopped(track(playouts.games(range(simulation.games)), total, "playing", output, len)):
                    ends[key] += part
            if is_stopped():
                break
            found.append((title, LuckAndSkill.of(_scores(ends, simulation), simulation.seed)))
    if not found:
        return
    rules = [_rules(title, luck, simulation) for title, luck in found]
    if len(rules) == 1:
        output.document(SimulateLuck, **rules[0])
    else:
        output.document(SimulateLuckAgainst, rules=rules)
    output.blocks(_lines(title, luck, simulation) for title, luck in found)
    _draw(found, how)


def _draw(found: Sequence[tuple[str, LuckAndSkill]], how: Played) -> None:
    """Draw the shares of skill and luck under all of the rules, each with its interval, to files, if there are any."""
    if how.files is None or all(luck.luck is None for _, luck in found):
        return
    from rulewright.pictures.charts import Point, shares

    rows = []
    for title, luck in found:
        for name, share, interval in (("skill", luck.skill, luck.skill_interval), ("luck", luck.luck, luck.luck_interval)):
            if share is not None:
                ends = () if interval is None else (100 * interval.low, 100 * interval.high)
                rows.append((f"{name}, {title}" if len(found) > 1 else name, Point(0, 100 * share, *ends)))
    policies = ", ".join(policy.name for policy in LADDER)
    games = counted(len(found[0][1].policies[0].scores), "game")
    intervals = f"{100 * LEVEL:.0f} % bootstrap intervals"
    said = f"{games} by each of the policies {policies}, twice, seed {how.simulation.seed}; {intervals}"
    title = f"{' and '.join(title for title, _ in found)}: skill and luck"
    drawn = shares(title, [said], "share of the variance of scores, per cent", rows, how.files.options.palette)
    how.files.write(drawn, how.output)


def _scores(ends: dict[tuple[Policy, int], list[GameEnd]], simulation: Simulation) -> list[PolicyScores]:
    """The scores of the games that ended under all policies and both chance streams."""
    whole = [n for n in range(simulation.games) if all(found[n].length is not None for found in ends.values())]
    if len(whole) < LEAST_GAMES:
        raise usage_error(f"only {counted(len(whole), 'game')} ended under all policies", "allow longer games with `--longest`")
    kept = {key: tuple(found[n].score for n in whole) for key, found in ends.items()}
    return [PolicyScores(policy.name, kept[policy, 0], kept[policy, simulation.games]) for policy in LADDER]


def _lines(title: str, found: LuckAndSkill, simulation: Simulation) -> Iterator[Line]:
    games = len(found.policies[0].scores)
    yield line(Styled(escape(title), Style.STRONG), f"  {counted(games, 'game')} by each policy, twice, seed {simulation.seed}")
    width = max(len(policy.policy) for policy in found.policies)
    for policy in found.policies:
        moments = Moments.of(policy.scores)
        yield line(f"{policy.policy.ljust(width)}  mean {moments.mean:.2f}, deviation {moments.deviation:.2f}")
    if found.skill is None or found.luck is None:
        yield line("All scores are equal, so they depend on neither skill nor luck.")
        return
    yield line(f"Skill explains {_percent(found.skill)} of the variance of scores{_between(found.skill_interval)}.")
    if found.luck == 0:
        yield line("Luck has no effect: different random draws change no game.")
    else:
        yield line(f"Luck affects {_percent(found.luck)} of it{_between(found.luck_interval)}.")
    yield line(Styled("for games by one of these policies, each equally likely; bootstrap intervals", Style.FAINT))


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _between(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f" ({100 * LEVEL:.0f} % interval {_percent(interval.low)} to {_percent(interval.high)})"


def _rules(title: str, found: LuckAndSkill, simulation: Simulation) -> RulesLuck:
    games = len(found.policies[0].scores)
    means = [{"policy": policy.policy, "mean": Moments.of(policy.scores).mean} for policy in found.policies]
    return document_of(RulesLuck, found, name=title, seed=simulation.seed, games=games, policies=means)
