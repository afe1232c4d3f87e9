"""`rulewright score`: the score of the current position, item by item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.base.styled_text import Line, Style, Styled, line
from rulewright.cli.names import named
from rulewright.cli.views.output import Exit, Output
from rulewright.cli.views.state_view import standing_lines, standings_as_json
from rulewright.rules.play.engine import Engine, State, describe_cell
from rulewright.rules.play.score_breakdown import ScoreItem, score_items

if TYPE_CHECKING:
    from rulewright.cli.documents.positions import Item, Score


def show_score(name: str, variant: str, output: Output) -> int:
    """Print the score of a puzzle's position with the origin of every point."""
    position = named(name, variant).position
    engine, state = position.engine, position.state
    items = score_items(engine, state)
    document: Score = {
        "schema": "rulewright/score/1",
        "score": engine.score(state),
        "items": [_as_json(engine, item) for item in items],
        **standings_as_json(engine, state),
    }
    output.document(document)
    output.lines(score_lines(engine, state))
    return Exit.YES


def score_lines(engine: Engine, state: State) -> list[Line]:
    """A row for each item, and the total with its rank."""
    rows = [
        (
            str(item.points),
            describe_cell(engine.instance.windows[item.space], item.cell) if item.space else "",
            item.tile,
            item.case or item.rule,
            f"{item.module} [{item.cite}]" if item.cite else item.module,
        )
        for item in score_items(engine, state)
    ]
    widths = [max((len(row[n]) for row in rows), default=0) for n in range(4)]
    lines = [
        line(
            Styled(points.rjust(max(3, widths[0])), Style.STRONG),
            f"  {where.ljust(widths[1])}  {tile.ljust(widths[2])}  {rule.ljust(widths[3])}  ",
            Styled(origin, Style.FAINT),
        )
        for points, where, tile, rule, origin in rows
    ]
    score = engine.score(state)
    rank = engine.rank(score)
    lines.append(line(Styled(f"score {score}", Style.STRONG), f"  {rank}" if rank else ""))
    return [*lines, *standing_lines(engine, state)]


def _as_json(engine: Engine, item: ScoreItem) -> Item:
    window = engine.instance.windows[item.space] if item.space else None
    return {
        "rule": item.rule,
        "points": item.points,
        "cell": list(window.coordinates[item.cell]) if window is not None else None,
        "space": item.space or None,
        "tile": item.tile or None,
        "case": item.case or None,
        "module": item.module,
        "cite": item.cite or None,
    }
