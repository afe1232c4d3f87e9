"""A puzzle as a shareable line of text: position, question, the names of its rules, and a digest of their text.

    rw2:PAYLOAD

The payload is URL-safe base64 (RFC 4648) in blocks, each with a check symbol, so that damage is located. It holds a checksum
of the whole, the digest of the rules, and the puzzle's text without its answer and plans, deflated (RFC 1951). The digest
covers the modules that the puzzle names and everything they extend: under other rules the line is refused. It has 160 bits, so
that nobody can write two rules of one digest. Lines of the first format, `rw1:`, have 64 bits; they are still read.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.input_files import file_too_large
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Span
from rulewright.grammar.to_text import print_module, print_puzzle
from rulewright.grammar.tree.modules import Module
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.rules.linking.project import Project

PREFIX, OLD_PREFIX = "rw2:", "rw1:"
"""The start of a line, and of one of the first format; the number is the version of the format."""

BLOCK = 24
"""Parts of a line: the number of symbols in a block, without its check symbol."""

DIGEST, OLD_DIGEST = 20, 8
"""Bytes of the rules' digest, and of that of the first format."""

SOURCE = "the line"
"""The source name in the spans of a line."""

_SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_CHECKSUM = 4
"""Bytes of a checksum."""
_DICTIONARY = (
    b"    ask: maximise score until end\n    ask: fewest moves until \n    ask: win for \n    players \n"
    b"    rules \n    draw: \n    hand of : \n    board\n"
    b"         .    .    .    .    .\npuzzle "
)
"""Text common to most puzzles, a preset dictionary that shortens short lines. It is part of the format: changing it changes
the format."""


@frozen
class SharedPuzzle:
    """The contents of a line: the text of a puzzle, and the digest of the rules it was written under."""

    text: str
    digest: bytes


def rules_digest(modules: Iterable[Module]) -> bytes:
    """The digest of modules as printed, in 32 bytes; it ignores comments and layout."""
    texts = sorted(print_module(module) for module in modules)
    return sha256("\0".join(texts).encode()).digest()


def read_shared(line: str, project: Project) -> Puzzle:
    """The puzzle in a line. Raises `RulesError`: RW358 (its rules have changed), and as `read_share_line`."""
    from rulewright.grammar.from_text import parse_puzzle

    shared = read_share_line(line, project.limits)
    puzzle = parse_puzzle(shared.text, SOURCE, project.limits)
    names = " + ".join(name for name, _ in puzzle.rules)
    if rules_digest(project.modules_of(names))[: len(shared.digest)] != shared.digest:
        message = f"the line was written for a different version of `{names}`"
        help = "get the original modules, or print it as a puzzle for the current rules: `rulewright share LINE --text`"
        raise RulesError((Diagnostic("RW358", message, help=help),))
    return puzzle


def write_share_line(puzzle: Puzzle, digest: bytes) -> str:
    """The line of a puzzle, without its answer and plans; `digest` is that of its rules."""
    text = print_puzzle(evolve(puzzle, answer=None, plans=()))
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_DICTIONARY)
    body = digest[:DIGEST] + deflate.compress(text.encode()) + deflate.flush()
    symbols = urlsafe_b64encode(_checksum(body) + body).decode().rstrip("=")
    blocks = (symbols[start : start + BLOCK] for start in range(0, len(symbols), BLOCK))
    return PREFIX + "".join(block + _check_symbol(number, block) for number, block in enumerate(blocks))


def read_share_line(line: str, limits: Limits = DEFAULT_LIMITS) -> SharedPuzzle:
    """The contents of a line. Raises `RulesError`: RW356 (damaged, and where), RW357 (another format), RW050 (too long)."""
    if not line.startswith((PREFIX, OLD_PREFIX)):
        raise _another_form(line)
    size = OLD_DIGEST if is_old_share_line(line) else DIGEST
    payload = line[len(PREFIX) :]
    symbols = ""
    for number, start in enumerate(range(0, len(payload), BLOCK + 1)):
        block = payload[start : start + BLOCK + 1]
        foreign = next((at for at, symbol in enumerate(block) if symbol not in _SYMBOLS), None)
        if foreign is not None:
            raise _damaged(line, start + foreign, 1, f"`{block[foreign]!r}`"[1:-1] + " is not a symbol of share lines")
        if len(block) < 2 or _check_symbol(number, block[:-1]) != block[-1]:
            raise _damaged(line, start, len(block), "these symbols were changed")
        symbols += block[:-1]
    content = _decoded(symbols)
    body = content[_CHECKSUM:]
    if len(body) <= size or _checksum(body) != content[:_CHECKSUM]:
        raise _damaged(line, len(payload), 0, "the end is missing or was changed")
    return SharedPuzzle(_inflated(line, body[size:], limits), body[:size])


def is_old_share_line(line: str) -> bool:
    """Whether a line has the first format, with a short digest of the rules."""
    return line.startswith(OLD_PREFIX)


def _decoded(symbols: str) -> bytes:
    """The decoded bytes; empty if no byte string encodes to this many symbols."""
    return b"" if len(symbols) % 4 == 1 else urlsafe_b64decode(symbols + "=" * (-len(symbols) % 4))


def _inflated(line: str, body: bytes, limits: Limits) -> str:
    inflate = zlib.decompressobj(-15, zdict=_DICTIONARY)
    try:
        text = inflate.decompress(body, limits.file_bytes + 1)
        if len(text) > limits.file_bytes:
            raise RulesError((file_too_large(SOURCE, limits),))
        return text.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise _damaged(line, 0, len(line) - len(PREFIX), "its content is not valid") from error


def _check_symbol(number: int, block: str) -> str:
    """A symbol of six bits for a block and its number; it detects every change of a single symbol (odd weights)."""
    total = number + sum((2 * place + 1) * _SYMBOLS.index(symbol) for place, symbol in enumerate(block))
    return _SYMBOLS[total % len(_SYMBOLS)]


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(_CHECKSUM, "big")


def _damaged(line: str, start: int, length: int, what: str) -> RulesError:
    """The error for a damaged line; the place is counted from after the prefix."""
    first = len(PREFIX) + start + 1
    symbols = line[first - 1 : first - 1 + length]
    place = f"symbols {first} to {first + length - 1}, `{symbols}`" if symbols else f"symbol {first}"
    label = Label(Span(SOURCE, 1, first, 1, first + max(1, length)))
    help = "copy the whole line again"
    return RulesError((Diagnostic("RW356", f"the line is damaged at {place}: {what}", (label,), help),))


def _another_form(line: str) -> RulesError:
    form = line.partition(":")[0]
    message = f"this version cannot read lines that begin with `{form}:`"
    return RulesError(
        (Diagnostic("RW357", message, help=f"a share line begins with `{PREFIX}`; another format may need a newer version"),)
    )
