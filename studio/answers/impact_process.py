"""The process that computes the effects of edits on the puzzles of a folder, and accepts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.base.refusals import number_in, text_in
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.workers.line_server import Report, serve_lines

from .effects import Effects, accept

MOST_SECONDS = 60


def answered(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Accept some puzzles, or report the effect of an edit on each that it reaches."""
    folder = StudioFolder(Path(text_in(request, "folder")))
    seconds = float(number_in(request, "seconds", 1, MOST_SECONDS, 10))
    if request["do"] == "accept":
        paths = [Path(path) for path in request.get("files", ())]
        return {"accepted": [folder.name_of(path) for path in accept(folder.root, paths, seconds)]}
    before, after = ({Path(path): text for path, text in request.get(key, {}).items()} for key in ("texts_before", "texts"))
    effects = Effects(folder.root, before, after, seconds)
    paths = effects.in_order([Path(path) for path in request.get("files", ())])
    for seen, path in enumerate(paths):
        report({"seen": seen, "all": len(paths)})
        if effects.reaches(path):
            report({**_named(effects.effect(path), folder), "file": folder.name_of(path)})
    return {"all": len(paths)}


def _named(effect: dict[str, Any], folder: StudioFolder) -> dict[str, Any]:
    """An effect with files named as on the page."""
    for cause in effect.get("causes", ()):
        cause["spans"] = [{**span, "file": folder.name_of(Path(span["file"]))} for span in cause["spans"]]
    return effect


if __name__ == "__main__":
    serve_lines(answered)
