"""Writes the pages of the manual and builds it: `python docs/build_site.py`.

The pages (`build/pages`) are those of this folder, the README as the first, and SECURITY.md. Neither the build nor the manual
(`build/manual`) loads anything from afar. `rulewright site` adds the games (`just site`).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "manual"


def write_pages() -> None:
    """The pages from which the site is built."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for page in PAGES.glob("*.md"):
        page.write_text(_for_the_site(page.read_text("utf-8")), "utf-8")
    for source, page in (("README.md", "index.md"), ("SECURITY.md", "security.md")):
        inside = _without_links_out((ROOT / source).read_text("utf-8"), r"(?!docs/|SECURITY|#|https?:)")
        text = inside.replace("](docs/", "](")
        (PAGES / page).write_text(_for_the_site(text), "utf-8")


def _without_links_out(page: str, way: str = r"\.\./") -> str:
    """A page with the names of files of the repository, where links begin with `way`, in place of links to them: they are not
    part of the site."""
    return re.sub(rf"\[([^]]*)\]\({way}([^)]*)\)", _named, page)


def _named(link: re.Match[str]) -> str:
    return f"`{link[2]}`" if link[1] == link[2] else f"{link[1]} (`{link[2]}`)"


def _for_the_site(page: str) -> str:
    """A page of the repository as a page of the site."""
    here = re.sub(r"\]\((?:\.\./)?SECURITY\.md\)", "](security.md)", page).replace("](../README.md", "](index.md")
    return _with_plain_fences(_without_links_out(here))


def _with_plain_fences(page: str) -> str:
    """A page whose samples are fenced by their language: the name of a file stands above, a word for the tests goes."""
    named = re.sub(r"^```(\w+) (\w+\.\w+)$", r"`\2`:\n\n```\1", page, flags=re.MULTILINE)
    return re.sub(r"^```(\w+) \w+$", r"```\1", named, flags=re.MULTILINE)


def build() -> int:
    """The site from its pages, those that mkdocs.yml does not list last; the exit status of MkDocs, which is strict."""
    configuration = PAGES.parent / "mkdocs.yml"
    said = (ROOT / "mkdocs.yml").read_text("utf-8").replace("build/pages", str(PAGES)).replace("build/manual\n", f"{SITE}\n")
    others = [page.name for page in sorted(PAGES.glob("*.md")) if f": {page.name}" not in said]
    configuration.write_text(said + "".join(f"  - {name}\n" for name in others), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", str(configuration)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    write_pages()
    raise SystemExit(build())
