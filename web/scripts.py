"""The scripts of pages: modules of JavaScript joined into one, as a page that loads nothing needs them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

SHARED = ("memory", "engine", "line", "scene", "reader", "search")
"""Modules of which the page and its worker use some, each after those that it imports."""

PICTURES = {"scene"}
"""Modules of rulewright.pictures; all others are in web/js."""

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "[./\w]*?(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const|let) (\w+))", re.MULTILINE)


def script() -> str:
    """The script of the page, which is that of its worker too: each module in a scope of its own."""
    shared = "".join(f"const in_{name} = (() => {{\n{_body(name)}return {{ {_exported(name)} }};\n}})();\n" for name in SHARED)
    return f'"use strict";\n{shared}if (typeof document === "undefined") {{\n{_body("worker")}}} else {{\n{_body("page")}}}\n'


def _exported(name: str) -> str:
    return ", ".join(_EXPORT.findall(source(name)))


def _body(name: str) -> str:
    return "".join(_bare(_EXPORT.sub("", _IMPORT.sub(r"const \1 = in_\2;", source(name)))))


def _bare(text: str) -> Iterator[str]:
    """The lines of a script without comments of their own, and without indentation."""
    for line in text.splitlines():
        bare = line.strip()
        if bare and not bare.startswith("//"):
            yield bare + "\n"


def source(name: str) -> str:
    """The text of a module."""
    folder = files("rulewright.pictures") if name in PICTURES else files("rulewright.web").joinpath("js")
    return folder.joinpath(f"{name}.js").read_text(encoding="utf-8")
