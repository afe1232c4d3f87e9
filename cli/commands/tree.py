"""`rulewright tree`: the clauses of a definition, an action or another item, each with its origin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING

from rulewright.api.named import Named
from rulewright.base.diagnostics import RulesError, did_you_mean, usage_error
from rulewright.base.input_files import display_path, is_within
from rulewright.base.named_texts import is_path
from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.cli.documents.rules import Tree
from rulewright.cli.names import named
from rulewright.cli.views.output import Output
from rulewright.grammar.tree.modules import Module
from rulewright.rules.clauses.clause_text import Clause, clauses_of
from rulewright.rules.linking.project import SHIPPED, Combination
from rulewright.rules.merging.edit_conflicts import Path
from rulewright.rules.merging.rulebook import ItemKind

if TYPE_CHECKING:
    from rulewright.cli.picture_files import PictureFiles
    from rulewright.pictures.charts import Row

FEW = 4
"""The maximum number of games listed if several have the name."""

WIDEST = 100
"""The greatest column at which the origin of a clause is printed."""


def show_tree(name: str, rules: str, files: PictureFiles | None, output: Output) -> None:
    """Print the clauses of an item or a part of it, or without a name all items, with their origins; draw them to files."""
    combination = _combination(name, rules)
    clauses = clauses_of(combination.book, combination.family)
    found = _named(name, clauses) if name else [clause for clause in clauses if not clause.place.path]
    if not found:
        known = {clause.place.key.name for clause in clauses} | {clause.name for clause in clauses}
        raise usage_error(f"there is no item or clause `{escape(name)}`", did_you_mean(name, known - {""}))
    output.document(Tree, name=name, rules=combination.roots, clauses=found)
    for number, key in enumerate(dict.fromkeys(clause.place.key for clause in found)):
        if number and name:
            output.line()
        output.lines(_lines([clause for clause in found if clause.place.key == key]))
    if files is not None:
        from rulewright.pictures.charts import outline

        title = f"{name} of {' + '.join(combination.roots)}"
        files.write(outline(title, list(_rows(found)), files.options.palette), output)


def origin(clause: Clause) -> str:
    """The origin of a clause as text; a file outside the current folder is named without its path."""
    path = display_path(clause.span.source)
    file = PurePath(path).name if PurePath(path).is_absolute() else path
    place = f"{file}:{clause.span.line}" if clause.span.line else ""
    return escape("  ".join(part for part in (clause.module, place, f"[{clause.cite}]" if clause.cite else "") if part))


# Which game -----------------------------------------------------------------------------------------------------------


def _combination(name: str, rules: str) -> Combination:
    """The modules that `--of` names, else the only game found that has an item of the name."""
    if rules:
        return named(rules).combination
    if not name:
        raise usage_error("name an item, or a game with `--of MODULE`", "`rulewright list` shows the modules")
    session = named(name)
    if is_path(name):
        raise usage_error(f"expected the name of a clause, found the file `{escape(name)}`", "add `--of FILE`")
    games = [(combination, clauses_of(combination.book, combination.family)) for combination in _games(session)]
    knowing = [combination for combination, clauses in games if _named(name, clauses)]
    if not knowing:
        known = {clause.place.key.name for _, clauses in games for clause in clauses}
        hint = did_you_mean(name.split(".", maxsplit=1)[0], known) or "name the module with `--of MODULE`"
        raise usage_error(f"there is no item or clause `{escape(name)}`", hint)
    if len(knowing) > 1:
        listed = ", ".join("+".join(combination.roots) for combination in knowing[:FEW])
        hint = f"choose one with `--of MODULE`: {listed}{', …' if len(knowing) > FEW else ''}"
        raise usage_error(f"`{escape(name)}` is ambiguous: several games have it", hint)
    return knowing[0]


def _games(session: Named) -> Iterator[Combination]:
    """The modules of the folder, or else of the library, that no other module extends and that merge without errors."""
    modules = session.project.modules()
    own = [module for module, path in modules.items() if not is_within(path, SHIPPED)] or list(modules)
    read: dict[str, Module] = {}
    for module in own:
        with suppress(RulesError):
            read[module] = session.project.parse(modules[module])
    extended = {base for tree in read.values() for base, _ in tree.header.extends}
    for module in read:
        if module not in extended:
            with suppress(RulesError):
                yield session.project.combine(module)


def _named(name: str, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses of the items with a name, or a clause with those below it; `action worth` selects a kind."""
    kind, _, rest = name.rpartition(" ")
    item, *path = rest.split(".")
    return [
        clause
        for clause in clauses
        if (clause.place.key.name or clause.place.key.kind.value) == item
        and kind in ("", clause.place.key.kind.value)
        and clause.place.path[: len(path)] == tuple(path)
    ]


# The tree -------------------------------------------------------------------------------------------------------------


def _lines(clauses: Sequence[Clause]) -> Iterator[Line]:
    """The clauses of one item as a tree: its head, the others below it, exceptions below their base clauses."""
    first, *others = clauses
    whole = not first.place.path
    rows = [("", first)] if whole else []
    rows += _branches(others if whole else clauses, first.place.path if whole else first.place.path[:-1], "")
    width = min(max(len(margin) + len(clause.written) for margin, clause in rows), WIDEST)
    if not whole:
        yield line(Styled(first.place.key.name or first.place.key.kind.value, Style.STRONG))
    for margin, clause in rows:
        label = _label(clause.written)
        gap = " " * max(3, width + 3 - len(margin) - len(clause.written))
        said = Styled(escape(label), Style.STRONG)
        yield line(margin, said, f"{escape(clause.written[len(label) :])}{gap}", Styled(origin(clause), Style.FAINT))


def _rows(clauses: Sequence[Clause]) -> Iterator[Row]:
    """The clauses as rows of an outline, each item below its head."""
    from rulewright.pictures.charts import Row

    for key in dict.fromkeys(clause.place.key for clause in clauses):
        first, *others = (clause for clause in clauses if clause.place.key == key)
        branches = [("", first), *_branches(others, first.place.path, "")]
        for margin, clause in branches:
            label = _label(clause.written)
            text = clause.written[len(label) :].strip()
            yield Row(len(margin) // len("│  "), label.removesuffix(":"), text, clause.module, origin(clause))


def _label(written: str) -> str:
    """The part of a clause that names it: up to its colon or its text; for a value, the `=` sign."""
    if written.startswith("= "):
        return "="
    before_sentence = written.partition(' "')[0]
    head, colon, _ = before_sentence.partition(":")
    return head + colon


def _branches(clauses: Sequence[Clause], above: Path, margin: str) -> list[tuple[str, Clause]]:
    here = [clause for clause in clauses if clause.place.path[:-1] == above or not _is_nested(clause)]
    rows = []
    for clause in here:
        last = clause is here[-1]
        rows.append((f"{margin}{'└─' if last else '├─'} ", clause))
        if _is_nested(clause):
            rows += _branches(clauses, clause.place.path, margin + ("   " if last else "│  "))
    return rows


def _is_nested(clause: Clause) -> bool:
    """Whether clauses of this kind of item can have clauses below them."""
    return clause.place.key.kind is ItemKind.DEFINE
