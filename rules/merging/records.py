"""Records of positions, `past: last 100 positions of board, player`, written out before names are resolved.

What is kept becomes variables over a ring of moments, `past` the number of moments that agree with the position, and every
action begins by keeping the position in which it was chosen in place of the oldest one. So whatever reads the game knows only
variables, assignments and counts: a record belongs to the state in every reading, and states with different records differ.
"""

from __future__ import annotations

from rulewright.base.diagnostics import Sink, suggest
from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, looks, modules, statements
from rulewright.grammar.tree.expressions import Expression, Name, Subscript

from .rulebook import ItemKind, Rulebook

MOMENT, ELEMENT = "moment", "element"
"""Names that are bound in what is written out."""


@frozen
class _Part:
    """A part of a position: a variable of its kind for each moment, its index, and its value at an element of that index."""

    line: modules.StateLine
    domain: Name | None
    value: Expression


def expand_records(book: Rulebook, sink: Sink) -> None:
    """Write out every record of positions. Reports RW164."""
    for line in list(book.state.values()):
        if isinstance(line.type, modules.PositionsType):
            del book.state[line.name]
            _write(book, line.name, line.type, sink)
    sink.stop()


def _write(book: Rulebook, name: str, record: modules.PositionsType, sink: Sink) -> None:
    span, moments, kept, following, note = record.span, f"{name}_moments", f"{name}_kept", f"{name}_next", f"note_{name}"
    if not record.most:
        sink.error("RW164", "a record of no positions", span, help="keep one at least: `last 1 positions of …`")
    parts = [part for word in record.names if (part := _part(book, name, word, span, sink)) is not None]
    rooms = [items for kind, items in book.named.items() if kind is not ItemKind.LOOK]
    for taken in (name, moments, kept, following, note, *(part.line.name for part in parts)):
        if any(taken in items for items in rooms):
            message = f"the record `{name}` needs the name `{taken}`, which is taken"
            sink.error("RW164", message, span, help="choose another name")
            return
    moment, place = Name(MOMENT, span=span), Name(following, span=span)
    book.spaces[moments] = modules.Space(moments, modules.Shape.RING, (record.most,), span=span)
    first = Subscript("origin", Name(moments, span=span), span=span)
    kept_line = modules.StateLine(kept, moments, modules.TruthType(span=span), span=span)
    next_line = modules.StateLine(following, "", modules.CellType(moments, span=span), first, span=span)
    for line in (kept_line, next_line, *(part.line for part in parts)):
        book.state[line.name] = line
        book.looks[line.name] = looks.Look(line.name, looks.Appearance(showing=looks.Showing.HIDDEN, span=span), span=span)
    alike = (Subscript(kept, moment, span=span), *(_alike(part, moment) for part in parts))
    among = expressions.Binder(MOMENT, Name(moments, span=span), expressions.And(alike, span=span), span=span)
    book.defines[name] = modules.Define(
        name, (), expressions.Count(among, span=span), text="How many kept positions are like this one.", span=span
    )
    onward = expressions.Call("step", (place, Name("forward", span=span)), span=span)
    noted = expressions.TruthLiteral(True, span=span)
    body = (
        *(_keep(part, place) for part in parts),
        _labelled(statements.Assign(Subscript(kept, place, span=span), statements.Assignment.SET, noted, span=span)),
        _labelled(statements.Assign(place, statements.Assignment.SET, onward, span=span)),
    )
    book.procedures[note] = modules.Procedure(note, body, text="The position is kept in place of the oldest one.", span=span)
    keep = modules.Effect(statements.Labelled(name, statements.Do(note, span=span), span=span), span=span)
    for action in book.actions.values():
        if not action.base:
            book.actions[action.name] = _begun(action, keep)


def _begun(action: modules.Action, keep: modules.Effect) -> modules.Action:
    """An action that begins by keeping the position."""
    return evolve(action, effects=(keep, *action.effects))


def _part(book: Rulebook, record: str, word: str, span: Span, sink: Sink) -> _Part | None:
    """A part of a position, with the variable that keeps it; None after an error."""
    name, moments = f"{record}_{word}", f"{record}_moments"
    space, line = book.spaces.get(word), book.state.get(word)
    if space is not None and space.of_tiles and space.size and not space.turned:
        tiles = modules.StateLine(name, moments, modules.NamedType("tile", span=span), second=word, span=span)
        cell = Name(ELEMENT, span=span)
        return _Part(tiles, Name(word, span=span), expressions.Call("at", (cell,), span=span))
    if word == "player":
        return _Part(
            modules.StateLine(name, moments, modules.NamedType(word, span=span), span=span), None, Name(word, span=span)
        )
    if line is not None and _is_comparable(book, line):
        kept = evolve(line, name=name, index=moments, second=line.index, initial=None, scope="", span=span)
        if not line.index:
            return _Part(kept, None, Name(word, span=span))
        domain = Name("players" if line.index == "player" else line.index, span=span)
        return _Part(kept, domain, Subscript(word, Name(ELEMENT, span=span), span=span))
    if space is not None or line is not None:
        help = "keep bounded boards without turned tiles, and variables that all see with one index or none; no zones"
        sink.error("RW164", f"`{word}` cannot be part of a record of positions", span, help=help)
    else:
        known = {"player", *book.state, *(space.name for space in book.spaces.values() if space.of_tiles)}
        sink.error("RW164", f"there is no board and no variable `{word}`", span, help=suggest(word, known))
    return None


def _is_comparable(book: Rulebook, line: modules.StateLine) -> bool:
    """Whether a variable's values can be kept, and compared with those of another moment."""
    is_zone = isinstance(line.type, modules.ZoneType | modules.PositionsType)
    indexed = book.spaces.get(line.index)
    bounded = indexed is None or bool(indexed.size or indexed.edges)
    of_many = bool(line.second or line.index in book.pieces or (line.index and isinstance(line.type, modules.SetType)))
    return not is_zone and not of_many and bounded and line.visibility is modules.Visibility.OPEN


def _alike(part: _Part, moment: Name) -> Expression:
    """A part has the value that it had at a moment."""
    span = moment.span
    same = expressions.Compare(expressions.Comparison.EQUAL, _at(part, moment), part.value, span=span)
    if part.domain is None:
        return same
    binder = expressions.Binder(ELEMENT, part.domain, span=span)
    return expressions.Quantified(expressions.Quantifier.EVERY, binder, same, span=span)


def _keep(part: _Part, moment: Name) -> statements.Labelled:
    keep = statements.Assign(_at(part, moment), statements.Assignment.SET, part.value, span=moment.span)
    if part.domain is None:
        return _labelled(keep)
    binder = expressions.Binder(ELEMENT, part.domain, span=moment.span)
    return _labelled(statements.ForEach(binder, (_labelled(keep),), span=moment.span))


def _at(part: _Part, moment: Name) -> Subscript:
    """The variable that keeps a part, at a moment."""
    element = Name(ELEMENT, span=moment.span)
    index = moment if part.domain is None else Subscript(moment.text, element, span=moment.span)
    return Subscript(part.line.name, index, span=moment.span)


def _labelled(statement: statements.Statement) -> statements.Labelled:
    return statements.Labelled("", statement, span=statement.span)
