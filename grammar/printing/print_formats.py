"""Prints formats."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.grammar.tree.formats import Choice, Field, Format, Glyph

from .rows import INDENT, PrintedRow


def format_rows(format: Format) -> Iterator[PrintedRow]:
    """A format with its lines."""
    yield PrintedRow(0, f"format {format.name} of {format.drawing}:", format.span)
    if format.text:
        yield PrintedRow(INDENT, f'"{format.text}"', format.span)
    if format.between is not None:
        yield PrintedRow(INDENT, f'rows "{format.between}"', format.span)
    if format.runs:
        yield PrintedRow(INDENT, "runs", format.span)
    for glyph in format.glyphs:
        yield PrintedRow(INDENT, _glyph(glyph), glyph.span)
    if format.letters is not None:
        yield PrintedRow(INDENT, f'letters "{format.letters.text}": {format.letters.tiles}', format.letters.span)
    for field in format.fields:
        yield PrintedRow(INDENT, _field(field), field.span)


def _glyph(glyph: Glyph) -> str:
    texts = ", ".join(f'"{text}"' for text in glyph.texts)
    things = (f"{thing.name} of {thing.player}" if thing.player else thing.name for thing in glyph.things)
    return f"glyph {texts}: {', '.join(things) or 'none'}"


def _field(field: Field) -> str:
    choices = ", ".join(map(_choice, field.choices))
    return f"field {f'{field.name}: {choices}' if field.name and choices else field.name or choices}"


def _choice(choice: Choice) -> str:
    return " ".join([f'"{choice.text}"', *(at if isinstance(at, str) else f"({at[0]},{at[1]})" for at in choice.cells)])
