"""Rewrites the parts of the documentation that are read off the program: `python docs/generate.py`.

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`. Run it after adding a function, a code, a limit or a word;
tests/docs/test_generated.py says when that was forgotten. `--check` changes nothing and exits with 1 if something would change.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import attrs

from rulewright.base.limits import Limits
from rulewright.cli.documents.schemas import documents, schema_of
from rulewright.editor.highlighting.token_patterns import codemirror_mode, textmate_grammar
from rulewright.grammar.explain import titles
from rulewright.grammar.parsing.node_builder import RESERVED
from rulewright.grammar.tree.looks import Colour, Drawing, RegionStyle, Showing, SpaceSize, SpaceStyle, Standing
from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.linking import call_graph
from rulewright.rules.linking.functions.call import FUNCTION_FORMS
from rulewright.rules.linking.resolve_calls import FUNCTIONS
from rulewright.rules.merging import expand_like
from rulewright.rules.spaces.from_tree import sample_window
from rulewright.rules.spaces.window import Window

DOCS = Path(__file__).parent
PROJECT = DOCS.parent
PART = re.compile(r"(<!-- generated: (?P<name>\w+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)

LIMITS = {
    "file_bytes": ("bytes in a file", "RW050"),
    "line_length": ("characters in a line", "RW051"),
    "nesting": ("levels of nested blocks, and of nested brackets in an expression", "RW052"),
    "nodes": ("parts of a text, such as names, numbers and operators", "RW053"),
    "digits": ("digits of a number", "RW054"),
    "side": ("cells along a side of a space or a drawing", "RW055"),
    "tile_kinds": ("kinds of tile", "RW056"),
    "extends_depth": ("modules in a chain of `extends`", "RW057"),
    "modules": ("modules in a game", "RW058"),
    "files": ("files of one kind in a project", "RW058"),
    "players": ("players", "RW133"),
    "tiles": ("tiles in the box", "RW134"),
    "cells": ("cells of a cube grid or a hexagon, and edges or ports of a space", "RW055"),
    "steps": ("steps of evaluation in one domain, requirement, effect or score", "RW059"),
    "moves": ("combinations of arguments in one choice, legal or not", "RW059"),
    "written": ("parts of a game; an action counts once for each choice that offers it", "RW252"),
    "flow": ("steps of the flow between two choices, in play", "RW364"),
}

MORE_LIMITS = (
    (expand_like.DEEPEST_LIKE, "actions in a chain of `like`", "RW105"),
    (call_graph.DEEPEST_RUN, "procedures in a chain of `do`", "RW252"),
)
"""Limits that no option raises."""

FORMS = {
    "square grid": (Shape.SQUARE, (3, 3)),
    "hex grid": (Shape.HEX, (3, 3)),
    "cube grid": (Shape.CUBE, (3, 3, 3)),
    "ring": (Shape.RING, (6,)),
}


def functions() -> str:
    """The functions of the language, in the order of the program."""
    if differing := sorted(set(FUNCTION_FORMS) ^ set(FUNCTIONS)):
        raise SystemExit(f"docs/generate.py: FUNCTION_FORMS and FUNCTIONS differ in {differing}")
    rows = [f"| `{form.call}` | {form.result} | {form.meaning} |" for name in FUNCTIONS for form in FUNCTION_FORMS[name]]
    return "\n".join(["| Function | Result | Meaning |", "|---|---|---|", *rows])


def function_names() -> str:
    """The functions of the language as calls only."""
    return ", ".join(f"`{form.call}`" for name in FUNCTIONS for form in FUNCTION_FORMS[name])


def directions() -> str:
    """The directions of every shape of space, as spaces know them."""
    rows = []
    for form, (shape, size) in FORMS.items():
        window = sample_window(Space("s", shape, size))
        near = [i for i in range(len(window.directions)) if i in window.around]
        far = [i for i in range(len(window.directions)) if i not in window.around]

        def said(which: list[int], window: Window = window) -> str:
            names = [(window.directions[i], window.words[i]) for i in which]
            return ", ".join(f"`{a}`" if a == b else f"`{a}` `{b}`" for a, b in names) or "—"

        rows.append(f"| {form} | {said(near)} | {said(far)} |")
    return "\n".join(["| Space | To the neighbours | Other directions |", "|---|---|---|", *rows])


def reserved() -> str:
    """The words that cannot be names."""
    return " ".join(f"`{word}`" for word in sorted(RESERVED))


def looks() -> str:
    """The words of a look by what they say."""
    said = {"Colours": Colour, "Drawings": Drawing, "How a terrain lies on a tile, or a tile beside its like": RegionStyle}
    said |= {"How the cells of a space lie": SpaceStyle, "How large they are": SpaceSize, "Whether a value is shown": Showing}
    said |= {"Where it stands": Standing}
    rows = [f"| {what} | {' '.join(f'`{member.value}`' for member in words)} |" for what, words in said.items()]
    return "\n".join(["| What | Words |", "|---|---|", *rows])


def limits() -> str:
    """The limits with what they are about."""
    known = attrs.asdict(Limits())
    if set(LIMITS) != set(known):
        raise SystemExit(f"docs/generate.py: LIMITS and Limits differ in {sorted(set(LIMITS) ^ set(known))}")
    said = [(value, *LIMITS[name], f"`{name}`") for name, value in known.items()] + [(*fixed, "") for fixed in MORE_LIMITS]
    rows = [f"| {value:,} | {what} | {code} | {name} |" for value, what, code, name in said]
    return "\n".join(["| At most | What | Code | Name |", "|--:|---|---|---|", *rows])


def codes() -> str:
    """Every code with its title."""
    return "\n".join(["| Code | Title |", "|---|---|", *(f"| {code} | {title} |" for code, title in titles().items())])


def worked_example() -> str:
    """The source of the pieces that `distance` is made of, as they are now."""
    from rulewright.rules.core import algebra as core
    from rulewright.rules.linking import resolve_calls
    from rulewright.rules.model import terms
    from rulewright.rules.pycode import algebra
    from rulewright.rules.semantics import evaluator
    from rulewright.rules.static import abstract_algebra

    def quoted(title: str, text: str) -> str:
        return f"{title}\n\n```python\n{dedent(text).strip()}\n```\n"

    case = re.search(
        r"            case terms\.Apply\(function.*?\n(?=            case)",
        inspect.getsource(evaluator.Evaluator.value),
        re.DOTALL,
    )
    assert case is not None
    return "\n".join(
        [
            quoted("`rules/model/terms.py`, the term:", inspect.getsource(terms.Apply)),
            quoted(
                "`rules/linking/resolve_calls.py`, how a call becomes the term:", inspect.getsource(resolve_calls._distance)
            ),
            quoted("`rules/semantics/evaluator.py`, the meaning:", case[0]),
            quoted(
                "`rules/core/algebra.py`, as a term of the core, which the reference engine interprets:",
                inspect.getsource(core.CoreAlgebra.applied),
            ),
            quoted("`rules/pycode/algebra.py`, as Python text:", inspect.getsource(algebra.PythonAlgebra.called)),
            quoted(
                "`rules/static/abstract_algebra.py`, when not everything is known:",
                inspect.getsource(abstract_algebra.AbstractAlgebra.applied),
            ),
        ]
    ).rstrip()


def schemas() -> str:
    """The documents of `--json`, each with its fields; those that may be missing with a question mark."""
    rows = []
    for name, document in documents().items():
        schema = schema_of(document)
        fields = [
            f"`{field}`" + ("" if field in schema["required"] else "?") for field in schema["properties"] if field != "schema"
        ]
        where = f"schemas/{name.split('/')[1]}.json"
        rows.append(f"| [`{name}`]({where}) | {schema['description']} | {', '.join(fields)} |")
    return "\n".join(["| Schema | Printed by | Fields |", "|---|---|---|", *rows])


PARTS: Mapping[str, Callable[[], str]] = {
    part.__name__: part
    for part in (functions, function_names, directions, reserved, looks, limits, codes, worked_example, schemas)
}


def renewed(text: str) -> str:
    """A page with its generated parts as they should be."""
    return PART.sub(lambda found: f"{found[1]}{PARTS[found['name']]()}\n{found[4]}", text)


def pages() -> list[Path]:
    """The pages that may have generated parts."""
    return [PROJECT / "README.md", PROJECT / "SECURITY.md", *sorted(DOCS.glob("*.md"))]


def colours() -> dict[Path, str]:
    """What colours rules in editors, each file with its text."""
    return {
        PROJECT / "editors" / "vscode" / "syntaxes" / "rulewright.tmLanguage.json": textmate_grammar(),
        PROJECT / "editors" / "codemirror" / "rulewright.js": codemirror_mode(),
    }


def schema_files() -> dict[Path, str]:
    """The schemas of the documents of `--json`, each file with its text."""
    return {
        DOCS / "schemas" / f"{name.split('/')[1]}.json": json.dumps(schema_of(document), indent=2) + "\n"
        for name, document in documents().items()
    }


LLMS = """\
# Rulewright

> Rules of tile and board games as plain text: checked, played, drawn, simulated, and solved, with a proof for each answer.

For programs that write rules and puzzles. A module is a file `NAME.rules`, a puzzle `NAME.puzzle`. After each edit run
`rulewright check FILE… --json`: each error has a code, message, file, line, column and hint; `rulewright explain CODE` shows a
wrong and a right example. `rulewright solve PUZZLE --json` answers, `rulewright list --json` names what ships.
`rulewright tree NAME --of MODULE` shows the clauses that a module can change.

"""
"""The beginning of llms.txt; the pages follow."""


def for_models() -> str:
    """llms.txt: the cheat sheet, the functions with their meanings, the questions, and where to read on."""
    sheet = renewed((DOCS / "cheat_sheet.md").read_text("utf-8"))
    sheet = re.sub(r"<!-- .*? -->\n", "", sheet).replace("# The language on one page", "## The language on one page", 1)
    fields = [
        f"- {name.split('/')[1]}: {' '.join(schema_of(document)['properties'])}" for name, document in documents().items()
    ]
    titles_of = [(page, page.read_text("utf-8").partition("\n")[0].removeprefix("# ")) for page in sorted(DOCS.glob("*.md"))]
    pages = [f"- [{title}](docs/{page.name})" for page, title in titles_of]
    parts = (
        *("## Functions", functions(), "## Directions", directions(), "## Limits", limits()),
        *("## Fields of the documents of `--json`", "\n".join(fields), "## Pages", "\n".join(pages)),
    )
    links = re.compile(r"\]\((?!docs/)([a-z_]+\.md)")
    return LLMS + links.sub(r"](docs/\1", sheet) + "\n" + "\n\n".join(parts) + "\n"


def main(check: bool) -> int:
    """Rewrite the pages, the schemas and the files for editors; the exit status."""
    wanted = (
        {page: renewed(page.read_text("utf-8")) for page in pages()}
        | colours()
        | schema_files()
        | {PROJECT / "llms.txt": for_models()}
    )
    old = {path: text for path, text in wanted.items() if not path.is_file() or path.read_text("utf-8") != text}
    for path, text in old.items():
        print(f"{'would change' if check else 'changed'} {path.relative_to(PROJECT)}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return int(check and bool(old))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
