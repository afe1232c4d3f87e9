"""Files by their addresses (URIs)."""

from __future__ import annotations

from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path

LONGEST = 4096
"""The maximum length of an address, in characters."""


def is_address(uri: str) -> bool:
    """Whether a text can be the address of anything."""
    try:
        name = to_fs_path(uri)
    except ValueError:
        return False
    return len(uri) <= LONGEST and "\0" not in (name or "")


def path_of(uri: str) -> Path | None:
    """The file of a URI; None if it is not on this machine, or if there can be no such file."""
    name = to_fs_path(uri) if is_address(uri) and uri.startswith("file:") else None
    return Path(name) if name and Path(name).is_absolute() else None


def uri_of(path: str | Path) -> str:
    """The URI of a file."""
    return from_fs_path(str(path)) or ""
