"""`rulewright site`: games, their puzzles to play, and the studio, as a folder for any web server."""

from __future__ import annotations

import shutil
from pathlib import Path

from rulewright.base.diagnostics import file_error
from rulewright.base.input_files import display_path
from rulewright.cli.documents.positions import Site
from rulewright.cli.executors import require_extra
from rulewright.cli.site.gallery import Effort, Gallery
from rulewright.cli.site.runtime import require_node
from rulewright.cli.site.studio_page import write_studio
from rulewright.cli.views.output import Output
from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.rules.linking.project import Project

MARK = "rulewright_site"
"""The name of the file by which a folder is known as one that this command may write into."""


def write_site(
    folder: Path | None, target: Path, word: str, effort: Effort, studio: bool, manual: Path | None, output: Output
) -> None:
    """Write the site of a folder, or of the library, with or without the studio and the pages of a manual.

    Raises `RulesError` and `OSError`.
    """
    if manual is not None and not (manual / "index.html").is_file():
        raise file_error(f"`{display_path(manual)}` has no `index.html`", "build the manual first")
    if folder is not None and not folder.is_dir():
        raise file_error(f"there is no folder `{display_path(folder)}`", "name a folder with rules and puzzles")
    if target.exists() and not (target.is_dir() and (not any(target.iterdir()) or (target / MARK).is_file())):
        raise file_error(f"`{display_path(target)}` already exists and is no site", "choose an empty folder, or a new one")
    if studio:
        require_extra("the studio of a site", "editor", "pygls")
        require_node()
    target.mkdir(parents=True, exist_ok=True)
    (target / MARK).write_text("Written by `rulewright site`, which may write here again.\n", "utf-8")
    own = None if folder is None else folder.resolve()
    if manual is not None:
        shutil.copytree(manual, target / "manual", dirs_exist_ok=True)
    gallery = Gallery(Catalogue(Project(SHIPPED if own is None else own)), target, effort, own, manual is not None, studio)
    games = gallery.write(word)
    for said in gallery.said:
        output.say(said)
    if studio:
        write_studio(target / "studio", "" if own or word else "../pictures/")
    output.document(Site, folder=display_path(target), games=games)
    output.say(f"wrote {display_path(target)}: serve it with any web server, such as `python -m http.server`")
