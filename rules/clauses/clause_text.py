"""The clauses of a game as text, one line each, with the module that last changed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulewright.base.records import evolve, frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.printing import print_declarations
from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.printing.print_modules import item_rows, print_pattern
from rulewright.grammar.printing.print_statements import flow_rows, labelled_rows
from rulewright.grammar.printing.rows import PrintedRow
from rulewright.grammar.tree import modules, statements
from rulewright.grammar.tree.expressions import Expression
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.rules.merging.rulebook import Family, Rulebook

from .decompose import Cell, Default, Member, Once, Part, parts_of


@frozen
class Clause:
    """A clause; `module` and `span` are where it was last changed or, if it was not, declared."""

    place: Place
    part: Part
    module: str
    span: Span

    @property
    def name(self) -> str:
        return str(self.place)

    @property
    def text(self) -> str:
        """Its content, on one line."""
        return text_of(self.part)

    @property
    def cite(self) -> str:
        """The clause of the rulebook that it cites; empty if none."""
        return cite_of(self.part)

    @property
    def written(self) -> str:
        """Its content with the keyword and the name under which it appears in its item."""
        label, text = self.place.path[-1] if self.place.path else "", self.text
        match self.part:
            case modules.Parameter():
                return f"parameter {text}"
            case modules.Notation():
                return f"notation {text}"
            case modules.RankLine() | Once():
                return text
            case Default():
                return f"= {text}"
            case modules.Requirement(after=after):
                return f"require {label}{' ' if after else ': '}{text}"
            case modules.Effect():
                return f"effect {label}: {text}"
            case Cell(key, column):
                return f"{column}[{key}] = {text}"
            case modules.TileLine() | Member():
                return f"{label} {text}".strip()
            case _ if label:
                return f"{label}: {text}"
            case modules.Define():
                return f"{self.place.key}{' ' * (not text.startswith('('))}{text}".strip()
            case modules.StateLine() as line:
                return f"{' of '.join((str(self.place.key), *line.of))}: {text}"
            case modules.Score(index=index):
                return f"{self.place.key}{index and f' of {index}'}: {text}"
            case modules.Flow() | modules.Phase() | modules.Space() | modules.Winner() | modules.Invariant() | modules.Look():
                return f"{self.place.key}: {text}"
            case _:
                return f"{self.place.key} {text}".strip()


def clauses_of(book: Rulebook, family: Family) -> tuple[Clause, ...]:
    """Every clause of a rulebook, in the order of the text."""
    return tuple(clause_of(place, part, family) for place, part in parts_of(book).items())


def clause_of(place: Place, part: Part, family: Family) -> Clause:
    """A clause with its text and origin."""
    span = last_said(part, family)
    return Clause(place, part, family.name_of(span.source), span)


def last_said(part: Part, family: Family) -> Span:
    """The span of the last edit of a clause, in linking order."""
    places = {module.header.span.source: at for at, module in enumerate(family.modules)}
    best, rank = NO_SPAN, -1
    for span in _spans(part):
        if places.get(span.source, -1) > rank:
            best, rank = span, places[span.source]
    return best


def _spans(part: object) -> Iterator[Span]:
    """The spans of a tree, outermost first."""
    if isinstance(part, Span):
        yield part
    elif isinstance(part, tuple):
        for inner in part:
            yield from _spans(inner)
    elif hasattr(part, "__attrs_attrs__"):
        if isinstance(span := getattr(part, "span", None), Span):
            yield span
        for attribute in part.__attrs_attrs__:
            if attribute.name != "span":
                yield from _spans(getattr(part, attribute.name))


def cite_of(part: Part) -> str:
    """The clause of the rulebook that a clause cites; empty if none."""
    said: str = getattr(part.labelled if isinstance(part, modules.Effect) else part, "cite", "")
    return said


def text_of(part: Part) -> str:  # noqa: PLR0912
    """A clause on one line, without its name and its citation."""
    match part:
        case (
            modules.Define(_, parameters, text=text)
            | modules.Action(_, parameters, text=text)
            | modules.Procedure(text=text, parameters=parameters)
            | modules.Rule(text=text, parameters=parameters)
        ):
            given = "" if isinstance(part, modules.Action) else print_declarations.print_parameters(parameters)
            base = "base" if isinstance(part, modules.Action) and part.base else ""
            return " ".join(filter(None, (base, given, f'"{text}"' if text else "")))
        case modules.Tiles() | Member():
            return ""
        case modules.Pieces(text=text):
            return " ".join(
                filter(None, (print_declarations.print_pieces(part).partition(" ")[2], f'"{text}"' if text else ""))
            )
        case modules.Table(_, key, columns):
            return f"by {key}: {' '.join(columns)}"
        case modules.Rank(value):
            return f"by {print_expression(value)}"
        case modules.Whenever(text=text):
            return " ".join(filter(None, (print_pattern(part), f'"{text}"' if text else "")))
        case modules.Phase(_, body, text=text):
            return " ".join(filter(None, (f'"{text}"' if text else "", joined(flow_rows(body, 0)))))
        case modules.Flow(body) | statements.Point(_, body):
            return joined(flow_rows(body, 0))
        case modules.Players(low, high):
            return f"{low}..{high}"
        case modules.Space() | modules.StateLine():
            item = modules.State((evolve(part, cite=""),)) if isinstance(part, modules.StateLine) else part
            said = joined(list(item_rows(item))[-1:] if isinstance(part, modules.StateLine) else item_rows(item))
            return " ".join(said.partition(":")[2].split())
        case modules.Pattern():
            return f"in {joined(item_rows(part)).partition(' in ')[2]}"
        case modules.Partition(_, parameter, space, value):
            return f"of {parameter} in {space}: {print_expression(value)}"
        case modules.Requirement(_, condition, message, after=after):
            return "after: " * after + _condition(condition, message)
        case modules.Invariant(_, condition, message):
            return _condition(condition, message)
        case modules.Score(_, value) | Default(value):
            return print_expression(value)
        case modules.Winner(criteria):
            return print_declarations.print_criteria(criteria)
        case modules.Look(_, appearance):
            return print_declarations.print_look(appearance)
        case modules.Format(drawing=drawing):
            return f"of {drawing}: {joined(list(item_rows(part))[1:])}"
        case Once(point):
            return f"once per {point}"
        case Cell(_, _, value):
            return print_declarations.print_cell(value)
        case modules.Case(_, value, when):
            return f"{print_expression(value)} when {print_expression(when)}"
        case modules.Parameter():
            return print_declarations.print_parameter(part)
        case modules.Notation():
            return print_declarations.print_notation(part)
        case modules.Effect(statements.Labelled() as labelled) | (statements.Labelled() as labelled):
            return joined(labelled_rows(evolve(labelled, label="", cite=""), 0, ""))
        case modules.PieceLine():
            return " ".join(print_declarations.print_piece(part).split()[1:])
        case modules.TileLine():
            return " ".join(print_declarations.print_tile(part).split()[1:])
        case modules.RankLine(name, low, high):
            ends = ("" if low is None else str(low), "" if high is None else str(high))
            return f'"{name}" {ends[0]}..{ends[1]}'
        case _:
            assert_never(part)


def _condition(condition: Expression, message: str) -> str:
    return print_expression(condition) + (f' else "{message}"' if message else "")


def joined(rows: Iterable[PrintedRow]) -> str:
    """Rows on one line: a block follows its head, and semicolons separate statements."""
    line = ""
    for row in rows:
        said = f"{row.text} {row.tail}".strip()
        line = f"{line} {said}" if line.endswith(":") else f"{line}; {said}" if line else said
    return line
