"""The page itself: HTML that loads only from this server."""

from __future__ import annotations

import secrets
from html import escape
from pathlib import Path

PAGE = Path(__file__).parents[1] / "page"
"""The folder of the page's files; `studio.js` is built from editors/studio."""

FILES = {"studio.js": "text/javascript", "studio.css": "text/css", "licences.txt": "text/plain"}
"""The files that may be requested, with their types."""


PICTURES = '<meta name="pictures" content="{}">\n'
"""Says where pictures of the library's puzzles are."""


def page_html(folder: Path) -> tuple[str, str]:
    """The page for a folder, and its content security policy; the nonce is for the styles that the editor generates."""
    nonce = secrets.token_urlsafe(16)
    html = page_text(folder.name or str(folder), nonce, PICTURES.format("pictures/"))
    policy = (
        "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        f"frame-ancestors 'none'; style-src 'self' 'nonce-{nonce}'"
    )
    return html, policy


def page_text(name: str, nonce: str, head: str = "") -> str:
    """The page for a folder of this name, with more in its head."""
    text = (PAGE / "page.html").read_text("utf-8")
    title = f"{escape(name)} · " if name else ""
    return (
        text.replace("{{title}}", title)
        .replace("{{folder}}", escape(name))
        .replace("{{nonce}}", nonce)
        .replace("{{head}}", head)
    )


def page_file(name: str) -> bytes | None:
    """A file of the page; None if there is none."""
    return (PAGE / name).read_bytes() if name in FILES else None
