"""The scripts of pages: modules of JavaScript joined into one, as a page that loads nothing needs them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

PAGE = ("memory", "engine", "line", "scene", "paint", "page")
WORKER = ("memory", "search", "worker")

_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const|let) )", re.MULTILINE)


def joined(names: Sequence[str]) -> str:
    """The modules as one strict script, each after those that it imports; no name may be declared in two of them."""
    return '"use strict";\n' + "".join(_EXPORT.sub("", _IMPORT.sub("", source(name))) for name in names)


def source(name: str) -> str:
    """The text of a module."""
    return files("rulewright.web").joinpath("js", f"{name}.js").read_text(encoding="utf-8")
