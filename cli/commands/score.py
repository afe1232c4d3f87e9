"""`rulewright score`: the score of the current position, item by item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.styled_text import Line, Style, Styled, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.positions import Item, Score
from rulewright.cli.names import named
from rulewright.cli.views.output import Output
from rulewright.cli.views.state_document import standings_of
from rulewright.cli.views.state_view import standing_lines
from rulewright.rules.play.engine import Engine, State, describe_cell
from rulewright.rules.play.scores import ScoreItem, score_items


def show_score(name: str, variant: str, output: Output) -> None:
    """Print the score of a puzzle's position with the origin of every point."""
    position = named(name, variant).position
    engine, state = position.engine, position.state
    items = [document_of(Item, item, cell=_cell(engine, item)) for item in score_items(engine, state)]
    output.document(Score, score=engine.score(state), items=items, **standings_of(engine, state))
    output.lines(score_lines(engine, state))


def score_lines(engine: Engine, state: State) -> Iterator[Line]:
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
    for points, where, tile, rule, origin in rows:
        facts = f"  {where.ljust(widths[1])}  {tile.ljust(widths[2])}  {rule.ljust(widths[3])}  "
        yield line(Styled(points.rjust(max(3, widths[0])), Style.STRONG), facts, Styled(origin, Style.FAINT))
    score = engine.score(state)
    rank = engine.rank(score)
    yield line(Styled(f"score {score}", Style.STRONG), f"  {rank}" if rank else "")
    yield from standing_lines(engine, state)


def _cell(engine: Engine, item: ScoreItem) -> Sequence[int] | None:
    return engine.instance.windows[item.space].coordinates[item.cell] if item.space else None
