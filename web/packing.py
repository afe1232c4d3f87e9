"""A module of WebAssembly, the memory that it begins with and the calls of its entries, as one compressed text."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

from rulewright.base.records import frozen
from rulewright.subset.buffers import Array
from rulewright.subset.bundles import Bundle
from rulewright.subset.memory_image import MemoryImage


@frozen
class Packed:
    """`calls` are the arguments of each entry (`CallWriter`), `data` is whatever JavaScript has to know besides."""

    code: bytes
    image: MemoryImage
    calls: Mapping[str, tuple[int | str, ...]]
    data: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All of it in base64, compressed (RFC 1950): the length of a header in four bytes, the header as JSON, then the code
        and the segments of memory, whose lengths the header has."""
        segments = list(self.image.segments())
        header = {"code": len(self.code), "pages": self.image.pages, "calls": dict(self.calls), **self.data}
        header["segments"] = [[one.address, len(one.content)] for one in segments]
        text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
        parts = [len(text).to_bytes(4, "little"), text, self.code, *(one.content for one in segments)]
        return base64.b64encode(zlib.compress(b"".join(parts), 9)).decode()


def words_of(bundle: Bundle, *names: str) -> dict[str, list[Any]]:
    """Where the entries of a bundle lie: address and kind (`i` or `q`)."""
    found: dict[str, list[Any]] = {}
    for name in names:
        field = type(bundle).fields[name]
        array = bundle.array_named(field.array)
        found[name] = [array.address + field.offset * array.items.itemsize, array.items.format]
    return found


def place_of(array: Array) -> list[Any]:
    """Where an array lies: address, kind and length."""
    return [array.address, array.items.format, len(array.items)]
