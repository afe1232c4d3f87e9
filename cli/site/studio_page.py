"""The studio as pages that any web server can host: its page, its worker, Python, and Rulewright."""

from __future__ import annotations

import hashlib
import shutil
from html import escape
from pathlib import Path

from rulewright.studio.server.page import FILES, PAGE, PICTURES, page_text

from .runtime import archive, compile_modules, write_runtime

WORKER = "worker.js"
SCRIPTS = (WORKER, "kept_files.js")

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; style-src 'self' 'nonce-{nonce}'"
)
"""Nothing is loaded from elsewhere, and no script is in the page. A worker from a script of its own text (`blob:`) keeps to
this policy, which one from an address would not."""


def write_studio(folder: Path, pictures: str = "") -> None:
    """Write the studio's pages; `pictures` leads to those of the library, if there are any. Raises `RulesError` if Python for
    the page cannot be fetched."""
    write_runtime(folder / "pyodide")
    for name in (*FILES, *SCRIPTS):
        shutil.copyfile(PAGE / name, folder / name)
    packages = archive()
    compile_modules(folder / "pyodide", packages, folder / "rulewright.pack")
    nonce = hashlib.sha256(packages).hexdigest()[:24]
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY.format(nonce=nonce))}">'
    head = f'{policy}\n<meta name="referrer" content="no-referrer">\n<meta name="worker" content="{WORKER}">\n'
    head += PICTURES.format(pictures) if pictures else ""
    (folder / "index.html").write_text(page_text("", nonce, head), "utf-8")
