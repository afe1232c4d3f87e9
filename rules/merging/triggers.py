"""The triggers of `whenever`, judging by the text: which statements may have such an effect."""

from __future__ import annotations

from collections.abc import Iterator, Set

from rulewright.grammar.tree import expressions, modules, statements


def pieces_and_cells(moving: statements.Moving) -> tuple[expressions.Expression, ...]:
    """The operands of an effect that are not zones, in the order of the words."""
    match moving:
        case statements.Put(piece, cell):
            return piece, cell
        case statements.Take(cell):
            return (cell,)
        case statements.Slide(cell, target):
            return cell, target
        case statements.Move(piece):
            return (piece,)


def zones(moving: statements.Moving) -> tuple[expressions.Expression | None, ...]:
    """The zones that an effect names, the one that a tile leaves first; None for an omitted one."""
    match moving:
        case statements.Put(source=source):
            return (source,)
        case statements.Take(zone=zone):
            return (zone,)
        case statements.Slide():
            return ()
        case statements.Move(zone=zone, source=source):
            return source, zone


def may_set_off(statement: statements.Statement, whenever: modules.Whenever, kinds: Set[str]) -> bool:
    """Whether a statement may trigger a `whenever`; `kinds` are the names of kinds of tile."""
    pattern = whenever.pattern
    if type(statement) is not type(pattern) or not isinstance(statement, statements.Moving):
        return False
    if isinstance(statement, statements.Move) and statement.everything:
        return False
    for wanted, found in zip(pieces_and_cells(pattern), pieces_and_cells(statement), strict=True):
        if _is_kind(wanted, kinds) and _is_kind(found, kinds) and wanted != found:
            return False
    there = zip(zones(pattern), zones(statement), strict=True)
    return all(one is None or other is None or zone_name(one) == zone_name(other) for one, other in there)


def _is_kind(node: expressions.Expression, kinds: Set[str]) -> bool:
    return isinstance(node, expressions.Name) and node.text in kinds


def zone_name(zone: expressions.Expression) -> str:
    """The variable that names a zone; both ends of a pile count."""
    match zone:
        case expressions.Name(text):
            return text
        case expressions.Subscript("bottom", inner):
            return zone_name(inner)
        case expressions.Subscript(name):
            return name
        case _:
            return ""


def statements_in(body: tuple[statements.Labelled, ...]) -> Iterator[statements.Statement]:
    """Every statement of a body, outermost first."""
    for labelled in body:
        yield labelled.statement
        match labelled.statement:
            case statements.ForEach(_, inner) | statements.Block(inner):
                yield from statements_in(inner)
            case statements.When(_, inner, otherwise):
                yield from statements_in((*inner, *otherwise))
